"""Our own runs: complete, resumable, scored as they say; and what is computed from their record."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

from ltrlib import rankers
from ltrlib.across.conventions import orders as conventions_orders
from ltrlib.across.conventions import page as conventions_page
from ltrlib.across.our_runs import runs, tables
from ltrlib.across.our_runs.methods import CHOSEN_BY, Method, methods
from ltrlib.across.our_runs.records import (
    FIT_COLUMNS,
    METRICS,
    QUERY_COLUMNS,
    mean_values,
    own_ceilings,
    own_fits,
    own_queries,
    own_values,
)
from ltrlib.across.our_runs.trainings import OWN_DATASETS, OwnDataset, load_own_fold, run_unit, scale_per_query
from ltrlib.comparison.winning import winning_numbers
from ltrlib.datasets.loading import is_here
from ltrlib.errors import MissingDataError, UsageError
from ltrlib.metrics.engine import evaluate_data
from ltrlib.metrics.ndcg_by_tool import conventions
from ltrlib.metrics.tools import TOOLS
from ltrlib.project import ROOT
from ltrlib.rankers import Ranker
from ltrlib.records.record import read_record

TINY = OwnDataset("standin/mq2008", 2, "letor4", scale=0.05)
QUICK = {name: methods()[name] for name in ("Best Single Feature", "Linear Regression", "RankSVM")}


# --- the runs ---


def test_every_ranker_is_run() -> None:
    run = {type(method.ranker).__name__ for method in methods().values()}
    abstract = {"Ranker"}
    assert run == {name for name in rankers.__all__ if name[0].isupper()} - abstract


def test_several_seeds_are_run_exactly_where_the_seed_decides_something() -> None:
    """So a deterministic ranker is not run five times, and none that is random only once."""
    fold = load_own_fold(TINY, 1)
    for title, method in methods().items():
        params = method.ranker.get_params()
        # Less work than in the runs: what the seed decides, it decides from the first step on.
        quick = {"trees": 5, "epochs": 3, "steps": 20, "restarts": 2, "patience": None} if "seed" in params else {}
        quick = {name: value for name, value in quick.items() if name in params}
        one, two = (
            type(method.ranker)(**(params | quick | ({"seed": seed} if "seed" in params else {})))
            .fit(fold.train, fold.vali)
            .predict(fold.test.features)
            for seed in (0, 1)
        )
        assert np.array_equal(one, two) == (method.seeds == 1), title


def test_a_query_scores_the_mean_over_the_seeds_and_the_first_one_chooses() -> None:
    entry = OwnDataset("mq2008", 1, "letor4")
    fold = load_own_fold(TINY, 1)
    method = Method(rankers.RankNet(epochs=2), "pairwise", {"learning_rate": [0.001, 0.01]}, seeds=3)
    unit = run_unit(method, entry, fold)
    rate = float(unit.fits[0]["parameters"].split(" = ")[1])
    assert {fit["parameters"] for fit in unit.fits} == {unit.fits[0]["parameters"]}
    singles = []
    for seed in range(3):
        fitted = rankers.RankNet(epochs=2, learning_rate=rate, seed=seed).fit(fold.train, fold.vali)
        metric = "ndcg@10:letor4"
        singles.append(evaluate_data(metric, fold.test, fitted.predict(fold.test.features))[metric].per_query)
    np.testing.assert_allclose(unit.queries["NDCG@10"], np.mean(singles, axis=0), atol=1e-12)
    assert [fit["test"] for fit in unit.fits] == pytest.approx([one.mean() for one in singles])


def test_forms_of_the_features_are_chosen_on_the_validation_part() -> None:
    """DirectRanker takes the form with the higher validation value, whatever the test part says."""
    method = Method(rankers.Ridge(), "pointwise", features={"scaled": {}, "normal": {"alpha": 10.0}})
    unit = run_unit(method, TINY, load_own_fold(TINY, 1))
    values = {}
    for form, alpha in (("scaled", 1.0), ("normal", 10.0)):
        fold = load_own_fold(TINY, 1, features=form)
        fitted = rankers.Ridge(alpha=alpha).fit(fold.train)
        values[form] = evaluate_data(CHOSEN_BY, fold.vali, fitted.predict(fold.vali.features))[CHOSEN_BY].mean
    assert unit.fits[0]["parameters"] == f"features = {max(values, key=lambda form: values[form])}"
    assert unit.fits[0]["vali"] == pytest.approx(max(values.values()))


def test_every_data_set_that_can_be_had_is_run_and_stand_ins_say_so() -> None:
    names = {entry.name for entry in OWN_DATASETS}
    assert {"mq2008", "ohsumed", "clueweb09-ltr", "mslr-web10k-sample"} <= names
    assert {entry.name for entry in OWN_DATASETS if entry.standin} == {n for n in names if n.startswith("standin/")}


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache, folder = tmp_path / "cache", tmp_path / "results"
    assert runs.run([TINY], wanted=QUICK, seconds=-1, cache=cache, folder=folder) == (0, 6)
    assert not folder.exists()
    assert runs.run([TINY], wanted=dict(list(QUICK.items())[:2]), cache=cache, folder=folder) == (4, 4)
    fitted: list[str] = []
    original = Ranker.fit

    def watched(self: Ranker, *args: object) -> Ranker:
        fitted.append(type(self).__name__)
        return original(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Ranker, "fit", watched)
    assert runs.run([TINY], wanted=QUICK, cache=cache, folder=folder) == (6, 6)
    assert set(fitted) == {"RankSVM"}
    table = read_record("own/queries", QUERY_COLUMNS, folder=folder).table
    assert len(table) == 3 * sum(load_own_fold(TINY, fold).test.n_queries for fold in (1, 2))
    fits = read_record("own/fits", FIT_COLUMNS, folder=folder)
    assert fits.standin
    assert len(fits.table) == 6


def test_a_fit_that_fails_leaves_nothing_half_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*args: object) -> None:
        raise RuntimeError("out of memory")

    monkeypatch.setattr("ltrlib.across.our_runs.runs.run_unit", crash)
    with pytest.raises(RuntimeError):
        runs.run([TINY], wanted=QUICK, cache=tmp_path / "cache", folder=tmp_path / "results")
    assert list((tmp_path / "cache").iterdir()) == []


def test_missing_data_is_said_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LTRLIB_DATA", "")
    if is_here("mq2008"):
        pytest.skip("data/raw holds mq2008")
    with pytest.raises(MissingDataError, match="mq2008"):
        runs.run(cache=tmp_path)


def test_a_unit_is_scored_as_the_named_tools_score() -> None:
    fold = load_own_fold(TINY, 1)
    method = QUICK["Linear Regression"]
    unit = run_unit(method, TINY, fold)
    scores = type(method.ranker)().fit(fold.train).predict(fold.test.features)
    for column, metric in (("NDCG@10", "ndcg@10:letor4"), ("MAP", "map:letor4"), ("yahoo", "ndcg@10:yahoo")):
        expected = evaluate_data(metric, fold.test, scores)[metric].per_query
        np.testing.assert_array_equal(unit.queries[column].to_numpy(), expected)


def test_conventions_are_those_that_differ_and_every_tool_is_in_one() -> None:
    tools = [tool for names in conventions().values() for tool in names]
    assert sorted(tools) == sorted(name for name, tool in TOOLS.items() if tool.template("ndcg", 10) is not None)


def test_scaling_keeps_order_and_makes_every_feature_run_from_0_to_1() -> None:
    fold = load_own_fold(OwnDataset("standin/mslr", 1, "mslr", scale=0.002), 1)
    scaled = scale_per_query(fold.train)
    assert scaled.min() >= 0
    assert scaled.max() <= 1
    np.testing.assert_allclose(scale_per_query(fold.train.with_features(scaled)), scaled, atol=1e-6)


# --- the record ---


def test_the_record_is_complete() -> None:
    table = own_queries().table
    for entry in OWN_DATASETS:
        rows = table[table["dataset"] == entry.name]
        assert set(rows["method"]) == set(methods()), entry.name
        assert rows.groupby("method").size().nunique() == 1
        assert sorted(set(rows["fold"])) == list(range(1, entry.folds + 1))
    assert not table[list(METRICS)].isna().any().any()
    assert ((table[list(METRICS)] >= 0) & (table[list(METRICS)] <= 1)).all().all()


def test_means_are_those_of_the_queries() -> None:
    pd.testing.assert_frame_equal(own_values().table, mean_values(own_queries().table), check_exact=False, rtol=1e-12)


def test_no_run_scores_above_the_perfect_ranking() -> None:
    ceilings = own_ceilings().table.set_index(["dataset", "metric"])["value"].to_dict()
    for row in own_values().table.itertuples():
        assert row.value <= ceilings[row.dataset, row.metric] + 1e-12


def test_ceilings_of_mq2008_are_those_counted() -> None:
    """A perfect ranking of MQ2008: queries with something relevant, and long enough, out of 784."""
    ceilings = own_ceilings().table.set_index(["dataset", "metric"])["value"].to_dict()
    assert ceilings["mq2008", "NDCG@10"] == pytest.approx(293 / 784)
    assert ceilings["mq2008", "NDCG@5"] == pytest.approx(564 / 784)
    assert ceilings["mq2008", "MAP"] == pytest.approx(564 / 784)


def test_yahoo_scores_mq2008_higher_than_ranklib_by_the_share_of_empty_queries() -> None:
    table = own_queries().table.query("dataset == 'mq2008'").groupby("method")[["yahoo", "ranklib"]].mean()
    np.testing.assert_allclose(table["yahoo"] - table["ranklib"], 220 / 784, atol=1e-12)


def test_fits_say_what_was_chosen() -> None:
    fits = own_fits().table
    for entry in OWN_DATASETS:
        for title, method in methods().items():
            rows = fits[(fits["dataset"] == entry.name) & (fits["method"] == title)]
            seeds = 1 if entry.standin else method.seeds
            assert sorted(set(rows["seed"])) == list(range(seeds)), (entry.name, title)
            assert len(rows) == entry.folds * seeds
    assert set(fits["family"]) == {"pointwise", "pairwise", "listwise"}
    assert fits.loc[fits["method"] == "RankSVM", "parameters"].str.startswith("C = ").all()


# --- what is computed from it ---


@pytest.fixture(scope="module")
def queries() -> pd.DataFrame:
    return tables.select(own_queries().table, standins=False)


def test_the_mean_over_samples_is_near_the_nwn_of_the_record(queries: pd.DataFrame) -> None:
    sampled = tables.bootstrap(queries, samples=200)
    table = tables.standings(queries, sampled).set_index("method")
    winning = winning_numbers(mean_values(queries)).query("metric == 'all'").set_index("method")
    assert table["nwn"].to_dict() == winning["nwn"].to_dict()
    assert ((table["low"] <= table["nwn"] + 0.1) & (table["high"] >= table["nwn"] - 0.1)).all()
    assert sampled.first().sum() == pytest.approx(1)


def test_resampling_is_reproducible_and_pairs_the_methods(queries: pd.DataFrame) -> None:
    one, two = (tables.bootstrap(queries, samples=20, seed=3) for _ in range(2))
    np.testing.assert_array_equal(one.nwn, two.nwn)
    doubled = pd.concat([queries, queries[queries["method"] == "RankSVM"].assign(method="Twin")])
    twin = tables.bootstrap(doubled, samples=20)
    places = [twin.methods.index(name) for name in ("RankSVM", "Twin")]
    np.testing.assert_array_equal(twin.nwn[:, :, places[0]], twin.nwn[:, :, places[1]])


def test_different_queries_per_method_are_refused(queries: pd.DataFrame) -> None:
    with pytest.raises(UsageError, match="not run on the same queries"):
        tables.bootstrap(queries.drop(queries.index[0]), samples=2)


def test_nwn_and_mean_rank_order_the_methods_alike(queries: pd.DataFrame) -> None:
    tests = tables.pairwise_tests(queries, samples=200)
    assert tests.agreement()["mean rank"] == pytest.approx(1.0, abs=0.05)
    assert kendalltau(tests.table["nwn"], -tests.table["mean_rank"]).statistic > 0.95


def test_flips_are_pairs_whose_means_change_sides(queries: pd.DataFrame) -> None:
    table = conventions_orders.values(queries)
    means = {(row["dataset"], row["method"]): row for row in table.to_dict("records")}
    found = conventions_orders.flips(queries, "letor3")
    assert set(found["dataset"]) <= {"mq2008", "ohsumed"}, "the script has no gains for higher labels"
    for row in found.itertuples():
        better, worse = (means[str(row.dataset), str(name)] for name in (row.better, row.worse))
        assert better["ranklib"] > worse["ranklib"]
        assert better["letor3"] < worse["letor3"]


def test_an_additive_convention_flips_nothing_on_a_data_set(queries: pd.DataFrame) -> None:
    """Yahoo's 1 for empty queries adds the same to every method."""
    assert len(conventions_orders.flips(queries, "yahoo")) == 0


def test_the_verdict_on_a_published_value_depends_on_the_convention(queries: pd.DataFrame) -> None:
    table = conventions_orders.verdicts(queries).set_index(["dataset", "method"])
    for method in ("RankSVM", "RankBoost", "ListNet"):
        assert table.loc[("ohsumed", method), "letor3"] in ("exact", "within noise"), method
    words = table[list(conventions())].stack()
    assert set(words) > {"within noise"}, "some tool's NDCG contradicts what another one bears out"


def test_an_unknown_convention_is_answered_with_the_known_ones(queries: pd.DataFrame) -> None:
    with pytest.raises(UsageError) as caught:
        conventions_orders.flips(queries, "letor5")
    assert "letor3" in (caught.value.cure or "")


def toy_queries() -> pd.DataFrame:
    """Two methods on two data sets; mslr turns their order on the first, letor3 has no gains on the second."""
    table = pd.DataFrame({"dataset": list("ddee"), "method": list("ABAB"), "query": "x", "fold": 1})
    table = table.assign(**dict.fromkeys(conventions(), pd.Series([0.8, 0.2, 0.8, 0.2])))
    return table.assign(mslr=[0.1, 0.9, 0.8, 0.2], letor3=[0.8, 0.2, np.nan, np.nan])


def test_the_switch_marks_what_moves_in_every_recorded_ranking() -> None:
    versions = conventions_page.convention_versions(toy_queries(), {"Elsewhere": toy_queries()}, base="ranklib")
    orders = {title: page[page.index("Elsewhere") :] for title, page in versions.items()}
    assert "0.9000, rank 1 (▲ from 2)" in orders["mslr"]
    assert "0.1000, rank 2 (▼ from 1)" in orders["mslr"]
    assert all("from" not in page for title, page in orders.items() if title != "mslr")


def test_a_base_without_gains_for_some_labels_marks_no_move_there() -> None:
    versions = conventions_page.convention_versions(toy_queries(), {"Elsewhere": toy_queries()}, base="letor3")
    assert len(versions) == len(conventions())
    assert not any("nan" in page for page in versions.values())


def test_one_fold_is_no_measure_of_noise() -> None:
    """A pair that flips on a single value per method is never beyond noise."""
    found = conventions_orders.flips(toy_queries(), "mslr")
    assert found[["dataset", "better", "worse", "beyond noise"]].values.tolist() == [["d", "A", "B", False]]


def test_the_switch_is_on_the_page_for_every_convention() -> None:
    page = ROOT / "_build" / "html" / "chapters" / "61-another-convention.html"
    if not page.exists():
        pytest.skip("the book is not built: run make book first")
    assert len(re.findall(r'<section data-title="', page.read_text())) == len(conventions())
