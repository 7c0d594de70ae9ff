"""Claims of the DirectRanker paper about Tables 1 and 2 that need trained rankers, and about how they were trained."""

from __future__ import annotations

import itertools
import math

import pandas as pd

from ltrlib.claims.cells import Cell, Measured, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import PrintedNumbers, RecordedResult
from ltrlib.papers.koppel2019.settings import told_and_done
from ltrlib.papers.koppel2019.table1.records import COLLAPSE, REFIT, TIMES
from ltrlib.papers.koppel2019.table1.tables import OTHER_PAPER, PUBLISHED, fold_means, methods_of, rows_for
from ltrlib.published.tables import Paper
from ltrlib.records.record import Record

__all__ = ["claims"]

claims = ClaimList(__name__)

_REFIT, _COLLAPSE, _TIMES = (RecordedResult(table.name, table.columns) for table in (REFIT, COLLAPSE, TIMES))
_FAR = 2
_ORDER = 10  # of the same order: less than ten times as much
_SAMPLE = "trained on the first rows of one file of MSLR-WEB10K and scored on those of another, not on five folds"


def _cells(paper: Paper, refit: pd.DataFrame, metric: str) -> list[Cell]:
    """One cell per method: mean over the folds and its standard error, as in the table."""
    return [
        Value(
            paper["table1"].number(PUBLISHED.get(method, method), f"mq2008_{metric}"),
            Measured.over(fold_means(refit, method, metric)),
            method,
            better="higher",
        )
        for method in methods_of(refit)
    ]


@claims.add(
    "table1.mq2008-ndcg",
    place="Table 1, MQ2008, NDCG",
    statement="NDCG@10 on MQ2008: mean over the five folds and its standard error.",
    material=_REFIT,
)
def _(paper: Paper, refit: Record) -> list[Cell]:
    return _cells(paper, refit.table, "ndcg")


@claims.add(
    "table1.mq2008-map",
    place="Table 1, MQ2008, MAP",
    statement="MAP on MQ2008: mean over the five folds and its standard error.",
    material=_REFIT,
)
def _(paper: Paper, refit: Record) -> list[Cell]:
    return _cells(paper, refit.table, "map")


@claims.add(
    "table1.mq2008-folds",
    place="the authors' results per fold behind Table 1, MQ2008, NDCG",
    statement="NDCG@10 of DirectRanker on each fold of MQ2008, from one training without a seed.",
    material=_REFIT,
)
def _(paper: Paper, refit: Record) -> list[Cell]:
    cells: list[Cell] = []
    for fold, rows in rows_for(refit.table, "DirectRanker", "ndcg").groupby("fold"):
        # Where one more training would fall: its own spread over seeds, and that of our mean.
        spread = float(rows["ndcg"].std(ddof=1)) * math.sqrt(1 + 1 / len(rows))
        ours = Measured(float(rows["ndcg"].mean()), spread, len(rows) - 1)
        cells.append(Value(paper["stored_folds"].number("mq2008_ndcg", f"fold{fold}"), ours, f"fold {fold}"))
    return cells


@claims.add(
    "section5.mq2008-spread-runs",
    place="Section 5.1; Table 1, MQ2008 NDCG",
    statement="Best and worst algorithm on MQ2008 are so few standard errors apart that it is inconclusive.",
    material=_REFIT,
)
def _(paper: Paper, refit: Record) -> Cell:
    ours = {cell.name: cell.ours for cell in _cells(paper, refit.table, "ndcg") if isinstance(cell, Value)}
    apart = max(
        abs(a.value - b.value) / math.hypot(a.standard_error, b.standard_error)
        for a, b in itertools.combinations(ours.values(), 2)
        if isinstance(a, Measured) and isinstance(b, Measured)
    )
    printed = paper.statement("mq2008-spread")
    witness = f"{apart:.2f} standard errors apart (printed: {printed.text})"
    return Statement((apart < _FAR) == (printed.value < _FAR), witness, f"less than {_FAR} standard errors apart")


@claims.add(
    "table1.mq2008-other-paper",
    place="Abstract and Table 1, MQ2008, rows of another publication",
    statement="DirectRanker outperforms ES-Rank, IESR-Rank and IESVM-Rank; here, all are scored as those three were.",
    material=_REFIT,
)
def _(paper: Paper, refit: Record) -> list[Cell]:
    cells: list[Cell] = []
    for method, (metric, title) in itertools.product(OTHER_PAPER, (("ndcg", "NDCG@10"), ("map", "MAP"))):
        ours = Measured.over(fold_means(refit.table, "DirectRanker", f"{metric}_all"))
        printed = paper["table1"].number(method, f"mq2008_{metric}")
        witness = f"DirectRanker {ours.value:.3f} ± {ours.standard_error:.3f}, {method} {printed.text}"
        far = ours.value - printed.value > _FAR * ours.standard_error
        cells.append(
            Statement(far, witness, "DirectRanker is above by more than two standard errors", f"{method}, {title}")
        )
    return cells


@claims.add(
    "table1.mslr-networks",
    place="Table 1, MSLR-WEB10K NDCG, RankNet and ListNet",
    statement="NDCG@10 of networks on features that are not normalised.",
    material=_COLLAPSE,
    proxy=_SAMPLE,
)
def _(paper: Paper, collapse: Record) -> list[Cell]:
    raw = collapse.table[~collapse.table["normalised"]]
    return [
        Value(
            paper["table1"].number(method, "mslr_ndcg"),
            Measured.over(raw.loc[raw["method"] == method, "ndcg"].tolist()),
            method,
        )
        for method in ("RankNet", "ListNet")
    ]


@claims.add(
    "table2.fastest-runs",
    place="Section 5.1; Table 2",
    statement="Training takes this many times as long as DirectRanker's.",
    material=_TIMES,
)
def _(paper: Paper, times: Record) -> list[Cell]:
    seconds = times.table.set_index("method")["cpu_seconds"]
    cells: list[Cell] = []
    for method in seconds.index.drop("DirectRanker"):
        slower = (
            paper["table2"].number(method, "seconds").value > paper["table2"].number("DirectRanker", "seconds").value
        )
        ratio = float(seconds[method] / seconds["DirectRanker"])
        published = f"DirectRanker trains {'faster' if slower else 'slower'} than {method}"
        cells.append(Statement((ratio > 1) == slower, f"{ratio:.2f} times as long", published, str(method)))
    return cells


@claims.add(
    "table2.ranknet-order-runs",
    place="Section 5.1",
    statement="Training RankNet takes as long as DirectRanker, to an order of magnitude: both in this book's code.",
    material=_TIMES,
)
def _(paper: Paper, times: Record) -> Cell:
    seconds = times.table.set_index("method")["cpu_seconds"]
    first, second = paper.names("same-order")
    ratio = float(seconds[second] / seconds[first])
    return Statement(1 / _ORDER < ratio < _ORDER, f"{second} takes {ratio:.1f} times as long", "of the same order")


@claims.add(
    "section4.code-2019",
    place="Sections 3 and 4.4",
    statement="What the paper says about training is what the authors' code did.",
    material=PrintedNumbers("the authors' code of 2019"),
)
def _(paper: Paper) -> list[Cell]:
    return told_and_done(paper, "code_2019")
