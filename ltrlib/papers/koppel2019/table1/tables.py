"""What the chapter on Tables 1 and 2 of Köppel et al. (2019) shows: recorded runs beside the published numbers."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from ltrlib.claims.cells import Measured
from ltrlib.metrics.significance import compare, holm
from ltrlib.papers.koppel2019.table1.records import COLLAPSE, EMPHASIS, GRID, RANDOM, REFIT, TIMES
from ltrlib.published.tables import load_paper

if TYPE_CHECKING:
    from ltrlib.claims.claim import Outcome
    from ltrlib.records.record import Record

__all__ = [
    "OTHER_PAPER",
    "PUBLISHED",
    "chosen_settings",
    "collapse_table",
    "emphasis_tests",
    "fold_means",
    "inner_folds_used",
    "methods_of",
    "numbers",
    "protocols_table",
    "random_levels",
    "rows_for",
    "single_cells",
    "table1",
    "times_numbers",
    "times_table",
    "unbroken",
    "with_error",
]

PUBLISHED = {"LambdaMART": "LambdaMart"}
"""Names that Table 1 spells in its own way."""

OTHER_PAPER = ("ES-Rank", "IESR-Rank", "IESVM-Rank")
"""Rows that the authors took from another publication."""

_TITLES = {"ndcg": "NDCG@10", "map": "MAP"}
_CELLS = {
    "koppel2019.table1.mq2008-ndcg": "NDCG@10",
    "koppel2019.table1.mq2008-map": "MAP",
    "koppel2019.table1.mq2008-folds": "NDCG@10, stored by the authors",
}
"""Claims that are shown cell by cell."""
_CHANGED = {
    "all classes": "paper",
    "all classes, ΔNDCG": "all classes",
    "cross entropy": "all classes",
    "cross entropy, ΔNDCG": "cross entropy",
}
"""Ways to weight pairs, each with the one from which it differs in one respect."""


def numbers() -> dict[str, str]:
    """Numbers of the prose."""
    refit, levels = REFIT.read(), random_levels()
    printed = load_paper("koppel2019")["table1"]
    found = {
        "printed-direct": printed.number("DirectRanker", "mq2008_ndcg").text,
        "printed-esrank": printed.number("ES-Rank", "mq2008_ndcg").text,
        "printed-lambdamart-map": printed.number("LambdaMart", "mq2008_map").text,
        "printed-mslr": printed.number("RankNet", "mslr_ndcg").text,
        "lambdamart-map": unbroken(with_error(refit.table, "LambdaMART", "map")),
        "inner": inner_folds_used(refit),
        "grid-size": f"{len(GRID.read().table):,}",
        "kept": f"{levels['kept']['mq2008']:.0f}",
        "queries": f"{levels['queries']['mq2008']:.0f}",
        "random-mslr": f"{levels['ndcg']['mslr-web10k-sample']:.3f}",
    }
    for name in ("ndcg", "map", "ndcg_all", "map_all"):
        found[f"random-{name.replace('_', '-')}"] = f"{levels[name]['mq2008']:.3f}"
    return found | {f"times-{name}": text for name, text in times_numbers().items()}


def inner_folds_used(record: Record) -> str:
    """Number of inner folds that the settings of the methods were chosen on, as the record says.

    Examples
    --------
    >>> from ltrlib.records.record import Record
    >>> inner_folds_used(Record("x", pd.DataFrame(), {"parameters": {"inner folds": '{"A": 5, "B": 5}'}}))
    '5'
    """
    return " or ".join(map(str, sorted(set(json.loads(record.provenance["parameters"]["inner folds"]).values()))))


def methods_of(refit: pd.DataFrame) -> list[str]:
    """Methods that were trained, in the order of the record."""
    return [str(method) for method in refit["method"].unique()]


def rows_for(refit: pd.DataFrame, method: str, metric: str) -> pd.DataFrame:
    """The runs of a method that count for a metric: those whose point was chosen by it."""
    return refit[(refit["method"] == method) & (refit["chosen_by"] == metric)]


def fold_means(refit: pd.DataFrame, method: str, column: str) -> list[float]:
    """Mean over the seeds in each fold; ``column`` may be of either protocol.

    Examples
    --------
    >>> table = pd.DataFrame({"method": "A", "chosen_by": "map", "fold": [1, 1, 2], "map_all": [0.2, 0.4, 0.5]})
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


def unbroken(text: str) -> str:
    """The same text, to stay on one line.

    Examples
    --------
    >>> len(unbroken("0.71 ± 0.01").split(" "))
    1
    """
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def table1(refit: pd.DataFrame) -> pd.DataFrame:
    """Published and ours under the paper's protocol: method, metric, source, mean, error."""
    published = load_paper("koppel2019")["table1"]
    rows = []
    for method in methods_of(refit):
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


def single_cells(outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """The MQ2008 columns of Table 1, cell by cell, with the verdict on each."""
    return pd.DataFrame(
        [
            {
                "cell": f"{one.name}, {_CELLS[outcome.claim.id]}",
                "published": one.published,
                "ours": one.ours,
                "verdict": one.verdict.word,
                "why": one.reason,
            }
            for outcome in outcomes
            if outcome.claim.id in _CELLS
            for one in outcome.judgements
        ]
    )


def protocols_table(refit: pd.DataFrame) -> pd.DataFrame:
    """The same models under both protocols, with the rows that the paper took from elsewhere."""
    published = load_paper("koppel2019")["table1"]
    rows: list[dict[str, Any]] = []
    for method in methods_of(refit):
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
    [['AdaRank', 'l2 0.0 (fold 1, 2)']]
    """
    rows = []
    for method in methods_of(refit):
        own = rows_for(refit, method, "ndcg").drop_duplicates("fold")
        folds = own.groupby("parameters", sort=False)["fold"].apply(list)
        text = "; ".join(f"{_words(str(p))} (fold {', '.join(map(str, f))})" for p, f in folds.items())
        rows.append({"method": method, "settings": text})
    return pd.DataFrame(rows)


def _words(parameters: str) -> str:
    shown = {name: "-".join(map(str, value)) if isinstance(value, list) else value
             for name, value in json.loads(parameters).items()}  # fmt: skip
    return ", ".join(f"{name} {value}" for name, value in shown.items())


def random_levels() -> pd.DataFrame:
    """What a random order scores on each data set: mean over the recorded parts, weighted by their queries."""
    rows = {}
    for dataset, own in RANDOM.read().table.groupby("dataset"):
        kept, queries = own["kept"], own["queries"]
        rows[dataset] = {name: (own[name] * kept).sum() / kept.sum() for name in ("ndcg", "map")}
        rows[dataset] |= {name: (own[name] * queries).sum() / queries.sum() for name in ("ndcg_all", "map_all")}
        rows[dataset] |= {"queries": queries.sum(), "kept": kept.sum()}
    return pd.DataFrame(rows).T


def collapse_table() -> pd.DataFrame:
    """Networks on rows of MSLR-WEB10K with and without normalised features, the mean over both directions and seeds."""
    published = load_paper("koppel2019")["table1"]
    rows = []
    for (method, alike), own in COLLAPSE.read().table.groupby(["method", "normalised"], sort=False):
        printed = published.number(str(method), "mslr_ndcg").text
        rows.append(
            {
                "method": method,
                "features": "normalised" if alike else "raw",
                "NDCG@10": f"{own['ndcg'].mean():.3f}",
                "MAP": f"{own['map'].mean():.3f}",
                "published NDCG@10": printed if alike == (method == "DirectRanker") else "–",
            }
        )
    return pd.DataFrame(rows)


def times_table() -> pd.DataFrame:
    """Training times, and processor time as a multiple of DirectRanker's, beside the paper's."""
    table = TIMES.read().table.set_index("method")
    published = load_paper("koppel2019")["table2"]
    base, printed_base = table.loc["DirectRanker", "cpu_seconds"], published.number("DirectRanker", "seconds").value
    rows = []
    for method, row in table.iterrows():
        printed = published.number(str(method), "seconds")
        rows.append(
            {
                "method": method,
                "work": _work(str(row["work"])),
                "seconds": f"{row['wall_seconds']:,.1f}",
                "processor seconds": f"{row['cpu_seconds']:,.1f}",
                "ratio": f"{row['cpu_seconds'] / base:.2g}",
                "paper, seconds": printed.text,
                "paper, ratio": f"{printed.value / printed_base:.2g}",
            }
        )
    return pd.DataFrame(rows)


def _work(text: str) -> str:
    """Steps, rounds or epochs as a reader writes them: ``3,000 steps``."""
    number, _, unit = text.partition(" ")
    return f"{int(number):,} {unit}"


def times_numbers() -> dict[str, str]:
    """Numbers of the prose about the training times."""
    table = TIMES.read().table.set_index("method")
    cpu = table["cpu_seconds"]
    return {
        "work": _work(str(table["work"]["DirectRanker"])),
        "time": f"{table['wall_seconds']['DirectRanker']:.1f}",
        "printed-time": load_paper("koppel2019")["table2"].number("DirectRanker", "seconds").text,
        "adarank-share": f"{cpu['AdaRank'] / cpu['DirectRanker']:.0%}",
        "gigabytes": f"{table['peak_gb'].max():.1f}",
    }


def emphasis_tests() -> pd.DataFrame:
    """Ways to weight pairs: mean NDCG@10, and each against the one that it changes, tested over the queries.

    Returns
    -------
    DataFrame
        dataset, variant, NDCG@10, against, difference, p (randomisation test, corrected over all rows).
    """
    rows: list[dict[str, Any]] = []
    for dataset, own in EMPHASIS.read().table.groupby("dataset", sort=False):
        wide = own.pivot_table(index=["fold", "query"], columns="variant", values="ndcg")
        rows.append({"dataset": dataset, "variant": "paper", "NDCG@10": wide["paper"].mean(), "against": "–"})
        for variant, base in _CHANGED.items():
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
