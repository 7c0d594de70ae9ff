"""Sections 2, 5.1 and 6: graded relevance, the weight of a publication, equally hard data sets; Tables 2 and 3."""

from __future__ import annotations

from ltrlib.claims.cells import Cell, Difference, Measured, Statement
from ltrlib.claims.claim import ClaimList, Otherwise
from ltrlib.claims.noise import Family
from ltrlib.claims.words import Sentence, TableCells
from ltrlib.papers.tax2015.conventions.levels import study
from ltrlib.papers.tax2015.conventions.limits import FEWEST, graded_nwn, opposition
from ltrlib.papers.tax2015.conventions.publications import other_publications
from ltrlib.published.tables import Paper

__all__ = ["EQUALLY_HARD", "claims"]

claims = ClaimList(__name__)

EQUALLY_HARD = Family(
    "tax2015/equally-hard",
    f"strength of the opposition on each data set with at least {FEWEST} methods, against the mean over data sets",
    13,
)
"""The data sets are looked at all at once."""


def _named(statement: str, names: str) -> Otherwise:
    def otherwise(paper: Paper) -> tuple[Paper]:
        return (paper.with_table(paper["statements"].with_cell(statement, "text", names)),)

    return otherwise


@claims.add(
    "section51.graded",
    place="Section 5.1",
    statement="The optimal methods gain without MAP because NDCG grades relevance: they are better on graded labels.",
    words=(
        Sentence(
            "tax2015-journal", "Section 5.1", "perform even better on ranking on graded relevance", "be865de31027"
        ),
        Sentence("tax2015-journal", "Section 5.1", "MAP uses a binary notion of relevance", "9c88978f0bce"),
    ),
    cause="graded-relevance",
    otherwise=_named("abstract-front", "SmoothRank; FenchelRank; LRUF"),
)
def _(paper: Paper) -> list[Cell]:
    # "Compared to non-Pareto-optimal rankers", so the other optimal ones are no opponents here. Who beats all of them
    # on both kinds of labels cannot do better on one: that contradicts nothing.
    optimal, table = paper.names("abstract-front"), study(paper)
    cells: list[Cell] = []
    for method in optimal:
        others = table[~table["method"].isin([one for one in optimal if one != method])]
        (row,) = graded_nwn((method,), others).to_dict("records")
        witness = (
            f"against methods off the front, NWN at NDCG is {row['graded']:.3f} on graded labels, {row['binary']:.3f} "
            f"on binary ones, which are {row['on_binary']} of its {row['results']} NDCG results; by MAP on these it is "
            f"{row['map_binary']:.3f}"
        )
        cells.append(Statement(row["graded"] >= row["binary"], witness, "better on graded relevance", method))
    return cells


@claims.add(
    "section6.one-publication",
    place="Section 6",
    statement="That a publication with many results weighs more does no harm.",
    proxy="what would be harm is not said; here, who of the named leaves the front without one publication of others",
    words=Sentence("tax2015-journal", "Section 6", "implicit weighting is not harmful to the validity", "259cce0f7723"),
    cause="weight-of-a-publication",
    otherwise=_named("abstract-front", "ListNet; SmoothRank"),
)
def _(paper: Paper) -> list[Cell]:
    return [
        Statement(not found, f"off the front without {', '.join(found) or 'none'}", "not harmful", method)
        for method, found in other_publications(paper.names("abstract-front")).items()
    ]


@claims.add(
    "section6.equally-hard",
    place="Section 6, first limitation",
    statement="On each data set the methods that one is compared with are about equally hard to beat.",
    words=Sentence("tax2015-journal", "Section 6", "distributed uniformly over the benchmarks", "31b980541461"),
    otherwise=_named("leave-out-gain", "0.5"),
)
def _(paper: Paper) -> list[Cell]:
    found = opposition()
    mean = float(found["strength"].mean())
    margin = paper.statement("leave-out-gain").value
    return [
        Difference(
            Measured(row["strength"] - mean, row["error"], row["methods"] - 1),
            "equal",
            margin,
            "the change of NWN that Section 5.1 remarks on",
            "equally hard",
            row["dataset"],
            EQUALLY_HARD,
        )
        for row in found[found["methods"] >= FEWEST].to_dict("records")
    ]


claims.add_unchecked(
    "table2.forward-references",
    place="Table 2",
    statement="Five benchmark papers have {table2/WCL2R/forward_references} to {table2/AOL dataset/forward_references} "
    "forward references.",
    needs="Google Scholar's lists of that day",
    weight="editorial",
    words=TableCells("table2"),
)

claims.add_unchecked(
    "table3.search-results",
    place="Table 3",
    statement="Google Scholar lists the printed numbers of results for four benchmarks without a paper.",
    needs="Google Scholar's lists of that day",
    weight="editorial",
    words=TableCells("table3"),
)
