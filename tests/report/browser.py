"""A headless Chromium that opens pages from disk, and tells of errors and requests."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

NAMES = ("chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """The browser to use: `RAG_ASSAY_CHROMIUM`, or one on the path; None: there is none."""
    wanted = os.environ.get("RAG_ASSAY_CHROMIUM")
    return wanted or next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def opened(path: Path, **context: Any) -> Iterator["Page"]:
    """Open a page from disk; `page.troubles` of the context manager lists what went wrong."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page(**context)
        if path.is_file():
            page.goto(path.as_uri())
        yield page
        browser.close()
