"""The evaluation results that the book holds: published ones that were found, and our own runs.

These are not the results behind Table B.6 of Tax et al. (2015), which were never published: winning numbers computed
from them are of the same kind, but over fewer data sets and other methods.
"""

from __future__ import annotations

from difflib import get_close_matches

import pandas as pd

from ltrlib.across.our_runs.records import METRICS, own_values
from ltrlib.errors import UsageError
from ltrlib.published.tables import load_table

__all__ = ["OWN", "PUBLISHED", "canonical_dataset", "held_results", "scripts"]

PUBLISHED, OWN = "published", "our runs"

_LETOR = {
    "LETOR3.0 TD2003": "td2003",
    "LETOR3.0 TD2004": "td2004",
    "LETOR3.0 OHSUMED": "ohsumed",
    "LETOR4.0 MQ2007": "mq2007",
}
_OURS = " (ours)"


def held_results() -> pd.DataFrame:
    """All results in the metrics of Table B.6.

    A method that was published and run by us appears twice, ours marked; of two published values for the same method,
    data set and metric the one with more digits is kept.

    Returns
    -------
    pandas.DataFrame
        Columns method, dataset, metric, value, kind (``published`` or ``our runs``) and source.

    Examples
    --------
    >>> results = held_results()
    >>> sorted(set(results["kind"]))
    ['our runs', 'published']
    """
    table = load_table("liu2011", "evaluation_results")
    rows = []
    for key, number in table.column("value").items():
        source, dataset, method, metric = key.split(" / ")
        rows.append((method, _LETOR[dataset], metric, number.value, PUBLISHED, source, number.last_place))
    columns = ["method", "dataset", "metric", "value", "kind", "source"]
    published = pd.DataFrame(rows, columns=[*columns, "unit"])
    published = published[published["metric"].isin(METRICS)].sort_values("unit", kind="stable")
    published = published.drop_duplicates(["method", "dataset", "metric"]).sort_index()
    own = own_values()
    ours = own.table.assign(kind=OWN, source=f"record {own.name}")
    ours = ours.assign(method=ours["method"] + _OURS)
    return pd.concat([published[columns], ours[columns]], ignore_index=True)


def scripts() -> dict[str, str]:
    """The evaluation script behind the values on each data set.

    Examples
    --------
    >>> scripts()["mq2008"], scripts()["td2003"]
    ('letor4', 'letor3')
    """
    from ltrlib.across.our_runs.records import own_ceilings

    ours = own_ceilings().table
    published = {name: f"letor{title[5]}" for title, name in _LETOR.items()}
    return published | dict(zip(ours["dataset"], ours["script"], strict=True))


def canonical_dataset(name: str, known: list[str]) -> str:
    """Name of a data set as the book writes it; case, blanks and a leading LETOR do not matter.

    Examples
    --------
    >>> canonical_dataset("LETOR 3.0 OHSUMED", ["ohsumed", "mq2008"])
    'ohsumed'
    >>> canonical_dataset("MQ2009", ["ohsumed", "mq2008"])
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: the book holds no results on a data set 'MQ2009', did you mean mq2008?
      to do: choose ohsumed, mq2008
    """
    short = name.lower().replace(" ", "")
    for collection in ("letor2.0", "letor3.0", "letor4.0"):
        short = short.removeprefix(collection)
    if short in known:
        return short
    close = get_close_matches(short, known, n=1)
    guess = f", did you mean {close[0]}?" if close else ""
    raise UsageError(f"the book holds no results on a data set {name!r}{guess}", cure=f"choose {', '.join(known)}")
