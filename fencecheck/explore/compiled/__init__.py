"""The compiled engine: the model's intermediate form as machine code under a fixed search."""
