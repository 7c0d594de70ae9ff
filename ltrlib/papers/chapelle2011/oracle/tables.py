"""What the page shows: oracle gains with their null, the signed lesson, and the numbers of its prose."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from ltrlib.claims.cells import Measured
from ltrlib.errors import RecordError
from ltrlib.papers.chapelle2011.challenge import NAMES
from ltrlib.papers.chapelle2011.oracle.gains import (
    OracleGain,
    beyond_chance,
    lesson_gains,
    oracle_gain,
    oracle_margin,
    printed_gain,
    small_gap,
)
from ltrlib.papers.chapelle2011.oracle.plans import DATASETS, GROUPS, LESSON_DATASETS, NULLS
from ltrlib.papers.chapelle2011.oracle.records import SPLITS, members_of_oracle
from ltrlib.published.tables import load_paper
from ltrlib.records.record import Record

__all__ = [
    "all_gains",
    "gains_of",
    "gains_table",
    "glue_numbers",
    "lesson_record",
    "lesson_table",
    "lessons",
    "numbers",
    "oracle_records",
    "summary",
]

Gains = Mapping[str, Mapping[str, OracleGain]]
"""Oracle gains by data set and group."""


def oracle_records() -> dict[str, Record]:
    """What was recorded for the oracle, by data set."""
    found = {}
    for dataset in DATASETS:
        try:
            found[dataset] = members_of_oracle(dataset).read()
        except RecordError:
            continue
    return found


def gains_of(table: pd.DataFrame, metric: str = "err") -> dict[str, OracleGain]:
    """The oracle's gain over each group on one data set."""
    return {group: oracle_gain(table[table["group"] == group], metric) for group in GROUPS}


def all_gains(records: Mapping[str, Record], metric: str = "err") -> dict[str, dict[str, OracleGain]]:
    """The oracle's gain over each group on each data set."""
    return {dataset: gains_of(record.table, metric) for dataset, record in records.items()}


def gains_table(gains: Gains) -> pd.DataFrame:
    """One row per data set and group: the best member, the oracle, its gain with the interval, the sum of scores."""
    rows = []
    for dataset, groups in gains.items():
        for group, found in groups.items():
            low, high = found.measured.interval()
            rows.append(
                {
                    "data": NAMES[dataset],
                    "the oracle chooses from": GROUPS[group],
                    "best alone": f"{found.best:.4f}",
                    "oracle": f"{found.oracle:.4f}",
                    "gain": f"{found.gain:+.1%}",
                    "95% interval": f"{low:+.1%} to {high:+.1%}",
                    "gain of adding scores": f"{found.gain_of_sum:+.1%}",
                }
            )
    return pd.DataFrame(rows)


def lesson_record() -> Record:
    """The recorded repeated splits."""
    return SPLITS.read()


def lessons(table: pd.DataFrame, metric: str = "ndcg") -> dict[str, dict[str, Measured]]:
    """Gains of ranking losses by data set."""
    return {dataset: lesson_gains(table[table["dataset"] == dataset], metric) for dataset in LESSON_DATASETS}


def lesson_table(found: Mapping[str, Mapping[str, Measured]]) -> pd.DataFrame:
    """What ranking losses gain with each class of functions, and the difference."""
    titles = {"linear": "linear functions", "trees": "trees", "difference": "linear less trees"}
    gap, rows = small_gap(load_paper("chapelle2011")), []
    for dataset, gains in found.items():
        for name, title in titles.items():
            low, high = gains[name].interval()
            rows.append(
                {
                    "data": NAMES[dataset],
                    "gain with": title,
                    "gain": f"{gains[name].value:+.4f}",
                    "95% interval": f"{low:+.4f} to {high:+.4f}",
                    "margin": f"{gap * gains['level'].value:.4f}",
                }
            )
    return pd.DataFrame(rows)


def numbers(gains: Gains, found: Mapping[str, Mapping[str, Measured]]) -> dict[str, str]:
    """Numbers of the prose."""
    paper = load_paper("chapelle2011")
    real = gains["mq2008"]
    null = [real[group].gain for group in NULLS]
    share = sorted(one / real["rankers"].gain for one in null)
    middle = sum(null) / len(null)
    best_sum = max(groups["rankers"].gain_of_sum for groups in gains.values())
    shown = {
        "printed": f"{printed_gain(paper):.1%}",
        "rankers": f"{real['rankers'].gain:.1%}",
        "null-least": f"{min(null):.1%}",
        "null-most": f"{max(null):.1%}",
        "null-mean": f"{middle:.1%}",
        "null-largest": GROUPS[max(NULLS, key=lambda group: real[group].gain)],
        "share-least": f"{share[0]:.0%}",
        "share-most": f"{share[-1]:.0%}",
        "share": f"{middle / real['rankers'].gain:.0%}",
        "selection-least": f"{share[0] * printed_gain(paper):.1%}",
        "selection-mean": f"{middle / real['rankers'].gain * printed_gain(paper):.1%}",
        "margin": f"{oracle_margin(paper):.1%}",
        "beyond": f"{beyond_chance(dict(real)).value:+.1%}",
        "sum": f"{real['rankers'].gain_of_sum:+.1%}",
        "sums": _listed(
            [f"{groups['rankers'].gain_of_sum:+.1%} on {NAMES[dataset]}" for dataset, groups in gains.items()]
        ),
        "best-sum": f"{best_sum:+.1%}",
        "gap": f"{2 * small_gap(paper):.1%}",
    }
    if "ohsumed" in gains:
        small = gains["ohsumed"]
        nulls = [small[group].gain for group in NULLS]
        shown["ohsumed"] = (
            f"On OHSUMED ten rankers give {small['rankers'].gain:.1%}, and copies of one {min(nulls):.1%} to "
            f"{max(nulls):.1%}."
        )
    else:
        shown["ohsumed"] = "On OHSUMED it is not recorded yet."
    across = sum(low < 0 < high for low, high in (one["difference"].interval() for one in found.values()))
    words = ("neither interval contains 0", "one of the two intervals contains 0", "both intervals contain 0")
    shown["lesson-told"] = words[across]
    for dataset, one in found.items():
        low, high = one["difference"].interval()
        shown[f"lesson-{dataset}"] = f"{one['difference'].value:+.4f}"
        shown[f"lesson-{dataset}-interval"] = f"{low:+.4f} to {high:+.4f}"
        shown[f"lesson-{dataset}-linear"] = f"{one['linear'].value:+.4f}"
        shown[f"lesson-{dataset}-trees"] = f"{one['trees'].value:+.4f}"
    return shown


def _listed(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if parts[1:] else parts[0]


def summary(gains: Gains, found: Mapping[str, Mapping[str, Measured]]) -> list[str]:
    """The three sentences with which the page opens."""
    told = numbers(gains, found)
    return [
        f"The challenge's oracle gains {told['printed']} in ERR over the winner. On MQ2008 an oracle gains "
        f"{told['rankers']} over ten different rankers and {told['null-least']} to {told['null-most']} over ten copies "
        f"of one ranker: {told['share-least']} to {told['share-most']} as much, by hindsight alone.",
        f"Without hindsight there is less to gain: adding up the scores of all rankers changes ERR by {told['sums']}.",
        "Ranking losses should gain more with linear functions than with trees. Over repeated splits the difference is "
        f"{told['lesson-mq2008']} NDCG@10 on MQ2008 ({told['lesson-mq2008-interval']}) and "
        f"{told['lesson-ohsumed']} on OHSUMED ({told['lesson-ohsumed-interval']}): {told['lesson-told']}.",
    ]


def glue_numbers(glue: Callable[[str, str], None], gains: Gains, found: Mapping[str, Mapping[str, Measured]]) -> None:
    """Hand every number of the prose to the page."""
    for key, text in numbers(gains, found).items():
        glue(f"chapelle2011.oracle.{key}", text)
