"""The study trained while the page is built, and what differs from the record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ltrlib.errors import RecordError
from ltrlib.papers.busafekete2012.study.page import Study
from ltrlib.papers.busafekete2012.study.plans import PLANS, Plan
from ltrlib.papers.busafekete2012.study.records import Tables, queries_of, runs_of
from ltrlib.papers.busafekete2012.study.runs import run
from ltrlib.papers.busafekete2012.study.tables import recorded

if TYPE_CHECKING:
    import pandas as pd

    from ltrlib.records.record import Record

__all__ = ["differences", "repeated", "results_of", "run", "study_of", "unlike_record"]

_TRAINING = ["learner", "trained_under", "fold", "seed"]


def results_of(plan: Plan, *, recompute: bool = False) -> tuple[Tables, Record | None]:
    """What the record holds of a plan; trained now if wanted, or if the data set is not recorded.

    Returns
    -------
    tuple
        The tables, and the record that they come from; None if they were trained now.
    """
    try:
        runs_of(plan.dataset).read()
    except RecordError:
        recompute = True
    return (run(plan), None) if recompute else recorded(plan)


def study_of(plan: Plan, *, recompute: bool = False) -> Study:
    """The study that a plan names, as the chapter shows it."""
    found, record = results_of(plan, recompute=recompute)
    return Study(found, record or plan.dataset, plan.learners)


def repeated(dataset: str) -> str:
    """Train the quick learners on one fold now, and say in words whether they repeat their record."""
    quick = Plan(dataset, ["AdaRank", "RankBoost", "RankSVM", "LambdaMART"], [1], [1], ["yahoo", "ranklib", "letor4"])
    trained = run(quick)
    if dataset not in PLANS:
        return f"{len(trained.runs)} trainings were made; a stand-in has no record to compare with."
    problems = unlike_record(dataset, trained)
    return "; ".join(problems) or f"All {len(trained.runs)} trainings repeat their record, query by query."


def unlike_record(dataset: str, again: Tables) -> list[str]:
    """Say which trainings differ from those recorded, one line each; an empty list means that none does."""
    return differences(Tables(runs_of(dataset).read().table, queries_of(dataset).read().table), again)


def differences(before: Tables, again: Tables) -> list[str]:
    """Say which trainings of ``again`` differ from those of ``before``, one line each.

    Examples
    --------
    >>> import pandas as pd
    >>> runs = pd.DataFrame({"learner": ["AdaRank"], "trained_under": "yahoo", "fold": 1, "seed": 1, "size": 3})
    >>> differences(Tables(runs, runs[:0]), Tables(runs.assign(size=4), runs[:0]))
    ['AdaRank trained under yahoo, fold 1, seed 1: size is 4, recorded 3']
    """
    problems = []
    old_runs, new_runs = (_by_training(tables.runs) for tables in (before, again))
    old_queries, new_queries = (_by_training(tables.queries) for tables in (before, again))
    for which, new in new_runs.items():
        said = "{} trained under {}, fold {}, seed {}".format(*which)
        if which not in old_runs:
            problems.append(f"{said}: not in the record")
            continue
        for name in new.columns.difference([*_TRAINING, "seconds"], sort=False):
            ours, theirs = new[name].iloc[0], old_runs[which][name].iloc[0]
            if ours != theirs:
                problems.append(f"{said}: {name} is {ours}, recorded {theirs}")
        if which in new_queries:
            rows = new_queries[which].set_index("query")
            old = old_queries[which].set_index("query").reindex(rows.index)
            differ = ~((rows == old) | (rows.isna() & old.isna())).all(axis=1)
            if differ.any():
                problems.append(f"{said}: {int(differ.sum())} of {len(rows)} queries have other values")
    return problems


def _by_training(table: pd.DataFrame) -> dict[tuple[object, ...], pd.DataFrame]:
    return {which if isinstance(which, tuple) else (which,): rows for which, rows in table.groupby(_TRAINING)}
