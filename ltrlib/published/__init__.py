"""Published numbers: each as printed, with paper, table, row and column, under ``data/published/``."""

from __future__ import annotations

import importlib
from typing import Any

_HOME = {
    "Printed": "printed",
    "PAPERS": "tables",
    "Paper": "tables",
    "Table": "tables",
    "load_paper": "tables",
    "load_table": "tables",
}

__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
