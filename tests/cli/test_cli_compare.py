"""``fencecheck compare``: the table, the diagrams beside it, and the tour that ships."""

import json
from pathlib import Path

GOLDEN = """\
jobs.toml: Two workers and one job
model jobs.py; bounds: workers 2, crashes 1

                             one  no
                             run  stuck
───────────────────────────────────────
look, then take              ✗ 6  ✗ 3
take at once                 ✓    ✗ 2
take at once, with a reaper  ✓    ✓

✓       holds within these bounds
✗ n     violated; a shortest event order has n events

                             search    distinct  transitions  depth
                                       states
───────────────────────────────────────────────────────────────────
look, then take              complete  24        36           6
take at once                 complete   5         6           2
take at once, with a reaper  complete   9        11           5

6 verdicts, each as expected
"""


def test_the_table_of_a_small_spec(run, queue):
    result = run("compare", "jobs.toml", "--quiet")
    assert result.exit_code == 0
    assert result.stdout == GOLDEN
    assert result.stderr == ""


def test_each_cell_that_breaks_has_its_files_and_they_are_named(run, queue, tmp_path):
    result = run("compare", "jobs.toml")
    written = sorted(p.name for p in (tmp_path / "reports" / "jobs").iterdir())
    assert written == sorted(
        f"{cell}.{ending}"
        for cell in ("look-then-take.one_run", "look-then-take.no_stuck", "take-at-once.no_stuck")
        for ending in ("svg", "png", "dot", "json")
    )
    assert "reports/jobs/look-then-take.one_run.{svg,png,dot,json}" in result.stderr


def test_specs_of_the_same_name_get_folders_of_their_own(run, queue, tmp_path):
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / "jobs.toml"
    other.write_text(queue.read_text().replace('"jobs.py"', '"../jobs.py"'))
    assert run("compare", "jobs.toml", "other/jobs.toml").exit_code == 0
    assert {p.name for p in (tmp_path / "reports").iterdir()} == {"jobs", "jobs-2"}


def test_a_model_is_named_from_the_current_folder(run, queue, tmp_path):
    (tmp_path / "other").mkdir()
    for name in ("a.toml", "b.toml"):
        (tmp_path / "other" / name).write_text('model = "../jobs.py"\n')
    lines = run("compare", "other").stdout.splitlines()
    assert "jobs.py: 2 specs side by side" in lines
    assert "model jobs.py; bounds: workers 2" in lines


def test_a_cut_search_exits_3_and_no_cell_is_a_pass(run, sound):
    result = run("compare", "sound.toml", "--max-states", 5)
    assert result.exit_code == 3
    assert "undet." in result.stdout
    assert "✓" not in result.stdout
    assert "holds" not in result.stdout


def test_other_formats_stay_alone_on_stdout(run, queue):
    told = json.loads(run("compare", "jobs.toml", "--format", "json").stdout)
    assert len(told["variants"]) == 3


def test_without_a_renderer_the_traces_and_dot_are_written(run, bare, tmp_path, monkeypatch):
    from fencecheck.report.picture import render

    monkeypatch.setattr(render, "_find_system", lambda: None)
    monkeypatch.setattr(render, "_find_pure", lambda: None)
    result = run("compare", "bare.toml")
    assert result.exit_code == 1
    assert "no pictures: no renderer" in result.stderr
    assert {p.suffix for p in (tmp_path / "reports" / "bare").iterdir()} == {".dot", ".json"}


def test_without_a_spec_it_runs_the_tour(run, tmp_path):
    result = run("compare", "--property", "no_lost_update", "--property", "fresh_apply")
    assert result.exit_code == 0
    assert "each as expected" in result.stdout
    drawn = {p.name for p in (tmp_path / "reports" / "tour").glob("*.svg")}
    assert {"no-fence.no_lost_update.svg", "as-printed.no_lost_update.svg"} <= drawn
    assert all(Path("reports/tour", name).stat().st_size for name in drawn)


def beside(tmp_path: Path, name: str, title: str, bounds: str) -> None:
    """Write a second spec of family fence, with one design."""
    (tmp_path / name).write_text(
        f'model = "fence"\ntitle = "{title}"\n[bounds]\n{bounds}\n'
        '[properties]\nrequire = ["no_lost_update"]\n'
    )


def test_specs_of_one_model_and_equal_bounds_share_a_table(run, tmp_path):
    beside(tmp_path, "a.toml", "Ours", "edits = 1")
    beside(tmp_path, "b.toml", "Theirs", "edits = 1")
    result = run("compare", "a.toml", "b.toml", "--set", "journal=none", "--quiet")
    heads = [line for line in result.stdout.splitlines() if line.startswith("fence: ")]
    assert heads == ["fence: 2 specs side by side"]
    rows = [line.split() for line in result.stdout.splitlines() if line[:2] in ("a ", "b ")]
    assert rows[:2] == [["a", "✓"], ["b", "✓"]]
    assert "designs of" not in result.stdout  # one table says it all


def test_specs_with_other_bounds_have_tables_of_their_own_and_a_last_one_for_all(run, tmp_path):
    beside(tmp_path, "a.toml", "Ours", "edits = 1")
    beside(tmp_path, "b.toml", "Theirs", "edits = 2")
    result = run("compare", ".", "--set", "fence=none", "--set", "precondition=off", "--quiet")
    assert "a.toml: Ours" in result.stdout
    assert "b.toml: Theirs" in result.stdout
    last = result.stdout.split("2 designs of 2 specs")[1]
    assert last.splitlines()[1] == "bounds differ: edits 1 (a), 2 (b)"
    rows = [line.split() for line in last.splitlines() if line[:2] in ("a ", "b ")]
    assert rows == [["a", "no_lost_update", "3"], ["b", "no_lost_update", "3"]]
    assert "holds" not in last


def test_several_specs_say_where_they_differ(run, queue, sound, bare, tmp_path):
    beside(tmp_path, "other.toml", "Another model", "edits = 1")
    sound.write_text(sound.read_text().replace("crashes = 1", "crashes = 0"))
    queue.write_text(queue.read_text() + "bounds = { workers = 3 }\n")
    result = run("compare", ".", "--quiet")
    told = result.stdout.split("6 designs of 4 specs\n")[1].split("\n\n")[0].splitlines()
    assert told == [
        "models differ: jobs (bare, jobs, sound), fence (other)",
        "bounds differ of model jobs: crashes 0 (sound), 1 (bare)",
        "bounds differ from design to design: jobs",
    ]
    assert "models differ: jobs" in run("compare", ".", "--format", "markdown").stdout


def test_a_folder_of_specs_that_agree_is_one_table_whatever_the_format(run, queue, bare):
    queue.unlink()
    for number in range(3):
        bare.with_name(f"copy{number}.toml").write_text(bare.read_text())
    text = run("compare", ".", "--quiet").stdout
    assert text.count("4 specs side by side") == 1
    assert "differ" not in text
    markdown = run("compare", ".", "--quiet", "--format", "markdown").stdout
    assert "| copy2 | **✗ 6** | **✗ 3** |" in markdown
    assert "differ" not in markdown


def test_cut_searches_side_by_side_have_no_pass_word(run, tmp_path):
    beside(tmp_path, "a.toml", "Ours", "edits = 1")
    beside(tmp_path, "b.toml", "Theirs", "edits = 2")
    result = run("compare", ".", "--max-states", 3)
    assert result.exit_code == 3
    for word in ("holds", "pass", "as expected", "✓"):
        assert word not in result.stdout
