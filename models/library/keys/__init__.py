"""What is remembered under a key, so that work is done once."""
