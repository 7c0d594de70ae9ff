"""The words that a claim judges: which sentence of the paper, or which cells of its tables.

A sentence is named by a few of its words and by a hash of the whole, so that nobody has to take our rendering for the
paper's and no sentence is copied. ``ltrlib claims words PAPER "few words"`` finds it in the text and prints both. The
texts of the papers are not part of the project: they are looked for in ``LTRLIB_PAPERS``, then in ``shared/papers``
beside the project's folder or beside one above it.
"""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

from ltrlib.errors import ClaimError
from ltrlib.project import ROOT

__all__ = ["Sentence", "TableCells", "Words", "digest", "find_sentences", "paper_texts", "sentences", "texts_of"]

_MOST_WORDS = 12
_DIGEST = re.compile(r"[0-9a-f]{12}")


@dataclass(frozen=True)
class Sentence:
    """A sentence of a paper.

    Parameters
    ----------
    text
        Which text: the name of its file without ending, such as ``tax2015-preprint``.
    section
        Where it stands.
    words
        The few words of it that matter, at most a dozen, as they stand there.
    digest
        Hash of the whole sentence; ``ltrlib claims words`` prints it.

    Examples
    --------
    >>> str(Sentence("tax2015-journal", "Section 4.1", "all other algorithms on one dataset", "0123456789ab"))
    'Section 4.1: “all other algorithms on one dataset”'
    """

    text: str
    section: str
    words: str
    digest: str

    def __post_init__(self) -> None:
        if not 0 < len(self.words.split()) <= _MOST_WORDS:
            raise ClaimError(f"{self.words!r} are not one to {_MOST_WORDS} words", cure="name those that matter")
        if not _DIGEST.fullmatch(self.digest):
            raise ClaimError(f"not the hash of a sentence: {self.digest!r}", cure="ltrlib claims words prints it")

    def __str__(self) -> str:
        return f"{self.section}: “{self.words}”"


@dataclass(frozen=True)
class TableCells:
    """Cells of a table in ``data/published/``.

    Parameters
    ----------
    table
        Its name there, such as ``table1``.
    row, column
        Which; all of them if not given.
    paper
        Whose table, if it is another publication's: a claim whose words are all elsewhere judges no sentence of its
        paper (:attr:`ltrlib.claims.claim.Claim.judges`).

    Examples
    --------
    >>> str(TableCells("table1", column="mq2008_ndcg"))
    'table1, all rows, mq2008_ndcg'
    >>> str(TableCells("baselines", paper="letor4"))
    'letor4: baselines, all rows, all columns'
    """

    table: str
    row: str | None = None
    column: str | None = None
    paper: str | None = None

    def __str__(self) -> str:
        whose = "" if self.paper is None else f"{self.paper}: "
        return f"{whose}{self.table}, {self.row or 'all rows'}, {self.column or 'all columns'}"


Words: TypeAlias = Sentence | TableCells


def paper_texts() -> Path | None:
    """The folder with the texts of the papers, if there is one."""
    named = os.environ.get("LTRLIB_PAPERS")
    places = [Path(named)] if named else [folder / "shared" / "papers" for folder in ROOT.parents]
    return next((place for place in places if place.is_dir()), None)


def texts_of(paper: str) -> list[str]:
    """Names of the texts of a paper: all whose name begins with its key, hyphens aside; or the one so called.

    Examples
    --------
    >>> texts_of("no-such-paper")
    []
    """
    folder = paper_texts()
    known = sorted(path.stem for path in folder.glob("*.txt")) if folder else []
    return [name for name in known if name == paper] or [name for name in known if _key(name).startswith(_key(paper))]


@cache
def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text, with hyphenation, line ends and ligatures undone."""
    folder = paper_texts()
    if folder is None or not (folder / f"{text}.txt").is_file():
        raise ClaimError(f"the text {text} is not here", cure="set LTRLIB_PAPERS to the folder with the papers' texts")
    raw = unicodedata.normalize("NFKC", (folder / f"{text}.txt").read_text(encoding="utf-8", errors="replace"))
    joined = re.sub(r"(?<=\w)[-\u00ad\u2010]\s*\n\s*(?=[a-z])", "", raw)
    # A blank line ends a sentence only where the next line may begin one: pages end inside sentences.
    flat = " ".join(re.sub(r"\n\s*\n(?=\s*[A-Z0-9•])", " ¶ ", joined).split())
    parts, begin = [], 0
    for end in _ENDS.finditer(flat):
        if not _ABBREVIATED.search(flat[begin : end.start() + 1]):
            parts.append(flat[begin : end.start() + 1])
            begin = end.end()
    return tuple(part.strip(" ¶") for part in [*parts, flat[begin:]] if _key(part))


_ENDS = re.compile(r"[.!?](?:\s+(?=[A-Z“\"(\[])|\s*¶)|(?<=\s)¶")
_ABBREVIATED = re.compile(r"(?:\b(?:al|e\.g|i\.e|cf|vs|Figs?|Eqs?|Secs?|Sect|resp|approx|[A-Z])\.)$")


def find_sentences(text: str, words: str) -> list[str]:
    """The sentences of a text that contain some words, whatever their spaces, hyphens and case."""
    wanted = _key(words)
    return [sentence for sentence in sentences(text) if wanted in _key(sentence)]


def digest(sentence: str) -> str:
    r"""Hash of a sentence: of its letters and digits only, so that spaces, hyphens and dashes do not count.

    Examples
    --------
    >>> digest("A low-\nlevel ﬁt.") == digest("a low level fit") == digest("A LOWLEVEL FIT")
    True
    """
    return hashlib.sha256(_key(sentence).encode()).hexdigest()[:12]


def _key(text: str) -> str:
    return "".join(character for character in unicodedata.normalize("NFKC", text).casefold() if character.isalnum())
