"""What is wrong with a line, in words: from the kernel's code and the bytes at its position."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ltrlib.datasets.letor import parse

__all__ = ["Problem", "explain", "quoted"]

_SHOWN = 40
_LAYOUT = "write each line as: label qid:QUERY index:value … #comment"
_NOT_FINITE = re.compile(rb"[+-]?(nan|inf|infinity)", re.IGNORECASE)
_NEGATIVE_INDEX = re.compile(rb"-\d+:")


@dataclass(frozen=True)
class Problem:
    """Why a line cannot be read.

    Parameters
    ----------
    lines_before
        Number of lines before it in the parsed text.
    what
        What is wrong.
    cure
        What to do about it.
    """

    lines_before: int
    what: str
    cure: str | None = None


def quoted(token: bytes | bytearray) -> str:
    r"""Show bytes in quotes: shortened, with escapes for what cannot be printed.

    Examples
    --------
    >>> print(quoted(b"0.5x"), quoted(b"\xff\x00"))
    '0.5x' '\xff\x00'
    """
    shown = bytes(token[:_SHOWN])
    try:
        text = repr(shown.decode())
    except UnicodeDecodeError:
        text = repr(shown)[1:]
    return text if len(token) <= _SHOWN else f"{text}…"


def explain(code: int, text: bytearray, position: int, n_features: int | None) -> tuple[str, str | None]:
    r"""Say what is wrong and what to do, for an error code of the kernel and the place that it names.

    Examples
    --------
    >>> explain(parse.BAD_LABEL, bytearray(b"1.5 qid:1\n"), 0, None)[0]
    "the label '1.5' is not an integer"
    """
    token = _token(text, position)
    if _is_binary(token) or (text[position] < ord(" ") and text[position] not in b"\t\r\n"):
        return f"binary data instead of text: {quoted(token or text[position : position + 1])}", None
    return _EXPLANATIONS[code](token, n_features)


def _token(text: bytearray, position: int) -> bytes:
    end = position
    while text[end] > ord(" ") and (text[end] != ord("#") or end == position):
        end += 1
    return bytes(text[position:end])


def _is_binary(token: bytes) -> bool:
    try:
        token.decode()
    except UnicodeDecodeError:
        return True
    return False


Explanation = Callable[[bytes, int | None], tuple[str, str | None]]


def _about_label(token: bytes, _: int | None) -> tuple[str, str]:
    return f"the label {quoted(token)} is not an integer", _LAYOUT


def _about_label_range(token: bytes, _: int | None) -> tuple[str, None]:
    return f"the label {quoted(token)} does not fit into 32 bits", None


def _about_missing_qid(token: bytes, _: int | None) -> tuple[str, str]:
    found = f"found {quoted(token)}" if token else "the line ends"
    cure = f"{_LAYOUT} (a file with query sizes of its own: read_with_query_sizes)"
    return f"no qid behind the label: {found}", cure


def _about_empty_qid(_: bytes, __: int | None) -> tuple[str, str]:
    return "the qid is empty", _LAYOUT


def _about_token(token: bytes, _: int | None) -> tuple[str, str]:
    if not token or token == b"\r":
        return "a carriage return inside the line", "end each line with a line feed, alone or behind a carriage return"
    if token.startswith(b"qid:"):
        return f"{quoted(token)} where a feature should be", _LAYOUT
    if _NEGATIVE_INDEX.match(token):
        return f"negative feature index: {quoted(token)}", "count features from 1"
    return f"{quoted(token)} is not index:value", _LAYOUT


def _about_value(token: bytes, _: int | None) -> tuple[str, str | None]:
    index, _colon, value = token.partition(b":")
    if _NOT_FINITE.fullmatch(value):
        return f"feature {index.decode()} is {quoted(value)}: values must be finite", None
    return f"the value {quoted(value)} of feature {quoted(index)[1:-1]} is not a number", None


def _about_large_value(token: bytes, _: int | None) -> tuple[str, None]:
    return f"the value in {quoted(token)} is beyond the range of float32 numbers", None


def _about_index_zero(token: bytes, _: int | None) -> tuple[str, str]:
    return f"feature index 0: {quoted(token)}", "count features from 1"


def _about_high_index(token: bytes, n_features: int | None) -> tuple[str, str | None]:
    index = quoted(token.partition(b":")[0])[1:-1]
    if n_features is not None:
        return f"feature index {index} where {n_features} features are declared", None
    return f"feature index {index} is too high: rows are stored densely", "renumber the features without gaps"


def _about_duplicate(token: bytes, _: int | None) -> tuple[str, None]:
    return f"feature {quoted(token.partition(b':')[0])[1:-1]} is given twice", None


_EXPLANATIONS: dict[int, Explanation] = {
    parse.BAD_LABEL: _about_label,
    parse.LABEL_RANGE: _about_label_range,
    parse.NO_QID: _about_missing_qid,
    parse.EMPTY_QID: _about_empty_qid,
    parse.BAD_TOKEN: _about_token,
    parse.STRAY_BYTE: _about_token,
    parse.BAD_VALUE: _about_value,
    parse.TOO_LARGE: _about_large_value,
    parse.INDEX_ZERO: _about_index_zero,
    parse.INDEX_HIGH: _about_high_index,
    parse.DUPLICATE: _about_duplicate,
}
