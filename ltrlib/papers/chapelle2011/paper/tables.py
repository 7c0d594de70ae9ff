"""What the printed tables of Chapelle and Chang (2011) imply: spreads behind p-values, places on the leaderboard."""

from __future__ import annotations

import pandas as pd

from ltrlib.papers.chapelle2011.paper.claims_challenge import implied_spreads
from ltrlib.published.tables import load_paper

__all__ = ["gaps_to_winner", "leaderboard", "spreads"]


def spreads() -> pd.DataFrame:
    """Standard deviation over queries of the paired ERR differences that each p-value of Table 8 implies.

    Returns
    -------
    pandas.DataFrame
        track, pair (positions), difference of ERR, p, and the implied deviation with the range that rounding allows.

    Examples
    --------
    >>> spreads().iloc[0][["track", "pair", "p"]].tolist()
    ['1', '1 – 2', '0.262']
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
    """ERR and NDCG from the text match feature to the oracle, on the part for which the paper prints them.

    Examples
    --------
    >>> gaps_to_winner()["what"].tolist()
    ['BM25F-SD', 'RankSVM', 'GBDT', 'winner', 'oracle of the best ten']
    """
    paper = load_paper("chapelle2011")
    methods = ("BM25F-SD", "RankSVM", "GBDT")
    err = [paper["table5"].number(method, "test_err").value for method in methods]
    err += [paper["table7"].number("1 / 1", "err").value, paper.statement("oracle").value]
    ndcg = [paper["table5"].number(method, "valid_ndcg").value for method in methods]
    ndcg += [paper["figure3"].number("1", "ndcg").value, float("nan")]
    table = pd.DataFrame({"what": [*methods, "winner", "oracle of the best ten"], "err": err, "ndcg": ndcg})
    table["err_gain"] = table["err"].pct_change()
    table["ndcg_gain"] = table["ndcg"].pct_change(fill_method=None)
    return table
