"""What is particular to one kind of container."""
