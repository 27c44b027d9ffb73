"""Commands that look outside: at implementations, at logs of real runs, at other checkers."""
