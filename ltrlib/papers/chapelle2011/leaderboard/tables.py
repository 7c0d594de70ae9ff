"""What the chapter on the leaderboard shows, and the numbers of its prose."""

from __future__ import annotations

import pandas as pd

from ltrlib.claims.claim import Outcome
from ltrlib.claims.registry import claims
from ltrlib.papers.chapelle2011.paper.spreads import implied_spreads
from ltrlib.published.tables import load_paper

__all__ = [
    "board_caption",
    "discussed",
    "gaps_to_winner",
    "ladder_table",
    "leaderboard",
    "numbers",
    "spreads",
    "summary",
]

_METHODS = ("BM25F-SD", "RankSVM", "GBDT")


def spreads() -> pd.DataFrame:
    """Standard deviation over queries of the paired ERR differences that each p-value of Table 8 implies.

    Returns
    -------
    pandas.DataFrame
        track, pair (positions), difference of ERR, p, and the implied deviation with the range that rounding allows.
    """
    paper = load_paper("chapelle2011")
    rows = []
    for track in ("1", "2"):
        for (first, second), spread in implied_spreads(paper, track).items():
            above, below = (paper["table7"].number(f"{track} / {place}", "err").value for place in (first, second))
            rows.append(
                {
                    "track": track,
                    "pair": f"{first} – {second}",
                    "difference": above - below,
                    "p": paper["table8"].text(f"{track} / {first}", f"against_{second}"),
                    "spread": spread.value,
                    "low": spread.low,
                    "high": spread.high,
                }
            )
    return pd.DataFrame(rows)


def leaderboard() -> pd.DataFrame:
    """The leaderboard of Figure 3 with each team's place by NDCG, and what it has ahead of the GBDT baseline.

    Returns
    -------
    pandas.DataFrame
        place (by ERR), team, err, ndcg, place_by_ndcg (equal values share the better place), moved (places gained by
        counting NDCG), ahead (ERR on the validation part less that of GBDT in Table 5).

    Examples
    --------
    >>> leaderboard()["place_by_ndcg"].tolist()[:5]
    [4, 1, 1, 3, 6]
    """
    paper = load_paper("chapelle2011")
    board = paper["figure3"]
    table = pd.DataFrame(
        {"place": [int(row) for row in board.rows], "team": [board.text(r, "team") for r in board.rows]}
    )
    for metric in ("err", "ndcg"):
        table[metric] = [number.value for number in board.column(metric).values()]
    table["place_by_ndcg"] = table["ndcg"].rank(ascending=False, method="min").astype(int)
    table["moved"] = table["place"] - table["place_by_ndcg"]
    table["ahead"] = table["err"] - paper["table5"].number("GBDT", "valid_err").value
    return table


def gaps_to_winner() -> pd.DataFrame:
    """ERR and NDCG from the text match feature to the oracle, on the part for which the paper prints them."""
    paper = load_paper("chapelle2011")
    err = [paper["table5"].number(method, "test_err").value for method in _METHODS]
    err += [paper["table7"].number("1 / 1", "err").value, paper.statement("oracle").value]
    ndcg = [paper["table5"].number(method, "valid_ndcg").value for method in _METHODS]
    ndcg += [paper["figure3"].number("1", "ndcg").value, float("nan")]
    table = pd.DataFrame({"what": [*_METHODS, "winner", "oracle of the best ten"], "err": err, "ndcg": ndcg})
    table["err_gain"] = table["err"].pct_change()
    table["ndcg_gain"] = table["ndcg"].pct_change(fill_method=None)
    return table


def board_caption(moved: int) -> str:
    """What the picture of the leaderboard shows.

    Examples
    --------
    >>> board_caption(2)[-41:]
    'Orange: teams that move 2 places or more.'
    """
    return (
        "Figure 3 of the paper as a picture: the places of its twenty teams on the validation part, by ERR and NDCG. "
        f"Orange: teams that move {moved} places or more."
    )


def ladder_table() -> pd.DataFrame:
    """The same as text."""
    ladder = gaps_to_winner()
    shown = ladder[["what"]].copy()
    for column, title in (("err", "ERR (test)"), ("ndcg", "NDCG (validation)")):
        shown[title] = ladder[column].map("{:.5f}".format).replace("nan", "–")
        shown[f"gain in {title.split()[0]}"] = ladder[f"{column}_gain"].map("{:+.1%}".format).replace("+nan%", "–")
    return shown


def discussed() -> list[Outcome]:
    """The claims that the chapter discusses, checked; they stand in the room of the whole paper.

    Examples
    --------
    >>> len(discussed()) > 5
    True
    """
    kinds = ("figure3", "table7", "table8")
    return [one.check() for one in claims("chapelle2011") if one.id.split(".")[1] in kinds]


def summary() -> list[str]:
    """The chapter in three sentences.

    Examples
    --------
    >>> len(summary())
    3
    """
    found = numbers()
    return [
        f"Ranked by NDCG, the winner of the challenge would be number {found['winner-by-ndcg']} on its leaderboard, "
        f"{found['winner-behind']} behind the first.",
        f"The winner's ERR is {found['gap-winner']} above that of the authors' regression trees; an oracle that picks "
        f"the best of ten submissions for each query gains {found['gap-oracle']} more.",
        "The p-values of Table 8 fit the differences of Table 7: the standard deviations over queries that they imply "
        f"are alike ({found['spread-1']} in track 1, {found['spread-2']} in track 2).",
    ]


def numbers() -> dict[str, str]:
    """Numbers of the prose, by the names under which it quotes them."""
    gains = gaps_to_winner().set_index("what")["err_gain"]
    board = leaderboard()
    found = {
        "behind": f"{(board['ahead'] < 0).sum()}",
        "gap-winner": f"{gains['winner']:.1%}",
        "gap-oracle": f"{gains['oracle of the best ten']:.1%}",
        "winner-by-ndcg": f"{board['place_by_ndcg'].iloc[0]}",
        "winner-behind": f"{board['ndcg'].max() - board['ndcg'].iloc[0]:.4f}",
    }
    for track, rows in spreads().groupby("track"):
        found[f"spread-{track}"] = f"{rows['spread'].min():.3f} to {rows['spread'].max():.3f}"
    return found
