"""Data sets: one container, readers, a registry, look-up, stand-ins.

The names below are imported when they are first used, so that a chapter depends on what it really needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ltrlib.extras import lazy_names

if TYPE_CHECKING:
    from ltrlib.datasets.arrays import from_arrays
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
    "from_arrays",
    "is_here",
    "load",
    "names",
    "read_letor",
    "read_with_query_sizes",
    "write_letor",
]

_HOMES = {
    "arrays": ("from_arrays",),
    "container": (
        "RankingData",
        "Source",
        "concatenate",
    ),
    "letor": (
        "read_letor",
        "read_with_query_sizes",
        "write_letor",
    ),
    "loading": (
        "find",
        "is_here",
        "load",
    ),
    "registry": (
        "dataset",
        "names",
    ),
}

__getattr__ = lazy_names(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
