"""Protects the chapter on the fronts: points and ranks by brute force, the lists of the text, the claims."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pytest

from ltrlib.claims.registry import claim
from ltrlib.papers.tax2015.pareto import figures, tables

EXPECTED = {
    "section41.one-study": "exact",
    "section41.two-studies": "not comparable",
    "section41.official": "exact",
    "section41.better-evidence": "exact",
    "section42.single-change": "exact",
    "section44.agreement": "inconsistent",
    "section44.low-at-map": "inconsistent",
    "section44.not-top": "inconsistent",
    "section45.ndcg-weight": "exact",
    "section45.lac-mr-or-datasets": "exact",
    "section45.larf-fronts": "exact",
}


@pytest.mark.parametrize("what", tables.FIGURES)
def test_the_fronts_are_those_of_the_two_definitions(what: str) -> None:
    points = tables.points(what)
    rows = list(zip(points["certainty"], points["nwn"], strict=True))
    for method, own, rank, strict_rank in zip(
        points["method"], rows, points["rank"], points["strict_rank"], strict=True
    ):
        usual = any(x >= own[0] and y >= own[1] and (x, y) != own for x, y in rows)
        strict = any(x > own[0] and y > own[1] for x, y in rows)
        assert (rank > 1) == usual, method
        assert (strict_rank > 1) == strict, method


def test_what_the_text_lists_is_set_beside_the_table() -> None:
    table = tables.fronts_as_listed().set_index("figure")
    assert (table.loc["Figure 1", "missing (usual)"], table.loc["Figure 1", "not on it (usual)"]) == ("", "")
    missing = str(table.loc["Figure 5", "missing (usual)"]).split(", ")
    assert missing == ["AdaRank-MAP", "AdaRank-NDCG", "LambdaNeuralRank", "RankBoost"]


def test_every_optimum_is_labelled() -> None:
    points = tables.points("NDCG@10")
    figure, alt = figures.front_figure(points, axis="number of data sets")
    labels = {text.get_text() for text in figure.axes[0].texts}
    plt.close(figure)
    optima = set(points.loc[points["rank"] == 1, "method"])
    assert optima <= labels
    assert all(method in alt for method in optima)


@pytest.mark.parametrize(("name", "verdict"), EXPECTED.items())
def test_verdicts(name: str, verdict: str) -> None:
    outcome = claim(f"tax2015.{name}").check()
    assert outcome.verdict.word == verdict, outcome.reason
