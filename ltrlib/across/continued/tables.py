"""What the page on the continued table shows: families, what cannot be compared and why, the front, who leads where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from itertools import combinations
from typing import TypeAlias

import pandas as pd

from ltrlib.across.continued.joined import Joined, what_changes
from ltrlib.across.continued.measures import convention_title, same_measure
from ltrlib.across.continued.pool import FAMILY, LATER, OURS, TABLE_B6, everything, pool
from ltrlib.published.tables import load_table
from ltrlib.spreadsheet import harmless

__all__ = [
    "MAPPED",
    "comparable_pairs",
    "export_csv",
    "families",
    "family_table",
    "front_changes",
    "join_table",
    "leaders",
    "numbers_of_joining",
    "still_standing",
]

MAPPED = "NDCG@10"
"""The metric of the map: nearly everybody reports it."""

Entry: TypeAlias = tuple[str, str, str, bool]
"""Publication, part, measure, and whether the convention is known."""

_REASONS = ("comparable", "another convention", "convention not stated", "another part of the data")


def families(metric: str = MAPPED, *, kinds: Collection[str] = (TABLE_B6, LATER, OURS)) -> pd.DataFrame:
    """List the families of a metric: groups within which results can be compared.

    Parameters
    ----------
    metric
        Such as ``NDCG@10``.
    kinds
        Which results count.

    Returns
    -------
    pandas.DataFrame
        One row per family: dataset, part, convention (in words), stated, methods, publications, kinds.

    Examples
    --------
    >>> rows = families().query("dataset == 'LETOR 4.0 MQ2008' and kinds == 'Table B.6, later, our runs'")
    >>> rows[["convention", "publications"]].values.tolist()
    [["LETOR's tool", 4]]
    """
    table = pool(kinds=kinds)
    rows = []
    for family, group in table[table["metric"] == metric].groupby(FAMILY, sort=False):
        dataset, part, _, measure = family
        code = str(group["convention"].iloc[0])
        present = [kind for kind in (TABLE_B6, LATER, OURS) if (group["kind"] == kind).any()]
        rows.append(
            {
                "dataset": dataset,
                "part": part,
                "convention": convention_title(code),
                "stated": same_measure(metric, code) == measure,
                "methods": len(group),
                "publications": group["publication"].nunique(),
                "kinds": ", ".join(present),
            }
        )
    return pd.DataFrame(rows)


def family_table() -> pd.DataFrame:
    """Data sets and conventions with a result in any metric: how many results, methods and publications."""
    table = pool().assign(convention=lambda rows: rows["convention"].map(convention_title))
    grouped = table.groupby(["dataset", "convention", "part"], sort=False)
    counted = grouped.agg(
        results=("value", "size"), methods=("method", "nunique"), publications=("publication", "nunique")
    )
    return counted.reset_index().sort_values(["dataset", "results"], ascending=[True, False], ignore_index=True)


def comparable_pairs(metric: str = MAPPED) -> pd.DataFrame:
    """Count pairs of results from two publications on one data set: how many can be compared, and why others cannot.

    Table B.6 counts as one publication, and so do our own runs, of which each is taken under the one convention of its
    collection: that we can score by every tool is not the field's merit.

    Returns
    -------
    pandas.DataFrame
        One row per data set with two publications or more: dataset, pairs, and a column per reason.

    Examples
    --------
    >>> table = comparable_pairs()
    >>> bool((table[["comparable", "another convention", "convention not stated", "another part of the data"]]
    ...       .sum(axis=1) == table["pairs"]).all())
    True
    """
    table = pool(kinds=[TABLE_B6, LATER])
    table = table[table["metric"] == metric]
    rows = []
    for dataset, group in table.groupby("dataset", sort=False):
        known = [
            same_measure(metric, code) == name for code, name in zip(group["convention"], group["measure"], strict=True)
        ]
        entries: Counter[Entry] = Counter(
            (str(publication), str(part), str(measure), stated)
            for (publication, part, measure), stated in zip(
                group[["publication", "part", "measure"]].itertuples(index=False, name=None), known, strict=True
            )
        )
        counts = dict.fromkeys(_REASONS, 0)
        for one, two in combinations(entries, 2):
            if one[0] != two[0]:
                counts[_reason(one, two)] += entries[one] * entries[two]
        if pairs := sum(counts.values()):
            rows.append({"dataset": dataset, "pairs": pairs} | counts)
    return pd.DataFrame(rows).sort_values("pairs", ascending=False, ignore_index=True)


def _reason(one: Entry, two: Entry) -> str:
    (_, part, measure, known), (_, other_part, other_measure, other_known) = one, two
    if not (known and other_known):
        return "convention not stated"
    if measure != other_measure:
        return "another convention"
    return "comparable" if part == other_part else "another part of the data"


def join_table() -> pd.DataFrame:
    """Tell for each data set of the later results what joins Table B.6, what joins others, and what joins nobody."""
    rows = []
    shown = families()
    for dataset, group in shown.groupby("dataset", sort=False):
        later = group[group["kinds"].str.contains(LATER)]
        if later.empty:
            continue
        with_b6 = later[later["kinds"].str.contains(TABLE_B6)]
        several = later[(later["publications"] > 1) & ~later["kinds"].str.contains(TABLE_B6)]
        alone = later[later["publications"] == 1]
        rows.append(
            {
                "data set": dataset,
                "joins Table B.6": _named(with_b6),
                "joins other publications": _named(several),
                "joins nobody": _named(alone),
            }
        )
    return pd.DataFrame(rows)


def _named(rows: pd.DataFrame) -> str:
    named = [f"{row['convention']} ({row['methods']} methods, {row['part']})" for row in rows.to_dict("records")]
    return "; ".join(named) or "–"


def leaders(datasets: tuple[str, ...], *, fewest: int = 5) -> pd.DataFrame:
    """Who leads the largest group of comparable NDCG@10 on each of some data sets.

    A value does not lead if it is more than 0.05 above the median of its group and an outlier by the rule of Iglewicz
    and Hoaglin (more than 3.5 times 1.48 times the median distance from the median): something else than the method
    may be behind it.

    Parameters
    ----------
    datasets
        Which ones.
    fewest
        Groups with fewer methods are left out, and those whose convention is not known.

    Examples
    --------
    >>> leaders(("Istella",))[["convention", "best"]].values.tolist()
    [['gdeval.pl', 'LambdaRank (LightGBM) [lgrz]']]
    """
    table = pool()
    table = table[(table["metric"] == MAPPED) & table["dataset"].isin(datasets)]
    found: dict[str, tuple[int, dict[str, str]]] = {}
    for (dataset, part, _, measure), group in table.groupby(FAMILY):
        code = str(group["convention"].iloc[0])
        largest = found.get(str(dataset), (fewest - 1, {}))[0]
        if same_measure(MAPPED, code) != measure or len(group) <= largest:
            continue
        group = group.sort_values("value", ascending=False)
        above = group["value"] - group["value"].median()
        far = (above > 0.05) & (above > 3.5 * 1.4826 * above.abs().median())
        best = group[~far].iloc[0]
        apart = [f"{name} {value:.4f}" for name, value in group.loc[far, ["method", "value"]].itertuples(index=False)]
        found[str(dataset)] = (
            len(group),
            {
                "data set": str(dataset),
                "convention": convention_title(code),
                "part": str(part),
                "methods": str(len(group)),
                "best": str(best["method"]),
                f"its {MAPPED}": f"{best['value']:.4f}",
                "far above all others": ", ".join(apart) or "–",
            },
        )
    return pd.DataFrame([row for _, row in found.values()])


def front_changes(before: Joined, steps: dict[str, Joined]) -> pd.DataFrame:
    """Tell who is on the front of Table B.6 and after each step of continuing it.

    Parameters
    ----------
    before
        Table B.6.
    steps
        Continued tables by what was joined.

    Returns
    -------
    pandas.DataFrame
        One row per method that is ever on a front, with its NWN and IWN where it is, else a dash.
    """
    tables = {"Table B.6": before} | steps
    ever: dict[str, None] = {}
    for table in tables.values():
        rows = table.rows()
        ever |= dict.fromkeys(rows.loc[rows["Pareto rank"] == 1].sort_values("IWN")["method"])
    shown = pd.DataFrame({"method": list(ever)})
    for name, table in tables.items():
        rows = table.rows().set_index("method")
        nwn, iwn = rows["NWN"].to_dict(), rows["IWN"].to_dict()
        shown[name] = [f"{nwn[method]:.4f} of {iwn[method]}" if method in table.front() else "–" for method in ever]
    return shown


def still_standing(before: Joined, after: Joined) -> pd.DataFrame:
    """Return the 87 rows of Table B.6 before and after, those that moved most in NWN first."""
    changes = what_changes(before, after)
    moved = (changes["NWN after"] - changes["NWN before"]).rename("change")
    table = pd.DataFrame(
        {
            "method": changes["method"],
            "WN of IWN before": _of(changes, "before"),
            "after": _of(changes, "after"),
            "NWN before": changes["NWN before"],
            "NWN after": changes["NWN after"],
            "change": moved,
            "front": [
                {(True, True): "stays", (True, False): "leaves", (False, True): "joins"}.get((bool(was), bool(now)), "")
                for was, now in zip(changes["front before"], changes["front after"], strict=True)
            ],
        }
    )
    return table.reindex(table["change"].abs().sort_values(ascending=False, kind="stable").index).reset_index(drop=True)


def _of(changes: pd.DataFrame, side: str) -> list[str]:
    return [f"{wn} of {iwn}" for wn, iwn in zip(changes[f"WN {side}"], changes[f"IWN {side}"], strict=True)]


def numbers_of_joining(before: Joined, after: Joined) -> dict[str, str]:
    """Numbers of the prose on the continued table."""
    pairs, changes, rows = comparable_pairs(), what_changes(before, after), after.rows()
    total = int(pairs["pairs"].sum())
    share = {name: f"{pairs[name].sum() / total:.0%}" for name in _REASONS}
    now = changes["front after"].fillna(False).astype(bool)
    found = {
        "later": f"{len(load_table('later', 'results').rows):,}",
        "publications": f"{load_table('later', 'sources').wide()['publication'].nunique()}",
        "joined-later": f"{after.results['kind'].eq(LATER).sum()}",
        "joined-ours": f"{after.results['kind'].eq(OURS).sum()}",
        "rows": f"{len(rows)}",
        "changed": f"{int(changes['changed'].sum())}",
        "leaves": " and ".join(changes.loc[changes["off"], "method"]) or "nobody",
        "joins": " and ".join(sorted(after.front() - before.front())) or "nobody",
        "new-methods-on-front": f"{len(after.front() - set(before.rows()['method']))}",
        "stays": f"{int((changes['front before'] & now).sum())}",
        "front-before": f"{len(before.front())}",
        "front": f"{len(after.front())}",
        "pairs": f"{total:,}",
        "comparable": share["comparable"],
        "unstated": share["convention not stated"],
        "other-convention": share["another convention"],
        "other-part": share["another part of the data"],
    }
    for kind, name in ((LATER, "later"), (OURS, "ours")):
        if (rows["kind"] == kind).any():
            best = rows[rows["kind"] == kind].iloc[0]
            found |= {f"best-{name}": str(best["method"]).partition(" [")[0], f"best-{name}-place": str(best["place"])}
            by = after.results.loc[after.results["method"] == best["method"], "publication"]
            found[f"best-{name}-by"] = str(by.iloc[0])
    return found


def export_csv() -> str:
    """Write every result with its source, convention, part of the data and measure as CSV.

    Examples
    --------
    >>> export_csv().splitlines()[0][:44]
    'method,dataset,part,metric,measure,conventio'
    """
    table = everything().assign(tool=lambda rows: rows["convention"].map(convention_title))
    table = table.assign(pooled=table["pooled"].map({True: "yes", False: "no"}))
    texts = table.select_dtypes(exclude="number").columns
    table[texts] = table[texts].map(lambda field: harmless(field) if isinstance(field, str) else field)
    return table.to_csv(index=False, lineterminator="\n")
