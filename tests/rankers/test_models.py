"""Protects model files of other programs: LightGBM's bit by bit, RankLib's by its documented arithmetic and by hand."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ltrlib.cli import main
from ltrlib.errors import DataFormatError, UsageError
from ltrlib.rankers import GBDT, LambdaMART, RandomForest, RankBoost, Ranker
from ltrlib.rankers.models import (
    LinearModel,
    StumpModel,
    TreeModel,
    as_model,
    read_lightgbm,
    read_model,
    read_ranklib,
    write_lightgbm,
    write_ranklib,
)
from tests.helpers.rankers import learnable, small_rankers

# As RankLib lays it out; the numbers were chosen so that every step can be followed by hand.
MART = """## LambdaMART
## No. of trees = 2
## No. of leaves = 3
## No. of threshold candidates = 256
## Learning rate = 0.5
## Stop early = 100

<ensemble>
\t<tree id="1" weight="0.5">
\t\t<split>
\t\t\t<feature> 2 </feature>
\t\t\t<threshold> 0.1 </threshold>
\t\t\t<split pos="left">
\t\t\t\t<output> 1.5 </output>
\t\t\t</split>
\t\t\t<split pos="right">
\t\t\t\t<feature> 1 </feature>
\t\t\t\t<threshold> 3.0 </threshold>
\t\t\t\t<split pos="left">
\t\t\t\t\t<output> -2.0 </output>
\t\t\t\t</split>
\t\t\t\t<split pos="right">
\t\t\t\t\t<output> 4.0 </output>
\t\t\t\t</split>
\t\t\t</split>
\t\t</split>
\t</tree>
\t<tree id="2" weight="0.1">
\t\t<split>
\t\t\t<output> 0.3 </output>
\t\t</split>
\t</tree>
</ensemble>
"""


def file(folder: Path, text: str) -> Path:
    path = folder / "model.txt"
    path.write_text(text)
    return path


KINDS: dict[str, dict[str, Any]] = {
    "plain": {},
    "zeros are missing": {"zero_as_missing": True},
    "not a number is missing": {"use_missing": True},
    "forest": {"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.6},
    "dart": {"boosting": "dart"},
    "lambdarank": {"objective": "lambdarank"},
    "one leaf": {"min_data_in_leaf": 10_000},
}


@functools.cache
def boosters() -> dict[str, lightgbm.Booster]:
    data = learnable(0, n_queries=40, n_features=6)
    x = data.features.copy()
    x[::3, 2] = 0.0
    x[::5, 3] *= 1e-30
    made = {}
    for name, more in KINDS.items():
        params = {
            "objective": "regression",
            "num_leaves": 7,
            "verbosity": -1,
            "num_threads": 1,
            "min_data_in_leaf": 2,
            **more,
        }
        train = x.copy()
        if "not a number" in name:
            train[::4, 1] = np.nan
        made[name] = lightgbm.train(params, lightgbm.Dataset(train, data.labels, group=data.query_sizes), 25)
    return made


@pytest.mark.parametrize("name", KINDS)
def test_lightgbm_models_score_as_lightgbm_does_to_the_last_bit(name: str, tmp_path: Path) -> None:
    booster = boosters()[name]
    booster.save_model(tmp_path / "model.txt")
    model = read_lightgbm(tmp_path / "model.txt")
    x = learnable(5, n_queries=200, n_features=6).features.copy()
    x[::2, 2] = 0.0
    x[::7] = 0.0
    x[::11] = -x[::11]
    expected = booster.predict(x, raw_score=True)
    np.testing.assert_array_equal(model.predict(x), expected)
    # Written by us and read by LightGBM itself, they are the same again.
    write_lightgbm(model, tmp_path / "again.txt")
    again = lightgbm.Booster(model_file=tmp_path / "again.txt").predict(x, raw_score=True)
    np.testing.assert_array_equal(again, expected)
    np.testing.assert_array_equal(read_lightgbm(tmp_path / "again.txt").predict(x), again)


@pytest.mark.parametrize("ranker", [GBDT(trees=15), LambdaMART(trees=15), RandomForest(trees=7)], ids=repr)
def test_our_tree_rankers_are_lightgbm_models(ranker: Ranker, tmp_path: Path) -> None:
    train, test = learnable(0), learnable(1)
    ranker.fit(train)
    write_lightgbm(ranker, tmp_path / "model.txt")
    booster = lightgbm.Booster(model_file=tmp_path / "model.txt")
    np.testing.assert_array_equal(booster.predict(test.features, raw_score=True), ranker.predict(test.features))
    np.testing.assert_allclose(as_model(ranker).predict(test.features), ranker.predict(test.features), rtol=1e-12)


def test_trees_of_ranklib_by_hand(tmp_path: Path) -> None:
    """Feature 1 is the first column; a value at the threshold goes left; thresholds and sums have single precision."""
    model = read_ranklib(file(tmp_path, MART))
    single = np.float32
    second = float(single(0.3)) * float(single(0.1))
    rows = np.array([[9, single(0.1)], [3, 0.2], [np.nextafter(single(3), single(4)), 0.2]], np.float32)
    expected = [float(single(first * 0.5 + second)) for first in (1.5, -2.0, 4.0)]
    assert model.predict(rows).tolist() == expected
    assert model.name == "LambdaMART"
    # A column that the model does not use may be missing at the end of all rows or not; those that it uses may not.
    assert model.predict(np.pad(rows, ((0, 0), (0, 3)))).tolist() == expected
    with pytest.raises(UsageError, match="at least 2 per row"):
        model.predict(rows[:, :1])


def test_a_random_forest_of_ranklib_is_the_mean_of_its_ensembles(tmp_path: Path) -> None:
    ensemble = MART[MART.index("<ensemble>") :]
    text = "## Random Forests\n## No. of bags = 2\n\n" + ensemble + "\n" + ensemble.replace("1.5", "2.5")
    model = read_ranklib(file(tmp_path, text))
    row = np.array([[0, 0]], np.float32)
    bags = [float(np.float32(v * 0.5 + float(np.float32(0.3)) * float(np.float32(0.1)))) for v in (1.5, 2.5)]
    assert model.predict(row)[0] == sum(bags) / 2


@pytest.mark.parametrize(
    ("text", "row", "score"),
    [
        ("## Coordinate Ascent\n## Restart = 5\n1:0.25 3:-0.5 2:2.0", [4, 8, 2], 4 * 0.25 - 1 + 16),
        ("## AdaRank\n## Tolerance = 0.002\n2:0.5 1:1.0 2:0.25 # selected twice", [4, 8, 2], 4 + 6),
        ("## Linear Regression\n## Lambda = 1.0E-10\n0:0.125 1:1.0E-1 2:3", [1, 1, 0], 0.125 + 0.1 + 3),
        ("## RankBoost\n\n1:0.5:1.0 1:1.5:0.5 3:-1.0:0.25", [1.5, 0, 0], 1.25),
        ("## ranKBoost\r\n1:0.5:1.0\r\n", [1.5, 0, 0], 1.0),
    ],
)
def test_files_of_one_line_by_hand(text: str, row: list[float], score: float, tmp_path: Path) -> None:
    assert read_ranklib(file(tmp_path, text)).predict(np.array([row], np.float32)).tolist() == [score]


@pytest.mark.parametrize("name", sorted(small_rankers()))
def test_every_ranker_goes_to_ranklib_and_back_or_says_why_not(name: str, tmp_path: Path) -> None:
    train, test = learnable(0), learnable(1)
    ranker = small_rankers()[name].fit(train)
    path = tmp_path / "model.txt"
    if name in ("DirectRanker", "ListNet", "RankNet"):
        with pytest.raises(UsageError, match="no other program"):
            write_ranklib(ranker, path)
        assert not path.exists()
        return
    write_ranklib(ranker, path)
    back = read_ranklib(path)
    single = isinstance(back, TreeModel)
    tolerance = 1e-5 if single else 1e-12
    np.testing.assert_allclose(back.predict(test.features), ranker.predict(test.features), rtol=tolerance, atol=1e-6)
    write_ranklib(back, tmp_path / "again.txt")
    assert (tmp_path / "again.txt").read_text() == path.read_text()
    if not single:
        with pytest.raises(UsageError, match="has no trees"):
            write_lightgbm(ranker, tmp_path / "trees.txt")


def test_stumps_that_are_reached_become_stumps_that_are_passed(tmp_path: Path) -> None:
    train = learnable(0)
    ranker = RankBoost(rounds=10, stumps="at_least").fit(train)
    write_ranklib(ranker, tmp_path / "model.txt")
    # On the thresholds themselves the two differ, if anywhere.
    x = train.features.copy()
    x[: len(ranker.threshold_), ranker.feature_[0]] = ranker.threshold_
    np.testing.assert_allclose(read_ranklib(tmp_path / "model.txt").predict(x), ranker.predict(x), rtol=1e-12)


@settings(max_examples=60, deadline=None)
@given(threshold=st.floats(-(2.0**99), 2.0**99), value=st.floats(-(2.0**99), 2.0**99, width=32))
def test_a_rounded_threshold_sends_every_document_the_same_way(threshold: float, value: float) -> None:
    import tempfile

    none, node = np.zeros(3), np.array([1, 0, 0])
    model = TreeModel(
        *("MART", 1, np.array([0]), np.ones(1), np.array([0]), np.array([0, -1, -1], np.int32)),
        *(np.array([threshold, 0, 0]), node, 2 * node, np.array([0.0, 1.0, 2.0]), none.astype(np.int32)),
        single=False,
    )
    rows = np.array([[value], [np.float32(threshold)], [np.nextafter(np.float32(threshold), np.float32(np.inf))]])
    rows = np.concatenate([rows, np.nextafter(rows, np.float32(-np.inf))]).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        write_ranklib(model, Path(folder) / "model.txt")
        read = read_ranklib(Path(folder) / "model.txt")
    np.testing.assert_array_equal(read.predict(rows), model.predict(rows))


def test_a_deep_tree_is_no_trouble(tmp_path: Path) -> None:
    depth = 5000
    nodes = "".join(
        ('<split pos="right">' if level else "<split>") + "<feature> 1 </feature>"
        f'<threshold> {level} </threshold><split pos="left"><output> {level} </output></split>'
        for level in range(depth)
    )
    text = f'## MART\n<ensemble><tree id="1" weight="1">{nodes}<split pos="right"><output> -1 </output></split>'
    path = file(tmp_path, text + "</split>" * depth + "</tree></ensemble>")
    model = read_ranklib(path)
    assert model.predict(np.array([[7.5], [1e9]], np.float32)).tolist() == [8.0, -1.0]
    write_ranklib(model, tmp_path / "again.txt")
    write_lightgbm(model, tmp_path / "trees.txt")
    assert read_model(tmp_path / "trees.txt").predict(np.array([[7.5]], np.float32)).tolist() == [8.0]


@pytest.mark.parametrize(
    ("change", "line", "complaint"),
    [
        (("<feature> 2 </feature>", "<feature> 0 </feature>"), 11, "not a feature; they are numbered from 1"),
        (("<feature> 2 </feature>", "<feature> two </feature>"), 11, "'two' is not a feature"),
        (("<feature> 2 </feature>", ""), 13, "a split is a feature, a threshold"),
        (("<threshold> 3.0 </threshold>", "<threshold> NaN </threshold>"), 18, "'NaN' is not a number"),
        (("<output> 4.0 </output>", "<output> 1e99 </output>"), 23, "'1e99' is not a number"),
        (("<output> 4.0 </output>", "<output> 4_0 </output>"), 23, "'4_0' is not a number"),
        (("<output> 4.0 </output>", "<output>1</output><output>2</output>"), 23, "<output> twice"),
        ((' weight="0.5"', ""), 9, "a tree without a weight"),
        (('pos="left"', 'pos="right"'), 13, "a split is a feature"),
        (("</ensemble>", ""), 34, "not a whole model"),
        (("<ensemble>", "<ensemble>words"), 8, "'words' within <ensemble>"),
        (("<ensemble>", "<ensemble><model>"), 8, "<model> within <ensemble>"),
        (("<ensemble>", "&lol;<ensemble>"), 8, "not a whole model|entity"),
        (("<ensemble>", '<!DOCTYPE a [<!ENTITY b "c">]><ensemble>'), 8, "not a whole model|document type"),
        (("## LambdaMART", "## ListNet"), 1, "models of 'ListNet' are not read"),
        (("## LambdaMART", "LambdaMART"), 1, "does not begin with ## NAME"),
    ],
)
def test_a_bad_tree_file_is_refused_with_its_line(
    change: tuple[str, str], line: int, complaint: str, tmp_path: Path
) -> None:
    path = file(tmp_path, MART.replace(*change, 1))
    with pytest.raises(DataFormatError, match=complaint) as caught:
        read_ranklib(path)
    assert f"{path}:{line}:" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("## RankBoost\n1:0.5", r":2: '1:0.5' is not feature:threshold:weight"),
        ("## AdaRank\n0:0.5", r":2: '0' is not a feature"),
        ("## AdaRank\n1:x", r":2: 'x' is not a number"),
        ("## AdaRank\n", "the line with the weights is missing"),
        ("## Linear Regression\n0:1 0:2 1:1", "more than one constant"),
        ("## AdaRank\n9999999999:1", "is not a feature"),
    ],
)
def test_a_bad_line_is_refused(text: str, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(DataFormatError, match=complaint):
        read_ranklib(file(tmp_path, text))


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("max_feature_idx=5", "max_feature_idx=0", "a feature outside 0 to 0"),
        ("num_class=1", "num_class=3", "num_class is not 1"),
        ("num_cat=0", "num_cat=1", "categorical splits"),
        ("is_linear=0", "is_linear=1", "linear leaves"),
        ("left_child=", "left_child=0 ", "left_child has"),
        ("leaf_value=", "leaf_value=nan ", "leaf_value has"),
        ("threshold=", "threshold=x", "threshold holds what is not a number"),
        ("end of trees", "", "cut off"),
        ("num_leaves=7", "num_leaves=0", "num_leaves=0"),
    ],
)
def test_a_bad_lightgbm_file_is_refused_with_its_line(old: str, new: str, complaint: str, tmp_path: Path) -> None:
    text = boosters()["plain"].model_to_string()
    assert old in text
    path = file(tmp_path, text.replace(old, new, 1))
    with pytest.raises(DataFormatError, match=complaint) as caught:
        read_lightgbm(path)
    assert f"{path}:" in str(caught.value)


@pytest.mark.parametrize("children", ["0 0 0 0 0 0", "1 2 3 4 5 0", "-1 -1 -2 -3 -4 -5", "9 2 3 4 5 -1"])
def test_children_that_go_round_in_circles_are_refused(children: str, tmp_path: Path) -> None:
    lines = boosters()["plain"].model_to_string().splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("left_child"))
    lines[at] = f"left_child={children}"
    with pytest.raises(DataFormatError, match="make no tree"):
        read_lightgbm(file(tmp_path, "\n".join(lines)))


@pytest.mark.parametrize("seed", range(4))
def test_damaged_files_are_refused_or_read_but_never_break_anything(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    texts = [MART, boosters()["plain"].model_to_string(), "## AdaRank\n1:0.5 2:0.25\n"]
    for trial in range(60):
        content = bytearray(texts[trial % 3].encode())
        for _ in range(int(rng.integers(1, 4))):
            place = int(rng.integers(len(content)))
            content[place : place + int(rng.integers(3))] = bytes(rng.integers(0, 256, int(rng.integers(3)), np.uint8))
        path = tmp_path / "damaged.txt"
        path.write_bytes(bytes(content))
        try:
            model = read_model(path)
            assert np.isfinite(
                model.predict(np.ones((2, model.n_features or model.highest_feature + 1), np.float32))
            ).all()
        except (DataFormatError, UsageError):
            pass


def test_the_command_scores_and_converts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, data, scores = file(tmp_path, MART), tmp_path / "data.txt", tmp_path / "scores.txt"
    data.write_text("1 qid:1 1:9\n0 qid:1 1:3.5\n")
    assert main(["model", "score", str(model), "--data", str(data)]) == 0
    shown = capsys.readouterr().out
    assert main(["model", "score", str(model), "--data", str(data), "--output", str(scores)]) == 0
    assert scores.read_text() == shown
    # Feature 2 is in no row, so 0.
    assert [float(line) for line in shown.splitlines()] == pytest.approx([0.78, 0.78])
    assert main(["model", "convert", str(model), str(tmp_path / "trees.txt"), "--to", "lightgbm"]) == 0
    assert main(["model", "convert", str(tmp_path / "trees.txt"), str(tmp_path / "xml.txt"), "--to", "ranklib"]) == 0
    assert main(["model", "convert", str(model), str(model), "--to", "ranklib"]) == 2
    assert main(["model", "score", str(data), "--data", str(data)]) == 2
    assert "neither a model of RankLib" in capsys.readouterr().err


def test_a_saved_ranker_is_a_model_file_too(tmp_path: Path) -> None:
    train = learnable(0)
    ranker = small_rankers()["AdaRank"].fit(train)
    ranker.save(tmp_path / "model.npz")
    model = read_model(tmp_path / "model.npz")
    assert isinstance(model, LinearModel)
    assert not isinstance(model, StumpModel)
    np.testing.assert_allclose(model.predict(train.features), ranker.predict(train.features), rtol=1e-12)
