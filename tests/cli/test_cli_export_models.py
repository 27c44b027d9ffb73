"""``fencecheck export --to``: a folder for each variant, and what is refused."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("language", "files"), [("murphi", {"model.m"}), ("promela", {"model.pml", "model.h"})]
)
def test_each_variant_has_a_folder_with_a_readme(run, queue, tmp_path, language, files):
    """What must come out stands in it, and the command that runs it."""
    for _ in range(2):  # the second time the files are fencecheck's own
        result = run("export", "jobs.toml", "--to", language)
        assert result.exit_code == 0
    folders = [tmp_path / line for line in result.stdout.splitlines()]
    assert len(folders) > 1
    for folder in folders:
        assert {path.name for path in folder.iterdir()} == {"README.md", *files}
        readme = (folder / "README.md").read_text()
        assert "- must come out: " in readme
        assert "    cc " in readme


def test_one_variant_is_written_alone(run, queue, tmp_path):
    """--variant names it."""
    result = run("export", "jobs.toml", "--to", "murphi", "--variant", "take at once")
    assert result.stdout == "reports/jobs/take-at-once.murphi\n"
    assert [path.name for path in (tmp_path / "reports/jobs").iterdir()] == ["take-at-once.murphi"]


def test_a_search_that_is_cut_says_that_nothing_is_known(run, bare, tmp_path):
    """No count of a search that was cut stands in the model."""
    result = run("export", "bare.toml", "--to", "murphi", "--limit", 3)
    assert result.exit_code == 0
    (readme,) = tmp_path.glob("reports/bare/*/README.md")
    assert "what must come out is not known" in readme.read_text()
    assert "must come out: " not in readme.read_text()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--depth", 2), "--depth: it is for graphs"),
        (("--out", "-"), "--out -: a model is several files; name a folder"),
        (("--variant", "take it"), "--variant take it: is not one of"),
    ],
)
def test_what_makes_no_sense_for_a_model_exits_2(run, queue, more, said):
    """The option is named, and what to do instead."""
    result = run("export", "jobs.toml", "--to", "murphi", *more)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_name_of_quotes_and_breaks_gives_files_that_parse(run, queue, tmp_path):
    """A variant may be called anything: its name ends no comment, no string and no path."""
    name = 'a "b" */ c\\n../-- {d}'
    (tmp_path / "odd.toml").write_text(
        f"model = 'jobs.py'\n[[variant]]\nname = '''{name}\n// next'''\n"
    )
    for language, file in (("murphi", "model.m"), ("promela", "model.pml")):
        result = run("export", "odd.toml", "--to", language)
        assert result.exit_code == 0
        text = (tmp_path / result.stdout.strip() / file).read_text()
        (title,) = [line for line in text.splitlines() if "odd: a " in line]
        assert title.startswith("-- " if language == "murphi" else " * ")
        assert "next" in title
        assert not any(mark in title[3:] for mark in ("--", "*/", "//", '"', "\\", "{"))


def test_a_module_has_a_configuration_for_each_violated_property(run, queue, tmp_path):
    """What holds stands together; the files are fencecheck's own the second time."""
    for _ in range(2):
        result = run("export", "jobs.toml", "--to", "tla")
        assert result.exit_code == 0, result.stderr
    for folder in (tmp_path / line for line in result.stdout.splitlines()):
        assert {"README.md", "Model.tla", "Model.cfg"} <= {p.name for p in folder.iterdir()}
        readme = (folder / "README.md").read_text()
        violated = [line for line in readme.splitlines() if line.startswith("- violated: ")]
        own = {p.name for p in folder.glob("*.cfg")} - {"Model.cfg", "Fair.cfg"}
        assert len(own) == sum(line.count(" by ") for line in violated)
        assert "tlc2.TLC" in readme


def test_a_jar_that_is_not_there_exits_2(run, queue):
    """The path is named."""
    result = run("crosscheck", "jobs.toml", "--with", "tlc", "--tlc", "none.jar")
    assert result.exit_code == 2
    assert "none.jar" in result.stderr
