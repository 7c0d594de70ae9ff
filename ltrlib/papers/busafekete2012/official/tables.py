"""What the page on the official baselines shows, and the numbers of its prose."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ltrlib.papers.busafekete2012.official.agreement import (
    adarank,
    agreement,
    beside,
    chosen,
    differing_by_digits,
    inside_tolerance,
    spread,
    written_beside,
)
from ltrlib.papers.busafekete2012.official.records import AS_OFFICIAL, FOLDS, METRICS, PRECISIONS
from ltrlib.papers.busafekete2012.official.variants import METHODS

__all__ = [
    "DIGITS",
    "METHOD_NOTES",
    "digits_table",
    "drawn",
    "findings",
    "glued",
    "opening",
    "picked",
    "summary",
    "tried",
    "variant_table",
    "written_findings",
]

DIGITS = 6
"""Significant digits that C++ writes of a number unless it is told otherwise."""

METHOD_NOTES = {
    "RankBoost": "official settings; rounds chosen by our own validation",
    "RankSVM-Struct": "official C; 21 starting points of the solver",
    "AdaRank-MAP": "settings unknown; our defaults",
    "AdaRank-NDCG": "settings unknown; our defaults",
    "ListNet": "settings unknown; our defaults, five seeds",
}
"""How each method was trained."""


def _by_variant(values: pd.DataFrame) -> dict[tuple[str, str], dict[str, Any]]:
    rows = agreement(values).to_dict("records")
    return {(row["method"], row["variant"]): {str(key): value for key, value in row.items()} for row in rows}


def drawn(values: pd.DataFrame) -> pd.DataFrame:
    """The differences on the test parts with the official settings."""
    return beside(values).query("variant == @AS_OFFICIAL and part == 'test'")


def tried(values: pd.DataFrame) -> pd.DataFrame:
    """The agreement of all variants but the grid of C."""
    return agreement(values).query("not variant.str.startswith('C = ')")


def variant_table(values: pd.DataFrame, method: str) -> pd.DataFrame:
    """The variants of a method, nearest first, as text."""
    found = agreement(values).query("method == @method and not variant.str.startswith('C = ')").sort_values("mean_gap")
    return pd.DataFrame(
        {
            "trained with": found["variant"],
            "equal": [f"{a} of {b}" for a, b in zip(found["equal"], found["numbers"], strict=True)],
            "mean difference, absolute": found["mean_gap"].map("{:.4f}".format),
            "largest": found["largest_gap"].map("{:.4f}".format),
        }
    )


def picked(values: pd.DataFrame, fits: pd.DataFrame) -> pd.DataFrame:
    """What was chosen, as text."""
    found = chosen(values, fits)
    return pd.DataFrame(
        {
            "fold": found["fold"],
            "rounds, ours": found["rounds"],
            "official": found["official_rounds"],
            "C, ours": found["c"].map("{:g}".format),
            "official C": found["official_c"].map("{:g}".format),
            "MAP lost by it": found["c_loss"].map("{:.4f}".format),
        }
    )


def summary(values: pd.DataFrame) -> pd.DataFrame:
    """One row per method, as text: numbers compared, equal, differences, and the means of test MAP and NDCG@10."""
    found, both = _by_variant(values), drawn(values)
    rows = []
    for method in METHODS:
        row = found[method, AS_OFFICIAL]
        at = both[(both["method"] == method) & (both["metric"] == "NDCG@10")]
        rows.append(
            {
                "method": method,
                "trained": METHOD_NOTES[method],
                "equal, test": f"{row['test_equal']} of {row['test_numbers']}",
                "equal, all parts": f"{row['equal']} of {row['numbers']}",
                "mean difference": f"{row['mean_difference']:+.4f}",
                "largest, absolute": f"{row['largest_gap']:.4f}",
                "NDCG@10 official": f"{at.groupby('fold')['official'].first().mean():.4f}",
                "ours": f"{at.groupby('fold')['value'].mean().mean():.4f}",
            }
        )
    return pd.DataFrame(rows)


def findings(values: pd.DataFrame, fits: pd.DataFrame) -> dict[str, str]:
    """Numbers for the page's text, formatted."""
    found = _by_variant(values)
    boost, svm = found["RankBoost", AS_OFFICIAL], found["RankSVM-Struct", AS_OFFICIAL]
    picks = chosen(values, fits)
    within, numbers = inside_tolerance(values)
    ada, (stops, most) = adarank(values), spread(values)
    rest = [row["equal"] for (method, name), row in found.items() if method == "RankBoost" and name != AS_OFFICIAL]
    ways = ada.groupby("method")["ways"].first()
    return {
        "boost-equal": f"{boost['test_equal']:.0f}",
        "boost-numbers": f"{boost['test_numbers']:.0f}",
        "boost-all-equal": f"{boost['equal']:.0f}",
        "boost-all": f"{boost['numbers']:.0f}",
        "boost-largest": f"{boost['largest_gap']:.4f}",
        "boost-others": str(max(rest)),
        "rounds-equal": str(int((picks["rounds"] == picks["official_rounds"]).sum())),
        "rounds": ", ".join(map(str, picks["rounds"])),
        "folds": str(len(FOLDS)),
        "svm-gap": f"{svm['mean_gap']:.4f}",
        "svm-exact": f"{found['RankSVM-Struct', 'solved exactly']['mean_gap']:.4f}",
        "svm-spread": f"{stops:.4f}",
        "svm-map-spread": f"{most:.4f}",
        "svm-within": str(within),
        "svm-numbers": str(numbers),
        "svm-squared": f"{found['RankSVM-Struct', 'errors squared']['mean_gap']:.4f}",
        "c-equal": str(int((picks["c"] == picks["official_c"]).sum())),
        "c-loss": f"{picks['c_loss'].max():.4f}",
        "ada-lower": str(int((ada["ours"] < ada["official"]).sum())),
        "ada-numbers": str(len(ada)),
        "ada-ndcg": f"{found['AdaRank-NDCG', AS_OFFICIAL]['mean_difference']:+.4f}",
        "ada-map": f"{found['AdaRank-MAP', AS_OFFICIAL]['mean_difference']:+.4f}",
        "ada-ways-ndcg": str(ways["AdaRank-NDCG"]),
        "ada-ways-map": str(ways["AdaRank-MAP"]),
        "listnet": f"{found['ListNet', AS_OFFICIAL]['mean_difference']:+.4f}",
        "metrics": str(len(METRICS)),
    }


def digits_table(written: pd.DataFrame) -> pd.DataFrame:
    """How many official numbers come out, by the digits with which the thresholds are written."""
    differ, both = differing_by_digits(written), written_beside(written)
    each = len(both) // len(differ)
    rows = []
    for digits in sorted({digits for digits, _ in differ}):
        row = {"digits": str(digits)}
        row |= {f"{name} precision": f"{each - differ[digits, name]} of {each}" for name in PRECISIONS}
        rows.append(row)
    return pd.DataFrame(rows)


def written_findings(written: pd.DataFrame) -> dict[str, str]:
    """Numbers of the text on thresholds as written to a file.

    Examples
    --------
    >>> from ltrlib.papers.busafekete2012.official.records import WRITTEN
    >>> written_findings(WRITTEN.read().table)["written-differ"]
    '0'
    """
    differ = differing_by_digits(written)
    own = {digits: max(differ[digits, name] for name in PRECISIONS) for digits, _ in differ}
    least = {digits: min(differ[digits, name] for name in PRECISIONS) for digits, _ in differ}
    numbers = len(written_beside(written)) // len(differ)
    return {
        "written-digits": str(DIGITS),
        "written-differ": str(own[DIGITS]),
        "written-agree": str(numbers - own[DIGITS]),
        "written-numbers": str(numbers),
        "written-others": str(numbers - min(number for digits, number in least.items() if digits != DIGITS)),
    }


def glued(values: pd.DataFrame, fits: pd.DataFrame, written: pd.DataFrame) -> dict[str, str]:
    """The same under the names by which the prose of the chapter quotes them."""
    found = findings(values, fits) | written_findings(written)
    return {f"official-{key}": text for key, text in found.items()}


def opening(values: pd.DataFrame, fits: pd.DataFrame, written: pd.DataFrame) -> tuple[str, str, str]:
    """Three sentences with which the page opens."""
    n = findings(values, fits) | written_findings(written)
    differ = int(n["written-differ"])
    shortened = "all of them" if not differ else f"all but {differ} of every part"
    return (
        f"With Microsoft's settings, our RankBoost reproduces {n['boost-equal']} of the {n['boost-numbers']} official "
        f"test numbers of MQ2008 to the fourth digit, and {shortened} if its thresholds are kept in "
        f"{n['written-digits']} digits, as a model file may keep them. The validation parts choose the official number "
        f"of rounds in {n['rounds-equal']} of {n['folds']} folds.",
        f"RankSVM's solver stops within a tolerance, so its fourth digit is chance: {n['svm-within']} of "
        f"{n['svm-numbers']} official numbers lie within the spread of our solver's end points. The exact solution is "
        f"{n['svm-exact']} away on average.",
        f"AdaRank stays below {n['ada-lower']} of {n['ada-numbers']} official results, in every way that we tried to "
        "train it. Busa-Fekete et al. had the same trouble.",
    )
