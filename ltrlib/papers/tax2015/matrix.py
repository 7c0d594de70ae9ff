"""The evaluation results behind Table B.6: all of them, without the doubtful ones, and the same results elsewhere."""

from __future__ import annotations

from collections.abc import Collection

import pandas as pd

from ltrlib.errors import UsageError
from ltrlib.published.printed import Printed
from ltrlib.published.tables import load_paper, load_table

__all__ = ["CELL", "elsewhere", "results", "sizes"]

CELL = ["method", "dataset", "metric"]
"""What names a result."""

_OWN = ("Tax (2014)", "Tax et al.")


def results(*, without_doubts: Collection[str] = (), moved: Collection[str] = ()) -> pd.DataFrame:
    """Return the results with origin and doubt, some doubtful ones left out or moved to where they would belong.

    Codes are those of the table ``doubts``; ``known_by`` tells how the origin is known, ``printed`` is the text of the
    value. A moved result is left out where its method has one already.

    Examples
    --------
    >>> len(results()), len(results(without_doubts=["no-source", "slip"]))
    (1050, 1048)
    >>> larf = results(moved=["torkestani2012a"]).query("method == 'LARF'")
    >>> sorted(set(larf["dataset"]))
    ['LETOR 2.0 OHSUMED', 'LETOR 2.0 TD2003', 'LETOR 2.0 TD2004']
    """
    paper = load_paper("tax2015")
    doubts = paper["doubts"]
    for code in (*without_doubts, *moved):
        if code not in doubts.rows:
            raise UsageError(f"there is no doubt {code!r}", cure=f"choose from {', '.join(doubts.rows)}")
    places = {code: doubts.text(code, "belongs_to") for code in moved}
    for code, place in places.items():
        if not place:
            raise UsageError(f"results with the doubt {code!r} belong nowhere else", cure="leave them out")
    table = paper["results"].wide()
    table = table[~table["doubt"].isin(list(without_doubts))]
    goes = table["doubt"].isin(list(places))
    known = set(table["dataset"])
    dataset = [
        _moved(name, places.get(doubt, ""), known) for name, doubt in zip(table["dataset"], table["doubt"], strict=True)
    ]
    table = table.assign(dataset=dataset).loc[lambda new: ~(goes & new.duplicated(CELL, keep=False))]
    values = pd.Series([Printed.parse(text).value for text in table["value"]], index=table.index, dtype=float)
    return table.rename(columns={"value": "printed"}).assign(value=values).reset_index(drop=True)


def _moved(dataset: str, place: str, known: Collection[str]) -> str:
    """Name the data set of the same name in another collection, or the one that is named itself."""
    if not place or place in known:
        return place or dataset
    return f"{place} {dataset.rpartition(' ')[2]}"


def sizes(table: pd.DataFrame | None = None) -> pd.DataFrame:
    """Count the methods with a result, by data set and metric.

    Examples
    --------
    >>> sizes().loc["Yahoo Set 1"].to_dict()
    {'NDCG@3': 0, 'NDCG@5': 0, 'NDCG@10': 11, 'MAP': 0}
    """
    table = results() if table is None else table
    metrics = list(dict.fromkeys(table["metric"]))
    counted = table.groupby(["dataset", "metric"]).size().unstack(fill_value=0)
    return counted[metrics].rename_axis(columns=None)


def elsewhere() -> pd.DataFrame:
    """List the results that another publication prints too, each with what stands there and whether the two agree.

    They agree if they differ by less than one unit of the coarser one's last digit: some sources round, some cut off.
    The thesis, the runs and the earlier versions of the study's own author are no other publication. Were every source
    but Torkestani 2012b held to rounding, one more would differ: Liu 2011 prints 0.306 where the study has 0.3069.

    Examples
    --------
    >>> listed = elsewhere()
    >>> cells = listed.groupby(["method", "dataset", "metric"])["agrees"].all()
    >>> len(cells), int(cells.sum())
    (126, 121)
    """
    letor3 = load_table("liu2011", "evaluation_results").wide()
    letor3["dataset"] = letor3["dataset"].str.replace("LETOR", "LETOR ")
    official = load_table("letor4", "baselines").wide().query("part == 'test' and fold == 'mean'")
    found = load_table("tax2015", "second_sources").wide().query("fold in ('mean', 'unstated')")
    found = found[~found["source"].str.startswith(_OWN)]
    others = pd.concat([letor3, official.assign(source="letor4"), found])[["source", *CELL, "value"]]
    both = results()[[*CELL, "printed"]].merge(others.rename(columns={"value": "other"}), on=CELL)
    agrees = [_agree(*pair) for pair in zip(both["printed"], both["other"], strict=True)]
    return both.assign(agrees=pd.Series(agrees, index=both.index, dtype=bool))


def _agree(one: str, other: str) -> bool:
    first, second = Printed.parse(one), Printed.parse(other)
    return abs(first.exact - second.exact) < max(first.unit, second.unit)
