"""Array types of the compiled loops, and the sorting that two of them share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ltrlib.compiled import compiled, signatures

__all__ = [
    "FEATURES",
    "FLOATS",
    "INDEX",
    "LABELS",
    "OUT_FLOATS",
    "OUT_INDEX",
    "OUT_MATRIX",
    "compiled",
    "signatures",
    "sort_again",
]

# Inputs are declared read-only, so that memory maps need no second compilation.
LABELS = signatures.Array(signatures.int32, 1, "C", readonly=True)
INDEX = signatures.Array(signatures.int64, 1, "C", readonly=True)
FLOATS = signatures.Array(signatures.float64, 1, "C", readonly=True)
FEATURES = signatures.Array(signatures.float32, 2, "C", readonly=True)
OUT_INDEX = signatures.Array(signatures.int64, 1, "C")
OUT_FLOATS = signatures.Array(signatures.float64, 1, "C")
OUT_MATRIX = signatures.Array(signatures.float64, 2, "C")


@compiled(signatures.boolean(OUT_FLOATS, OUT_INDEX, signatures.int64))
def sort_again(values: NDArray[np.float64], documents: NDArray[np.int64], n: int) -> bool:
    """Sort the first ``n`` values with their documents, in place: highest value first, of equals the first document.

    By insertion, which costs next to nothing where little has changed since the last time. Returns whether any moved.

    Examples
    --------
    >>> values, documents = np.array([1.0, 2.0, 2.0]), np.array([0, 9, 7])
    >>> sort_again(values, documents, 3), documents
    (True, array([7, 9, 0]))
    """
    moved = False
    for place in range(1, n):
        value = values[place]
        document = documents[place]
        j = place
        while j > 0 and (values[j - 1] < value or (values[j - 1] == value and documents[j - 1] > document)):
            values[j] = values[j - 1]
            documents[j] = documents[j - 1]
            j -= 1
        if j < place:
            values[j] = value
            documents[j] = document
            moved = True
    return moved
