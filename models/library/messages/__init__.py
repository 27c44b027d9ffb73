"""Messages on their way, and what the network does to them."""
