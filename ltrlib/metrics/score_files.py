"""Score files: one number per line, RankLib's ``-score`` output, or a NumPy array."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.lines import Lines, read_lines, shown
from ltrlib.errors import DataFormatError

__all__ = ["ScoreFile", "read_score_file"]

_RANKLIB = 3  # columns: query, place in the query, score


@dataclass(frozen=True, eq=False)
class ScoreFile:
    """Scores in the order of the documents.

    Parameters
    ----------
    scores
        One per document.
    queries
        Ids and sizes of the queries, where the file tells them (RankLib's do).

    Examples
    --------
    >>> ScoreFile(np.array([0.5])).queries is None
    True
    """

    scores: NDArray[np.float64]
    queries: list[tuple[str, int]] | None = None


def read_score_file(path: str | PathLike[str]) -> ScoreFile:
    r"""Read scores; the first line tells whether RankLib wrote them.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "scores.txt").write_text("7\t0\t0.5\n7\t1\t-2\n")
    ...     read_score_file(Path(folder, "scores.txt"))
    ScoreFile(scores=array([ 0.5, -2. ]), queries=[('7', 2)])
    """
    if fspath(path).endswith(".npy"):
        return ScoreFile(_read_array(path))
    scores: Any = array("d")
    queries: list[tuple[bytes, int]] | None = None
    for block in read_lines(path):
        if block.first == 1:
            queries = [] if len(block.lines[0].split()) == _RANKLIB else None
        if queries is None:
            scores.extend(_plain(block))
        else:
            scores.extend(_ranklib(block, queries))
    found = np.frombuffer(scores, np.float64) if scores else np.empty(0)
    if queries is None:
        return ScoreFile(found)
    return ScoreFile(found, [(query.decode(errors="backslashreplace"), size) for query, size in queries])


def _plain(block: Lines) -> Any:
    tokens = block.lines if block.text else []
    return _numbers(block, tokens)


def _numbers(block: Lines, tokens: list[bytes]) -> Any:
    try:
        numbers: Any = array("d", map(float, tokens))
        # Python reads 1_000 as a number; in a score file it is a slip.
        usable = b"_" not in b" ".join(tokens) and not np.isnan(np.frombuffer(numbers or array("d", [0.0]))).any()
    except ValueError:
        usable = False
    if usable:
        return numbers
    for place, token in enumerate(tokens):
        token = token.strip()
        try:
            score = float(token) if b"_" not in token else None
        except ValueError:
            score = None
        if score is None:
            block.refuse(place, f"{shown(token)} is not a score", "write a number")
        if score != score:
            block.refuse(place, "the score is NaN, which has no place in an order")
    raise AssertionError("no score was wrong")


def _ranklib(block: Lines, queries: list[tuple[bytes, int]]) -> Any:
    tokens = []
    for place, line in enumerate(block.lines):
        row = line.split()
        if len(row) != _RANKLIB:
            block.refuse(place, f"{len(row)} columns", "write query, place and score, as RankLib -score does")
        query, index, score = row
        if not queries or query != queries[-1][0] or index == b"0":
            queries.append((query, 0))
        if index != str(queries[-1][1]).encode():
            what = f"place {shown(index)} of query {shown(query)}, where {queries[-1][1]} should follow"
            block.refuse(place, what, "keep the lines as RankLib -score wrote them")
        queries[-1] = (query, queries[-1][1] + 1)
        tokens.append(score)
    return _numbers(block, tokens)


def _read_array(path: str | PathLike[str]) -> NDArray[np.float64]:
    try:
        found = np.load(path, allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise DataFormatError(f"not a NumPy array of numbers ({error})", where=fspath(path)) from None
    if not isinstance(found, np.ndarray) or found.ndim != 1 or found.dtype.kind not in "iuf":
        raise DataFormatError("one row of numbers is wanted", where=fspath(path))
    if np.isnan(found).any():
        what = f"score {int(np.flatnonzero(np.isnan(found))[0]) + 1} is NaN, which has no place in an order"
        raise DataFormatError(what, where=fspath(path))
    return np.ascontiguousarray(found, dtype=np.float64)
