"""A headless Chromium that opens pages from disk and tells what went wrong there."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

NAMES = ("chromium", "chromium-browser", "google-chrome")


@dataclass
class Opened:
    """A page, and its `troubles`: errors, refused scripts, dialogs, requests that leave it."""

    page: "Page"
    troubles: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        page, note = self.page, self.troubles.append
        page.on("console", lambda message: note(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: note(str(error)))
        page.on("dialog", self._dialog)
        page.on("request", self._request)

    def _dialog(self, dialog: Any) -> None:
        self.troubles.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _request(self, request: Any) -> None:
        if not request.url.startswith(("file:", "blob:", "data:")):
            self.troubles.append(f"request: {request.url}")


def chromium() -> str | None:
    """The browser to use: `RAG_ASSAY_CHROMIUM`, or one on the path; None: there is none."""
    wanted = os.environ.get("RAG_ASSAY_CHROMIUM")
    return wanted or next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def browsing(**context: Any) -> Iterator[Opened]:
    """An empty page of a browser without a network, closed in the end."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        made = browser.new_context(offline=True, **context)
        yield Opened(made.new_page())
        browser.close()
