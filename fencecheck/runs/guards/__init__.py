"""Why an event is not possible in a state."""
