"""All claims, found where they are declared: in the modules ``claims*`` of the rooms.

A paper's rooms hold its own. What compares a paper with more than itself stands in a room of ``across``, in a module
``claims_<paper>``.
"""

from __future__ import annotations

import importlib
import pkgutil
from difflib import get_close_matches
from functools import cache

from ltrlib.claims.claim import Claim, ClaimList
from ltrlib.errors import ClaimError
from ltrlib.project import chapter_names

__all__ = ["claim", "claims", "papers"]

_PAPERS, _ACROSS = "ltrlib.papers", "ltrlib.across"


@cache
def papers() -> tuple[str, ...]:
    """Keys of the papers that have rooms, in the order of the book.

    Examples
    --------
    >>> papers()[0]
    'tax2015'
    """
    return tuple(sorted(_rooms(_PAPERS), key=lambda paper: next(iter(chapter_names(paper).values()), paper)))


@cache
def _modules(paper: str) -> tuple[str, ...]:
    """Modules that declare claims of a paper: by the chapters of its rooms, then by name; last those in ``across``."""
    order = list(chapter_names(paper))
    rooms = _rooms(f"{_PAPERS}.{paper}")
    rooms.sort(key=lambda room: (order.index(room) if room in order else len(order), room))
    found = []
    for room in rooms:
        place = f"{_PAPERS}.{paper}.{room}"
        found += [f"{place}.{name}" for name in _names(place) if name.startswith("claims")]
    for room in _rooms(_ACROSS):
        place = f"{_ACROSS}.{room}"
        found += [f"{place}.{name}" for name in _names(place) if name == f"claims_{paper}"]
    return tuple(found)


def _rooms(package: str) -> list[str]:
    place = importlib.import_module(package).__path__
    return sorted(info.name for info in pkgutil.iter_modules(place) if info.ispkg)


def _names(package: str) -> list[str]:
    return sorted(info.name for info in pkgutil.iter_modules(importlib.import_module(package).__path__))


def claims(paper: str | None = None, room: str | None = None) -> list[Claim]:
    """Return the claims of one room, of one paper, or of all papers.

    Parameters
    ----------
    paper
        The paper's key.
    room
        One of its rooms, or a room of ``across``: the claims that its chapter treats.

    Examples
    --------
    >>> {claim.paper for claim in claims("koppel2019")}, {claim.room for claim in claims("koppel2019", "table1")}
    ({'koppel2019'}, {'table1'})
    """
    if paper is not None and paper not in papers():
        raise ClaimError(f"no claims of the paper {paper!r}", cure=f"choose one of {', '.join(papers())}")
    names = papers() if paper is None else (paper,)
    found = [claim for name in names for module in _modules(name) for claim in _of_module(module)]
    return [claim for claim in found if room is None or claim.room == room]


def claim(name: str) -> Claim:
    """Return one claim by id.

    Examples
    --------
    >>> claim("chapelle2011.prizes.total")
    Traceback (most recent call last):
    ...
    ltrlib.errors.ClaimError: no claim is called 'chapelle2011.prizes.total'
      to do: did you mean chapelle2011.prizes.sum?
    """
    paper = name.partition(".")[0]
    known = {one.id: one for one in claims(paper if paper in papers() else None)}
    if name in known:
        return known[name]
    close = get_close_matches(name, known, n=3, cutoff=0.75)
    cure = f"did you mean {' or '.join(close)}?" if close else "ltrlib claims lists all"
    raise ClaimError(f"no claim is called {name!r}", cure=cure)


def _of_module(name: str) -> ClaimList:
    declared: ClaimList = importlib.import_module(name).claims
    return declared
