"""The tables of the chapter: recorded results, effects of the training metric, other data sets."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pandas as pd

from ltrlib.errors import RecordError
from ltrlib.papers.busafekete2012.study.learners import CONVENTIONS, CUTOFF, CUTOFFS, LEARNERS
from ltrlib.papers.busafekete2012.study.plans import Plan
from ltrlib.papers.busafekete2012.study.records import Tables, queries_of, runs_of
from ltrlib.papers.busafekete2012.study.results import JUDGE, curves, paired_differences
from ltrlib.published.names import name as called
from ltrlib.published.tables import load_paper
from ltrlib.records.record import Record

__all__ = [
    "FIGURE1",
    "FIGURE2",
    "as_run",
    "beyond_zero",
    "choices",
    "drawn",
    "effects",
    "halves",
    "recorded",
    "significance",
    "significance_in_short",
    "tool_table",
]


FIGURE1 = load_paper("busafekete2012").names("figure1-learners")
"""Learners of the paper's Figure 1, in its order."""

FIGURE2 = load_paper("busafekete2012").names("figure2-learners")
"""Learners of the paper's Figure 2."""


def drawn(dataset: str) -> tuple[Record, pd.DataFrame]:
    """The record of a data set's test queries, and the curves that Figures 1 and 2 show of it.

    Examples
    --------
    >>> record, found = drawn("mq2008")
    >>> record.name, sorted(found["tool"].unique())
    ('busafekete2012/mq2008-queries', ['letor4', 'ranklib', 'yahoo'])
    """
    record = queries_of(dataset).read()
    return record, curves(record.table)


def recorded(plan: Plan) -> tuple[Tables, Record]:
    """What the record of a data set holds of a plan, and the record of its trainings.

    Examples
    --------
    >>> tables, record = recorded(Plan("mq2008", learners=("AdaRank",), folds=(1,)))
    >>> sorted(tables.runs["trained_under"].unique()), record.name
    (['discount', 'letor4', 'ranklib', 'short', 'yahoo'], 'busafekete2012/mq2008-runs')
    """
    record, queries = runs_of(plan.dataset).read(), queries_of(plan.dataset).read().table
    wanted = {(one.learner, one.fold, one.seed, one.convention) for one in plan.trainings()}
    kept = [_of_plan(table, wanted) for table in (record.table, queries)]
    if kept[0].empty:
        raise RecordError(f"nothing that the plan names is in {record.name}", cure="recompute, or choose other values")
    return Tables(*kept), record


def _of_plan(table: pd.DataFrame, wanted: set[tuple[str, int, int, str]]) -> pd.DataFrame:
    keys = table[["learner", "fold", "seed", "trained_under"]].itertuples(index=False, name=None)
    return table[[key in wanted for key in keys]].reset_index(drop=True)


def as_run(datasets: Sequence[str]) -> pd.DataFrame:
    """How the records were made, beside the paper's protocol: layouts and restarts tried, seeds, time; as text.

    Examples
    --------
    >>> as_run(["mq2008"]).values.tolist()[0][:4]
    ['MQ2008', '12 of 12', '30', '5']
    """
    grid, settings = LEARNERS["RankNet"].grid, LEARNERS["CoordinateAscent"].settings
    rows = []
    for dataset in datasets:
        made = runs_of(dataset).read().provenance
        given = made["parameters"]
        tried = given["grids"].get("RankNet", grid)["hidden"]
        restarts = given["changes"].get("CoordinateAscent", settings)["restarts"]
        minutes = f"{made['work_s'] / 60:.0f}"
        rows.append(
            (
                called("data", dataset),
                f"{len(tried)} of {len(grid['hidden'])}",
                f"{restarts}",
                f"{len(made['seeds'])}",
                minutes,
            )
        )
    names = ["data set", "RankNet's layouts", "CoordinateAscent's restarts", "seeds", "minutes of one core"]
    return pd.DataFrame(rows, columns=names)


def choices(runs: pd.DataFrame) -> pd.DataFrame:
    """What the validation part decided: sizes of the models, and parameters with the number of folds and seeds.

    Examples
    --------
    >>> runs = pd.DataFrame({"learner": "RankSVM", "trained_under": "yahoo", "size": [0, 0],
    ...                      "parameters": ['{"C": 0.1}', '{"C": 1.0}']})
    >>> choices(runs).values.tolist()
    [['RankSVM', 'YAHOO', '–', 'C 0.1 (1), C 1 (1)']]
    """
    rows = []
    for (learner, under), group in runs.groupby(["learner", "trained_under"], sort=False):
        sizes = group["size"]
        spread = f"{sizes.median():.0f} ({sizes.min()} to {sizes.max()})" if sizes.max() else "–"
        said = [_in_words(json.loads(text)) for text in group["parameters"]]
        counted = pd.Series(said).value_counts().items()
        chosen = ", ".join(f"{words} ({number})" for words, number in counted if words) or "–"
        rows.append((learner, CONVENTIONS[str(under)].title, spread, chosen))
    return pd.DataFrame(rows, columns=["learner", "trained under", "size: median (range)", "chosen (times)"])


def _in_words(parameters: dict[str, object]) -> str:
    if isinstance(hidden := parameters.get("hidden"), list):
        return f"{len(hidden)} × {hidden[0]}"
    return ", ".join(f"{name} {value:g}" for name, value in parameters.items())


def effects(queries: pd.DataFrame, learners: Sequence[str], *, tool: str = JUDGE) -> pd.DataFrame:
    """Differences to training under RankLib's convention, query by query, at each cut-off.

    Examples
    --------
    >>> table = pd.DataFrame({"learner": "L", "trained_under": ["ranklib"] * 2 + ["letor4"] * 2, "seed": 1,
    ...                       "query": list("xy") * 2, **{f"ranklib@{k}": [0.5, 0.7, 0.4, 0.5] for k in CUTOFFS}})
    >>> found = effects(table, ["L"])
    >>> len(found), round(float(found["difference"].iloc[0]), 4)
    (10, -0.15)
    """
    pairs = _pairs(queries, learners)
    return pd.concat(
        [paired_differences(queries, pairs, tool=tool, k=k).assign(k=k) for k in CUTOFFS], ignore_index=True
    )


def beyond_zero(effects: pd.DataFrame) -> tuple[int, int, str]:
    """Count the intervals of models that differ, and those of them on one side of zero; name the latter.

    Examples
    --------
    >>> table = pd.DataFrame({"learner": "L", "trained_under": "letor4", "k": [5, 6, 7], "differing": [0.1, 0.1, 0.0],
    ...                       "low": [-0.2, -0.1, 0.0], "high": [-0.1, 0.1, 0.0]})
    >>> beyond_zero(table)
    (2, 1, 'L under LETOR at 5')
    """
    changed = effects[effects["differing"] > 0]
    clear = changed[(changed["low"] > 0) | (changed["high"] < 0)]
    names = [
        f"{learner} under {CONVENTIONS[str(under)].title} at {', '.join(map(str, sorted(group['k'])))}"
        for (learner, under), group in clear.groupby(["learner", "trained_under"], sort=False)
    ]
    return len(changed), len(clear), "; ".join(names) or "none"


def _pairs(queries: pd.DataFrame, learners: Sequence[str]) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    there = set(queries[["learner", "trained_under"]].drop_duplicates().itertuples(index=False, name=None))
    wanted = [((one, under), (one, "ranklib")) for one in learners for under in ("yahoo", "letor4")]
    return [(a, b) for a, b in wanted if a in there and b in there]


def significance(queries: pd.DataFrame, learners: Sequence[str]) -> pd.DataFrame:
    """The effects at the last cut-off with both tests, and whether the paper's error bars overlap; as text.

    Examples
    --------
    >>> table = pd.DataFrame({"learner": "L", "trained_under": ["ranklib"] * 2 + ["letor4"] * 2, "seed": 1, "fold": 1,
    ...                       "query": list("xy") * 2, "ranklib@10": [0.5, 0.7, 0.4, 0.5]})
    >>> significance(table, ["L"])[["learner", "trained under", "change"]].values.tolist()
    [['L', 'LETOR', '-0.1500']]
    """
    found = paired_differences(queries, _pairs(queries, learners), randomise=True)
    means = curves(queries, tools=[JUDGE], cutoffs=[CUTOFF]).set_index(["learner", "trained_under"])
    bars = means["standard_error"].to_dict()
    rows = []
    for row in found.to_dict("records"):
        both = bars[row["learner"], row["trained_under"]] + bars[row["against"], row["against_under"]]
        rows.append(
            {
                "learner": row["learner"],
                "trained under": CONVENTIONS[row["trained_under"]].title,
                "change": f"{row['difference']:+.4f}",
                "95% interval": f"{row['low']:+.4f} to {row['high']:+.4f}",
                "queries that differ": f"{row['differing']:.1%}",
                "p, t-test": f"{row['p_t_test_holm']:.3f}",
                "p, randomisation": f"{row['p_randomisation_holm']:.3f}",
                "error bars": "overlap" if abs(row["difference"]) <= both else "apart",
            }
        )
    return pd.DataFrame(rows)


def significance_in_short(queries: pd.DataFrame, learners: Sequence[str]) -> pd.DataFrame:
    """The same without the p-values.

    Examples
    --------
    >>> table = pd.DataFrame({"learner": "L", "trained_under": ["ranklib"] * 2 + ["letor4"] * 2, "seed": 1, "fold": 1,
    ...                       "query": list("xy") * 2, "ranklib@10": [0.5, 0.7, 0.4, 0.5]})
    >>> significance_in_short(table, ["L"]).columns.tolist()[-2:]
    ['queries that differ', 'error bars']
    """
    return significance(queries, learners).drop(columns=["p, t-test", "p, randomisation"])


def halves(queries: pd.DataFrame, learners: Sequence[str]) -> pd.DataFrame:
    """What each half of LETOR's convention does by itself, against training under RankLib's; as text.

    Examples
    --------
    >>> table = pd.DataFrame({"learner": "L", "trained_under": ["ranklib"] * 2 + ["short"] * 2, "seed": 1, "fold": 1,
    ...                       "query": list("xy") * 2, "ranklib@10": [0.5, 0.7, 0.4, 0.5]})
    >>> halves(table, ["L"])[["trained under", "change"]].values.tolist()
    [['RANKLIB, but a short query scores 0', '-0.1500']]
    """
    there = set(queries[["learner", "trained_under"]].drop_duplicates().itertuples(index=False, name=None))
    wanted = [(one, under) for one in learners for under in ("short", "discount", "letor4") if (one, under) in there]
    found = paired_differences(queries, [(which, (which[0], "ranklib")) for which in wanted])
    return pd.DataFrame(
        {
            "learner": found["learner"],
            "trained under": [CONVENTIONS[under].title for under in found["trained_under"]],
            "change": found["difference"].map("{:+.4f}".format),
            "95% interval": [
                f"{low:+.4f} to {high:+.4f}" for low, high in zip(found["low"], found["high"], strict=True)
            ],
            "p, t-test": found["p_t_test_holm"].map("{:.3f}".format),
        }
    )


def tool_table(queries: pd.DataFrame, learners: Sequence[str], *, tools: Sequence[str]) -> pd.DataFrame:
    """NDCG at the last cut-off of learners trained under RankLib's convention, by tool, best first; as text.

    Examples
    --------
    >>> table = pd.DataFrame({"learner": ["A", "A", "B", "B"], "trained_under": "ranklib", "seed": 1, "fold": 1,
    ...                       "query": list("xy") * 2, "ranklib@10": [0.5, 0.7, 0.6, 0.7]})
    >>> tool_table(table, ["A", "B"], tools=["ranklib"]).values.tolist()
    [['B', '0.6500 ± 0.0500', '–'], ['A', '0.6000 ± 0.1000', '–']]
    """
    found = curves(queries[queries["trained_under"] == "ranklib"], tools=tools, cutoffs=[CUTOFF])
    means = found.pivot(index="learner", columns="tool", values="mean")
    errors = found.pivot(index="learner", columns="tool", values="standard_error")
    spread = found[found["tool"] == tools[0]].set_index("learner")["seed_spread"]
    order = means.loc[list(learners), tools[0]].sort_values(ascending=False).index
    table = pd.DataFrame({"learner": order})
    for tool in tools:
        title = CONVENTIONS[tool].title if tool in CONVENTIONS else tool
        table[title] = [f"{means.loc[one, tool]:.4f} ± {errors.loc[one, tool]:.4f}" for one in order]
    table["spread over seeds"] = ["–" if pd.isna(spread[one]) else f"{spread[one]:.4f}" for one in order]
    return table
