"""Models as text for other checkers: a system goes in, the text of a program comes out."""
