"""Keeps tests apart: what one of them reads must not count as a dependency of the next."""

from __future__ import annotations

import sys

import pytest

from ltrlib.records.observed import Notes


@pytest.fixture(autouse=True)
def nothing_noted_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin every test and doctest with no data set and no file noted."""
    monkeypatch.setattr("ltrlib.records.observed._everything", Notes())


@pytest.fixture(autouse=True)
def no_shell() -> None:
    """Begin without IPython's shell, which shows things in another way once any library has started it."""
    if (module := sys.modules.get("IPython.core.interactiveshell")) is not None:
        module.InteractiveShell.clear_instance()
