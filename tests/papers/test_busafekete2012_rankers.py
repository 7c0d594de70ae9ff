"""Our rankers beside RankLib's: ListNet's plain steps, the records, and what they must show."""

from __future__ import annotations

import numpy as np
import pytest

from ltrlib.papers.busafekete2012.rankers import listnet_steps
from ltrlib.papers.busafekete2012.rankers.listnet_steps import EPOCHS, RATE, top_one, training_curve
from ltrlib.papers.busafekete2012.rankers.runs import METRIC, default_runs, variants
from ltrlib.papers.busafekete2012.rankers.tables import (
    NEAR,
    RANKLIB,
    against_ranklib,
    growth_exponents,
    read_defaults,
    read_growth,
    read_listnet,
    read_peers,
)
from ltrlib.rankers.cross_validation import Fold
from tests.helpers.rankers import learnable


@pytest.mark.parametrize("logistic", [True, False])
def test_an_epoch_takes_one_plain_step_per_query(logistic: bool) -> None:
    """Against the same in NumPy, query by query: rate × features' (p of labels − p of outputs)."""
    data = learnable(0, n_queries=7)
    weights = np.linspace(-1.0, 1.0, data.n_features)
    expected = weights.copy()
    for begin, end in zip(data.query_offsets[:-1], data.query_offsets[1:], strict=True):
        x = data.features[begin:end].astype(np.float64)
        outputs = np.exp(1 / (1 + np.exp(-x @ expected)) if logistic else x @ expected)
        labels = np.exp(data.labels[begin:end].astype(np.float64))
        expected += 0.3 * x.T @ (labels / labels.sum() - outputs / outputs.sum())
    listnet_steps._epoch(data.features, top_one(data), data.query_offsets, 0.3, logistic, weights, np.empty(20))
    np.testing.assert_allclose(weights, expected, rtol=1e-12)


def test_the_curve_keeps_the_best_validated_epoch() -> None:
    fold = Fold(1, learnable(0), learnable(1), learnable(2))
    curve = training_curve(fold, rate=0.05, epochs=[1, 2, 5, 10, 50])
    best = curve["vali"].cummax()
    kept = curve["test"].where(curve["vali"] > best.shift(fill_value=-1.0)).ffill()
    assert curve["test"].tolist() == kept.tolist()
    longer = training_curve(fold, rate=0.05, epochs=[1, 2, 5, 10, 20, 50])  # looking more often changes no weights
    assert longer["vali"].iloc[-1] == curve["vali"].iloc[-1]


def test_random_rankers_run_with_each_seed_and_the_others_once() -> None:
    table = default_runs([Fold(1, learnable(0), learnable(1), learnable(2))], seeds=[4, 5])
    seeds = table.groupby("ranker")["seed"].unique().map(sorted).to_dict()
    assert {name for name, own in seeds.items() if own == [4, 5]} == {"RankNet", "ListNet", "CoordinateAscent"}
    assert {name for name, own in seeds.items() if own == [4]} == {
        "AdaRank",
        "RankBoost",
        "LambdaMART",
        "MART",
        *variants(),
    }


# --- records ---


def test_every_ranker_is_within_a_hundredth_of_ranklib_but_listnet() -> None:
    record = read_defaults()
    assert not record.standin
    assert set(record.table["metric"]) == {METRIC}
    beside = against_ranklib(record.table).set_index("ranker")
    assert set(beside.index) == set(RANKLIB)
    assert beside.index[~beside["near"]].tolist() == ["ListNet"]
    assert dict(beside["difference"])["ListNet"] > NEAR
    assert (record.table.groupby("ranker")["fold"].nunique() == 5).all()


def test_ranklibs_logistic_output_explains_listnet() -> None:
    """As RankLib trains, one ends where RankLib ends, with larger steps too; with a linear output one gets further."""
    curves = read_listnet().table
    last = curves[curves["epoch"] == EPOCHS].groupby(["output", "rate"])["test"].mean()
    assert len(last) == 4
    for rate in (RATE, 10 * RATE, 100 * RATE):
        assert last["logistic", rate] == pytest.approx(RANKLIB["ListNet"].ndcg, abs=0.003)
    assert last["linear", RATE] > last["logistic"].max() + 0.008


def test_cost_grows_in_proportion_to_the_documents() -> None:
    """Exponents of 1, but for the memory's slowness: 1.15 is a third more per document for eight times as many.

    A step that sorted all documents at once, not query by query, would add 0.08 by itself; one that looked at all
    pairs of queries would double the exponent.
    """
    growth = read_growth().table
    sizes = growth.groupby("ranker")["documents"].agg(["min", "max"])
    assert (sizes["max"] >= 8 * sizes["min"]).all()
    assert (growth["cpu_seconds"] > 0.1).all()
    exponents = growth_exponents(growth)
    assert len(exponents) == 8
    assert exponents.max() < 1.15


def test_ours_is_five_times_as_fast_as_ranklib() -> None:
    peers = read_peers().table
    ours = peers[peers["program"] == "ltrlib"].set_index("ranker")["cpu_seconds"]
    for name, reference in RANKLIB.items():
        if reference.seconds is not None:
            assert ours[name] * 5 < reference.seconds[0], name
    assert set(peers["program"]) == {"ltrlib", "fastrank 0.8.0", "xgboost rank:ndcg", "catboost YetiRank"}
