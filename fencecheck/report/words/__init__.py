"""The words that all formats share: outcomes, event orders, coverage, claims."""
