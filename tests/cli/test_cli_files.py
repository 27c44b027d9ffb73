"""Files that are written: marked, replaced as a whole, and nobody else's is overwritten."""

import json
import struct
import zlib

import pytest

from fencecheck.cli.files import check_folder, is_ours, slug, write
from fencecheck.errors import UsageError
from fencecheck.report.words.taken import TakenNames

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + bytes(13) + bytes(4) + b"rest"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.svg", b"<svg></svg>\n"),
        ("a.png", PNG),
        ("a.pdf", b"%PDF-1.7\n%%EOF\n"),
        ("a.dot", b"digraph {}\n"),
        ("a.mmd", b"sequenceDiagram\n"),
        ("a.txt", b"specs/x.toml: a\n"),
        ("a.md", b"<!-- fencecheck/markdown/1 -->\n\n# a\n"),
        ("a.html", b'<!DOCTYPE html>\n<meta name="generator" content="fencecheck/page/1">\n'),
        ("a.json", b'{\n "schema": "fencecheck/trace/1"\n}\n'),
        ("a.csv", b"spec,model,variant,kind,property,required\n"),
        ("a.xml", b'<?xml version="1.0"?>\n<testsuites name="fencecheck"/>\n'),
    ],
)
def test_every_format_is_known_again_and_only_with_its_mark(tmp_path, name, content):
    path = write(tmp_path / name, content)
    assert is_ours(path)
    write(path, content)
    path.write_bytes(b"somebody else's")
    with pytest.raises(UsageError, match="did not write this file"):
        write(path, content)
    assert path.read_bytes() == b"somebody else's"


def test_the_mark_of_a_png_is_a_chunk_that_readers_can_check(tmp_path):
    content = write(tmp_path / "a.png", PNG).read_bytes()
    start = 8 + 25
    (length,) = struct.unpack(">I", content[start : start + 4])
    body = content[start + 4 : start + 8 + length]
    assert body.startswith(b"tEXtSoftware\0fencecheck/")
    assert struct.unpack(">I", content[start + 8 + length :][:4]) == (zlib.crc32(body),)
    assert content.endswith(b"rest")


def test_an_empty_file_and_a_folder_are_not_ours(tmp_path):
    (tmp_path / "a.svg").write_bytes(b"")
    (tmp_path / "b.svg").mkdir()
    for name in ("a.svg", "b.svg"):
        with pytest.raises(UsageError):
            write(tmp_path / name, b"<svg/>")


def test_nothing_is_left_of_a_write_that_fails(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match="cannot be written"):
        write(tmp_path / "file" / "a.svg", b"<svg/>")
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_a_written_file_has_the_permissions_of_any_other(tmp_path):
    (tmp_path / "other").write_text("x")
    path = write(tmp_path / "a.dot", b"digraph {}")
    assert path.stat().st_mode == (tmp_path / "other").stat().st_mode
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.dot", "other"]


def test_a_folder_that_is_a_file_is_refused_and_none_is_made(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match="is a file"):
        check_folder(tmp_path / "file" / "deeper")
    check_folder(tmp_path / "new" / "deeper")
    assert not (tmp_path / "new").exists()


def test_names_are_plain_and_each_is_given_once():
    names = TakenNames()
    assert [names.take(slug(t)) for t in ("No fence!", "no  fence", "no-fence", "...")] == [
        "no-fence",
        "no-fence-2",
        "no-fence-3",
        "unnamed",
    ]


@pytest.mark.parametrize("command", ["check", "compare", "draw"])
def test_an_out_that_is_a_file_exits_2_before_anything_runs(run, bare, command):
    result = run(command, "bare.toml", "--out", "jobs.py")
    assert result.exit_code == 2
    assert "jobs.py is a file, not a folder" in result.stderr
    assert result.stdout == ""


def test_somebodys_file_keeps_its_place_and_the_exit_code_says_so(run, bare, tmp_path):
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "results.txt").write_text("my notes\n")
    result = run("check", "bare.toml", "--out", "reports")
    assert result.exit_code == 2
    assert "reports/results.txt: fencecheck did not write this file" in result.stderr
    assert (tmp_path / "reports" / "results.txt").read_text() == "my notes\n"
    assert "violated      one_run" in result.stdout


@pytest.mark.parametrize("form", ["text", "json", "markdown", "csv", "junit"])
def test_a_second_run_replaces_the_files_of_the_first(run, bare, form):
    args = ("check", "bare.toml", "--format", form, "--out", "reports")
    assert run(*args).exit_code == 1
    assert run(*args).exit_code == 1


def test_saved_results_name_models_by_paths_that_move_with_their_folder(run, queue, tmp_path):
    """A folder of results beside its model can be moved, and each trace in it replays there."""
    run("check", "jobs.toml", "--format", "json", "--out", "results")
    saved = json.loads((tmp_path / "results" / "results.json").read_text("utf-8"))
    assert saved["model"] == "../jobs.py"
    traces = [f["trace"] for v in saved["variants"] for f in v["properties"] if f["trace"]]
    assert {trace["model"] for trace in traces} == {"../jobs.py"}
    moved = tmp_path / "elsewhere"
    (moved / "results").mkdir(parents=True)
    (tmp_path / "jobs.py").rename(moved / "jobs.py")
    for number, trace in enumerate(traces):
        (moved / "results" / f"{number}.json").write_text(json.dumps(trace), "utf-8")
        assert run("replay", f"elsewhere/results/{number}.json").exit_code == 0
