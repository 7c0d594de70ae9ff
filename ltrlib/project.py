"""Where things are: the project's own folders, the data sets of this machine, the caches."""

from __future__ import annotations

import os
import re
from pathlib import Path

__all__ = ["ROOT", "cache_dir", "chapter_names", "data_search_path", "project_data", "shown_path"]

ROOT = Path(__file__).resolve().parents[1]
"""The folder that holds ``ltrlib/``, ``data/`` and ``chapters/``."""


def project_data(*parts: str) -> Path:
    """Path of a file that belongs to the project, under ``data/``.

    Examples
    --------
    >>> project_data("registry.yml").name
    'registry.yml'
    """
    return ROOT.joinpath("data", *parts)


def data_search_path() -> tuple[Path, ...]:
    """Folders that may hold data sets, in the order in which they are searched.

    ``LTRLIB_DATA`` (a path list, like ``PATH``) comes first, then ``data/raw/`` of the project.

    Examples
    --------
    >>> data_search_path()[-1].parts[-2:]
    ('data', 'raw')
    """
    named = os.environ.get("LTRLIB_DATA", "").split(os.pathsep)
    return (*(Path(p).expanduser().resolve() for p in named if p), project_data("raw"))


def cache_dir() -> Path:
    """Folder for what can be computed again: ``LTRLIB_CACHE``, else ``ltrlib`` in the user's cache folder.

    Examples
    --------
    >>> isinstance(cache_dir(), Path)
    True
    """
    if named := os.environ.get("LTRLIB_CACHE"):
        return Path(named).expanduser().resolve()
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "ltrlib"


_CHAPTER = re.compile(r"(?P<number>\d+)-(?P<paper>[a-z]+\d{4})-(?P<room>.+)")


def chapter_names(paper: str) -> dict[str, str]:
    """The chapters on a paper in the order of the book: by room, the name of the file without its ending.

    A room is a folder of ``ltrlib/papers/<paper>/``; the chapter ``42-koppel2019-table1`` belongs to the room
    ``table1``. Outside the project's folder there are no chapters.

    Examples
    --------
    >>> chapter_names("koppel2019")["table1"]
    '42-koppel2019-table1'
    """
    found = (_CHAPTER.fullmatch(path.stem) for path in sorted(ROOT.glob("chapters/*.md")))
    return {match["room"]: match.string for match in found if match and match["paper"] == paper}


def shown_path(path: Path) -> str:
    """A path as errors show it: relative to the project when it lies inside.

    Examples
    --------
    >>> shown_path(ROOT / "data" / "registry.yml")
    'data/registry.yml'
    """
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
