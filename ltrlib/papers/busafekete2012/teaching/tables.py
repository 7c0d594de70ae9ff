"""What the page shows: changes with their errors, AdaRank's weights, and the numbers of its prose."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ltrlib.claims.noise import decide
from ltrlib.errors import RecordError
from ltrlib.papers.busafekete2012.teaching.changes import LETOR, Change, change_of, margin_of
from ltrlib.papers.busafekete2012.teaching.plans import (
    BASELINE,
    LARGE,
    LEARNERS,
    LESSONS,
    MEANINGFUL,
    PLANS,
    SAMPLES,
    lessons_for,
)
from ltrlib.papers.busafekete2012.teaching.records import WEIGHTS, queries_of, runs_of
from ltrlib.records.record import Record

__all__ = [
    "TITLES",
    "Found",
    "all_found",
    "changes_table",
    "found_on",
    "glue_numbers",
    "large_said",
    "last_shares",
    "numbers",
    "records_of",
    "show_changes",
    "summary",
    "weights_numbers",
    "weights_record",
    "weights_table",
]

TITLES = {"mq2008": "MQ2008", "standin/mq2008": "a stand-in with ten times the queries"}
"""Data sets as captions call them."""

_DECIDED = {True: "within", False: "beyond", None: "undecided"}
_TAUGHT = {"short": "short queries score 0", MEANINGFUL: "without empty queries"}


@dataclass(frozen=True, eq=False)
class Found:
    """What was recorded on one data set.

    Parameters
    ----------
    dataset
        Its name.
    changes
        One per learner and lesson.
    margin
        How large a change must be to matter.
    record
        The table of test queries.
    """

    dataset: str
    changes: Sequence[Change]
    margin: float
    record: Record

    def change(self, learner: str, taught: str) -> Change:
        """The change of one learner under one lesson."""
        return next(one for one in self.changes if (one.learner, one.taught) == (learner, taught))


def found_on(dataset: str) -> Found | None:
    """Read what was recorded on a data set; None if nothing was."""
    try:
        runs, queries = runs_of(dataset).read(), queries_of(dataset).read()
    except RecordError:
        return None
    changes = [
        change_of(runs.table, queries.table, learner, lesson)
        for learner in LEARNERS
        for lesson in lessons_for(learner, PLANS[dataset].lessons)
        if lesson != BASELINE
    ]
    return Found(dataset, changes, margin_of(dataset), queries)


def changes_table(found: Found) -> pd.DataFrame:
    """One row per learner and lesson: the change with its interval, both errors, and what the margin says."""
    rows = []
    for one in found.changes:
        low, high = one.measured.interval()
        rows.append(
            {
                "learner": one.learner,
                "taught by": _TAUGHT.get(one.taught, LESSONS[one.taught]),
                "change": f"{one.value:+z.4f}",
                "95% interval": f"{low:+z.4f} to {high:+z.4f}",
                "error: training": f"{one.training_error:.4f}",
                "error: queries": f"{one.query_error:.4f}",
                "draws worse": f"{one.worse:.0%}",
                "margin": _DECIDED[decide((low, high), "equal", found.margin)],
            }
        )
    return pd.DataFrame(rows)


def numbers(found: Found) -> dict[str, str]:
    """Numbers of the prose on one data set."""
    lost = {one.learner: one for one in found.changes if one.taught == "letor4"}
    worst = min(lost.values(), key=lambda one: one.measured.interval()[0])
    ratio = sorted(one.training_error / one.query_error for one in lost.values())
    inside = [decide(one.measured.interval(), "equal", found.margin) for one in found.changes]
    return {
        "samples": f"{SAMPLES}",
        "margin": f"{found.margin:.4f}",
        "letor-least": f"{min(one.value for one in lost.values()):+.4f}",
        "letor-most": f"{max(one.value for one in lost.values()):+.4f}",
        "letor-bound": f"{-worst.measured.interval()[0]:.4f}",
        "letor-bound-learner": worst.learner,
        "ratio-least": f"{ratio[0]:.1f}",
        "ratio-most": f"{ratio[-1]:.1f}",
        "changes": f"{len(found.changes)}",
        "inside": f"{sum(one is True for one in inside)}",
        "beyond": f"{sum(one is False for one in inside) or 'none'}",
    }


def large_said(found: Mapping[str, Found]) -> str:
    """What the stand-in with ten times the queries says, or that nobody has trained on it yet.

    Examples
    --------
    >>> large_said({})
    'These trainings are not recorded yet; the second command at the end of the page makes them.'
    """
    if LARGE not in found:
        return "These trainings are not recorded yet; the second command at the end of the page makes them."
    told = numbers(found[LARGE])
    return (
        f"LETOR's NDCG as teacher changes the four learners' NDCG@10 by {told['letor-least']} to {told['letor-most']}. "
        f"{told['inside']} of the {told['changes']} changes lie within the margin and {told['beyond']} beyond it. "
        f"The intervals allow a loss of {told['letor-bound']} at most ({told['letor-bound-learner']})."
    )


def weights_table(weights: pd.DataFrame) -> pd.DataFrame:
    """Share of AdaRank's query weight on each kind of query in the first, last kept and last round, mean of folds."""
    rows = []
    for taught, own in weights.groupby("taught", sort=False):
        kept = own[own["kept"]]
        first = kept[kept["round"] == 1]
        last = kept.loc[kept.groupby("fold")["round"].idxmax()]
        for kind in ("empty", "short", "rest"):
            rows.append(
                {
                    "taught by": LESSONS[str(taught)],
                    "queries": {"empty": "empty", "short": "short, not empty", "rest": "all others"}[kind],
                    "first round": f"{first[kind].mean():.1%}",
                    "last kept round": f"{last[kind].mean():.1%}",
                    "last round": f"{np.mean(last_shares(weights, str(taught), kind)[1]):.1%}",
                    "rounds kept": f"{last['round'].min()} to {last['round'].max()}",
                }
            )
    return pd.DataFrame(rows)


def last_shares(weights: pd.DataFrame, taught: str, kind: str = "empty") -> tuple[list[float], list[float]]:
    """Share of the weight on one kind of query in the first and in the last round, one value per fold.

    Examples
    --------
    >>> weights = pd.DataFrame({"taught": "yahoo", "fold": 1, "round": [1, 2, 3], "empty": [0.3, 0.2, 0.1]})
    >>> last_shares(weights, "yahoo")
    ([0.3], [0.1])
    """
    own = weights[weights["taught"] == taught].sort_values(["fold", "round"])
    by_fold = own.groupby("fold")[kind]
    return by_fold.first().tolist(), by_fold.last().tolist()


def weights_numbers(weights: pd.DataFrame) -> dict[str, str]:
    """Numbers of the prose on AdaRank's weights."""
    shown: dict[str, str] = {}
    for taught in ("ranklib", "yahoo"):
        first, last = last_shares(weights, taught)
        shown["weight-first"] = f"{sum(first) / len(first):.0%}"
        shown[f"weight-{taught}"] = f"{sum(last) / len(last):.0%}"
    return shown


def summary(found: Mapping[str, Found], weights: pd.DataFrame) -> list[str]:
    """The three sentences with which the page opens."""
    real, of_weights = found["mq2008"], weights_numbers(weights)
    letor = [one for one in real.changes if one.taught == "letor4"]
    told = numbers(real)
    known = {
        one.learner: decide(one.measured.interval(comparisons=LETOR.comparisons), "lower", real.margin)
        for one in letor
        if one.learner != "RankNet"
    }
    confirmed, refuted, unsure = (
        [learner for learner, lost in known.items() if lost is told_so] for told_so in (True, False, None)
    )
    return [
        f"Over {SAMPLES} draws of the training queries, LETOR's NDCG as teacher changes the four learners' NDCG@10 by "
        f"{told['letor-least']} to {told['letor-most']}. Of the three that the paper calls significantly worse, "
        f"{len(confirmed) or 'none'} can be confirmed: a loss that matters ({told['margin']} or more) is ruled out for "
        f"{_listed(refuted)} and open for {_listed(unsure)}.",
        f"The choice of training queries brings {told['ratio-least']} to {told['ratio-most']} times the error of the "
        "test queries, and a significance test over test queries does not see it.",
        "AdaRank treats empty queries as the paper says: they begin with "
        f"{of_weights['weight-first']} of its weight and in the last round have {of_weights['weight-ranklib']} under "
        f"RANKLIB, {of_weights['weight-yahoo']} under YAHOO.",
    ]


def _listed(learners: Sequence[str]) -> str:
    return " and ".join(learners) or "none"


def weights_record() -> Record:
    """The recorded weights of AdaRank."""
    return WEIGHTS.read()


def all_found(first: str = "mq2008") -> dict[str, Found]:
    """What was recorded on each data set, one of them first."""
    read = {dataset: found_on(dataset) for dataset in sorted(PLANS, key=lambda name: name != first)}
    return {dataset: found for dataset, found in read.items() if found is not None}


def records_of(found: Mapping[str, Found]) -> list[Record]:
    """The records behind a figure."""
    return [one.record for one in found.values()]


def glue_numbers(glue: Callable[[str, str], None], found: Mapping[str, Found], weights: pd.DataFrame) -> None:
    """Hand every number of the prose to the page."""
    shown = numbers(found["mq2008"]) | weights_numbers(weights)
    shown |= {"large": large_said(found), "large-margin": f"{margin_of(LARGE):.4f}"}
    for key, text in shown.items():
        glue(f"busafekete2012.teaching.{key}", text)


def show_changes(show_table: Callable[..., None], found: Mapping[str, Found]) -> None:
    """Show the table of changes of each data set."""
    for dataset, one in found.items():
        name = "tab-busafekete2012-teaching" + ("" if dataset == "mq2008" else "-standin")
        where = TITLES[dataset]
        show_table(
            changes_table(one),
            name=name,
            caption=f"Change of NDCG@10 on {where} against being taught by RANKLIB. Last column: whether the interval "
            f"lies within the margin of {one.margin:.4f}.",
            align="llrrrrrl",
            on=one.record,
            convention="ndcg@10:ranklib",
        )
