"""One search over the processes of a Ray cluster: each owns a part of the states."""
