"""Many checks put together: what an analysis of a design asks beyond one exploration."""
