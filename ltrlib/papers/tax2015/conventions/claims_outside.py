"""The study's evaluation results against other publications that print the same, or something computed from them."""

from __future__ import annotations

from ltrlib.claims.cells import Cell, Order, Statement, Value
from ltrlib.claims.claim import ClaimList, Otherwise
from ltrlib.claims.evidence import PrintedNumbers
from ltrlib.claims.words import Sentence, TableCells
from ltrlib.papers.tax2015.conventions.levels import study, told
from ltrlib.papers.tax2015.conventions.outside import liu_wins, official_cells, pooled_map, second_sources
from ltrlib.papers.tax2015.sources import LETOR
from ltrlib.published.printed import Printed
from ltrlib.published.tables import Paper

__all__ = ["claims"]

claims = ClaimList(__name__)

_RESULTS = "the study's evaluation results"
_ADARANK_MQ2008 = "AdaRank-MAP / LETOR 4.0 MQ2008 / NDCG@10"
_SLIP = ("RankSVM-Struct / LETOR 4.0 MQ2007 / NDCG@10", "0.44386")
_LISTNET_TD2003 = "ListNet / LETOR 3.0 TD2003 / MAP"


def _with(row: str, value: str) -> Otherwise:
    def otherwise(paper: Paper) -> tuple[Paper]:
        return (paper.with_table(paper["results"].with_cell(row, "value", value)),)

    return otherwise


@claims.add(
    "matrix.official",
    place=f"LETOR 4.0, official baselines; {_RESULTS}",
    statement="The official LETOR 4.0 baselines stand among the study's results as Microsoft's files have them.",
    material=PrintedNumbers("Microsoft's baseline files and the study's results"),
    weight="editorial",
    cause="slip-in-official-baseline",
    otherwise=_with(*_SLIP),
    words=[TableCells("results", column="value"), TableCells("baselines", paper="letor4")],
)
def _(paper: Paper) -> list[Cell]:
    return [
        Value(
            Printed.parse(row["printed"]),
            Printed.parse(row["official"]).bounds,
            f"{row['method']}, {row['dataset']}, {row['metric']}",
        )
        for row in official_cells(study(paper)).to_dict("records")
    ]


@claims.add(
    "matrix.liu-wins",
    place="Liu (2011), Table 11.8; Section 3",
    statement="Counted from the study's results, the winning numbers on LETOR 3.0 are those that Liu prints.",
    material=PrintedNumbers("Table 11.8 of Liu (2011) and the study's results"),
    otherwise=_with(_LISTNET_TD2003, "0.0"),
    words=[TableCells("results", column="value"), TableCells("winning_numbers", paper="liu2011")],
)
def _(paper: Paper) -> list[Cell]:
    return [
        Value(Printed.parse(str(row["published"])), row["counted"], f"{row['method']}, {row['metric']}")
        for row in liu_wins(study(paper)).to_dict("records")
    ]


@claims.add(
    "matrix.pooled-map",
    place=f"Cormack et al. (2009), Table 3; {_RESULTS}",
    statement="MAP over all queries of LETOR 3.0, pooled from the study's results, orders four methods as others do.",
    material=PrintedNumbers("Table 3 of Cormack et al. (2009) and the study's results"),
    otherwise=_with(_LISTNET_TD2003, "0.0"),
    words=[TableCells("results", column="value"), TableCells("second_sources", column="value")],
)
def _(paper: Paper) -> Cell:
    found = pooled_map(study(paper))
    ranked = found.assign(value=[Printed.parse(text).value for text in found["published"]]).sort_values("value")[::-1]
    return Order([[name] for name in ranked["method"]], dict(zip(found["method"], found["pooled"], strict=True)))


@claims.add(
    "matrix.second-sources",
    place=f"{_RESULTS}; Liu (2011), Torkestani (2012b), RankBCA, LETOR 4.0",
    statement="An official baseline that another publication prints too has the same value in the study.",
    material=PrintedNumbers("second sources of the study's results"),
    weight="editorial",
    cause="slip-in-official-baseline",
    otherwise=_with(*_SLIP),
    words=[TableCells("results", column="value"), TableCells("second_sources", column="value")],
)
def _(paper: Paper) -> list[Cell]:
    found = second_sources(study(paper))
    cells: list[Cell] = []
    for collection, title in LETOR.items():
        own = found[(found["origin"] == collection) & found["dataset"].str.startswith(title)]
        if len(own):
            agree, strictly = int(own["agrees"].sum()), int(own["strictly"].sum())
            witness = f"{agree} of {len(own)} agree to one unit of the last digit, {strictly} by strict rounding"
            cells.append(Statement(agree == len(own), witness, "the same values", title))
    return cells


@claims.add(
    "section21.one-tool",
    place="Section 2.1, reason 1; results on MQ2008",
    statement="Studies that evaluate in another way were left out: NDCG@10 on MQ2008 has the level of one script.",
    material=PrintedNumbers("the study's results, and the level of six learners of ours by three tools"),
    words=Sentence(
        "tax2015-journal", "Section 2.1", "A different evaluation methodology was used in the study", "61d4baa58b9d"
    ),
    otherwise=_with(_ADARANK_MQ2008, "0.5012"),
)
def _(paper: Paper) -> list[Cell]:
    own = told(study(paper)).query("metric == 'NDCG@10'")
    return [
        Statement(
            row["tool"] == "letor4", f"{row['printed']}, nearest to {row['tool']}", "one way to evaluate", row["method"]
        )
        for row in own.to_dict("records")
    ]
