"""Protects the experiments of the Yahoo! chapters against hand-worked cases, other programs and the printed tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import Ridge as SklearnRidge

from ltrlib.datasets.loading import load
from ltrlib.errors import UsageError
from ltrlib.metrics import evaluate
from ltrlib.papers.chapelle2011.baselines import lesson, tables
from ltrlib.papers.chapelle2011.baselines import runs as baselines_runs
from ltrlib.papers.chapelle2011.baselines import transfer as baselines_transfer
from ltrlib.papers.chapelle2011.baselines.claims import BASELINE_METHODS
from ltrlib.papers.chapelle2011.baselines.figure9 import loss_example
from ltrlib.papers.chapelle2011.baselines.gbrank import GBRank, squared_hinge
from ltrlib.papers.chapelle2011.metrics import runs as metrics_runs
from ltrlib.papers.chapelle2011.metrics.cascade import Ranked, cascade_against_formula, satisfaction, simulate_cascade
from ltrlib.papers.chapelle2011.paper.tables import gaps_to_winner, leaderboard, spreads
from ltrlib.papers.chapelle2011.records import BASELINES, CORRELATION, LESSON, TRANSFER, record_name
from ltrlib.published.tables import load_paper
from ltrlib.rankers import Ridge
from ltrlib.records.record import read_record, write_record
from tests.helpers.rankers import learnable, make

LABELS = st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=12), min_size=1, max_size=6)

# --- the cascade user ---


@given(LABELS, st.integers(0, 2**31))
@settings(deadline=None, max_examples=40)
def test_users_stop_as_the_closed_form_says(lists: list[list[int]], seed: int) -> None:
    """Six standard errors: a wrong probability or rank shows, chance does not."""
    labels = np.array([y for one in lists for y in one], np.int32)
    offsets = np.concatenate([[0], np.cumsum([len(one) for one in lists])])
    users = 4000
    stops = simulate_cascade(labels, offsets, users=users, seed=seed)
    exact = evaluate("err:yahoo", labels, -np.arange(len(labels), dtype=float), offsets)["err:yahoo"].per_query
    limit = 6 * np.sqrt(np.maximum(stops.var(axis=1), 1e-4) / users)
    assert (np.abs(stops.mean(axis=1) - exact) < limit).all()


def test_a_user_reads_no_deeper_than_told_and_stops_only_at_whole_ranks() -> None:
    labels, offsets = np.full(30, 1, np.int32), np.array([0, 20, 30])
    whole, page = (simulate_cascade(labels, offsets, users=3000, depth=depth) for depth in (None, 10))
    ranks = np.rint(1 / whole[whole > 0]).astype(int)
    assert set(ranks) == set(range(1, 21))
    assert (1 / page[page > 0]).max() == 10
    np.testing.assert_allclose((whole > 0).mean(axis=1), [1 - (15 / 16) ** 20, 1 - (15 / 16) ** 10], atol=0.04)


def test_the_probability_of_satisfaction_is_that_of_equation_2() -> None:
    np.testing.assert_array_equal(satisfaction(np.arange(5, dtype=np.int32)), [0, 1 / 16, 3 / 16, 7 / 16, 15 / 16])
    with pytest.raises(UsageError, match="0 users"):
        simulate_cascade(np.zeros(1, np.int32), np.array([0, 1]), users=0)


def test_the_simulation_ranks_as_the_metric_does_ties_included() -> None:
    data = make(np.zeros((4, 1)), [0, 4, 4, 0], [2, 2])
    ranked = Ranked(data, np.array([1.0, 1.0, 0.0, 2.0]))
    assert ranked.labels.tolist() == [0, 4, 0, 4]
    table = cascade_against_formula(data, ranked.scores, users=5000)
    np.testing.assert_allclose(table["formula"], 15 / 32)
    assert (table["deviation"].abs() < 6).all()


# --- trees on RankSVM's loss ---


def test_the_derivatives_of_the_pairwise_loss_are_those_found_by_differences() -> None:
    rng = np.random.default_rng(5)
    labels, offsets = rng.integers(0, 4, 14).astype(np.int32), np.array([0, 6, 14])
    scores = rng.normal(size=14)

    def loss(s: np.ndarray) -> float:
        total = 0.0
        for start, stop in ((0, 6), (6, 14)):
            for i in range(start, stop):
                total += sum(max(0.0, 1 - (s[i] - s[j])) ** 2 for j in range(start, stop) if labels[i] > labels[j])
        return total

    gradient, hessian = squared_hinge(labels, scores, offsets)
    step = 1e-5
    for place in range(14):
        move = np.zeros(14)
        move[place] = step
        up, here, down = loss(scores + move), loss(scores), loss(scores - move)
        assert gradient[place] == pytest.approx((up - down) / (2 * step), abs=1e-5)
        assert hessian[place] == pytest.approx((up - 2 * here + down) / step**2, abs=1e-2)


def test_pairwise_trees_learn_an_order() -> None:
    data = learnable(n_queries=60)
    scores = GBRank(trees=50, patience=None, min_leaf=5).fit(data).predict(data.features)
    assert evaluate("ndcg@10", data.labels, scores, data.query_offsets)["ndcg@10"].mean > 0.95
    with pytest.raises(UsageError, match="different labels"):
        GBRank(trees=2).fit(make(np.zeros((2, 1)), [1, 1], [2]))


# --- figure 9 ---


@pytest.mark.parametrize("far", [4.0, 12.0, 40.0])
def test_only_squared_loss_with_a_line_follows_the_far_points(far: float) -> None:
    example = loss_example(far)
    near = (1.8 + 2.6) / 2  # the middle between the two classes
    for name in ("support vector machine", "decision stump"):
        assert example.borders[name] == pytest.approx(near, abs=1e-3)
    assert abs(example.borders["logistic regression"] - near) < 0.4
    assert {name for name, wrong in example.errors.items() if wrong} <= {"linear regression"}
    assert bool(example.errors["linear regression"]) == (far > 5)


# --- transfer ---


def test_repeating_a_set_is_weighting_it() -> None:
    whole = [load(name, "train", scale=0.002) for name in baselines_transfer.SETS]
    first, second = (data.with_features(np.ascontiguousarray(data.features[:, 600:640])) for data in whole)
    ours = Ridge(alpha=10.0).fit(baselines_transfer.joined(first, second, weight=7))
    weights = np.concatenate([np.ones(first.n_docs), np.full(second.n_docs, 7.0)])
    peer = SklearnRidge(alpha=10.0).fit(
        np.vstack([first.features, second.features]).astype(np.float64),
        np.concatenate([first.labels, second.labels]),
        sample_weight=weights,
    )
    np.testing.assert_allclose(ours.predict(second.features), peer.predict(second.features), atol=1e-6)


def test_the_weighted_training_set_has_the_printed_weight() -> None:
    first, second = (load(name, "train", scale=0.001) for name in baselines_transfer.SETS)
    alone, both, weighted = baselines_transfer.training_sets(first, second).values()
    assert alone is second
    assert both.n_docs == first.n_docs + second.n_docs
    assert weighted.n_queries == first.n_queries + 7 * second.n_queries


# --- many rankers ---


def test_a_population_is_the_same_each_time_and_spans_bad_and_good() -> None:
    train, judged = (load("standin/mq2008", f"Fold1/{part}") for part in ("train", "vali"))
    one, two = (metrics_runs.population(train, judged, count=6) for _ in range(2))
    pd.testing.assert_frame_equal(one, two)
    assert one["kind"].value_counts().tolist() == [6, 6, 6]
    assert one["ndcg"].max() - one["ndcg"].min() > 0.05


# --- table 5 ---


def table5_with(change: Callable[[float], float], error: float = 0.004) -> pd.DataFrame:
    paper = load_paper("chapelle2011")["table5"]
    rows = [
        (method, part, metric, change(paper.number(method, f"{part}_{metric.lower()}").value), error, 1000, 1.0, 1.0)
        for method in BASELINE_METHODS
        for part in ("valid", "test")
        for metric in ("ERR", "NDCG")
    ]
    return pd.DataFrame(rows, columns=list(BASELINES))


@pytest.mark.parametrize(
    ("dataset", "move", "verdict"),
    [
        ("yahoo-set1", 0.0, "exact"),
        ("yahoo-set1", 0.005, "within noise"),
        ("yahoo-set1", 0.05, "not reproduced"),
        ("standin/yahoo-set1", 0.0, "not comparable"),
        ("mslr-web10k-sample", 0.0, "not comparable"),
    ],
)
def test_the_verdict_on_table_5_depends_on_data_and_distance(dataset: str, move: float, verdict: str) -> None:
    found = tables.Baselines(dataset, 2400, 1.0, table5_with(lambda value: value + move), None)
    shown = tables.beside_published(found)
    assert len(shown) == 12
    assert shown["verdict"].str.contains(verdict).all()


def test_the_gaps_are_those_of_the_printed_table() -> None:
    gaps = tables.gaps(table5_with(lambda value: value))
    assert gaps["published"].tolist() == gaps["ours"].tolist() == ["+0.00827", "+0.02710", "+0.02521", "+0.03089"]


def test_the_baselines_have_the_printed_settings() -> None:
    bm25f, ranksvm, gbdt = (ranker.get_params() for ranker in baselines_runs.baselines("yahoo-set1").values())
    assert bm25f["feature"] == 636, "feature 637, counted from 1"
    assert ranksvm["C"] == 200
    assert (gbdt["trees"], gbdt["leaves"], gbdt["learning_rate"], gbdt["sampling"]) == (2400, 20, 0.05, 0.5)
    assert (gbdt["target"], gbdt["patience"]) == ("satisfaction", None)


def test_a_record_counts_only_with_its_own_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    name = record_name("baselines", "standin/yahoo-set1")
    made = {"modules": ["ltrlib.errors"], "wall_time": 1.0, "parameters": {"trees": 7, "scale": 0.5}}
    write_record(name, table5_with(lambda value: value), folder=tmp_path, **made)  # type: ignore[arg-type]
    monkeypatch.setattr(tables, "read_record", lambda name, columns: read_record(name, columns, folder=tmp_path))
    assert tables.results("standin/yahoo-set1").record is not None
    assert tables.results("standin/yahoo-set1", trees=7).trees == 7
    assert tables.results("standin/yahoo-set1", trees=3, scale=0.001).record is None


def test_what_is_not_normalised_yet_is_normalised_by_rank() -> None:
    parts = baselines_runs.load_parts("standin/mslr", scale=0.002)
    assert all(part.features.min() >= 0 and part.features.max() <= 1 for part in parts.values())


# --- the paper's own numbers ---


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


# --- the records that the chapters read ---


def test_the_full_size_run_fits_into_eight_gigabytes() -> None:
    record = read_record(record_name("baselines", "standin/yahoo-set1"), BASELINES)
    assert record.standin
    assert record.provenance["parameters"]["scale"] == 1
    assert set(record.table["queries"]) == {2994, 6983}
    assert record.table["peak_gb"].max() < 8


def test_every_lesson_compares_each_loss_with_squared_loss() -> None:
    for dataset in lesson.DATASETS:
        table = read_record(record_name("lesson", dataset), LESSON).table
        assert table["metric"].isin(["NDCG", "ERR"]).sum() == 2 * 3 * 2
        assert (table.loc[table["loss"] == "pointwise", "gain"] == 0).all()
        means = table.set_index(["functions", "loss", "metric"])["mean"]
        gains = table.set_index(["functions", "loss", "metric"])["gain"]
        for functions, loss, metric in means.index:
            difference = means[functions, loss, metric] - means[functions, "pointwise", metric]
            assert gains[functions, loss, metric] == pytest.approx(difference, abs=1e-12)


def test_the_tool_of_the_challenge_gives_the_ndcg_of_the_challenge() -> None:
    """What every tool's NDCG is recorded for is the ranking that the chapters show."""
    for dataset in lesson.DATASETS:
        table = read_record(record_name("lesson", dataset), LESSON).table.set_index(["functions", "loss", "metric"])
        own, tools = (table.xs(metric, level="metric")["mean"] for metric in ("NDCG", "NDCG:yahoo"))
        pd.testing.assert_series_equal(own, tools)
    for dataset in metrics_runs.DATASETS:
        scores = read_record(record_name("correlation", dataset), CORRELATION).table
        np.testing.assert_allclose(scores["ndcg"], scores["ndcg:yahoo"])


def test_the_other_records_have_what_the_chapters_show() -> None:
    for dataset in metrics_runs.DATASETS:
        assert len(read_record(record_name("correlation", dataset), CORRELATION).table) >= 200
    transfer = read_record(record_name("transfer", baselines_transfer.SETS[1]), TRANSFER)
    assert transfer.standin
    assert transfer.table.groupby(["ranker", "metric"]).size().tolist() == [3, 3, 3, 3]
