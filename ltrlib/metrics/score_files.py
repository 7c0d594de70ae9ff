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

__all__ = ["ScoreFile", "ScoreReader", "read_score_file"]

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
    return ScoreReader(path).take(None)


class ScoreReader:
    r"""Scores of a file, some at a time.

    Parameters
    ----------
    path
        The file.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "scores.txt").write_text("0.5\n-2\n3\n")
    ...     reader = ScoreReader(Path(folder, "scores.txt"))
    ...     reader.take(2).scores, reader.take(2).scores
    (array([ 0.5, -2. ]), array([3.]))
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self._array = _read_array(path) if fspath(path).endswith(".npy") else None
        self._blocks = read_lines(path) if self._array is None else iter(())
        self._scores: Any = array("d")
        # Ids and sizes of the queries of these scores, if the file is RankLib's.
        self._queries: list[tuple[bytes, int]] | None = None

    def take(self, count: int | None) -> ScoreFile:
        """Take so many scores, or all that are left; fewer if the file ends."""
        if self._array is not None:
            taken, self._array = self._array[:count], self._array[self._array.size if count is None else count :]
            return ScoreFile(np.ascontiguousarray(taken, dtype=np.float64))
        while count is None or len(self._scores) < count:
            block = next(self._blocks, None)
            if block is None:
                break
            if block.first == 1 and len(block.lines[0].split()) == _RANKLIB:
                self._queries = []
            self._scores.extend(_plain(block) if self._queries is None else _ranklib(block, self._queries))
        if count is None or count >= len(self._scores):
            part, self._scores = self._scores, array("d")
        else:
            part, self._scores = self._scores[:count], self._scores[count:]
        return ScoreFile(np.frombuffer(part, np.float64) if part else np.empty(0), self._take_queries(len(part)))

    def _take_queries(self, count: int) -> list[tuple[str, int]] | None:
        if self._queries is None:
            return None
        taken = []
        whole = 0
        while count and whole < len(self._queries):
            query, size = self._queries[whole]
            part = min(size, count)
            taken.append((query.decode(errors="backslashreplace"), part))
            count -= part
            if part < size:
                self._queries[whole] = (query, size - part)
            else:
                whole += 1
        del self._queries[:whole]
        return taken


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


def _read_array(path: str | PathLike[str]) -> NDArray[Any]:
    try:
        found = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise DataFormatError(f"not a NumPy array of numbers ({error})", where=fspath(path)) from None
    if not isinstance(found, np.ndarray) or found.ndim != 1 or found.dtype.kind not in "iuf":
        raise DataFormatError("one row of numbers is wanted", where=fspath(path))
    if np.isnan(found).any():
        what = f"score {int(np.flatnonzero(np.isnan(found))[0]) + 1} is NaN, which has no place in an order"
        raise DataFormatError(what, where=fspath(path))
    return found
