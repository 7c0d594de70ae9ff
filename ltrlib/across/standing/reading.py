"""Read a user's results: names of data sets and metrics, conventions, and values that no ranking can have."""

from __future__ import annotations

import re
import textwrap
from difflib import get_close_matches
from functools import cache
from pathlib import Path

import pandas as pd

from ltrlib.across.continued.measures import LETOR, UNSTATED, convention_title, same_measure, written_metric
from ltrlib.across.continued.pool import OUR_DATASETS, b6_convention, everything
from ltrlib.across.our_runs.records import CEILINGS
from ltrlib.comparison.reading import read_results
from ltrlib.comparison.results import encode_results
from ltrlib.errors import DataFormatError, UsageError

__all__ = ["MARK", "canonical_dataset", "dataset_names", "explain_unstated", "read_yours", "refusal"]

MARK = " (yours)"
"""What tells a user's method from one of the same name."""

_LETOR = re.compile(r"letor[234]0")


def canonical_dataset(name: str) -> str:
    """Name of a data set as Table B.6 writes it; case, blanks and hyphens do not matter.

    Examples
    --------
    >>> canonical_dataset("letor 3.0 ohsumed"), canonical_dataset("mq2008"), canonical_dataset("yahoo-set1")
    ('LETOR 3.0 OHSUMED', 'LETOR 4.0 MQ2008', 'Yahoo Set 1')
    >>> canonical_dataset("OHSUMED")
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: there are two data sets 'OHSUMED'
      to do: write LETOR 2.0 OHSUMED or LETOR 3.0 OHSUMED
    >>> canonical_dataset("MQ2009")
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: the book has no results on a data set 'MQ2009', did you mean LETOR 4.0 MQ2008?
      to do: ltrlib results list names the data sets
    """
    short = _plain(name)
    found = dataset_names().get(short, ())
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"there are two data sets {name!r}", cure=f"write {' or '.join(found)}")
    close = get_close_matches(short, list(dataset_names()), n=1)
    guess = f", did you mean {dataset_names()[close[0]][0]}?" if close else ""
    raise UsageError(
        f"the book has no results on a data set {name!r}{guess}", cure="ltrlib results list names the data sets"
    )


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


@cache
def dataset_names() -> dict[str, tuple[str, ...]]:
    """Every data set under each short name that it may be given, in lower case without blanks and hyphens.

    Examples
    --------
    >>> dataset_names()["mq2008"], dataset_names()["web10k"]
    (('LETOR 4.0 MQ2008',), ('MSLR-WEB10K',))
    """
    known: dict[str, set[str]] = {}
    for title in dict.fromkeys(everything()["dataset"]):
        plain = _plain(title)
        for short in {plain, _LETOR.sub("", plain), plain.removeprefix("mslr")}:
            known.setdefault(short, set()).add(title)
    for key, title in OUR_DATASETS.items():
        # The registry's ohsumed is that of LETOR 3.0, but the word alone does not say so.
        known.setdefault(_plain(key), {title})
    return {short: tuple(sorted(titles)) for short, titles in known.items()}


def read_yours(path: str | Path, *, convention: str | None = None) -> pd.DataFrame:
    r"""Read and check a user's results.

    Parameters
    ----------
    path
        A CSV file with the columns method, dataset, metric, value; a column ``convention`` names the tool that made a
        value, and so does ``NDCG@10:ranklib`` in the column metric.
    convention
        The tool where the file names none. Without it, results on LETOR count as made by LETOR's tool.

    Returns
    -------
    pandas.DataFrame
        Method (marked as the user's), dataset and metric as the book writes them, value, convention and measure; the
        index holds the line numbers. Rows without a value are left out.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "mine.csv")
    >>> _ = file.write_text("method,dataset,metric,value\nMine,MQ2008,NDCG@10,0.51\n")
    >>> read_yours(file)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ltrlib.errors.DataFormatError: ...mine.csv:2: 0.51 is out of reach: a perfect ranking of mq2008 has...
    >>> read_yours(file, convention="ranklib")[["dataset", "measure"]].values.tolist()
    [['LETOR 4.0 MQ2008', 'ndcg@10']]
    """
    given = read_results(path, also=["convention"])
    if given["value"].isna().all():
        raise DataFormatError("no result behind the header", where=path, cure="give one row per result")
    if "convention" not in given:
        given["convention"] = ""
    rows = []
    for line, method, dataset, metric, value, tool in given.itertuples(name=None):
        try:
            place = canonical_dataset(dataset)
            name, _, suffix = metric.partition(":")
            written = written_metric(name)
            made_by = _one_convention(tool, suffix) or convention or b6_convention(place)
            measure = same_measure(written, made_by)
        except UsageError as error:
            raise DataFormatError(error.what, where=f"{path}:{line}", cure=error.cure) from None
        rows.append((f"{method}{MARK}" if method else "", place, written, value, made_by, measure))
    columns = ["method", "dataset", "metric", "value", "convention", "measure"]
    table = pd.DataFrame(rows, columns=columns, index=given.index)
    encode_results(table, source=path)
    _check_ceilings(table, path)
    return table[table["value"].notna()]


def _one_convention(column: str, suffix: str) -> str:
    if column and suffix and column != suffix:
        raise UsageError(f"the metric says {suffix}, the column convention {column}", cure="name one tool")
    return column or suffix


def _check_ceilings(table: pd.DataFrame, path: str | Path) -> None:
    """Refuse a value that no ranking can have under the collection's script: another convention is behind it."""
    keys = {title: key for key, title in OUR_DATASETS.items()}
    ceilings = {(row["dataset"], row["metric"]): row for row in CEILINGS.read().table.to_dict("records")}
    for line, _, dataset, metric, value, _, measure in table.itertuples(name=None):
        ceiling = ceilings.get((keys.get(dataset, ""), metric))
        if ceiling is None or measure != same_measure(metric, str(ceiling["script"])):
            continue
        script, highest = ceiling["script"], float(ceiling["value"])
        # Half a unit of the fourth decimal, as results are printed.
        if value > highest + 0.00005:
            raise DataFormatError(
                f"{value} is out of reach: a perfect ranking of {keys[dataset]} has {metric} {highest:.4f} by {script}",
                where=f"{path}:{line}",
                cure=(
                    "another tool made this number. If you have the ranking, score it again: ltrlib eval with "
                    f"{metric.lower()}:{script}. If you have only the number, name its tool (--convention ranklib, or "
                    "a column convention): it is then placed among the book's own runs under that tool"
                ),
            )


def refusal(dataset: str, metric: str, value: float, *, path: str = "mine.csv", width: int = 100) -> str:
    """Say what a user reads who gives a value that the data set's own tool cannot give; blank if it can.

    Parameters
    ----------
    dataset, metric, value
        The result.
    path
        The file that it is said to stand in.
    width
        Where lines are broken.

    Examples
    --------
    >>> print(refusal("mq2008", "NDCG@10", 0.505).splitlines()[0])
    mine.csv:2: 0.505 is out of reach: a perfect ranking of mq2008 has NDCG@10 0.3737 by letor4
    >>> refusal("mq2008", "NDCG@10", 0.231)
    ''
    """
    place = canonical_dataset(dataset)
    convention = b6_convention(place)
    row = ("Mine", place, metric, value, convention, same_measure(metric, convention))
    columns = ["method", "dataset", "metric", "value", "convention", "measure"]
    try:
        _check_ceilings(pd.DataFrame([row], columns=columns, index=[2]), path)
    except DataFormatError as error:
        return "\n".join(textwrap.fill(line, width, subsequent_indent="    ") for line in str(error).splitlines())
    return ""


def explain_unstated(dataset: str, made_by: str) -> str:
    """Say why Table B.6 cannot take a result, and what could be done.

    Examples
    --------
    >>> explain_unstated("Yahoo Set 1", "not stated")
    'the sources of Table B.6 do not state their convention on Yahoo Set 1'
    >>> explain_unstated("LETOR 4.0 MQ2008", "ranklib")
    "Table B.6 has LETOR 4.0 MQ2008 by LETOR's tool, and this is by RankLib"
    """
    if b6_convention(dataset) == UNSTATED:
        return f"the sources of Table B.6 do not state their convention on {dataset}"
    return f"Table B.6 has {dataset} by {convention_title(LETOR)}, and this is by {convention_title(made_by)}"
