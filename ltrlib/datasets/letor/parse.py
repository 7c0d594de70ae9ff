"""Compiled kernel of the LETOR / SVM-light reader: a block of text lines into arrays.

One call takes a block of whole lines and writes rows into buffers that the caller owns, so blocks can be parsed
side by side. It stops at the first line that does not fit (buffers full, more features than columns) or breaks the
format, and tells where; :mod:`ltrlib.datasets.letor.blocks` explains and continues.

The kernel is compiled once per machine, and only when there are more than a few rows to read.
Positions are unsigned: signed ones cost a third of the speed, because each index could then be negative.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.compiled import BYTES, FLOATS, INTS, TEXT, compiled, signatures

__all__ = ["FLOAT32_LIMIT", "HARD_FIELDS", "QUERY_FIELDS", "parse_block"]

# How a call ends. DONE, FULL and NARROW are no errors; UNORDERED stays inside this module.
DONE, FULL, NARROW, UNORDERED = 0, 1, 2, 3
BAD_LABEL, LABEL_RANGE, NO_QID, EMPTY_QID, BAD_TOKEN, BAD_VALUE, TOO_LARGE = 10, 11, 12, 13, 14, 15, 16
INDEX_ZERO, INDEX_HIGH, DUPLICATE, STRAY_BYTE = 17, 18, 19, 20

QUERY_FIELDS = 4
"""Numbers per change of query: its first row, begin and end of its id in the text, lines before it."""
HARD_FIELDS = 5
"""Numbers per value that needs more than 64 bits: row, column, begin and end in the text, lines before it."""

_TAB, _LF, _CR, _SPACE, _HASH, _PLUS, _MINUS = 9, 10, 13, 32, 35, 43, 45
_DOT, _ZERO, _COLON, _UPPER_E, _LOWER_E = 46, 48, 58, 69, 101
_QID = np.frombuffer(b"qid:", np.uint8)
_QID_SIZE = np.uint64(_QID.size)
_ONE = np.uint64(1)
_TEN = np.uint64(10)
_MAX_INT32 = 2**31 - 1
_MAX_INDEX_DIGITS = np.uint64(9)
_MAX_LABEL_DIGITS = np.uint64(10)

# An integer up to 2**53 times or by a power of ten up to 10**22 is one correctly rounded operation on doubles.
_EXACT_INTEGER = np.uint64(2**53)
_EXACT_POWER = 22
_EXACT_DIGITS = 15
_KEPT_DIGITS = 19
# Decimal magnitudes outside of which a float32 is zero or infinite whatever the digits are.
_ZERO_BELOW, _INFINITE_FROM = -46, 39
_LOWEST_POWER = _ZERO_BELOW - _KEPT_DIGITS
_POWERS = np.array([float(f"1e{power}") for power in range(_LOWEST_POWER, _INFINITE_FROM)])
_NONNEGATIVE_POWERS = np.array([float(f"1e{power}") for power in range(_EXACT_POWER + 1)])
_MARGIN = 2.0**-50
FLOAT32_LIMIT = (2 - 2.0**-24) * 2.0**127
"""Numbers from here on round to an infinite float32."""

_INT = signatures.int64
_POSITION = signatures.uint64
_BOOL = signatures.bool_
# Under another name, because the type checker does not take the real one for an int.
_int64: Any = np.int64


@compiled(_POSITION(TEXT, _POSITION), helper=True)
def _skip_blanks(text: NDArray[np.uint8], p: Any) -> Any:
    while text[p] == _SPACE or text[p] == _TAB:
        p += _ONE
    return p


@compiled(signatures.Tuple((_INT, _POSITION, signatures.float64))(TEXT, _POSITION), helper=True)
def _any_value(text: NDArray[np.uint8], p: Any) -> tuple[int, Any, float]:
    """Read an unsigned decimal number of any length.

    Returns DONE with the value, FULL when only exact arithmetic can round it, BAD_VALUE or TOO_LARGE; the position
    behind it; the value, as a double that rounds to the right float32.
    """
    mantissa = np.uint64(0)
    digits = 0
    kept = 0
    exponent = 0
    fraction = False
    while True:
        digit = _int64(text[p]) - _ZERO
        if 0 <= digit <= 9:
            digits += 1
            if kept < _KEPT_DIGITS:
                mantissa = mantissa * _TEN + np.uint64(digit)
                if mantissa:
                    kept += 1
                if fraction:
                    exponent -= 1
            elif not fraction:
                exponent += 1
        elif digit == _DOT - _ZERO and not fraction:
            fraction = True
        else:
            break
        p += _ONE
    if digits == 0:
        return BAD_VALUE, p, 0.0
    if text[p] == _LOWER_E or text[p] == _UPPER_E:
        p += _ONE
        negative = text[p] == _MINUS
        if negative or text[p] == _PLUS:
            p += _ONE
        digit = _int64(text[p]) - _ZERO
        if not 0 <= digit <= 9:
            return BAD_VALUE, p, 0.0
        written = 0
        while 0 <= digit <= 9:
            if written < 10**15:
                written = written * 10 + digit
            p += _ONE
            digit = _int64(text[p]) - _ZERO
        exponent += -written if negative else written
    if mantissa == 0 or kept + exponent <= _ZERO_BELOW:
        return DONE, p, 0.0
    if kept + exponent > _INFINITE_FROM:
        return TOO_LARGE, p, 0.0
    value = np.float64(mantissa)
    if mantissa <= _EXACT_INTEGER and 0 <= exponent <= _EXACT_POWER:
        value *= _NONNEGATIVE_POWERS[exponent]
    elif mantissa <= _EXACT_INTEGER and -_EXACT_POWER <= exponent < 0:
        value /= _NONNEGATIVE_POWERS[-exponent]
    else:
        # Three roundings and the digits not kept err by less than the margin. Rounding never reverses an order,
        # so when both ends of the margin round to one float32, everything between them does.
        value *= _POWERS[exponent - _LOWEST_POWER]
        if np.float32(value * (1 - _MARGIN)) != np.float32(value * (1 + _MARGIN)):
            return FULL, p, 0.0
    return (TOO_LARGE if value >= FLOAT32_LIMIT else DONE), p, value


@compiled(
    signatures.Tuple((_INT, _POSITION, _INT, _INT))(
        TEXT, _POSITION, FLOATS, _POSITION, _INT, _INT, _BOOL, signatures.Array(_BOOL, 1, "C"), INTS, _INT
    ),
    helper=True,
)
def _features(
    text: NDArray[np.uint8],
    p: Any,
    features: NDArray[np.float32],
    base: Any,
    columns: int,
    limit: int,
    careful: bool,
    seen: NDArray[np.bool_],
    hard: NDArray[np.int64],
    n_hard: int,
) -> tuple[int, Any, int, int]:
    """Read the ``index:value`` tokens of one line into ``features[base : base + columns]``.

    Ascending indices need no memory of what was set; at the first other one the result is UNORDERED, and the caller
    comes again with ``careful``. Returns how it ended, where, the highest index, and the number of hard values.
    """
    free = 0
    highest = 0
    if careful:
        for column in range(columns):
            features[base + np.uint64(column)] = 0
            seen[column] = False
        free = columns
    while text[p] == _SPACE or text[p] == _TAB:
        p = _skip_blanks(text, p + _ONE)
        token = p
        digit = _int64(text[p]) - _ZERO
        if not 0 <= digit <= 9:
            break
        index = 0
        while 0 <= digit <= 9:
            index = index * 10 + digit
            p += _ONE
            digit = _int64(text[p]) - _ZERO
        if digit != _COLON - _ZERO:
            return BAD_TOKEN, token, highest, n_hard
        if index > limit or p - token > _MAX_INDEX_DIGITS:
            return INDEX_HIGH, token, highest, n_hard
        if index == 0:
            return INDEX_ZERO, token, highest, n_hard
        p += _ONE
        negative = text[p] == _MINUS
        if negative or text[p] == _PLUS:
            p += _ONE
        begin = p
        mantissa = 0
        digit = _int64(text[p]) - _ZERO
        while 0 <= digit <= 9:
            mantissa = mantissa * 10 + digit
            p += _ONE
            digit = _int64(text[p]) - _ZERO
        n_digits = _int64(p - begin)
        decimals = np.uint64(0)
        if digit == _DOT - _ZERO:
            p += _ONE
            point = p
            digit = _int64(text[p]) - _ZERO
            while 0 <= digit <= 9:
                mantissa = mantissa * 10 + digit
                p += _ONE
                digit = _int64(text[p]) - _ZERO
            decimals = p - point
            n_digits += _int64(decimals)
        kind = DONE
        if 0 < n_digits <= _EXACT_DIGITS and digit < 0:
            value = mantissa / _NONNEGATIVE_POWERS[decimals]
        else:
            kind, p, value = _any_value(text, begin)
            if kind != DONE and kind != FULL:
                return kind, token, highest, n_hard
        if text[p] > _SPACE and text[p] != _HASH:
            return BAD_VALUE, token, highest, n_hard
        if negative:
            value = -value
        column = index - 1
        if column < free and not careful:
            return UNORDERED, token, highest, n_hard
        if column < columns:
            if careful:
                if seen[column]:
                    return DUPLICATE, token, highest, n_hard
                seen[column] = True
            while free < column:
                features[base + np.uint64(free)] = 0
                free += 1
            features[base + np.uint64(column)] = value
            free = max(free, index)
            if kind == FULL:
                at = n_hard * HARD_FIELDS
                if at == hard.size:
                    return FULL, token, highest, n_hard
                hard[at + 1] = column
                hard[at + 2] = _int64(begin) - (1 if negative else 0)
                hard[at + 3] = _int64(p)
                n_hard += 1
        highest = max(highest, index)
    if highest > columns:
        return NARROW, p, highest, n_hard
    while free < columns:
        features[base + np.uint64(free)] = 0
        free += 1
    return DONE, p, highest, n_hard


@compiled(
    signatures.UniTuple(_INT, 9)(
        TEXT,
        _POSITION,
        _BOOL,
        _BOOL,
        _INT,
        _INT,
        FLOATS,
        signatures.Array(signatures.int32, 1, "C"),
        BYTES,
        INTS,
        INTS,
        INTS,
        signatures.Array(_BOOL, 1, "C"),
    ),
    small=100_000,  # bytes that the interpreter reads in a seventh of a second
)
def parse_block(
    text: NDArray[np.uint8],
    p: Any,
    with_qid: bool,
    keep_comments: bool,
    columns: int,
    limit: int,
    features: NDArray[np.float32],
    labels: NDArray[np.int32],
    comments: NDArray[np.uint8],
    comment_ends: NDArray[np.int64],
    queries: NDArray[np.int64],
    hard: NDArray[np.int64],
    seen: NDArray[np.bool_],
) -> tuple[int, int, int, int, int, int, int, int, int]:
    """Parse the lines of ``text`` from position ``p`` on; the last byte of ``text`` must be a line feed.

    Returns how it ended, the position of the first line not parsed, the position of the offending token, and the
    numbers of rows, lines, changes of query, hard values and comment bytes, and the highest feature index.
    """
    stop = np.uint64(text.size)
    capacity = labels.size
    rows = lines = n_queries = n_hard = n_comments = highest = 0
    id_begin = id_end = p
    status = DONE
    line_start = where = p
    while p < stop:
        p = _skip_blanks(text, p)
        is_row = text[p] != _LF and text[p] != _CR and text[p] != _HASH
        hard_now = n_hard
        new_query = False
        if is_row:
            if rows == capacity or n_queries * QUERY_FIELDS == queries.size:
                status = FULL
                break
            where = p
            negative = text[p] == _MINUS
            if negative or text[p] == _PLUS:
                p += _ONE
            begin = p
            label = 0
            digit = _int64(text[p]) - _ZERO
            while 0 <= digit <= 9:
                label = label * 10 + digit
                p += _ONE
                digit = _int64(text[p]) - _ZERO
            if p == begin or (text[p] > _SPACE and text[p] != _HASH):
                status = BAD_LABEL
                break
            if p - begin > _MAX_LABEL_DIGITS or label > _MAX_INT32:
                status = LABEL_RANGE
                break
            labels[rows] = -label if negative else label
            if with_qid:
                p = _skip_blanks(text, p)
                where = p
                for place in range(_QID.size):
                    if text[p] == _QID[place]:
                        p += _ONE
                begin = p
                if begin - where != _QID_SIZE:
                    status = NO_QID
                    break
                while text[p] > _SPACE and text[p] != _HASH:
                    p += _ONE
                if p == begin:
                    status = EMPTY_QID
                    break
                new_query = p - begin != id_end - id_begin
                at = begin
                other = id_begin
                while at < p and not new_query:
                    new_query = text[at] != text[other]
                    at += _ONE
                    other += _ONE
            after_ids = p
            careful = False
            while True:
                status, p, row_highest, hard_now = _features(
                    text, after_ids, features, np.uint64(rows * columns), columns, limit, careful, seen, hard, n_hard
                )
                if status != UNORDERED:
                    break
                careful = True
            if status != DONE:
                where = p
                if status == NARROW:
                    highest = row_highest
                break
        line_comments = n_comments
        if text[p] == _HASH:
            p += _ONE
            while text[p] >= _SPACE or text[p] == _TAB:
                if is_row and keep_comments:
                    comments[line_comments] = text[p]
                    line_comments += 1
                p += _ONE
        if text[p] == _CR and text[p + _ONE] == _LF:
            p += _ONE
        if text[p] != _LF:
            where = p
            status = STRAY_BYTE
            break
        p += _ONE
        if is_row:
            while n_hard < hard_now:
                hard[n_hard * HARD_FIELDS] = rows
                hard[n_hard * HARD_FIELDS + 4] = lines
                n_hard += 1
            if new_query:
                at_query = n_queries * QUERY_FIELDS
                queries[at_query] = rows
                queries[at_query + 1] = _int64(begin)
                queries[at_query + 2] = _int64(after_ids)
                queries[at_query + 3] = lines
                n_queries += 1
                id_begin, id_end = begin, after_ids
            n_comments = line_comments
            comment_ends[rows] = n_comments
            highest = max(highest, row_highest)
            rows += 1
        lines += 1
        line_start = p
    return status, _int64(line_start), _int64(where), rows, lines, n_queries, n_hard, n_comments, highest
