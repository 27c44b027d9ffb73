"""What telling a run takes: its concrete states, the system's words, messages, evidence."""
