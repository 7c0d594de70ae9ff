"""Random queries with everything that tools treat differently: ties, near ties, empty, short and one-document lists."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Queries", "random_queries"]


@dataclass(frozen=True, eq=False)
class Queries:
    """Labels, scores and document ids of queries, one behind the other."""

    labels: NDArray[np.int32]
    scores: NDArray[np.float64]
    doc_ids: NDArray[np.str_]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return self.offsets.size - 1

    def __getitem__(self, query: int) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.str_]]:
        rows = slice(self.offsets[query], self.offsets[query + 1])
        return self.labels[rows], self.scores[rows], self.doc_ids[rows]

    @property
    def sizes(self) -> NDArray[np.int64]:
        return np.diff(self.offsets)

    def binary(self) -> Queries:
        return Queries((self.labels > 0).astype(np.int32), self.scores, self.doc_ids, self.offsets)


def random_queries(count: int = 1000, *, seed: int = 3, longest: int = 40) -> Queries:
    """Draw queries of 1, of 2 to 9, and of 10 to ``longest`` documents; a quarter of them without a relevant one."""
    rng = np.random.default_rng(seed)
    labels, scores, ids = [], [], []
    for _ in range(count):
        size = [1, int(rng.integers(2, 10)), int(rng.integers(10, longest + 1))][rng.integers(3)]
        labels.append(rng.choice(5, size, p=[0.5, 0.25, 0.15, 0.06, 0.04]) * (rng.random() > 0.25))
        drawn = rng.normal(size=size)
        # All different; equal in float32 but not in float64; a few values; all equal.
        near = np.round(drawn) + 1e-10 * rng.integers(0, 3, size)
        scores.append([drawn, near, np.round(drawn), np.zeros(size)][rng.integers(4)])
        ids.append([f"d{number:02d}" for number in rng.permutation(size)])
    return Queries(
        np.concatenate(labels).astype(np.int32),
        np.concatenate(scores),
        np.concatenate(ids),
        np.concatenate([[0], np.cumsum([len(part) for part in labels])]),
    )
