"""Table B.6 counted again from its evaluation results, and what whole numbers alone could tell about its print."""

from __future__ import annotations

from functools import cache

import pandas as pd

from ltrlib.claims.cells import Value
from ltrlib.claims.rules import Judgement, judge
from ltrlib.claims.show import badge
from ltrlib.claims.verdict import Verdict
from ltrlib.papers.tax2015.b6 import METRICS, row_splits
from ltrlib.papers.tax2015.counted import AS_COMPUTED, AS_PRINTED, counts, print_of
from ltrlib.papers.tax2015.matrix import results
from ltrlib.published.tables import load_paper

__all__ = [
    "b6_beside_ours",
    "b6_numbers",
    "first_places_tied",
    "findings",
    "print_errors",
    "rows_between_rules",
    "solutions_by_row",
]

_TOTALS = {"WN": "wn", "IWN": "iwn", "NWN": "nwn"}


@cache
def _judged() -> dict[tuple[str, str], Judgement]:
    """Judge every number of Table B.6 as printed against what the results give, as the study counted."""
    table, ours = print_of(load_paper("tax2015")), counts(AS_COMPUTED)
    found = {}
    for method in table.rows:
        for metric, column in METRICS.items():
            if table.text(method, f"{column}_nwn"):
                one = ours[method, metric]
                for name, value in ((f"{column}_nwn", one.nwn), (f"{column}_ds", one.datasets)):
                    found[method, name] = judge(Value(table.number(method, name), value, name), own=True)
        for name in _TOTALS.values():
            found[method, name] = judge(Value(table.number(method, name), getattr(ours[method, "all"], name)), own=True)
    return found


def b6_numbers() -> pd.DataFrame:
    """List every number of Table B.6 as printed beside ours, with the verdict.

    Returns
    -------
    DataFrame
        method, column, published, ours, verdict; ours by the rule that the study computed with.

    Examples
    --------
    >>> b6_numbers().set_index(["method", "column"]).loc[("MHR", "nwn")].tolist()
    ['0.5714', '0.414634', 'inconsistent']
    """
    rows = [(*place, one.published, one.ours, one.verdict.word) for place, one in _judged().items()]
    return pd.DataFrame(rows, columns=["method", "column", "published", "ours", "verdict"])


def b6_beside_ours() -> pd.DataFrame:
    """Table B.6 in its own layout: in each cell as printed, then as counted, and a mark where the two differ.

    The last column is IWN by the printed formula, with a mark where it is not what was printed.

    Examples
    --------
    >>> b6_beside_ours().set_index("method").loc["RankSVM", "IWN by the formula"][:3]
    '889'
    """
    table, judged, formula = print_of(load_paper("tax2015")), _judged(), counts(AS_PRINTED)
    rows = []
    for method in table.rows:
        row = {"method": method}
        for metric, column in METRICS.items():
            nwn, datasets = judged.get((method, f"{column}_nwn")), judged.get((method, f"{column}_ds"))
            row[f"{metric}: NWN (#ds)"] = _cell(nwn, datasets) if nwn and datasets else "–"
        for title, name in _TOTALS.items():
            row[title] = _cell(judged[method, name])
        printed = judge(Value(table.number(method, "iwn"), formula[method, "all"].iwn), own=True)
        mark = "" if printed.verdict is Verdict.EXACT else f"<br>{badge(printed.verdict)}"
        row["IWN by the formula"] = f"{formula[method, 'all'].iwn}{mark}"
        rows.append(row)
    return pd.DataFrame(rows)


def _cell(one: Judgement, second: Judgement | None = None) -> str:
    judged = [one] if second is None else [one, second]
    worst = max((each.verdict for each in judged), key=lambda verdict: verdict.severity)
    lines = [" ".join([first, *(f"({each})" for each in rest)]) for first, *rest in _sides(judged)]
    return "<br>".join([*lines, *([] if worst is Verdict.EXACT else [badge(worst)])])


def _sides(judged: list[Judgement]) -> list[list[str]]:
    return [[each.published for each in judged], [each.ours for each in judged]]


def print_errors() -> pd.DataFrame:
    """List the numbers of the print that the results contradict: printed, and right."""
    table = b6_numbers()
    return table[table["verdict"] != Verdict.EXACT.word].reset_index(drop=True)


def rows_between_rules() -> pd.DataFrame:
    """List the rows whose IWN differs between the two rules.

    Examples
    --------
    >>> rows_between_rules()["differing in"].unique().tolist(), len(rows_between_rules())
    (['Yahoo Set 1, NDCG@10'], 11)
    """
    computed, formula = counts(AS_COMPUTED), counts(AS_PRINTED)
    tied = first_places_tied()
    rows = []
    for method in load_paper("tax2015")["b6"].rows:
        one, other = computed[method, "all"], formula[method, "all"]
        if one.iwn != other.iwn:
            here = tied[[method in names.split(", ") for names in tied["methods"]]]
            where = here["dataset"] + ", " + here["metric"]
            nwn = [f"{float(count.nwn):.4f}" for count in (one, other)]
            rows.append((method, one.wn, one.iwn, other.iwn, *nwn, "; ".join(where)))
    columns = ["method", "WN", "IWN as computed", "IWN by the formula", "NWN as computed", "NWN by the formula"]
    return pd.DataFrame(rows, columns=[*columns, "differing in"])


@cache
def first_places_tied() -> pd.DataFrame:
    """List the data sets and metrics whose highest value several methods share: there the two rules differ.

    Returns
    -------
    DataFrame
        dataset, metric, value as printed, first (the methods that share it), methods (all that are compared there).
    """
    rows = []
    for (dataset, metric), group in results().groupby(["dataset", "metric"], sort=False):
        first = group[group["value"] == group["value"].max()]
        if len(first) > 1:
            printed = first["printed"].iloc[0]
            rows.append((dataset, metric, printed, ", ".join(first["method"]), ", ".join(group["method"])))
    return pd.DataFrame(rows, columns=["dataset", "metric", "value", "first", "methods"])


def findings() -> dict[str, str]:
    """Numbers for the page's text."""
    table = b6_numbers()
    exact = table["verdict"] == Verdict.EXACT.word
    quotients, sets = (table["column"].str.endswith(end) for end in ("_nwn", "_ds"))
    sums = [sum(one.iwn for (_, metric), one in counts(rule).items() if metric == "all") for rule in _RULES]
    by_row = solutions_by_row()
    return {
        "results": f"{len(results()):,}",
        "quotients": f"{quotients.sum()}",
        "quotients-exact": f"{(quotients & exact).sum()}",
        "sets-exact": f"{(sets & exact).sum()}",
        "totals-exact": f"{table.loc[table['column'].isin(['wn', 'iwn']), 'verdict'].eq(Verdict.EXACT.word).sum()}",
        "overall-exact": f"{(table['column'].eq('nwn') & exact).sum()}",
        "print-errors": f"{(~exact).sum()}",
        "rows-between-rules": f"{len(rows_between_rules())}",
        "iwn-computed": f"{sums[0]:,}",
        "iwn-formula": f"{sums[1]:,}",
        "rows-one": f"{(by_row['as_read'] == 1).sum()}",
        "rows-several": f"{(by_row['as_read'] > 1).sum()}",
        "rows-none": f"{(by_row['as_read'] == 0).sum()}",
        "rows-corrected": f"{(by_row['corrected'] == 1).sum()}",
    }


_RULES = (AS_COMPUTED, AS_PRINTED)


@cache
def solutions_by_row() -> pd.DataFrame:
    """Count the sets of whole numbers that fit each row of Table B.6, as read and after the corrections.

    Returns
    -------
    DataFrame
        method, as_read, corrected (numbers of solutions), and the one solution of the corrected row as text, if it
        is the only one.
    """
    paper = load_paper("tax2015")
    rows = []
    for method in paper["b6"].rows:
        read = row_splits(paper["b6"], method)
        corrected = row_splits(paper.corrected("b6"), method)
        only = corrected[0] if len(corrected) == 1 else {}
        text = ", ".join(f"{metric} {wins}/{possible}" for metric, (wins, possible) in only.items())
        rows.append({"method": method, "as_read": len(read), "corrected": len(corrected), "solution": text})
    return pd.DataFrame(rows)
