"""Score files of methods, folds and seeds, found by a pattern; and attributes of queries, by which they are grouped."""

from __future__ import annotations

import csv
import glob
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.lines import read_lines
from ltrlib.errors import DataFormatError, MissingDataError, UsageError
from ltrlib.metrics.case import Case, case_of_documents, case_of_run
from ltrlib.metrics.comparing_runs import Fold
from ltrlib.metrics.metric import Metric
from ltrlib.metrics.parts import natural_order

__all__ = ["Runs", "expand", "read_attribute", "read_runs", "segments"]

_NAMES = ("fold", "seed")
_KINDS = 6  # a numeric attribute with more values than these is cut into quarters
_ID_COLUMNS = ("qid", "query", "query_id", "id")


def expand(pattern: str) -> dict[tuple[str, str], Path]:
    """Files that a pattern such as ``runs/fold{fold}/seed{seed}.txt`` names, by fold and seed.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("a1x.txt", "a2x.txt", "b.txt"):
    ...         Path(folder, name).touch()
    ...     list(expand(f"{folder}/a{{seed}}x.txt"))
    [('', '1'), ('', '2')]
    """
    if "\0" in pattern:
        raise UsageError("a file name cannot hold a null character", where=repr(pattern))
    unknown = [name for name in re.findall(r"\{(\w*)\}", pattern) if name not in _NAMES]
    if unknown:
        raise UsageError(f"{{{unknown[0]}}} is not known", where=pattern, cure="write {fold} and {seed}")
    shape, wild, seen = "", "", set()
    for part in re.split(r"(\{fold\}|\{seed\})", pattern):
        name = part[1:-1]
        if part in ("{fold}", "{seed}"):
            shape += f"(?P={name})" if name in seen else f"(?P<{name}>[^/]+)"
            wild += "*"
            seen.add(name)
        else:
            shape += re.escape(part)
            wild += glob.escape(part)
    found: dict[tuple[str, str], Path] = {}
    for path in sorted(glob.glob(wild)):  # noqa: PTH207 (a whole path, absolute or not)
        match = re.fullmatch(shape, path)
        if match and Path(path).is_file():
            groups = match.groupdict()
            found[groups.get("fold", ""), groups.get("seed", "")] = Path(path)
    if not found:
        raise MissingDataError(
            "no file has such a name", where=pattern, cure="put the pattern in quotes; check the path"
        )
    return dict(sorted(found.items(), key=lambda item: tuple(map(natural_order, item[0]))))


@dataclass(frozen=True, eq=False)
class Runs:
    """Values of methods over folds and seeds.

    Parameters
    ----------
    values
        For each metric and method, a matrix per fold: a row per seed, a column per query.
    query_ids
        Of each fold.
    folds
        Their names.
    seeds
        Names of the seeds of each method, fold by fold.
    files
        Every file that was read.
    """

    values: Mapping[Metric, Mapping[str, Sequence[Fold]]]
    query_ids: Sequence[Sequence[str]]
    folds: Sequence[str]
    seeds: Mapping[str, Sequence[Sequence[str]]]
    files: Sequence[Path]

    @property
    def n_queries(self) -> int:
        """Number of queries that count."""
        return sum(map(len, self.query_ids))

    @property
    def repeated(self) -> int:
        """Number of query ids that stand in more than one fold."""
        return self.n_queries - len({name for fold in self.query_ids for name in fold})


def read_runs(judgments: str, methods: Mapping[str, str], metrics: Sequence[Metric], *, trec: bool = False) -> Runs:
    """Read and score every run of every method.

    Parameters
    ----------
    judgments
        Pattern of the LETOR files with the labels (or of qrels), with ``{fold}`` where there are several.
    methods
        Pattern of each method's score files (or TREC runs), with ``{fold}`` and ``{seed}``.
    metrics
        What to compute.
    trec
        Whether the files are qrels and runs.
    """
    if "{seed}" in judgments:
        raise UsageError("labels have no seed", where=judgments, cure="write {fold} only")
    labelled = {fold: path for (fold, _), path in expand(judgments).items()}
    files = list(labelled.values())
    found = {name: expand(pattern) for name, pattern in methods.items()}
    for name, runs in found.items():
        folds = {fold for fold, _ in runs}
        if folds != set(labelled):
            odd = ", ".join(sorted(folds ^ set(labelled))) or "none"
            raise UsageError(
                f"{name} and the labels do not have the same folds (they differ in {odd})",
                where=methods[name],
                cure="give labels and scores of the same folds",
            )
    values: dict[Metric, dict[str, list[Fold]]] = {metric: {name: [] for name in methods} for metric in metrics}
    query_ids: list[tuple[str, ...]] = []
    seeds: dict[str, list[list[str]]] = {name: [] for name in methods}
    for fold, labels in labelled.items():
        reader = _Reader(labels, trec=trec, with_ids=any(metric.ties.startswith("docid") for metric in metrics))
        of_fold: dict[Metric, dict[str, NDArray[np.float64]]] = {metric: {} for metric in metrics}
        for name, runs in found.items():
            mine = {seed: path for (place, seed), path in runs.items() if place == fold}
            files += mine.values()
            seeds[name].append(list(mine))
            rows = [reader.case(path).values(metrics) for path in mine.values()]
            for metric in metrics:
                of_fold[metric][name] = np.vstack([row[metric] for row in rows])
        # A query that any metric leaves out for any method would not be paired.
        counted = ~np.any([np.isnan(matrix).any(axis=0) for row in of_fold.values() for matrix in row.values()], axis=0)
        if counted.any():
            query_ids.append(tuple(name for name, kept in zip(reader.query_ids, counted.tolist(), strict=True) if kept))
            for metric, row in of_fold.items():
                for name, matrix in row.items():
                    values[metric][name].append(matrix[:, counted])
    if not query_ids:
        raise UsageError("no query counts for all methods", where=judgments)
    return Runs(values, query_ids, list(labelled), seeds, files)


class _Reader:
    """Reads the labels of a fold once, and then any number of rankings."""

    def __init__(self, labels: Path, *, trec: bool, with_ids: bool) -> None:
        from ltrlib.datasets.trec import read_qrels_table
        from ltrlib.datasets.trec_table import text
        from ltrlib.metrics.inputs import read_documents

        self._qrels = read_qrels_table(labels) if trec else None
        self._documents = None if trec else read_documents(labels, with_ids=with_ids)
        if self._documents is not None:
            self.query_ids = self._documents.query_ids
        elif self._qrels is not None:
            self.query_ids = [text(query) for query in self._qrels.queries]

    def case(self, path: Path) -> Case:
        from ltrlib.datasets.trec import read_run_table
        from ltrlib.metrics.files import judge

        if self._documents is not None:
            return case_of_documents(self._documents, self._documents.read_scores(path))
        assert self._qrels is not None  # one of the two was read
        return case_of_run(judge(self._qrels, read_run_table(path)))


def read_attribute(written: str) -> tuple[str, dict[str, str], Path]:
    r"""Read an attribute of queries from a CSV file with a header: ``FILE`` or ``FILE:COLUMN``.

    Returns
    -------
    tuple
        Its name, its values by query id, and the file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.csv").write_text("qid,length,kind\n1,20,x\n2,8,y\n")
    ...     read_attribute(f"{folder}/a.csv:kind")[:2]
    ('kind', {'1': 'x', '2': 'y'})
    """
    file, _, column = (written, "", "") if Path(written).exists() else written.rpartition(":")
    path = Path(file or written)
    if not path.is_file():
        raise MissingDataError("there is no such file", where=path, cure="write FILE.csv or FILE.csv:COLUMN")
    values: dict[str, str] = {}
    with _named(path):
        reader = csv.reader(
            f"{line.decode(errors='replace')}\n"
            for block in read_lines(path)
            for line in (block.lines if block.text else [])
        )
        header = [name.strip() for name in next(reader, [])]
        if len(header) < 2:
            raise DataFormatError("a header with two columns is needed", where=path, cure="write qid,NAME")
        named = next((header.index(name) for name in _ID_COLUMNS if name in header), 0)
        if column and column not in header:
            raise UsageError(f"there is no column {column!r}", where=path, cure=f"choose {', '.join(header)}")
        wanted = header.index(column) if column else next(n for n in range(len(header)) if n != named)
        for number, row in enumerate(reader, start=2):
            if not row:
                continue
            if len(row) != len(header):
                raise DataFormatError(f"{len(row)} columns, but the header has {len(header)}", where=f"{path}:{number}")
            if values.setdefault(row[named].strip(), row[wanted].strip()) != row[wanted].strip():
                raise DataFormatError(f"query {row[named]} has two values", where=f"{path}:{number}")
    return header[wanted], values, path


@contextmanager
def _named(path: Path) -> Iterator[None]:
    try:
        yield
    except csv.Error as error:
        raise DataFormatError(f"this is no CSV file: {error}", where=path) from None


def segments(values: Mapping[str, str], query_ids: Sequence[Sequence[str]]) -> dict[str, list[NDArray[np.bool_]]]:
    """Which queries of each fold are of each kind; numbers with many values are cut into quarters.

    Examples
    --------
    >>> segments({"1": "x", "2": "y"}, [["1", "2"], ["3"]])
    {'x': [array([ True, False]), array([False])], 'y': [array([False,  True]), array([False])], \
'no value': [array([False, False]), array([ True])]}
    """
    given = [values.get(name, "") for fold in query_ids for name in fold]
    if not any(given):
        raise UsageError("no query has a value of this attribute", cure="check the query ids in the file")
    kinds = {value: value or "no value" for value in given}
    try:
        numbers = {value: float(value) for value in kinds if value}
    except ValueError:
        numbers = {}
    order = sorted(numbers, key=numbers.__getitem__) if numbers else sorted(value for value in kinds if value)
    if len(numbers) > _KINDS:
        edges = np.quantile([numbers[value] for value in given if value], [0.25, 0.5, 0.75])
        quarter = {value: int(np.searchsorted(edges, number)) for value, number in numbers.items()}
        for value in numbers:
            alike = [numbers[other] for other in numbers if quarter[other] == quarter[value]]
            kinds[value] = f"{min(alike):g} to {max(alike):g}"
    names = list(dict.fromkeys(kinds[value] for value in [*order, *([""] if "" in kinds else [])]))
    return {
        name: [np.array([kinds[values.get(query, "")] == name for query in fold]) for fold in query_ids]
        for name in names
    }
