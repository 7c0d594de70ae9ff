"""The Pareto front over all metrics with doubtful results moved or left out, and without each study or its authors."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache

import pandas as pd

from ltrlib.papers.tax2015.b6 import NOTHING, enumerated, front_of
from ltrlib.papers.tax2015.counted import Count, count, counts, front_of_results
from ltrlib.papers.tax2015.matrix import results
from ltrlib.papers.tax2015.pareto.combinations import MOVED, OUT, every_combination
from ltrlib.published.tables import load_paper

__all__ = [
    "ALL_BUT_ONE",
    "ALL_OUT",
    "ALL_RIGHT",
    "LARF",
    "LRUF",
    "doubt_table",
    "findings",
    "fronts_under_doubt",
    "fronts_without_authors",
    "fronts_without_studies",
    "hanging",
    "levels",
    "single_results",
    "totals_if_moved",
]

LARF = "torkestani2012a"
"""The doubt about the data sets of LARF, IPRank and GPRank."""

LRUF = "torkestani2012b"
"""The doubt about the data sets of LRUF and PERF-MAP, against which most of its evidence speaks."""

ALL_RIGHT = "all doubts right"
ALL_BUT_ONE = f"all doubts right but {LRUF}"
ALL_OUT = "all in doubt left out"


def _codes(*actions: str) -> list[str]:
    doubts = load_paper("tax2015")["doubts"]
    return [code for code in doubts.rows if doubts.text(code, "if_right") in actions]


@cache
def fronts_under_doubt() -> pd.DataFrame:
    """Tell who is on the front if a doubt is right, each alone and all together.

    Returns
    -------
    DataFrame
        One row per case, the first for ``nothing``: a doubt's results moved to where they would belong, or left out.
        One column per method that is ever on the front, in rising order of IWN.

    Examples
    --------
    >>> fronts_under_doubt().loc[["nothing", "torkestani2012a moved"], "LARF"].tolist()
    [True, False]
    """
    movable, doubted = _codes("move"), _codes("move", "leave out")
    cases = {NOTHING: results()}
    for code in doubted:
        if code in movable:
            cases[f"{code} {MOVED}"] = results(moved=[code])
        cases[f"{code} {OUT}"] = results(without_doubts=[code])
    rest = [code for code in movable if code != LRUF]
    cases[ALL_BUT_ONE] = results(moved=rest, without_doubts=_codes("leave out"))
    cases[ALL_RIGHT] = results(moved=movable, without_doubts=_codes("leave out"))
    cases[ALL_OUT] = results(without_doubts=doubted)
    return _grid({name: front_of_results(table) for name, table in cases.items()})


def _grid(fronts: dict[str, set[str]]) -> pd.DataFrame:
    found: set[str] = set().union(*fronts.values())
    ever = sorted(found, key=lambda method: (counts()[method, "all"].iwn, method))
    rows = [[method in front for method in ever] for front in fronts.values()]
    return pd.DataFrame(rows, index=list(fronts), columns=ever)


def _sources(origin: str) -> list[str]:
    return origin.split("; ")


def _authors(study: str) -> str:
    """Name the authors as cited, without the year; the official baselines are a group of their own.

    Examples
    --------
    >>> _authors("Lai et al. (2013a)"), _authors("L3")
    ('Lai et al.', 'LETOR baselines')
    """
    return "LETOR baselines" if re.fullmatch(r"L\d", study) else study.partition(" (")[0]


def _without(name_of: Callable[[str], str]) -> pd.DataFrame:
    table = results()
    named = [{name_of(study) for study in _sources(origin)} for origin in table["origin"]]
    fronts = {NOTHING: front_of_results(table)}
    for name in sorted(set().union(*named) - {""}):
        # A result that another source has too does not hang on this one.
        kept = [sources != {name} for sources in named]
        if not all(kept):
            fronts[name] = front_of_results(table[kept])
    return _grid(fronts)


@cache
def fronts_without_studies() -> pd.DataFrame:
    """Tell who is on the front without the results of one publication, as `fronts_under_doubt` does.

    Examples
    --------
    >>> fronts_without_studies().loc[["Torkestani (2012a)", "Torkestani (2012b)"], "LRUF"].tolist()
    [True, False]
    """
    return _without(lambda study: study)


@cache
def fronts_without_authors() -> pd.DataFrame:
    """Tell who is on the front without the results of all publications that are cited under the same first author."""
    return _without(_authors)


@cache
def single_results() -> pd.DataFrame:
    """List the single results without which a member of the front leaves it.

    Returns
    -------
    DataFrame
        method (the member), and of the result: of, dataset, metric, origin, doubt.
    """
    table = results()
    front = front_of_results(table)
    whole = {method: one for (method, metric), one in counts().items() if metric == "all"}
    rows = []
    for (dataset, metric), group in table.groupby(["dataset", "metric"], sort=False):
        here = count(group)
        for number, (of, origin, doubt) in enumerate(group[["method", "origin", "doubt"]].itertuples(index=False)):
            # Only this data set and metric change.
            left = count(group.drop(index=group.index[number])) if len(group) > 1 else {}
            points = {}
            for method, total in whole.items():
                before, after = (one.get((method, "all"), Count(0, 0, 0)) for one in (here, left))
                iwn = total.iwn - before.iwn + after.iwn
                if iwn > 0:
                    points[method] = ((total.wn - before.wn + after.wn) / iwn, float(iwn))
            lost = front - front_of(points)
            rows += [(method, of, dataset, metric, origin, doubt) for method in sorted(lost)]
    return pd.DataFrame(rows, columns=["method", "of", "dataset", "metric", "origin", "doubt"])


def hanging() -> pd.DataFrame:
    """Tell for each member of the front what takes it off, as text: doubts, studies, authors, single results.

    Of the doubts, the smallest sets that are enough, out of every combination.
    """
    studies, authors, single = fronts_without_studies(), fronts_without_authors(), single_results()
    doubts, front = every_combination(), front_of_results(results())
    members = sorted(front, key=lambda method: (counts()[method, "all"].iwn, method))
    rows = []
    for method in members:
        own = single[single["method"] == method]
        rows.append(
            {
                "method": method,
                "if these doubts are right": "; ".join(_told(ways) for ways in doubts.takes_off(method)) or "–",
                "without this study": _off(studies, method),
                "without these authors": _off(authors, method),
                "single results of its own": str(int((own["of"] == method).sum())),
                "of others": str(int((own["of"] != method).sum())),
            }
        )
    return pd.DataFrame(rows)


def _told(ways: Mapping[str, Sequence[str]]) -> str:
    """Name a set of doubts with what is done with each.

    Examples
    --------
    >>> _told({"no-source": ["left out"], "older-sortnet": ["left out", "moved"]})
    'no-source left out and older-sortnet left out or moved'
    """
    return " and ".join(f"{code} {' or '.join(states)}" for code, states in ways.items())


def _off(grid: pd.DataFrame, method: str) -> str:
    return "; ".join(name for name in grid.index if not grid.loc[name, method]) or "–"


def doubt_table() -> pd.DataFrame:
    """List the doubts with their results, evidence, and what they do to the front."""
    doubts, grid, table = load_paper("tax2015")["doubts"], fronts_under_doubt(), results()
    rows = []
    for code in doubts.rows:
        changes = []
        for case in (f"{code} {MOVED}", f"{code} {OUT}"):
            if case in grid.index:
                words = _changed(grid, case)
                changes.append(f"{case.removeprefix(code).strip()}: {words}")
        rows.append(
            {
                "doubt": code,
                "results": str(int((table["doubt"] == code).sum())),
                "what": doubts.text(code, "what"),
                "evidence": doubts.text(code, "evidence"),
                "the front": "; ".join(changes) or "no order depends on it",
            }
        )
    return pd.DataFrame(rows)


def _changed(grid: pd.DataFrame, case: str) -> str:
    before, after = ({m for m in grid.columns if grid.loc[name, m]} for name in (NOTHING, case))
    words = [f"{_listed(names)} {verb}" for names, verb in ((before - after, "off"), (after - before, "on")) if names]
    return ", ".join(words) or "the same"


def _listed(names: Collection[str]) -> str:
    return ", ".join(sorted(names))


def totals_if_moved(method: str = "LARF") -> dict[str, Count]:
    """Count a method's totals with its results where they stand, and moved to where the doubt would have them.

    Examples
    --------
    >>> {place: total.iwn for place, total in totals_if_moved().items()}
    {'as published': 379, 'moved': 159}
    """
    tables = {"as published": results(), "moved": results(moved=[LARF])}
    return {place: count(table)[method, "all"] for place, table in tables.items()}


def levels() -> pd.DataFrame:
    """Set the doubted methods, and LRUF, beside the results of either collection that nobody doubts.

    Returns
    -------
    DataFrame
        data set, metric, one column for each of the methods, and for each collection the lowest and the highest
        result without a doubt, official baselines and others.

    Examples
    --------
    >>> levels().set_index(["data set", "metric"]).loc[("TD2004", "MAP"), "not in doubt, LETOR 3.0"]
    '0.160 to 0.268'
    """
    table = results().assign(short=lambda rows: rows["dataset"].str.rpartition(" ")[2])
    doubted = table[table["doubt"] == LARF]
    beside = table[(table["doubt"] == LRUF) & (table["method"] == "LRUF")]
    rows = []
    for short in sorted(doubted["short"].unique()):
        for metric in ("MAP", "NDCG@10"):
            named = pd.concat([doubted, beside])
            named = named[(named["short"] == short) & (named["metric"] == metric)]
            row = {"data set": short, "metric": metric} | dict(
                zip(named["method"], named["value"].map("{:.3f}".format), strict=True)
            )
            for number in ("2.0", "3.0"):
                place = f"LETOR {number} {short}"
                here = table[(table["dataset"] == place) & (table["metric"] == metric) & (table["doubt"] == "")]
                row[f"not in doubt, LETOR {number}"] = f"{here['value'].min():.3f} to {here['value'].max():.3f}"
            rows.append(row)
    return pd.DataFrame(rows)


def findings() -> dict[str, str]:
    """Numbers for the page's text."""
    doubts, studies, authors = every_combination(), fronts_without_studies(), fronts_without_authors()
    totals = totals_if_moved()
    (level,) = levels().query("`data set` == 'TD2004' and metric == 'MAP'").to_dict("records")
    grids = {"studies": studies, "authors": authors}
    found = {f"steady-{name}": _listed([m for m in grid.columns if grid[m].all()]) for name, grid in grids.items()}
    found |= {f"larf-iwn-{place.split()[0]}": str(total.iwn) for place, total in totals.items()}
    found |= {f"larf-nwn-{place.split()[0]}": f"{float(total.nwn):.4f}" for place, total in totals.items()}
    found |= {f"level-{method.lower()}": str(level[method]) for method in ("GPRank", "IPRank", "LARF", "LRUF")}
    found |= {f"level-letor{number[0]}": str(level[f"not in doubt, LETOR {number}"]) for number in ("2.0", "3.0")}
    found["steady-doubts"] = enumerated(sorted(doubts.always()))
    found["letor3-share"] = f"{(results()['origin'] == 'L3').mean():.0%}"
    found["combinations"] = f"{len(doubts.on_front):,}"
    found["combined-fronts"] = str(doubts.fronts())
    for name, grid in grids.items():
        found[name] = str(len(grid) - 1)
        found[f"{name}-that-matter"] = str(int((grid != grid.loc[NOTHING]).any(axis=1).sum()))
    return found
