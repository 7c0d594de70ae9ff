"""Claims of the DirectRanker paper about Tables 1 and 2 that need trained rankers, and about how they were trained."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import pandas as pd

from ltrlib.claims.cells import Cell, Difference, Measured, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import PrintedNumbers, RecordedResult
from ltrlib.claims.noise import Family, pooled_deviation
from ltrlib.claims.words import TableCells
from ltrlib.papers.koppel2019.sentences import SAID
from ltrlib.papers.koppel2019.settings import told_and_done
from ltrlib.papers.koppel2019.table1.records import COLLAPSE, REFIT, TIMES
from ltrlib.papers.koppel2019.table1.tables import OTHER_PAPER, PUBLISHED, fold_means, methods_of, rows_for
from ltrlib.published.tables import Paper
from ltrlib.records.record import Record

__all__ = ["claims"]

claims = ClaimList(__name__)

_REFIT, _COLLAPSE, _TIMES = (RecordedResult(table.name, table.columns) for table in (REFIT, COLLAPSE, TIMES))
_FOLDS = Family("koppel2019/stored-folds", "DirectRanker's five folds, each with the authors' training", 5)
_PAIRS = Family("koppel2019/mq2008-pairs", "every two of the five methods on MQ2008", 10)
_OTHERS = Family("koppel2019/another-paper", "three methods of another publication, in two metrics", 6)
_OWN = "DirectRanker"
_ORDER = 10  # of the same order: less than ten times as much
_SAMPLE = "trained on the first rows of one file of MSLR-WEB10K and scored on those of another, not on five folds"


def _seeds_by_fold(refit: pd.DataFrame, method: str, metric: str) -> list[list[float]]:
    return [rows[metric].tolist() for _, rows in rows_for(refit, method, metric).groupby("fold")]


def _ours(refit: pd.DataFrame, method: str, metric: str, *, paired: bool) -> Measured:
    """Mean over the folds, with the chance of our trainings, and of the authors' one per fold where that is not paired.

    A ranker without chance has neither.
    """
    groups = _seeds_by_fold(refit, method, metric)
    if all(len(group) == 1 for group in groups):
        return Measured(sum(group[0] for group in groups) / len(groups), 0.0, len(groups) - 1)
    return Measured.pooled(groups) if paired else Measured.one_more_each(groups)


def _cells(paper: Paper, refit: pd.DataFrame, metric: str, methods: list[str]) -> Iterator[Value]:
    """One cell per method. Both sides are means over the same five test sets: what differs between folds is no noise.

    Where the authors' folds are stored, they are compared one by one; the margin is the printed standard error.
    """
    for method in methods:
        printed = paper["table1"].number(PUBLISHED.get(method, method), f"mq2008_{metric}")
        paired = None
        if method == "DirectRanker" and metric == "ndcg":
            theirs = [paper["stored_folds"].number("mq2008_ndcg", f"fold{fold}").value for fold in range(1, 6)]
            paired = Measured.paired(fold_means(refit, method, metric), theirs)
        ours = _ours(refit, method, metric, paired=paired is not None)
        yield Value(printed, ours, method, better="higher", paired=paired, same_folds=paired is None)


def _as_stored(paper: Paper, refit: Record) -> tuple[Paper, Record]:
    """Trainings of ours that end where the authors' did, fold by fold."""
    table = refit.table.copy()
    for fold in range(1, 6):
        rows = (table["method"] == _OWN) & (table["fold"] == fold)
        table.loc[rows, "ndcg"] += (
            paper["stored_folds"].number("mq2008_ndcg", f"fold{fold}").value
            - fold_means(refit.table, _OWN, "ndcg")[fold - 1]
        )
    return paper, replace(refit, table=table)


@claims.add(
    "table1.mq2008-ndcg",
    place="Table 1, MQ2008, NDCG",
    statement="DirectRanker has an NDCG@10 of {table1/DirectRanker/mq2008_ndcg} on MQ2008.",
    material=_REFIT,
    weight="central",
    cause="directranker-mq2008",
    words=TableCells("table1", "DirectRanker", "mq2008_ndcg"),
    otherwise=_as_stored,
)
def _(paper: Paper, refit: Record) -> list[Cell]:
    return list(_cells(paper, refit.table, "ndcg", [_OWN]))


@claims.add(
    "table1.mq2008-map",
    place="Table 1, MQ2008, MAP",
    statement="DirectRanker has a MAP of {table1/DirectRanker/mq2008_map} on MQ2008.",
    material=_REFIT,
    cause="directranker-mq2008",
    words=TableCells("table1", "DirectRanker", "mq2008_map"),
)
def _(paper: Paper, refit: Record) -> list[Cell]:
    # Not paired: the folds of MAP that the authors stored belong to their search for NDCG (table1.stored-map).
    return list(_cells(paper, refit.table, "map", [_OWN]))


@claims.add(
    "table1.mq2008-ranklib",
    place="Table 1, MQ2008, RankLib's four learners",
    statement="RankLib's RankNet, ListNet, LambdaMART and AdaRank have an NDCG@10 of {table1/RankNet/mq2008_ndcg} to "
    "{table1/LambdaMart/mq2008_ndcg} on MQ2008.",
    material=_REFIT,
    proxy="the paper does not give their settings, and ours are other implementations: the networks learn by Adam, and "
    "LambdaMART and AdaRank were trained for NDCG@10 in both columns",
    words=TableCells("table1", column="mq2008_ndcg"),
)
def _(paper: Paper, refit: Record) -> list[Cell]:
    others = [method for method in methods_of(refit.table) if method != _OWN]
    return [
        replace(cell, name=f"{cell.name}, {title}")
        for metric, title in (("ndcg", "NDCG@10"), ("map", "MAP"))
        for cell in _cells(paper, refit.table, metric, others)
    ]


@claims.add(
    "table1.mq2008-folds",
    place="the authors' results per fold behind Table 1, MQ2008, NDCG",
    statement="DirectRanker has an NDCG@10 of {stored_folds/mq2008_ndcg/fold1}, {stored_folds/mq2008_ndcg/fold2}, "
    "{stored_folds/mq2008_ndcg/fold3}, {stored_folds/mq2008_ndcg/fold4} and {stored_folds/mq2008_ndcg/fold5} on the "
    "five folds of MQ2008.",
    material=_REFIT,
    cause="directranker-mq2008",
    words=TableCells("stored_folds", "mq2008_ndcg"),
)
def _(paper: Paper, refit: Record) -> list[Cell]:
    groups = _seeds_by_fold(refit.table, "DirectRanker", "ndcg")
    spread = pooled_deviation(groups)
    return [
        Value(
            paper["stored_folds"].number("mq2008_ndcg", f"fold{fold}"),
            Measured.one_more(seeds, *spread),
            f"fold {fold}",
            one_more="the authors trained once on each fold",
            family=_FOLDS,
        )
        for fold, seeds in enumerate(groups, start=1)
    ]


@claims.add(
    "section5.mq2008-spread-runs",
    place="Section 5.1; Table 1, MQ2008 NDCG",
    statement="Best and worst algorithm on MQ2008 differ by less than the standard errors in NDCG@10, in our runs.",
    material=_REFIT,
    words=SAID["mq-insignificant"],
)
def _(paper: Paper, refit: Record) -> Cell:
    folds = {method: fold_means(refit.table, method, "ndcg") for method in methods_of(refit.table)}
    best, worst = (chosen(folds, key=lambda method: sum(folds[method])) for chosen in (max, min))
    margin = max(
        paper["table1"].number(PUBLISHED.get(method, method), "mq2008_ndcg").standard_error or 0.0 for method in folds
    )
    return Difference(
        Measured.paired(folds[best], folds[worst]),
        "equal",
        margin,
        "the largest standard error printed in the column",
        f"{best} and {worst} cannot be told apart",
        family=_PAIRS,
    )


@claims.add(
    "table1.mq2008-other-paper",
    place="Abstract and Table 1, MQ2008, rows of another publication",
    statement="DirectRanker outperforms ES-Rank, IESR-Rank and IESVM-Rank on MQ2008, if all are scored on graded "
    "labels and all queries.",
    material=_REFIT,
    proxy="that those three were scored so is inferred from the level of their numbers",
    words=[SAID["outperforms"], TableCells("table1", "ES-Rank", "mq2008_ndcg")],
)
def _(paper: Paper, refit: Record) -> list[Cell]:
    cells: list[Cell] = []
    for method, (metric, title) in itertools.product(OTHER_PAPER, (("ndcg", "NDCG@10"), ("map", "MAP"))):
        ours = Measured.over(fold_means(refit.table, "DirectRanker", f"{metric}_all"))
        printed = paper["table1"].number(method, f"mq2008_{metric}")
        cells.append(
            Difference(
                Measured(ours.value - printed.value, ours.standard_error, ours.degrees),
                "higher",
                0.0,
                "the paper gives no size under this protocol",
                f"DirectRanker is above {method}",
                f"{method}, {title}",
                _OTHERS,
            )
        )
    return cells


def _higher_networks(paper: Paper, collapse: Record) -> tuple[Paper, Record]:
    """Table 1 if both networks were a little above a random order, as they are here."""
    table = paper["table1"].with_cell("RankNet", "mslr_ndcg", "0.178(5)").with_cell("ListNet", "mslr_ndcg", "0.187(9)")
    return paper.with_table(table), collapse


@claims.add(
    "table1.mslr-networks",
    place="Table 1, MSLR-WEB10K NDCG, RankNet and ListNet",
    statement="RankNet and ListNet have an NDCG@10 of {table1/RankNet/mslr_ndcg} on features that are not normalised.",
    words=TableCells("table1", "RankNet", "mslr_ndcg"),
    material=_COLLAPSE,
    proxy=_SAMPLE,
    otherwise=_higher_networks,
)
def _(paper: Paper, collapse: Record) -> list[Cell]:
    raw = collapse.table[~collapse.table["normalised"]]
    return [
        Value(
            paper["table1"].number(method, "mslr_ndcg"),
            Measured.over(raw.loc[raw["method"] == method, "ndcg"].tolist()),
            method,
            margin=paper["table1"].number(method, "mslr_ndcg").standard_error,
            margin_source="the standard error that Table 1 prints",
        )
        for method in ("RankNet", "ListNet")
    ]


@claims.add(
    "table2.fastest-runs",
    place="Section 5.1; Table 2",
    statement="DirectRanker trains faster than all other models, when all are this book's implementations.",
    material=_TIMES,
    proxy="the paper timed its own network against RankLib; ours are all compiled here, AdaRank most of all",
    words=SAID["fastest"],
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
    cause="training-times-of-one-order",
    words=SAID["same-order"],
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
    statement="The output's activation and the optimiser in the authors' code are those that the paper states.",
    material=PrintedNumbers("the authors' code of 2019"),
    words=[SAID["chosen-identity"], SAID["identity"]],
    otherwise=lambda paper: (
        paper.with_table(paper["settings"].with_cell("activation of the output", "paper", "tanh")),
    ),
)
def _(paper: Paper) -> list[Cell]:
    # The scripts are those of the search for NDCG, so of the second search nothing can be said; what the feature
    # transform really gives is measured in the room "features".
    return told_and_done(paper, "code_2019", left_out=("grid search", "feature transform"))
