"""Claims of the Yahoo! challenge overview about participation and results (Sections 5 and 6)."""

from __future__ import annotations

import itertools
from datetime import date

from ltrlib.claims.cells import Cell, Conclusion, Statement, Value, with_rounding
from ltrlib.claims.claim import ClaimList
from ltrlib.claims.noise import CONFIDENCE
from ltrlib.claims.words import TableCells
from ltrlib.papers.chapelle2011.paper.spreads import implied_spreads, p_values
from ltrlib.papers.chapelle2011.sentences import SAID
from ltrlib.published.printed import Printed
from ltrlib.published.tables import Paper

__all__ = ["claims"]

claims = ClaimList(__name__)


def _clear(paper: Paper, track: str, *, together: bool = False) -> list[str]:
    """Pairs of positions whose printed p-value is significant, alone or with all tests of the track together (Holm)."""
    from ltrlib.metrics.significance import holm

    printed = {f"{first}–{second}": p.value for (first, second), p in p_values(paper, track).items()}
    found = holm(list(printed.values())) if together else list(printed.values())
    return [pair for pair, p in zip(printed, found, strict=True) if p <= 1 - CONFIDENCE]


def _busier_days(paper: Paper) -> tuple[Paper]:
    """The paper if it said that most days had more submissions than all days had in the mean."""
    return (paper.with_table(paper["statements"].with_cell("submissions-per-day", "text", "70")),)


@claims.add(
    "prizes.sum",
    place="Section 5.1.3",
    statement="The prizes of both tracks add up to the sum named.",
    words=SAID["prizes"],
)
def _(paper: Paper) -> Cell:
    return Value(paper.statement("prizes"), 2 * sum(n.exact for n in paper["prizes"].column("prize").values()))


@claims.add(
    "section1.thousand-teams",
    place="Section 1; Table 6",
    statement="More than a thousand teams registered.",
    words=SAID["thousand-teams"],
)
def _(paper: Paper) -> Cell:
    teams, limit = paper["table6"].number("0", "teams").value, paper.statement("registered").value
    return Statement(teams > limit, f"{teams:.0f} teams", f"more than {limit:.0f} teams")


@claims.add(
    "table6.all-teams",
    place="Section 5.2; Table 6",
    statement="Text and table count the same teams.",
    words=SAID["teams"],
)
def _(paper: Paper) -> Cell:
    return Value(paper["table6"].number("0", "teams"), paper.statement("teams").exact, source="Section 5.2")


@claims.add(
    "table6.no-submission",
    place="Section 5.2; Table 6",
    statement="Share of the registered teams that never submitted.",
    words=SAID["no-submission"],
)
def _(paper: Paper) -> Cell:
    every, some = (paper["table6"].number(row, "teams").exact for row in ("0", "1"))
    return Value(paper.statement("no-submission"), (every - some) / every)


@claims.add(
    "table6.falling",
    place="Table 6",
    statement="The more submissions are asked for, the fewer teams have made them.",
    words=TableCells("table6", column="teams"),
)
def _(paper: Paper) -> Cell:
    teams = [number.value for number in paper["table6"].column("teams").values()]
    holds = all(more > fewer for more, fewer in itertools.pairwise(teams))
    return Statement(holds, " > ".join(f"{number:.0f}" for number in teams), "the counts fall")


@claims.add(
    "section5.teams-per-track",
    place="Section 5.2; Table 6",
    statement="The teams that submitted are those of track 1 and of track 2, some in both.",
    words=SAID["tracks"],
)
def _(paper: Paper) -> Cell:
    active = paper["table6"].number("1", "teams").value
    first, second = paper.statement("track1-teams").value, paper.statement("track2-teams").value
    both = first + second - active
    holds = 0 <= both <= min(first, second)
    return Statement(holds, f"{both:.0f} teams were in both tracks", "the three counts belong to one set of teams")


@claims.add(
    "section5.track1-popular",
    place="Section 5.2",
    statement="Track 1 had more submissions and more teams than track 2.",
    words=SAID["tracks"],
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for what in ("submissions", "teams"):
        first, second = (paper.statement(f"track{track}-{what}").value for track in (1, 2))
        cells.append(Statement(first > second, f"{first:.0f} beside {second:.0f}", "more in track 1", what))
    return cells


@claims.add(
    "section5.submissions-per-day",
    place="Section 5.2",
    statement="Most days had about {submissions-per-day} submissions in both tracks, the last days many more.",
    words=SAID["per-day"],
    otherwise=_busier_days,
)
def _(paper: Paper) -> Cell:
    first, last = (date.fromisoformat(paper["statements"].text(f"{end}-day", "text")) for end in ("first", "last"))
    days = (last - first).days + 1
    total = sum(paper.statement(f"track{track}-submissions").exact for track in (1, 2))
    usual = paper.statement("submissions-per-day")
    # The last days lift the mean above the usual day, so a mean below it would speak against the statement.
    above = Conclusion("the mean over all days is not below the usual day", lambda mean: mean >= usual.value)
    return Value(usual, total / days, conclusion=above)


@claims.add(
    "section5.single-participants",
    place="Section 5.2",
    statement="Most teams were single participants.",
    words=SAID["single"],
)
def _(paper: Paper) -> Cell:
    teams, people = paper.statement("teams").value, paper.statement("participants").value
    # A team of two or more has at least one person beyond the first, so there cannot be more such teams than that.
    single = teams - (people - teams)
    return Statement(single > teams / 2, f"at least {single:.0f} of {teams:.0f} teams", "more than half of the teams")


@claims.add(
    "section5.affiliations",
    place="Section 5.2",
    statement="The academic and industrial shares of the known affiliations add up to the whole.",
    words=SAID["affiliations"],
)
def _(paper: Paper) -> Cell:
    total = with_rounding(lambda a, b: a + b, paper.statement("academic").bounds, paper.statement("industrial").bounds)
    return Value(Printed.parse("100%"), total)


@claims.add(
    "figure3.sorted",
    place="Figure 3",
    statement="The leaderboard is ordered by ERR.",
    words=[SAID["by-err"], TableCells("figure3", column="err")],
)
def _(paper: Paper) -> Cell:
    scores = [number.value for number in paper["figure3"].column("err").values()]
    wrong = [i + 2 for i, (above, below) in enumerate(itertools.pairwise(scores)) if below > above]
    found = f"out of order at rank {', '.join(map(str, wrong))}" if wrong else "none out of order"
    return Statement(not wrong, f"{len(scores)} rows, {found}", "ERR never rises")


@claims.add(
    "figure3.winner-leads",
    place="Section 5.3; Figure 3; Table 7",
    statement="The team that won on the test part also led the leaderboard on the validation part.",
    words=SAID["late-lead"],
)
def _(paper: Paper) -> Cell:
    winner, leader = paper["statements"].text("winner-team", "text"), paper["figure3"].text("1", "team")
    return Statement(winner == leader, f"{leader} leads the leaderboard, {winner} won", "the same team")


claims.add_unchecked(
    "figure8.no-overfitting",
    place="Section 5.3; Figure 8",
    statement="For most teams a better validation score meant a better test score.",
    needs="the scores of the submissions on the test part",
    words=SAID["no-overfitting"],
)


claims.add_unchecked(
    "section6.oracle",
    place="Section 6.1",
    statement="ERR of an oracle that picks the best of the top ten primary submissions for each query.",
    needs="the submissions of the challenge",
    words=SAID["oracle"],
)


@claims.add(
    "section6.oracle-above-winners",
    place="Section 6.1; Table 7",
    statement="The oracle's ERR is substantially higher than those of the winners of track 1.",
    words=SAID["oracle-higher"],
)
def _(paper: Paper) -> Cell:
    oracle = paper.statement("oracle").value
    track = [number.value for row, number in paper["table7"].column("err").items() if row.startswith("1 /")]
    gap, spread = oracle - max(track), max(track) - min(track)
    witness = f"{gap:.4f} ({gap / max(track):.1%}) above the winner, beside {spread:.4f} between first and last winner"
    return Statement(gap > spread, witness, "the gap exceeds the spread of the winners")


@claims.add(
    "section6.oracle-reference",
    place="Section 6.1",
    statement="The oracle's ERR is higher than the numbers in the table that the sentence names, {oracle-higher-than}.",
    weight="editorial",
    words=SAID["oracle-higher"],
)
def _(paper: Paper) -> Cell:
    named = paper["statements"].text("oracle-higher-than", "text")
    table = paper[named.replace(" ", "")]
    columns = [name for name, column in table.header.columns.items() if column.kind == "number"]
    largest = max(number.value for name in columns for number in table.column(name).values())
    oracle = paper.statement("oracle").value
    witness = f"the largest number in {named} is {largest}, the oracle's ERR {oracle}"
    return Statement(oracle > largest, witness, f"the oracle's ERR exceeds the numbers in {named}")


@claims.add(
    "table7.sorted",
    place="Table 7",
    statement="The winners are ordered by ERR in each track.",
    words=[SAID["ranked"], TableCells("table7", column="err")],
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for track in ("1", "2"):
        scores = [n.value for row, n in paper["table7"].column("err").items() if row.startswith(f"{track} /")]
        holds = all(above > below for above, below in itertools.pairwise(scores))
        cells.append(Statement(holds, " > ".join(map(str, scores)), "ERR falls", f"track {track}"))
    return cells


@claims.add(
    "table8.positions",
    place="Section 6.1; Table 8",
    statement="Table 8 tests the {top-competitors} top competitors of each track against each other.",
    words=SAID["top-five"],
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for track in ("1", "2"):
        # Table 7 lists who won a prize, four in each track besides one who declined; the tests need not stop there.
        tested = len({position for pair in p_values(paper, track) for position in pair})
        cells.append(Value(paper.statement("top-competitors"), tested, f"track {track}"))
    return cells


@claims.add(
    "table8.mostly-insignificant",
    place="Section 6.1; Table 8",
    statement="Most differences between the top five are not significant.",
    cause="table8-significance",
    words=SAID["insignificant"],
)
def _(paper: Paper) -> Cell:
    tests = sum(len(p_values(paper, track)) for track in ("1", "2"))
    large = tests - sum(len(_clear(paper, track)) for track in ("1", "2"))
    witness = f"{large} of {tests} p-values are above {1 - CONFIDENCE:.2g}"
    return Statement(large > tests / 2, witness, "most p-values are large")


@claims.add(
    "table8.together",
    place="Section 6.1; Table 8",
    statement="Most differences between the top five are not significant: the ten tests of a track taken together.",
    cause="table8-significance",
    words=SAID["insignificant"],
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for track in ("1", "2"):
        tests, alone, left = len(p_values(paper, track)), _clear(paper, track), _clear(paper, track, together=True)
        witness = (
            f"{len(left)} of {tests} after Holm's correction ({', '.join(left) or 'none'}), {len(alone)} without it"
        )
        cells.append(Statement(len(left) < tests / 2, witness, "most are not significant", f"track {track}"))
    return cells


@claims.add(
    "table8.track2-less-significant",
    place="Section 6.1; Table 8",
    statement="On the smaller test part of track 2 fewer differences are significant than in track 1.",
    words=SAID["track2"],
)
def _(paper: Paper) -> Cell:
    small = {t: len(_clear(paper, t)) for t in ("1", "2")}
    queries = {t: paper["table2"].number("Queries", f"set{t}_test").value for t in ("1", "2")}
    witness = "; ".join(f"track {t}: {small[t]} of 10 significant with {queries[t]:,.0f} queries" for t in small)
    return Statement(small["2"] < small["1"] and queries["2"] < queries["1"], witness, "fewer in track 2")


@claims.add(
    "table8.p-values",
    place="Tables 2, 7 and 8",
    statement="The p-values belong to the ERR differences of Table 7: the spreads that they imply fit together.",
    words=[SAID["p-values"], TableCells("table8")],
)
def _(paper: Paper) -> list[Cell]:
    cells: list[Cell] = []
    for track in ("1", "2"):
        spreads = implied_spreads(paper, track)
        # Standard deviations of differences are distances, so each side of a triangle is at most the other two.
        broken = []
        for i, j, k in itertools.combinations(sorted({place for pair in spreads for place in pair}), 3):
            sides = [spreads[i, j], spreads[j, k], spreads[i, k]]
            if any(side.low > sum(other.high for other in sides if other is not side) for side in sides):
                broken.append((i, j, k))
        values = [side.value for side in spreads.values()]
        witness = (
            f"implied standard deviations {min(values):.3f} to {max(values):.3f}, broken triangles: {broken or 'none'}"
        )
        cells.append(Statement(not broken, witness, "the implied spreads can belong to one set", f"track {track}"))
    return cells


@claims.add(
    "section6.winner-models",
    place="Section 6.2",
    statement="The models of the winning combination, by kind, add up to its {winner-models}.",
    words=SAID["winner-models"],
)
def _(paper: Paper) -> list[Cell]:
    kinds = ("lambdamart", "lambdarank", "logistic")
    halves = sum(paper.statement(f"winner-lambdamart-{metric}").exact for metric in ("err", "ndcg"))
    return [
        Value(paper.statement("winner-models"), sum(paper.statement(f"winner-{kind}").exact for kind in kinds), "all"),
        Value(paper.statement("winner-lambdamart"), halves, "LambdaMART"),
    ]
