"""What the chapter on ERR and NDCG shows, and the numbers of its prose."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.papers.chapelle2011.challenge import NAMES
from ltrlib.papers.chapelle2011.metrics.normalisation import Comparison
from ltrlib.papers.chapelle2011.records import BEST, CORRELATION, agreement, agreement_by_group
from ltrlib.published.tables import load_paper
from ltrlib.records.record import Record

__all__ = [
    "agreement_numbers",
    "agreement_table",
    "cascade_numbers",
    "cascade_table",
    "correlations",
    "normalisation_numbers",
    "scores",
    "summary",
]


def cascade_table(comparison: pd.DataFrame) -> pd.DataFrame:
    """Simulated users beside the closed form, as text."""
    shown = pd.DataFrame({"a user reads": comparison["reads"]})
    for column, title in (
        ("formula", "closed form"),
        ("simulated", "simulated"),
        ("standard_error", "standard error"),
    ):
        shown[title] = comparison[column].map("{:.5f}".format)
    shown["deviation in standard errors"] = comparison["deviation"].map("{:+.2f}".format)
    return shown


def cascade_numbers(comparison: pd.DataFrame, stops: NDArray[np.float64]) -> dict[str, str]:
    """Numbers of the prose on the simulated users, by the names under which it quotes them."""
    whole, page = comparison["formula"]
    return {
        "users": f"{stops.size:,}",
        "deviation": f"{comparison['deviation'].abs().max():.2f}",
        "tail": f"{whole - page:.5f}",
    }


def correlations() -> dict[str, Record]:
    """The recorded scores of many rankers, by data set."""
    return {name: table.read() for name, table in CORRELATION.items()}


def scores(records: Mapping[str, Record]) -> dict[str, pd.DataFrame]:
    """The tables of the records, by the name of the data set."""
    return {NAMES[name]: record.table for name, record in records.items()}


def summary(comparison: pd.DataFrame, stops: NDArray[np.float64], records: Mapping[str, Record]) -> list[str]:
    """The chapter in three sentences."""
    cascade, agreed = cascade_numbers(comparison, stops), agreement_numbers(records)
    return [
        f"ERR is what its users see: the mean of {cascade['users']} simulated visits is within {cascade['deviation']} "
        "standard errors of the closed form.",
        f"Kendall's tau of ERR and NDCG depends on who takes part: {agreed['kendall']} in the paper, "
        f"{agreed['tau-ohsumed']} over our rankers on OHSUMED, {agreed['tau-standin']} on the stand-in of Set 1.",
        "The paper normalises features by the cumulative distribution, which its text calls the inverse one; tied "
        "values get the lowest of their ranks.",
    ]


def agreement_table(records: Mapping[str, Record]) -> pd.DataFrame:
    """Kendall's tau of ERR and NDCG as text, the printed one first."""
    printed = load_paper("chapelle2011").statement("kendall").text
    rows = [("track 1, as printed", "", "", printed, "")]
    for name, record in records.items():
        whole, best = agreement(record.table), agreement(record.table, best=BEST)
        queries = record.provenance["parameters"]["queries"]
        rows.append((NAMES[name], f"{queries:,}", f"{len(record.table):,}", f"{whole:.3f}", f"{best:.3f}"))
    return pd.DataFrame(rows, columns=["data", "queries", "rankers", "tau, all rankers", f"tau, best {BEST} by ERR"])


def agreement_numbers(records: Mapping[str, Record]) -> dict[str, str]:
    """Numbers of the prose on the agreement of the metrics, by the names under which it quotes them."""
    numbers = {"kendall": load_paper("chapelle2011").statement("kendall").text}
    for name, key in (("standin/yahoo-set1", "standin"), ("ohsumed", "ohsumed")):
        numbers[f"tau-{key}"] = f"{agreement(records[name].table):.3f}"
        numbers[f"tau-best-{key}"] = f"{agreement(records[name].table, best=BEST):.3f}"
    groups = [agreement_by_group(record.table, BEST) for record in records.values()]
    no_better = sum(fmean(others) <= best for best, *others in groups)
    return numbers | {"no-better": str(no_better), "sets": str(len(groups))}


def _power_of_ten(value: float) -> str:
    """A tiny number as people write it.

    Examples
    --------
    >>> _power_of_ten(2.98e-8).replace("\N{NO-BREAK SPACE}", " ")
    '3 × 10⁻⁸'
    """
    digit, power = f"{value:.0e}".split("e")
    raised = str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{digit} × 10{raised}".replace(" ", "\N{NO-BREAK SPACE}")


def normalisation_numbers(compared: Comparison) -> dict[str, str]:
    """Numbers of the prose on the normalisation, by the names under which it quotes them."""
    return {
        "ties-gap": f"{compared.largest_gap:.3f}",
        "no-ties-gap": _power_of_ten(compared.gap_without_ties),
    }
