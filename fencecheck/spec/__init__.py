"""Specs: what to check, from TOML files, with every mistake of every file at once."""
