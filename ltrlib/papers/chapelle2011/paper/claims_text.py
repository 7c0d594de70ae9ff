"""Claims of the Yahoo! challenge overview that stand in its sentences: on data, teams and winners."""

from __future__ import annotations

import itertools
import re
from datetime import date, datetime

from ltrlib.claims.cells import Cell, Statement, Value
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.evidence import PrintedNumbers
from ltrlib.claims.words import TableCells
from ltrlib.papers.chapelle2011.sentences import SAID
from ltrlib.published.printed import Printed
from ltrlib.published.tables import Paper

__all__ = ["claims"]

claims = ClaimList(__name__)

_SEVERAL = 3


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
    material=PrintedNumbers("counts in the catalogue of TensorFlow Datasets", checked_by="counted"),
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
    "section5.eight-hours",
    place="Sections 5.1.2 and 5.2",
    statement="There are no more submissions than one every {submission-hours} hours allows the teams of each track.",
    words=[SAID["eight-hours"], SAID["tracks"]],
)
def _(paper: Paper) -> list[Cell]:
    first, last = (date.fromisoformat(paper["statements"].text(f"{end}-day", "text")) for end in ("first", "last"))
    most = ((last - first).days + 1) * 24 / paper.statement("submission-hours").value
    cells: list[Cell] = []
    for track in (1, 2):
        submissions, teams = (paper.statement(f"track{track}-{what}").value for what in ("submissions", "teams"))
        witness = f"{submissions / teams:.1f} per team, at most {most:.0f} were allowed"
        cells.append(Statement(submissions <= teams * most, witness, "within the limit", f"track {track}"))
    return cells


@claims.add(
    "figure3.secured",
    place="Section 5.3; Figure 3",
    statement="The winner of track 1 secured the first place before the last day: it did not submit on it.",
    words=[SAID["late-lead"], TableCells("figure3", column="last_submission")],
    proxy="Figure 8, with the test scores over time, gives no numbers; known is the winner's last submission",
    otherwise=lambda paper: (
        paper.with_table(paper["figure3"].with_cell("1", "last_submission", "2010-05-31 22:52:38")),
    ),
)
def _(paper: Paper) -> Cell:
    table, winner = paper["figure3"], paper["statements"].text("winner-team", "text")
    (row,) = (row for row in table.rows if table.text(row, "team") == winner)
    at = datetime.fromisoformat(table.text(row, "last_submission"))
    last = date.fromisoformat(paper["statements"].text("last-day", "text"))
    return Statement(at.date() < last, f"its last submission was made on {at:%d %B, %H:%M}", "before the last day")


claims.add_unchecked(
    "section6.simple-sum",
    place="Section 6.2",
    statement="Adding the normalised scores of the winner's models worked as well as other ways to combine them.",
    needs="the winner's models and their combinations",
    words=SAID["worked-as-well"],
)
claims.add_unchecked(
    "section6.bagboo",
    place="Section 6.2",
    statement="Bagging combined with boosting is often more accurate than either alone.",
    needs="the models of BagBoo's authors",
    words=SAID["bagboo"],
)


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
    witness = f"of {len(described)} that are described, {', '.join(others) or 'none'} did without trees"
    return Statement(not others, f"{witness}; not described: {'; '.join(untold) or 'none'}", "all of them")
