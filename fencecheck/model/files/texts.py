"""The text of a model's modules: read as UTF-8, and executed as it was read.

While a model is loaded, a module of its author's is compiled from its text, never taken from
bytecode that Python kept, whatever the time and size of the file say. The text stays with the
module, so that what is lowered is what was executed, also when the file changes later.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import linecache
import os
import re
import site
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from fencecheck.errors import EncodingError, UsageError
from fencecheck.model.files.aside import stdout_aside

_BOM = b"\xef\xbb\xbf"
_DECLARED = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_UTF8 = ("utf-8", "utf8", "utf-8-sig", "u8", "ascii", "us-ascii")
SHIPPED = "fencecheck.models"
_executed: dict[str, str] = {}  # the text of each file
_beside: dict[str, Path] = {}  # modules found beside a model, which is the only place for them
_put_aside: list[TextLoader] = []  # of modules that models in other folders were loaded with


def decoded(content: bytes, shown: str) -> str:
    """Return a file's content as text: UTF-8, with or without a byte order mark.

    Raises EncodingError with the byte that is no UTF-8.
    """
    try:
        return content.removeprefix(_BOM).decode()
    except UnicodeDecodeError as error:
        at = error.start + (len(_BOM) if content.startswith(_BOM) else 0)
        line = content[:at].count(b"\n") + 1
        raise EncodingError(
            f"{shown}: line {line}: this is not UTF-8 text (byte {at + 1} of the file is "
            f"0x{content[at]:02x}); save the file as UTF-8"
        ) from None


def named_file(reference: str) -> Path:
    """Return the path that a text names: names of files are UTF-8, whatever the locale says.

    Raises UsageError for what no file can be called.
    """
    try:
        return Path(os.fsdecode(reference.encode("utf-8", "surrogateescape")))
    except UnicodeError:
        raise UsageError(f"{reference}: there is no such file") from None


def file_reference(path: str) -> str:
    """Return the text that names a path in a file: ``named_file`` gives the path again."""
    try:
        return os.fsencode(path).decode("utf-8", "surrogateescape")
    except UnicodeError:  # it is no path of this system
        return path


def python_text(path: str) -> str:
    """Return the text of a Python file; raises EncodingError if it is, or says it is, no UTF-8."""
    text = decoded(Path(path).read_bytes(), near(path))
    for number, line in enumerate(text.split("\n", 2)[:2], 1):
        found = _DECLARED.match(line)
        if found and found[1].lower().replace("_", "-") not in _UTF8:
            raise EncodingError(
                f"{near(path)}:{number}: it declares the encoding {found[1]}; "
                "models are UTF-8: save the file so, and leave the declaration out"
            )
    return text


def has_text(path: str, text: str) -> bool:
    """Tell whether a Python file can be read and has just this text."""
    try:
        return python_text(path) == text
    except (OSError, EncodingError):
        return False


class TextLoader(importlib.machinery.SourceFileLoader):
    """Loads a module from its ``text``; bytecode is neither read nor written."""

    text = ""

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the text, which is read now; docstrings and assertions stay in it."""
        self.text = python_text(self.path)
        _executed[self.path] = self.text
        code: CodeType = compile(self.text, self.path, "exec", dont_inherit=True, optimize=0)
        return code

    def get_source(self, fullname: str) -> str:
        """Return the text that was executed."""
        return self.text

    def is_current(self) -> bool:
        """Tell whether the file still has the text that was executed."""
        return has_text(self.path, self.text)


def text_of(module_globals: dict[str, Any]) -> str:
    """Return the text that the module with these globals was executed from, if it is known."""
    loader = module_globals.get("__loader__")
    return loader.text if isinstance(loader, TextLoader) else ""


def executed_text(file: str) -> str:
    """Return the text that a file had when it was last executed, or nothing."""
    return _executed.get(file, "")


def source_text(function: FunctionType) -> str:
    """Return the text of a function's file: as it was executed, where that is known."""
    file = function.__code__.co_filename
    text = text_of(function.__globals__)
    if not text:
        linecache.checkcache(file)
        text = "".join(linecache.getlines(file, function.__globals__))
    return text


def docstring_of(function: FunctionType) -> str | None:
    """Return a function's docstring as its text has it, where bytecode comes without."""
    line = function.__code__.co_firstlineno
    for node in ast.walk(ast.parse(source_text(function))):
        if isinstance(node, ast.FunctionDef) and node.name == function.__name__:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if first == line:
                return ast.get_docstring(node, clean=False)
    return None


class _Finder(importlib.abc.MetaPathFinder):
    """Finds what Python would find, and has an author's modules loaded from their text.

    What Python would not find is looked for beside the model, in ``folder``.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        beside = self.folder if spec is None and path is None else None
        if beside is not None:
            spec = importlib.machinery.PathFinder.find_spec(fullname, [str(beside)], target)
        if spec is None:
            return None
        if beside is not None:
            _beside[fullname] = beside
        plain = type(spec.loader) is importlib.machinery.SourceFileLoader
        if not plain or not spec.origin:
            return None if beside is None else spec
        shipped = fullname.startswith(f"{SHIPPED}.")
        if not shipped and (fullname.split(".")[0] == "fencecheck" or not is_authors(spec.origin)):
            return None
        spec.loader = TextLoader(fullname, spec.origin)
        return spec


@functools.cache
def _libraries() -> tuple[str, ...]:
    """Return the folders of Python's library, of installed packages and of fencecheck itself."""
    paths = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    paths += [*site.getsitepackages(), site.getusersitepackages()]
    return tuple({str(Path(path).resolve()) for path in paths if path})


@functools.cache
def _core() -> str:
    return str(Path(__file__).resolve().parents[2])


def is_authors(file: str) -> bool:
    """Tell whether a file is of a model: no library's, and not of fencecheck but its models."""
    return file in _executed or _is_no_library(file)


@functools.cache
def _is_no_library(file: str) -> bool:
    if file.startswith("<"):
        return False
    path = Path(file).resolve()
    if path.is_relative_to(_core()):
        return path.is_relative_to(Path(_core()) / "models")
    return not any(path.is_relative_to(folder) for folder in _libraries())


def is_of_library(file: str) -> bool:
    """Tell whether a file is of the parts that ship: what is wrong there its user said."""
    models = sys.modules.get(SHIPPED)
    folders = [] if models is None else models.__path__
    return any(Path(file).is_relative_to(Path(folder) / "library") for folder in folders)


def near(file: str) -> str:
    """Return a file's path from the current folder, if it is below it."""
    try:
        return _from(file, os.getcwd())
    except OSError:
        return file


@functools.cache
def _from(file: str, folder: str) -> str:
    path = Path(file)
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else file


@contextlib.contextmanager
def from_text(folder: Path | None = None) -> Iterator[None]:
    """Load from their text all modules of authors that are imported meanwhile.

    Those in ``folder`` are found too. What they print goes to stderr: stdout is for results.
    """
    finder = _Finder(folder)
    sys.meta_path.insert(0, finder)
    try:
        with stdout_aside():
            yield
    finally:
        sys.meta_path.remove(finder)


def execute_module(path: Path) -> ModuleType:
    """Return the module that a file's text makes, under a name that depends on its path only."""
    name = f"fencecheck_model_{hashlib.sha256(os.fsencode(path)).hexdigest()[:16]}"
    loader = TextLoader(name, str(path))
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    _leave_other_folders(path.parent)
    try:
        with from_text(path.parent):
            loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _leave_other_folders(folder: Path) -> None:
    """Drop what was imported from beside other models: the same name means another file here."""
    for name, place in list(_beside.items()):
        if place != folder:
            del _beside[name]
            for known in [m for m in sys.modules if m == name or m.startswith(f"{name}.")]:
                loader = getattr(sys.modules.pop(known), "__loader__", None)
                _put_aside.extend([loader] if isinstance(loader, TextLoader) else [])


def loaded() -> dict[str, TextLoader]:
    """Return the loaders of all modules by name that came from text and do not ship."""
    found = {}
    for name, module in list(sys.modules.items()):
        loader = getattr(module, "__loader__", None)
        if isinstance(loader, TextLoader) and not name.startswith(f"{SHIPPED}."):
            found[name] = loader
    return found


def texts_of_model(file: str) -> dict[str, str]:
    """Return by path the texts that a model's file, and what it may have imported, came from."""
    folder = Path(file).parent
    found = {p: text for p, text in _executed.items() if Path(p).is_relative_to(folder)}
    return found | {loader.path: loader.text for loader in loaded().values()}


def forget_changed(*, always: bool = False) -> bool:
    """Drop the modules that came from text if one of them changed, or ``always``; tell whether."""
    found = loaded()
    if not always and all(loader.is_current() for loader in (*found.values(), *_put_aside)):
        return False
    _put_aside.clear()
    for name in found:
        del sys.modules[name]
    importlib.invalidate_caches()
    return True
