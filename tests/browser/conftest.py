"""What the tests in the browser share: Chromium, pages that watch for errors, the tour's page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import fencecheck as fc

NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium without a window and without network; where there is none, the tests fail."""
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.fail("no browser: looked for chromium on PATH; apt-get install chromium")
    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND"]
        chromium = playwright.chromium.launch(executable_path=found, args=options)
        yield chromium
        chromium.close()


class Visit:
    """One open page: what it logged and what it asked for is kept, and must be nothing."""

    def __init__(self, browser: Any, path: Path, place: str = "", **context: Any) -> None:
        self.context = browser.new_context(**context)
        self.page = self.context.new_page()
        self.heard: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.heard.append(message.text))
        self.page.on("pageerror", lambda error: self.heard.append(str(error)))
        self.page.on("dialog", lambda dialog: self.heard.append(dialog.message))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(f"{path.as_uri()}{place}")

    def close(self) -> None:
        """Close the page; fails where anything was logged, or loaded beside the file itself."""
        self.context.close()
        assert self.heard == []
        assert [url for url in self.asked if not url.startswith(("file:", "data:"))] == []
        assert len({url.partition("#")[0] for url in self.asked if url.startswith("file:")}) == 1


@pytest.fixture
def visit(browser: Any) -> Iterator[Any]:
    """Return a function that opens a page and closes it after the test."""
    visits: list[Visit] = []

    def opened(path: Path, place: str = "", **context: Any) -> Any:
        visits.append(Visit(browser, path, place, **context))
        return visits[-1].page

    yield opened
    for one in visits:
        one.close()


@pytest.fixture(scope="session")
def tour() -> fc.CheckResult:
    """The comparison that ships."""
    return fc.compare()


@pytest.fixture(scope="session")
def tour_page(tour: fc.CheckResult, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the tour, as a file."""
    path: Path = tmp_path_factory.mktemp("pages") / "tour.html"
    path.write_text(tour.to_html(), "utf-8")
    return path
