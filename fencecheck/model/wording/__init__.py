"""Words for people, as format strings: what a model says is held against what it has."""
