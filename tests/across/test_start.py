"""Protects the student: what the pages for beginners say about their examples is true."""

from __future__ import annotations

import math

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from ltrlib.across.start import example, exercises, figures, training
from ltrlib.metrics.engine import evaluate


def test_the_steps_by_hand_end_at_the_value_of_the_library() -> None:
    """0, 3, 1, 3 as gains at ranks 1 to 4; the best order is 3, 3, 1."""
    by_hand = (3 / math.log2(3) + 1 / math.log2(4) + 3 / math.log2(5)) / (3 + 3 / math.log2(3) + 1 / math.log2(4))
    library = evaluate("ndcg", example.LABELS, example.SCORES, [0, 6])["ndcg"].mean
    assert example.ndcg_steps()["ndcg"] == pytest.approx(by_hand, abs=1e-12)
    assert library == pytest.approx(by_hand, abs=1e-12)


def test_the_ranker_was_fooled_by_the_used_cars() -> None:
    """The prose says so, and that links alone would be fooled too, though they score a little better."""
    table = example.documents_table()
    assert example.ranking_table()["document"].iloc[0] == "Jaguar cars, used, near you"
    assert table.sort_values("links to it")["document"].iloc[-1] == "Jaguar cars, used, near you"
    assert table.sort_values("query words in the text")["document"].iloc[-1] == example.DOCUMENTS[0]
    assert float(example.numbers()["ndcg"]) < float(example.numbers()["by-links"]) < 0.75


def test_the_counted_words_are_those_of_the_query() -> None:
    words = {"how", "fast", "jaguar"}
    for document, counted in zip(example.DOCUMENTS, example.documents_table()["query words in the title"], strict=True):
        assert len(words & set(document.lower().replace(":", "").replace(",", "").split())) == counted


def test_the_solution_with_one_pair_out_of_order_is_nearly_perfect() -> None:
    value = evaluate("ndcg", [2, 1, 2, 0, 0, 0], [6, 5, 4, 3, 2, 1], [0, 6])["ndcg"].mean
    assert 0.9 < value < 1
    assert example.numbers()["cars-last"] == f"{value:.4f}"


def test_the_solutions_agree_with_values_by_hand() -> None:
    """NDCG@3 of 1, 2, 0: (1 + 3/log2 3) / (3 + 1/log2 3)."""
    found = exercises.numbers()
    assert found["ndcg-120"] == f"{(1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3)):.4f}"
    assert (found["short-ranklib"], found["short-letor4"]) == ("1", "0")
    assert float(found["tied-worst"]) < float(found["tied-average"])
    assert float(found["stump"]) < float(found["stump-file"])
    assert int(found["sum-iwn"].replace(",", "")) % 2 == 0


@pytest.mark.slow
def test_learning_beats_chance_and_the_folds_hold_every_query_once() -> None:
    ways = training.scores_of_ways("standin/mq2008").set_index("way")["NDCG@10"]
    assert ways.drop("by chance").min() > ways["by chance"]
    table = training.fold_table("standin/mq2008")
    assert table["queries"].iloc[-1] == table["queries"].iloc[:-1].sum()
    weighted = np.average(table["difference"].iloc[:-1], weights=table["queries"].iloc[:-1])
    assert table["difference"].iloc[-1] == pytest.approx(weighted)


def test_the_labels_of_the_ranking_can_be_read_in_light_and_dark() -> None:
    """Greys of a figure follow the page's mode; the bars and the words on them must not part ways then."""
    figure, _ = figures.ranking_figure()
    for axes in figure.axes:
        for bar, text in zip(axes.patches, axes.texts, strict=True):
            field, ink = to_rgb(bar.get_facecolor()), to_rgb(text.get_color())
            assert min(len(set(field)), len(set(ink))) > 1
            bright, dark = sorted((_luminance(field), _luminance(ink)), reverse=True)
            assert (bright + 0.05) / (dark + 0.05) >= 4.5
    plt.close(figure)


def _luminance(colour: tuple[float, float, float]) -> float:
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return float(np.dot((0.2126, 0.7152, 0.0722), linear))
