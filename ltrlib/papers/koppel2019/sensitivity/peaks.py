"""Figure 3 of Köppel et al. (2019): outputs between neighbours of a sorted list, and classes read off their peaks.

In a list sorted by the network, the output r(d_n, d_n+1) is large where the next document is much worse. The paper sees
peaks where the relevance class changes, and suggests to cut the list there: a classifier whose thresholds need no
labels. Here the cuts are made and compared with a plain classifier of the same size.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData
from ltrlib.datasets.loading import load
from ltrlib.datasets.synthetic import SyntheticData, SyntheticSettings, generate
from ltrlib.papers.koppel2019.sensitivity.cuts import cut_at, cut_at_largest, cut_at_peaks
from ltrlib.papers.koppel2019.sensitivity.trials import MODULES, PAIRS, STEPS
from ltrlib.progress import progress
from ltrlib.rankers.directranker import DirectRanker
from ltrlib.records.record import write_record

__all__ = [
    "ACCURACY_COLUMNS",
    "COMMAND",
    "OUTPUT_COLUMNS",
    "PANELS",
    "RARE_COLUMNS",
    "most_even_query",
    "record",
]

COMMAND = "python -m ltrlib.papers.koppel2019.sensitivity.peaks"
PANELS = {
    "synthetic": "synthetic data, three classes",
    "mslr graded": "one query of MSLR-WEB10K, five grades",
    "mslr binarised": "another query, two classes",
}
"""The three panels of Figure 3."""

OUTPUT_COLUMNS = {"panel": "str", "label": "int", "score": "float"}
"""The sorted lists of the figure: label and network output g of each document, best first."""
ACCURACY_COLUMNS = {"panel": "str", "method": "str", "seed": "int", "accuracy": "float", "balanced": "float"}
"""Share of the test documents whose class is found, over all documents and as the mean over classes."""
RARE_COLUMNS = {"share": "float", "method": "str", "seed": "int", "auc": "float", "balanced": "float"}
"""Two classes, one rare in the training part: area under the ROC curve, and accuracy as the mean over classes."""

DATASET = "mslr-web10k-sample"
SEEDS = 5
SHARES = (0.5, 0.1, 0.01)
HIDDEN = (50, 5)  # the network of the authors' code for this figure
_LIST = 300  # documents of the synthetic list that is drawn
_RARE = SyntheticSettings(classes=2, features=10, train_docs=4000)


def most_even_query(data: RankingData, *, but: int = -1) -> int:
    """Position of the query whose smallest class is largest; the figure's queries are chosen by this rule.

    Examples
    --------
    >>> from ltrlib.datasets.container import Source
    >>> data = RankingData(np.zeros((5, 1), np.float32), np.array([0, 0, 0, 1, 0], np.int32), np.array([0, 2, 5]),
    ...                    np.array(["a", "b"]), None, Source("example"))
    >>> most_even_query(data)
    1
    """
    classes = int(data.labels.max()) + 1
    queries = np.split(data.labels, data.query_offsets[1:-1])
    smallest = [int(np.bincount(labels, minlength=classes).min()) for labels in queries]
    if but >= 0:
        smallest[but] = -1
    return int(np.argmax(smallest))


@cache
def _mslr(binarised: bool) -> tuple[RankingData, RankingData]:
    """Both parts of the sample; features normal with standard deviation 1/3 by their quantiles in the training part."""
    from sklearn.preprocessing import QuantileTransformer

    train, test = (load(DATASET, part) for part in ("train", "test"))
    transform = QuantileTransformer(output_distribution="normal", random_state=0).fit(train.features)
    parts = []
    for part in (train, test):
        features = np.ascontiguousarray(transform.transform(part.features) / 3, dtype=np.float32)
        labels = (part.labels >= 2).astype(np.int32) if binarised else part.labels
        parts.append(part.with_features(features).with_labels(labels))
    return parts[0], parts[1]


def _mlp(train: RankingData, hidden: tuple[int, ...], seed: int) -> Any:
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


def _trial(panel: str, seed: int) -> tuple[list[dict[str, Any]], pd.DataFrame]:
    """All methods on one panel's data; and the list to be drawn."""
    synthetic: SyntheticData | None = None
    if panel == "synthetic":
        synthetic = generate(SyntheticSettings(classes=3, features=136), seed=seed)
        train, test = synthetic.train, synthetic.test
    else:
        train, test = _mslr(panel == "mslr binarised")
    classes = int(train.labels.max()) + 1
    scores = _ranker(train, HIDDEN, seed, synthetic=synthetic is not None).predict(test.features)
    found = dict(_cuts(test, scores, classes))
    found["plain classifier"] = _mlp(train, HIDDEN, seed).predict(test.features)
    found["largest class"] = np.full(test.n_docs, np.bincount(train.labels).argmax())
    if synthetic is not None:
        found["best possible"] = synthetic.clouds.probabilities(test.features).argmax(axis=1)
    rows = [
        {"panel": panel, "method": method, "seed": seed, **_accuracies(test.labels, one)}
        for method, one in found.items()
    ]
    if synthetic is not None:
        shown = np.random.default_rng(seed).choice(test.n_docs, _LIST, replace=False)
    else:
        graded = most_even_query(_mslr(False)[1])
        query = graded if panel == "mslr graded" else most_even_query(test, but=graded)
        shown = np.arange(*test.query_offsets[query : query + 2])
    shown = shown[np.argsort(-scores[shown], kind="stable")]
    return rows, pd.DataFrame({"panel": panel, "label": test.labels[shown], "score": scores[shown]})


def _rare_trial(share: float, seed: int) -> Iterator[dict[str, Any]]:
    from sklearn.metrics import roc_auc_score

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
    classifier = _mlp(train, hidden, seed)
    chances = classifier.predict_proba(test.features)[:, 1]
    found = {
        "DirectRanker": (scores, cut_at(scores, cut_at_peaks(scores, 2))),
        "plain classifier": (chances, (chances > 0.5).astype(np.int64)),
    }
    for method, (values, classes) in found.items():
        balanced = _accuracies(test.labels, classes)["balanced"]
        auc = float(roc_auc_score(test.labels, values))
        yield {"share": share, "method": method, "seed": seed, "auc": auc, "balanced": balanced}


def record() -> None:
    """Train, cut and record: the lists of the figure, the accuracies, and the test with a rare class."""
    started = time.perf_counter()
    accuracies: list[dict[str, Any]] = []
    lists = []
    for panel in progress(PANELS, what="Figure 3", unit="panel"):
        for seed in range(SEEDS):
            rows, shown = _trial(panel, seed)
            accuracies += rows
            if seed == 0:
                lists.append(shown)
    rare = [row for share in SHARES for seed in range(SEEDS) for row in _rare_trial(share, seed)]
    real = [load(DATASET, part).source for part in ("train", "test")]
    for name, table, kinds, data in (
        ("outputs", pd.concat(lists, ignore_index=True), OUTPUT_COLUMNS, real),
        ("thresholds", pd.DataFrame(accuracies), ACCURACY_COLUMNS, real),
        ("rare", pd.DataFrame(rare), RARE_COLUMNS, []),
    ):
        types = {"str": "str", "int": "int64", "float": "float64"}
        write_record(
            f"koppel2019/sensitivity-{name}",
            table.astype({column: types[kind] for column, kind in kinds.items()}),
            maker=[*MODULES, "ltrlib.papers.koppel2019.sensitivity.cuts", "ltrlib.papers.koppel2019.sensitivity.peaks"],
            wall_time=time.perf_counter() - started,
            data=data,
            seeds=range(SEEDS),
            command=COMMAND,
        )


if __name__ == "__main__":
    record()
