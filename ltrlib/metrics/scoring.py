"""Score files of any size: some whole queries at a time, with the same bits as all at once.

A query's value depends on its own documents alone, and a mean is the exactly rounded sum of the values. So memory goes
to one batch of documents and to one number per query and metric, not to the file. Judgments in TREC format are kept, at
some 30 bytes per line; the run beside them is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.letor.outline import IdMissingError
from ltrlib.datasets.letor.streams import STANDARD_INPUT
from ltrlib.datasets.trec import QueryApartError, read_run_batches, read_run_table
from ltrlib.datasets.trec_table import TrecTable, text
from ltrlib.errors import DataFormatError, UsageError
from ltrlib.metrics.engine import evaluate
from ltrlib.metrics.files import put_beside
from ltrlib.metrics.inputs import read_document_batches
from ltrlib.metrics.machine_code import use_kept_code
from ltrlib.metrics.metric import Metric
from ltrlib.metrics.score_files import ScoreReader

__all__ = ["BATCH_ROWS", "DocumentFiles", "Plan", "Scored", "score_documents", "score_run"]

BATCH_ROWS = 1 << 18
"""Documents that are scored at a time: some 20 MB, and enough that the work around them does not count."""

Values = dict[str, dict[Metric, NDArray[np.float64]]]


@dataclass(frozen=True)
class Plan:
    """What to compute.

    Parameters
    ----------
    wanted
        Metrics by tool.
    lenient
        Whether a tool that cannot score the input is left out; otherwise it is an error.
    rows
        About how many documents to score at a time; None for all at once.

    Examples
    --------
    >>> from ltrlib.metrics.notation import parse
    >>> Plan({"ltrlib": (parse("map"),), "trec_eval": (parse("map:trec_eval"),)}).with_ids
    True
    """

    wanted: Mapping[str, tuple[Metric, ...]]
    lenient: bool = False
    rows: int | None = BATCH_ROWS

    @property
    def with_ids(self) -> bool:
        """Whether a metric breaks ties by document id."""
        return any(metric.ties.startswith("docid") for metrics in self.wanted.values() for metric in metrics)


@dataclass(eq=False)
class Scored:
    """Values of rankings, query by query.

    Parameters
    ----------
    query_ids
        In the order of the values.
    values
        By ranking, tool and metric.
    left_out
        Tools that could not score the input, and why.
    found
        Which queries a run holds; None if all.
    ignored
        Queries of a run that nobody judged.
    unjudged
        Number of documents of a run without a judgment.
    """

    query_ids: list[str]
    values: dict[str, Values]
    left_out: dict[str, str] = field(default_factory=dict)
    found: NDArray[np.bool_] | None = None
    ignored: list[str] = field(default_factory=list)
    unjudged: int = 0

    @property
    def missing(self) -> int:
        """Number of judged queries that the run does not have.

        Examples
        --------
        >>> Scored(["a", "b"], {}, found=np.array([True, False])).missing
        1
        """
        return 0 if self.found is None else int(np.count_nonzero(~self.found))


@dataclass(frozen=True)
class DocumentFiles:
    """Labelled documents and their rankings.

    Parameters
    ----------
    data
        The file with the labels.
    scores
        Score files by name of the ranking; none if the data hold the scores.
    query_sizes, column_description, columns
        As for :func:`~ltrlib.metrics.inputs.read_documents`.

    Examples
    --------
    >>> DocumentFiles("test.txt", {"mine": "mine.txt"}).data
    'test.txt'
    """

    data: str
    scores: Mapping[str, str]
    query_sizes: str | None = None
    column_description: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)


class _Tally:
    """Values of one ranking, gathered batch by batch."""

    def __init__(self, plan: Plan, left_out: dict[str, str]) -> None:
        self._plan = plan
        self._left_out = left_out
        self._values: dict[str, list[dict[Metric, NDArray[np.float64]]]] = {tool: [] for tool in plan.wanted}
        self._rows = 0

    def add(self, labels: NDArray[np.int32], scores: NDArray[np.float64], **others: Any) -> None:
        self._rows += labels.size
        use_kept_code(rows=self._rows)
        for tool, metrics in self._plan.wanted.items():
            if tool in self._left_out:
                continue
            try:
                found = evaluate(metrics, labels, scores, **others)
            except UsageError as error:
                if not self._plan.lenient:
                    raise UsageError(error.what, where=error.where or tool, cure=error.cure) from error
                self._left_out[tool] = error.what
                continue
            self._values[tool].append({metric: values.per_query for metric, values in found.items()})

    def values(self) -> Values:
        return {
            tool: {metric: np.concatenate([part[metric] for part in parts]) for metric in self._plan.wanted[tool]}
            for tool, parts in self._values.items()
            if tool not in self._left_out
        }


def score_documents(files: DocumentFiles, plan: Plan) -> Scored:
    r"""Score rankings of labelled documents.

    Examples
    --------
    >>> import tempfile
    >>> from ltrlib.metrics.notation import parse
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     data, scores = Path(folder, "test.txt"), Path(folder, "scores.txt")
    ...     _ = data.write_text("0 qid:1\n1 qid:1\n1 qid:2\n"), scores.write_text("0.5\n0.1\n0.7\n")
    ...     found = score_documents(DocumentFiles(str(data), {"mine": str(scores)}), Plan({"own": (parse("mrr"),)}))
    >>> found.values["mine"]["own"][parse("mrr")]
    array([0.5, 1. ])
    """
    rows = plan.rows if _can_be_read_twice(files.data, *files.scores.values()) else None
    try:
        return _score_documents(files, plan, rows, with_ids=plan.with_ids)
    except IdMissingError:
        return _score_documents(files, plan, rows, with_ids=False)


def _score_documents(files: DocumentFiles, plan: Plan, rows: int | None, *, with_ids: bool) -> Scored:
    readers = {name: ScoreReader(file) for name, file in files.scores.items()}
    left_out: dict[str, str] = {}
    tallies = {name: _Tally(plan, left_out) for name in readers or (files.data,)}
    query_ids: list[str] = []
    batches = read_document_batches(
        files.data,
        rows=rows,
        query_sizes=files.query_sizes,
        column_description=files.column_description,
        columns=files.columns,
        with_ids=with_ids,
    )
    before = 0
    for documents in batches:
        for name, tally in tallies.items():
            scores = documents.scores
            if name in readers:
                part = readers[name].take(documents.labels.size)
                if part.scores.size < documents.labels.size:
                    total = before + documents.labels.size + sum(rest.labels.size for rest in batches)
                    _refuse_counts(files, name, before + part.scores.size, total)
                scores = documents.in_order(part, files.scores[name])
            if scores is None:
                cure = "give --scores, or a table with a column of scores"
                raise UsageError("it is not clear what to score", cure=cure)
            doc_ids = documents.doc_ids(scores)
            tally.add(documents.labels, scores, query_offsets=documents.query_offsets, doc_ids=doc_ids)
        query_ids += documents.query_ids
        before += documents.labels.size
    for name, reader in readers.items():
        if rest := reader.take(None).scores.size:
            _refuse_counts(files, name, before + rest, before)
    return Scored(query_ids, {name: tally.values() for name, tally in tallies.items()}, left_out)


def _refuse_counts(files: DocumentFiles, name: str, scores: int, documents: int) -> None:
    raise DataFormatError(
        f"{scores:,} scores, but {files.data} has {documents:,} documents",
        where=files.scores[name],
        cure="give one score per line, in the order of the documents",
    )


def score_run(qrels: TrecTable, run: str, plan: Plan) -> Scored:
    r"""Score a run by its judgments; the queries are the judged ones, in their order.

    Examples
    --------
    >>> import tempfile
    >>> from ltrlib.metrics.notation import parse
    >>> qrels = TrecTable({b"7": 0, b"8": 1}, [b"a", b"b"], np.array([0, 1, 2]), np.array([1, 1]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = Path(folder, "run")
    ...     _ = run.write_text("7 Q0 b 1 0.5 mine\n7 Q0 a 2 0.4 mine\n")
    ...     found = score_run(qrels, str(run), Plan({"own": (parse("mrr"),)}))
    >>> found.query_ids, found.found, found.unjudged
    (['7', '8'], array([ True, False]), 1)
    """
    if plan.rows is not None and _can_be_read_twice(run):
        try:
            return _score_run(qrels, run, read_run_batches(run, plan.rows), plan)
        except QueryApartError:
            pass
    return _score_run(qrels, run, iter([read_run_table(run)]), plan)


def _score_run(qrels: TrecTable, run: str, batches: Iterator[TrecTable], plan: Plan) -> Scored:
    left_out: dict[str, str] = {}
    tally = _Tally(plan, left_out)
    places: list[int] = []
    ignored: list[str] = []
    unjudged = 0

    def add(queries: Sequence[bytes], table: TrecTable) -> int:
        both = put_beside(qrels.only(queries), table)
        tally.add(
            both.labels,
            both.scores,
            query_offsets=both.query_offsets,
            doc_ids=both.id_order,
            judged=both.judged,
            unjudged=both.not_judged,
        )
        places.extend(qrels.queries[query] for query in queries)
        return both.unjudged

    for table in batches:
        known = [query for query in table.queries if query in qrels.queries]
        ignored += [text(query) for query in table.queries if query not in qrels.queries]
        if known:
            unjudged += add(known, table)
    found = np.zeros(len(qrels.queries), dtype=np.bool_)
    found[places] = True
    missing = [query for query, place in qrels.queries.items() if not found[place]]
    if missing:
        add(missing, TrecTable({}, [], np.zeros(1, np.int64), np.empty(0)))
    back = np.argsort(np.array(places))
    values = {
        tool: {metric: each[back] for metric, each in metrics.items()} for tool, metrics in tally.values().items()
    }
    return Scored([text(query) for query in qrels.queries], {run: values}, left_out, found, ignored, unjudged)


def _can_be_read_twice(*files: str) -> bool:
    return all(file != STANDARD_INPUT and Path(file).is_file() for file in files)
