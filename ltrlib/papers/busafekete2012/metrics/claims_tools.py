"""Claims of the NDCG study about what the tools compute, checked on short lists with the tools' own conventions.

The conventions are those of :mod:`ltrlib.metrics.tools`, which the tests compare with recorded output of each tool.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ltrlib.claims.cells import Cell, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import PrintedNumbers
from ltrlib.metrics.convention import discounts
from ltrlib.metrics.metric import NDCG
from ltrlib.metrics.tools import template
from ltrlib.papers.busafekete2012.metrics.short_query import cases
from ltrlib.papers.busafekete2012.sentences import SAID
from ltrlib.published.tables import Paper

__all__ = ["claims"]

claims = ClaimList(__name__)

_PRESETS = {
    "LETOR 3.0": "letor3",
    "LETOR 4.0": "letor4",
    "MS": "mslr",
    "YAHOO": "yahoo",
    "RANKLIB": "ranklib",
    "TREC": "trec_eval",
}
_TOOLS = PrintedNumbers("the tools' conventions, which their recorded output confirms")
_ADARANK = PrintedNumbers("AdaRank's two formulas, on a grid of weak rankers")
_LISTS = [labels for labels in itertools.product(range(3), repeat=4) if any(labels)]
_ROUNDING = 1e-6  # one tool keeps scores in single precision


def _evaluate(tool: str, labels: list[int], sizes: list[int], k: int) -> NDArray[np.float64]:
    """NDCG at a cut-off of lists of labels, each in the order of the ranking."""
    from ltrlib.metrics.engine import evaluate

    metric = f"ndcg@{k}:{_PRESETS[tool]}"
    ranks = [float(-rank) for size in sizes for rank in range(size)]
    ids = [f"d{number:05}" for number in range(len(labels))]
    return evaluate(metric, labels, ranks, np.cumsum([0, *sizes]), doc_ids=ids)[metric].per_query


def _scores(tool: str, lists: list[tuple[int, ...]], k: int) -> NDArray[np.float64]:
    """The same with gains in place of labels for TREC, as in the study."""
    labels = [2**label - 1 if tool == "TREC" else label for one in lists for label in one]
    return _evaluate(tool, labels, [len(one) for one in lists], k)


def _defined(labels: tuple[int, ...], k: int, *, linear: bool = False) -> float:
    """NDCG by formulas (1) to (3) of the paper."""
    weights = discounts("log2", len(labels))

    def dcg(ranked: list[int]) -> float:
        return float(sum((label if linear else 2**label - 1) * weights[at] for at, label in enumerate(ranked[:k])))

    return dcg(list(labels)) / dcg(sorted(labels, reverse=True))


@claims.add(
    "section3.empty-scores",
    place="Section 3",
    statement="The score that each group's tools give a query without relevant documents, YAHOO in group 1 as printed.",
    material=_TOOLS,
    weight="editorial",
    cause="yahoo-in-two-groups",
    words=[SAID["empty-zero"], SAID["yahoo-alone"]],
)
def _(paper: Paper) -> list[Cell]:
    return [
        Value(number, float(_scores(paper["tools"].text(row, "tool"), [(0, 0, 0, 0)], 4)[0]), f"group {row}")
        for row, number in paper["tools"].column("empty_query").items()
    ]


@claims.add(
    "section3.short-scores",
    place="Sections 3 and 5; formula (4)",
    statement="A query shorter than the cut-off scores 0 by the third group, and as at its own length by the others.",
    material=_TOOLS,
    words=SAID["short-zero"],
    otherwise=lambda paper: (paper.with_table(paper["tools"].with_cell("1 / LETOR 3.0", "short_query", "0")),),
)
def _(paper: Paper) -> list[Cell]:
    tools, short = paper["tools"], (1, 2)
    cells: list[Cell] = []
    for row in tools.rows:
        tool = tools.text(row, "tool")
        ours, own = (float(_scores(tool, [short], k)[0]) for k in (4, len(short)))
        if tools.text(row, "short_query"):
            cells.append(Value(tools.number(row, "short_query"), ours, f"group {row}"))
        else:
            witness, place = f"{ours:.2f} at 4, {own:.2f} at 2", ("tools", row, "short_query")
            holds = abs(ours - own) < _ROUNDING
            cells.append(Statement(holds, witness, "two documents score the same at 4 as at 2", f"group {row}", place))
    return cells


@claims.add(
    "section3.same-score",
    place="Section 3",
    statement="The tools of the third group compute the same score, for labels that both take.",
    material=_TOOLS,
    words=SAID["labels"],
)
def _(paper: Paper) -> Cell:
    tools = [paper["tools"].text(row, "tool") for row in paper["tools"].rows if row.startswith("3 /")]
    lists = [*_LISTS, (0, 0, 0, 0), (2, 0), (1,)]
    found = [np.concatenate([_scores(tool, lists, k) for k in range(1, 7)]) for tool in tools]
    apart = max(float(np.abs(a - b).max()) for a, b in itertools.combinations(found, 2))
    gap = f"differ by up to {apart:.1g}" if apart else "give the same scores"
    return Statement(apart < _ROUNDING, f"{' and '.join(tools)} {gap}", "the same score")


@claims.add(
    "section3.labels",
    place="Section 3",
    statement="The LETOR 4.0 tool takes {letor4-labels} relevance labels, the MS tool {ms-labels}.",
    material=_TOOLS,
    words=SAID["labels"],
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for tool, name in (("LETOR 4.0", "letor4-labels"), ("MS", "ms-labels")):
        metric = template("ndcg", 10, _PRESETS[tool])
        assert isinstance(metric, NDCG)
        cells.append(Value(paper.statement(name), len(metric.gain), tool))
    return cells


@claims.add(
    "section3.trec-grades",
    place="Section 3",
    statement="The TREC tool takes labels as grades; with 0, 1 and 3 for 0, 1 and 2 it has the exponential ones.",
    material=_TOOLS,
    words=SAID["grades"],
)
def _(paper: Paper) -> list[Cell]:
    grades = [int(paper.statement(f"grade-label-{label}").value) for label in range(3)]
    cells: list[Cell] = []
    for name, given, linear in (("as they are", range(3), True), ("replaced", grades, False)):
        labels = [given[label] for one in _LISTS for label in one]
        ours = _evaluate("TREC", labels, [len(one) for one in _LISTS], 4).tolist()
        off = max(abs(_defined(one, 4, linear=linear) - value) for one, value in zip(_LISTS, ours, strict=True))
        published = "labels are the grades" if linear else "exponential grades"
        cells.append(Statement(off < _ROUNDING, f"it departs by at most {off:.4f}", published, name))
    return cells


@claims.add(
    "section3.ties",
    place="Section 3",
    statement="Equal scores: TREC orders documents by their ids, the other tools by their place in the file.",
    material=_TOOLS,
    words=SAID["sorting"],
    otherwise=lambda paper: (paper.with_table(paper["statements"].with_cell("sort-by-id", "text", "RANKLIB")),),
)
def _(paper: Paper) -> list[Cell]:
    from ltrlib.metrics.engine import evaluate

    cells: list[Cell] = []
    for tool in (*paper.names("own-sort"), *paper.names("sort-by-id")):
        metric = f"ndcg@1:{_PRESETS[tool]}"
        # The same two tied documents, in either order of the file.
        orders = (([1, 0], ["a", "b"]), ([0, 1], ["b", "a"]))
        ours = [evaluate(metric, labels, [0.0, 0.0], [0, 2], doc_ids=ids)[metric].mean for labels, ids in orders]
        by_id = ours[0] == ours[1]
        witness = (
            f"NDCG@1 of two tied documents is {ours[0]:.0f} in one order of the file and {ours[1]:.0f} in the other"
        )
        published = "by id" if tool in paper.names("sort-by-id") else "by the sorting"
        cells.append(Statement(by_id == (published == "by id"), witness, published, tool))
    return cells


def _as_adarank_is(paper: Paper) -> tuple[Paper]:
    """The paper if it said what AdaRank's formulas give."""
    table = paper["statements"].with_cell("adarank-coefficient", "text", "lower")
    return (paper.with_table(table.with_cell("adarank-weight", "text", "rises")),)


@claims.add(
    "section3.adarank",
    place="Section 3, after formula (4)",
    statement="Under the LETOR tool a query of fewer than {adarank-short} documents has no influence on AdaRank's "
    "coefficients, and its weight vanishes.",
    material=_ADARANK,
    words=SAID["adarank"],
    otherwise=_as_adarank_is,
)
def _(paper: Paper) -> list[Cell]:
    score = paper.statement("short-letor").exact
    found = cases(score)
    said = paper["statements"].text("adarank-coefficient", "text")
    moved = {"lower": 0, "unmoved": 0, "higher": 0}
    for one in found:
        moved[_way(one.with_short, one.without, *moved)] += 1
    cells: list[Cell] = [Statement(moved[said] == len(found), _counted(moved), said, "coefficient")]
    said = paper["statements"].text("adarank-weight", "text")
    for rule in found[0].before:
        went = {"falls": 0, "stays": 0, "rises": 0}
        for one in found:
            went[_way(one.after[rule], one.before[rule], *went)] += 1
        cells.append(Statement(went[said] == len(found), _counted(went), said, f"weight, by the rule of {rule}"))
    return cells


def _way(now: float | Fraction, before: float | Fraction, less: str, same: str, more: str) -> str:
    return same if math.isclose(now, before) else less if now < before else more


def _counted(ways: dict[str, int]) -> str:
    return f"of {sum(ways.values())} weak rankers: " + ", ".join(f"{way} {number}" for way, number in ways.items())


@claims.add(
    "section5.figure1-learners",
    place="Section 5, Figure 1",
    statement="The text names {figure1-number} learners for Figure 1.",
    words=SAID["figure1"],
)
def _(paper: Paper) -> Cell:
    return Value(paper.statement("figure1-number"), len(paper.names("figure1-learners")))
