"""Claims of the Yahoo! challenge overview that stand in its sentences: on collections, data, teams and winners."""

from __future__ import annotations

import itertools
import math
import re
from datetime import date, datetime

from ltrlib.claims.cells import Cell, Measured, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import PrintedNumbers, RecordedResult
from ltrlib.claims.noise import Family
from ltrlib.claims.words import TableCells
from ltrlib.papers.chapelle2011.sentences import SAID
from ltrlib.published.printed import Printed
from ltrlib.published.tables import Paper
from ltrlib.records.record import Record

__all__ = ["claims"]

claims = ClaimList(__name__)

_SEVERAL = 3


@claims.add(
    "section3.letor-smaller",
    place="Section 3; Table 1",
    statement="LETOR's data sets are several orders of magnitude smaller than those of search engine companies.",
    words=SAID["letor-smaller"],
)
def _(paper: Paper) -> list[Cell]:
    table = paper["table1"]
    cells: list[Cell] = []
    for row, column in itertools.product(paper.names("letor-collections"), ("queries", "documents")):
        # Rows as Table 1 has them. What is less than one order is not several by any reading.
        own, yahoo = table.number(row, column), table.number("Yahoo!", column)
        orders = math.log10(yahoo.value / own.value)
        witness = f"{own.text} beside Yahoo's {yahoo.text}: {orders:.1f} orders of magnitude"
        cells.append(Statement(orders >= 1, witness, "several orders smaller", f"{row}, {column}"))
    return cells


@claims.add(
    "section3.fewer-features",
    place="Section 3; Table 1",
    statement="LETOR has fewer features and relevance levels than the collections of search engine companies.",
    words=SAID["fewer-features"],
)
def _(paper: Paper) -> list[Cell]:
    table = paper["table1"]
    cells: list[Cell] = []
    for column, words in (("features", "features"), ("relevance_levels", "relevance levels")):
        letor = max(table.number(row, column).value for row in table.rows if row.startswith("LETOR"))
        least = min(table.number(name, column).value for name in paper.names("company-collections"))
        cells.append(Statement(letor < least, f"at most {letor:.0f} beside at least {least:.0f}", "fewer", words))
    return cells


@claims.add(
    "section3.letor-range",
    place="Section 3; Table 1",
    statement="The .gov sets of LETOR can all have as many queries as the range in the text allows.",
    words=SAID["no-significance"],
)
def _(paper: Paper) -> Cell:
    sets = paper.statement("gov-sets").value
    low, high = (paper.statement(f"{end}-letor").value for end in ("smallest", "largest"))
    total = paper["table1"].number("LETOR 3.0 – Gov", "queries").value
    witness = (
        f"{sets:.0f} sets with {total:.0f} queries, which the range allows from {sets * low:.0f} to {sets * high:.0f}"
    )
    return Statement(sets * low <= total <= sets * high, witness, f"{low:.0f} to {high:.0f} queries each")


@claims.add(
    "section3.no-significance",
    place="Section 3",
    statement="With as few queries as LETOR has, no two of six similar learners differ significantly on OHSUMED.",
    material=RecordedResult("busafekete2012/ohsumed-queries"),
    words=SAID["no-significance"],
)
def _(paper: Paper, record: Record) -> Cell:
    # The sentence says "any". That is too much: against a ranker that is bad enough a few queries suffice. Its authors
    # speak of algorithms that papers compare, so it is asked of such; no opponent was chosen to make it fail.
    table = record.table[record.table["trained_under"] == "ranklib"]
    means = table.groupby(["learner", "query"])["ranklib@10"].mean()  # over the seeds
    pairs = list(itertools.combinations(sorted(table["learner"].unique()), 2))
    family = Family("chapelle2011/letor-pairs", "six learners on OHSUMED, each with each", len(pairs))
    gaps = [Measured.paired(means.loc[a].tolist(), means.loc[b].tolist()) for a, b in pairs]
    clear, alone = (
        sum(not low <= 0 <= high for low, high in (gap.interval(comparisons=at_once) for gap in gaps))
        for at_once in (family.comparisons, 1)
    )
    queries = table["query"].nunique()
    witness = f"{clear} of {len(pairs)} pairs on {queries} queries; {alone} if each pair were tested alone"
    return Statement(clear == paper.statement("significant-on-letor").value, witness, "no significant difference")


@claims.add(
    "table1.levels",
    place="Table 1, row Yahoo!; Table 3",
    statement="Table 3 has as many labels as Table 1 says.",
    words=TableCells("table1", "Yahoo!", "relevance_levels"),
)
def _(paper: Paper) -> Cell:
    return Value(paper["table1"].number("Yahoo!", "relevance_levels"), len(paper["table3"].rows))


@claims.add(
    "table2.catalogue",
    place="Table 2",
    statement="Queries of the parts of Set 1, and documents of both sets, as others counted them.",
    material=PrintedNumbers("counts in the catalogue of TensorFlow Datasets"),
    words=TableCells("table2"),
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for name, counted in paper["tfds_counts"].column("count").items():
        prefix, quantity = name.split()
        parts = [part for part in paper["table2"].header.columns if part.startswith(prefix)]
        printed = [paper["table2"].number(quantity.capitalize(), part) for part in parts]
        total = Printed.parse(f"{sum(int(number.exact) for number in printed):,}")
        cells.append(Value(printed[0] if len(printed) == 1 else total, int(counted.exact), name))
    return cells


@claims.add(
    "table6.enough",
    place="Section 5.2; Table 6",
    statement="There are as many submissions as the teams of Table 6 must have made at least.",
    words=[SAID["tracks"], TableCells("table6", column="teams")],
)
def _(paper: Paper) -> Cell:
    teams = {int(row): number.value for row, number in paper["table6"].column("teams").items()}
    least = sum((more - fewer) * teams[more] for fewer, more in itertools.pairwise(sorted(teams)))
    total = sum(paper.statement(f"track{track}-submissions").value for track in (1, 2))
    return Statement(total >= least, f"{total:.0f}, and at least {least:.0f} by Table 6", "enough submissions")


@claims.add(
    "section5.largest-team",
    place="Section 5.2; Table 7",
    statement="The largest team fits the number of participants, and no team of Table 7 is larger.",
    words=SAID["single"],
)
def _(paper: Paper) -> list[Cell]:
    largest = paper.statement("largest-team").value
    room = paper.statement("participants").value - paper.statement("teams").value + 1
    winners = paper["table7"]
    sizes = {row: len(re.findall(r"[A-Z]\. \w", winners.text(row, "winner"))) for row in winners.rows}
    most = max(sizes, key=lambda row: sizes[row])
    return [
        Statement(largest <= room, f"one team could have up to {room:.0f}", f"{largest:.0f} members", "participants"),
        Statement(sizes[most] <= largest, f"at most {sizes[most]} names (track {most})", "no larger team", "winners"),
    ]


@claims.add(
    "section5.last-days",
    place="Section 5.2; Figures 3 and 5",
    statement="The number of submissions soared in the last couple of days.",
    proxy="only the time of the last submission of each of the 20 teams of Figure 3 is known",
    words=SAID["per-day"],
)
def _(paper: Paper) -> Cell:
    table = paper["figure3"]
    last = date.fromisoformat(paper["statements"].text("last-day", "text"))
    days = [(last - datetime.fromisoformat(table.text(row, "last_submission")).date()).days for row in table.rows]
    couples = [sum(day // 2 == couple for day in days) for couple in range(max(days) // 2 + 1)]
    witness = f"{couples[0]} of {len(days)} in the last two days, at most {max(couples[1:], default=0)} in two others"
    return Statement(couples[0] > max(couples[1:], default=0), witness, "more than before")


claims.add_unchecked(
    "figure4.page-views",
    place="Section 5.2; Figure 4",
    statement="113,000 page views from 97 countries, and how they are distributed.",
    needs="the logs of the challenge's site",
    words=SAID["page-views"],
)
claims.add_unchecked(
    "figure7.distribution",
    place="Section 5.3; Figure 7",
    statement="The scores have a bump where linear RankSVM is, and a heavy tail on the left.",
    needs="the scores of all submissions",
    words=[SAID["bump"], SAID["tail"]],
)


@claims.add(
    "section1.small-differences",
    place="Sections 1, 6.1 and 7; Tables 5 and 7",
    statement="The winners differ very little: less than the winner of track 1 differs from the baseline GBDT.",
    weight="central",
    words=[SAID["small-differences"], SAID["top-winners"]],
)
def _(paper: Paper) -> list[Cell]:
    scores = paper["table7"].column("err")
    gap = scores["1 / 1"].value - paper["table5"].number("GBDT", "test_err").value
    cells: list[Cell] = []
    for track in ("1", "2"):
        own = [number.value for row, number in scores.items() if row.startswith(f"{track} /")]
        spread = max(own) - min(own)
        cells.append(Statement(spread < gap, f"{spread:.5f} beside {gap:.5f}", "very small", f"track {track}"))
    return cells


@claims.add(
    "table7.prizes",
    place="Sections 5.1.3 and 6.1; Table 7",
    statement="Without the winner who declined, each track has as many winners as prizes.",
    words=[SAID["prizes"], SAID["promoted"]],
)
def _(paper: Paper) -> list[Cell]:
    table, prizes = paper["table7"], len(paper["prizes"].rows)
    cells: list[Cell] = []
    for track in ("1", "2"):
        rows = [table.text(row, "winner") for row in table.rows if row.startswith(f"{track} /")]
        paid = sum("declined" not in winner for winner in rows)
        cells.append(Statement(paid == prizes, f"{paid} winners, {prizes} prizes", "as many", f"track {track}"))
    return cells


@claims.add(
    "section6.profile",
    place="Section 6.1; Table 7",
    statement="Several winners work for Microsoft or Yandex, and two named ones at universities.",
    words=SAID["profile"],
)
def _(paper: Paper) -> list[Cell]:
    table = paper["table7"]
    rows = [table.text(row, "winner") for row in table.rows]
    employed = sum(any(company in row for company in paper.names("companies")) for row in rows)
    cells: list[Cell] = [
        Statement(employed >= _SEVERAL, f"{employed} of {len(rows)} rows of Table 7", "several", "companies")
    ]
    for name in paper.names("academics"):
        own = [row for row in rows if name in row]
        words = "; ".join(own) or "not in Table 7"
        cells.append(Statement(any("University" in row for row in own), words, "at a university", name))
    return cells


@claims.add(
    "section6.all-winners",
    place="Sections 1, 6.2 and 7; Table 7",
    statement="All winners used ensembles of decision trees, as we read the descriptions that the text gives.",
    weight="central",
    words=SAID["all-winners"],
)
def _(paper: Paper) -> Cell:
    table, described = paper["table7"], paper.names("described-winners")
    rows = [table.text(row, "winner") for row in table.rows]
    # One winner declined the prize and is not described: nothing is known of him, which contradicts nothing.
    untold = [row for row in rows if not any(name and re.search(rf"\b{name}\b", row) for name in described)]
    others = [name for name in described if name not in paper.names("tree-ensembles")]
    witness = f"{len(described)} are described, without trees: {', '.join(others) or 'none'}"
    return Statement(not others, f"{witness}; not described: {'; '.join(untold) or 'none'}", "all of them")
