"""Lines of any text file, block by block: compressed or not, from a file, a pipe or standard input.

What reads line formats in plain Python starts here: a byte order mark is skipped; binary data, text in UTF-16 and
endless lines are refused with the line; memory stays at a few blocks whatever the size of the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from os import PathLike
from typing import NoReturn

from ltrlib.datasets.letor.streams import ByteStream, open_stream
from ltrlib.errors import DataFormatError

__all__ = ["LONGEST_ID", "LONGEST_LINE", "Lines", "end_of_stretch", "read_lines", "shown"]

LONGEST_LINE = 1 << 24
"""Bytes of the longest line that is taken for text."""

LONGEST_ID = 1024
"""Bytes of the longest id of a query or a document."""

_BLOCK = 1 << 16  # small enough that the pieces of one block stay in the processor's cache
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
_SHOWN = 40


class Lines:
    r"""Some whole lines of a file, without their line feeds.

    Parameters
    ----------
    name
        Name of the file, for messages.
    first
        Number of the first line, counted from 1.
    text
        The lines, parted by line feeds.

    Examples
    --------
    >>> block = Lines("x.txt", 7, b"a\nb")
    >>> block.lines, block.where(1)
    ([b'a', b'b'], 'x.txt:8')
    """

    def __init__(self, name: str, first: int, text: bytes) -> None:
        self.name = name
        self.first = first
        self.text = text

    @cached_property
    def count(self) -> int:
        """Number of lines."""
        # Counting looks at every byte by itself, which takes longer than splitting long lines.
        return len(self.lines) if "lines" in self.__dict__ else self.text.count(b"\n") + 1

    @cached_property
    def lines(self) -> list[bytes]:
        """The single lines."""
        return self.text.split(b"\n")

    def where(self, place: int) -> str:
        """Name file and line of one of the lines."""
        return f"{self.name}:{self.first + place}"

    def refuse(self, place: int, what: str, cure: str | None = None) -> NoReturn:
        """Say what is wrong with one of the lines."""
        raise DataFormatError(what, where=self.where(place), cure=cure)


def read_lines(path: str | PathLike[str]) -> Iterator[Lines]:
    r"""Read a text file in blocks of whole lines.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "x.txt")
    ...     _ = file.write_bytes(b"\xef\xbb\xbfa\r\nb")
    ...     [block.lines for block in read_lines(file)]
    [[b'a\r', b'b']]
    """
    with open_stream(path) as stream:
        first = 1
        for text, is_whole in _texts(stream):
            block = Lines(stream.name, first, text)
            if b"\0" in text:
                _refuse_binary(block)
            if not is_whole:
                block.refuse(0, f"a line of more than {LONGEST_LINE:,} bytes")
            if b"\r" in text and text.count(b"\r") != text.count(b"\r\n"):
                _refuse_returns(block)
            yield block
            first += block.count


def _texts(stream: ByteStream) -> Iterator[tuple[bytes, bool]]:
    """Texts of whole lines, each without its last line feed; and the begin of a line that is binary or has no end."""
    rest, buffer, is_begin = b"", bytearray(_BLOCK), True
    while count := stream.fill(memoryview(buffer)):
        text = rest + memoryview(buffer)[:count]
        if is_begin:
            if text.startswith(_WIDE_MARKS):
                raise DataFormatError("the text is in UTF-16", where=f"{stream.name}:1", cure="save it as UTF-8")
            text, is_begin = text.removeprefix(_BYTE_ORDER_MARK), False
        if count < len(buffer):
            yield text.removesuffix(b"\n"), True
            return
        end = text.rfind(b"\n")
        if end >= 0:
            yield text[:end], True
        rest = text[end + 1 :]
        if len(rest) > LONGEST_LINE or (end < 0 and b"\0" in rest):
            yield rest, False
    if rest:
        yield rest, True


def _refuse_binary(block: Lines) -> None:
    place = next(place for place, line in enumerate(block.lines) if b"\0" in line)
    block.refuse(place, "binary data instead of text")


def _refuse_returns(block: Lines) -> None:
    for place, line in enumerate(block.lines):
        if b"\r" in line[:-1]:
            cure = "end each line with a line feed, alone or behind a carriage return"
            block.refuse(place, "a carriage return inside the line", cure)
    # The last carriage return ends the file without a line feed behind it, which is fine.


def end_of_stretch(names: list[bytes], begin: int) -> int:
    r"""Where the next name begins: found by steps that double, then halve, each checked by one count.

    Examples
    --------
    >>> end_of_stretch([b"a", b"b", b"b", b"c"], 1)
    3
    """
    name, end, step, growing = names[begin], begin + 1, 1, True
    while step and end < len(names):
        further = min(end + step, len(names))
        if names[end:further].count(name) == further - end:
            end = further
        else:
            growing = False
        step = 2 * step if growing else step // 2
    return end


def shown(token: bytes) -> str:
    r"""Show bytes of a file in a message: shortened, in quotes, with escapes for what cannot be printed.

    Examples
    --------
    >>> print(shown(b"0.5x"), shown("ä".encode()), shown(b"\xff"))
    '0.5x' 'ä' '\xff'
    """
    head = token[:_SHOWN]
    try:
        text = repr(head.decode())
    except UnicodeDecodeError:
        text = repr(head)[1:]
    return text if len(token) <= _SHOWN else f"{text}…"
