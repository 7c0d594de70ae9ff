"""What the stand-ins promise: the same numbers everywhere, and the shape of the real sets."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ltrlib.datasets.container import RankingData, concatenate
from ltrlib.datasets.registry import dataset
from ltrlib.datasets.standins import generate, names, parts
from ltrlib.datasets.standins.counts import FOLD_SECTIONS
from ltrlib.datasets.standins.recipe import Recipe, read_recipe, recipe_path
from ltrlib.datasets.statistics import count
from ltrlib.errors import RecordError, UsageError

NAMES = ("standin/mq2007", "standin/mq2008", "standin/mslr", "standin/yahoo-set1", "standin/yahoo-set2")

# Digests of small parts. They change only with the generator or its parameters: then every result that was recorded
# on a stand-in changes too.
DIGESTS = {
    ("standin/mq2008", "Fold1/vali", 0.1): "9ecfb22c56d888e10ace2030698d72685f7c1d1076dd774286f62981ad2fe700",
    ("standin/mq2007", "Fold3/test", 0.02): "7032c11d037951cbe6ebcb97abc37cf1e2136bac14ff4347cf7335af725735c5",
    ("standin/mslr", "Fold2/test", 0.005): "d55d0f1520809a4408f6f8250ca34d860c71bd244f7d47a0cc1be29e043bc751",
    ("standin/yahoo-set1", "valid", 0.01): "86bc493167368aeec2cfdd8d863d178448b2665d658d7e0eb34ae9e9010e6893",
    ("standin/yahoo-set2", "test", 0.005): "e534c40ab6361c7a80a0225eca058ed52c196c5ac1befb5c3866eac0cec06a23",
}


def whole(name: str) -> RankingData:
    """Every query of a set with folds, once."""
    return concatenate([generate(name, part) for part in FOLD_SECTIONS.values()])


def by_id(data: RankingData) -> dict[str, tuple[bytes, bytes]]:
    return {
        str(query): (data.features[start:stop].tobytes(), data.labels[start:stop].tobytes())
        for query, (start, stop) in zip(data.query_ids, pairwise(data.query_offsets), strict=True)
    }


def test_all_five_are_there() -> None:
    assert names() == NAMES


@pytest.mark.parametrize("case", DIGESTS)
def test_same_numbers_on_every_machine(case: tuple[str, str, float]) -> None:
    """Nothing in the generator may depend on processor, BLAS or NumPy version."""
    name, part, scale = case
    assert generate(name, part, scale=scale).source.sha256 == DIGESTS[case]


def test_same_numbers_with_the_matrix_product_of_an_old_processor() -> None:
    """OpenBLAS sums in another order there, without fused operations; elsewhere the variable has no effect."""
    (name, part, scale), digest = next(iter(DIGESTS.items()))
    call = f"generate({name!r}, {part!r}, scale={scale}).source.sha256"
    run = subprocess.run(
        [sys.executable, "-c", f"from ltrlib.datasets.standins import generate; print({call})"],
        env=os.environ | {"OPENBLAS_CORETYPE": "Prescott"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == digest


def test_digest_is_of_the_content() -> None:
    data = generate("standin/mq2008", "Fold1/test", scale=0.1)
    content = data.features.tobytes() + data.labels.tobytes() + data.query_offsets.tobytes()
    assert data.source.sha256 == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("name", NAMES)
def test_source_says_that_it_is_a_standin(name: str) -> None:
    part = parts(name)[-1]
    source = generate(name, part, scale=0.002).source
    assert (source.name, source.part, source.standin) == (name, part, True)


@pytest.mark.parametrize("name", NAMES)
def test_parts_and_features_are_those_of_the_real_set(name: str) -> None:
    real = dataset(read_recipe(name).real)
    assert parts(name) == tuple(real.parts)
    assert read_recipe(name).n_features == real.features


@pytest.mark.parametrize("name", NAMES)
def test_rows_and_queries_of_every_part_are_those_of_the_real_set(name: str) -> None:
    """Counted in the sections, which the generator follows (the next test), because the large sets take long."""
    recipe = read_recipe(name)
    for part, known in dataset(recipe.real).parts.items():
        rows = np.concatenate([recipe.sections[section] for section in recipe.files[part]])
        assert rows[:, -1].sum() == known.expected.queries
        if known.expected.rows is not None:
            # Nobody published how MSLR's first three sections, which train Fold 1, differ.
            assert rows[:, 0] @ rows[:, -1] == known.expected.rows


def test_mq2008_has_the_counts_of_the_real_set_in_every_part() -> None:
    for part, known in dataset("mq2008").parts.items():
        counts, expected = count(generate("standin/mq2008", part)), known.expected
        assert (counts.rows, counts.queries, counts.empty) == (expected.rows, expected.queries, expected.empty)
        assert counts.labels == expected.labels


def test_mq2008_has_the_short_queries_of_the_real_set() -> None:
    counts, expected = count(whole("standin/mq2008")), dataset("mq2008").expected
    assert {k: n for k, n in counts.shorter.items() if n} == expected.shorter
    assert counts.documents == expected.documents
    assert 9 not in counts.query_sizes


def test_every_query_is_the_same_in_every_fold() -> None:
    folds = [
        {part: by_id(generate("standin/mq2008", f"Fold{fold}/{part}")) for part in ("train", "vali", "test")}
        for fold in range(1, 6)
    ]
    queries = [fold["train"] | fold["vali"] | fold["test"] for fold in folds]
    assert all(sum(map(len, fold.values())) == 784 for fold in folds)
    assert all(fold == queries[0] for fold in queries[1:])
    for fold, following in pairwise([*folds, folds[0]]):
        assert fold["test"] == following["vali"], "the test part of a fold validates the next one"


@settings(max_examples=10, deadline=None)
@given(st.floats(0.01, 2.5), st.floats(0.01, 2.5))
def test_scale_cuts_or_continues_the_same_queries(one: float, other: float) -> None:
    small, large = sorted([one, other])
    few, many = (generate("standin/mq2008", "Fold1/test", scale=scale) for scale in (small, large))
    assert (few.n_queries, many.n_queries) == (max(1, round(156 * small)), max(1, round(156 * large)))
    assert by_id(few).items() <= by_id(many).items()


def test_twice_the_size_has_twice_the_counts() -> None:
    once, twice = (count(generate("standin/mq2008", "Fold1/test", scale=scale)) for scale in (1, 2))
    assert twice.labels == {label: 2 * rows for label, rows in once.labels.items()}
    assert (twice.rows, twice.empty) == (2 * once.rows, 2 * once.empty)


def test_a_fifth_is_a_fair_sample() -> None:
    part = generate("standin/mq2008", "Fold1/train", scale=0.2)
    counts, real = count(part), dataset("mq2008").part("Fold1/train").expected
    assert real.rows is not None
    assert real.queries is not None
    assert counts.rows / counts.queries == pytest.approx(real.rows / real.queries, rel=0.15)
    assert counts.shorter[10] / counts.queries == pytest.approx(403 / 784, abs=0.03)


def test_another_seed_gives_other_queries() -> None:
    one, other = (generate("standin/mq2008", "Fold1/test", scale=0.2, seed=seed) for seed in (1, 2))
    assert not set(by_id(one).values()) & set(by_id(other).values())


def test_the_two_letor_sets_share_no_query() -> None:
    one, other = (generate(name, "Fold1/test", scale=0.1) for name in ("standin/mq2007", "standin/mq2008"))
    assert not set(by_id(one).values()) & set(by_id(other).values())


@pytest.mark.parametrize("name", ["standin/mq2007", "standin/mq2008"])
def test_letor_features_are_normalised_within_each_query(name: str) -> None:
    data = generate(name, "Fold1/test")
    low, high = (f.reduceat(data.features, data.query_offsets[:-1]) for f in (np.minimum, np.maximum))
    assert np.all(low == 0)
    assert np.all((high == 1) | (high == 0))
    constant = np.flatnonzero(~data.features.any(axis=0)) + 1
    assert constant.tolist() == [6, 7, 8, 9, 10, 43], "the real set has nothing in these columns either"


def test_labels_of_the_large_sets_have_the_published_shares() -> None:
    for name, part, published in (
        ("standin/mslr", "Fold1/test", "Fold1/train"),
        ("standin/yahoo-set1", "test", "train"),
    ):
        data = generate(name, part, scale=0.1)
        expected = dataset(read_recipe(name).real).part(published).expected
        assert expected.labels is not None
        assert expected.rows is not None
        shares = np.bincount(data.labels, minlength=5) / data.n_docs
        wanted = np.array([expected.labels[label] for label in range(5)]) / expected.rows
        # 200 to 700 queries: documents of a query are alike, so the error is that of a few hundred draws.
        np.testing.assert_allclose(shares, wanted, atol=0.035)


def test_mslr_looks_like_the_original() -> None:
    data = generate("standin/mslr", "Fold1/test", scale=0.02)
    low, high = (f.reduceat(data.features, data.query_offsets[:-1]) for f in (np.minimum, np.maximum))
    of_the_query = np.flatnonzero(np.all(low == high, axis=0)) + 1
    assert of_the_query.tolist() == [16, 17, 18, 19, 20], "inverse document frequencies"
    counts = data.features[:, [0, 10, 20, 127, 132]]
    assert np.array_equal(counts, np.rint(counts))
    assert set(np.unique(data.features[:, 95:100])) == {0, 1}, "the boolean model"


def test_yahoo_features_are_ranks_and_415_are_shared() -> None:
    varying = {}
    for name in ("standin/yahoo-set1", "standin/yahoo-set2"):
        data = generate(name, "valid", scale=0.1)
        assert data.features.min() == 0
        assert data.features.max() < 1
        varying[name] = set(np.flatnonzero(data.features.any(axis=0)) + 1)
    first, second = varying.values()
    assert (len(first), len(second), len(first & second)) == (519, 596, 415)
    assert 637 in first & second
    assert max(first) <= 699


def test_yahoo_lists_are_as_long_as_published() -> None:
    for part in ("train", "test"):
        size, times = read_recipe("standin/yahoo-set1").sections[part].T
        documents = dataset("yahoo-set1").part(part).expected.documents
        assert documents is not None
        smallest, median, largest = documents
        assert (size.min(), size.max()) == (smallest, largest)
        assert np.median(np.repeat(size, times)) == pytest.approx(median, abs=1)


def test_parameter_files_are_small_and_hold_integers_where_draws_meet_them() -> None:
    for name in NAMES:
        assert recipe_path(name).stat().st_size < 150_000
        recipe = read_recipe(name)
        for array in (recipe.query_loadings, recipe.doc_loadings, recipe.query_noise, recipe.doc_noise, recipe.shifts):
            assert np.array_equal(array, np.rint(array))
        # Largest sum of |draw * loading|: below 2**24 every partial sum is exact in float32.
        reach = 275 * sum(
            np.abs(part).sum(axis=0)
            for part in (recipe.query_loadings, recipe.query_noise[None], recipe.doc_loadings, recipe.doc_noise[None])
        )
        assert np.max(reach + np.abs(recipe.shifts).max(axis=0)) < 2**24


@pytest.mark.parametrize(
    ("arguments", "cure"),
    [
        (("mq2008", "Fold1/train"), "standin/mq2008"),
        (("standin/mq2009", "Fold1/train"), "standin/mq2008"),
        (("standin/mq2008", "Fold6/train"), "Fold1/train"),
        (("standin/yahoo-set1", "Fold1/train"), "train, valid, test"),
    ],
)
def test_unknown_names_and_parts_are_refused_with_the_known_ones(arguments: tuple[str, str], cure: str) -> None:
    """A stand-in never answers to the bare name."""
    with pytest.raises(UsageError) as raised:
        generate(*arguments)
    assert cure in str(raised.value)


@pytest.mark.parametrize("scale", [0, -1, float("nan"), float("inf")])
def test_bad_scales_are_refused(scale: float) -> None:
    with pytest.raises(UsageError, match="cannot scale"):
        generate("standin/mq2008", scale=scale)


def test_a_negative_seed_is_refused() -> None:
    with pytest.raises(UsageError, match="not a seed"):
        generate("standin/mq2008", seed=-1)


def test_a_broken_parameter_file_is_an_error_with_its_path(monkeypatch: pytest.MonkeyPatch) -> None:
    read_recipe.cache_clear()
    monkeypatch.setattr(json, "loads", lambda _: {"about": "nothing else"})
    with pytest.raises(RecordError, match="not a parameter file"):
        read_recipe("standin/mq2008")


def test_features_of_one_gate_are_zero_together() -> None:
    """Features 2, 12 and 25 look at the anchor text; where there is none, all three are 0."""
    recipe: Recipe = read_recipe("standin/mq2008")
    gate = {int(column) + 1: int(gate) for column, gate in zip(recipe.columns, recipe.gates, strict=True)}
    assert gate[2] == gate[12] == gate[25] >= 0
    data = generate("standin/mq2008", "Fold1/train")
    zero = data.features[:, [1, 11, 24]] == 0
    assert np.mean(zero.all(axis=1) | ~zero.any(axis=1)) > 0.99
