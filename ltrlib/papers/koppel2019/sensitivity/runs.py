"""The runs behind Figures 2 and 3 of Köppel et al. (2019); ``ltrlib record koppel2019/sensitivity-noise`` makes one."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.datasets.loading import load
from ltrlib.datasets.synthetic import SyntheticData, SyntheticSettings, generate
from ltrlib.metrics.engine import Evaluator
from ltrlib.metrics.metric import NDCG
from ltrlib.papers.koppel2019.sensitivity import records
from ltrlib.papers.koppel2019.sensitivity.peaks import cut_at, cut_at_largest, cut_at_peaks, most_even_query
from ltrlib.papers.koppel2019.sensitivity.trials import DATA_SETS, PAIRS, STEPS, Trial, Variant, grid, trials
from ltrlib.rankers.directranker import DirectRanker
from ltrlib.records.making import Piece, Run
from ltrlib.records.observed import remembered

__all__ = ["PANELS", "RARE", "TRIALS", "draw_lists", "ranker_for", "run_trial"]

_METRIC = NDCG(20)


# --- Figure 2: one trial after the other ---


def ranker_for(trial: Trial) -> DirectRanker:
    """The ranker to be trained; one query holds all documents, and its neighbouring classes meet.

    Examples
    --------
    >>> ranker_for(Trial(classes=10)).hidden, ranker_for(Trial("code2022")).hidden
    ((70, 10), (256, 128, 64, 20))
    """
    each = max(1, round(PAIRS / (trial.classes - 1)))
    ranker = DirectRanker(
        hidden=(70, trial.classes),
        cost="weighted",
        queries=(1, 1),
        pairs=(each, each),
        output=trial.output,
        initial=trial.initial,
        steps=trial.steps,
        seed=trial.seed,
    )
    if trial.variant == "code2022":
        # Its sigmoid output with target 1 has the cost (1 - tanh)^2 up to a factor, which Adam ignores.
        return ranker.set_params(hidden=(256, 128, 64, 20), cost="unit", initial="glorot", dropout=0.2)
    return ranker


def draw_lists(
    variant: Variant, documents: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Draw the lists that are sorted and scored: rows of the test part, and where each list begins.

    The text draws 50 times between 50 and 150 documents; the code of 2022 deals the whole test part out to ten queries.

    Examples
    --------
    >>> rows, offsets = draw_lists("text", 1000, np.random.default_rng(0))
    >>> len(offsets) - 1, bool(50 <= np.diff(offsets).min() <= np.diff(offsets).max() <= 150)
    (50, True)
    """
    if variant == "code2022":
        query = rng.integers(0, 10, documents)
        return np.argsort(query, kind="stable"), np.concatenate([[0], np.cumsum(np.bincount(query, minlength=10))])
    sizes = rng.integers(50, 151, 50)
    rows = np.concatenate([rng.choice(documents, size, replace=False) for size in sizes])
    return rows, np.concatenate([[0], np.cumsum(sizes)])


def run_trial(trial: Trial) -> dict[str, Any]:
    """Make the data, train, and test; one row of the records of trials.

    Examples
    --------
    >>> row = run_trial(Trial(classes=2, features=3, documents=100, steps=10))
    >>> row["chance"] < row["best"] <= 1.0
    True
    """
    data = generate(trial.settings(), seed=trial.seed)
    started = time.perf_counter()
    ranker = ranker_for(trial).fit(data.train)
    seconds = time.perf_counter() - started
    rows, offsets = draw_lists(trial.variant, data.test.n_docs, np.random.default_rng([trial.seed, 3]))
    by_label = Evaluator(_METRIC, data.test.labels[rows], offsets)
    by_class = Evaluator(_METRIC, data.test_classes[rows], offsets)
    in_random_order = Evaluator(replace(_METRIC, ties="average"), data.test.labels[rows], offsets)
    ours = ranker.predict(data.test.features)[rows]
    best, best_true = (scores[rows] for scores in _best_scores(data))
    values = {
        "ndcg": by_label(ours)[_METRIC].mean,
        "ndcg_true": by_class(ours)[_METRIC].mean,
        "best": by_label(best)[_METRIC].mean,
        "best_true": by_class(best_true)[_METRIC].mean,
        "perfect": by_label(data.test_classes[rows].astype(np.float64))[_METRIC].mean,
        "chance": next(iter(in_random_order(np.zeros(len(rows))).values())).mean,
        "wrong": float(np.mean(data.test.labels != data.test_classes)),
        "seconds": seconds,
    }
    return {**asdict(trial), **values}


def _best_scores(data: SyntheticData) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Expected gain of each test document given its features, by the labels as drawn and by the true classes."""
    probabilities = data.clouds.probabilities(data.test.features)
    n_classes = probabilities.shape[1]
    gains = 2.0**data.test.labels - 1
    of_class = np.bincount(data.test_classes, gains, n_classes) / np.bincount(data.test_classes, minlength=n_classes)
    return probabilities @ of_class, probabilities @ (2.0 ** np.arange(n_classes) - 1)


def _trial_pieces(axis: str) -> list[Piece]:
    return [asdict(trial) for trial in trials(grid(axis))]


def _do_trial(piece: Piece) -> pd.DataFrame:
    return pd.DataFrame([run_trial(Trial(**piece))])


TRIALS = tuple(
    Run(
        tables=(table,),
        pieces=partial(_trial_pieces, axis),
        do=_do_trial,
        parameters={"data sets per point": DATA_SETS},
        seeds=list(range(DATA_SETS)),
    )
    for axis, table in records.TRIALS.items()
)


# --- Figure 3: lists cut at the peaks, beside a plain classifier of the same size ---

SAMPLE = "mslr-web10k-sample"
SEEDS = range(5)
SHARES = (0.5, 0.1, 0.01)
_HIDDEN = (50, 5)  # the network of the authors' code for this figure
_LIST = 300  # documents of the synthetic list that is drawn
_RARE = SyntheticSettings(classes=2, features=10, train_docs=4000)


@remembered(2)
def _mslr(binarised: bool) -> tuple[RankingData, RankingData]:
    """Both parts of the sample; features normal with standard deviation 1/3 by their quantiles in the training part."""
    from sklearn.preprocessing import QuantileTransformer

    train, test = (load(SAMPLE, part) for part in ("train", "test"))
    transform = QuantileTransformer(output_distribution="normal", random_state=0).fit(train.features)
    parts = []
    for part in (train, test):
        features = np.ascontiguousarray(transform.transform(part.features) / 3, dtype=np.float32)
        labels = (part.labels >= 2).astype(np.int32) if binarised else part.labels
        parts.append(part.with_features(features).with_labels(labels))
    return parts[0], parts[1]


def _classifier(train: RankingData, hidden: tuple[int, ...], seed: int) -> Any:
    """Fit a plain classifier with the same hidden layers, as scikit-learn makes it."""
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    # As many documents as DirectRanker sees in its steps, but ten to a hundred passes.
    passes = max(10, min(100, round(2 * STEPS * PAIRS / train.n_docs)))
    network = MLPClassifier(hidden, activation="tanh", max_iter=passes, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that it could go on
        return make_pipeline(StandardScaler(), network).fit(train.features, train.labels)


def _ranker(train: RankingData, hidden: tuple[int, ...], seed: int, *, synthetic: bool) -> DirectRanker:
    if synthetic:
        each = round(PAIRS / int(train.labels.max()))
        ranker = DirectRanker(hidden=hidden, cost="weighted", queries=(1, 1), pairs=(each, each))
    else:
        ranker = DirectRanker(hidden=hidden, standardise=False)
    return ranker.set_params(steps=STEPS, seed=seed).fit(train)


def _accuracies(labels: NDArray[np.int32], found: NDArray[np.int64]) -> dict[str, float]:
    right = labels == found
    return {
        "accuracy": float(right.mean()),
        "balanced": float(np.mean([right[labels == one].mean() for one in np.unique(labels)])),
    }


def _cuts(test: RankingData, scores: NDArray[np.float64], classes: int) -> Iterator[tuple[str, NDArray[np.int64]]]:
    for name, cut in (("peaks of the smoothed output", cut_at_peaks), ("largest outputs", cut_at_largest)):
        lists = np.split(scores, test.query_offsets[1:-1])
        yield name, np.concatenate([cut_at(one, cut(one, classes)) for one in lists])


def _panel_pieces() -> list[Piece]:
    panels = ("synthetic", "mslr graded", "mslr binarised")
    return [{"panel": panel, "seed": seed} for panel in panels for seed in SEEDS]


def _do_panel(piece: Piece) -> dict[str, pd.DataFrame]:
    """All methods on one panel's data, and with the first seed the list to be drawn."""
    panel, seed = piece["panel"], piece["seed"]
    synthetic: SyntheticData | None = None
    if panel == "synthetic":
        synthetic = generate(SyntheticSettings(classes=3, features=136), seed=seed)
        train, test = synthetic.train, synthetic.test
    else:
        train, test = _mslr(panel == "mslr binarised")
    classes = int(train.labels.max()) + 1
    scores = _ranker(train, _HIDDEN, seed, synthetic=synthetic is not None).predict(test.features)
    found = dict(_cuts(test, scores, classes))
    found["plain classifier"] = _classifier(train, _HIDDEN, seed).predict(test.features)
    found["largest class"] = np.full(test.n_docs, np.bincount(train.labels).argmax())
    if synthetic is not None:
        found["best possible"] = synthetic.clouds.probabilities(test.features).argmax(axis=1)
    rows = [
        {"panel": panel, "method": method, "seed": seed, **_accuracies(test.labels, one)}
        for method, one in found.items()
    ]
    if seed != SEEDS[0]:
        shown = np.arange(0)
    elif synthetic is not None:
        shown = np.random.default_rng(seed).choice(test.n_docs, _LIST, replace=False)
    else:
        graded = most_even_query(_mslr(False)[1])
        query = graded if panel == "mslr graded" else most_even_query(test, but=graded)
        shown = np.arange(*test.query_offsets[query : query + 2])
    shown = shown[np.argsort(-scores[shown], kind="stable")]
    outputs = pd.DataFrame({"panel": panel, "label": test.labels[shown], "score": scores[shown]})
    return {records.OUTPUTS.short: outputs, records.THRESHOLDS.short: pd.DataFrame(rows)}


PANELS = Run(tables=(records.OUTPUTS, records.THRESHOLDS), pieces=_panel_pieces, do=_do_panel, seeds=list(SEEDS))


def _rare_pieces() -> list[Piece]:
    return [{"share": share, "seed": seed} for share in SHARES for seed in SEEDS]


def _do_rare(piece: Piece) -> pd.DataFrame:
    """Ranker and classifier where one of two classes is rare in the training part."""
    from sklearn.metrics import roc_auc_score

    share, seed = piece["share"], piece["seed"]
    data = generate(_RARE, seed=seed)
    rare = np.flatnonzero(data.train.labels == 1)
    # The other class stays as large as it is.
    number = round(len(rare) * share / (1 - share))
    rows = np.sort(np.concatenate([np.flatnonzero(data.train.labels == 0), rare[:number]]))
    train = RankingData(
        data.train.features[rows],
        data.train.labels[rows],
        np.array([0, len(rows)]),
        np.array(["train"]),
        None,
        data.train.source,
    )
    hidden, test = (70, 2), data.test
    scores = _ranker(train, hidden, seed, synthetic=True).predict(test.features)
    chances = _classifier(train, hidden, seed).predict_proba(test.features)[:, 1]
    found = {
        "DirectRanker": (scores, cut_at(scores, cut_at_peaks(scores, 2))),
        "plain classifier": (chances, (chances > 0.5).astype(np.int64)),
    }
    return pd.DataFrame(
        [
            {"share": share, "method": method, "seed": seed, "auc": float(roc_auc_score(test.labels, values))}
            | {"balanced": _accuracies(test.labels, classes)["balanced"]}
            for method, (values, classes) in found.items()
        ]
    )


RARE = Run(tables=(records.RARE,), pieces=_rare_pieces, do=_do_rare, seeds=list(SEEDS))
