"""Chromium for the tests that look at pages: where it is, the mark of tests that need it, and how it is started."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_CHROMIUM = shutil.which("chromium")
# A browser that asks for nothing but the page: any other request would look like one of the page's own.
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

needs_browser = pytest.mark.skipif(
    _CHROMIUM is None, reason="chromium is not installed (Debian: apt-get install chromium)"
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium, and end it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=_CHROMIUM, args=_FLAGS)
        try:
            yield running
        finally:
            running.close()
