"""Make anew what the documents print: outputs of commands, columns of tables, the sample.

``python -m tests.documents.refresh`` writes; ``outdated()`` returns what would change, for the
tests. Blocks of measurements are left to the benchmark that prints them.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from tests.documents.blocks import (
    DOCUMENTS,
    MADE,
    ROOT,
    TABLE,
    folder_for,
    read,
    with_second_column,
)
from tests.documents.examples import MAKERS, printed
from tests.documents.families import table_of

SAMPLE = ROOT / "reports" / "sample"
DIAGRAM = "step-fence.at_most_once"


def fresh(document: Path) -> str:
    """Return a document's text with everything that is made made anew."""
    with tempfile.TemporaryDirectory() as name:
        folder = folder_for(document, Path(name))

        def made(match: re.Match[str]) -> str:
            return f"{match[1]}\n{_block(match[2], match[3], folder)}\n{match[4]}"

        def table(match: re.Match[str]) -> str:
            maker, base, place = MAKERS[match[2]], match[3], match[4]
            filled = with_second_column(match[5], lambda code: maker(base, place, code, folder))
            return match[1] + filled

        return TABLE.sub(table, MADE.sub(made, read(document)))


def _block(kind: str, what: str, folder: Path) -> str:
    """Return a block's content: an output, a file that ``init`` writes, or a family's table."""
    if kind == "family":
        return table_of(what)
    if kind == "init":
        printed("fencecheck init start", folder)
        language = {".py": "python", ".toml": "toml"}.get(Path(what).suffix, "text")
        return f"```{language}\n{(folder / 'start' / what).read_text(encoding='utf-8')}```\n"
    out = f" --out {folder / 'out'}" if what.split()[1] in ("compare", "draw") else ""
    return f"```text\n{printed(what + out, folder)}\n```\n"


def sample() -> dict[Path, bytes]:
    """Return the files of the committed sample, with their contents."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "specs").symlink_to(ROOT / "specs")
        printed(f"fencecheck compare --out {folder / 'out'}", folder)
        files = [f"{DIAGRAM}.{ending}" for ending in ("svg", "json", "dot")]
        return {SAMPLE / file: (folder / "out" / "tour" / file).read_bytes() for file in files}


def outdated(document: Path) -> list[str]:
    """Return the lines of a document that are no longer what the program prints."""
    return [
        f"{document.relative_to(ROOT)}: {line}"
        for line in _differing(read(document), fresh(document))
    ]


def _differing(old: str, new: str) -> list[str]:
    import difflib

    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm="")
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def main() -> None:
    """Write every document and the sample anew."""
    SAMPLE.mkdir(parents=True, exist_ok=True)
    for path, content in sample().items():
        path.write_bytes(content)
    for document in DOCUMENTS:
        if document.exists():
            document.write_text(fresh(document), encoding="utf-8")
            print(document.relative_to(ROOT))


if __name__ == "__main__":
    main()
