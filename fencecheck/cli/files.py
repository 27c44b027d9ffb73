"""Files that fencecheck writes: marked as its own, replaced as a whole, nothing else overwritten.

Every format carries a mark that its readers ignore (a comment, a text chunk in a PNG, the schema
of a JSON document, the head line of a CSV). A file that exists without such a mark is somebody
else's and stays as it is.
"""

from __future__ import annotations

import hashlib
import os
import re
import struct
import zlib
from pathlib import Path

from fencecheck.errors import UsageError
from fencecheck.model.files.texts import file_reference, named_file
from fencecheck.report.words.visible import visible

MARK = b"fencecheck/diagram/1"
MARKS = (
    MARK,
    b"fencecheck/export/",
    b'"fencecheck/',
    b"fencecheck/markdown/",
    b"fencecheck/text/",
    b"fencecheck/page/",
)
STARTS = (b"spec,model,variant,kind,property,",)
JUNIT = b'<testsuites name="fencecheck"'
LOOKED_AT = 4096
BINARY = ("png", "pdf")
LONGEST = 72  # bytes of a slug: a file's name holds up to three of them, and file systems take 255
_PNG_HEAD = 8 + 25  # signature and the IHDR chunk, which must come first


def marked(content: bytes, ending: str) -> bytes:
    """Return a file's content with the mark that its format has room for, texts made visible."""
    if ending not in BINARY:
        content = visible(content.decode("utf-8", "surrogatepass")).encode()
    if ending in ("svg", "graphml"):
        return content.rstrip(b"\n") + b"\n<!-- " + MARK + b" -->\n"
    if ending == "dot":
        return b"// " + MARK + b"\n" + content
    if ending == "mmd":
        return content.rstrip(b"\n") + b"\n    %% " + MARK + b"\n"
    if ending == "pdf":
        return content.rstrip(b"\n") + b"\n% " + MARK + b"\n"
    if ending == "png":
        return content[:_PNG_HEAD] + _text_chunk() + content[_PNG_HEAD:]
    if ending == "txt":
        return content.rstrip(b"\n") + b"\n\nfencecheck/text/1\n"
    return content


def _text_chunk() -> bytes:
    body = b"tEXt" + b"Software\0" + MARK
    return struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))


def is_ours(path: Path) -> bool:
    """Tell whether fencecheck wrote a file, by the mark at its start or end."""
    with path.open("rb") as file:
        start = file.read(LOOKED_AT)
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - LOOKED_AT))
        end = file.read()
    if JUNIT in start or start.startswith(STARTS):
        return True
    return any(m in start or m in end for m in MARKS)


def check_folder(folder: Path) -> None:
    """Refuse, before anything runs, a folder that cannot be written; create nothing."""
    for place in (folder, *folder.resolve().parents):
        if place.exists():
            if not place.is_dir():
                raise UsageError(f"--out {folder}: {place} is a file, not a folder")
            if not os.access(place, os.W_OK | os.X_OK):
                raise UsageError(f"--out {folder}: {place} cannot be written to")
            return


def write(path: Path, content: bytes) -> Path:
    """Write a file as a whole, with its mark, and return its path.

    Raises UsageError where the file is not fencecheck's own or the folder cannot be written.
    """
    path = named_file(str(path))
    content = marked(content, path.suffix.removeprefix("."))
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not (path.is_file() and is_ours(path)):
            raise UsageError(
                f"{path}: fencecheck did not write this file and leaves it as it is; "
                "move it away or name another folder with --out"
            )
        try:
            temporary.write_bytes(content)
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror or error})") from None
    return path


def slug(text: str) -> str:
    """Return a text as part of a file's name: lower case, words joined by ``-``.

    One of more than LONGEST bytes is cut, and ends in a digest that keeps it apart from others.
    """
    whole = re.sub(r"[^\w.]+", "-", file_reference(text).lower()).strip("-.") or "unnamed"
    if len(whole.encode()) <= LONGEST:
        return whole
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    kept = whole.encode()[: LONGEST - len(digest) - 1].decode(errors="ignore").rstrip("-.")
    return f"{kept}-{digest}"
