"""What the page on the whole paper says first, and how the paper lays out its tables and figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ltrlib.claims.causes import causes
from ltrlib.claims.claim import Outcome
from ltrlib.claims.show import badge, link
from ltrlib.claims.verdict import Verdict
from ltrlib.papers.chapelle2011.paper.counted import fitting, label_range
from ltrlib.papers.chapelle2011.paper.spreads import implied_spreads
from ltrlib.published.layout import TableLayout
from ltrlib.published.tables import load_paper

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["TABLE1", "TABLE2", "TABLE5", "TABLE6", "TABLE7", "figure_list", "numbers", "summary", "table3", "table8"]

_PAPER = "chapelle2011"
_FILES = "needs Webscope C14B"
_NEVER = load_paper(_PAPER).statement("no-submission").text
_HOLDS = (Verdict.EXACT, Verdict.WITHIN_NOISE, Verdict.SAME_CONCLUSION)

TABLE1 = TableLayout(
    _PAPER,
    "table1",
    "Table 1 of the paper: public collections. Below a number: the sum of Table 2, or what the files hold.",
    {
        "queries": "Queries",
        "documents": "Documents",
        "relevance_levels": "Rel. levels",
        "features": "Features",
        "year": "Year",
    },
    row_notes=dict.fromkeys(
        ("LETOR 3.0 – Gov", "LETOR 4.0", "Yandex", "Microsoft"),
        "Not at hand, or not as a whole: the number below was counted by others.",
    ),
)
TABLE2 = TableLayout(
    _PAPER,
    "table2",
    "Table 2 of the paper: sizes of the parts. Below a number: what others counted in the files of Set 1.",
    {
        f"set{number}_{part}": f"SET {number} | {head}"
        for number in (1, 2)
        for part, head in (("train", "Train"), ("valid", "Valid."), ("test", "Test"))
    },
    needs={f"set2_{part}": _FILES for part in ("train", "valid", "test")},
)
TABLE5 = TableLayout(
    _PAPER,
    "table5",
    "Table 5 of the paper: three baselines on Set 1.",
    {
        f"{part}_{metric}": f"{title} | {metric.upper()}"
        for part, title in (("valid", "Validation"), ("test", "Test"))
        for metric in ("err", "ndcg")
    },
    needs={f"{part}_{metric}": _FILES for part in ("valid", "test") for metric in ("err", "ndcg")},
    convention="ndcg@10:yahoo",
)
TABLE6 = TableLayout(
    _PAPER,
    "table6",
    "Table 6 of the paper: teams by submissions. Below: what the text says.",
    {"teams": "Teams"},
    row_names={"0": "All", "1": "Submissions ≥ 1", "2": "Submissions ≥ 2", "10": "Submissions ≥ 10"},
    corner="Participation",
    checks={("1", "teams"): (f"{_PAPER}.table6.no-submission", f"{_NEVER} without one, says the text")},
)
TABLE7 = TableLayout(
    _PAPER,
    "table7",
    "Table 7 of the paper: winners and their ERR on the test part.",
    {"winner": "Winners", "err": "ERR"},
    needs={"err": "not public"},
)


def table3() -> TableLayout:
    """Table 3; under the heading SET 2, where the share is what the files of Set 1 hold.

    Examples
    --------
    >>> len(table3().checks)
    5
    """
    paper = load_paper(_PAPER)
    return TableLayout(
        _PAPER,
        "table3",
        "Table 3 of the paper. Below SET 1: two of its three files, counted by the CatBoost project.",
        {"grade": "Grade", "set1": "SET 1", "set2": "SET 2"},
        checks={
            (label, "set2"): (f"{_PAPER}.table3.columns-swapped", "fits Set 1") for label in fitting(paper, "set2")
        },
    )


def table8() -> list[TableLayout]:
    """Table 8 in its two halves; under each p-value the standard deviation per query that it implies.

    Examples
    --------
    >>> table8()[0].checks["1 / 1", "against_2"]
    ('chapelle2011.table8.p-values', 'sd 0.056')
    """
    paper = load_paper(_PAPER)
    halves = []
    for track, words in (
        (
            "1",
            "Table 8 of the paper, left: track 1. Below a p-value: the implied standard deviation over queries.",
        ),
        (
            "2",
            "Table 8 of the paper, right: track 2. Table 7 has no fifth winner, so Pos 5 implies none.",
        ),
    ):
        rows = tuple(f"{track} / {place}" for place in range(1, 5))
        spreads = implied_spreads(paper, track).items()
        halves.append(
            TableLayout(
                _PAPER,
                "table8",
                words,
                {f"against_{place}": f"Pos {place}" for place in range(2, 6)},
                row_names={row: f"Pos {row[-1]}" for row in rows},
                checks={
                    (f"{track} / {first}", f"against_{second}"): (f"{_PAPER}.table8.p-values", f"sd {spread.value:.3f}")
                    for (first, second), spread in spreads
                },
                rows=rows,
                part=f"track{track}",
                corner=f"Track {track}",
            )
        )
    return halves


def summary(outcomes: Sequence[Outcome]) -> list[str]:
    """The answer in three sentences, with the numbers of the checked claims.

    Parameters
    ----------
    outcomes
        All checked claims of the paper.

    Examples
    --------
    >>> from ltrlib.claims.registry import claims
    >>> len(summary([claim.check() for claim in claims("chapelle2011")]))
    3
    """
    paper = load_paper(_PAPER)
    own = [cause.verdict for cause in causes(outcomes) if cause.checked_by in ("arithmetic", "counted")]
    told = [verdict for verdict in own if verdict not in (Verdict.NOT_COMPARABLE, Verdict.UNDECIDED)]
    winner, trees = paper["table7"].number("1 / 1", "err"), paper["table5"].number("GBDT", "test_err")
    wrong = sum(verdict not in _HOLDS for verdict in told)
    lessons = [
        one.verdict
        for one in outcomes
        if one.claim.id.removeprefix(f"{_PAPER}.section6.").startswith(("loss-matters-", "squared-loss-"))
        and one.verdict is not Verdict.NOT_COMPARABLE
    ]
    open_ones, failed = (
        sum(verdict is one for verdict in lessons) for one in (Verdict.UNDECIDED, Verdict.NOT_REPRODUCED)
    )
    return [
        f"The paper's numbers fit together: of {len(told)} observations that its own tables or public counts can "
        f"decide, {len(told) - wrong} hold. The winner's ERR, {winner.text}, is {winner.value / trees.value - 1:.1%} "
        f"above that of plain regression trees ({trees.text}).",
        "One slip matters: the columns of Table 3 are swapped. Under SET 1 it prints "
        f"{paper['table3'].text('3', 'set1')} “excellent” documents; the files of Set 1 have "
        f"{label_range(paper, '3').value:.2%}. {_number(len(fitting(paper, 'set1'))).capitalize()} of the five shares "
        f"under SET 1 can be true of Set 1, {_number(len(fitting(paper, 'set2')), of=5)} under SET 2 can.",
        "No score could be rerun: the data are licensed, and the submissions were never published. On other data the "
        f"lessons on loss functions stay open in {open_ones} of {len(lessons)} checks and fail in {failed}.",
    ]


def _number(count: int, of: int = 0) -> str:
    return "none" if count == 0 else "all" if count == of else str(count)


def numbers() -> dict[str, str]:
    """Numbers of the prose, by the names under which it quotes them.

    Examples
    --------
    >>> numbers()["gain-winner"]
    '0.0066'
    """
    paper = load_paper(_PAPER)
    err = {name: number.value for name, number in paper["table5"].column("test_err").items()}
    steps = {
        "ranksvm": err["RankSVM"] - err["BM25F-SD"],
        "gbdt": err["GBDT"] - err["RankSVM"],
        "winner": paper["table7"].number("1 / 1", "err").value - err["GBDT"],
    }
    return {f"gain-{name}": f"{gain:.4f}" for name, gain in steps.items()}


_FIGURES = (
    (
        "1",
        "documents per query",
        ("section4.large-queries-elsewhere", "section4.long-queries-difficult", "section4.engines-overlap-less"),
        "two files counted by others; difficulty on other data",
    ),
    ("3", "the leaderboard", ("figure3.sorted",), "[by the other metric](34-chapelle2011-leaderboard.md)"),
    ("6", "ERR against NDCG", ("section5.kendall",), "[with other rankers](31-chapelle2011-metrics.md)"),
    ("9", "what a loss does to a line", (), "[drawn again](32-chapelle2011-baselines.md)"),
    ("2", "distinct values per feature", ("figure2.binary-features",), _FILES),
    (
        "4, 5, 7, 8",
        "page views, submissions, scores",
        ("figure4.page-views", "section5.last-days", "figure7.distribution", "figure8.no-overfitting"),
        "never published",
    ),
)


def figure_list(outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """The figures of the paper: what each shows, the verdict on what the text reads from it, and where ours is.

    Examples
    --------
    >>> figure_list([])["figure"].tolist()[0]
    'Figure 1'
    """
    import pandas as pd

    by_id = {one.claim.id: one for one in outcomes}
    rows = []
    for figure, shows, names, ours in _FIGURES:
        found = [by_id[f"{_PAPER}.{name}"] for name in names if f"{_PAPER}.{name}" in by_id]
        worst = max(found, key=lambda one: one.verdict.severity, default=None)
        verdict = "–" if worst is None else f'<a href="{link(worst.claim)}">{badge(worst)}</a>'
        rows.append((f"Figure{'s' * (',' in figure)} {figure}", shows, verdict, ours))
    return pd.DataFrame(rows, columns=["figure", "shows", "what the text says of it", "ours"])
