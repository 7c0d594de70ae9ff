"""What the chapter on Table 1 of Köppel et al. (2019) shows: recorded runs beside the published numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pandas as pd

from ltrlib.claims.cells import Measured
from ltrlib.errors import RecordError
from ltrlib.papers.koppel2019.table1.methods import METHODS
from ltrlib.papers.koppel2019.table1.records import COLLAPSE_COLUMNS, RANDOM_COLUMNS, REFIT_COLUMNS
from ltrlib.papers.koppel2019.table1.runs import GRID_COLUMNS
from ltrlib.published.tables import load_paper
from ltrlib.records.record import Record, read_record

__all__ = [
    "OTHER_PAPER",
    "PUBLISHED",
    "chosen_settings",
    "collapse_table",
    "fold_means",
    "grid_size",
    "if_recorded",
    "inner_folds_used",
    "protocols_table",
    "random_levels",
    "recorded_refit",
    "rows_for",
    "table1",
    "with_error",
]

PUBLISHED = {"LambdaMART": "LambdaMart"}
"""Names that Table 1 spells in its own way."""

OTHER_PAPER = ("ES-Rank", "IESR-Rank", "IESVM-Rank")
"""Rows that the authors took from another publication."""

_TITLES = {"ndcg": "NDCG@10", "map": "MAP"}


def if_recorded(make: Callable[[], pd.DataFrame]) -> pd.DataFrame:
    """Make a table from a record; where nobody has made the record yet, say so in its place.

    Examples
    --------
    >>> if_recorded(lambda: read_record("no/such", {"value": "int"}).table).values.tolist()
    [['there is no record no/such']]
    """
    try:
        return make()
    except RecordError as error:
        return pd.DataFrame({"not recorded yet": [error.what]})


def recorded_refit() -> Record:
    """Read the record of the runs behind Table 1.

    Examples
    --------
    >>> "ndcg_all" in recorded_refit().table
    True
    """
    return read_record("koppel2019/refit", REFIT_COLUMNS)


def inner_folds_used(record: Record) -> str:
    """Number of inner folds that the settings of the methods were chosen on, as the record says.

    Examples
    --------
    >>> inner_folds_used(Record("x", pd.DataFrame(), {"parameters": {"inner folds": '{"A": 5, "B": 5}'}}))
    '5'
    """
    return " or ".join(map(str, sorted(set(json.loads(record.provenance["parameters"]["inner folds"]).values()))))


def grid_size() -> int:
    """Number of trainings that the settings of all methods were chosen by.

    Examples
    --------
    >>> grid_size() >= 750
    True
    """
    return len(read_record("koppel2019/grid", GRID_COLUMNS).table)


def rows_for(refit: pd.DataFrame, method: str, metric: str) -> pd.DataFrame:
    """The runs of a method that count for a metric: chosen by that metric, else by NDCG, else not chosen.

    Examples
    --------
    >>> table = pd.DataFrame({"method": ["A", "A"], "chosen_by": ["nothing", "ndcg"], "fold": [1, 1]})
    >>> rows_for(table, "A", "map")["chosen_by"].tolist()
    ['ndcg']
    """
    own = refit[refit["method"] == method]
    for by in (metric, "ndcg", "nothing"):
        if (own["chosen_by"] == by).any():
            return own[own["chosen_by"] == by]
    return own


def fold_means(refit: pd.DataFrame, method: str, column: str) -> list[float]:
    """Mean over the seeds in each fold; ``column`` may be of either protocol.

    Examples
    --------
    >>> table = pd.DataFrame({"method": "A", "chosen_by": "ndcg", "fold": [1, 1, 2], "map_all": [0.2, 0.4, 0.5]})
    >>> [round(value, 3) for value in fold_means(table, "A", "map_all")]
    [0.3, 0.5]
    """
    rows = rows_for(refit, method, column.removesuffix("_all"))
    return [float(value) for value in rows.groupby("fold")[column].mean()]


def with_error(refit: pd.DataFrame, method: str, column: str) -> str:
    """Mean over the folds with its standard error, as text.

    Examples
    --------
    >>> table = pd.DataFrame({"method": "A", "chosen_by": "ndcg", "fold": [1, 2], "ndcg": [0.7, 0.72]})
    >>> with_error(table, "A", "ndcg")
    '0.710 ± 0.010'
    """
    ours = Measured.over(fold_means(refit, method, column))
    return f"{ours.value:.3f} ± {ours.standard_error:.3f}"


def table1(refit: pd.DataFrame) -> pd.DataFrame:
    """Published and ours under the paper's protocol: method, metric, source, mean, error.

    Examples
    --------
    >>> table = pd.DataFrame({"method": "AdaRank", "chosen_by": "ndcg", "fold": [1, 2], "ndcg": [0.7, 0.72],
    ...                       "map": [0.6, 0.62]})
    >>> table1(table)["source"].tolist()
    ['published', 'ours', 'published', 'ours']
    """
    published = load_paper("koppel2019")["table1"]
    rows = []
    for method in METHODS:
        if not (refit["method"] == method).any():
            continue
        for metric, title in _TITLES.items():
            printed = published.number(PUBLISHED.get(method, method), f"mq2008_{metric}")
            ours = Measured.over(fold_means(refit, method, metric))
            for source, mean, error in (
                ("published", printed.value, printed.standard_error),
                ("ours", ours.value, ours.standard_error),
            ):
                place = {"method": method, "metric": title, "source": source}
                rows.append(place | {"mean": mean, "error": error})
    return pd.DataFrame(rows)


def protocols_table(refit: pd.DataFrame) -> pd.DataFrame:
    """The same models under both protocols, with the rows that the paper took from elsewhere.

    Examples
    --------
    >>> table = pd.DataFrame({"method": "AdaRank", "chosen_by": "ndcg", "fold": [1, 2], "ndcg": [0.7, 0.72],
    ...                       "map": [0.6, 0.62], "ndcg_all": [0.5, 0.5], "map_all": [0.4, 0.4]})
    >>> protocols_table(table)["method"].tolist()
    ['AdaRank', 'ES-Rank', 'IESR-Rank', 'IESVM-Rank']
    """
    published = load_paper("koppel2019")["table1"]
    rows: list[dict[str, Any]] = []
    for method in METHODS:
        if (refit["method"] == method).any():
            row = {"method": method}
            for suffix, protocol in (("", "paper's protocol"), ("_all", "all queries, graded")):
                for metric, title in _TITLES.items():
                    row[f"{title}, {protocol}"] = with_error(refit, method, metric + suffix)
            rows.append(row)
    for method in OTHER_PAPER:
        printed = {title: published.number(method, f"mq2008_{metric}").text for metric, title in _TITLES.items()}
        rows.append({"method": method} | {f"{title}, all queries, graded": text for title, text in printed.items()})
    return pd.DataFrame(rows).fillna("–")


def chosen_settings(refit: pd.DataFrame) -> pd.DataFrame:
    """Settings of each method in each fold, as text.

    Examples
    --------
    >>> table = pd.DataFrame({"method": "AdaRank", "chosen_by": "ndcg", "fold": [1, 2], "parameters": '{"l2": 0.0}'})
    >>> chosen_settings(table).values.tolist()
    [['AdaRank', 'inner folds', 'l2 0.0 (fold 1, 2)']]
    """
    rows = []
    for method in METHODS:
        own = rows_for(refit, method, "ndcg")
        if len(own):
            by = {"nothing": "not chosen: the first point"}.get(own["chosen_by"].iloc[0], "inner folds")
            folds = own.drop_duplicates("fold").groupby("parameters", sort=False)["fold"].apply(list)
            text = "; ".join(f"{_words(str(p))} (fold {', '.join(map(str, f))})" for p, f in folds.items())
            rows.append({"method": method, "chosen by": by, "settings": text})
    return pd.DataFrame(rows)


def _words(parameters: str) -> str:
    shown = {name: "-".join(map(str, value)) if isinstance(value, list) else value
             for name, value in json.loads(parameters).items()}  # fmt: skip
    return ", ".join(f"{name} {value}" for name, value in shown.items())


def random_levels() -> pd.DataFrame:
    """What a random order scores on each data set: mean over the recorded parts, weighted by their queries.

    Examples
    --------
    >>> sorted(random_levels().index)
    ['mq2008', 'mslr-web10k-sample']
    """
    table = read_record("koppel2019/random", RANDOM_COLUMNS).table
    rows = {}
    for dataset, own in table.groupby("dataset"):
        kept, queries = own["kept"], own["queries"]
        rows[dataset] = {name: (own[name] * kept).sum() / kept.sum() for name in ("ndcg", "map")}
        rows[dataset] |= {name: (own[name] * queries).sum() / queries.sum() for name in ("ndcg_all", "map_all")}
        rows[dataset] |= {"queries": queries.sum(), "kept": kept.sum()}
    return pd.DataFrame(rows).T


def collapse_table() -> pd.DataFrame:
    """Networks on rows of MSLR-WEB10K with and without normalised features, the mean over both directions and seeds.

    Examples
    --------
    >>> list(collapse_table().columns)
    ['method', 'features', 'NDCG@10', 'MAP', 'published NDCG@10']
    """
    table = read_record("koppel2019/collapse", COLLAPSE_COLUMNS).table
    published = load_paper("koppel2019")["table1"]
    rows = []
    for (method, alike), own in table.groupby(["method", "normalised"], sort=False):
        printed = published.number(str(method), "mslr_ndcg").text
        rows.append(
            {
                "method": method,
                "features": "normalised" if alike else "as they are",
                "NDCG@10": f"{own['ndcg'].mean():.3f}",
                "MAP": f"{own['map'].mean():.3f}",
                "published NDCG@10": printed if alike == (method == "DirectRanker") else "–",
            }
        )
    return pd.DataFrame(rows)
