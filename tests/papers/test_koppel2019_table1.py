"""The runs behind Tables 1 and 2 of the DirectRanker paper: protocol, choice, records, claims."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import average_precision_score
from sklearn.preprocessing import QuantileTransformer

from ltrlib.claims.registry import claim
from ltrlib.datasets.features import normal_quantiles
from ltrlib.datasets.loading import is_here, load
from ltrlib.metrics import evaluate_data
from ltrlib.metrics.ndcg_by_tool import conventions
from ltrlib.papers.koppel2019.table1 import records, runs
from ltrlib.papers.koppel2019.table1.live import live_fold, live_point, live_table
from ltrlib.papers.koppel2019.table1.methods import METHODS, TIMED, VARIANT_BASE, VARIANTS
from ltrlib.papers.koppel2019.table1.protocol import (
    BINARY,
    GRADED,
    inner_folds,
    prepared,
    random_order,
    scored,
    threshold,
)
from ltrlib.papers.koppel2019.table1.tables import PUBLISHED, emphasis_tests, fold_means, rows_for, times_numbers
from ltrlib.project import ROOT
from ltrlib.published import load_paper
from ltrlib.rankers import AdaRank
from ltrlib.records.making import Run
from ltrlib.records.working import make

STANDIN = "standin/mq2008"


def test_the_grid_has_the_points_of_the_authors_code() -> None:
    """5 sizes, 2 dropouts, 3 penalties; 5 inner times 5 outer folds: 750 trainings."""
    points = {json.dumps(point) for point in METHODS["DirectRanker"].points}
    assert len(points) == len(METHODS["DirectRanker"].points) == 30
    assert {point["hidden"] for point in METHODS["DirectRanker"].points} == {(10,), (20,), (30,), (50,), (100,)}
    pieces = [piece for piece in runs.GRID.pieces() if piece["method"] == "DirectRanker"]
    assert len({json.dumps(piece) for piece in pieces}) == len(pieces) == 750


@pytest.mark.parametrize(
    ("method", "values"),
    [
        ("LambdaMART", {"trees": {1000, 2000}, "leaves": {5, 10, 15}, "learning_rate": {0.1, 0.01}}),
        ("AdaRank", {"rounds": {500, 1000, 2000}, "tolerance": {0.01, 0.001, 0.002, 0.005}, "max_repeats": {2, 5, 10}}),
        ("RankNet", {"epochs": {50, 100, 200, 300}, "hidden": {(10,), (20,), (100,), (10,) * 5, (10,) * 10}}),
        # Adam's rate is the one more.
        ("ListNet", {"epochs": {1000, 1500, 2000}, "learning_rate": {1e-3, 1e-4, 1e-5}}),
    ],
)
def test_other_methods_have_the_values_of_the_authors_scripts_one_at_a_time(
    method: str, values: dict[str, set[Any]]
) -> None:
    first, *others = METHODS[method].points
    assert {name: {point[name] for point in METHODS[method].points} for name in first} == values
    assert all(sum(point[name] != first[name] for name in first) == 1 for point in others)
    assert len(others) == sum(len(found) - 1 for found in values.values())


@pytest.mark.parametrize("part", ["Fold1/train", "Fold4/train"])
def test_parts_are_prepared_as_in_the_authors_code(part: str) -> None:
    """Ids ascending as numbers, labels 0 and 1, both in every query, features transformed on the whole file."""
    whole, data = load(STANDIN, part), prepared(STANDIN, part, transform=True)
    ids = data.query_ids.astype(int)
    assert (np.diff(ids) > 0).all()
    starts = data.query_offsets[:-1]
    assert (np.minimum.reduceat(data.labels, starts) == 0).all()
    assert (np.maximum.reduceat(data.labels, starts) == 1).all()
    mixed = [
        query
        for query, first, last in zip(whole.query_ids, whole.query_offsets, whole.query_offsets[1:], strict=False)
        if 0 < (whole.labels[first:last] >= 1).sum() < last - first
    ]
    assert sorted(ids) == sorted(int(query) for query in mixed)
    transform = QuantileTransformer(n_quantiles=1000, output_distribution="normal", subsample=100_000, random_state=0)
    expected = transform.fit_transform(whole.features) / 3
    query = data.query_ids[0]
    row = int(whole.query_offsets[list(whole.query_ids).index(query)])
    np.testing.assert_allclose(data.features[0], expected[row], rtol=1e-5, atol=1e-6)


def test_thresholds_are_those_of_the_paper() -> None:
    assert (threshold("mslr-web10k-sample"), threshold("mq2007"), threshold("standin/mq2008")) == (2, 1, 1)


def test_average_precision_is_that_of_scikit_learn() -> None:
    data = prepared(STANDIN, "Fold1/test", transform=False)
    scores = np.random.default_rng(0).normal(size=data.n_docs)
    bounds = zip(data.query_offsets, data.query_offsets[1:], strict=False)
    expected = np.mean([average_precision_score(data.labels[a:b], scores[a:b]) for a, b in bounds])
    assert scored(data, scores, BINARY)["map"] == pytest.approx(expected, rel=1e-12)


def test_random_orders_score_their_expectation() -> None:
    """Ties averaged over all orders give the expectation of NDCG exactly."""
    data = prepared(STANDIN, "Fold1/test", transform=False)
    exact = scored(data, np.zeros(data.n_docs), BINARY)["ndcg"]
    assert random_order(data, BINARY)["ndcg"] == pytest.approx(exact, abs=0.01)


def test_inner_folds_hold_every_query_once() -> None:
    data = prepared(STANDIN, "Fold1/test", transform=False)
    held_out = [query for train, vali in inner_folds(data) for query in vali.query_ids if query not in train.query_ids]
    assert held_out == data.query_ids.tolist()


def test_quantiles_do_not_change_the_order_and_are_normal() -> None:
    x = np.random.default_rng(0).exponential(size=(5000, 1)).astype(np.float32)
    z = normal_quantiles(x)
    assert np.all(np.diff(z[np.argsort(x[:, 0]), 0]) >= 0)
    assert abs(z.mean()) < 0.02
    assert abs(z.std() - 1) < 0.02


def test_variants_change_one_thing_each() -> None:
    assert next(iter(VARIANTS)) == "paper"
    assert all(set(changes).isdisjoint(VARIANT_BASE) for changes in VARIANTS.values())


def test_what_both_metrics_chose_is_trained_once_and_counts_for_both(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first point is best by both metrics on fold 1; on fold 2 each metric has its own."""
    points = [json.dumps({"rounds": rounds}) for rounds in (500, 1000)]
    values = {
        (points[0], 1): (0.8, 0.8),
        (points[1], 1): (0.7, 0.7),
        (points[0], 2): (0.6, 0.9),
        (points[1], 2): (0.9, 0.6),
    }
    grid = pd.DataFrame(
        [
            {
                "method": method,
                "parameters": point,
                "fold": fold,
                "inner": inner,
                "ndcg": ndcg,
                "map": ap,
                "seconds": 0.0,
            }
            for method in ("RankNet", "AdaRank")
            for inner in (1, 2)
            for (point, fold), (ndcg, ap) in values.items()
        ]
    )
    monkeypatch.setattr(records, "GRID", FakeTable(grid))
    pieces = [piece for piece in runs.REFIT.pieces() if piece["method"] == "AdaRank"]
    assert [(piece["chosen_by"], piece["point"]["rounds"], piece["fold"], piece["seed"]) for piece in pieces] == [
        (["ndcg", "map"], 500, 1, 0),
        (["ndcg"], 1000, 2, 0),
        (["map"], 500, 2, 0),
    ]
    assert len([piece for piece in runs.REFIT.pieces() if piece["method"] == "RankNet"]) == 3 * 5


class FakeTable:
    """A recorded table that is read from memory."""

    def __init__(self, table: pd.DataFrame) -> None:
        self.table = table

    def read(self) -> FakeTable:
        return self


def of_method(run: Run, method: str, number: int) -> Callable[[], list[Any]]:
    return lambda: [piece for piece in run.pieces() if piece.get("method", method) == method][:number]


def test_grid_and_refit_are_made_from_any_data_and_rows_stand_as_in_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """AdaRank on the stand-in; rows of the second run are sorted by the metric that chose, fold and seed."""
    monkeypatch.setattr(runs, "DATASET", STANDIN)
    grid = replace(runs.GRID, pieces=of_method(runs.GRID, "AdaRank", 10))
    refit = replace(runs.REFIT, pieces=of_method(runs.REFIT, "AdaRank", 10))
    summary = make([grid, refit], folder=tmp_path / "pieces", to=tmp_path)
    assert summary.made == ["koppel2019/grid", "koppel2019/refit"], summary.failed
    made = records.REFIT.read(folder=tmp_path)
    assert {source.name for source in made.sources} == {STANDIN}
    assert json.loads(made.provenance["parameters"]["inner folds"])["AdaRank"] == 5
    places = made.table[["chosen_by", "fold", "seed"]].values.tolist()
    assert places == [[by, fold, 0] for by in ("ndcg", "map") for fold in range(1, 6)]
    assert len(records.GRID.read(folder=tmp_path).table) == 10


def test_other_data_collapse_and_random_orders_are_made_from_stand_ins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "OTHERS", {STANDIN: 0.2})
    monkeypatch.setattr(runs, "SAMPLE", STANDIN)
    monkeypatch.setattr(runs, "ORDERS", 2)
    tiny = {"ListNet": replace(METHODS["ListNet"], points=({"epochs": 2},))}
    monkeypatch.setattr(runs, "METHODS", METHODS | tiny)
    other = replace(runs.OTHER, pieces=of_method(runs.OTHER, "AdaRank", 1))
    sides = {"train": "Fold1/vali", "test": "Fold1/test"}
    collapse = replace(
        runs.COLLAPSE,
        pieces=lambda: [{"method": "ListNet", "normalised": alike, "seed": 0} | sides for alike in (False, True)],
    )
    random = replace(runs.RANDOM, pieces=lambda: [{"dataset": STANDIN, "part": "Fold1/test"}])
    summary = make([other, collapse, random], folder=tmp_path / "pieces", to=tmp_path)
    assert len(summary.made) == 3, summary.failed
    table = records.COLLAPSE.read(folder=tmp_path).table
    assert table["normalised"].tolist() == [False, True]
    assert table["ndcg"].nunique() == 2
    assert records.RANDOM.read(folder=tmp_path).table["kept"].tolist() == [105]


def test_weighted_pairs_are_recorded_as_means_over_seeds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(VARIANT_BASE, "steps", 20)
    pieces = [{"dataset": STANDIN, "variant": "paper", "fold": 1, "seed": seed} for seed in (0, 1)]
    single = pd.concat([runs._train_variant(piece) for piece in pieces])
    summary = make([replace(runs.EMPHASIS, pieces=lambda: pieces)], folder=tmp_path / "pieces", to=tmp_path)
    assert summary.made == ["koppel2019/emphasis"], summary.failed
    table = records.EMPHASIS.read(folder=tmp_path).table
    assert len(table) == single["query"].nunique() == len(single) / 2
    expected = single.groupby("query")["ndcg"].mean()
    np.testing.assert_allclose(table.set_index("query")["ndcg"], expected[table["query"]], rtol=1e-12)


def test_every_timed_ranker_gives_one_row_with_its_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = load("standin/mslr", "Fold1/test", scale=0.002)
    monkeypatch.setattr(runs, "_as_large_as_mslr", lambda: small.with_labels((small.labels >= 2).astype(np.int32)))
    monkeypatch.setitem(TIMED, "AdaRank", (AdaRank(rounds=2), "rounds"))
    run = replace(runs.TIMES, pieces=lambda: [{"method": "AdaRank"}])
    assert make([run], folder=tmp_path / "pieces", to=tmp_path).made == ["koppel2019/times"]
    (row,) = records.TIMES.read(folder=tmp_path).table.to_dict("records")
    assert row["work"] == "2 rounds"
    assert row["peak_gb"] > 0
    assert [piece["method"] for piece in runs.TIMES.pieces()] == list(records.TIMES.read().table["method"])


def test_showing_what_is_recorded_loads_no_ranker() -> None:
    light = [
        path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
        for path in sorted((ROOT / "ltrlib/papers/koppel2019").glob("*/*.py"))
        if path.name.startswith(("tables", "figures", "claims", "records"))
    ]
    assert len(light) > 10
    heavy = "{'jax', 'lightgbm', 'sklearn'} | {name for name in sys.modules if name.startswith('ltrlib.rankers')}"
    code = f"import sys, {', '.join(light)}; print(sorted(sys.modules.keys() & ({heavy})))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_without_ties_the_protocol_is_the_ndcg_of_ranklib() -> None:
    """Binarised labels, queries of two classes, distinct scores: gain, empty queries and ties cannot differ."""
    data = prepared(STANDIN, "Fold1/test", transform=False)
    scores = np.random.default_rng(0).permutation(data.n_docs).astype(np.float64)
    found = runs._by_convention(data, scores, "binary", 1)
    own = scored(data, scores, BINARY)["ndcg"]
    assert found["binary:ranklib"] == pytest.approx(own, abs=1e-12)
    assert {f"binary:{tool}" for tool in conventions()} == set(found)


def test_recorded_conventions_agree_with_the_protocols() -> None:
    """RankLib's is the NDCG of all queries; on binarised labels it may differ from the protocol's by ties alone."""
    table = records.REFIT.read().table
    np.testing.assert_allclose(table["graded:ranklib"], table["ndcg_all"], atol=1e-12)
    np.testing.assert_allclose(table["binary:sklearn"], table["ndcg"], atol=1e-12)
    assert (table["binary:ranklib"] - table["ndcg"]).abs().max() < 0.01


def test_recorded_runs_of_mq2008_are_whole() -> None:
    """All points on all inner folds; by both metrics all folds of each method, and all seeds of those that have one."""
    counted = records.GRID.read().table.groupby("method").size()
    assert counted.to_dict() == {name: 25 * len(method.points) for name, method in METHODS.items()}
    table = records.REFIT.read().table
    assert list(table["method"].unique()) == list(METHODS)
    for method, by in itertools.product(METHODS, ("ndcg", "map")):
        rows = rows_for(table, method, by)
        assert set(rows["chosen_by"]) == {by}
        assert sorted(rows["fold"].unique()) == [1, 2, 3, 4, 5]
        assert len(rows) == (25 if METHODS[method].seeded else 5)
        assert len(fold_means(table, method, "map_all")) == 5
        # Dropping empty queries and forgiving grades can only help.
        assert (rows["ndcg"] > rows["ndcg_all"]).all()


@pytest.mark.skipif(not is_here("mq2008"), reason="MQ2008 is not here")
def test_a_recorded_cell_comes_out_again() -> None:
    """AdaRank on fold 1 of the real data: the same numbers under both protocols."""
    row = rows_for(records.REFIT.read().table, "AdaRank", "ndcg").set_index("fold").loc[1]
    found = runs.train_point("mq2008", "AdaRank", json.loads(str(row["parameters"])), fold=1, seed=0)
    for name in (*BINARY, *GRADED):
        assert found[name] == pytest.approx(row[name], abs=1e-9)


def test_other_data_are_trained_live_without_a_record_beside_them() -> None:
    fold = live_fold(STANDIN)
    assert fold["fold"].tolist() == ["1"]
    assert fold["recorded NDCG@10"].isna().all()
    assert set(live_table("mq2008")["dataset"]) == set(runs.OTHERS)
    point = live_point(STANDIN, fold=1, hidden=10, dropout=0.0, l2=0.0, seed=0)
    assert 0 < point["ndcg_all"] < point["ndcg"] < 1


@pytest.mark.skipif(not is_here("mq2008"), reason="MQ2008 is not here")
def test_a_random_order_of_mq2008_scores_what_the_facts_say() -> None:
    """0.50 and 0.42 under the paper's protocol, over the kept queries of all test parts."""
    parts = [prepared("mq2008", f"Fold{fold}/test", transform=False) for fold in range(1, 6)]
    values = [evaluate_data(BINARY["ndcg"], part, np.zeros(part.n_docs))[BINARY["ndcg"]].per_query for part in parts]
    assert np.concatenate(values).mean() == pytest.approx(0.502, abs=0.002)
    assert sum(part.n_queries for part in parts) == 564


def test_the_verdict_of_each_cell_follows_from_the_record() -> None:
    outcome = claim("koppel2019.table1.mq2008-ndcg").check()
    named = {one.name: one for one in outcome.judgements}
    table = records.REFIT.read().table
    for method, judgement in named.items():
        mean = pd.Series(fold_means(table, method, "ndcg")).mean()
        assert judgement.ours.startswith(f"{mean:.4f}"[:5])


def test_what_the_page_says_in_words_is_recorded() -> None:
    """Sentences of the chapter that a new record could make untrue."""
    table = records.REFIT.read().table
    # LambdaMART's MAP is the farthest from the print; DirectRanker's folds fit, and their mean is not off by a margin.
    published = load_paper("koppel2019")
    ours = {method: np.mean(fold_means(table, method, "map")) for method in METHODS}
    printed = {method: published["table1"].number(PUBLISHED.get(method, method), "mq2008_map").value for method in ours}
    assert max(ours, key=lambda method: abs(ours[method] - printed[method])) == "LambdaMART"
    words = {
        name: claim(f"koppel2019.table1.mq2008-{name}").check().verdict.word for name in ("ndcg", "folds", "ranklib")
    }
    assert words == {"ndcg": "undecided", "folds": "within noise", "ranklib": "not comparable"}
    means = (
        np.mean(fold_means(table, "DirectRanker", "ndcg")),
        published["table1"].number("DirectRanker", "mq2008_ndcg"),
    )
    assert abs(means[0] - means[1].value) < (means[1].standard_error or 0)
    # Weights cost NDCG on two sets with either cost, and help nowhere; all classes gain on MQ2008 alone.
    tests = emphasis_tests().set_index(["dataset", "variant"])
    beyond = tests[pd.to_numeric(tests["p"], errors="coerce") < 0.05]["difference"].astype(float)
    weighted = ("all classes, ΔNDCG", "cross entropy, ΔNDCG")
    costs = {(name, variant) for name in ("mq2008", "clueweb09-ltr") for variant in weighted}
    assert {place for place, change in beyond.items() if change < 0} == costs
    assert {place for place, change in beyond.items() if change > 0} == {("mq2008", "all classes")}
    assert float(times_numbers()["adarank-share"].rstrip("%")) < 100
