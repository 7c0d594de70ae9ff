"""Compiled kernel of the LETOR writer: rows of arrays into text.

The kernel is compiled once per machine, when rows are first written.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.compiled import BYTES, TEXT, compiled, signatures

__all__ = ["BYTES_PER_ROW", "BYTES_PER_VALUE", "PLAIN_FROM", "PLAIN_TO", "render_rows"]

PLAIN_FROM, PLAIN_TO = 2.0**-33, 2.0**50
"""Magnitudes that the kernel writes itself, as plain decimals; others come ready from the caller.

Powers of two, so that they are the same for float32 and double.
"""
BYTES_PER_VALUE = 32
"""Room that one feature needs at most: blank, index, colon, sign, 20 characters."""
BYTES_PER_ROW = 32
"""Room that the rest of a row needs at most, besides its query id and comment."""

_POWERS = np.array([float(f"1e{power}") for power in range(23)])
_SPACE, _LF, _HASH, _MINUS, _DOT, _ZERO, _COLON = 32, 10, 35, 45, 46, 48, 58

_INT = signatures.int64
_OFFSETS = signatures.Array(_INT, 1, "C", readonly=True)
_int64: Any = np.int64


@compiled(_INT(BYTES, _INT, _INT, _INT), helper=True)
def _put_number(out: NDArray[np.uint8], p: int, number: int, decimals: int) -> int:
    """Write ``number / 10**decimals`` and return the position behind it."""
    digits = 1
    rest = number // 10
    while rest > 0 or digits <= decimals:
        digits += 1
        rest //= 10
    end = p + digits + (1 if decimals > 0 else 0)
    at = end
    for place in range(digits):
        if place == decimals and decimals > 0:
            at -= 1
            out[at] = _DOT
        at -= 1
        out[at] = _ZERO + number % 10
        number //= 10
    return end


@compiled(_INT(BYTES, _INT, TEXT, _INT, _INT), helper=True)
def _put_text(out: NDArray[np.uint8], p: int, text: NDArray[np.uint8], start: int, stop: int) -> int:
    for at in range(start, stop):
        out[p + at - start] = text[at]
    return p + stop - start


@compiled(
    signatures.int64(
        signatures.Array(signatures.float32, 2, "C", readonly=True),
        signatures.Array(signatures.int32, 1, "C", readonly=True),
        _OFFSETS,
        TEXT,
        _OFFSETS,
        TEXT,
        _OFFSETS,
        TEXT,
        _OFFSETS,
        signatures.bool_,
        BYTES,
    ),
)
def render_rows(
    features: NDArray[np.float32],
    labels: NDArray[np.int32],
    queries: NDArray[np.int64],
    id_blob: NDArray[np.uint8],
    id_offsets: NDArray[np.int64],
    comment_blob: NDArray[np.uint8],
    comment_offsets: NDArray[np.int64],
    ready_blob: NDArray[np.uint8],
    ready_offsets: NDArray[np.int64],
    omit_zeros: bool,
    out: NDArray[np.uint8],
) -> int:
    """Write rows to ``out`` and return the number of bytes.

    ``queries`` has the query of each row. ``ready_blob`` has, in order, the texts of the values outside of the plain
    range; ``comment_offsets`` is empty when there are no comments.
    """
    p = 0
    ready = 0
    for row in range(labels.size):
        label = _int64(labels[row])
        if label < 0:
            out[p] = _MINUS
            p += 1
        p = _put_number(out, p, abs(label), 0)
        query = queries[row]
        p = _put_text(out, p, id_blob, id_offsets[query], id_offsets[query + 1])
        for column in range(features.shape[1]):
            single = features[row, column]
            value = abs(np.float64(single))
            negative = single < 0 or (single == 0 and np.signbit(single))
            if omit_zeros and value == 0 and not negative:
                continue
            out[p] = _SPACE
            p = _put_number(out, p + 1, column + 1, 0)
            out[p] = _COLON
            p += 1
            if value != 0 and not PLAIN_FROM <= value < PLAIN_TO:
                p = _put_text(out, p, ready_blob, ready_offsets[ready], ready_offsets[ready + 1])
                ready += 1
                continue
            if negative:
                out[p] = _MINUS
                p += 1
            decimals = 0
            number = np.rint(value)
            # Nine digits are enough for every float32, so this ends; the quotient is what the reader computes.
            while np.float32(number / _POWERS[decimals]) != np.float32(value):
                decimals += 1
                number = np.rint(value * _POWERS[decimals])
            p = _put_number(out, p, _int64(number), decimals)
        if comment_offsets.size > 0 and comment_offsets[row] < comment_offsets[row + 1]:
            out[p] = _SPACE
            out[p + 1] = _HASH
            p = _put_text(out, p + 2, comment_blob, comment_offsets[row], comment_offsets[row + 1])
        out[p] = _LF
        p += 1
    return p
