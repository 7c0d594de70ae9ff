"""Our rankers beside RankLib's: ListNet's plain steps, the records, and what they must show."""

from __future__ import annotations

import math
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ltrlib.datasets import is_here
from ltrlib.errors import LtrlibError
from ltrlib.papers.busafekete2012.rankers import listnet_steps, speed
from ltrlib.papers.busafekete2012.rankers.listnet_steps import EPOCHS, RATE, top_one, training_curve
from ltrlib.papers.busafekete2012.rankers.records import DEFAULTS, GROWTH, LISTNET, METRIC, PEERS
from ltrlib.papers.busafekete2012.rankers.runs import (
    LISTNET_STEPS,
    RANKLIB_DEFAULTS,
    default_pieces,
    train_default,
    variants,
)
from ltrlib.papers.busafekete2012.rankers.tables import (
    NEAR,
    RANKLIB,
    against_ranklib,
    growth_exponents,
    large_said,
    summarise,
)
from ltrlib.project import ROOT
from ltrlib.rankers import CoordinateAscent, RankBoost
from ltrlib.rankers.cross_validation import Fold, cross_validate, load_fold
from ltrlib.rankers.ranklib import ranklib_defaults
from ltrlib.records.working import make
from tests.helpers.rankers import learnable

FOLD = Fold(1, learnable(0), learnable(1), learnable(2))
QUICK = ("AdaRank", "CoordinateAscent", "LambdaMART", "MART", "RankBoost")
needs_mq2008 = pytest.mark.skipif(not is_here("mq2008"), reason="MQ2008 is not in LTRLIB_DATA or data/raw")


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
    curve = training_curve(FOLD, rate=0.05, epochs=[1, 2, 5, 10, 50])
    best = curve["vali"].cummax()
    kept = curve["test"].where(curve["vali"] > best.shift(fill_value=-1.0)).ffill()
    assert curve["test"].tolist() == kept.tolist()
    longer = training_curve(FOLD, rate=0.05, epochs=[1, 2, 5, 10, 20, 50])  # looking more often changes no weights
    assert longer["vali"].iloc[-1] == curve["vali"].iloc[-1]


def test_random_rankers_run_with_each_seed_and_the_others_once() -> None:
    seeds: dict[str, set[int]] = {}
    for piece in default_pieces():
        seeds.setdefault(piece["ranker"], set()).add(piece["seed"])
    assert set(seeds) == {*ranklib_defaults(), *variants()}
    assert {name for name, own in seeds.items() if own == {1, 2, 3, 4, 5}} == {"RankNet", "ListNet", "CoordinateAscent"}
    assert {name for name, own in seeds.items() if own == {1}} == {
        "AdaRank",
        "RankBoost",
        "LambdaMART",
        "MART",
        *variants(),
    }


def test_a_summary_averages_over_folds_and_seeds() -> None:
    folds = [FOLD, Fold(2, learnable(3), learnable(4), learnable(5))]
    rankers = {"fixed": RankBoost(rounds=3), "random": CoordinateAscent(restarts=1, iterations=5)}
    table = cross_validate(rankers, folds, seeds=[4, 5, 6])
    summary = summarise(table).set_index("ranker")
    assert summary.loc["fixed", "seeds"] == 1
    assert summary.loc["random", "seeds"] == 3
    own = table[(table["ranker"] == "random")]
    assert summary.loc["random", "mean"] == pytest.approx(own["value"].mean())
    by_fold = own.groupby("fold")["standard_error"].mean()
    assert summary.loc["random", "standard_error"] == pytest.approx(math.hypot(*by_fold) / 2)


def test_quality_is_recorded_training_by_training(tmp_path: Path) -> None:
    quick = [
        {"dataset": "standin/mq2008", "ranker": ranker, "fold": fold, "seed": 1}
        for fold in (1, 2)
        for ranker in ("AdaRank", "best single feature")
    ]
    made = make([replace(RANKLIB_DEFAULTS, pieces=lambda: quick)], folder=tmp_path, to=tmp_path)
    assert made.made == [DEFAULTS.name]
    record = DEFAULTS.read(folder=tmp_path)
    assert record.standin
    assert record.table[["ranker", "fold"]].values.tolist() == [[piece["ranker"], piece["fold"]] for piece in quick]


def test_listnets_curves_are_recorded_training_by_training(tmp_path: Path) -> None:
    piece = {"dataset": "standin/mq2008", "fold": 1, "output": "linear", "rate": RATE, "seed": 1}
    assert make([replace(LISTNET_STEPS, pieces=lambda: [piece])], folder=tmp_path, to=tmp_path).made == [LISTNET.name]
    table = LISTNET.read(folder=tmp_path).table
    assert table["epoch"].tolist() == LISTNET.read().table["epoch"].unique().tolist()
    assert set(table["output"]) == {"linear"}


# --- speed ---


def test_a_ranker_is_timed_with_its_peers_and_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = speed.Timed(2.0, 1.0, 0.5, "slow")
    monkeypatch.setattr(speed, "_PEERS", {"RankBoost": {"other": lambda fold: slow}})
    ours, other = speed.beside_peers(FOLD, "RankBoost").to_dict("records")
    assert (ours["ranker"], ours["program"], ours["note"]) == ("RankBoost", "ltrlib", "-")
    assert 0 < ours["cpu_seconds"] < 60
    assert 0 < ours["ndcg"] <= 1
    assert list(other.values()) == ["RankBoost", "other", 2.0, 1.0, 0.5, "slow"]


@pytest.mark.parametrize("name", ["fastrank", "xgboost", "catboost"])
def test_a_peer_that_is_not_installed_is_named_with_what_installs_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(LtrlibError, match=rf"{name} is not installed") as caught:
        getattr(speed, f"_{name}")(FOLD)
    assert "requirements-peers.lock" in str(caught.value)
    assert "make bench" in str(caught.value)


def test_growth_is_measured_on_copies_of_the_training_part() -> None:
    table = speed.growth_of("AdaRank, 100 rounds", FOLD, sizes=(2, 4))
    assert table["documents"].tolist() == [2 * FOLD.train.n_docs, 4 * FOLD.train.n_docs]
    assert (table["cpu_seconds"] > 0).all()
    twice = speed.copies(FOLD.train, 2)
    assert twice.n_queries == 2 * FOLD.train.n_queries
    assert len(set(twice.query_ids)) == twice.n_queries
    assert np.abs(twice.features[: FOLD.train.n_docs] - FOLD.train.features).max() < 0.01


# --- quality on the real data ---


@needs_mq2008
@pytest.mark.parametrize("name", QUICK)
def test_five_fold_ndcg_on_mq2008_is_within_a_hundredth_of_ranklibs(name: str) -> None:
    """RankLib's settings on the real data; RankNet and ListNet take longer and are recorded instead."""
    folds = (load_fold("mq2008", number) for number in range(1, 6))
    summary = summarise(cross_validate({name: ranklib_defaults()[name]}, folds, metrics=METRIC))
    assert summary.loc[0, "mean"] == pytest.approx(RANKLIB[name].ndcg, abs=NEAR)


@needs_mq2008
@pytest.mark.parametrize("name", ["AdaRank", "best single feature"])
def test_a_training_done_again_repeats_its_record(name: str) -> None:
    piece = {"dataset": "mq2008", "ranker": name, "fold": 2, "seed": 1}
    recorded = DEFAULTS.read().table
    row = recorded[(recorded["ranker"] == name) & (recorded["fold"] == 2)].reset_index(drop=True)
    again = DEFAULTS.typed(train_default(piece))
    assert again[DEFAULTS.compared].equals(row[DEFAULTS.compared])


# --- records ---


def test_every_ranker_is_within_a_hundredth_of_ranklib_but_listnet() -> None:
    record = DEFAULTS.read()
    assert not record.standin
    assert set(record.table["metric"]) == {METRIC}
    beside = against_ranklib(record.table).set_index("ranker")
    assert set(beside.index) == set(RANKLIB)
    assert beside.index[~beside["near"]].tolist() == ["ListNet"]
    assert dict(beside["difference"])["ListNet"] > NEAR
    assert (record.table.groupby("ranker")["fold"].nunique() == 5).all()


def test_ranklibs_logistic_output_explains_listnet() -> None:
    """As RankLib trains, one ends where RankLib ends, with larger steps too; with a linear output one gets further."""
    curves = LISTNET.read().table
    last = curves[curves["epoch"] == EPOCHS].groupby(["output", "rate"])["test"].mean()
    assert len(last) == 4
    for rate in (RATE, 10 * RATE, 100 * RATE):
        assert last["logistic", rate] == pytest.approx(RANKLIB["ListNet"].ndcg, abs=0.003)
    assert last["linear", RATE] > last["logistic"].max() + 0.008


def test_the_limit_on_the_page_is_that_of_the_tests() -> None:
    [line] = re.findall(
        r"^largest_gap: float = (\S+)", (ROOT / "chapters/21-busafekete2012-rankers.md").read_text(), re.M
    )
    assert float(line) == NEAR


def test_a_steep_exponent_is_named_and_that_of_the_forest_explained() -> None:
    rows = [
        (f"{name}, 1 pass", n, n**power)
        for name, power in (("RandomForest", 1.15), ("Ridge", 1.0))
        for n in (10**5, 10**6)
    ]
    said = large_said(pd.DataFrame(rows, columns=["ranker", "documents", "cpu_seconds"]))
    assert said.startswith("1 of the 2 rankers keeps the exponent within 1.1; RandomForest (1.15) does not.")
    assert "n log² n" in said


def test_cost_grows_in_proportion_to_the_documents() -> None:
    """Exponents of 1, but for the memory's slowness: 1.15 is a third more per document for eight times as many.

    A step that sorted all documents at once, not query by query, would add 0.08 by itself; one that looked at all
    pairs of queries would double the exponent.
    """
    growth = GROWTH.read().table
    sizes = growth.groupby("ranker")["documents"].agg(["min", "max"])
    assert (sizes["max"] >= 8 * sizes["min"]).all()
    assert (growth["cpu_seconds"] > 0.1).all()
    exponents = growth_exponents(growth)
    assert len(exponents) == 8
    assert exponents.max() < 1.15


def test_ours_is_five_times_as_fast_as_ranklib() -> None:
    peers = PEERS.read().table
    ours = peers[peers["program"] == "ltrlib"].set_index("ranker")["cpu_seconds"]
    for name, reference in RANKLIB.items():
        if reference.seconds is not None:
            assert ours[name] * 5 < reference.seconds[0], name
    assert set(peers["program"]) == {"ltrlib", "fastrank 0.8.0", "xgboost rank:ndcg", "catboost YetiRank"}
