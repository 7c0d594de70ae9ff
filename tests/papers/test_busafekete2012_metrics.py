"""One ranking under many NDCGs: what each tool and each choice makes of queries whose values are known."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from ltrlib.metrics import evaluate
from ltrlib.metrics.tools import TOOLS
from ltrlib.papers.busafekete2012.metrics import figures, live
from ltrlib.papers.busafekete2012.metrics.page import Rankings, how_tools_differ
from ltrlib.papers.busafekete2012.metrics.short_query import cases
from ltrlib.papers.busafekete2012.metrics.tables import (
    CHOICES,
    change_one_choice,
    relevance_thresholds,
    score_under_tools,
    tied_share,
)
from ltrlib.rankers import AdaRank, SingleFeature
from tests.helpers.rankers import make

# A short query ranked wrongly, one without relevant documents, and one that is perfect down to its tenth document.
DATA = make([[0.0]] * 18, [0, 2, *[0] * 4, 2, 2, *[1] * 10], [2, 4, 12])
SCORES = np.array([2.0, 1.0, 4.0, 3.0, 2.0, 1.0, *range(12, 0, -1)])
WRONG = 1 / math.log2(3)


def test_empty_and_short_queries_are_worth_what_each_tool_says() -> None:
    table = score_under_tools(DATA, SCORES, cutoffs=[2, 10])
    assert table.loc["ranklib", 10] == pytest.approx((WRONG + 0 + 1) / 3)
    assert table.loc["yahoo", 10] == pytest.approx((WRONG + 1 + 1) / 3)
    assert table.loc["letor4", 10] == pytest.approx((0 + 0 + 1) / 3)
    assert table.loc["letor4", 2] == pytest.approx((1 + 0 + 1) / 3)  # rank 2 is not discounted


def test_a_tool_without_a_gain_for_a_label_is_left_out() -> None:
    high = make([[0.0]] * 3, [4, 1, 0], [3])
    assert "letor3" not in score_under_tools(high, np.arange(3.0), cutoffs=[10]).index
    assert "letor3" in score_under_tools(DATA, SCORES, cutoffs=[10]).index


def test_one_choice_is_changed_at_a_time() -> None:
    table = change_one_choice(DATA, SCORES, k=10).set_index("choice")
    assert len(table) == len(CHOICES)
    assert table.loc["a query with nothing relevant scores 1", "change"] == pytest.approx(1 / 3)
    assert table.loc["a query with nothing relevant is left out", "mean"] == pytest.approx((WRONG + 1) / 2)
    assert table.loc["a query shorter than the cut-off scores 0", "change"] == pytest.approx(-WRONG / 3)
    assert table.loc["ties averaged", "change"] == 0.0
    assert table.loc["a query shorter than the cut-off scores 0", "queries changed"] == pytest.approx(1 / 3)
    assert TOOLS["letor4"].title in str(table.loc["a query shorter than the cut-off scores 0", "tools"])


def test_ties_are_counted_within_their_query() -> None:
    data = make([[0.0]] * 5, [0, 1, 0, 0, 0], [2, 3])
    assert tied_share(data, np.array([1.0, 2.0, 1.0, 2.0, 3.0])) == 0.0
    assert tied_share(data, np.array([1.0, 1.0, 1.0, 2.0, 2.0])) == pytest.approx(4 / 5)


def test_the_label_that_counts_as_relevant_changes_average_precision() -> None:
    data = make([[0.0]] * 3, [1, 0, 2], [3])
    found = relevance_thresholds(data, np.array([3.0, 2.0, 1.0]))
    assert found[1] == pytest.approx((1 + 2 / 3) / 2)
    assert found[2] == pytest.approx(1 / 3)


def test_out_of_fold_scores_hold_every_query_once() -> None:
    data, scores = live.out_of_fold_scores("standin/mq2008", SingleFeature(feature=0))
    assert len(set(data.query_ids)) == data.n_queries
    assert len(scores) == data.n_docs


def test_the_example_queries_can_be_scored_by_every_tool() -> None:
    for example in figures.EXAMPLES:
        assert len(example.labels) == len(example.scores)
        assert max(example.labels) <= 2
    alt = figures.examples_by_tool()[1]
    assert all(TOOLS[name].title in alt for name in figures.ndcg_tools())


def test_adarank_gives_a_query_that_scores_nothing_ever_more_weight() -> None:
    """By hand: scores 1, 0, 0 and a short query of weight 1/10, so the mean falls from 1/3 to 3/10."""
    found = cases()
    assert all(one.with_short < one.without for one in found)
    assert all(one.after[rule] > one.before[rule] for one in found for rule in one.before)
    (by_hand,) = {one.with_short for one in found if (one.without, one.before["RankLib"]) == (Fraction(1, 3), 0.1)}
    assert by_hand == Fraction(3, 10)


def test_a_query_that_scores_as_the_others_do_would_not_move_the_coefficient() -> None:
    """What the paper says of a short query holds of one that scores the mean."""
    same = [one for one in cases(Fraction(1, 2)) if one.without == Fraction(1, 2)]
    assert same
    assert all(one.with_short == one.without for one in same)


def test_the_grid_follows_adarank() -> None:
    """The first coefficient and the weights behind it, of a small training set, by the formulas of the grid."""
    labels, sizes = [1, 0, 0, 1, 1, 0, 0, 0, 1], [2, 2, 3, 2]
    values = [2.0, 1.0, 2.0, 1.0, 3.0, 2.0, 1.0, 2.0, 1.0]
    data = make([[value] for value in values], labels, sizes)
    reached = evaluate("ndcg@3:letor4", data.labels, np.array(values), data.query_offsets)["ndcg@3:letor4"].per_query
    ranker = AdaRank(metric="ndcg@3:letor4", rounds=1, tolerance=None, weighting="paper").fit(data)
    assert ranker.alpha_[0] == pytest.approx(np.arctanh(np.nan_to_num(reached).mean()))


# --- the page ---


def rankings(cutoff: int = 10) -> Rankings:
    return Rankings("mq2008", DATA, SCORES, np.zeros(len(SCORES)), cutoff)


def test_the_summary_counts_tools_and_queries() -> None:
    first, second, _ = rankings().summary
    tools = score_under_tools(DATA, SCORES, cutoffs=[10])[10]
    assert f"with {len(tools)} tools" in first
    assert f"from {tools.min():.4f} to {tools.max():.4f}" in first
    assert "1 of 3 queries have no relevant document, and 2 of 3 have fewer documents" in second


def test_the_numbers_of_the_prose_follow_the_rankings() -> None:
    found = rankings().numbers()
    assert found["empty-share"] == found["gap"] == "0.3333"
    assert found["perfect-letor"] == "0.3333"  # only the long query is scored
    assert found["perfect-ranklib"] == "0.6667"
    assert (found["tied-ridge"], found["tied-feature"]) == ("0.0%", "100.0%")
    assert rankings(2).numbers()["short"] == "0 of 3"


def test_both_rankings_stand_beside_each_choice() -> None:
    shown = rankings().choices().set_index("choice")
    assert len(shown) == len(CHOICES)
    assert shown.loc["a query with nothing relevant scores 1", "ridge"] == "+0.3333"
    assert shown.loc["ties in the worst order", "ridge"] == "+0.0000"
    assert float(str(shown.loc["ties in the worst order", "one feature"])) < 0


def test_no_tool_is_called_checked_by_an_inside_word() -> None:
    checked = set(how_tools_differ(["tool", "checked"])["checked"])
    assert checked == {"recorded output", "the installed program", "documentation only"}


@pytest.mark.parametrize("number", range(len(figures.EXAMPLES)), ids=lambda number: figures.EXAMPLES[number].title)
def test_tools_with_one_formula_agree_on_the_ordinary_and_the_short_query_alone(number: int) -> None:
    """The prose says so; two documents with labels 2 and 1 tell formulas apart."""
    example = figures.EXAMPLES[number]
    found: dict[str, set[str]] = {}
    for tool in figures.ndcg_tools():
        formula = evaluate(f"ndcg@2:{tool}", [1, 2, 0], [3.0, 2.0, 1.0], [0, 3])[f"ndcg@2:{tool}"].mean
        value = evaluate(f"ndcg@10:{tool}", example.labels, example.scores, [0, len(example.labels)])
        found.setdefault(f"{formula:.6f}", set()).add(f"{value[f'ndcg@10:{tool}'].mean:.6f}")
    assert len(found) == 3
    agree = all(len(values) == 1 for values in found.values())
    assert agree == (example.title in {"ordinary", "short, perfect"})
