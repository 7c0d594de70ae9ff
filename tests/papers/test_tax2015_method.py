"""Protects the chapter on the method: the worked example, its rules and laws, Liu's winning numbers, the claims."""

from __future__ import annotations

import csv
import io
import subprocess
import sys

import pytest

from ltrlib.claims.registry import claim
from ltrlib.papers.tax2015.method import tables, worked_example
from ltrlib.project import ROOT


def test_the_example_is_counted_as_by_hand() -> None:
    """Worked on paper from data/examples/results.csv: B and C tie on small, C has no value on web."""
    table = worked_example.counted_cells("NDCG@10").set_index("method")
    by_hand = {
        "A": ("3 of 3", "1 of 2", "2 of 3", 6, 8),
        "B": ("1 of 3", "2 of 2", "0 of 3", 3, 8),
        "C": ("1 of 3", "–", "1 of 3", 2, 6),
        "D": ("0 of 3", "0 of 2", "–", 0, 5),
        "E": ("–", "–", "3 of 3", 3, 3),
    }
    got = {m: tuple(table.loc[m, ["small", "web", "news", "WN", "IWN"]]) for m in table.index}
    assert got == by_hand
    assert worked_example.values_table("NDCG@10").set_index("method").loc["C", "web"] == "–"


def test_every_rule_is_shown_and_says_what_happens() -> None:
    said = worked_example.rules().set_index("case")["what happens"]
    assert said["two equal values"] == "A wins 0 of 1, B wins 0 of 1"
    assert said["they differ in the last digit"] == "A wins 0 of 1, B wins 1 of 1"
    assert said["a value is missing (NaN)"] == said["no other method to compare with"] == "A wins 0 of 0; it has no NWN"
    assert len(said) == 4


def test_the_laws_hold_on_the_example() -> None:
    table = worked_example.laws().set_index("metric")
    assert list(table.loc["NDCG@10"]) == [30, 15, 1, 14, 14]
    assert (table["sum of IWN"] == 2 * table["pairs"]).all()
    assert (table["sum of WN"] == table["pairs − ties"]).all()


def test_both_readings_of_pareto_on_the_example() -> None:
    table = worked_example.readings("NDCG@10").set_index("method")
    assert set(table.index[table["usual rank"] == 1]) == {"A", "E"}
    assert set(table.index[table["strict rank"] == 1]) == {"A", "B", "E"}


def test_the_page_shows_what_the_command_prints() -> None:
    command = [sys.executable, "-m", "ltrlib", "meta", "data/examples/results.csv"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert worked_example.meta_output() == printed.rstrip()
    rows = list(csv.DictReader(io.StringIO(worked_example.meta_output("csv"))))
    assert {row["metric"] for row in rows} == {"NDCG@10", "MAP", "all"}
    assert [row["nwn"] for row in rows if (row["method"], row["metric"]) == ("A", "NDCG@10")] == ["0.75"]


def test_liu_published_beside_ours() -> None:
    """Totals as Liu prints them; on TD2003, NDCG@3 has one tie at three decimals and MAP none."""
    table = tables.letor3_wins().set_index("method")
    assert list(table.loc["sum"]) == ["18 of 139", "20 of 147", "21 of 147", "21 of 147"]
    assert table.loc["ListNet", "MAP"] == "6 of 33"


@pytest.mark.parametrize(
    ("name", "verdict", "words"),
    [
        ("letor3.wins", "exact", "7 of 7 exact"),
        ("letor3.td2003", "exact", "49 of 49 exact"),
    ],
)
def test_verdicts(name: str, verdict: str, words: str) -> None:
    outcome = claim(f"tax2015.{name}").check()
    assert outcome.verdict.word == verdict
    assert words in outcome.reason


def test_the_numbers_of_the_text_are_those_of_the_made_up_table() -> None:
    found = tables.numbers("NDCG@10")
    assert found == {
        "strict-only": "B",
        "made-up-pairs": "15",
        "made-up-ties": "1",
        "made-up-wins": "14",
        "made-up-iwn": "30",
    }
    assert "16 instead of 9" in tables.summary()[2]
