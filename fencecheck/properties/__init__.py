"""Properties over a whole explored graph: what stays possible, what comes about."""
