"""Part `text_places`: a file with two places that may look alike, and which one an edit finds."""

from fencecheck.model import Array, Enum, Index, Part

text_places = Part("text_places")
text_places.mechanism("loose", ("off", "on"), "off", "whether text that is nearly the same will do")
text_places.mechanism("whole", ("off", "on"), "off", "whether the file has to be as it was read")
text_places.mechanism("unique", ("off", "on"), "off", "whether the text must be in one place only")
text_places.mechanism("twin", ("old", "near", "other"), "old", "the second place", environment=True)
PLACE, TEXT = Index(2, "place "), Enum("old", "near", "other", "new")
file = text_places.store("file")
text_places.variable("text", Array(PLACE, TEXT), lambda k: ("old", k.twin), owner=file)
text_places.variable("read", Array(PLACE, TEXT), lambda k: ("old", k.twin), owner="agent")


def has_it(s, place):
    """The text that was read is there; or nearly that, if it is nowhere."""
    if s.read[0] in s.text:
        return s.text[place] == s.read[0]
    return s.loose == "on" and s.text[place] in ("old", "near") and s.read[0] in ("old", "near")


def fits(s, place):
    """It is the first place that has the text, and the file is as it has to be."""
    as_read = s.whole == "off" or (s.text[0] == s.read[0] and s.text[1] == s.read[1])
    alone = s.unique == "off" or s.text[0] != s.text[1] or s.text[0] != s.read[0]
    return has_it(s, place) and (place == 0 or not has_it(s, 0)) and as_read and alone
