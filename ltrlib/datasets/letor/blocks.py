"""Text in the LETOR format, cut into blocks of whole lines, parsed side by side, handed on in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ltrlib.datasets.letor import parse
from ltrlib.datasets.letor.limits import MAX_FEATURES, MAX_LINE, MAX_QID
from ltrlib.datasets.letor.problems import Problem, explain, quoted
from ltrlib.datasets.letor.streams import ByteStream

__all__ = ["Block", "LineFormat", "parsed_blocks", "text_blocks"]

# Small enough that the memory of one block serves the next one, still warm; larger blocks cost a fifth more time.
_TEXT_BYTES = 1 << 18
# A feature takes at least four bytes of text ("1:0 "), so a block fits at once unless most features are left out.
_VALUES_AT_ONCE = _TEXT_BYTES
_ROWS_AT_ONCE = 1 << 16
_QUERIES_AT_ONCE = 1 << 12
_HARD_AT_ONCE = 1 << 8
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class LineFormat:
    """What a line may hold.

    Parameters
    ----------
    with_qid
        Whether each line names its query.
    keep_comments
        Whether the text behind ``#`` is kept.
    n_features
        Number of features; None when the highest index found decides.

    Examples
    --------
    >>> LineFormat(n_features=46).with_qid
    True
    """

    with_qid: bool = True
    keep_comments: bool = True
    n_features: int | None = None


@dataclass
class Block:
    """Rows parsed from whole lines of one text.

    ``queries`` has, for each change of query, the row, the id and the number of lines before it; whether the first
    id goes on from the block before is not known here. ``rest`` is the position of the first line not parsed yet,
    ``columns`` the row length to parse it with, and ``highest`` the highest feature index of the rows.
    """

    text: bytearray
    features: NDArray[np.float32]
    labels: NDArray[np.int32]
    comments: NDArray[np.uint8]
    comment_ends: NDArray[np.int64]
    queries: list[tuple[int, str, int]]
    lines: int
    highest: int
    rest: int
    columns: int
    problem: Problem | None


def text_blocks(stream: ByteStream) -> Iterator[bytearray]:
    r"""Cut a stream into texts of whole lines; the last line gets a line feed when it has none.

    Only a line that is too long comes without: its begin is then the last text.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO(b"a\nb")
    >>> list(text_blocks(ByteStream("example", file, "", file)))
    [bytearray(b'a\nb\n')]
    """
    rest = b""
    while True:
        text = bytearray(len(rest) + _TEXT_BYTES)
        text[: len(rest)] = rest
        filled = len(rest) + stream.fill(memoryview(text)[len(rest) :])
        if filled < len(text):
            del text[filled:]
            if text:
                yield text if text.endswith(b"\n") else text + b"\n"
            return
        end = text.rfind(b"\n") + 1
        rest = bytes(memoryview(text)[end:])
        del text[end:]
        if text:
            yield text
        if len(rest) > MAX_LINE:
            yield bytearray(rest)
            return


def parsed_blocks(
    stream: ByteStream, line_format: LineFormat, threads: int | None = None
) -> Generator[Block, None, None]:
    r"""Parse a stream, several blocks at a time, and give the blocks in the order of the text.

    Parameters
    ----------
    stream
        The text; a byte order mark at its begin is skipped.
    line_format
        What a line may hold.
    threads
        How many blocks to parse at a time; by default one for each processor, at most 8.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO(b"2 qid:a 1:0.5\n")
    >>> blocks = parsed_blocks(ByteStream("example", file, "", file), LineFormat(n_features=1))
    >>> [block.labels.tolist() for block in blocks]
    [[2]]
    """
    columns = line_format.n_features or 0

    def parse_text(text: bytearray) -> Block:
        if not text or text.endswith(b"\n"):
            return _parse(text, 0, columns, line_format)
        block = _parse(bytearray(), 0, columns, line_format)
        block.problem = Problem(0, f"a line of more than {MAX_LINE:,} bytes: this is no text in the LETOR format")
        return block

    texts = text_blocks(stream)
    first = next(texts, bytearray()).removeprefix(_BYTE_ORDER_MARK)
    # The first block tells how long the rows are, so the others wait for it.
    for block in chain(map(parse_text, [first]), _in_order(parse_text, texts, threads or _processors())):
        yield block
        while block.rest < len(block.text) and block.problem is None:
            columns = block.columns
            block = _parse(block.text, block.rest, columns, line_format)
            yield block


def _processors() -> int:
    found = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    # One thread reads and puts together; it keeps not more than these busy.
    return min(found, 8)


def _in_order(work: Callable[[bytearray], Block], texts: Iterable[bytearray], threads: int) -> Iterator[Block]:
    if threads == 1:
        yield from map(work, texts)
        return
    pending: deque[Future[Block]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for text in texts:
            pending.append(pool.submit(work, text))
            if len(pending) > threads:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def _parse(text: bytearray, start: int, columns: int, line_format: LineFormat) -> Block:
    limit = line_format.n_features or MAX_FEATURES
    capacity = max(1, min(_ROWS_AT_ONCE, _VALUES_AT_ONCE // max(1, columns)))
    features = np.empty(capacity * columns, np.float32)
    labels = np.empty(capacity, np.int32)
    comments = np.empty(len(text) - start if line_format.keep_comments else 0, np.uint8)
    comment_ends = np.empty(capacity, np.int64)
    queries = np.empty(_QUERIES_AT_ONCE * parse.QUERY_FIELDS, np.int64)
    # One row never has more than one value per column, so each call gets past at least one row.
    hard = np.empty(max(_HARD_AT_ONCE, columns) * parse.HARD_FIELDS, np.int64)
    status, rest, where, rows, lines, n_queries, n_hard, n_comments, highest = parse.parse_block(
        np.frombuffer(text, np.uint8),
        start,
        line_format.with_qid,
        line_format.keep_comments,
        columns,
        limit,
        features,
        labels,
        comments,
        comment_ends,
        queries,
        hard,
        np.empty(columns, np.bool_),
    )
    block = Block(
        text=text,
        features=features[: rows * columns].reshape(rows, columns),
        labels=labels[:rows],
        comments=comments[:n_comments],
        comment_ends=comment_ends[:rows],
        queries=[],
        lines=lines,
        highest=highest,
        rest=rest,
        columns=columns,
        problem=None,
    )
    if status == parse.NARROW:
        # A little more than needed, or rows that grow one by one would have everything moved each time.
        block.columns = max(highest, min(columns + columns // 4, limit))
    elif status not in (parse.DONE, parse.FULL):
        block.problem = Problem(lines, *explain(status, text, where, line_format.n_features))
    problems = [
        *_round_hard_values(block, hard[: n_hard * parse.HARD_FIELDS]),
        *_decode_ids(block, queries[: n_queries * parse.QUERY_FIELDS]),
        *_check_comments(block, start),
    ]
    if problems:
        first = min(problems, key=lambda problem: problem.lines_before)
        if block.problem is None or first.lines_before < block.problem.lines_before:
            block.problem = first
    return block


def _round_hard_values(block: Block, hard: NDArray[np.int64]) -> Iterator[Problem]:
    """Round the values that the kernel could not, with exact arithmetic."""
    for row, column, begin, end, lines_before in hard.reshape(-1, parse.HARD_FIELDS).tolist():
        value = float(block.text[begin:end])
        if abs(value) >= parse.FLOAT32_LIMIT:
            yield Problem(lines_before, *explain(parse.TOO_LARGE, block.text, begin, None))
        else:
            block.features[row, column] = value


def _decode_ids(block: Block, queries: NDArray[np.int64]) -> Iterator[Problem]:
    for row, begin, end, lines_before in queries.reshape(-1, parse.QUERY_FIELDS).tolist():
        token = block.text[begin:end]
        try:
            block.queries.append((row, token.decode(), lines_before))
        except UnicodeDecodeError:
            yield Problem(lines_before, f"the qid {quoted(token)} is not UTF-8 text")
        if len(token) > MAX_QID:
            yield Problem(lines_before, f"the qid {quoted(token)} has more than {MAX_QID} bytes")


def _check_comments(block: Block, start: int) -> Iterator[Problem]:
    if not len(block.comments) or block.comments.max() < 128:
        return
    begin = 0
    for row, end in enumerate(block.comment_ends.tolist()):
        comment = block.comments[begin:end].tobytes()
        begin = end
        try:
            comment.decode()
        except UnicodeDecodeError:
            cure = "recode the file, for example: iconv -f LATIN1 -t UTF-8"
            yield Problem(
                _lines_before_row(block.text, start, row), f"the comment {quoted(comment)} is not UTF-8", cure
            )
            return


def _lines_before_row(text: bytearray, start: int, row: int) -> int:
    rows = 0
    for number, line in enumerate(text[start:].split(b"\n")):
        line = line.lstrip(b" \t")
        rows += bool(line) and not line.startswith((b"#", b"\r"))
        if rows > row:
            return number
    raise AssertionError("the kernel saw fewer rows than it returned")
