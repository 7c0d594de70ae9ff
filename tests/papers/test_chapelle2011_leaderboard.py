"""Protects what the chapter on the leaderboard derives from the printed tables."""

from __future__ import annotations

import numpy as np
import pytest

from ltrlib.papers.chapelle2011.leaderboard.tables import gaps_to_winner, leaderboard, numbers, spreads


def test_the_leaderboard_by_ndcg() -> None:
    board = leaderboard().set_index("team")
    assert board["place_by_ndcg"]["Ca3Si2O7"] == 4
    assert board["place_by_ndcg"]["yareg"] == 12
    assert (board["ahead"] > 0).sum() == 14


def test_the_implied_spreads_give_the_p_values_back() -> None:
    from scipy.stats import t

    for row in spreads().to_dict("records"):
        queries = {"1": 6983, "2": 3798}[row["track"]]
        p = 2 * t.sf(row["difference"] / (row["spread"] / np.sqrt(queries)), queries - 1)
        assert p == pytest.approx(float(row["p"]), abs=1e-9)


def test_the_steps_from_text_match_to_oracle() -> None:
    gains = gaps_to_winner().set_index("what")["err_gain"]
    assert f"{gains['winner']:.1%}" == "1.4%"
    assert f"{gains['oracle of the best ten']:.1%}" == "6.1%"


def test_the_prose_quotes_the_numbers_of_the_tables() -> None:
    found = numbers()
    assert found["gap-winner"] == "1.4%"
    assert found["gap-oracle"] == "6.1%"
    assert found["behind"] == "6"
    assert found["winner-by-ndcg"] == "4"
    assert found["winner-behind"] == "0.0016"
    first = spreads().groupby("track")["spread"].min()["1"]
    assert found["spread-1"].startswith(f"{first:.3f} to ")
