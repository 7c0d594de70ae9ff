"""Cross-validation: what is fitted, chosen and scored on which part; and RankLib's settings."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from ltrlib.datasets import is_here
from ltrlib.errors import UsageError
from ltrlib.metrics import evaluate_data, parse
from ltrlib.rankers import CoordinateAscent, RankBoost, Ridge, SingleFeature
from ltrlib.rankers.cross_validation import Fold, Grid, choose, cross_validate, load_fold
from ltrlib.rankers.ranklib import ranklib_defaults
from tests.helpers.rankers import learnable

FOLDS = [Fold(number, learnable(3 * number), learnable(3 * number + 1), learnable(3 * number + 2)) for number in (1, 2)]


def test_parameters_are_chosen_on_the_validation_part_and_scored_on_the_test_part() -> None:
    metric = parse("ndcg@5")
    grid: Grid = {"feature": [0, 1, 2, 3, 4], "descending": [True, False]}
    table = cross_validate({"one": (SingleFeature(), grid)}, FOLDS, metrics=[metric], choose_by=metric)
    assert table["fold"].tolist() == [1, 2]
    for row, fold in zip(table.to_dict("records"), FOLDS, strict=True):
        columns = [(column, sign) for column in range(5) for sign in (1, -1)]
        on_vali = [
            evaluate_data(metric, fold.vali, sign * fold.vali.features[:, column])[metric].mean
            for column, sign in columns
        ]
        column, sign = columns[int(np.argmax(on_vali))]
        assert json.loads(row["parameters"]) == {"feature": column, "descending": sign == 1}
        result = evaluate_data(metric, fold.test, sign * fold.test.features[:, column])[metric]
        assert row["value"] == result.mean
        assert row["vali"] == max(on_vali)
        assert row["queries"] == fold.test.n_queries
        assert row["standard_error"] == pytest.approx(result.per_query.std(ddof=1) / math.sqrt(fold.test.n_queries))


def test_rankers_without_a_seed_run_once_and_others_once_per_seed() -> None:
    table = cross_validate(
        {"fixed": RankBoost(rounds=3), "random": CoordinateAscent(restarts=1, iterations=5)}, FOLDS, seeds=[4, 5, 6]
    )
    assert table.groupby("ranker")["seed"].unique().map(sorted).to_dict() == {"fixed": [4], "random": [4, 5, 6]}


def test_an_empty_grid_is_refused() -> None:
    with pytest.raises(UsageError, match="no values to try"):
        choose(Ridge(), FOLDS[0].train, FOLDS[0].vali, grid={"alpha": []}, metric="ndcg@10")


def test_ranklibs_settings_are_its_documented_defaults() -> None:
    ours = ranklib_defaults("ndcg@10:yahoo")
    assert {name: ranker.get_params()["metric"] for name, ranker in ours.items()} == dict.fromkeys(
        ours, "ndcg@10:yahoo"
    )
    work: dict[str, dict[str, object]] = {
        "AdaRank": {"rounds": 500, "tolerance": 0.002, "max_repeats": 5},
        "RankBoost": {"rounds": 300, "thresholds": 10},
        "CoordinateAscent": {"restarts": 5, "iterations": 25, "tolerance": 0.001},
        "LambdaMART": {"trees": 1000, "leaves": 10, "learning_rate": 0.1, "min_leaf": 1, "patience": 100},
        "MART": {"trees": 1000, "leaves": 10, "learning_rate": 0.1, "min_leaf": 1, "patience": 100},
        "RankNet": {"epochs": 100, "hidden": (10,)},
        "ListNet": {"epochs": 1500, "hidden": ()},
    }
    for name, params in work.items():
        assert params.items() <= ours[name].get_params().items()


@pytest.mark.skipif(not is_here("clueweb09-ltr"), reason="ClueWeb09-LTR is not in LTRLIB_DATA or data/raw")
def test_without_a_validation_part_every_fifth_training_query_is_held_out() -> None:
    fold = load_fold("clueweb09-ltr", 1)
    assert fold.vali.n_queries == (fold.train.n_queries + fold.vali.n_queries) // 5
    assert not set(fold.train.query_ids) & set(fold.vali.query_ids)
