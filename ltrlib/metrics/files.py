"""Score files (one number per line) and TREC files (qrels and runs), read strictly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ltrlib.errors import DataFormatError, UsageError

__all__ = ["JudgedRun", "judge", "read_qrels", "read_run", "read_scores"]

_ABSENT = -(2**40)  # no label: the document is not in the judgments

Value = TypeVar("Value", int, float)


def read_scores(path: str | Path) -> NDArray[np.float64]:
    r"""Read one score per line.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "scores.txt")
    ...     _ = file.write_text("0.5\n-2\n")
    ...     read_scores(file)
    array([ 0.5, -2. ])
    """
    content = Path(path).read_bytes()
    lines = content.splitlines()
    try:
        scores = np.array(lines, dtype=bytes).astype(np.float64) if lines else np.empty(0)
        # Python reads 1_000 as a number; in a score file it is a slip.
        usable = not np.isnan(scores).any() and b"_" not in content
    except ValueError:
        usable = False
    if not usable:
        for number, line in enumerate(lines, start=1):
            _score(line.decode(errors="replace").strip(), f"{path}:{number}")
    return scores


def _score(text: str, where: str) -> float:
    try:
        score = float(text.replace("_", "?"))
    except ValueError:
        raise DataFormatError(f"{text[:40]!r} is not a score", where=where, cure="write a number") from None
    if score != score:
        raise DataFormatError("the score is NaN, which has no place in an order", where=where)
    return score


def _label(text: str, where: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise DataFormatError(f"the label {text[:40]!r} is not a whole number", where=where) from None


def read_qrels(path: str | Path) -> dict[str, dict[str, int]]:
    r"""Read TREC judgments, ``query iteration document label`` per line, as labels by query and document.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "qrels").write_text("7 0 doc1 2\n7 0 doc2 0\n")
    ...     read_qrels(Path(folder, "qrels"))
    {'7': {'doc1': 2, 'doc2': 0}}
    """
    return _read_trec(path, ("query", "iteration", "document", "label"), 3, _label)


def read_run(path: str | Path) -> dict[str, dict[str, float]]:
    r"""Read a TREC run, ``query Q0 document rank score tag`` per line, as scores by query and document.

    The rank column is not used: tools order by score.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "run").write_text("7 Q0 doc1 1 0.5 mine\n")
    ...     read_run(Path(folder, "run"))
    {'7': {'doc1': 0.5}}
    """
    return _read_trec(path, ("query", "Q0", "document", "rank", "score", "tag"), 4, _score)


def _read_trec(
    path: str | Path, columns: tuple[str, ...], value_column: int, convert: Callable[[str, str], Value]
) -> dict[str, dict[str, Value]]:
    found: dict[str, dict[str, Value]] = {}
    with Path(path).open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, start=1):
            parts = line.split()
            if not parts:
                continue
            where = f"{path}:{number}"
            if len(parts) != len(columns):
                raise DataFormatError(f"{len(parts)} columns", where=where, cure=f"write {' '.join(columns)}")
            documents = found.setdefault(parts[0], {})
            if parts[2] in documents:
                raise DataFormatError(f"document {parts[2]} of query {parts[0]} stands here twice", where=where)
            documents[parts[2]] = convert(parts[value_column], where)
    if not found:
        raise DataFormatError("the file is empty", where=path)
    return found


@dataclass(frozen=True, eq=False)
class JudgedRun:
    """A run beside its judgments, as arrays for :class:`ltrlib.metrics.engine.Evaluator`.

    Every judged query is in it, also one that is missing from the run: that one has no document.

    Parameters
    ----------
    labels, scores, doc_ids, query_offsets, query_ids
        The ranked documents, query by query.
    judged
        Labels and query offsets of all judged documents.
    not_judged
        For each ranked document 0 if it was judged, 1 if not, 2 if the judgments list it as not judged.
    unjudged
        Number of ranked documents without a judgment: they count as not relevant.
    missing
        Judged queries that are missing from the run: each tool has its own rule for them.
    ignored
        Queries of the run that nobody judged: no tool counts them.

    Examples
    --------
    >>> judge({"1": {"a": 1}}, {"1": {"a": 0.5}}).query_ids
    array(['1'], dtype='<U1')
    """

    labels: NDArray[np.int32]
    scores: NDArray[np.float64]
    doc_ids: NDArray[np.str_]
    query_offsets: NDArray[np.int64]
    query_ids: NDArray[np.str_]
    judged: tuple[NDArray[np.int32], NDArray[np.int64]]
    not_judged: NDArray[np.int8]
    unjudged: int
    missing: tuple[str, ...]
    ignored: tuple[str, ...]


def judge(qrels: Mapping[str, Mapping[str, int]], run: Mapping[str, Mapping[str, float]]) -> JudgedRun:
    """Put a run beside its judgments; a negative label says not judged, as in trec_eval.

    Examples
    --------
    >>> both = judge({"1": {"a": 2, "b": 0}, "2": {"a": 1}}, {"1": {"a": 0.5, "c": 0.7}})
    >>> both.labels, both.query_offsets, both.judged[0], both.unjudged, both.missing
    (array([2, 0], dtype=int32), array([0, 2, 2]), array([2, 0, 1], dtype=int32), 1, ('2',))
    """
    if not qrels.keys() & run.keys():
        raise UsageError("no query of the run is judged", cure="give qrels and run of the same queries")
    ranked = [run.get(query, {}) for query in qrels]
    labels = np.array(
        [
            judgments.get(document, _ABSENT)
            for judgments, documents in zip(qrels.values(), ranked, strict=True)
            for document in documents
        ],
        dtype=np.int64,
    )
    judged = [[label for label in judgments.values() if label >= 0] for judgments in qrels.values()]
    return JudgedRun(
        labels=np.maximum(labels, 0).astype(np.int32),
        scores=np.array([score for documents in ranked for score in documents.values()], dtype=np.float64),
        doc_ids=np.array([document for documents in ranked for document in documents], dtype=np.str_),
        query_offsets=_offsets([len(documents) for documents in ranked]),
        query_ids=np.array(list(qrels), dtype=np.str_),
        judged=(
            np.array([label for labels_of_query in judged for label in labels_of_query], dtype=np.int32),
            _offsets([len(labels_of_query) for labels_of_query in judged]),
        ),
        not_judged=np.where(labels == _ABSENT, 1, np.where(labels < 0, 2, 0)).astype(np.int8),
        unjudged=sum(len(documents.keys() - qrels[query].keys()) for query, documents in run.items() if query in qrels),
        missing=tuple(query for query in qrels if query not in run),
        ignored=tuple(query for query in run if query not in qrels),
    )


def _offsets(sizes: list[int]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
