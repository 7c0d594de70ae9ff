"""Early stopping by a named tool's NDCG, each library on its own ranking example, as that example sets it up.

LightGBM: ``examples/lambdarank`` with its ``train.conf`` (metric NDCG at 1, 3, 5). CatBoost: the querywise sample of
its tests. XGBoost: ``demo/rank`` trains on MQ2008 Fold 1. What the library prints for its own NDCG, the hook must print
for ``ndcg@k:<library>``, digit by digit; and a model that stops by another tool's NDCG must stop where that tool,
given the scores of every round, has its best value.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ltrlib.datasets.loading import is_here, load
from ltrlib.metrics.training import array_metric, catboost_metric, lightgbm_feval, sklearn_scorer, xgboost_metric

DATA = Path(os.environ.get("LTRLIB_DATA", ""))
CATBOOST = DATA / "CatBoost-querywise-sample"
ROUNDS, PATIENCE = 60, 5
pytestmark = pytest.mark.filterwarnings("ignore")


def sklearn_ndcg(labels: NDArray[Any], scores: NDArray[Any], sizes: NDArray[Any], k: int = 10) -> float:
    """Mean of scikit-learn's own NDCG over queries; it refuses lists of one document."""
    from sklearn.metrics import ndcg_score

    values, begin = [], 0
    for size in sizes:
        rows = slice(begin, begin + size)
        begin += size
        values.append(ndcg_score([labels[rows]], [scores[rows]], k=k) if size > 1 else float(labels[rows][0] > 0))
    return float(np.mean(values))


def best_round(values: list[float]) -> int:
    """First round with the best value before patience runs out, counted from 0."""
    best = 0
    for place, value in enumerate(values):
        if value > values[best]:
            best = place
        elif place - best >= PATIENCE:
            break
    return best


@pytest.mark.skipif(not is_here("lightgbm-example"), reason="LightGBM's example is not in LTRLIB_DATA")
def test_lightgbm_on_its_lambdarank_example(capfd: pytest.CaptureFixture[str]) -> None:
    import lightgbm

    train, test = (load("lightgbm-example", part) for part in ("train", "test"))
    settings: dict[str, Any] = {
        "objective": "lambdarank",
        "metric": "ndcg",
        "eval_at": [1, 3, 5],
        "learning_rate": 0.1,
        "num_leaves": 31,
        "min_data_in_leaf": 50,
        "min_sum_hessian_in_leaf": 5.0,
        "max_bin": 255,
        "num_threads": 1,
        "verbose": 1,
        "deterministic": True,
        "force_row_wise": True,
    }
    fit = lightgbm.Dataset(train.features, train.labels, group=train.query_sizes)
    valid = lightgbm.Dataset(test.features, test.labels, group=test.query_sizes, reference=fit)
    booster = lightgbm.train(
        settings,
        fit,
        ROUNDS,
        valid_sets=[valid],
        feval=[lightgbm_feval(f"ndcg@{k}:lightgbm") for k in (1, 3, 5)],
        callbacks=[lightgbm.log_evaluation(1), lightgbm.early_stopping(PATIENCE, first_metric_only=False)],
    )
    assert booster.best_iteration > 0
    printed = capfd.readouterr().out
    rounds = re.findall(r"^\[(\d+)\]\t(.*)$", printed, re.MULTILINE)
    assert len(rounds) > PATIENCE
    for _, line in rounds:
        values = dict(re.findall(r"(ndcg@\S+): (\S+)", line))
        for k in (1, 3, 5):
            assert values[f"ndcg@{k}"] == values[f"ndcg@{k}_lightgbm"], line

    history: dict[str, dict[str, list[float]]] = {}
    stopped = lightgbm.train(
        settings | {"metric": "None", "verbose": -1},
        fit,
        ROUNDS,
        valid_sets=[valid],
        valid_names=["valid"],
        feval=lightgbm_feval("ndcg@10:sklearn"),
        callbacks=[lightgbm.early_stopping(PATIENCE, verbose=False), lightgbm.record_evaluation(history)],
    )
    whole = lightgbm.train(settings | {"metric": "None", "verbose": -1}, fit, ROUNDS)
    theirs = [
        sklearn_ndcg(test.labels, np.asarray(whole.predict(test.features, num_iteration=trees)), test.query_sizes)
        for trees in range(1, len(history["valid"]["ndcg@10_sklearn"]) + 1)
    ]
    np.testing.assert_allclose(history["valid"]["ndcg@10_sklearn"], theirs, rtol=0, atol=1e-12)
    assert stopped.best_iteration == best_round(theirs) + 1


@pytest.mark.skipif(not is_here("mq2008"), reason="mq2008 is not in LTRLIB_DATA")
def test_xgboost_on_the_data_of_its_rank_example(capfd: pytest.CaptureFixture[str]) -> None:
    import xgboost

    parts = {part: load("mq2008", f"Fold1/{part}") for part in ("train", "vali")}
    matrices = {}
    for part, data in parts.items():
        matrices[part] = xgboost.DMatrix(data.features, data.labels)
        matrices[part].set_group(data.query_sizes)
    settings = {"objective": "rank:pairwise", "eta": 0.1, "gamma": 1.0, "min_child_weight": 0.1, "max_depth": 6}
    settings |= {"eval_metric": "ndcg@10", "nthread": 1, "seed": 1, "tree_method": "hist"}
    history: dict[str, dict[str, list[float]]] = {}

    def train(metric: str, rounds: int = ROUNDS) -> Any:
        return xgboost.train(
            settings,
            matrices["train"],
            rounds,
            evals=[(matrices["vali"], "vali")],
            custom_metric=xgboost_metric(metric),
            maximize=True,
            early_stopping_rounds=PATIENCE,
            evals_result=history,
            verbose_eval=1,
        )

    train("ndcg@10:xgboost", 20)
    printed = re.findall(r"vali-ndcg@10:(\S+)\s+vali-ndcg@10_xgboost:(\S+)", capfd.readouterr().out)
    own = history["vali"]["ndcg@10"]
    assert len(printed) == len(own) > PATIENCE
    # XGBoost rounds another's metric to six decimals before it prints five, so that a sixth decimal of 5 goes up.
    assert history["vali"]["ndcg@10_xgboost"] == [round(value, 6) for value in own]
    twice_rounded = [f"{round(value, 6):.6f}".endswith("5") for value in own]
    assert all(one == other or twice for (one, other), twice in zip(printed, twice_rounded, strict=True))
    assert sum(one == other for one, other in printed) > len(own) - 3

    booster = train("ndcg@10:sklearn")
    vali = parts["vali"]
    theirs = [
        sklearn_ndcg(
            vali.labels,
            booster.predict(matrices["vali"], output_margin=True, iteration_range=(0, trees)),
            vali.query_sizes,
        )
        for trees in range(1, booster.num_boosted_rounds() + 1)
    ]
    np.testing.assert_allclose(history["vali"]["ndcg@10_sklearn"], theirs, rtol=0, atol=1e-6)  # it keeps six decimals
    assert booster.best_iteration == best_round(theirs)


@pytest.mark.skipif(not CATBOOST.is_dir(), reason="CatBoost's sample is not in LTRLIB_DATA")
def test_catboost_on_its_querywise_sample() -> None:
    """Its targets are relevances between 0 and 1; CatBoost's own NDCG takes them as gains, and so does ours."""
    from catboost import CatBoostRanker, Pool

    description = str(CATBOOST / "train.cd")
    train, test = (Pool(str(CATBOOST / name), column_description=description) for name in ("train", "test"))
    columns = [line.split("\t") for line in (CATBOOST / "test").read_text().splitlines()]
    queries = np.array([row[1] for row in columns])
    targets = np.array([row[2] for row in columns], dtype=np.float64)
    kept = targets.astype(np.float32).astype(np.float64)  # as CatBoost keeps them
    sizes = np.unique(np.cumsum(np.r_[0, queries[1:] != queries[:-1]]), return_counts=True)[1]

    def fit(metric: str) -> Any:
        model = CatBoostRanker(
            iterations=ROUNDS,
            loss_function="YetiRank",
            eval_metric=catboost_metric(metric, targets, queries),
            custom_metric=["NDCG:top=10"],
            early_stopping_rounds=PATIENCE,
            thread_count=1,
            random_seed=1,
            verbose=False,
            allow_writing_files=False,
        )
        model.fit(train, eval_set=test)
        return model

    model = fit("ndcg@10:catboost")
    found = model.get_evals_result()["validation"]
    (theirs,) = [values for name, values in found.items() if name.startswith("NDCG")]
    (ours,) = [values for name, values in found.items() if not name.startswith(("NDCG", "PFound"))]
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)
    assert model.best_iteration_ == best_round(theirs)

    model = fit("ndcg@10:sklearn")
    found = model.get_evals_result()["validation"]
    (ours,) = [values for name, values in found.items() if not name.startswith(("NDCG", "PFound"))]
    rounds = [
        sklearn_ndcg(kept, np.asarray(model.predict(test, ntree_end=trees)), sizes)
        for trees in range(1, model.tree_count_ + 1)
    ]
    np.testing.assert_allclose(ours[: len(rounds)], rounds, rtol=0, atol=1e-12)
    assert model.best_iteration_ == best_round(ours)


@pytest.mark.skipif(not is_here("lightgbm-example"), reason="LightGBM's example is not in LTRLIB_DATA")
def test_scikit_learn_searches_and_a_function_of_arrays_on_the_same_example() -> None:
    import pandas as pd
    from sklearn.linear_model import Ridge

    test = load("lightgbm-example", "test")
    queries = np.repeat(np.arange(test.query_sizes.size), test.query_sizes)
    frame = pd.DataFrame(test.features).rename(columns=str).assign(qid=queries)
    model = Ridge(alpha=1000.0).fit(frame, test.labels)
    scores = model.predict(frame)
    expected = sklearn_ndcg(test.labels, scores, test.query_sizes)
    assert sklearn_scorer("ndcg@10:sklearn", groups="qid")(model, frame, test.labels) == pytest.approx(
        expected, abs=1e-12
    )
    assert array_metric("ndcg@10:sklearn")(test.labels, scores, test.query_sizes) == pytest.approx(expected, abs=1e-12)
