"""The NDCG study: what is trained, scored, averaged and recorded; and that the record can be repeated."""

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
from ltrlib.papers.busafekete2012.study.learners import (
    CUTOFFS,
    HALVES,
    LEARNERS,
    PAPER,
    RANDOM,
    SPLIT,
    metric_of,
)
from ltrlib.papers.busafekete2012.study.live import differences, results_of, unlike_record
from ltrlib.papers.busafekete2012.study.page import Study, elsewhere, elsewhere_numbers
from ltrlib.papers.busafekete2012.study.plans import FOLDS, PLANS, SEEDS, Plan, Training, plan_for
from ltrlib.papers.busafekete2012.study.records import Tables, queries_of, runs_of
from ltrlib.papers.busafekete2012.study.results import curves, paired_differences, short_and_long, values
from ltrlib.papers.busafekete2012.study.runs import STUDY, run, run_of
from ltrlib.papers.busafekete2012.study.scores import query_rows
from ltrlib.papers.busafekete2012.study.tables import FIGURE2, recorded
from ltrlib.papers.busafekete2012.study.training import Fitted, ranker_of, train_under
from ltrlib.rankers.cross_validation import load_fold
from ltrlib.records import working
from ltrlib.records.making import Run
from tests.helpers.rankers import make

SMALL = load_fold("standin/mq2008", 1, scale=0.2)  # has queries without relevant documents, and short ones
QUICK: dict[str, dict[str, Any]] = {
    "RankNet": {"epochs": 10, "learning_rate": 0.05},
    "CoordinateAscent": {"restarts": 2, "iterations": 10},
}
QUICK |= {"LambdaMART": {"trees": 30, "patience": 10}, "RankBoost": {"rounds": 20}, "AdaRank": {"rounds": 30}}
LAYOUTS = {"RankNet": {"hidden": [(2,), (3, 3)]}}
needs_mq2008 = pytest.mark.skipif(not is_here("mq2008"), reason="MQ2008 is not in LTRLIB_DATA or data/raw")


def quick(conventions: Sequence[str], learner: str, *, seed: int = 1) -> dict[str, Fitted]:
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
    with pytest.raises(UsageError, match="nothing to train: RankNet under short"):
        run(Plan("standin/mq2008", learners=("RankNet",), conventions=("short",)))


def test_the_settings_are_those_of_section_4() -> None:
    assert list(LEARNERS) == ["AdaRank", "RankNet", "RankBoost", "RankSVM", "CoordinateAscent", "LambdaMART"]
    layouts = LEARNERS["RankNet"].grid["hidden"]
    assert {(len(one), *set(one)) for one in layouts} == {(n, units) for n in (1, 2, 3) for units in (10, 50, 100, 500)}
    assert (min(LEARNERS["RankSVM"].grid["C"]), max(LEARNERS["RankSVM"].grid["C"])) == (1e-6, 1e4)
    climber = ranker_of("CoordinateAscent", metric_of("letor4"), seed=3).get_params()
    assert (climber["restarts"], climber["iterations"]) == (30, 100)
    assert (climber["metric"], climber["seed"]) == (metric_of("letor4"), 3)
    trees = ranker_of("LambdaMART", metric_of("yahoo"), seed=1, changes={"trees": 7}).get_params()
    assert (trees["leaves"], trees["learning_rate"], trees["trees"]) == (10, 0.1, 7)


def test_the_plan_of_the_paper_has_every_training_once() -> None:
    trainings = list(Plan("mq2008").trainings())
    assert len(set(trainings)) == len(trainings)
    per_fold = len(PAPER) * ((len(LEARNERS) - len(RANDOM)) + len(RANDOM) * len(SEEDS)) + len(HALVES) * len(SPLIT)
    assert len(trainings) == per_fold * len(FOLDS)


def test_the_seeds_of_ranknet_stay_together_and_those_of_coordinate_ascent_do_not() -> None:
    parts = [(part.learners[0], tuple(part.seeds)) for part in Plan("mq2008", folds=(1,)).parts()]
    assert parts.count(("RankNet", SEEDS)) == 1
    assert [seeds for learner, seeds in parts if learner == "CoordinateAscent"] == [(seed,) for seed in SEEDS]
    assert len(parts) == len(LEARNERS) - 1 + len(SEEDS)


# --- scoring ---


def test_per_query_values_of_a_hand_worked_case() -> None:
    """Two documents in the wrong order, and nothing relevant: RankLib 1 / log2 3 and 0, LETOR 4.0 zero beyond 2."""
    test = make([[0.0]] * 5, [0, 1, 0, 0, 0], [2, 3])
    rows = query_rows(Training("AdaRank", 1, 1, "yahoo"), test, np.array([2.0, 1.0, 3.0, 2.0, 1.0]), highest=1)
    assert list(rows.columns) == list(queries_of("mq2008").columns)
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
        highest: query_rows(Training("AdaRank", 1, 1, "yahoo"), test, np.arange(3.0), highest=highest).iloc[0]
        for highest in (2, 4)
    }
    names = [f"{name}@10" for name in conventions()]
    assert scored[2][names].notna().all()
    assert [name for name in names if math.isnan(scored[4][name])] == ["letor3@10"]
    assert scored[4]["mslr@10"] == scored[2]["letor3@10"]


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


# --- recording ---


def plan_of(**changes: Any) -> Plan:
    given: dict[str, Any] = {
        "learners": ("AdaRank", "RankNet"),
        "folds": (1,),
        "seeds": (1, 2),
        "conventions": ("yahoo", "letor4"),
    }
    given |= {"changes": QUICK, "grids": LAYOUTS, "scale": 0.05}
    return Plan("standin/mq2008", **(given | changes))


def test_a_seed_alone_gets_the_layout_of_the_choosing_seed() -> None:
    both, alone = run(plan_of(learners=("RankNet",))), run(plan_of(learners=("RankNet",), seeds=(2,)))
    assert len(alone.runs) == 2
    assert not differences(both, alone)


def test_a_plan_is_recorded_piece_by_piece_as_it_is_trained_whole(tmp_path: Path) -> None:
    plan = plan_of(folds=(1, 2))
    made = working.make([run_of(plan)], folder=tmp_path, to=tmp_path)
    assert made.made == ["busafekete2012/standin-mq2008-runs", "busafekete2012/standin-mq2008-queries"]
    runs, queries = (table.read(folder=tmp_path) for table in (runs_of(plan.dataset), queries_of(plan.dataset)))
    assert runs.standin
    assert queries.standin
    assert runs.provenance["parameters"]["changes"] == QUICK
    whole = run(plan)
    assert runs.table.drop(columns="seconds").equals(whole.runs.drop(columns="seconds"))
    assert queries.table.equals(whole.queries)
    order = ["fold", "query", "learner", "trained_under", "seed"]
    assert queries.table[order].equals(queries.table[order].sort_values(order, ignore_index=True))


def test_what_differs_from_the_record_is_said() -> None:
    known = run(plan_of(learners=("AdaRank",)))
    assert not differences(known, known)
    worse = known.queries.assign(**{"letor4@10": known.queries["letor4@10"] + 1e-12})
    assert len(differences(Tables(known.runs, worse), known)) == 2
    assert "size is" in differences(Tables(known.runs.assign(size=99), known.queries), known)[0]
    assert "not in the record" in differences(Tables(known.runs[:1], known.queries), known)[0]
    unscored = Tables(known.runs, known.queries.assign(**{"letor3@10": np.nan}))
    assert not differences(unscored, unscored)


# --- the records of the real data ---


@pytest.mark.parametrize("dataset", PLANS)
def test_the_records_are_complete_and_agree_with_each_other(dataset: str) -> None:
    runs, queries = runs_of(dataset).read(), queries_of(dataset).read()
    assert not runs.standin
    assert runs.provenance["data"] == queries.provenance["data"]
    keys = ["learner", "trained_under", "fold", "seed"]
    made = set(runs.table[keys].itertuples(index=False, name=None))
    wanted = {(one.learner, one.convention, one.fold, one.seed) for one in PLANS[dataset].trainings()}
    assert made == wanted
    assert set(queries.table[keys].itertuples(index=False, name=None)) == wanted
    assert len(runs.table) == len(wanted)
    assert queries.table.groupby(keys)["query"].nunique().groupby("fold").nunique().eq(1).all()
    unknown = ["letor3@10"] if dataset == "clueweb09-ltr" else []  # LETOR 3.0's script has no gain for its labels
    kinds = queries_of(dataset).columns
    scored = queries.table[[name for name, kind in kinds.items() if kind == "float" and name not in unknown]]
    assert queries.table[unknown].isna().all().all()
    assert scored.notna().all().all()
    assert ((scored >= 0) & (scored <= 1 + 1e-12)).all().all()
    assert all(json.loads(text) is not None for text in runs.table["parameters"])


@pytest.mark.parametrize("study", STUDY, ids=PLANS)
def test_a_record_was_made_with_the_settings_of_its_plan(study: Run) -> None:
    for table in study.tables:
        made = table.read().provenance
        assert made["parameters"] == json.loads(json.dumps(study.parameters))
        assert made["seeds"] == list(study.seeds)


@pytest.mark.parametrize("dataset", ["mq2008", "ohsumed"])
def test_the_papers_protocol_was_run_whole(dataset: str) -> None:
    """1 to 3 layers of 10 to 500 units, 30 restarts of 100 steps: nothing was thinned for time."""
    given = runs_of(dataset).read().provenance["parameters"]
    assert given["grids"] == given["changes"] == {}


@pytest.mark.parametrize("dataset", PLANS)
def test_yahoos_values_follow_from_ranklibs(dataset: str) -> None:
    """They are recorded at the last cut-off only; the other cut-offs are derived in the same way."""
    queries = queries_of(dataset).read().table
    derived = values(queries.drop(columns="yahoo@10"), "yahoo", 10)
    np.testing.assert_allclose(derived, queries["yahoo@10"], rtol=0, atol=1e-12)


def test_mq2008_has_the_short_queries_of_the_registry() -> None:
    once = queries_of("mq2008").read().table.drop_duplicates("query")
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


def test_a_data_set_without_a_record_is_trained() -> None:
    tables, found = results_of(plan_of(learners=("AdaRank",)))
    assert found is None
    assert set(tables.runs["trained_under"]) == {"yahoo", "letor4"}


@needs_mq2008
def test_one_fold_trained_again_repeats_its_record() -> None:
    """All deterministic learners, all conventions, every query, to the last bit."""
    learners = [one for one in LEARNERS if one not in RANDOM]
    assert not unlike_record("mq2008", run(plan_for("mq2008", learners=learners, folds=(1,))))


@needs_mq2008
def test_a_random_learner_repeats_its_record_within_the_spread_over_seeds() -> None:
    """RankNet's chosen layout, with a seed that was not recorded."""
    fold, recorded = load_fold("mq2008", 1), runs_of("mq2008").read().table
    own = recorded[
        (recorded["learner"] == "RankNet") & (recorded["trained_under"] == "ranklib") & (recorded["fold"] == 1)
    ]
    settled = {"ranklib": json.loads(own["parameters"].iloc[0])}
    fitted = train_under(["ranklib"], "RankNet", fold, seed=99, settled=settled)["ranklib"]
    metric = metric_of("ranklib")
    value = evaluate_data(metric, fold.test, fitted.scores)[metric].mean
    queries = queries_of("mq2008").read().table
    which = (queries["learner"] == "RankNet") & (queries["trained_under"] == "ranklib") & (queries["fold"] == 1)
    by_seed = queries[which].groupby("seed")["ranklib@10"].mean()
    assert abs(value - by_seed.mean()) < 4 * by_seed.std(ddof=1)


# --- the page ---


def study(learners: Sequence[str] = FIGURE2) -> Study:
    return Study(*recorded(Plan("mq2008")), learners)


def test_the_summary_tells_judges_from_teachers() -> None:
    judges, teachers, same = study().summary
    assert "YAHOO adds 0.281 to every learner's NDCG@10" in judges
    assert "none of the 4 changes can be told from zero" in teachers
    assert "LambdaMART, RankNet and CoordinateAscent exactly what RANKLIB's teaches" in same


def test_the_numbers_of_the_prose_are_those_of_the_record() -> None:
    found, queries = study().numbers(), queries_of("mq2008").read().table.drop_duplicates("query")
    assert found["lambdamart-yahoo-differ"] == "0.0%"
    assert found["short-share"] == f"{(queries['documents'] < 10).mean():.0%}"
    assert int(found["short-queries"]) + int(found["long-queries"]) == int((~queries["empty"]).sum())
    assert all(isinstance(text, str) for text in found.values())


def test_a_rerun_with_fewer_learners_still_has_its_numbers() -> None:
    few = study(["AdaRank", "RankSVM"])
    assert few.first_four == ["AdaRank"]
    assert few.numbers()["lambdamart-yahoo"] == "–"
    assert few.by_tool()["learner"].tolist() == ["RankSVM", "AdaRank"]


def test_the_same_learner_leads_on_three_data_sets() -> None:
    table, numbers = elsewhere(), elsewhere_numbers()
    assert table.columns.tolist() == ["learner", "MQ2008", "OHSUMED", "ClueWeb09"]
    means = table.set_index("learner").map(lambda cell: float(cell.split()[0]))
    (best,) = set(means.idxmax())
    assert numbers["first-elsewhere"] == f"{best} on OHSUMED and ClueWeb09"
