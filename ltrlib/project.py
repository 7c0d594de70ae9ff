"""Where things are: the project's own folders, the data sets of this machine, the caches."""

from __future__ import annotations

import os
import re
import sys
from importlib import resources
from pathlib import Path

from ltrlib.errors import UsageError

__all__ = [
    "IN_CHECKOUT",
    "ROOT",
    "cache_dir",
    "chapter_names",
    "data_search_path",
    "mistyped_data_paths",
    "need_checkout",
    "project_data",
    "project_name",
    "project_path",
    "runs_dir",
    "shown_path",
]

ROOT = Path(__file__).resolve().parents[1]
"""The folder that holds ``ltrlib/``; in a checkout also ``data/`` and ``chapters/``."""

IN_CHECKOUT = all(ROOT.joinpath(name).exists() for name in ("pyproject.toml", "data/registry.yml"))
"""Whether this is a checkout (or an unpacked source distribution), and not an installed package."""

_DATA = ROOT / "data" if IN_CHECKOUT else Path(str(resources.files("ltrlib"))) / "_data"


def project_data(*parts: str) -> Path:
    """Path of a file that belongs to the project: under ``data/`` of the checkout, else inside the package.

    Examples
    --------
    >>> project_data("registry.yml").name
    'registry.yml'
    """
    return _DATA.joinpath(*parts)


def project_name(path: Path) -> str | None:
    """The name of a file of the project, the same in a checkout and installed; None for any other file.

    Examples
    --------
    >>> project_name(project_data("registry.yml"))
    'data/registry.yml'
    """
    if path.is_relative_to(_DATA):
        return str(Path("data") / path.relative_to(_DATA))
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else None


def project_path(name: str) -> Path:
    """The file behind a name that :func:`project_name` gave.

    Examples
    --------
    >>> project_path("data/registry.yml") == project_data("registry.yml")
    True
    """
    first, *parts = Path(name).parts
    return project_data(*parts) if first == "data" else ROOT / name


def need_checkout(what: str) -> None:
    """Raise outside a checkout, where there are neither chapters nor a place to keep records.

    Examples
    --------
    >>> need_checkout("recording results")
    """
    if not IN_CHECKOUT:
        raise UsageError(
            f"{what} needs the book's repository, which an installed package does not hold",
            cure="clone the repository, run make setup there, and call .venv/bin/ltrlib from its folder",
        )


def data_search_path() -> tuple[Path, ...]:
    """Folders that may hold data sets, in the order in which they are searched.

    ``LTRLIB_DATA`` (a path list, like ``PATH``) comes first, then ``data/raw/`` of the checkout; installed, ``raw`` in
    ltrlib's folder among the user's data (``XDG_DATA_HOME``).

    Examples
    --------
    >>> data_search_path()[-1].parts[-2:]
    ('data', 'raw')
    """
    own = project_data("raw") if IN_CHECKOUT else _user_folder() / "raw"
    return (*_named_data_paths(), own)


def _named_data_paths() -> tuple[Path, ...]:
    named = os.environ.get("LTRLIB_DATA", "").split(os.pathsep)
    return tuple(Path(path).expanduser().resolve() for path in named if path)


def _user_folder() -> Path:
    if named := os.environ.get("XDG_DATA_HOME"):
        return Path(named).expanduser() / "ltrlib"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", "~")).expanduser() / "ltrlib"
    if sys.platform == "darwin":
        return Path("~/Library/Application Support/ltrlib").expanduser()
    return Path("~/.local/share/ltrlib").expanduser()


def mistyped_data_paths() -> list[str]:
    """What is wrong with ``LTRLIB_DATA``: a sentence for each folder in it that cannot be looked into.

    Examples
    --------
    >>> mistyped_data_paths()
    []
    """
    return [
        f"LTRLIB_DATA names {path}, which {'is not a folder' if path.exists() else 'does not exist'}"
        for path in _named_data_paths()
        if not path.is_dir()
    ]


def runs_dir() -> Path:
    """Where sweeps keep their points unless told otherwise: in the checkout, else where the user is.

    Examples
    --------
    >>> runs_dir().name
    'runs'
    """
    return (ROOT if IN_CHECKOUT else Path.cwd()) / "runs"


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
    return project_name(path) or str(path)
