"""Table B.6 counted again from its evaluation results, and what whole numbers alone could tell about its print."""

from __future__ import annotations

from functools import cache

import pandas as pd

from ltrlib.claims.cells import Value
from ltrlib.claims.rules import Judgement, judge
from ltrlib.claims.verdict import Verdict
from ltrlib.errors import UsageError
from ltrlib.papers.tax2015.b6 import METRICS, row_splits
from ltrlib.papers.tax2015.counted import AS_COMPUTED, AS_PRINTED, Count, counts, print_of
from ltrlib.papers.tax2015.matrix import results
from ltrlib.published.tables import load_paper

__all__ = [
    "b6_numbers",
    "first_places_tied",
    "findings",
    "print_errors",
    "row_in_detail",
    "rows_between_rules",
    "shown_errors",
    "shown_solutions",
    "solutions_by_row",
    "summary",
    "tie_for_first",
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


def print_errors() -> pd.DataFrame:
    """List the numbers of the print that the results contradict: printed, and right."""
    table = b6_numbers()
    return table[table["verdict"] != Verdict.EXACT.word].reset_index(drop=True)


def shown_errors() -> pd.DataFrame:
    """`print_errors` with the names of columns as the paper has them, and the fraction that is right."""
    errors, ours = print_errors(), counts(AS_COMPUTED)
    rows = []
    for method, column, published in errors[["method", "column", "published"]].to_numpy().tolist():
        metric = _METRIC_OF.get(column.partition("_")[0], "all")
        one, title = ours[method, metric], "all metrics" if metric == "all" else metric
        right = f"{one.datasets}" if column.endswith("_ds") else f"{float(one.nwn):.4f} = {one.wn}/{one.iwn}"
        rows.append((method, f"{title}, {'#ds' if column.endswith('_ds') else 'NWN'}", published, right))
    return pd.DataFrame(rows, columns=["method", "column", "printed", "counted"])


_METRIC_OF = {column: metric for metric, column in METRICS.items()}


def row_in_detail(method: str) -> pd.DataFrame:
    """Every number of a row: printed, counted, and its verdict, one line per metric.

    Parameters
    ----------
    method
        The row.

    Examples
    --------
    >>> row_in_detail("FocusedBoost").iloc[0].tolist()
    ['NDCG@3', '0.3753', '18/48 = 0.3750', '2', '2', '≠ inconsistent']
    """
    judged, ours = _judged(), counts(AS_COMPUTED)
    if (method, "wn") not in judged:
        raise UsageError(f"Table B.6 has no method {method!r}", cure="write it as the table does")
    rows = []
    for metric, column in METRICS.items():
        if (method, f"{column}_nwn") in judged:
            one = ours[method, metric]
            nwn, sets = judged[method, f"{column}_nwn"], judged[method, f"{column}_ds"]
            worst = max(nwn.verdict, sets.verdict, key=lambda verdict: verdict.severity)
            rows.append((metric, nwn.published, _fraction(one), sets.published, str(one.datasets), worst))
    total = judged[method, "nwn"]
    worst = max((judged[method, name].verdict for name in _TOTALS.values()), key=lambda verdict: verdict.severity)
    rows.append(("all metrics", total.published, _fraction(ours[method, "all"]), "–", "–", worst))
    shown = [(*row[:-1], f"{row[-1].shape} {row[-1].word}") for row in rows]
    columns = ["metric", "NWN as printed", "counted", "data sets as printed", "counted ", "verdict"]
    return pd.DataFrame(shown, columns=columns)


def _fraction(one: Count) -> str:
    return f"{one.wn}/{one.iwn} = {float(one.nwn):.4f}"


def tie_for_first() -> pd.DataFrame:
    """List the results of the data set on which methods tie for first: value and wins, the best first.

    Examples
    --------
    >>> tie_for_first()["wins"].tolist()[:3]
    [9, 9, 8]
    """
    place, table = first_places_tied().iloc[0], results()
    here = table[(table["dataset"] == place["dataset"]) & (table["metric"] == place["metric"])]
    wins = [int((here["value"] < value).sum()) for value in here["value"]]
    found = pd.DataFrame({"method": here["method"], "value": here["value"], "wins": wins})
    return found.sort_values(["value", "method"], ascending=[False, True], ignore_index=True)


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


def summary() -> list[str]:
    """What the page found, in three sentences.

    Examples
    --------
    >>> summary()[1][:49]
    'The printed formula is not how IWN was computed: '
    """
    told, tied = findings(), first_places_tied()
    (place,) = tied[["dataset", "metric"]].to_numpy().tolist()
    numbers = len(b6_numbers())
    return [
        f"Of {numbers} numbers in Table B.6, {numbers - int(told['print-errors'])} follow from the evaluation results; "
        f"the other {told['print-errors']} are errors of the print, in {len(set(print_errors()['method']))} rows.",
        "The printed formula is not how IWN was computed: the study took the highest WN that a method reached. The two "
        f"rules differ where methods tie for first: once, on {' at '.join(place).replace('Yahoo', 'Yahoo!')}. There "
        f"{told['rows-between-rules']} rows differ by one.",
        f"That is why the IWN column adds up to {told['iwn-computed']}, an odd number. An earlier edition of this page "
        "blamed a superfluous result of AdaRank-MAP; that was wrong.",
    ]


def findings() -> dict[str, str]:
    """Numbers for the page's text."""
    table = b6_numbers()
    exact = table["verdict"] == Verdict.EXACT.word
    quotients, sets = (table["column"].str.endswith(end) for end in ("_nwn", "_ds"))
    sums = [sum(one.iwn for (_, metric), one in counts(rule).items() if metric == "all") for rule in _RULES]
    by_row, errors = solutions_by_row(), shown_errors().set_index("method")
    extra = results().set_index(["method", "dataset"])["printed"]
    return {
        "misprint": errors.loc["FocusedBoost", "printed"],
        "misprint-right": errors.loc["FocusedBoost", "counted"],
        "thirteenth": extra["AdaRank-MAP", "Yahoo Set 1"],
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


def shown_solutions() -> pd.DataFrame:
    """`solutions_by_row` for the rows that have none or several as read, as text.

    Examples
    --------
    >>> shown_solutions().columns.tolist()
    ['method', 'sets that fit as read', 'after correction', 'the one that is left']
    """
    rows = solutions_by_row()
    heads = ["method", "sets that fit as read", "after correction", "the one that is left"]
    return rows[rows["as_read"] != 1].astype(str).set_axis(heads, axis=1)
