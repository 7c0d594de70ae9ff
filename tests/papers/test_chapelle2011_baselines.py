"""Protects the baselines and lessons against hand-worked cases, other programs and the printed tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge as SklearnRidge

from ltrlib.claims.cells import Measured
from ltrlib.datasets.loading import load
from ltrlib.errors import UsageError
from ltrlib.metrics import evaluate
from ltrlib.papers.chapelle2011.baselines import lesson, live, runs, tables, transfer
from ltrlib.papers.chapelle2011.baselines.claims import BASELINE_METHODS
from ltrlib.papers.chapelle2011.baselines.figure9 import loss_example
from ltrlib.papers.chapelle2011.baselines.figures import gain_figure
from ltrlib.papers.chapelle2011.baselines.gbrank import GBRank, squared_hinge
from ltrlib.papers.chapelle2011.records import BASELINES, LESSON, TRANSFER
from ltrlib.published.tables import load_paper
from ltrlib.rankers import Ridge
from ltrlib.records import working
from tests.helpers.rankers import learnable, make

SETS = ("standin/yahoo-set1", "standin/yahoo-set2")

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
    whole = [load(name, "train", scale=0.002) for name in SETS]
    first, second = (data.with_features(np.ascontiguousarray(data.features[:, 600:640])) for data in whole)
    ours = Ridge(alpha=10.0).fit(transfer.joined(first, second, weight=7))
    weights = np.concatenate([np.ones(first.n_docs), np.full(second.n_docs, 7.0)])
    peer = SklearnRidge(alpha=10.0).fit(
        np.vstack([first.features, second.features]).astype(np.float64),
        np.concatenate([first.labels, second.labels]),
        sample_weight=weights,
    )
    np.testing.assert_allclose(ours.predict(second.features), peer.predict(second.features), atol=1e-6)


def test_the_weighted_training_set_has_the_printed_weight() -> None:
    first, second = (load(name, "train", scale=0.001) for name in SETS)
    alone, both, weighted = (transfer.training_set(name, first, second) for name in transfer.training_sets())
    assert alone is second
    assert both.n_docs == first.n_docs + second.n_docs
    assert weighted.n_queries == first.n_queries + 7 * second.n_queries


def test_the_second_lesson_compares_with_learning_from_the_small_set_alone(tmp_path: Path) -> None:
    run = runs.transfer_run(scale=0.002, judged_scale=0.005, trees=3)
    working.make([run], folder=tmp_path, to=tmp_path)
    table = run.tables[0].read(folder=tmp_path).table
    assert table.groupby(["ranker", "metric"]).size().tolist() == [3, 3, 3, 3]
    indexed = table.set_index(["ranker", "training", "metric"])
    means, gains = indexed["mean"], indexed["gain"]
    for ranker, training, metric in means.index:
        difference = means[ranker, training, metric] - means[ranker, "Set 2 alone", metric]
        assert gains[ranker, training, metric] == pytest.approx(difference, abs=1e-12)


# --- losses and classes of functions ---


def test_the_first_lesson_compares_the_losses_over_the_test_queries_of_all_folds(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    quick = {("linear", "pointwise"): (Ridge(), {"alpha": [1.0]}), ("linear", "listwise"): (Ridge(alpha=1e3), {})}
    monkeypatch.setattr(lesson, "models", lambda: quick)
    run = runs.lesson_run("standin/mq2008")
    assert [piece["fold"] for piece in run.pieces()] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    working.make([run], folder=tmp_path, to=tmp_path)
    table = run.tables[0].read(folder=tmp_path).table
    assert_gains_are_over_squared_loss(table)
    assert set(table.loc[table["metric"] == "ERR", "queries"]) == {784}
    assert table["gain"].abs().max() > 0


def assert_gains_are_over_squared_loss(table: pd.DataFrame) -> None:
    assert (table.loc[table["loss"] == "pointwise", "gain"] == 0).all()
    indexed = table.set_index(["functions", "loss", "metric"])
    means, gains = indexed["mean"], indexed["gain"]
    for functions, loss, metric in means.index:
        difference = means[functions, loss, metric] - means[functions, "pointwise", metric]
        assert gains[functions, loss, metric] == pytest.approx(difference, abs=1e-12)


# --- table 5 ---


def table5_with(change: Callable[[float], float], error: float = 0.004) -> pd.DataFrame:
    paper = load_paper("chapelle2011")["table5"]
    rows = [
        (method, part, metric, change(paper.number(method, f"{part}_{metric.lower()}").value), error, 1000, 1.0, 1.0)
        for method in BASELINE_METHODS
        for part in ("valid", "test")
        for metric in ("ERR", "NDCG")
    ]
    return pd.DataFrame(rows, columns=list(BASELINES["yahoo-set1"].columns))


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
    bm25f, ranksvm, gbdt = (ranker.get_params() for ranker in runs.baselines("yahoo-set1").values())
    assert bm25f["feature"] == 636, "feature 637, counted from 1"
    assert ranksvm["C"] == 200
    assert (gbdt["trees"], gbdt["leaves"], gbdt["learning_rate"], gbdt["sampling"]) == (2400, 20, 0.05, 0.5)
    assert (gbdt["target"], gbdt["patience"]) == ("satisfaction", None)


def test_a_record_counts_only_with_its_own_settings_and_is_what_the_page_would_compute(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("ltrlib.records.record.project_data", lambda *parts: tmp_path.joinpath(*parts))
    run = runs.baselines_run("standin/yahoo-set1", trees=3, scale=0.001)
    working.make([run], folder=tmp_path / "pieces", to=tmp_path / "results")
    record = live.results("standin/yahoo-set1").record
    assert record is not None
    assert record.provenance["parameters"] == {"trees": 3, "scale": 0.001, "threads": 2}
    assert record.table["method"].unique().tolist() == list(BASELINE_METHODS)
    assert (record.table["peak_gb"] > 0).all()
    assert live.results("standin/yahoo-set1", trees=3).record is not None
    other = live.results("standin/yahoo-set1", trees=2, scale=0.001)
    assert (other.record, other.trees, other.scale) == (None, 2, 0.001)
    same = run.tables[0].compared
    linear = [table.loc[table["method"] != "GBDT", same] for table in (other.table, record.table)]
    pd.testing.assert_frame_equal(linear[0], linear[1])


def test_a_record_made_from_other_files_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "is_here", lambda name: True)
    monkeypatch.setattr(tables, "find", lambda name: SimpleNamespace(files={"train": "a", "test": "b"}))
    monkeypatch.setattr(tables, "file_sha256", lambda path: "other")
    assert tables.recorded("mslr-web10k-sample") is None
    assert tables.recorded("standin/yahoo-set1") is not None


def test_what_is_not_normalised_yet_is_normalised_by_rank() -> None:
    parts = runs.load_parts("standin/mslr", scale=0.002)
    assert all(part.features.min() >= 0 and part.features.max() <= 1 for part in parts.values())


# --- figures ---


def test_a_figure_has_the_noise_of_the_claim_beside_it() -> None:
    """Few queries make the interval wider than that of the normal distribution."""
    rows = [("ridge", "both sets", "NDCG", 0.01, 0.005, 5)]
    table = pd.DataFrame(rows, columns=["ranker", "training", "metric", "gain", "gain_error", "queries"])
    figure, alt = gain_figure(table, metric="NDCG")
    plt.close(figure)
    low, high = Measured(0.01, 0.005, 4).interval()
    assert f"+0.0100 ± {(high - low) / 2:.4f}" in alt


# --- the records that the chapter reads ---


def test_the_full_size_run_fits_into_eight_gigabytes() -> None:
    record = BASELINES["standin/yahoo-set1"].read()
    assert record.standin
    assert record.provenance["parameters"]["scale"] == 1
    assert set(record.table["queries"]) == {2994, 6983}
    assert record.table["peak_gb"].max() < 8


def test_every_lesson_compares_each_loss_with_squared_loss() -> None:
    for recorded in LESSON.values():
        table = recorded.read().table
        assert table["metric"].isin(["NDCG", "ERR"]).sum() == 2 * 3 * 2
        assert_gains_are_over_squared_loss(table)


def test_the_tool_of_the_challenge_gives_the_ndcg_of_the_challenge() -> None:
    """What every tool's NDCG is recorded for is the ranking that the chapter shows."""
    for recorded in LESSON.values():
        table = recorded.read().table.set_index(["functions", "loss", "metric"])
        own, tools = (table.xs(metric, level="metric")["mean"] for metric in ("NDCG", "NDCG:yahoo"))
        pd.testing.assert_series_equal(own, tools)


def test_the_recorded_transfer_has_every_training_set() -> None:
    record = TRANSFER.read()
    assert record.standin
    assert record.table.groupby(["ranker", "metric"]).size().tolist() == [3, 3, 3, 3]


def test_the_licensed_set_has_a_run_of_its_own() -> None:
    """The chapter names its command."""
    run = next(one for one in runs.BASELINES if one.name == "chapelle2011/baselines-yahoo-set1")
    assert run.command == "ltrlib record chapelle2011/baselines-yahoo-set1"
    assert run.needs == ("yahoo-set1",)


def test_the_summary_quotes_table_5_and_counts_the_data_sets_of_the_lesson() -> None:
    from ltrlib.papers.chapelle2011.baselines import tables

    results = tables.lesson_results(tables.lessons())
    first, second, _ = tables.summary(results)
    assert "gain 0.0252 of ERR" in first  # 0.46201 less 0.43680
    assert f"of {len(results)} data sets (one of them generated)" in second
