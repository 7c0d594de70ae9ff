"""What the chapter on Table 1 of Köppel et al. (2019) shows beside it: training times, and weighted pairs."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from ltrlib.metrics.significance import compare, holm
from ltrlib.papers.koppel2019.table1.records import EMPHASIS_COLUMNS
from ltrlib.papers.koppel2019.table1.times import recorded_times
from ltrlib.published.tables import load_paper
from ltrlib.records.record import Record, read_record

__all__ = ["emphasis_tests", "recorded_emphasis", "times_numbers", "times_table"]

_GOAL = 15
"""What part of the paper's time DirectRanker may take here."""


def times_table() -> pd.DataFrame:
    """Training times, and processor time as a multiple of DirectRanker's, beside the paper's.

    Examples
    --------
    >>> list(times_table().columns)[:4]
    ['method', 'work', 'seconds', 'processor seconds']
    """
    table = recorded_times().table.set_index("method")
    published = load_paper("koppel2019")["table2"]
    base, printed_base = table.loc["DirectRanker", "cpu_seconds"], published.number("DirectRanker", "seconds").value
    rows = []
    for method, row in table.iterrows():
        printed = published.number(str(method), "seconds")
        rows.append(
            {
                "method": method,
                "work": row["work"],
                "seconds": f"{row['wall_seconds']:,.1f}",
                "processor seconds": f"{row['cpu_seconds']:,.1f}",
                "ratio": f"{row['cpu_seconds'] / base:.2f}",
                "paper, seconds": printed.text,
                "paper, ratio": f"{printed.value / printed_base:.2f}",
            }
        )
    return pd.DataFrame(rows)


def times_numbers() -> dict[str, str]:
    """Numbers of the prose about the training times.

    Examples
    --------
    >>> sorted(times_numbers())
    ['adarank-share', 'gigabytes', 'goal', 'goal-met', 'printed-time', 'time', 'work']
    """
    table = recorded_times().table.set_index("method")
    printed = load_paper("koppel2019")["table2"].number("DirectRanker", "seconds")
    wall, cpu, goal = table["wall_seconds"]["DirectRanker"], table["cpu_seconds"], printed.value / _GOAL
    return {
        "work": str(table["work"]["DirectRanker"]),
        "time": f"{wall:.1f}",
        "printed-time": printed.text,
        "goal": f"{goal:.1f}",
        "goal-met": "met" if wall <= goal else "missed",
        "adarank-share": f"{cpu['AdaRank'] / cpu['DirectRanker']:.2f}",
        "gigabytes": f"{table['peak_gb'].max():.1f}",
    }


def recorded_emphasis() -> Record:
    """Read the record of the weighted pairs.

    Examples
    --------
    >>> recorded_emphasis().table["dataset"].unique()[0]
    'mq2008'
    """
    return read_record("koppel2019/emphasis", EMPHASIS_COLUMNS)


def emphasis_tests() -> pd.DataFrame:
    """Ways to weight pairs: mean NDCG@10, and each against the one that it changes, tested over the queries.

    Returns
    -------
    DataFrame
        dataset, variant, NDCG@10, against, difference, p (randomisation test, corrected over all rows).

    Examples
    --------
    >>> "p" in emphasis_tests()
    True
    """
    pairs = {
        "all classes": "paper",
        "all classes, ΔNDCG": "all classes",
        "cross entropy": "all classes",
        "cross entropy, ΔNDCG": "cross entropy",
    }
    table = recorded_emphasis().table
    rows: list[dict[str, Any]] = []
    for dataset, own in table.groupby("dataset", sort=False):
        wide = own.pivot_table(index=["fold", "query"], columns="variant", values="ndcg")
        rows.append({"dataset": dataset, "variant": "paper", "NDCG@10": wide["paper"].mean(), "against": "–"})
        for variant, base in pairs.items():
            tested = compare({variant: wide[variant].to_numpy(), base: wide[base].to_numpy()})[0]
            found = {"difference": tested.difference, "p": tested.p_randomisation}
            rows.append(
                {"dataset": dataset, "variant": variant, "NDCG@10": wide[variant].mean(), "against": base} | found
            )
    shown = pd.DataFrame(rows)
    shown["p"] = [_or_dash(p, "{:.3f}") for p in holm(shown["p"])]
    return shown.assign(difference=[_or_dash(value, "{:+.4f}") for value in shown["difference"]])


def _or_dash(value: float, form: str) -> str:
    return "–" if math.isnan(value) else form.format(value)
