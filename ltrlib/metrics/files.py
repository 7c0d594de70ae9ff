"""Score files and TREC files as the engine takes them; a run is put beside its judgments query by query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.trec import read_qrels_table, read_run_table
from ltrlib.datasets.trec_table import TrecTable, text
from ltrlib.errors import UsageError
from ltrlib.metrics.ids import IdOrder, LongListIds
from ltrlib.metrics.score_files import read_score_file

__all__ = ["JudgedRun", "judge", "put_beside", "read_qrels", "read_run", "read_scores"]

_ABSENT = -(2**40)  # no label: the document is not in the judgments


def read_scores(path: str | Path) -> NDArray[np.float64]:
    r"""Read one score per line, or RankLib's ``-score`` output; compressed is fine, and ``-`` is standard input.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "scores.txt")
    ...     _ = file.write_text("0.5\n-2\n")
    ...     read_scores(file)
    array([ 0.5, -2. ])
    """
    return read_score_file(path).scores


def read_qrels(path: str | Path) -> dict[str, dict[str, int]]:
    r"""Read TREC judgments, ``query iteration document label`` per line, as labels by query and document.

    :func:`ltrlib.datasets.trec.read_qrels_table` needs a tenth of the memory.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "qrels").write_text("7 0 doc1 2\n7 0 doc2 0\n")
    ...     read_qrels(Path(folder, "qrels"))
    {'7': {'doc1': 2, 'doc2': 0}}
    """
    return read_qrels_table(path).as_dict()  # type: ignore[return-value]


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
    return read_run_table(path).as_dict()


@dataclass(frozen=True, eq=False)
class JudgedRun:
    """A run beside its judgments, as arrays for :class:`ltrlib.metrics.engine.Evaluator`.

    Every judged query is in it, also one that is missing from the run: that one has no document.

    Parameters
    ----------
    labels, scores, query_offsets, query_ids
        The ranked documents, query by query.
    id_order
        Their ids, for the tie rules that ask.
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
    >>> both = judge({"1": {"a": 1}}, {"1": {"a": 0.5}})
    >>> both.query_ids, both.doc_ids
    (array(['1'], dtype='<U1'), array(['a'], dtype='<U1'))
    """

    labels: NDArray[np.int32]
    scores: NDArray[np.float64]
    id_order: IdOrder
    query_offsets: NDArray[np.int64]
    query_ids: NDArray[np.str_]
    judged: tuple[NDArray[np.int32], NDArray[np.int64]]
    not_judged: NDArray[np.int8]
    unjudged: int
    missing: tuple[str, ...]
    ignored: tuple[str, ...]

    @cached_property
    def doc_ids(self) -> NDArray[np.str_]:
        """Ids of the ranked documents; ``id_order`` needs less room where only ties ask for them."""
        return np.array(self.id_order.texts(), dtype=np.str_)


def judge(
    qrels: Mapping[str, Mapping[str, int]] | TrecTable, run: Mapping[str, Mapping[str, float]] | TrecTable
) -> JudgedRun:
    """Put a run beside its judgments; a negative label says not judged, as in trec_eval.

    Examples
    --------
    >>> both = judge({"1": {"a": 2, "b": 0}, "2": {"a": 1}}, {"1": {"a": 0.5, "c": 0.7}})
    >>> both.labels, both.query_offsets, both.judged[0], both.unjudged, both.missing
    (array([2, 0], dtype=int32), array([0, 2, 2]), array([2, 0, 1], dtype=int32), 1, ('2',))
    """
    judgments = qrels if isinstance(qrels, TrecTable) else _table(qrels, np.int64, "label")
    ranking = run if isinstance(run, TrecTable) else _table(run, np.float64, "score")
    if not judgments.queries.keys() & ranking.queries.keys():
        raise UsageError("no query of the run is judged", cure="give qrels and run of the same queries")
    return put_beside(judgments, ranking)


def put_beside(judgments: TrecTable, ranking: TrecTable) -> JudgedRun:
    """Put a run beside its judgments, as :func:`judge` does, whether or not they have queries in common.

    Examples
    --------
    >>> from ltrlib.datasets.trec_table import TrecTable
    >>> qrels = TrecTable({b"7": 0}, [b"a"], np.array([0, 1]), np.array([1]))
    >>> put_beside(qrels, TrecTable({}, [], np.array([0]), np.empty(0))).missing
    ('7',)
    """
    labels: list[NDArray[np.int64]] = []
    documents: list[bytes] = []
    rows: list[int] = []
    for query, place in judgments.queries.items():
        found = ranking.queries.get(query)
        if found is None:
            documents.append(b"")
            rows.append(0)
            continue
        known = dict(zip(judgments.ids(place), judgments.of(place).tolist(), strict=True))
        ids = ranking.ids(found)
        labels.append(np.fromiter(map(known.get, ids, repeat(_ABSENT)), dtype=np.int64, count=len(ids)))
        documents.append(ranking.documents[found])
        rows.append(len(ids))
    given = np.concatenate(labels) if labels else np.empty(0, np.int64)
    offsets = np.concatenate([[0], np.cumsum(rows)]).astype(np.int64)
    places = [ranking.queries[query] for query in judgments.queries if query in ranking.queries]
    scores = np.asarray(ranking.values, dtype=np.float64)
    if places != list(range(len(ranking.queries))):
        scores = np.concatenate([ranking.of(place) for place in places] or [np.empty(0)]).astype(np.float64)
    kept = judgments.values >= 0
    counts = np.concatenate([[0], np.cumsum(kept)])[judgments.offsets]
    return JudgedRun(
        labels=np.maximum(given, 0).astype(np.int32),
        scores=scores,
        id_order=LongListIds(documents, offsets, scores),
        query_offsets=offsets,
        query_ids=np.array([text(query) for query in judgments.queries], dtype=np.str_),
        judged=(judgments.values[kept].astype(np.int32), counts.astype(np.int64)),
        not_judged=np.where(given == _ABSENT, 1, np.where(given < 0, 2, 0)).astype(np.int8),
        unjudged=int(np.count_nonzero(given == _ABSENT)),
        missing=tuple(text(query) for query in judgments.queries if query not in ranking.queries),
        ignored=tuple(text(query) for query in ranking.queries if query not in judgments.queries),
    )


def _table(given: Mapping[str, Mapping[str, float]], kind: type, what: str) -> TrecTable:
    queries = {str(query).encode(errors="surrogatepass"): place for place, query in enumerate(given)}
    names = [[str(name).encode(errors="surrogatepass") for name in documents] for documents in given.values()]
    for query, ids in zip(given, names, strict=True):
        if any(b"\n" in name for name in ids):
            raise UsageError(f"a document id of query {query!r} holds a line feed")
        if len(set(ids)) < len(given[query]):
            raise UsageError(f"two documents of query {query!r} have the same id once they are written as text")
    if len(queries) < len(given):
        raise UsageError("two queries have the same id once they are written as text")
    try:
        values: NDArray[Any] = np.array(
            [value for documents in given.values() for value in documents.values()], dtype=kind
        )
    except (TypeError, ValueError, OverflowError) as error:
        raise UsageError(f"a {what} is not a number ({error})") from None
    if values.size and (np.isnan(values).any() or (kind is np.int64 and np.abs(values).max() > 2**31 - 1)):
        raise UsageError(f"a {what} is NaN or too large")
    offsets = np.concatenate([[0], np.cumsum([len(ids) for ids in names])]).astype(np.int64)
    return TrecTable(queries, [b"\n".join(ids) for ids in names], offsets, values)
