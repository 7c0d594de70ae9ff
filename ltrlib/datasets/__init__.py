"""Data sets: one container, readers, a registry, look-up, stand-ins.

The names below are imported when they are first used, so that a chapter depends on what it really needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ltrlib.extras import load_module

if TYPE_CHECKING:
    from ltrlib.datasets.container import RankingData, Source, concatenate
    from ltrlib.datasets.letor import read_letor, read_with_query_sizes, write_letor
    from ltrlib.datasets.loading import find, is_here, load
    from ltrlib.datasets.registry import dataset, names

__all__ = [
    "RankingData",
    "Source",
    "concatenate",
    "dataset",
    "find",
    "is_here",
    "load",
    "names",
    "read_letor",
    "read_with_query_sizes",
    "write_letor",
]

_HOME = {
    "RankingData": "container",
    "Source": "container",
    "concatenate": "container",
    "dataset": "registry",
    "find": "loading",
    "is_here": "loading",
    "load": "loading",
    "names": "registry",
    "read_letor": "letor",
    "read_with_query_sizes": "letor",
    "write_letor": "letor",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(load_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
