"""A model written for other checkers: declarations go in, text comes out; nothing here runs one."""
