"""What ``ltrlib meta`` prints: winning numbers and Pareto ranks of a table of results."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Literal, TypeAlias

import pandas as pd

from ltrlib.comparison.pareto import add_pareto_ranks
from ltrlib.comparison.reading import read_results
from ltrlib.comparison.winning import IwnRule, winning_numbers
from ltrlib.errors import DataFormatError
from ltrlib.spreadsheet import harmless

__all__ = ["Form", "meta_table", "meta_text"]

Form: TypeAlias = Literal["table", "csv", "json"]
"""How a table is printed."""


def meta_table(path: Path, *, iwn: IwnRule = "formula", declared_metrics: Collection[str] = ()) -> pd.DataFrame:
    """Count and rank the results of a file.

    Parameters
    ----------
    path
        As :func:`ltrlib.comparison.reading.read_results` takes it.
    iwn, declared_metrics
        As in :func:`ltrlib.comparison.winning.winning_numbers`.

    Examples
    --------
    >>> from ltrlib.project import project_data
    >>> meta_table(project_data("examples", "results.csv")).iloc[0].to_dict()
    {'method': 'A', 'metric': 'NDCG@10', 'wn': 6, 'iwn': 8, 'nwn': 0.75, 'datasets': 3, 'pareto_rank': 1}
    """
    results = read_results(path)
    if results["value"].isna().all():
        raise DataFormatError("no result behind the header", where=path, cure="give one row per result")
    return add_pareto_ranks(winning_numbers(results, iwn=iwn, declared_metrics=declared_metrics, source=path))


def meta_text(ranked: pd.DataFrame, form: Form = "table") -> str:
    """Write a table of :func:`meta_table` for people, or for programs.

    Parameters
    ----------
    ranked
        The table.
    form
        Numbers are rounded in ``table`` only. In ``csv``, a name that a spreadsheet program would take for a formula
        has an apostrophe in front.

    Examples
    --------
    >>> row = {"method": "A", "metric": "MAP", "wn": 0, "iwn": 0, "nwn": float("nan"), "datasets": 1}
    >>> print(meta_text(pd.DataFrame([row]).assign(pareto_rank=pd.array([None], dtype="Int64"))))
    method metric  wn  iwn nwn  datasets pareto_rank
         A    MAP   0    0   -         1           -
    """
    if form == "csv":
        names = {column: ranked[column].map(harmless) for column in ("method", "metric")}
        return ranked.assign(**names).to_csv(index=False, lineterminator="\n").removesuffix("\n")
    if form == "json":
        rows = ranked.astype(object).where(ranked.notna(), None).to_dict("records")
        return json.dumps(rows, indent=1, ensure_ascii=False)
    ranks = ranked["pareto_rank"].astype("str").fillna("-")
    return ranked.assign(pareto_rank=ranks).to_string(index=False, na_rep="-", float_format="%.4f")
