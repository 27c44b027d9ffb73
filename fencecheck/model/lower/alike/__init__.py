"""What stands for a state among those alike: representatives as formulas."""
