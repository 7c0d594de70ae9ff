"""Early stopping by the metric of another tool: live in LightGBM, XGBoost, CatBoost and scikit-learn."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from ltrlib.errors import UsageError
from ltrlib.metrics import evaluate
from ltrlib.metrics.training import (
    array_metric,
    catboost_metric,
    lightgbm_feval,
    metric_name,
    sklearn_scorer,
    xgboost_metric,
)

RNG = np.random.default_rng(2)
SIZES = RNG.integers(1, 25, 80)
OFFSETS = np.concatenate([[0], np.cumsum(SIZES)])
QUERIES = np.repeat(np.arange(SIZES.size), SIZES)
FEATURES = np.round(RNG.normal(size=(int(SIZES.sum()), 4)), 1)
LABELS = np.clip(np.round(FEATURES[:, 0] + RNG.normal(size=len(FEATURES))), 0, 3) * (QUERIES % 5 > 0)
TRAIN, VALID = QUERIES < 50, QUERIES >= 50
VALID_OFFSETS = OFFSETS[50:] - OFFSETS[50]


def ours(metric: str, scores: Any) -> float:
    return evaluate(metric, LABELS[VALID], np.asarray(scores, float), VALID_OFFSETS)[metric].mean


@pytest.mark.parametrize("metric", ["ndcg@10:lightgbm", "ndcg@10:sklearn", "ndcg@5:letor4(gain=0/1/3/7)"])
def test_lightgbm_stops_by_it(metric: str) -> None:
    """Each round's value is ours on that round's scores; LightGBM's own convention equals its own metric."""
    import lightgbm

    quiet: dict[str, Any] = {"verbose": -1, "num_threads": 1}
    train = lightgbm.Dataset(FEATURES[TRAIN], LABELS[TRAIN], group=SIZES[:50], params=quiet)
    valid = lightgbm.Dataset(FEATURES[VALID], LABELS[VALID], group=SIZES[50:], reference=train, params=quiet)
    history: dict[str, dict[str, list[float]]] = {}
    own = metric == "ndcg@10:lightgbm"
    booster = lightgbm.train(
        quiet | {"objective": "lambdarank", "metric": "ndcg" if own else "None", "eval_at": [10], "num_leaves": 7},
        train,
        60,
        valid_sets=[valid],
        valid_names=["valid"],
        feval=lightgbm_feval(metric),
        callbacks=[lightgbm.early_stopping(5, verbose=False), lightgbm.record_evaluation(history)],
    )
    values = history["valid"][metric_name(metric)]
    for trees in (1, booster.best_iteration):  # it keeps no tree behind that one
        scores = booster.predict(FEATURES[VALID], num_iteration=trees)
        assert values[trees - 1] == pytest.approx(ours(metric, scores), abs=1e-12)
    assert booster.best_iteration == int(np.argmax(values)) + 1
    assert len(values) < 60
    if own:
        np.testing.assert_allclose(values, history["valid"]["ndcg@10"], rtol=0, atol=1e-12)


def test_lightgbms_ranker_stops_by_it_as_training_without_it_does() -> None:
    import lightgbm

    metric = "ndcg@10:sklearn"
    ranker = lightgbm.LGBMRanker(n_estimators=60, num_leaves=7, n_jobs=1, verbose=-1, metric="None")
    ranker.fit(
        FEATURES[TRAIN],
        LABELS[TRAIN],
        group=SIZES[:50],
        eval_X=FEATURES[VALID],
        eval_y=LABELS[VALID],
        eval_group=[SIZES[50:]],
        eval_metric=lightgbm_feval(metric),
        callbacks=[lightgbm.early_stopping(5, verbose=False)],
    )
    (values,) = ranker.evals_result_["valid_0"].values()
    assert values[0] == pytest.approx(ours(metric, ranker.predict(FEATURES[VALID], num_iteration=1)), abs=1e-12)
    assert ranker.best_iteration_ == int(np.argmax(values)) + 1
    assert len(values) < 60


def test_xgboosts_ranker_which_hides_the_queries_is_refused_in_words() -> None:
    with pytest.raises(UsageError, match=r"one query at a time.*\n.*xgboost\.train"):
        xgboost_metric("ndcg@10:sklearn")(np.array([0.0, 1.0]), np.array([0.5, 0.2]))


@pytest.mark.parametrize("metric", ["ndcg@10:xgboost", "ndcg@10:sklearn"])
def test_xgboost_stops_by_it(metric: str) -> None:
    import xgboost

    data = []
    for rows, sizes in ((TRAIN, SIZES[:50]), (VALID, SIZES[50:])):
        matrix = xgboost.DMatrix(FEATURES[rows], LABELS[rows])
        matrix.set_group(sizes)
        data.append(matrix)
    history: dict[str, dict[str, list[float]]] = {}
    parameters = {"objective": "rank:ndcg", "eval_metric": "ndcg@10", "max_depth": 3, "nthread": 1, "seed": 1}
    booster = xgboost.train(
        parameters,
        data[0],
        60,
        evals=[(data[1], "valid")],
        custom_metric=xgboost_metric(metric),
        maximize=True,
        early_stopping_rounds=5,
        evals_result=history,
        verbose_eval=False,
    )
    values = history["valid"][metric_name(metric)]
    for trees in (1, len(values)):
        scores = booster.predict(data[1], output_margin=True, iteration_range=(0, trees))
        assert values[trees - 1] == pytest.approx(ours(metric, scores), abs=1e-6)  # it keeps six decimals
    assert booster.best_iteration == int(np.argmax(values))
    if metric == "ndcg@10:xgboost":
        np.testing.assert_allclose(values, history["valid"]["ndcg@10"], rtol=0, atol=1e-6)


@pytest.mark.parametrize("metric", ["ndcg@10:catboost", "ndcg@10:sklearn"])
def test_catboost_stops_by_it(metric: str) -> None:
    from catboost import CatBoostRanker, Pool

    train, valid = (Pool(FEATURES[rows], LABELS[rows], group_id=QUERIES[rows]) for rows in (TRAIN, VALID))
    model = CatBoostRanker(
        iterations=60,
        depth=3,
        loss_function="YetiRank",
        eval_metric=catboost_metric(metric, LABELS[VALID], QUERIES[VALID]),
        custom_metric=["NDCG:top=10"],
        early_stopping_rounds=5,
        thread_count=1,
        random_seed=1,
        verbose=False,
        allow_writing_files=False,
    )
    model.fit(train, eval_set=valid)
    found = model.get_evals_result()["validation"]
    (name,) = [name for name in found if not re.match("NDCG", name)]
    assert model.best_iteration_ == int(np.argmax(found[name]))
    for trees in (1, len(found[name])):
        if trees <= model.tree_count_:
            scores = model.predict(valid, ntree_end=trees)
            assert found[name][trees - 1] == pytest.approx(ours(metric, scores), abs=1e-12)
    if metric == "ndcg@10:catboost":
        (theirs,) = [values for key, values in found.items() if key.startswith("NDCG:top=10")]
        np.testing.assert_allclose(found[name], theirs, rtol=0, atol=1e-12)


def test_scikit_learn_searches_by_it() -> None:
    """By a column of the frame, and by metadata routing; values as of its own ndcg_score, query by query."""
    import pandas as pd
    import sklearn
    from sklearn.linear_model import Ridge
    from sklearn.metrics import ndcg_score
    from sklearn.model_selection import GridSearchCV, GroupKFold

    frame = pd.DataFrame(FEATURES, columns=list("abcd")).assign(qid=QUERIES)
    folds = list(GroupKFold(3).split(frame, LABELS, QUERIES))
    grid = {"alpha": [0.1, 1e6]}
    search = GridSearchCV(Ridge(), grid, scoring=sklearn_scorer("ndcg@10:sklearn", groups="qid"), cv=folds)
    search.fit(frame, LABELS)
    theirs = []
    for fitted, tested in folds:
        model = Ridge(alpha=0.1).fit(frame.iloc[fitted], LABELS[fitted])
        scores = pd.Series(model.predict(frame.iloc[tested]), index=tested)
        of_query = []
        for query in np.unique(QUERIES[tested]):
            rows = tested[QUERIES[tested] == query]
            alone = len(rows) == 1  # which it refuses
            of_query.append(float(LABELS[rows[0]] > 0) if alone else ndcg_score([LABELS[rows]], [scores[rows]], k=10))
        theirs.append(np.mean(of_query))
    assert search.cv_results_["mean_test_score"][0] == pytest.approx(np.mean(theirs), abs=1e-12)
    with sklearn.config_context(enable_metadata_routing=True):
        routed = GridSearchCV(Ridge(), grid, scoring=sklearn_scorer("ndcg@10:sklearn"), cv=GroupKFold(3))
        routed.fit(frame, LABELS, groups=QUERIES)
    np.testing.assert_allclose(routed.cv_results_["mean_test_score"], search.cv_results_["mean_test_score"])


def test_a_function_of_arrays_and_data_without_groups() -> None:
    import lightgbm

    scores = FEATURES[:, 0]
    value = array_metric("ndcg@10:letor3(gain=0/1/3/7)")(LABELS, scores, SIZES)
    text = "ndcg@10:letor3(gain=0/1/3/7)"
    assert value == evaluate(text, LABELS, scores, OFFSETS)[text].mean
    data = lightgbm.Dataset(FEATURES, LABELS, params={"verbose": -1}).construct()
    with pytest.raises(UsageError, match="no groups"):
        lightgbm_feval("map")(scores, data)
