"""How a model is written down, apart from the parts that collect it: actors, properties."""
