"""Make the README's outputs, its model and the sample under reports/ anew from the program.

``python tests/refresh_readme.py`` writes; ``outdated()`` returns what would change, for the test.
What stands between ``<!-- output: COMMAND -->`` or ``<!-- file: NAME -->`` and ``<!-- end -->`` is
made here; ``<!-- measured: ... -->`` blocks are left to the benchmark that prints them.
"""

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
SAMPLE = ROOT / "reports" / "sample"
DIAGRAM = "step-fence.at_most_once"
BLOCK = re.compile(r"(<!-- (output|file): (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)


def run(command: list[str], folder: Path) -> str:
    """Return what a fencecheck command prints to stdout."""
    program = [sys.executable, "-m", "fencecheck", *command]
    done = subprocess.run(program, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{command}: {done.stderr}")
    return done.stdout


def block(kind: str, what: str, folder: Path) -> str:
    """Return a block's content: a command's output, or a file that ``init`` writes."""
    if kind == "file":
        run(["init", "start"], folder)
        return f"```python\n{(folder / 'start' / what).read_text()}```\n"
    _, *args = shlex.split(what)
    if args[0] == "compare":
        args += ["--out", str(folder / "out")]
    return f"```\n{run(args, ROOT).rstrip()}\n```\n"


def fresh() -> dict[Path, bytes]:
    """Return every file that is made here, with its content."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def made(match: re.Match[str]) -> str:
            return f"{match[1]}\n{block(match[2], match[3], folder)}\n{match[4]}"

        text = BLOCK.sub(made, README.read_text())
        pictures = folder / "out" / "tour"
        files = {README: text.encode()}
        for ending in ("svg", "json", "dot"):
            file = f"{DIAGRAM}.{ending}"
            files[SAMPLE / file] = (pictures / file).read_bytes()
        return files


def outdated() -> list[Path]:
    """Return the files that are no longer what the program makes; pictures differ by renderer."""
    return [
        path
        for path, content in fresh().items()
        if path.suffix != ".svg" and (not path.exists() or path.read_bytes() != content)
    ]


if __name__ == "__main__":
    SAMPLE.mkdir(parents=True, exist_ok=True)
    for path, content in fresh().items():
        path.write_bytes(content)
        print(path.relative_to(ROOT))
