"""Results, explanations and traces as one self-contained HTML page."""
