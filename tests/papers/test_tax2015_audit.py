"""Protects the audit of Table B.6: the whole numbers behind its rows, and the verdict on each cell."""

from __future__ import annotations

import pytest

from ltrlib.claims.registry import claim
from ltrlib.papers.tax2015.audit import tables
from ltrlib.papers.tax2015.b6 import row_splits
from ltrlib.papers.tax2015.hidden.puzzle import row_options
from ltrlib.published import load_paper


def test_whole_numbers_behind_table_b6() -> None:
    """As corrected, 77 rows have one solution, 10 several, none zero; Table 4 leaves LRUF one."""
    counts = row_options().groupby("method")["option"].nunique()
    assert len(counts) == 87
    several = {
        "AdaRank-MAP", "AdaRank-NDCG", "IntervalRank", "LambdaNeuralRank", "ListMLE", "MHR", "RankELM (pointwise)",
        "RankSVM", "Ridge Regression",
    }  # fmt: skip
    assert set(counts[counts > 1].index) == several
    rows = tables.solutions_by_row().set_index("method")
    assert (rows["corrected"] == 1).sum() == 77
    assert set(rows.index[rows["corrected"] > 1]) == several | {"LRUF"}
    assert (rows["as_read"] == 1).sum() == 73
    assert set(rows.index[rows["as_read"] == 0]) == {"FocusedBoost", "FocusedSVM", "FSM^SVM", "RankELM (pairwise)"}


def test_a_split_prints_as_its_row_does() -> None:
    table = load_paper("tax2015").corrected("b6")
    (split,) = row_splits(table, "FSMRank")
    assert sum(wins for wins, _ in split.values()) == int(table.text("FSMRank", "wn"))
    assert {metric: f"{wins / possible:.4f}" for metric, (wins, possible) in split.items()} == {
        metric: table.text("FSMRank", f"{column}_nwn")
        for metric, column in (("NDCG@3", "ndcg3"), ("NDCG@5", "ndcg5"), ("NDCG@10", "ndcg10"), ("MAP", "map"))
    }


def test_every_number_has_a_verdict_and_the_impossible_row_is_found() -> None:
    cells = tables.cell_verdicts()
    printed = load_paper("tax2015")["b6"]
    filled = sum(
        bool(printed.text(method, column))
        for method in printed.rows
        for column in printed.header.columns
        if column not in ("method", "note")
    )
    assert len(cells) == filled
    wrong = cells[cells["verdict"] == tables.INCONSISTENT]
    assert list(zip(wrong["method"], wrong["column"], strict=True)) == [
        ("AdaRank-MAP", "ndcg10_ds"),
        ("AdaRank-MAP", "iwn"),
    ]
    assert "12 data sets, but 13" in wrong["proof"].iloc[0]


@pytest.mark.parametrize(
    ("name", "verdict"), [("b6.letor-complete", "inconsistent"), ("b6.whole-wins", "exact"), ("table4.nwn", "exact")]
)
def test_verdicts(name: str, verdict: str) -> None:
    outcome = claim(f"tax2015.{name}").check()
    assert outcome.verdict.word == verdict, outcome.reason
