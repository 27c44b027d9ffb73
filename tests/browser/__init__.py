"""Pages as people see them, in a browser without a window."""
