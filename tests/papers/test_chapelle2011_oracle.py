"""Protects the oracle and its null: what a gain is, that copies are copies, and that the lesson has its sign."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from ltrlib.claims.registry import claims
from ltrlib.datasets.loading import load
from ltrlib.papers.chapelle2011.oracle.gains import (
    beyond_chance,
    lesson_gains,
    oracle_gain,
    oracle_margin,
    printed_gain,
    small_gap,
)
from ltrlib.papers.chapelle2011.oracle.members import drawn_again, members_of
from ltrlib.papers.chapelle2011.oracle.plans import COPIES, GROUPS, NULLS, REPEATS, SETS, TOP
from ltrlib.papers.chapelle2011.oracle.records import SPLITS, members_of_oracle
from ltrlib.papers.chapelle2011.oracle.runs import deal, standardised
from ltrlib.papers.chapelle2011.oracle.tables import all_gains, gains_of, gains_table, lessons, oracle_records, summary
from ltrlib.published.tables import load_paper


def members(values: np.ndarray) -> pd.DataFrame:
    """Rows of a group from members by queries; the sum is the mean of the members."""
    everyone = np.vstack([values, values.mean(axis=0)])
    names = [*map(str, range(len(values))), "sum"]
    rows = [
        (name, 1, str(query), value)
        for name, row in zip(names, everyone, strict=True)
        for query, value in enumerate(row)
    ]
    return pd.DataFrame(rows, columns=["member", "fold", "query", "err"])


# --- what a gain is ---


def test_an_oracle_over_equal_rankings_gains_nothing() -> None:
    found = oracle_gain(members(np.tile([0.1, 0.5, 0.9], (10, 1))))
    assert found.gain == pytest.approx(0)
    assert np.allclose(found.sampled, 0)


def test_the_gain_is_that_of_the_best_of_each_query_over_the_best_of_all() -> None:
    found = oracle_gain(members(np.array([[1.0, 0.0, 0.2], [0.0, 1.0, 0.5]])))
    assert found.best == pytest.approx(0.5)
    assert found.oracle == pytest.approx(2.5 / 3)
    assert found.gain == pytest.approx(2 / 3)


def test_an_oracle_gains_from_luck_alone() -> None:
    """Ten rankings of the same quality whose values differ by chance: the audit's point about the challenge."""
    rng = np.random.default_rng(0)
    found = oracle_gain(members(rng.uniform(size=(10, 500))))
    assert found.gain > 0.5
    low, high = found.measured.interval()
    assert low < found.gain < high


def test_only_the_ten_best_take_part() -> None:
    rng = np.random.default_rng(0)
    values = rng.uniform(size=(13, 50)) + np.arange(13)[:, None]
    found = oracle_gain(members(values))
    assert len(found.members) == TOP
    assert found.members[0] == "12"
    assert "0" not in found.members


def test_the_printed_gain_is_6_1_percent_and_the_margin_half_of_it() -> None:
    paper = load_paper("chapelle2011")
    assert round(100 * printed_gain(paper), 1) == 6.1
    assert oracle_margin(paper) == pytest.approx(printed_gain(paper) / 2)
    assert small_gap(paper) == pytest.approx((0.46861 / 0.46201 - 1) / 2)


# --- copies are copies ---


@pytest.mark.parametrize("group", NULLS)
def test_a_null_has_ten_members_of_one_kind_that_differ_in_seed_or_draw_only(group: str) -> None:
    found = members_of(group)
    assert len(found) == COPIES
    kinds = {type(ranker).__name__ for ranker, _ in found.values()}
    assert len(kinds) == 1
    seeds = {(ranker.get_params().get("seed"), draw) for ranker, draw in found.values()}
    assert len(seeds) == COPIES
    rest = {str({k: v for k, v in ranker.get_params().items() if k != "seed"}) for ranker, _ in found.values()}
    assert len(rest) == 1


def test_a_draw_has_as_many_queries_and_whole_ones() -> None:
    data = load("standin/mq2008", "Fold1/test", scale=0.2)
    drawn = drawn_again(data, 1)
    assert drawn.n_queries == data.n_queries
    assert len(set(drawn.query_ids.tolist())) == drawn.n_queries
    sizes = dict(zip(data.query_ids.tolist(), data.query_sizes.tolist(), strict=True))
    assert all(
        sizes[name.split(" ", 1)[1]] == size
        for name, size in zip(drawn.query_ids.tolist(), drawn.query_sizes.tolist(), strict=True)
    )


def test_scores_are_added_on_one_scale() -> None:
    scores, offsets = np.array([1.0, 2.0, 30.0, 10.0, 20.0]), np.array([0, 2, 5])
    made = standardised(scores, offsets)
    assert np.allclose([made[:2].mean(), made[2:].mean()], 0)
    assert np.allclose([made[:2].std(), made[2:].std()], 1)
    assert np.allclose(standardised(100 * scores + 7, offsets), made)


# --- the lesson has its sign ---


def lesson_rows(linear: float, trees: float, *, queries: int = 200) -> pd.DataFrame:
    """Six models on repeated splits; ranking losses gain so much with each class of functions."""
    rng = np.random.default_rng(0)
    rows = []
    for repeat in range(1, 6):
        for query in range(queries):
            base = rng.uniform(0.3, 0.7)
            for functions, gain in (("linear", linear), ("trees", trees)):
                for loss in ("pointwise", "pairwise", "listwise"):
                    gained = 0 if loss == "pointwise" else gain + rng.normal(0, 0.05)
                    rows.append((repeat, str(query), functions, loss, base + gained))
    return pd.DataFrame(rows, columns=["repeat", "query", "functions", "loss", "ndcg"])


def test_the_difference_is_positive_where_ranking_losses_gain_more_with_linear_functions() -> None:
    found = lesson_gains(lesson_rows(0.05, 0.0))
    assert found["difference"].interval()[0] > 0
    assert lesson_gains(lesson_rows(0.0, 0.05))["difference"].interval()[1] < 0


def test_ranges_without_sign_would_not_tell_the_two_apart() -> None:
    """A loss that harms linear functions has the same range as one that helps them."""
    helps, harms = lesson_gains(lesson_rows(0.05, 0.0)), lesson_gains(lesson_rows(-0.05, 0.0))
    assert helps["linear"].value == pytest.approx(0.05, abs=0.01)
    assert harms["linear"].value == pytest.approx(-0.05, abs=0.01)
    assert harms["difference"].interval()[1] < 0


def test_each_query_is_tested_once_in_each_deal() -> None:
    dealt = deal(106, 2)
    assert len(dealt) == SETS
    assert sorted(np.concatenate(dealt).tolist()) == list(range(106))
    assert not np.array_equal(dealt[0], deal(106, 3)[0])


# --- what was recorded ---


def test_the_record_has_every_group_and_every_query_once_per_member() -> None:
    table = members_of_oracle("mq2008").read().table
    assert set(table["group"]) == set(GROUPS)
    assert table.groupby(["group", "member"]).size().nunique() == 1
    assert table["query"].nunique() == 784


def test_the_lesson_was_repeated_and_complete() -> None:
    table = SPLITS.read().table
    counts = table.groupby(["dataset", "functions", "loss", "repeat"])["query"].nunique().reset_index()
    assert table["repeat"].nunique() == REPEATS
    assert counts.loc[counts["dataset"] == "mq2008", "query"].eq(784).all()
    assert counts.loc[counts["dataset"] == "ohsumed", "query"].eq(106).all()


def test_the_oracle_of_the_page_gains_at_least_what_its_best_member_has() -> None:
    gains = gains_of(members_of_oracle("mq2008").read().table)
    assert all(one.gain >= 0 for one in gains.values())
    assert beyond_chance(gains).standard_error > 0


def test_the_page_says_three_things_and_every_claim_compares_something() -> None:
    records = oracle_records()
    gains = all_gains(records)
    assert len(summary(gains, lessons(SPLITS.read().table))) == 3
    assert len(gains_table(gains)) == len(GROUPS) * len(records)
    for claim in claims("chapelle2011", "oracle"):
        outcome = claim.check()
        assert outcome.judgements or outcome.missing
