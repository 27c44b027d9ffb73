"""What becomes of designs when there is no end to interference."""
