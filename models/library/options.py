"""What a part can have besides its core: asked for by name when it is made."""


def asked(part, given, known):
    """Return the names of what was asked for; ValueError for what there is not."""
    given = (given,) if isinstance(given, str) else tuple(given)
    for name in given:
        if name not in known:
            raise ValueError(f"{part} has no {name!r}; write some of {', '.join(known)}")
    return given
