"""Make anew what the documents print: outputs of commands, columns of tables, the sample, schemas.

``python -m tests.documents.refresh`` writes; ``outdated`` returns what would change, for tests.
Blocks of measurements are left to the benchmark that prints them.
"""

from __future__ import annotations

import difflib
import tempfile
from dataclasses import dataclass
from pathlib import Path

from fencecheck.model.files.loading import builtin_models
from fencecheck.report.words.visible import json_text
from fencecheck.runs.logged.schema import log_schema
from fencecheck.spec.files import spec_schema
from tests.documents.blocks import (
    DOCUMENTS,
    MADE,
    ROOT,
    TABLE,
    folder_for,
    read,
    with_second_column,
)
from tests.documents.catalogue import designs_of
from tests.documents.examples import MAKERS, printed
from tests.documents.families import table_of
from tests.documents.incidents import table_of_incidents

SAMPLE = ROOT / "reports" / "sample"
SCHEMAS = ROOT / "specs" / "schemas"
DIAGRAM = "step-fence.at_most_once"


@dataclass(frozen=True)
class Made:
    """A stretch of a document that is made here: a block or a table, as it stands there."""

    document: Path
    mark: str
    text: str

    def fresh(self, folder: Path) -> str:
        """Return what would stand there now; ``folder`` has the document's files."""
        block, table = MADE.fullmatch(self.text), TABLE.fullmatch(self.text)
        if block is not None:
            return f"{block[1]}\n{_block(block[2], block[3], folder)}\n{block[4]}"
        assert table is not None
        maker, base, place = MAKERS[table[2]], table[3], table[4]
        return table[1] + with_second_column(
            table[5], lambda code: maker(base, place, code, folder)
        )


def made_in(document: Path) -> list[Made]:
    """Return what is made of a document, in order."""
    found = [m for kind in (MADE, TABLE) for m in kind.finditer(read(document))]
    return [
        Made(document, m[0].splitlines()[0][5:-4], m[0])
        for m in sorted(found, key=lambda m: m.start())
    ]


def fresh(document: Path) -> str:
    """Return a document's text with everything that is made made anew."""
    text = read(document)
    with tempfile.TemporaryDirectory() as name:
        folder = folder_for(document, Path(name))
        for made in made_in(document):
            text = text.replace(made.text, made.fresh(folder), 1)
    return text


def _block(kind: str, what: str, folder: Path) -> str:
    """Return a block's content: an output, a file that ``init`` writes, or one of the tables."""
    if kind == "family":
        return table_of(what)
    if kind == "incidents":
        return table_of_incidents(ROOT / what)
    if kind == "designs":
        return designs_of(ROOT / what)
    if kind == "init":
        printed("fencecheck init start", folder)
        language = {".py": "python", ".toml": "toml"}.get(Path(what).suffix, "text")
        return f"```{language}\n{(folder / 'start' / what).read_text(encoding='utf-8')}```\n"
    out = f" --out {folder / 'out'}" if {"compare", "draw"} & set(what.split()) else ""
    return f"```text\n{printed(what + out, folder)}\n```\n"


def sample() -> dict[Path, bytes]:
    """Return the files of the committed sample, with their contents."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "specs").symlink_to(ROOT / "specs")
        printed(f"fencecheck compare --out {folder / 'out'}", folder)
        files = [f"{DIAGRAM}.{ending}" for ending in ("svg", "json", "dot")]
        return {SAMPLE / file: (folder / "out" / "tour" / file).read_bytes() for file in files}


def schemas() -> dict[Path, str]:
    """Return the schemas that ship beside the specs: of each family, and of any model."""
    families = builtin_models()
    named = {**{name: [name] for name in families}, "any": families}
    return {
        SCHEMAS / f"{name}.schema.json": json_text(spec_schema(of)) for name, of in named.items()
    }


def schema_of_logs() -> tuple[Path, str]:
    """Return the file and the text of the schema of a log."""
    return SCHEMAS / "log.schema.json", json_text(log_schema())


def outdated(made: Made, folder: Path) -> list[str]:
    """Return the lines of a stretch that are no longer what the program gives."""
    old, new = made.text.splitlines(), made.fresh(folder).splitlines()
    lines = difflib.unified_diff(old, new, n=0, lineterm="")
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def main() -> None:
    """Write every document and the sample anew."""
    SAMPLE.mkdir(parents=True, exist_ok=True)
    for path, content in sample().items():
        path.write_bytes(content)
    SCHEMAS.mkdir(exist_ok=True)
    for path, text in [*schemas().items(), schema_of_logs()]:
        path.write_text(text, encoding="utf-8")
    for document in DOCUMENTS:
        if document.exists():
            document.write_text(fresh(document), encoding="utf-8")
            print(document.relative_to(ROOT))


if __name__ == "__main__":
    main()
