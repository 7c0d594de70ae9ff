"""The synthetic data of Köppel et al. (2019, section 4.5): label noise, clouds and the best ranking, by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest

from ltrlib.datasets.synthetic import Clouds, Limits, Noise, Rounding, SyntheticSettings, generate
from ltrlib.errors import UsageError

SMALL = SyntheticSettings(classes=4, features=3, train_docs=4000, test_docs=2000)


# --- label noise ---


@pytest.mark.parametrize(
    ("sigma", "rounding", "limits", "share"),
    [
        (0.25, "nearest", "open", 0.046),  # the paper: approximately 5%
        (0.75, "nearest", "open", 0.505),  # the paper: 50%
        (0.25, "nearest", "classes", 0.036),
        (0.75, "nearest", "classes", 0.404),
        (0.1, "truncated", "classes", 0.400),  # half of each class but the lowest falls by one
        (0.0, "truncated", "classes", 0.0),
    ],
)
def test_shares_of_wrong_labels_that_the_facts_name(
    sigma: float, rounding: Rounding, limits: Limits, share: float
) -> None:
    assert Noise(sigma, rounding, limits).changed(5) == pytest.approx(share, abs=0.0005)


def test_the_share_of_wrong_labels_by_hand() -> None:
    """Rounding keeps a label while the noise stays within half a unit: twice the tail beyond 0.5 / sigma is lost."""
    assert Noise(0.5).changed(7) == pytest.approx(math.erfc(1 / math.sqrt(2)))
    # Of two classes, each can only be left on one side.
    assert Noise(0.5, limits="classes").changed(2) == pytest.approx(math.erfc(1 / math.sqrt(2)) / 2)
    # Truncation takes half of class 1 down to 0, and from class 0 only what exceeds 1.
    tail = 1 - NormalDist().cdf(1 / 0.5)
    assert Noise(0.5, "truncated", "classes").changed(2) == pytest.approx((0.5 + tail) / 2)


@pytest.mark.parametrize("rounding", ["nearest", "truncated"])
@pytest.mark.parametrize("limits", ["open", "classes"])
@pytest.mark.parametrize("sigma", [0.1, 0.25, 0.75, 1.5])
def test_simulated_noise_agrees_with_the_closed_form(rounding: Rounding, limits: Limits, sigma: float) -> None:
    classes = np.tile(np.arange(5, dtype=np.int32), 40_000)
    noise = Noise(sigma, rounding, limits)
    labels = noise.apply(np.random.default_rng(0), classes, 5)
    # Four standard deviations of a share over 200,000 documents.
    assert np.mean(labels != classes) == pytest.approx(noise.changed(5), abs=4 * 0.5 / math.sqrt(len(classes)))
    if limits == "classes":
        assert labels.min() == 0
        assert labels.max() == 4
    elif sigma > 0.5:
        assert labels.min() < 0
        assert labels.max() > 4


def test_bad_noise_is_refused() -> None:
    for arguments in ({"sigma": -0.1}, {"sigma": math.nan}, {"sigma": 1.0, "rounding": "up"}):
        with pytest.raises(UsageError):
            Noise(**arguments)


# --- clouds ---


def test_means_and_deviations_are_uniform_in_their_ranges() -> None:
    """Uniform between 0 and 100: mean 50, variance 100²/12; and the deviations of the text between 50 and 100."""
    clouds = Clouds.draw(np.random.default_rng(0), SyntheticSettings(classes=100, features=100))
    for values, low, high in ((clouds.means, 0, 100), (clouds.deviations, 50, 100)):
        assert low <= values.min() < values.max() <= high
        assert values.mean() == pytest.approx((low + high) / 2, abs=4 * (high - low) / math.sqrt(12 * values.size))
        assert values.var() == pytest.approx((high - low) ** 2 / 12, rel=0.05)


def test_documents_have_the_moments_of_their_class() -> None:
    clouds = Clouds.draw(np.random.default_rng(1), SMALL)
    features, classes = clouds.sample(np.random.default_rng(2), 40_000)
    assert np.bincount(classes).tolist() == [10_000] * 4
    for one in range(4):
        error = clouds.deviations[one] / math.sqrt(10_000)
        assert np.all(np.abs(features[classes == one].mean(axis=0) - clouds.means[one]) < 4.5 * error)
        assert features[classes == one].std(axis=0) == pytest.approx(clouds.deviations[one], rel=0.04)


def test_probabilities_by_hand() -> None:
    """Two normal densities: their ratio is exp((0² − 2²)/2) at 0, and the wider one wins far out."""
    clouds = Clouds(np.array([[0.0], [2.0]]), np.ones((2, 1)))
    found = clouds.probabilities(np.array([[0.0], [1.0]], np.float32))
    assert found[:, 1] == pytest.approx([1 / (1 + math.exp(2)), 0.5])
    wide = Clouds(np.zeros((2, 1)), np.array([[1.0], [2.0]]))
    # At 0 the densities are as 1 to 1/2.
    assert wide.probabilities(np.array([[0.0]], np.float32))[0] == pytest.approx([2 / 3, 1 / 3])
    assert wide.probabilities(np.array([[9.0]], np.float32))[0, 1] > 0.999


def test_the_likeliest_class_is_right_as_often_as_the_closed_form_says() -> None:
    """Two clouds of one shape whose means are d deviations apart: right in the share Φ(d/2)."""
    clouds = Clouds(np.array([[0.0, 0.0], [3.0, 4.0]]), np.full((2, 2), 2.5))  # d = 5 / 2.5
    features, classes = clouds.sample(np.random.default_rng(3), 40_000)
    right = np.mean(clouds.probabilities(features).argmax(axis=1) == classes)
    assert right == pytest.approx(NormalDist().cdf(1.0), abs=4 * 0.5 / math.sqrt(len(classes)))


# --- data sets ---


def test_a_seed_decides_everything_and_parts_are_independent() -> None:
    one, again, other = generate(SMALL, seed=1), generate(SMALL, seed=1), generate(SMALL, seed=2)
    assert np.array_equal(one.train.features, again.train.features)
    assert np.array_equal(one.test.labels, again.test.labels)
    assert not np.array_equal(one.train.features, other.train.features)
    assert not np.array_equal(one.train.features[:2000], one.test.features)


def test_noise_and_size_change_nothing_else() -> None:
    """Points of one axis differ in what the axis says only, so that their difference has less noise."""
    plain = generate(SMALL, seed=5)
    noisy = generate(replace(SMALL, noise=Noise(0.75)), seed=5)
    larger = generate(replace(SMALL, train_docs=8000), seed=5)
    assert np.array_equal(plain.train.features, noisy.train.features)
    assert not np.array_equal(plain.train.labels, noisy.train.labels)
    assert np.array_equal(plain.test_classes, noisy.test_classes)
    assert np.array_equal(plain.test.features, larger.test.features)


def test_labels_below_irrelevant_count_as_irrelevant_and_those_above_are_kept() -> None:
    data = generate(replace(SMALL, noise=Noise(1.5)), seed=0)
    assert data.train.labels.min() == 0
    assert data.train.labels.max() > 3
    clipped = generate(replace(SMALL, noise=Noise(1.5, limits="classes")), seed=0)
    assert np.array_equal(np.minimum(data.train.labels, 3), clipped.train.labels)


@pytest.mark.parametrize(
    "change",
    [{"classes": 1}, {"features": 0}, {"train_docs": 3}, {"deviations": (0.0, 1.0)}, {"means": (1.0, 0.0)}],
)
def test_settings_without_sense_are_refused(change: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        replace(SMALL, **change)  # type: ignore[arg-type]
