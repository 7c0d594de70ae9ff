"""Protects the same features for all: the transforms, the pairs, the paired errors, and what the stored folds allow."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_rel

from ltrlib.claims.registry import claims
from ltrlib.datasets.container import RankingData, Source
from ltrlib.papers.koppel2019.features.comparisons import half_lead, paired, printed_error, stored_lead
from ltrlib.papers.koppel2019.features.equal_pairs import EqualPairs, with_equal_pairs
from ltrlib.papers.koppel2019.features.plans import DATASETS, FORMS, METHODS, PAIRINGS, SEEDS
from ltrlib.papers.koppel2019.features.records import METHOD_RUNS, PAIR_RUNS, SPREADS
from ltrlib.papers.koppel2019.features.runs import network
from ltrlib.papers.koppel2019.features.tables import levels_said, numbers, pair_changes, pairs_table, records, summary
from ltrlib.papers.koppel2019.features.transforms import averaged_quantiles, clipped_share, described, in_form
from ltrlib.published.tables import load_paper
from ltrlib.rankers.directranker import DirectRanker
from ltrlib.rankers.directranker.pairs import class_pairs, draw_pairs

RNG = np.random.default_rng(0)
TIED = np.column_stack([RNG.normal(size=500), np.where(RNG.random(500) < 0.6, 0, RNG.random(500))]).astype(np.float32)


def toy(labels: list[int], sizes: list[int]) -> RankingData:
    rng = np.random.default_rng(1)
    features = (np.array(labels)[:, None] + rng.normal(size=(len(labels), 3))).astype(np.float32)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    names = np.array([f"q{i}" for i in range(len(sizes))])
    return RankingData(features, np.array(labels, np.int32), offsets, names, None, Source("toy"))


# --- the transforms ---


def test_the_authors_transform_is_right_without_ties_and_wrong_with_them() -> None:
    """The sentence of the paper describes continuous features; a feature that is mostly 0 comes out far wider."""
    made = in_form(TIED, "authors")
    assert made[:, 0].std() == pytest.approx(1 / 3, rel=0.1)
    assert made[:, 1].std() > 0.75
    assert clipped_share(made[:, 1:]) > 0.55


def test_averaged_ranks_give_every_feature_one_third() -> None:
    made = averaged_quantiles(TIED)
    assert np.allclose(made.std(axis=0), 1 / 3, atol=1e-5)
    assert np.allclose(made.mean(axis=0), 0, atol=1e-6)
    assert described(made)["close"] == 2


@pytest.mark.parametrize("form", FORMS)
def test_no_form_changes_the_order_of_values_or_parts_equal_ones(form: str) -> None:
    made = in_form(TIED, form)
    for before, after in zip(TIED.T, made.T, strict=True):
        order = np.argsort(before, kind="stable")
        assert (np.diff(after[order]) >= 0).all()
        same = before[order][1:] == before[order][:-1]
        assert (np.diff(after[order])[same] == 0).all()


def test_a_constant_feature_becomes_0() -> None:
    constant = np.full((5, 1), 7, np.float32)
    assert not averaged_quantiles(constant).any()
    assert not in_form(constant, "standardised").any()


@pytest.mark.parametrize("method", METHODS)
def test_no_network_touches_its_features(method: str) -> None:
    assert network(method, 0).get_params()["standardise"] is False


# --- the pairs ---


def test_without_equal_pairs_it_is_directranker_to_the_bit() -> None:
    data = toy([0, 1, 2, 0, 1, 0, 0, 2], [4, 4])
    settings: dict[str, Any] = {
        "hidden": (3,),
        "dropout": 0.5,
        "l2": 1e-4,
        "steps": 60,
        "look_every": 50,
        "standardise": False,
    }
    ours, theirs = EqualPairs(**settings).fit(data), DirectRanker(**settings).fit(data)
    assert np.array_equal(ours.weights_, theirs.weights_)


def test_equal_pairs_come_on_top_of_the_others() -> None:
    labels, offsets = np.array([0, 1, 2, 0, 1, 0, 0, 2]), np.array([0, 4, 8])
    source = class_pairs(labels, offsets)
    more = with_equal_pairs(source)
    batches = draw_pairs(np.random.default_rng(0), more, np.array([50]), np.array([4]))
    drawn = batches.rows[0][:, batches.real[0] > 0]
    upper, lower = labels[drawn[0]], labels[drawn[1]]
    assert (upper >= lower).all()
    assert (upper == lower).any()
    queries = np.searchsorted(offsets, drawn, side="right")
    assert (queries[0] == queries[1]).all()
    different = {(a, b) for a, b in zip(upper.tolist(), lower.tolist(), strict=True) if a != b}
    assert different == {(1, 0), (2, 1)}


def test_equal_pairs_pull_the_scores_of_a_class_together() -> None:
    rng = np.random.default_rng(3)
    data = toy(rng.integers(0, 2, 60).tolist(), [20, 20, 20])

    def spread(equal: bool) -> float:
        scores = EqualPairs(hidden=(8,), steps=400, equal=equal).fit(data).predict(data.features)
        within = np.mean([scores[data.labels == label].std() for label in (0, 1)])
        return float(within / abs(scores[data.labels == 1].mean() - scores[data.labels == 0].mean()))

    assert spread(True) < spread(False)


# --- paired errors ---


def test_the_paired_error_is_that_of_the_differences() -> None:
    rng = np.random.default_rng(0)
    level = rng.random(100)
    rows = [(m, "d", 1, str(q), level[q] + (m == "A") * (0.1 + 0.01 * (q % 2))) for m in "AB" for q in range(100)]
    queries = pd.DataFrame(rows, columns=["method", "dataset", "split", "query", "ndcg"])
    seeds = [(m, "d", 1, s, 100, 0.5 + (m == "A") * 0.105) for m in "AB" for s in range(5)]
    runs = pd.DataFrame(seeds, columns=["method", "dataset", "split", "seed", "queries", "ndcg"])
    found = paired(runs, queries, {"method": "A"}, {"method": "B"}, dataset="d")
    assert found.value == pytest.approx(0.105)
    assert found.standard_error == pytest.approx(0.005 * math.sqrt(100 / 99) / 10, rel=1e-6)


def test_margins_come_from_table_1() -> None:
    paper = load_paper("koppel2019")
    assert printed_error(paper, "mq2008") == pytest.approx(0.012)
    assert printed_error(paper, "mslr-web10k-sample") == pytest.approx(0.004)
    assert half_lead(paper, "RankNet") == pytest.approx((0.440 - 0.157) / 2)


# --- the stored folds ---


def test_no_folds_with_the_stored_mean_and_error_give_a_smaller_p_value() -> None:
    """Every order of folds with RankNet's mean and error, paired with DirectRanker's: none is below the bound."""
    paper = load_paper("koppel2019")
    found = stored_lead(paper, "RankNet")
    own = np.array([paper["stored_folds"].number("mslr_ndcg", f"fold{fold}").value for fold in range(1, 6)])
    other = paper["stored_rivals"].number("RankNet", "mslr_ndcg")
    shape = (own - own.mean()) / own.std(ddof=1)
    for order in itertools.permutations(range(5)):
        folds = other.value + shape[list(order)] * other.standard_error * math.sqrt(5)
        assert ttest_rel(own, folds).pvalue >= found.least_p - 1e-9
    together = other.value + shape * other.standard_error * math.sqrt(5)
    assert ttest_rel(own, together).pvalue == pytest.approx(found.least_p)
    assert found.least_p > 0.05


# --- what was recorded ---


def test_every_network_was_trained_with_five_seeds_on_every_split() -> None:
    if "runs" in records():
        counts = METHOD_RUNS.read().table.groupby(["dataset", "form", "method", "split"])["seed"].nunique()
        assert set(counts) == {len(SEEDS)}
        assert len(counts) == 3 * len(METHODS) * (5 + 2)
    pairs = PAIR_RUNS.read().table.groupby(["dataset", "pairing", "split"])["seed"].nunique()
    assert set(pairs) == {len(SEEDS)}
    assert len(pairs) == len(PAIRINGS) * (5 + 2)


def test_half_of_the_transformed_values_are_clipped_and_no_feature_of_mq2008_has_one_third() -> None:
    spreads = SPREADS.read().table
    own = spreads[(spreads["dataset"] == "mq2008") & (spreads["form"] == "authors")]
    assert (own["close"] == 0).all()
    assert own["clipped"].between(0.5, 0.55).all()
    assert (own["sd"] > 1).all()
    assert set(spreads["dataset"]) == set(DATASETS)


def test_the_page_says_three_things_and_every_claim_compares_something() -> None:
    assert len(summary(records())) == 3
    assert levels_said(records()).count("DirectRanker") == 2
    for claim in claims("koppel2019", "features"):
        outcome = claim.check()
        assert outcome.judgements or outcome.missing, claim.id


def test_no_choice_of_pairs_matters_on_mq2008_and_the_sample_cannot_tell() -> None:
    """What the prose says about the table of pairs."""
    found = records()
    table = pairs_table(pair_changes(found["pair runs"].table, found["pairs"].table))
    answers = table.groupby("data")["does it matter?"].unique()
    assert {data: list(words) for data, words in answers.items()} == {"MQ2008": ["no"], "MSLR sample": ["undecided"]}


def test_means_and_errors_settle_the_stored_lead_over_ranknet_but_not_over_listnet() -> None:
    found = numbers(records())
    assert float(found["stored-p"]) >= 0.05
    assert found["listnet-said"] == "could be significant"
