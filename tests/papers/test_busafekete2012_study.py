"""The NDCG study: what is trained, resumed, scored, averaged and recorded; and that the record can be repeated."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ltrlib.datasets import is_here
from ltrlib.errors import RecordError, UsageError
from ltrlib.metrics import evaluate_data
from ltrlib.metrics.ndcg_by_tool import conventions
from ltrlib.papers.busafekete2012.study import runs as study_runs
from ltrlib.papers.busafekete2012.study import training
from ltrlib.papers.busafekete2012.study.checking import check_against_record, differences
from ltrlib.papers.busafekete2012.study.conventions import CUTOFFS, HALVES, PAPER, metric_of
from ltrlib.papers.busafekete2012.study.results import curves, judged_by, paired_differences, short_and_long, values
from ltrlib.papers.busafekete2012.study.runs import FOLDS, SEEDS, SPLIT, Plan, Tables, read, record, run
from ltrlib.papers.busafekete2012.study.scores import QUERY_COLUMNS, RUN_COLUMNS, Unit, query_rows
from ltrlib.papers.busafekete2012.study.tables import results_of
from ltrlib.papers.busafekete2012.study.training import LEARNERS, RANDOM, train_under
from ltrlib.rankers.cross_validation import Fold, load_fold
from ltrlib.rankers.ranklib import busa_fekete
from tests.helpers.rankers import make

SMALL = load_fold("standin/mq2008", 1, scale=0.2)  # has queries without relevant documents, and short ones
QUICK: dict[str, dict[str, Any]] = {
    "RankNet": {"epochs": 10, "learning_rate": 0.05},
    "CoordinateAscent": {"restarts": 2, "iterations": 10},
}
QUICK |= {"LambdaMART": {"trees": 30, "patience": 10}, "RankBoost": {"rounds": 20}, "AdaRank": {"rounds": 30}}
LAYOUTS = {"RankNet": {"hidden": [(2,), (3, 3)]}}
DATASETS = ("mq2008", "ohsumed", "clueweb09-ltr")
needs_mq2008 = pytest.mark.skipif(not is_here("mq2008"), reason="MQ2008 is not in LTRLIB_DATA or data/raw")


def quick(conventions: Sequence[str], learner: str, *, seed: int = 1) -> dict[str, training.Fitted]:
    return train_under(conventions, learner, SMALL, seed=seed, changes=QUICK.get(learner), grid=LAYOUTS.get(learner))


# --- training ---


@pytest.mark.parametrize("learner", LEARNERS)
def test_yahoo_and_ranklib_teach_the_same_to_all_but_adarank(learner: str) -> None:
    """A query without relevant documents adds a constant: no gradient, no better step, tree, epoch or restart."""
    found = quick(PAPER, learner)
    assert np.array_equal(found["yahoo"].scores, found["ranklib"].scores) == (learner != "AdaRank")
    assert found["yahoo"].vali > found["ranklib"].vali  # the validation part has such queries


@pytest.mark.parametrize("learner", LEARNERS)
def test_only_the_learners_called_random_depend_on_the_seed(learner: str) -> None:
    first, again, other = (quick(["ranklib"], learner, seed=seed)["ranklib"].scores for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert np.array_equal(first, other) == (learner not in RANDOM)


def test_ranknet_takes_the_layout_and_epoch_that_are_best_on_the_validation_part() -> None:
    found = quick(["letor4"], "RankNet")["letor4"]
    each = {
        layout: train_under(
            ["letor4"], "RankNet", SMALL, seed=1, changes=QUICK["RankNet"], settled={"letor4": {"hidden": layout}}
        )["letor4"]
        for layout in LAYOUTS["RankNet"]["hidden"]
    }
    best = max(each, key=lambda layout: each[layout].vali)
    assert tuple(found.parameters["hidden"]) == best
    np.testing.assert_array_equal(found.scores, each[best].scores)


def test_what_is_chosen_is_scored_under_the_convention_of_the_training() -> None:
    found = quick(["letor4"], "RankSVM")["letor4"]
    from ltrlib.rankers import RankSVM

    ranker = RankSVM(C=found.parameters["C"], tolerance=0.001).fit(SMALL.train)
    metric = metric_of("letor4")
    assert found.vali == evaluate_data(metric, SMALL.vali, ranker.predict(SMALL.vali.features))[metric].mean
    np.testing.assert_array_equal(found.scores, ranker.predict(SMALL.test.features))


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UsageError, match="no learner 'AdaBoost'"):
        train_under(["yahoo"], "AdaBoost", SMALL, seed=1)
    with pytest.raises(UsageError, match="no convention 'letor5'"):
        train_under(["letor5"], "AdaRank", SMALL, seed=1)
    with pytest.raises(UsageError, match="no training is left: RankNet under short"):
        run(Plan("standin/mq2008", learners=("RankNet",), conventions=("short",)))


def test_the_plan_of_the_paper_has_every_training_once() -> None:
    units = list(Plan("mq2008").units())
    assert len(set(units)) == len(units)
    per_fold = len(PAPER) * ((len(LEARNERS) - len(RANDOM)) + len(RANDOM) * len(SEEDS)) + len(HALVES) * len(SPLIT)
    assert len(units) == per_fold * len(FOLDS)


# --- scoring ---


def test_per_query_values_of_a_hand_worked_case() -> None:
    """Two documents in the wrong order, and nothing relevant: RankLib 1 / log2 3 and 0, LETOR 4.0 zero beyond 2."""
    test = make([[0.0]] * 5, [0, 1, 0, 0, 0], [2, 3])
    rows = query_rows(Unit("AdaRank", 1, 1, "yahoo"), test, np.array([2.0, 1.0, 3.0, 2.0, 1.0]), highest=1)
    assert list(rows.columns) == list(QUERY_COLUMNS)
    assert rows["empty"].tolist() == [False, True]
    assert rows["documents"].tolist() == [2, 3]
    assert rows["ranklib@1"].tolist() == [0.0, 0.0]
    assert rows["ranklib@2"].tolist() == pytest.approx([1 / math.log2(3), 0.0])
    assert rows["letor4@2"].tolist() == [1.0, 0.0]  # rank 2 is not discounted
    assert rows["letor4@3"].tolist() == [0.0, 0.0]
    assert rows["yahoo@10"].tolist() == pytest.approx([1 / math.log2(3), 1.0])
    assert rows["xgboost@10"].tolist() == pytest.approx([1 / math.log2(3), 1.0])
    assert rows["xgboost-@10"].tolist() == pytest.approx([1 / math.log2(3), 0.0])
    assert rows["letor3@10"].tolist() == [0.0, 0.0]


def test_every_convention_is_kept_and_a_tool_without_a_gain_has_no_value() -> None:
    """LETOR's script knows the labels 0 to 2: on a set with five labels it scores nothing, not even other queries."""
    test = make([[0.0]] * 3, [0, 1, 2], [3])
    scored = {
        highest: query_rows(Unit("AdaRank", 1, 1, "yahoo"), test, np.arange(3.0), highest=highest).iloc[0]
        for highest in (2, 4)
    }
    names = [f"{name}@10" for name in conventions()]
    assert scored[2][names].notna().all()
    assert [name for name in names if math.isnan(scored[4][name])] == ["letor3@10"]
    assert scored[4]["mslr@10"] == scored[2]["letor3@10"]
    table = pd.DataFrame([scored[4]])
    assert judged_by(table, "mslr")["ranklib@10"].tolist() == table["mslr@10"].tolist()
    with pytest.raises(UsageError, match="letor3 gives 1 of 1 rows no value"):
        judged_by(table, "letor3")


# --- averages ---


def test_error_bars_of_a_hand_worked_case() -> None:
    """Fold 1 has 0 and 1 (error 0.5), fold 2 has 0.2, 0.4, 0.6 (error 0.2 / √3); √(0.25 + 0.04 / 3) / 2."""
    table = pd.DataFrame(
        {
            "learner": "L",
            "trained_under": "ranklib",
            "seed": 1,
            "fold": [1, 1, 2, 2, 2],
            "ranklib@10": [0.0, 1.0, 0.2, 0.4, 0.6],
        }
    )
    found = curves(table, tools=["ranklib"], cutoffs=[10]).iloc[0]
    assert found["mean"] == pytest.approx((0.5 + 0.4) / 2)
    assert found["standard_error"] == pytest.approx(math.sqrt(0.25 + 0.04 / 3) / 2)
    assert math.isnan(found["seed_spread"])
    twice = pd.concat([table, table.assign(seed=2, **{"ranklib@10": table["ranklib@10"] + 0.1})])
    found = curves(twice, tools=["ranklib"], cutoffs=[10]).iloc[0]
    assert found["mean"] == pytest.approx(0.5)
    assert found["standard_error"] == pytest.approx(math.sqrt(0.25 + 0.04 / 3) / 2)
    assert found["seed_spread"] == pytest.approx(0.1 / math.sqrt(2))


def test_pairs_are_matched_by_query_and_averaged_over_seeds() -> None:
    table = pd.DataFrame(
        {
            "learner": "L",
            "trained_under": list("aabbbb"),
            "seed": [1, 1, 1, 1, 2, 2],
            "query": list("xyyxyx"),
            "ranklib@10": [0.5, 0.1, 0.3, 0.5, 0.5, 0.7],
        }
    )
    found = paired_differences(table, [(("L", "a"), ("L", "b"))]).iloc[0]
    assert found["difference"] == pytest.approx(((0.5 - 0.6) + (0.1 - 0.4)) / 2)
    assert found["differing"] == 1.0
    nothing = paired_differences(table, [], randomise=True)
    assert nothing.empty
    assert {"difference", "low", "high", "p_t_test_holm", "p_randomisation_holm"} <= set(nothing.columns)


def test_short_queries_are_told_from_long_ones_and_empty_ones_left_out() -> None:
    table = pd.DataFrame(
        {
            "learner": "L",
            "trained_under": "ranklib",
            "seed": 1,
            "query": list("abcd"),
            "documents": [9, 10, 3, 50],
            "empty": [False, False, True, True],
            "ranklib@10": [0.3, 0.6, 0.0, 0.0],
        }
    )
    assert short_and_long(table, ["L"]).values.tolist() == [["L", 0.3, 0.6, 1, 1]]


# --- resuming and recording ---


def plan_of(**changes: Any) -> Plan:
    given: dict[str, Any] = {
        "learners": ("AdaRank", "RankNet"),
        "folds": (1,),
        "seeds": (1, 2),
        "conventions": ("yahoo", "letor4"),
    }
    given |= {"changes": QUICK, "grids": LAYOUTS, "scale": 0.05}
    return Plan("standin/mq2008", **(given | changes))


def test_a_run_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run(plan_of())
    calls: list[tuple[str, int]] = []

    def counted(
        conventions: Sequence[str], learner: str, fold: Fold, *, seed: int, **more: Any
    ) -> dict[str, training.Fitted]:
        calls.append((learner, seed))
        if len(calls) == 3:
            raise KeyboardInterrupt
        return train_under(conventions, learner, fold, seed=seed, **more)

    monkeypatch.setattr(study_runs, "train_under", counted)
    with pytest.raises(KeyboardInterrupt):
        run(plan_of(), keep=tmp_path)
    assert calls == [("AdaRank", 1), ("RankNet", 1), ("RankNet", 2)]
    resumed = run(plan_of(), keep=tmp_path)
    assert calls[3:] == [("RankNet", 2)]
    pd.testing.assert_frame_equal(resumed.queries, whole.queries)
    assert run(plan_of(), keep=tmp_path).runs.equals(resumed.runs)
    assert len(calls) == 4
    run(plan_of(changes={**QUICK, "AdaRank": {"rounds": 2}}), keep=tmp_path)  # other parameters: trained again
    assert calls[4:] == [("AdaRank", 1)]


def test_a_seed_alone_gets_the_layout_of_the_choosing_seed() -> None:
    both, alone = run(plan_of(learners=("RankNet",))), run(plan_of(learners=("RankNet",), seeds=(2,)))
    assert not differences(both, alone)


def test_records_have_their_schema_and_what_is_off_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LTRLIB_CACHE", str(tmp_path / "cache"))
    runs, queries = record(plan_of(learners=("AdaRank",)), command="x", folder=tmp_path)
    assert list(runs.table.columns) == list(RUN_COLUMNS)
    assert list(queries.table.columns) == list(QUERY_COLUMNS)
    assert runs.standin
    known = Tables(runs.table, queries.table)
    assert not differences(known, known)
    worse = queries.table.assign(**{"letor4@10": queries.table["letor4@10"] + 1e-12})
    assert len(differences(Tables(runs.table, worse), known)) == 2
    assert "size is" in differences(Tables(runs.table.assign(size=99), queries.table), known)[0]
    assert "not in the record" in differences(Tables(runs.table[:1], queries.table), known)[0]


# --- the records of the real data ---


@pytest.mark.parametrize("dataset", DATASETS)
def test_the_records_are_complete_and_agree_with_each_other(dataset: str) -> None:
    runs, queries = read(dataset, "runs"), read(dataset, "queries")
    assert not runs.standin
    assert runs.provenance["data"] == queries.provenance["data"]
    keys = ["learner", "trained_under", "fold", "seed"]
    made = set(runs.table[keys].itertuples(index=False, name=None))
    plan = Plan(dataset, seeds=runs.provenance["seeds"], conventions=runs.provenance["parameters"]["conventions"])
    wanted = {(u.learner, u.convention, u.fold, u.seed) for u in plan.units()}
    assert made == wanted
    assert set(queries.table[keys].itertuples(index=False, name=None)) == wanted
    assert len(runs.table) == len(wanted)
    assert queries.table.groupby(keys)["query"].nunique().groupby("fold").nunique().eq(1).all()
    unknown = ["letor3@10"] if dataset == "clueweb09-ltr" else []  # LETOR 3.0's script has no gain for its labels
    scored = queries.table[[name for name, kind in QUERY_COLUMNS.items() if kind == "float" and name not in unknown]]
    assert queries.table[unknown].isna().all().all()
    assert scored.notna().all().all()
    assert ((scored >= 0) & (scored <= 1 + 1e-12)).all().all()
    assert all(json.loads(text) is not None for text in runs.table["parameters"])


@pytest.mark.parametrize("dataset", ["mq2008", "ohsumed"])
def test_the_papers_protocol_was_run_whole(dataset: str) -> None:
    """1 to 3 layers of 10 to 500 units, 30 restarts of 100 steps: nothing was thinned for time."""
    given = read(dataset, "runs").provenance["parameters"]
    assert given["grids"] == given["changes"] == {}
    learners = busa_fekete()
    layouts = learners["RankNet"][1]["hidden"]
    assert {(len(one), one[0]) for one in layouts} == {(n, units) for n in (1, 2, 3) for units in (10, 50, 100, 500)}
    climber = learners["CoordinateAscent"][0].get_params()
    assert (climber["restarts"], climber["iterations"]) == (30, 100)


@pytest.mark.parametrize("dataset", DATASETS)
def test_yahoos_values_follow_from_ranklibs(dataset: str) -> None:
    """They are recorded at the last cut-off only; the other cut-offs are derived in the same way."""
    queries = read(dataset, "queries").table
    derived = values(queries.drop(columns="yahoo@10"), "yahoo", 10)
    np.testing.assert_allclose(derived, queries["yahoo@10"], rtol=0, atol=1e-12)


def test_mq2008_has_the_short_queries_of_the_registry() -> None:
    once = read("mq2008", "queries").table.drop_duplicates("query")
    assert len(once) == 784
    assert int(once["empty"].sum()) == 220
    assert {k: int((once["documents"] < k).sum()) for k in CUTOFFS[5:]} == {6: 2, 7: 10, 8: 64, 9: 403, 10: 403}


def test_a_plan_reads_its_part_of_the_record() -> None:
    tables, found = results_of(Plan("mq2008", learners=("RankSVM",), folds=(2, 3), conventions=("letor4",)))
    assert found is not None
    assert tables.runs[["learner", "fold"]].values.tolist() == [["RankSVM", 2], ["RankSVM", 3]]
    assert set(tables.queries["fold"]) == {2, 3}
    with pytest.raises(RecordError, match="nothing that the plan names"):
        results_of(Plan("mq2008", folds=(9,)))


@needs_mq2008
def test_one_fold_trained_again_repeats_its_record() -> None:
    """All deterministic learners, all conventions, every query, to the last bit."""
    learners = [one for one in LEARNERS if one not in RANDOM]
    assert not check_against_record(Plan("mq2008", learners=learners, folds=(1,)))


@needs_mq2008
def test_a_random_learner_repeats_its_record_within_the_spread_over_seeds() -> None:
    """RankNet's chosen layout, with a seed that was not recorded."""
    fold, recorded = load_fold("mq2008", 1), read("mq2008", "runs").table
    own = recorded[
        (recorded["learner"] == "RankNet") & (recorded["trained_under"] == "ranklib") & (recorded["fold"] == 1)
    ]
    settled = {"ranklib": json.loads(own["parameters"].iloc[0])}
    fitted = train_under(["ranklib"], "RankNet", fold, seed=99, settled=settled)["ranklib"]
    metric = metric_of("ranklib")
    value = evaluate_data(metric, fold.test, fitted.scores)[metric].mean
    queries = read("mq2008", "queries").table
    which = (queries["learner"] == "RankNet") & (queries["trained_under"] == "ranklib") & (queries["fold"] == 1)
    by_seed = queries[which].groupby("seed")["ranklib@10"].mean()
    assert abs(value - by_seed.mean()) < 4 * by_seed.std(ddof=1)
