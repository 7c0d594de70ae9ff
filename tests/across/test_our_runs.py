"""Protects our own runs: what is fitted and scored, the records, and what the page computes from them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

from ltrlib import rankers
from ltrlib.across.our_runs import records, resampling, runs, significance, tables
from ltrlib.across.our_runs.methods import CHOSEN_BY, Method, methods
from ltrlib.across.our_runs.records import METRICS, mean_values
from ltrlib.across.our_runs.runs import OUR_DATASETS, OurDataset, load_our_fold, train
from ltrlib.claims.registry import claim
from ltrlib.comparison.winning import winning_numbers
from ltrlib.datasets.features import scale_per_query
from ltrlib.errors import UsageError
from ltrlib.metrics.engine import evaluate_data
from ltrlib.metrics.ndcg_by_tool import conventions
from ltrlib.metrics.tools import TOOLS
from ltrlib.published.names import name
from ltrlib.published.tables import load_paper
from ltrlib.records.working import make

TINY = OurDataset("standin/mq2008", 2, "letor4", scale=0.05)
QUICK = {name: methods()[name] for name in ("Best Single Feature", "Linear Regression", "RankSVM")}


# --- the runs ---


def test_every_ranker_is_run() -> None:
    run = {type(method.ranker).__name__ for method in methods().values()}
    abstract = {"Ranker"}
    assert run == {name for name in rankers.__all__ if name[0].isupper()} - abstract


def test_several_seeds_are_run_exactly_where_the_seed_decides_something() -> None:
    """So a deterministic ranker is not run five times, and none that is random only once."""
    fold = load_our_fold(TINY, 1)
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
    entry = OurDataset("mq2008", 1, "letor4")
    fold = load_our_fold(TINY, 1)
    method = Method(rankers.RankNet(epochs=2), "pairwise", {"learning_rate": [0.001, 0.01]}, seeds=3)
    queries, fits = train(method, entry, fold)
    (chosen,) = set(fits["parameters"])
    rate = float(chosen.split(" = ")[1])
    singles = []
    for seed in range(3):
        fitted = rankers.RankNet(epochs=2, learning_rate=rate, seed=seed).fit(fold.train, fold.vali)
        metric = "ndcg@10:letor4"
        singles.append(evaluate_data(metric, fold.test, fitted.predict(fold.test.features))[metric].per_query)
    np.testing.assert_allclose(queries["NDCG@10"], np.mean(singles, axis=0), atol=1e-12)
    assert fits["test"].tolist() == pytest.approx([one.mean() for one in singles])


def test_forms_of_the_features_are_chosen_on_the_validation_part() -> None:
    """DirectRanker takes the form with the higher validation value, whatever the test part says."""
    method = Method(rankers.Ridge(), "pointwise", features={"scaled": {}, "normal": {"alpha": 10.0}})
    _, fits = train(method, TINY, load_our_fold(TINY, 1))
    values = {}
    for form, alpha in (("scaled", 1.0), ("normal", 10.0)):
        fold = load_our_fold(TINY, 1, features=form)
        fitted = rankers.Ridge(alpha=alpha).fit(fold.train)
        values[form] = evaluate_data(CHOSEN_BY, fold.vali, fitted.predict(fold.vali.features))[CHOSEN_BY].mean
    assert fits["parameters"].tolist() == [f"features = {max(values, key=lambda form: values[form])}"]
    assert fits["vali"].tolist() == pytest.approx([max(values.values())])


def test_every_data_set_that_can_be_had_is_run_and_stand_ins_say_so() -> None:
    names = {entry.name for entry in OUR_DATASETS}
    assert {"mq2008", "ohsumed", "clueweb09-ltr", "mslr-web10k-sample"} <= names
    assert {entry.name for entry in OUR_DATASETS if entry.standin} == {n for n in names if n.startswith("standin/")}


def test_a_small_run_makes_all_three_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "OUR_DATASETS", (TINY,))
    monkeypatch.setattr(runs, "methods", lambda: QUICK)
    summary = make([runs.TRAININGS, runs.CEILINGS], folder=tmp_path / "pieces", to=tmp_path)
    assert summary.made == ["own/queries", "own/values", "own/fits", "own/ceilings"]
    queries = records.QUERIES.read(folder=tmp_path)
    assert queries.standin
    assert len(queries.table) == 3 * sum(load_our_fold(TINY, fold).test.n_queries for fold in (1, 2))
    assert list(dict.fromkeys(queries.table["method"])) == list(QUICK)
    pd.testing.assert_frame_equal(records.VALUES.read(folder=tmp_path).table, mean_values(queries.table))
    assert len(records.FITS.read(folder=tmp_path).table) == 6
    ceilings = records.CEILINGS.read(folder=tmp_path).table
    assert ceilings["metric"].tolist() == list(METRICS)
    assert (ceilings["value"] < 1).all(), "some queries have nothing relevant"


def test_a_piece_depends_on_its_own_data_also_when_they_were_loaded_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "OUR_DATASETS", (TINY,))
    monkeypatch.setattr(runs, "methods", lambda: QUICK)
    make([runs.TRAININGS], folder=tmp_path / "pieces", to=tmp_path)
    parts = {source.part for source in records.FITS.read(folder=tmp_path).sources}
    assert parts == {f"Fold{fold}/{role}" for fold in (1, 2) for role in ("train", "vali", "test")}


def test_the_record_names_the_seeds_that_are_run() -> None:
    assert list(runs.TRAININGS.seeds) == list(range(max(method.seeds for method in methods().values())))


def test_a_training_is_scored_as_the_named_tools_score() -> None:
    fold = load_our_fold(TINY, 1)
    method = QUICK["Linear Regression"]
    queries, _ = train(method, TINY, fold)
    scores = type(method.ranker)().fit(fold.train).predict(fold.test.features)
    for column, metric in (("NDCG@10", "ndcg@10:letor4"), ("MAP", "map:letor4"), ("yahoo", "ndcg@10:yahoo")):
        expected = evaluate_data(metric, fold.test, scores)[metric].per_query
        np.testing.assert_array_equal(queries[column].to_numpy(), expected)


def test_conventions_are_those_that_differ_and_every_tool_is_in_one() -> None:
    tools = [tool for names in conventions().values() for tool in names]
    assert sorted(tools) == sorted(name for name, tool in TOOLS.items() if tool.template("ndcg", 10) is not None)


def test_scaling_keeps_order_and_makes_every_feature_run_from_0_to_1() -> None:
    fold = load_our_fold(OurDataset("standin/mslr", 1, "mslr", scale=0.002), 1)
    scaled = scale_per_query(fold.train)
    assert scaled.min() >= 0
    assert scaled.max() <= 1
    np.testing.assert_allclose(scale_per_query(fold.train.with_features(scaled)), scaled, atol=1e-6)


# --- the record ---


def test_the_record_is_complete() -> None:
    table = records.QUERIES.read().table
    for entry in OUR_DATASETS:
        rows = table[table["dataset"] == entry.name]
        assert set(rows["method"]) == set(methods()), entry.name
        assert rows.groupby("method").size().nunique() == 1
        assert sorted(set(rows["fold"])) == list(range(1, entry.folds + 1))
    assert not table[list(METRICS)].isna().any().any()
    assert ((table[list(METRICS)] >= 0) & (table[list(METRICS)] <= 1)).all().all()


def test_means_are_those_of_the_queries() -> None:
    means = mean_values(records.QUERIES.read().table)
    pd.testing.assert_frame_equal(records.VALUES.read().table, means, check_exact=False, rtol=1e-12)


def test_no_run_scores_above_the_perfect_ranking() -> None:
    ceilings = records.CEILINGS.read().table.set_index(["dataset", "metric"])["value"].to_dict()
    for row in records.VALUES.read().table.itertuples():
        assert row.value <= ceilings[row.dataset, row.metric] + 1e-12


def test_ceilings_of_mq2008_are_those_counted() -> None:
    """A perfect ranking of MQ2008: queries with something relevant, and long enough, out of 784."""
    ceilings = records.CEILINGS.read().table.set_index(["dataset", "metric"])["value"].to_dict()
    assert ceilings["mq2008", "NDCG@10"] == pytest.approx(293 / 784)
    assert ceilings["mq2008", "NDCG@5"] == pytest.approx(564 / 784)
    assert ceilings["mq2008", "MAP"] == pytest.approx(564 / 784)


def test_yahoo_scores_mq2008_higher_than_ranklib_by_the_share_of_empty_queries() -> None:
    table = records.QUERIES.read().table.query("dataset == 'mq2008'").groupby("method")[["yahoo", "ranklib"]].mean()
    np.testing.assert_allclose(table["yahoo"] - table["ranklib"], 220 / 784, atol=1e-12)


def test_fits_say_what_was_chosen() -> None:
    fits = records.FITS.read().table
    for entry in OUR_DATASETS:
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
    return tables.select(records.QUERIES.read().table, standins=False)


def test_the_mean_over_samples_is_near_the_nwn_of_the_record(queries: pd.DataFrame) -> None:
    sampled = resampling.bootstrap(queries, samples=200)
    table = tables.standings(queries, sampled, factor=2.5).set_index("method")
    winning = winning_numbers(mean_values(queries)).query("metric == 'all'").set_index("method")
    assert table["nwn"].to_dict() == winning["nwn"].to_dict()
    assert ((table["low"] <= table["nwn"]) & (table["high"] >= table["nwn"])).all()
    assert table["bias"].iloc[0] < 0 < table["bias"].iloc[-1], "resampling pulls both ends to the middle"
    assert sampled.first().sum() == pytest.approx(1)


def test_resampling_is_reproducible_and_pairs_the_methods(queries: pd.DataFrame) -> None:
    one, two = (resampling.bootstrap(queries, samples=20, seed=3) for _ in range(2))
    np.testing.assert_array_equal(one.nwn, two.nwn)
    doubled = pd.concat([queries, queries[queries["method"] == "RankSVM"].assign(method="Twin")])
    twin = resampling.bootstrap(doubled, samples=20)
    places = [twin.methods.index(name) for name in ("RankSVM", "Twin")]
    np.testing.assert_array_equal(twin.nwn[:, :, places[0]], twin.nwn[:, :, places[1]])


def test_different_queries_per_method_are_refused(queries: pd.DataFrame) -> None:
    with pytest.raises(UsageError, match="not run on the same queries"):
        resampling.bootstrap(queries.drop(queries.index[0]), samples=2)


def test_simulated_studies_are_drawn_from_the_record(queries: pd.DataFrame) -> None:
    """Their estimates scatter around the truth, and the record is that of the code."""
    some = resampling.simulated_studies(queries, studies=3, samples=40, seed=0)
    truth = resampling.true_shares(queries)
    winning = winning_numbers(mean_values(queries)).query("metric == 'all'").set_index("method")["nwn"]
    pd.testing.assert_series_equal(truth, winning, check_names=False)
    assert some.groupby("study")["method"].nunique().tolist() == [len(truth)] * 3
    assert some["estimate"].sub(truth[some["method"]].to_numpy()).abs().mean() < 0.15
    assert (some["low"] <= some["high"]).all()


def test_the_interval_of_the_page_covers_as_it_says_where_the_others_do_not(queries: pd.DataFrame) -> None:
    """Judged on studies that did not choose the width, for each method within the simulation's noise; others fail."""
    table = resampling.coverage_table(records.COVERAGE.read().table, resampling.true_shares(queries))
    covers, lowest = (table.set_index("interval")[name] for name in ("covers", "lowest"))
    assert covers["widened by simulation"] > 0.95
    assert lowest["widened by simulation"] > 0.95 - 2 * (0.95 * 0.05 / 200) ** 0.5
    for kind in ("percentile", "basic (reflected)", "bias-corrected (Efron)"):
        assert covers[kind] < 0.92


def test_permutation_p_of_our_table_is_that_of_the_review(queries: pd.DataFrame) -> None:
    """An independent count had 0.009 where the chi-square approximation gives 0.019."""
    tests = significance.pairwise_tests(queries, samples=20_000)
    assert tests.overall.p_value == pytest.approx(0.0192, abs=0.0002)
    assert tests.p_permuted == pytest.approx(0.009, abs=0.002)


def test_agreement_with_table_b6_has_exact_p_values(queries: pd.DataFrame) -> None:
    sampled = resampling.bootstrap(queries, samples=30)
    rows = significance.agreement_with_b6(sampled, tables.standings(queries, sampled, factor=2.5))
    assert rows["metric"].tolist() == list(METRICS)
    assert rows["p"].between(0.05, 1).all(), "none is significant"


def test_nwn_and_mean_rank_order_the_methods_alike(queries: pd.DataFrame) -> None:
    tests = significance.pairwise_tests(queries, samples=200)
    assert tests.agreement()["mean rank"] == pytest.approx(1.0, abs=0.05)
    assert kendalltau(tests.table["nwn"], -tests.table["mean_rank"]).statistic > 0.95


def test_the_prose_on_fits_counts_what_is_recorded() -> None:
    fits = records.FITS.read().table
    numbers = tables.numbers_of_fits(records.QUERIES.read().table, fits)
    assert numbers["methods"] == str(len(methods()))
    assert numbers["fits"] == str(len(fits))
    assert numbers["random"] == str(sum(method.seeds > 1 for method in methods().values()))
    folds = sum(entry.folds for entry in OUR_DATASETS if not entry.standin)
    assert int(numbers["neural-edge"]) <= int(numbers["neural"]) == 2 * folds


def test_the_prose_on_standings_and_tests_agrees_with_the_tables(queries: pd.DataFrame) -> None:
    table = tables.standings(queries, resampling.bootstrap(queries, samples=20), factor=2.5)
    numbers = tables.numbers_of_standings(table, records.FITS.read().table)
    assert f"({table['method'][0]})" in numbers["best"]
    assert table["method"][int(numbers["direct-rank"]) - 1] == "DirectRanker"
    assert int(numbers["direct-normal"]) <= int(numbers["direct-folds"])
    assert tables.shown_standings(table)["first"].str.endswith("%").all()
    told = significance.numbers_of_tests(significance.pairwise_tests(queries, samples=20))
    assert int(told["method-pairs"]) == len(table) * (len(table) - 1) / 2
    assert int(told["significant"]) <= int(told["method-pairs"])


def test_data_sets_are_counted_with_their_folds() -> None:
    table = tables.dataset_table(records.QUERIES.read().table).set_index("data set")
    assert table["folds"].to_dict() == {name("data", entry.name): entry.folds for entry in OUR_DATASETS}
    real = set(table.index[table["kind"] == "real"])
    assert real == {name("data", entry.name) for entry in OUR_DATASETS if not entry.standin}


# --- what Tax et al. say of methods that we ran too ---


def test_the_order_of_table_b6_and_ours_by_hand() -> None:
    """τ over the methods in both: pairs in the same order minus pairs in the other, NWN over all metrics."""
    outcome = claim("tax2015.own.tend").check()
    queries = tables.select(records.QUERIES.read().table, standins=False)
    ours = winning_numbers(mean_values(queries)).query("metric == 'all'").set_index("method")["nwn"]
    printed = load_paper("tax2015")["b6"]
    both = [method for method in printed.rows if method in ours.index]
    theirs = [printed.number(method, "nwn").value for method in both]
    assert len(both) == 11
    assert outcome.judgements[0].difference == pytest.approx(kendalltau(theirs, ours[both]).statistic)
    assert outcome.word == "undecided"


def test_no_two_methods_that_the_study_orders_can_be_told_apart_on_its_data() -> None:
    outcome = claim("tax2015.own.same-order").check()
    assert outcome.verdict.word == "undecided"
    assert {one.name.rpartition(", ")[0] for one in outcome.judgements} == {"LETOR 4.0 MQ2008", "LETOR 3.0 OHSUMED"}
    assert {one.name.rpartition(", ")[2] for one in outcome.judgements} == set(METRICS)
    assert not any("reversed" in one.reason for one in outcome.judgements)
