"""TLA+ itself: trees, how they are put together and printed, names. No model is known here."""
