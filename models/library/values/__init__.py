"""Values that several change, each from what it has read: cells, copies, status rows."""
