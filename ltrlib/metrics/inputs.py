"""Labelled documents from any file that rankers and their tools write, as the engine takes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.letor.outline import Outline, read_outline, read_outlines
from ltrlib.datasets.tables import DocumentTable, is_table, read_catboost, read_table
from ltrlib.errors import DataFormatError, UsageError
from ltrlib.metrics.ids import IdOrder, LongListIds
from ltrlib.metrics.score_files import ScoreFile, read_score_file

__all__ = ["LabelledDocuments", "read_document_batches", "read_documents"]

_BESIDE = (".query", ".group")  # what LightGBM and XGBoost look for


@dataclass(frozen=True, eq=False)
class LabelledDocuments:
    """Documents with labels, query by query.

    Parameters
    ----------
    name
        Of the file.
    labels, query_offsets, query_ids
        As for :class:`~ltrlib.metrics.engine.Evaluator`.
    documents
        Per query, the ids of its documents, parted by line feeds, if all have one.
    scores
        Scores of the documents, where the file has them.
    order
        Where the file did not keep the rows of a query together: the row of each document.

    Examples
    --------
    >>> documents = LabelledDocuments("x", np.array([1, 0], np.int32), np.array([0, 2]), ["q"], None)
    >>> documents.doc_ids(np.array([0.5, 0.2])) is None
    True
    """

    name: str
    labels: NDArray[np.int32]
    query_offsets: NDArray[np.int64]
    query_ids: list[str]
    documents: list[bytes] | None
    scores: NDArray[np.float64] | None = None
    order: NDArray[np.int64] | None = None

    def doc_ids(self, scores: NDArray[np.float64]) -> IdOrder | None:
        """Ids for the tie rules that ask; scores tell where that matters."""
        return None if self.documents is None else LongListIds(self.documents, self.query_offsets, scores)

    def read_scores(self, path: str | PathLike[str]) -> NDArray[np.float64]:
        """Read a file of scores in the order of the rows, and bring them into the order of the documents."""
        found = read_score_file(path)
        if found.scores.size != self.labels.size:
            raise DataFormatError(
                f"{found.scores.size:,} scores, but {self.name} has {self.labels.size:,} documents",
                where=fspath(path),
                cure="give one score per line, in the order of the documents",
            )
        return self.in_order(found, path)

    def in_order(self, found: ScoreFile, path: str | PathLike[str]) -> NDArray[np.float64]:
        """Bring the scores of these documents into their order."""
        if found.queries is not None:
            self._check_queries(found.queries, fspath(path))
        return found.scores if self.order is None else found.scores[self.order]

    def _check_queries(self, queries: list[tuple[str, int]], path: str) -> None:
        """RankLib names the query of each score: they must be those of the data."""
        ours = zip(self.query_ids, np.diff(self.query_offsets).tolist(), strict=True)
        for theirs, own in zip(queries, ours, strict=False):
            if theirs != own and self.order is None:
                what = f"query {theirs[0]} with {theirs[1]} scores, where {self.name} has query {own[0]} with {own[1]}"
                raise DataFormatError(what, where=path, cure="score this file, in its order")


def read_documents(
    path: str | PathLike[str],
    *,
    query_sizes: str | PathLike[str] | None = None,
    column_description: str | PathLike[str] | None = None,
    columns: Mapping[str, str] | None = None,
    with_ids: bool = True,
) -> LabelledDocuments:
    r"""Read labels and queries; features are not read.

    Parameters
    ----------
    path
        LETOR text, compressed or not, or ``-``; CSV, TSV, JSON or Parquet by the ending of the name; CatBoost's format
        if there is a column description.
    query_sizes
        LightGBM's ``.query`` or XGBoost's group file, for LETOR text without ``qid``. Without it, such a file is looked
        for beside the data.
    column_description
        CatBoost's ``.cd`` file.
    columns
        Names of the columns of a table, where they are not the usual ones.
    with_ids
        Whether document ids are wanted.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "x.csv").write_text("qid,label,score\na,1,0.5\nb,0,0.1\na,0,0.7\n")
    ...     documents = read_documents(Path(folder, "x.csv"))
    >>> documents.labels, documents.scores, documents.query_ids
    (array([1, 0, 0], dtype=int32), array([0.5, 0.7, 0.1]), ['a', 'b'])
    """
    batches = read_document_batches(
        path,
        rows=None,
        query_sizes=query_sizes,
        column_description=column_description,
        columns=columns,
        with_ids=with_ids,
    )
    (documents,) = batches
    return documents


def read_document_batches(
    path: str | PathLike[str],
    *,
    rows: int | None,
    query_sizes: str | PathLike[str] | None = None,
    column_description: str | PathLike[str] | None = None,
    columns: Mapping[str, str] | None = None,
    with_ids: bool = True,
) -> Iterator[LabelledDocuments]:
    r"""Read labels and queries some whole queries at a time; what is not LETOR text with ``qid`` comes in one piece.

    Parameters
    ----------
    path, query_sizes, column_description, columns, with_ids
        As for :func:`read_documents`.
    rows
        About how many rows to take at a time; all of them if None.

    Raises
    ------
    IdMissingError
        As :func:`~ltrlib.datasets.letor.outline.read_outlines` does.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "x.txt").write_text("1 qid:a\n0 qid:b\n")
    ...     [batch.query_ids for batch in read_document_batches(Path(folder, "x.txt"), rows=1)]
    [['a'], ['b']]
    """
    if column_description is not None:
        yield _from_table(read_catboost(path, column_description))
    elif is_table(path):
        yield _from_table(read_table(path, columns))
    elif columns:
        cure = "name a .csv, .tsv, .json or .parquet"
        raise UsageError("only a table has columns to name", where=fspath(path), cure=cure)
    elif query_sizes is not None:
        yield _from_outline(path, read_outline(path, query_sizes=query_sizes, with_ids=False))
    else:
        given = False
        try:
            for outline in read_outlines(path, with_ids=with_ids, rows=rows):
                yield _from_outline(path, outline)
                given = True
        except DataFormatError as error:
            beside = next((file for end in _BESIDE if (file := Path(fspath(path) + end)).is_file()), None)
            if given or beside is None or not error.what.startswith("no qid"):
                raise
            yield _from_outline(path, read_outline(path, query_sizes=beside, with_ids=False))


def _from_outline(path: str | PathLike[str], outline: Outline) -> LabelledDocuments:
    return LabelledDocuments(fspath(path), outline.labels, outline.query_offsets, outline.query_ids, outline.documents)


def _from_table(table: DocumentTable) -> LabelledDocuments:
    from ltrlib.datasets.arrays import group_rows

    order, offsets, names = group_rows(np.array(table.query_ids, dtype=object))
    rows = np.arange(len(table.labels)) if order is None else order
    labels = np.array(table.labels)
    if labels.dtype.kind not in "iuf" or (labels != np.floor(labels)).any():
        raise DataFormatError("a label is not a whole number", where=table.name)
    if (labels < 0).any():
        what = f"row {int(np.flatnonzero(labels < 0)[0]) + 1}: negative label"
        raise DataFormatError(what, where=table.name, cure="give labels from 0 up")
    if (labels > 2**31 - 1).any():
        raise DataFormatError("a label is too large", where=table.name)
    scores = None
    if table.scores is not None:
        scores = np.array(table.scores, dtype=np.float64)[rows]
        if np.isnan(scores).any():
            raise DataFormatError("a score is NaN, which has no place in an order", where=table.name)
    documents = None
    if table.doc_ids is not None:
        ids = [str(name).replace("\n", " ").encode(errors="surrogatepass") for name in table.doc_ids]
        bounds = zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
        documents = [b"\n".join(ids[row] for row in rows[begin:end].tolist()) for begin, end in bounds]
    queries = [str(name) for name in names]
    return LabelledDocuments(table.name, labels[rows].astype(np.int32), offsets, queries, documents, scores, order)
