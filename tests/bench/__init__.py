"""Speed, measured beside other checkers. Nothing here is a test."""
