"""What every ranker promises: parameters, repeatability, saving, sensible behaviour on odd input."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.utils.validation import check_is_fitted

import ltrlib.rankers
from ltrlib.errors import DataFormatError, UsageError
from ltrlib.metrics import evaluate_data, parse
from ltrlib.metrics.training import sklearn_scorer
from ltrlib.rankers import AdaRank, Ranker, RankSVM, ranker_class
from tests.helpers.rankers import learnable, make, small_rankers

RANKERS = small_rankers()
NAMES = sorted(RANKERS)
# Rankers that learn from the order within queries alone; the others regress on the labels.
NEED_ORDER = [
    "AdaRank", "CoordinateAscent", "DirectRanker", "LambdaMART", "ListNet", "RankBoost", "RankNet", "RankSVM",
]  # fmt: skip


def fresh(name: str) -> Ranker:
    ranker: Ranker = clone(RANKERS[name])
    return ranker


def test_every_ranker_of_the_package_is_tested_here() -> None:
    assert set(NAMES) == set(ltrlib.rankers.__all__) - {"Ranker", "ranker_class"}


@pytest.mark.parametrize("name", NAMES)
def test_learns_and_repeats_and_survives_saving(name: str, tmp_path: Path) -> None:
    """Better than chance on new queries; the same again when fitted again; the same bits after save and load."""
    train, vali, test = learnable(0), learnable(1), learnable(2, n_queries=60)
    ranker = fresh(name).fit(train, vali)
    scores = ranker.predict(test.features)
    assert scores.dtype == np.float64
    assert scores.shape == (test.n_docs,)
    metric = parse("ndcg@10")
    rng = np.random.default_rng(0)
    chance = np.mean([evaluate_data(metric, test, rng.random(test.n_docs))[metric].mean for _ in range(20)])
    assert evaluate_data(metric, test, scores)[metric].mean > chance + 0.05
    np.testing.assert_array_equal(fresh(name).fit(train, vali).predict(test.features), scores)
    np.testing.assert_array_equal(ranker.fit(train, vali).predict(test.features), scores)

    path = tmp_path / "folder" / "model.npz"
    ranker.save(path)
    loaded = Ranker.load(path)
    assert type(loaded) is type(ranker)
    assert loaded.get_params() == ranker.get_params()
    np.testing.assert_array_equal(loaded.predict(test.features), scores)
    again = tmp_path / "again.npz"
    loaded.save(again)
    assert again.read_bytes() == path.read_bytes()
    assert sorted(child.name for child in path.parent.iterdir()) == ["model.npz"]


@pytest.mark.parametrize("name", NAMES)
def test_parameters_are_those_of_scikit_learn(name: str) -> None:
    """clone, get_params and set_params agree; a clone is not fitted; an unknown parameter is refused."""
    ranker = RANKERS[name]
    copy = clone(ranker)
    assert copy is not ranker
    assert copy.get_params() == ranker.get_params()
    assert copy.set_params(**ranker.get_params()) is copy
    with pytest.raises(UsageError, match="not a parameter"):
        copy.set_params(no_such_parameter=1)
    with pytest.raises(UsageError, match="not been fitted"):
        copy.predict(np.zeros((1, 5), np.float32))
    with pytest.raises(UsageError, match="not been fitted"):
        copy.save("nowhere.npz")


@pytest.mark.parametrize("name", NAMES)
def test_scores_do_not_depend_on_the_order_of_the_rows_to_predict(name: str) -> None:
    """A document's score is its own: ties between equal documents stay ties wherever they stand."""
    train = learnable(0)
    ranker = fresh(name).fit(train, learnable(1))
    x = np.repeat(learnable(3).features, 2, axis=0)
    scores = ranker.predict(x)
    np.testing.assert_array_equal(scores[::2], scores[1::2])
    order = np.random.default_rng(0).permutation(len(x))
    np.testing.assert_array_equal(ranker.predict(x[order]), scores[order])


@pytest.mark.parametrize("name", NAMES)
def test_constant_features_give_no_nan(name: str) -> None:
    """Nothing to tell documents apart by: equal scores, or an error that says so."""
    train = learnable(0)
    constant = train.with_features(np.full_like(train.features, 3.0))
    if name == "RankBoost":
        with pytest.raises(UsageError, match="every feature is constant"):
            fresh(name).fit(constant, constant)
    else:
        scores = fresh(name).fit(constant, constant).predict(constant.features)
        assert np.isfinite(scores).all()
        assert np.ptp(scores) == 0


@pytest.mark.parametrize("name", NAMES)
def test_one_constant_feature_among_others_is_ignored(name: str) -> None:
    train = learnable(0)
    x = train.features.copy()
    x[:, 2] = 7.0
    data = train.with_features(x)
    assert np.isfinite(fresh(name).fit(data, data).predict(x)).all()


@pytest.mark.parametrize("name", NAMES)
def test_one_query_is_enough(name: str) -> None:
    data = make([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 2], [4])
    for vali in (None, data):
        scores = fresh(name).fit(data, vali).predict(data.features)
        assert np.isfinite(scores).all()
        assert scores[3] >= scores[0]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("labels", "sizes"),
    [([0, 0, 0, 0], [2, 2]), ([2, 2, 2, 2], [4]), ([0, 1, 2, 0], [1, 1, 1, 1])],
    ids=["nothing relevant", "all the same", "one document per query"],
)
def test_without_any_preference_there_is_a_clear_error_or_a_finite_ranker(
    name: str, labels: list[int], sizes: list[int]
) -> None:
    data = make([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0]], labels, sizes)
    if name in NEED_ORDER:
        with pytest.raises(UsageError, match="no query has documents of different labels"):
            fresh(name).fit(data)
    else:
        assert np.isfinite(fresh(name).fit(data, data).predict(data.features)).all()


@pytest.mark.parametrize("name", NAMES)
def test_validation_part_without_any_preference_does_no_harm(name: str) -> None:
    train = learnable(0)
    vali = train.with_labels(np.zeros_like(train.labels))
    assert np.isfinite(fresh(name).fit(train, vali).predict(train.features)).all()
    if "metric" in RANKERS[name].get_params():
        skipping = fresh(name).set_params(metric="ndcg@10(empty=skip)").fit(train, vali)
        assert np.isfinite(skipping.predict(train.features)).all()


@pytest.mark.parametrize("name", NAMES)
def test_read_only_features_are_accepted(name: str) -> None:
    """Features may be a memory map that cannot be written."""
    train = learnable(0)
    x = train.features.copy()
    x.flags.writeable = False
    fresh(name).fit(train.with_features(x)).predict(x)


@pytest.mark.parametrize("name", NAMES)
def test_arrays_with_group_or_query_ids_are_ranking_data(name: str) -> None:
    """fit(X, y, group=…) is fit(train), however it is called; predict takes ranking data as well as features."""
    train, vali, test = learnable(0), learnable(1), learnable(2)
    scores = fresh(name).fit(train, vali).predict(test.features)
    x, y, ids = train.features, train.labels, np.repeat(train.query_ids, train.query_sizes)
    for ranker in (
        fresh(name).fit(train, vali=vali),
        fresh(name).fit(x, y, vali, group=train.query_sizes),
        fresh(name).fit(x.tolist(), y.astype(float).tolist(), query_ids=ids, vali=vali),
    ):
        np.testing.assert_array_equal(ranker.predict(test), scores)
        np.testing.assert_array_equal(ranker.predict(test.features), scores)


def test_rows_of_a_query_may_lie_apart() -> None:
    data = learnable(0)
    ids = np.repeat(data.query_ids, data.query_sizes)
    mixed = np.random.default_rng(0).permutation(data.n_docs)
    together = RankSVM(tolerance=1e-9).fit(data).predict(data)
    apart = RankSVM(tolerance=1e-9).fit(data.features[mixed], data.labels[mixed], query_ids=ids[mixed])
    np.testing.assert_allclose(apart.predict(data), together, rtol=1e-5, atol=1e-8)


def test_a_grid_search_of_scikit_learn_hands_the_queries_over() -> None:
    """Rows of each fold come with their own query ids; the search finds the ranker and fits it on everything."""
    data = learnable(0)
    ids = np.repeat(np.arange(data.n_queries), data.query_sizes)
    frame = pd.DataFrame(data.features).assign(qid=ids)
    frame.columns = frame.columns.astype(str)
    search = GridSearchCV(
        RankSVM(), {"C": [0.01, 1.0]}, cv=GroupKFold(3), scoring=sklearn_scorer("ndcg@10", groups="qid")
    ).fit(frame, data.labels, groups=ids, query_ids=ids)
    assert 0.5 < search.best_score_ < 1.0
    by_hand = RankSVM(**search.best_params_).fit(frame, data.labels, query_ids=ids)
    np.testing.assert_array_equal(search.best_estimator_.weights_, by_hand.weights_)


def test_a_call_of_fit_that_can_mean_two_things_is_refused() -> None:
    data = learnable(0)
    with pytest.raises(UsageError, match=r"RankSVM.fit: ranking data bring their queries along"):
        RankSVM().fit(data, group=data.query_sizes)
    with pytest.raises(UsageError, match=r"RankSVM.fit: two validation parts"):
        RankSVM().fit(data, data, data)
    with pytest.raises(UsageError, match=r"RankSVM.fit, X: it is not clear where queries begin"):
        RankSVM().fit(data.features, data.labels)
    with pytest.raises(UsageError, match=r"RankSVM.fit, X: labels of shape \(3,\)"):
        RankSVM().fit(data.features, [0, 1, 2], group=data.query_sizes)


def test_bad_data_is_refused_with_the_place() -> None:
    data = learnable(0)
    x = data.features.copy()
    x[7, 3] = np.nan
    with pytest.raises(UsageError, match=r"RankSVM.fit, train: feature 3 of row 7 is not finite"):
        RankSVM().fit(data.with_features(x))
    with pytest.raises(UsageError, match="negative labels"):
        RankSVM().fit(data.with_labels(data.labels - np.int32(1)))
    with pytest.raises(UsageError, match=r"RankSVM.fit, vali: features of shape"):
        RankSVM().fit(data, data.with_features(np.ascontiguousarray(x[:, :2])))
    with pytest.raises(UsageError, match=r"RankSVM.fit: ndarray without labels"):
        RankSVM().fit(x)
    with pytest.raises(UsageError, match="need RankingData"):
        RankSVM().fit(data, x)
    ranker = RankSVM().fit(data)
    with pytest.raises(UsageError, match=r"RankSVM.predict: feature 3 of row 7 is not finite"):
        ranker.predict(x)
    with pytest.raises(UsageError, match="features of shape"):
        ranker.predict(x[:, :2])


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("AdaRank", {"rounds": 0}),
        ("AdaRank", {"weighting": "other"}),
        ("AdaRank", {"metric": "dcg@10"}),
        ("CoordinateAscent", {"restarts": 0}),
        ("GBDT", {"trees": 0}),
        ("GBDT", {"target": "other"}),
        ("GBDT", {"target": "satisfaction", "max_grade": 1}),
        ("LambdaMART", {"lambdas": "other"}),
        ("LambdaMART", {"metric": "map"}),
        ("RankBoost", {"thresholds": 0}),
        ("RankNet", {"hidden": (0,)}),
        ("RankNet", {"learning_rate": float("nan")}),
        ("RankSVM", {"C": 0.0}),
        ("Ridge", {"alpha": -1.0}),
        ("SingleFeature", {"feature": 5}),
    ],
)
def test_bad_parameters_are_refused_when_fitting(name: str, params: dict[str, object]) -> None:
    ranker = fresh(name).set_params(**params)
    with pytest.raises(UsageError):
        ranker.fit(learnable(0))


def test_damaged_and_foreign_files_are_refused(tmp_path: Path) -> None:
    """Reading never runs code and never half-reads: each damage gets one clear error."""
    ranker = AdaRank(rounds=3).fit(learnable(0))
    path = tmp_path / "model.npz"
    ranker.save(path)
    with pytest.raises(UsageError, match="the file holds a AdaRank"):
        RankSVM.load(path)
    with pytest.raises(UsageError, match="no such file"):
        Ranker.load(tmp_path / "none.npz")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataFormatError, match="not a saved ranker"):
        Ranker.load(path)
    for header in (
        {},
        {"format": "other"},
        {"format": "ltrlib ranker 1", "ranker": "os.system", "params": {}, "state": {}},
    ):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("header.json", json.dumps(header))
        with pytest.raises((DataFormatError, UsageError)):
            Ranker.load(path)
    with zipfile.ZipFile(path, "w") as archive:
        header = {"format": "ltrlib ranker 1", "ranker": "AdaRank", "params": {"no_such": 1}, "state": {}}
        archive.writestr("header.json", json.dumps(header))
    with pytest.raises(DataFormatError):
        Ranker.load(path)
    with zipfile.ZipFile(path, "w") as archive:
        header = {"format": "ltrlib ranker 1", "ranker": "RankSVM", "params": {}, "state": {"n_features_": 1}}
        archive.writestr("header.json", json.dumps(header))
        archive.writestr("weights_.npy", np.array([print], dtype=object).dumps())
    with pytest.raises(DataFormatError):
        Ranker.load(path)


def test_a_metric_object_as_parameter_is_saved_as_text(tmp_path: Path) -> None:
    ranker = AdaRank(metric=parse("ndcg@5:letor4"), rounds=3).fit(learnable(0))
    ranker.save(tmp_path / "model.npz")
    assert Ranker.load(tmp_path / "model.npz").get_params()["metric"] == "ndcg@5:letor4"


def test_saved_files_open_with_numpy_alone(tmp_path: Path) -> None:
    ranker = RankSVM().fit(learnable(0))
    ranker.save(tmp_path / "model.npz")
    with np.load(tmp_path / "model.npz", allow_pickle=False) as archive:
        np.testing.assert_array_equal(archive["weights_"], ranker.weights_)


def test_importing_the_package_loads_nothing_heavy() -> None:
    """Chapters are re-executed by what they import, and nobody waits for JAX to fit a linear model."""
    program = (
        "import sys; from ltrlib.rankers import AdaRank, RankNet; AdaRank();"
        "print([m for m in ('jax', 'lightgbm', 'sklearn', 'optax') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert ranker_class("RankNet").__name__ == "RankNet"


@pytest.mark.parametrize("name", NAMES)
def test_scikit_learn_knows_whether_it_is_fitted_and_it_can_be_pickled(name: str) -> None:
    """Tools such as joblib send rankers to other processes by pickle."""
    train = learnable(0)
    ranker = fresh(name)
    with pytest.raises(NotFittedError):
        check_is_fitted(ranker)
    assert not is_classifier(ranker)
    ranker.fit(train, learnable(1))
    check_is_fitted(ranker)
    copy = pickle.loads(pickle.dumps(ranker))
    np.testing.assert_array_equal(copy.predict(train.features), ranker.predict(train.features))


def test_a_damaged_file_is_an_error_of_ours_at_every_byte(tmp_path: Path) -> None:
    """Cut anywhere or with any byte changed, a saved ranker is refused, or still gives the same scores."""
    train = learnable(0)
    ranker = RankSVM().fit(train)
    path = tmp_path / "model.npz"
    ranker.save(path)
    whole = path.read_bytes()
    expected = ranker.predict(train.features)
    rng = np.random.default_rng(0)
    damaged = [whole[:length] for length in range(0, len(whole), 7)]
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= int(rng.integers(1, 256))
        damaged.append(bytes(changed))
    for content in damaged:
        path.write_bytes(content)
        try:
            loaded = Ranker.load(path)
        except (DataFormatError, UsageError):
            continue
        np.testing.assert_array_equal(loaded.predict(train.features), expected)
