"""What the page needs to count like ``ltrlib compare``: every result that we know, and the names of things, as JSON."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ltrlib.across.continued.measures import (
    FIVE_FOLDS,
    LETOR,
    METRICS,
    ONE_PART,
    UNSTATED,
    convention_title,
    same_measure,
)
from ltrlib.across.continued.pool import LATER, OUR_DATASETS, OURS, TABLE_B6, b6_convention, pool
from ltrlib.across.our_runs.records import CEILINGS, VALUES
from ltrlib.across.standing.reading import MARK, dataset_names
from ltrlib.across.standing.standing import AMONG, YOURS
from ltrlib.metrics.tools import TOOLS
from ltrlib.project import project_data
from ltrlib.published.tables import load_table

__all__ = ["EXAMPLES", "export"]

EXAMPLES = {
    "LETOR's own tool": ("my-method.csv", ""),
    "RankLib's NDCG": ("my-method-ranklib.csv", ""),
}
"""Files under ``data/examples`` that the page offers, and the tool behind values that name none."""

_CODED = ("method", "dataset", "part", "metric", "measure", "convention", "kind", "source", "doubt")


def export() -> dict[str, Any]:
    """Return everything that the script of the page counts with; nothing of it is written a second time.

    Returns
    -------
    dict
        ``results``, the pool column by column (names once, then their numbers); ``datasets`` by short name;
        ``measures`` and ``titles`` by convention; ``ceilings``; ``doubts``; ``noise``; the words for kinds and parts.

    Examples
    --------
    >>> data = export()
    >>> len(data["results"]["value"]) == len(pool()), data["conventions"]["LETOR 4.0 MQ2008"]
    (True, 'letor4')
    >>> data["datasets"]["ohsumed"]
    ['LETOR 2.0 OHSUMED', 'LETOR 3.0 OHSUMED']
    """
    everyone = pool()
    titles = dict.fromkeys(title for found in dataset_names().values() for title in found)
    made_by = _made_by()
    return {
        "metrics": list(METRICS),
        "words": {
            "letor": LETOR,
            "unstated": UNSTATED,
            "five_folds": FIVE_FOLDS,
            "one_part": ONE_PART,
            "b6": TABLE_B6,
            "later": LATER,
            "ours": OURS,
            "yours": YOURS,
            "mark": MARK,
        },
        "among": {name: list(kinds) for name, kinds in AMONG.items()},
        "results": _columns(everyone),
        "datasets": {short: list(found) for short, found in dataset_names().items()},
        "conventions": {title: b6_convention(title) for title in titles},
        "measures": {name: [same_measure(metric, name) for metric in METRICS] for name in made_by},
        "titles": {name: convention_title(name) for name in made_by},
        "tools": {name: tool.title for name, tool in TOOLS.items()},
        "ceilings": _ceilings(),
        "doubts": _doubts(everyone),
        "noise": _noise(),
        "examples": {
            title: {"text": project_data("examples", file).read_text(encoding="utf-8"), "convention": tool}
            for title, (file, tool) in EXAMPLES.items()
        },
    }


def _made_by() -> list[str]:
    """Every name that the column ``convention`` may hold."""
    return list(dict.fromkeys([*TOOLS, *load_table("later", "conventions").rows, UNSTATED]))


def _columns(table: pd.DataFrame) -> dict[str, Any]:
    columns: dict[str, Any] = {"value": table["value"].tolist()}
    for name in _CODED:
        codes, names = pd.factorize(table[name])
        columns[name] = {"names": names.tolist(), "codes": codes.tolist()}
    return columns


def _ceilings() -> list[dict[str, Any]]:
    rows = CEILINGS.read().table.to_dict("records")
    return [
        {
            "dataset": OUR_DATASETS[row["dataset"]],
            "key": row["dataset"],
            "script": row["script"],
            "metric": row["metric"],
            "measure": same_measure(row["metric"], row["script"]),
            "value": float(row["value"]),
        }
        for row in rows
        if row["dataset"] in OUR_DATASETS
    ]


def _doubts(everyone: pd.DataFrame) -> list[dict[str, Any]]:
    table = load_table("tax2015", "doubts")
    return [
        {"code": code, "what": table.text(code, "what"), "results": int((everyone["doubt"] == code).sum())}
        for code in table.rows
    ]


def _noise() -> dict[str, dict[str, float]]:
    """Median standard error of our own runs, by data set and metric, in the order of the note."""
    found = VALUES.read().table.groupby(["dataset", "metric"])["standard_error"].median()
    return {
        title: {metric: float(found[key, metric]) for metric in METRICS if (key, metric) in found.index}
        for key, title in OUR_DATASETS.items()
    }
