"""``--format html`` and ``--open``: where the page goes, and that it is opened once."""

import webbrowser
from pathlib import Path

import pytest

from tests.report.pages import Page


@pytest.fixture
def opened(monkeypatch):
    """Return the addresses that a browser was asked to open."""
    addresses: list[str] = []

    def remember(address):
        addresses.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", remember)
    return addresses


@pytest.mark.parametrize("command", ["check", "compare"])
def test_a_page_is_printed_as_every_format_is(run, bare, tmp_path, command):
    """It is the same that --out writes, and exit codes are as ever."""
    result = run(command, "bare.toml", "--format", "html", "--out", "out")
    page = Page(result.stdout)
    assert result.exit_code == run(command, "bare.toml", "--quiet").exit_code == 1
    assert {e.attributes["href"] for e in page.all("a") if "✗" in e.text} == {
        "#bare/one_run",
        "#bare/no_stuck",
    }
    if command == "check":
        assert (tmp_path / "out" / "results.html").read_text("utf-8") == result.stdout


def test_a_page_of_several_specs_has_each_run_once(run, queue, bare):
    """Names of places begin with the spec's."""
    page = Page(run("check", "jobs.toml", "bare.toml", "--format", "html").stdout)
    assert {name.split("/")[0] for name in page.steps} == {"jobs", "bare"}


def test_open_writes_the_page_and_opens_it(run, bare, tmp_path, opened):
    """Beside what is printed; without --out it stands in reports/."""
    result = run("check", "bare.toml", "--open")
    path = tmp_path / "reports" / "results.html"
    assert opened == [path.resolve().as_uri()]
    assert "violated" in result.stdout
    assert "<html" not in result.stdout
    assert "opened reports/results.html" in result.stderr
    assert [p.name for p in path.parent.iterdir()] == ["results.html"]
    assert result.exit_code == 1


def test_a_page_that_is_opened_is_not_printed(run, bare, tmp_path, opened):
    """A terminal full of HTML helps nobody."""
    result = run("compare", "bare.toml", "--format", "html", "--open", "--out", "out")
    assert result.stdout == ""
    assert opened == [(tmp_path / "out" / "results.html").resolve().as_uri()]


def test_without_a_browser_the_page_is_named(run, bare, monkeypatch):
    """The page is written all the same, and that changes no exit code."""
    monkeypatch.setattr(webbrowser, "open", lambda address: False)
    result = run("check", "bare.toml", "--open")
    assert "no browser was found to open reports/results.html" in result.stderr
    assert result.exit_code == 1


def test_open_of_an_explanation(run, bare, tmp_path, opened):
    """Its page has the verdicts, the blocks of the text, and a run for each event order."""
    parts = ("--part", "adversaries", "--part", "orders")
    assert run("explain", "bare.toml", *parts, "--open").exit_code == 1
    path = tmp_path / "reports" / "explanation.html"
    assert opened == [path.resolve().as_uri()]
    page = Page(path.read_text("utf-8"))
    text = run("explain", "bare.toml", *parts).stdout
    said = " ".join(e.text for e in page.by_class("explanation"))
    assert "The least interference that breaks it" in said
    assert [e for e in page.by_class("calls") if e.text in " ".join(text.split())]
    orders = {e.attributes["href"] for order in page.by_class("order") for e in page.all("a")}
    assert {f"#{name}" for name in page.steps} <= orders


def test_open_of_a_drawing_draws_the_page_only(run, bare, tmp_path, opened):
    """Of a saved trace as of a spec; formats that are named are drawn beside it."""
    run("check", "bare.toml", "--format", "json", "--out", "saved")
    (trace,) = (tmp_path / "saved" / "bare").glob("*.one_run.json")
    result = run("draw", trace, "--open", "--out", "out")
    assert result.stdout == f"out/{trace.stem}.html\n"
    assert opened == [(tmp_path / "out" / f"{trace.stem}.html").resolve().as_uri()]
    result = run("draw", trace, "--open", "--format", "mermaid", "--out", "out")
    assert [Path(line).suffix for line in result.stdout.split()] == [".mmd", ".html"]


def test_a_page_on_stdout_cannot_be_opened(run, bare, opened):
    """--open needs a file."""
    result = run("draw", "bare.toml", "--property", "one_run", "--open", "--out", "-")
    assert result.exit_code == 2
    assert "--open" in result.stderr
    assert opened == []


def test_a_page_of_somebody_else_is_left_alone(run, bare, tmp_path, opened):
    """As every file that fencecheck did not write."""
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "results.html").write_text("<p>mine</p>")
    result = run("check", "bare.toml", "--open")
    assert result.exit_code == 2
    assert "did not write this file" in result.stderr
    assert opened == []
