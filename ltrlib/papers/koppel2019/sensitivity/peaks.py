"""Classes read off a sorted list, as Figure 3 of Köppel et al. (2019) suggests.

In a list sorted by the network, the output r(d_n, d_n+1) is large where the next document is much worse. The paper sees
peaks where the relevance class changes, and suggests cutting the list there: a classifier whose thresholds need no
labels.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.container import RankingData

__all__ = ["cut_at", "cut_at_largest", "cut_at_peaks", "most_even_query", "neighbour_outputs", "smoothed"]


def neighbour_outputs(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Output r = tanh((g − g′) / 2) of DirectRanker for each document and the next in the sorted list.

    Examples
    --------
    >>> neighbour_outputs(np.array([0.0, 4.0, 1.0])).round(3)  # tanh(3/2), tanh(1/2)
    array([0.905, 0.462])
    """
    outputs: NDArray[np.float64] = np.tanh(-np.diff(np.sort(scores)[::-1]) / 2)
    return outputs


def smoothed(outputs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean of the outputs over about √n neighbours; shorter windows at the ends.

    Examples
    --------
    >>> smoothed(np.array([0.0, 3.0, 0.0, 0.0]))
    array([1.5, 1. , 1. , 0. ])
    """
    half = max(1, round(math.sqrt(len(outputs)) / 2))
    sums = np.concatenate([[0.0], np.cumsum(outputs)])
    places = np.arange(len(outputs))
    first, last = np.maximum(places - half, 0), np.minimum(places + half + 1, len(outputs))
    means: NDArray[np.float64] = (sums[last] - sums[first]) / (last - first)
    return means


def cut_at_largest(scores: NDArray[np.float64], classes: int) -> NDArray[np.float64]:
    """Thresholds in the middle of the largest single steps of the sorted list.

    Examples
    --------
    >>> cut_at_largest(np.array([0.0, 0.1, 5.0, 5.1, 7.0]), 2)
    array([2.55])
    """
    ordered = np.sort(scores)[::-1]
    places = np.argsort(-neighbour_outputs(scores), kind="stable")[: classes - 1]
    return _middles(ordered, places)


def cut_at_peaks(scores: NDArray[np.float64], classes: int) -> NDArray[np.float64]:
    """Thresholds at the most prominent peaks of the smoothed outputs.

    Outputs are large at both ends of a list too, where documents are sparse, but they go on rising there and make no
    peak. There may be fewer peaks than are wanted.

    Examples
    --------
    >>> scores = np.concatenate([np.linspace(0, 1, 20), np.linspace(4, 5, 20)])
    >>> cut_at_peaks(scores, 2).round(1)
    array([2.5])
    """
    from scipy.signal import find_peaks

    ordered, outputs = np.sort(scores)[::-1], neighbour_outputs(scores)
    smooth = smoothed(outputs)
    found, properties = find_peaks(smooth, prominence=0.0)
    best = found[np.argsort(-properties["prominences"], kind="stable")[: classes - 1]]
    half = max(1, round(math.sqrt(len(outputs)) / 2))
    # The largest step of the window that made the peak.
    windows = [(max(place - half, 0), place + half + 1) for place in best]
    return _middles(ordered, np.array([first + np.argmax(outputs[first:last]) for first, last in windows], np.int64))


def _middles(ordered: NDArray[np.float64], places: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.sort((ordered[places] + ordered[places + 1]) / 2)


def cut_at(scores: NDArray[np.float64], thresholds: NDArray[np.float64]) -> NDArray[np.int64]:
    """Class of each document: the number of thresholds that its score exceeds.

    Examples
    --------
    >>> cut_at(np.array([0.5, 2.0, 9.0]), np.array([1.0, 3.0]))
    array([0, 1, 2])
    """
    return np.searchsorted(thresholds, scores).astype(np.int64)


def most_even_query(data: RankingData, *, but: int = -1) -> int:
    """Position of the query whose smallest class is largest; the queries of the figure are chosen by this rule.

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
