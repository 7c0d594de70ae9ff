"""Train a part of the study anew and compare it with the record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ltrlib.papers.busafekete2012.study.runs import Plan, Tables, as_recorded, read, run
from ltrlib.papers.busafekete2012.study.scores import QUERY_COLUMNS

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["check_against_record", "differences"]

_RUN = ["learner", "trained_under", "fold", "seed"]
_SAME = ["parameters", "size", "vali", "tied"]


def check_against_record(plan: Plan) -> list[str]:
    """Train what the plan names, and say in what it differs from the record; an empty list means in nothing.

    Settings that are not the paper's are those of the record. The learners that are random repeat themselves too, for
    the same seed, data and versions of the libraries.

    Examples
    --------
    >>> check_against_record(Plan("standin/mq2008", learners=("AdaRank",), folds=(1,)))
    Traceback (most recent call last):
    ...
    ltrlib.errors.RecordError: data/results/busafekete2012/standin-mq2008-queries.provenance.json: there is no record
    busafekete2012/standin-mq2008-queries
      to do: run what makes it, or check the name
    """
    queries, runs = read(plan.dataset, "queries"), read(plan.dataset, "runs")
    return differences(Tables(runs.table, queries.table), run(as_recorded(plan, runs)))


def differences(recorded: Tables, again: Tables) -> list[str]:
    """Say which trainings of ``again`` differ from those recorded, one line each.

    Examples
    --------
    >>> import pandas as pd
    >>> from ltrlib.papers.busafekete2012.study.scores import RUN_COLUMNS
    >>> runs = pd.DataFrame([("AdaRank", "yahoo", 1, 1, "{}", 3, 0.5, 0.0, 0.1)], columns=list(RUN_COLUMNS))
    >>> none = pd.DataFrame(columns=list(QUERY_COLUMNS))
    >>> differences(Tables(runs, none), Tables(runs.assign(size=4), none))
    ['AdaRank trained under yahoo, fold 1, seed 1: size is 4, recorded 3']
    """
    problems = []
    old_runs, new_runs = (_by_training(tables.runs) for tables in (recorded, again))
    old_queries, new_queries = (_by_training(tables.queries) for tables in (recorded, again))
    values = [name for name, kind in QUERY_COLUMNS.items() if kind == "float"]
    for which, new in new_runs.items():
        said = "{} trained under {}, fold {}, seed {}".format(*which)
        if which not in old_runs:
            problems.append(f"{said}: not in the record")
            continue
        for name in _SAME:
            ours, theirs = new[name].iloc[0], old_runs[which][name].iloc[0]
            if ours != theirs:
                problems.append(f"{said}: {name} is {ours}, recorded {theirs}")
        if which in new_queries:
            rows, old_rows = (tables[which].set_index("query")[values] for tables in (new_queries, old_queries))
            differ = (rows != old_rows.reindex(rows.index)).any(axis=1)
            if differ.any():
                problems.append(f"{said}: {int(differ.sum())} of {len(rows)} queries have other values")
    return problems


def _by_training(table: pd.DataFrame) -> dict[tuple[object, ...], pd.DataFrame]:
    return {which if isinstance(which, tuple) else (which,): rows for which, rows in table.groupby(_RUN)}
