"""Add a publication's results to the later ones: every row checked, convention and source demanded, all or nothing."""

from __future__ import annotations

import csv
import io
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from ltrlib.across.continued.measures import FIVE_FOLDS, part_of, same_measure
from ltrlib.across.continued.pool import OUR_DATASETS, everything
from ltrlib.across.our_runs.records import CEILINGS
from ltrlib.atomic import new_file
from ltrlib.comparison.reading import read_texts
from ltrlib.comparison.results import KNOWN_METRICS
from ltrlib.errors import DataFormatError, RecordError, UsageError
from ltrlib.published.printed import Printed
from ltrlib.published.tables import Paper, load_paper

__all__ = ["COLUMNS", "FOLDS", "KINDS", "Source", "add_publication"]

COLUMNS = ("method", "dataset", "metric", "fold", "value", "year", "convention")
"""What a file of results must have; ``spread`` may be there too."""

FOLDS = ("1", "2", "3", "4", "5", "mean", "computed", "pooled", "test", "1 validation", "unstated")
"""What a value may be about: a fold's test part, their mean as printed or computed, all queries, the only test part."""

KINDS = ("paper", "paper (picture)", "quoted", "read-me", "documentation", "result file", "log", "discussion")
"""What a source may be."""

_METRIC = re.compile(rf"({'|'.join(KNOWN_METRICS)})(@[1-9][0-9]*)?")
_KEY = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_YEAR = re.compile(r"(19|20)\d\d")


@dataclass(frozen=True)
class Source:
    """Where the results of a file stand.

    Parameters
    ----------
    key
        Short name, lower case: author and year, ``doe2020``.
    publication
        Authors, year and title, or owner and name of a repository.
    place
        The table, file or issue in it.
    kind
        One of `KINDS`.
    commit, note
        The commit of a repository, and what else to know.
    """

    key: str
    publication: str
    place: str
    kind: str
    commit: str = ""
    note: str = ""


def add_publication(
    path: str | Path, source: Source, *, new_datasets: bool = False, folder: Path | None = None, write: bool = True
) -> pd.DataFrame:
    """Check a file of results and append it, with its source, to the later results.

    Parameters
    ----------
    path
        A CSV file with `COLUMNS`; values as printed.
    source
        Where they stand.
    new_datasets
        Whether data sets that nobody has reported on yet are taken; otherwise an unknown name is an error.
    folder
        The folder of the later results, ``data/published/later`` if not given.
    write
        Whether to write; otherwise only check.

    Returns
    -------
    pandas.DataFrame
        The rows that were added, with a column ``joins``: how many other results each can be compared with.
    """
    paper = load_paper("later") if folder is None else load_paper("later", folder.parent)
    home = paper["results"].path.parent
    _check_source(source, paper, home)
    given = read_texts(path, COLUMNS, also=["spread"])
    if given.empty:
        raise DataFormatError("no result behind the header", where=path, cure="give one row per result")
    known = set(paper["results"].wide()["dataset"]) | set(everything()["dataset"])
    for line, row in given.iterrows():
        _check_row({str(name): str(text) for name, text in row.items()}, f"{path}:{line}", paper, known, new_datasets)
    _check_repeats(given, source, paper, path)
    columns = list(paper["results"].header.columns)
    rows = given.assign(source=source.key)[columns]
    ours = source.key, source.publication, source.commit, source.place, source.kind, source.note
    texts = {
        "sources.csv": _appended(home / "sources.csv", [ours]),
        "results.csv": _appended(home / "results.csv", rows.itertuples(index=False, name=None)),
    }
    _try_out(texts, home)
    if write:
        _replace_all(texts, home)
    return rows.assign(joins=[_company(*row) for row in rows[["dataset", "fold", "metric", "convention"]].to_numpy()])


def _check_source(source: Source, paper: Paper, home: Path) -> None:
    sources, where = paper["sources"], home / "sources.csv"
    if not _KEY.fullmatch(source.key):
        raise UsageError(
            f"not a valid key of a source: {source.key!r}", cure="use lower case: author and year, doe2020"
        )
    if source.key in sources.rows:
        raise UsageError(
            f"the source {source.key} is there already",
            where=f"{where}:{sources.lines[source.key]}",
            cure="choose another",
        )
    for name in ("publication", "place", "commit", "note"):
        if (text := getattr(source, name)) != text.encode(errors="replace").decode() or not (text + " ").isprintable():
            raise UsageError(f"the {name} {text!a} holds what cannot be printed", cure="write it as UTF-8 text")
    for name in ("publication", "place"):
        text = getattr(source, name)
        if not text.strip() or text != text.strip():
            raise UsageError(f"the {name} is blank, or begins or ends with a space", cure=f"say --{name}")
    if source.kind not in KINDS:
        raise UsageError(f"there is no kind {source.kind!r} of sources", cure=f"choose {', '.join(KINDS)}")


def _check_row(row: dict[str, str], where: str, paper: Paper, known: set[str], new_datasets: bool) -> None:
    if not row["method"]:
        raise DataFormatError("the method is blank", where=where, cure="name the method as its source does")
    if row["dataset"] not in known and not new_datasets:
        cure = "ltrlib results list names the data sets; --new-datasets takes a name that is not there"
        raise DataFormatError(f"no data set {row['dataset']!r}", where=where, cure=cure)
    if not _METRIC.fullmatch(row["metric"]):
        raise DataFormatError(f"no metric {row['metric']!r}", where=where, cure="write it like NDCG@10, MAP, ERR@10")
    if row["fold"] not in FOLDS:
        raise DataFormatError(f"no fold {row['fold']!r}", where=where, cure=f"choose {', '.join(FOLDS)}")
    if not _YEAR.fullmatch(row["year"]):
        raise DataFormatError(f"no year {row['year']!r}", where=where, cure="write four digits")
    if row["convention"] not in paper["conventions"].rows:
        codes = ", ".join(paper["conventions"].rows)
        raise DataFormatError(
            f"no convention {row['convention']!r}" if row["convention"] else "the convention is blank",
            where=where,
            cure=f"choose {codes}; a new one is a row of data/published/later/conventions.csv",
        )
    try:
        value = Printed.parse(row["value"])
        _ = row["spread"] and Printed.parse(row["spread"])
    except RecordError as error:
        raise DataFormatError(error.what, where=where, cure=error.cure) from None
    if not 0 <= value.exact <= 1:
        raise DataFormatError(f"the value {value} is outside [0, 1]", where=where, cure="write 0.42, not 42 or 42%")
    _check_ceiling(row, value, where)


def _check_ceiling(row: dict[str, str], value: Printed, where: str) -> None:
    keys = {title: key for key, title in OUR_DATASETS.items()}
    for ceiling in CEILINGS.read().table.to_dict("records"):
        if (ceiling["dataset"], ceiling["metric"]) != (keys.get(row["dataset"]), row["metric"]):
            continue
        same = same_measure(row["metric"], row["convention"]) == same_measure(row["metric"], str(ceiling["script"]))
        if same and part_of(row["fold"]) == FIVE_FOLDS and value.bounds.low > ceiling["value"]:
            raise DataFormatError(
                f"{value} is out of reach: a perfect ranking has {row['metric']} {ceiling['value']:.4f} by "
                f"{ceiling['script']}",
                where=where,
                cure="another convention is behind it: find out which tool the source used",
            )


def _check_repeats(given: pd.DataFrame, source: Source, paper: Paper, path: str | Path) -> None:
    cell = ["method", "dataset", "metric", "fold", "convention"]
    repeated = given[given.duplicated(cell)]
    if len(repeated):
        raise DataFormatError(
            "the same method, data set, metric, fold and convention twice",
            where=f"{path}:{repeated.index[0]}",
            cure="keep one row; tell two settings of a method apart by their names",
        )
    table, sources = paper["results"].wide(), paper["sources"]
    theirs = [sources.text(key, "publication") == source.publication for key in table["source"]]
    there = set(table.loc[theirs, cell].itertuples(index=False, name=None))
    for line, values in zip(given.index, given[cell].itertuples(index=False, name=None), strict=True):
        if values in there:
            raise DataFormatError(
                f"{source.publication} has this result already: {', '.join(values)}",
                where=f"{path}:{line}",
                cure="leave the row out",
            )


def _appended(path: Path, rows: object) -> bytes:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(rows)  # type: ignore[arg-type]
    old = path.read_bytes()
    return old + (b"" if old.endswith(b"\n") else b"\n") + buffer.getvalue().encode()


def _try_out(texts: dict[str, bytes], home: Path) -> None:
    """Load the tables as they would be: the schema in paper.yml has the last word."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place, "later")
        shutil.copytree(home, copy)
        for name, text in texts.items():
            (copy / name).write_bytes(text)
        load_paper("later", Path(place))


def _replace_all(texts: dict[str, bytes], home: Path) -> None:
    before = {name: (home / name).read_bytes() for name in texts}
    try:
        for name, text in texts.items():
            with new_file(home / name) as file:
                file.write(text)
    except BaseException:
        for name, text in before.items():
            if (home / name).read_bytes() != text:
                (home / name).write_bytes(text)
        raise


def _company(dataset: str, fold: str, metric: str, convention: str) -> int:
    everyone = everything()
    measure = same_measure(metric, convention)
    same = everyone[everyone["pooled"] & (everyone["dataset"] == dataset) & (everyone["measure"] == measure)]
    return int((same["part"] == part_of(fold)).sum())
