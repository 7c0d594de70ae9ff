"""What the page on the whole paper says first, and how the paper lays out Tables 4 and B.6."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ltrlib.claims.claim import Outcome
from ltrlib.claims.rules import Judgement
from ltrlib.claims.verdict import Verdict
from ltrlib.papers.tax2015.audit.tables import rows_between_rules
from ltrlib.papers.tax2015.b6 import METRICS, NOTHING, enumerated, front_of, points_of, table4_column
from ltrlib.papers.tax2015.counted import print_of
from ltrlib.papers.tax2015.matrix import results
from ltrlib.papers.tax2015.pareto.combinations import every_combination
from ltrlib.published.layout import TableLayout
from ltrlib.published.tables import load_paper

__all__ = ["TABLE4", "counted_again", "misprints", "numbers", "summary", "table_b6"]

_COUNTED = ("b6.recomputed-nwn", "b6.recomputed-iwn", "b6.recomputed-datasets", "table4.from-results")
_OTHER_RULE = "By the printed formula IWN is one more: it has a result on the data set where two methods tie for first."
_MISPRINT = "An error of the print: the rest of the row contradicts it, and so do the results."

_CONVENTION = "ndcg:not stated by the sources"

TABLE4 = TableLayout(
    "tax2015",
    "table4",
    "Table 4 of the paper: NWN and IWN with one metric left out. In each cell the printed number, below it ours, "
    "counted from the evaluation results.",
    {
        f"{table4_column(left_out)}_{name.lower()}": f"{'without ' * (left_out != NOTHING)}{title} | {name}"
        for left_out, title in {NOTHING: "All", "MAP": "MAP", **{metric: metric for metric in METRICS}}.items()
        for name in ("NWN", "IWN")
    },
    convention=_CONVENTION,
)


def table_b6() -> TableLayout:
    """Table B.6 in its own layout; rows with an error of the print, or that depend on the rule of IWN, have a note.

    Examples
    --------
    >>> table_b6().printed("FSM^SVM", "ndcg3_nwn"), len(table_b6().columns)
    ('0.2292', 11)
    """
    paper = load_paper("tax2015")
    printed, read = print_of(paper), paper["b6"]
    per_metric = {
        f"{column}_{name}": f"{metric} | {head}"
        for metric, column in METRICS.items()
        for name, head in (("nwn", "NWN"), ("ds", "#ds"))
    }
    misprints = {place.rpartition(" / ")[0] for place in paper["b6_errata"].rows}
    notes = dict.fromkeys((row for row in read.rows if row in misprints), _MISPRINT)
    return TableLayout(
        "tax2015",
        "b6",
        "Table B.6 of the paper: NWN and number of data sets for each metric, then wins, possible wins and their "
        "quotient over all four. In each cell the printed number, below it ours. Click on a head to sort.",
        per_metric | {name.lower(): f"All metrics | {name}" for name in ("WN", "IWN", "NWN")},
        row_notes=notes | dict.fromkeys(rows_between_rules()["method"], _OTHER_RULE),
        as_printed={
            (row, column): printed.text(row, column)
            for row in read.rows
            for column in read.header.columns
            if column != "method" and printed.text(row, column) != read.text(row, column)
        },
        convention=_CONVENTION,
    )


def misprints() -> str:
    """The errors of the print, as a sentence part: method, column, printed and right.

    Examples
    --------
    >>> misprints().startswith("FocusedBoost at NDCG@3 (0.3753 instead of 0.3750)")
    True
    """
    errata, heads = load_paper("tax2015")["b6_errata"], table_b6().columns
    found = []
    for place in errata.rows:
        method, _, column = place.rpartition(" / ")
        group, _, name = heads[column].partition(" | ")
        where = "over all metrics" if column == "nwn" else f"at {group}" + (", data sets" if name == "#ds" else "")
        found.append(f"{method} {where} ({errata.text(place, 'printed')} instead of {errata.text(place, 'right')})")
    return enumerated(found)


def counted_again(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Keep the claims that count every number of Tables 4 and B.6 again from the evaluation results.

    Parameters
    ----------
    outcomes
        All checked claims of the paper.

    Examples
    --------
    >>> from ltrlib.claims.registry import claims
    >>> found = counted_again([claim.check() for claim in claims("tax2015", "audit")])
    >>> [len(outcome.judgements) for outcome in found]
    [328, 174, 241]
    """
    by_id = _by_id(outcomes)
    return [by_id[name] for name in _COUNTED if name in by_id]


def summary(outcomes: Sequence[Outcome]) -> list[str]:
    """The answer in three sentences, with the numbers of the checked claims.

    Parameters
    ----------
    outcomes
        All checked claims of the paper.

    Examples
    --------
    >>> from ltrlib.claims.registry import claims
    >>> len(summary([claim.check() for claim in claims("tax2015")]))
    3
    """
    paper, known = load_paper("tax2015"), _by_id(outcomes)
    table4, judged = known["table4.from-results"].judgements, counted_again(outcomes)
    b6 = [one for outcome in judged for one in outcome.judgements if one.address and one.address[0] == "b6"]
    front, named = front_of(points_of(paper)), paper.names("abstract-front")
    left_out = sorted(front - set(named))
    same = "the same" if known["b6.front-of-either-rule"].verdict is Verdict.EXACT else "not the same"
    steady = _steady(named)
    in_words = _NUMBERS.get(len(named), str(len(named)))
    more = _NUMBERS.get(len(left_out), str(len(left_out)))
    return [
        f"The numbers hold. Counted again from the {len(results()):,} evaluation results behind it, Table B.6 has "
        f"{_exact(b6)} of {len(b6)} numbers as printed; the other {len(b6) - _exact(b6)} are errors of the print. "
        f"Table 4 has {_exact(table4)} of {len(table4)}.",
        f"The front has more members than the paper names. All {in_words} methods of the abstract are Pareto optimal; "
        f"by the paper's own definition so are {more} more: {enumerated(left_out)}.",
        f"IWN, the possible wins, was not counted by the printed formula: {len(rows_between_rules())} rows differ by "
        f"one, and the front is {same}. Of the {in_words}, {enumerated(steady)} stay on it whichever doubtful results "
        "one moves or leaves out.",
    ]


_NUMBERS = {3: "three", 4: "four", 5: "five", 6: "six"}


def numbers() -> dict[str, str]:
    """Numbers of the page's text, by the name under which the page shows them.

    Examples
    --------
    >>> sorted(numbers())
    ['misprints']
    """
    return {"misprints": misprints()}


def _by_id(outcomes: Sequence[Outcome]) -> Mapping[str, Outcome]:
    return {outcome.claim.id.removeprefix("tax2015."): outcome for outcome in outcomes}


def _exact(judgements: Sequence[Judgement]) -> int:
    return sum(one.verdict is Verdict.EXACT for one in judgements)


def _steady(named: Sequence[str]) -> list[str]:
    """Those of the named methods that are on the front in every combination of the doubts."""
    always = every_combination().always()
    return [method for method in named if method in always]
