"""The hidden results behind Table B.6 of Tax et al. (2015): the puzzle, from published tables and known facts.

Under ``data/reconstruction/tax2015/`` are the facts that are not in the paper's tables: ``sizes.csv``, the number of
methods per data set and metric (worked out by hand from sums that many rows share; that they admit a solution is
shown by finding one, that no other sizes do is not); ``coverage.csv``, which data sets a source covers;
``statements.csv``, what the paper's text says about single results. Names of data sets of equal standing are
interchangeable: TD2003 and TD2004, the four of NP and HP, the two of WCL2R, the large ones of MSLR and Yahoo.
"""

from __future__ import annotations

import pandas as pd

from ltrlib.comparison.reconstruct.puzzle import Presence, PresencePuzzle
from ltrlib.papers.tax2015 import records
from ltrlib.papers.tax2015.b6 import METRICS, row_splits
from ltrlib.project import project_data
from ltrlib.published.tables import load_paper, load_table
from ltrlib.records.observed import remembered

__all__ = [
    "RELEASED_ROW",
    "known_orders",
    "options_of",
    "presence_puzzle",
    "published_rows",
    "recorded_options",
    "recorded_puzzle",
    "row_options",
    "win_targets",
]

RELEASED_ROW = ("AdaRank-MAP", "NDCG@10")
"""The row that the reconstruction gives up: it counts a 13th data set, which Table A.5 does not name.

With IWN = n - 1, as printed, some row must be wrong. The table was computed by another rule, and this row is right:
`ltrlib.papers.tax2015.hidden.grading` tells what giving it up cost.
"""


def row_options() -> pd.DataFrame:
    """Every set of whole numbers that fits a row of Table B.6 (as corrected) and, where it is in there, of Table 4.

    Returns
    -------
    pandas.DataFrame
        Columns method, option, metric, wn, iwn, datasets.

    Examples
    --------
    >>> options = row_options()
    >>> options[options["method"] == "LRUF"][["metric", "wn", "iwn"]].to_numpy().tolist()
    [['NDCG@3', 114, 116], ['NDCG@5', 107, 109], ['NDCG@10', 108, 110], ['MAP', 121, 125]]
    """
    paper = load_paper("tax2015")
    table, left_out = paper.corrected("b6"), paper["table4"]
    found = []
    for method in table.rows:
        splits = row_splits(table, method)
        if method in left_out.rows:
            iwn = int(table.text(method, "iwn"))
            known = {m: iwn - int(left_out.text(method, f"no_{column}_iwn")) for m, column in METRICS.items()}
            splits = [split for split in splits if {metric: pair[1] for metric, pair in split.items()} == known]
        found += [
            (method, option, metric, *split[metric], int(table.text(method, f"{METRICS[metric]}_ds")))
            for option, split in enumerate(splits)
            for metric in split
        ]
    return pd.DataFrame(found, columns=["method", "option", "metric", "wn", "iwn", "datasets"])


def presence_puzzle() -> PresencePuzzle:
    """Put together what is known about who was evaluated where.

    A source covers all its data sets for a method if the method's number of data sets leaves room for them.
    """
    options = row_options()
    coverage, statements = _facts("coverage"), _facts("statements")
    sources = {row: set(text.split("; ")) for row, text in _evaluated_in().items()}
    facts = set(zip(statements["method"], statements["metric"], statements["dataset"], strict=True))
    for row in options.drop_duplicates(["method", "metric"]).itertuples():
        covered = coverage[coverage["source"].isin(sources[str(row.method)])]["dataset"]
        if len(covered) <= int(str(row.datasets)):
            facts |= {(row.method, row.metric, dataset) for dataset in covered}
    return PresencePuzzle(
        targets=options.drop(columns="wn"),
        sizes=_facts("sizes").astype({"methods": int}),
        facts=pd.DataFrame(sorted(facts), columns=["method", "metric", "dataset"]).assign(present=True),
        alike=[frozenset(m for m in sources if sources[m] == same) for same in map(set, _distinct(sources))],
        released=frozenset({RELEASED_ROW}),
    )


def options_of(published: pd.DataFrame) -> dict[str, int]:
    """Find the option of each method that a recorded table of whole numbers holds.

    Parameters
    ----------
    published
        Columns method, metric, wn, iwn, datasets.

    Examples
    --------
    >>> rows = row_options()
    >>> options_of(rows[rows["option"] == 0].drop(columns="option"))["ListMLE"]
    0
    """
    columns = ["method", "metric", "wn", "iwn", "datasets"]
    wanted = {
        str(method): set(part.itertuples(index=False, name=None))
        for method, part in published[columns].groupby("method")
    }
    return {
        str(method): int(str(option))
        for (method, option), part in row_options().groupby(["method", "option"])
        if set(part[columns].itertuples(index=False, name=None)) == wanted.get(str(method))
    }


@remembered()
def recorded_options() -> dict[str, int]:
    """The option of each method in the recorded solution.

    Examples
    --------
    >>> recorded_options()["CoList"]
    0
    """
    return options_of(records.PUBLISHED_ROWS.read().table)


@remembered(maxsize=len(METRICS))
def recorded_puzzle(metric: str) -> PresencePuzzle:
    """What the rows of one metric demand, with the whole numbers of the recorded solution.

    Examples
    --------
    >>> recorded_puzzle("NDCG@10").released
    frozenset({('AdaRank-MAP', 'NDCG@10')})
    """
    return presence_puzzle().of_metric(metric, recorded_options())


def known_orders() -> pd.DataFrame:
    """Orders of two methods on a data set that published results decide.

    Within a source a larger printed number is a larger number. Between sources, which round or truncate, the printed
    numbers must be more than a digit apart, on either side. What two sources contradict is left out.

    Returns
    -------
    pandas.DataFrame
        Columns metric, dataset, better, worse.

    Examples
    --------
    >>> known_orders().groupby("metric").size().to_dict()
    {'MAP': 83, 'NDCG@10': 83, 'NDCG@3': 83, 'NDCG@5': 39}
    """
    published = load_table("liu2011", "evaluation_results").wide()
    published = published[published["metric"].isin(METRICS)]
    published["family"] = published["source"].str.split(" ").str[0]
    published["digit"] = [10.0 ** -len(text.partition(".")[2]) for text in published["value"]]
    published["value"] = published["value"].astype(float)
    published["dataset"] = published["dataset"].str.replace("LETOR", "LETOR ")
    pairs = published.merge(published, on=["metric", "dataset"], suffixes=("", "_worse"))
    apart = pairs["value"] - pairs["value_worse"]
    same = pairs["family"] == pairs["family_worse"]
    decided = (apart > 0) & (same | (apart > 1.001 * (pairs["digit"] + pairs["digit_worse"])))
    orders = pairs[decided & (pairs["method"] != pairs["method_worse"])]
    orders = orders.rename(columns={"method": "better", "method_worse": "worse"})
    orders = orders[["metric", "dataset", "better", "worse"]].drop_duplicates()
    reversed_orders = orders.rename(columns={"better": "worse", "worse": "better"})
    both = orders.merge(reversed_orders, on=list(orders.columns), how="left", indicator=True)["_merge"] == "both"
    clear: pd.DataFrame = orders[~both.to_numpy()]
    return clear.sort_values(list(orders.columns), ignore_index=True)


def published_rows(presence: Presence) -> pd.DataFrame:
    """The whole numbers of Table B.6, with the options of a solution.

    Parameters
    ----------
    presence
        The solution.

    Returns
    -------
    pandas.DataFrame
        Columns method, metric, wn, iwn, datasets.

    Examples
    --------
    >>> presence = Presence(pd.DataFrame(), {"CoList": 0}, frozenset(), proved=True)
    >>> published_rows(presence)["iwn"].tolist()
    [1, 1, 6]
    """
    options = row_options()
    chosen = [presence.options.get(m) == o for m, o in zip(options["method"], options["option"], strict=True)]
    return options[chosen].drop(columns="option").reset_index(drop=True)


def win_targets(presence: Presence, metric: str) -> pd.DataFrame:
    """What the wins of each method must add up to in a metric.

    For a released row the comparisons that were lost with its numbers may have been wins.

    Parameters
    ----------
    presence
        Who was evaluated where.
    metric
        One of :data:`ltrlib.papers.tax2015.b6.METRICS`.

    Returns
    -------
    pandas.DataFrame
        Columns method, lowest_wn, highest_wn.

    Examples
    --------
    >>> cells = pd.DataFrame([("LRUF", "MAP", "d"), ("LARF", "MAP", "d")], columns=["method", "metric", "dataset"])
    >>> presence = Presence(cells, {"LRUF": 0, "LARF": 0}, frozenset(), proved=True)
    >>> win_targets(presence, "MAP")
      method  lowest_wn  highest_wn
    0   LARF         -1         102
    1   LRUF         -3         121
    """
    rows = published_rows(presence)
    rows = rows[rows["metric"] == metric]
    cells = presence.cells[presence.cells["metric"] == metric]
    others = cells.groupby("dataset")["method"].transform("size") - 1
    rebuilt = others.groupby(cells["method"]).sum()
    lost = (rows["iwn"].to_numpy() - rebuilt.reindex(rows["method"]).fillna(0).to_numpy(dtype=int)).clip(min=0)
    return pd.DataFrame(
        {
            "method": rows["method"].to_numpy(),
            "lowest_wn": rows["wn"].to_numpy() - lost,
            "highest_wn": rows["wn"].to_numpy(),
        }
    )


def _evaluated_in() -> dict[str, str]:
    table = load_table("tax2015", "a5")
    return {method: table.text(method, "evaluated_in") for method in table.rows}


def _distinct(sources: dict[str, set[str]]) -> set[frozenset[str]]:
    return {frozenset(named) for named in sources.values()}


def _facts(name: str) -> pd.DataFrame:
    return pd.read_csv(project_data("reconstruction", "tax2015", f"{name}.csv"), dtype="str")
