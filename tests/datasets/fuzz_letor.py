"""Mutated inputs for the LETOR reader: ``python -m tests.datasets.fuzz_letor N [SEED]``.

Each input is read by the reader, with block sizes drawn so that every border inside it is met, and by a slow parser
below that follows the format's description line by line. Both must accept the same inputs and give the same values,
or refuse the same line. Nothing but an ``LtrlibError`` may come out of the reader, also from damaged archives.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import re
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ltrlib.datasets.container import RankingData
from ltrlib.datasets.letor import blocks, read_letor
from ltrlib.errors import DataFormatError, LtrlibError

Row = tuple[int, str, dict[int, np.float32], str]

_NUMBER = rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_FEATURE = re.compile(rb"([0-9]{1,9}):(" + _NUMBER + rb")")


class RefusedError(Exception):
    """An input that the format does not allow; ``line`` is None when no line is to blame."""

    def __init__(self, line: int | None) -> None:
        super().__init__(line)
        self.line = line


def reference_rows(content: bytes) -> list[Row]:
    """Parse by the book: label, query, features by index, comment of each row; or raise RefusedError."""
    rows: list[Row] = []
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    for number, line in enumerate(lines, 1):
        if number == len(lines) and not line:
            break
        row = _reference_row(line.removesuffix(b"\r"), number)
        if row is None:
            continue
        query = row[1]
        if rows and rows[-1][1] != query and any(query == earlier[1] for earlier in rows):
            raise RefusedError(number)
        rows.append(row)
    if not rows:
        raise RefusedError(None)
    return rows


def _reference_row(line: bytes, number: int) -> Row | None:
    if any(byte < 32 and byte != 9 for byte in line):
        raise RefusedError(number)
    before, _, comment = line.partition(b"#")
    tokens = before.replace(b"\t", b" ").split(b" ")
    tokens = [token for token in tokens if token]
    if not tokens:
        return None
    if len(tokens) < 2 or not re.fullmatch(rb"[+-]?[0-9]{1,10}", tokens[0]) or abs(int(tokens[0])) > 2**31 - 1:
        raise RefusedError(number)
    query = tokens[1].removeprefix(b"qid:")
    if not tokens[1].startswith(b"qid:") or not 1 <= len(query) <= 256:
        raise RefusedError(number)
    features: dict[int, np.float32] = {}
    for token in tokens[2:]:
        match = _FEATURE.fullmatch(token)
        if not match or not 1 <= int(match[1]) <= 100_000 or int(match[1]) in features:
            raise RefusedError(number)
        with np.errstate(over="ignore"):
            value = np.float32(float(match[2]))
        if not np.isfinite(value):
            raise RefusedError(number)
        features[int(match[1])] = value
    try:
        return int(tokens[0]), query.decode(), features, comment.decode()
    except UnicodeDecodeError:
        raise RefusedError(number) from None


def check(path: Path, content: bytes, threads: int) -> bool:
    """Read a file in both ways, assert that they agree, and tell whether it was accepted."""
    try:
        rows = reference_rows(content)
        line = None
    except RefusedError as refused:
        rows = []
        line = refused.line
    data = failure = None
    try:
        data = read_letor(path, threads=threads)
    except DataFormatError as error:
        failure = error
    if data is None or failure is not None:
        assert not rows, f"refused a good input: {failure}"
        assert failure is not None
        assert failure.where == (str(path) if line is None else f"{path}:{line}"), f"line {line}, but {failure}"
        return False
    assert rows, f"accepted a bad input, line {line}"
    _compare(data, rows)
    return True


def _compare(data: RankingData, rows: list[Row]) -> None:
    n_features = max(max(row[2], default=0) for row in rows)
    expected = np.zeros((len(rows), n_features), np.float32)
    for place, row in enumerate(rows):
        for index, value in row[2].items():
            expected[place, index - 1] = value
    assert data.features.shape == expected.shape
    assert data.features.tobytes() == expected.tobytes(), "a feature differs"
    assert data.labels.tolist() == [row[0] for row in rows]
    assert np.repeat(data.query_ids, data.query_sizes).tolist() == [row[1] for row in rows]
    comments = [row[3] for row in rows]
    assert (list(data.comments) if data.comments is not None else None) == (comments if any(comments) else None)


_VALUES = (
    *("0", "1", "-1", "0.5", "+2.25", "1e3", "1.5E-3", ".5", "5.", "-0", "0.000000", "12345678", "1e-46", "1e-400"),
    *("3.4028235e38", "3.4028235677973366e38", "1e39", "1e400", "16777217", "16777217.00000000000000000001"),
    *(
        "0.1234567890123456789",
        "9007199254740993",
        "1.17549435e-38",
        "7.0064923216240854e-46",
        "nan",
        "inf",
        "-Infinity",
    ),
    *("1_0", "0x1", "1e", "--1", "1.2.3", "", "٣", "1,5", "0.30000001192092896", "1" * 40, "0." + "0" * 60 + "1e40"),
)
_TOKENS = (
    *("qid:1", "qid:", "qid:x#y", "0:1", "-1:2", "1:", ":1", "1", "a:b", "#", "# docid = D7 ", "\t", "  ", "1:1:1"),
    *("100000:1", "100001:1", "99999999999999999999:1", "007:1", "2147483647", "-2147483648", "1.0", "+3", "é", "\x00"),
    *("\r", "\r\n", "\n", "\n\n", "\v", "\ufeff", "\x7f", "qid:" + "q" * 257),
)


def valid_text(rng: random.Random) -> str:
    """Make a text that is in the format, apart from a rare odd value."""
    end = rng.choice(["\n", "\n", "\r\n", " \n"])
    width = rng.randint(0, 6)
    lines = []
    for query in range(rng.randint(1, 4)):
        for _ in range(rng.randint(1, 4)):
            indices = sorted(rng.sample(range(1, width + 3), rng.randint(0, width)))
            if rng.random() < 0.2:
                rng.shuffle(indices)
            features = (f"{index}:{_value(rng)}" for index in indices)
            comment = rng.choice(["", "", "#", " #docid = G-1 inc = 1", "# ü"])
            blank = rng.choice([" ", " ", "\t", "  "])
            lines.append(blank.join([str(rng.randint(-1, 4)), f"qid:{query}", *features]) + comment + end)
        if rng.random() < 0.1:
            lines.append(rng.choice(["", " ", "# a remark"]) + end)
    text = "".join(lines)
    return text.removesuffix(end) if rng.random() < 0.2 else text


def _value(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.4:
        return f"{rng.random():.6f}"
    if kind < 0.6:
        return str(rng.randint(0, 10**6))
    if kind < 0.8:
        bits = np.array([rng.getrandbits(32)], np.uint32).view(np.float32)[0]
        return repr(float(bits)) if np.isfinite(bits) else "0"
    if kind < 0.97:
        return f"{rng.choice('-+ ').strip()}{rng.getrandbits(rng.randint(1, 200))}e{rng.randint(-60, 20)}"
    return rng.choice(_VALUES)


def mutated(rng: random.Random, content: bytes, other: bytes) -> bytes:
    """Change a content in a few places: bytes, tokens, cuts, splices."""
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
        place = rng.randint(0, len(content))
        kind = rng.random()
        if kind < 0.25 and content:
            place = rng.randrange(len(content))
            content = content[:place] + bytes([content[place] ^ (1 << rng.randrange(8))]) + content[place + 1 :]
        elif kind < 0.35:
            content = content[:place] + bytes([rng.randrange(256)]) + content[place:]
        elif kind < 0.5:
            end = rng.randint(place, min(len(content), place + 20))
            content = content[:place] + content[end:]
        elif kind < 0.6:
            content = content[:place]
        elif kind < 0.85:
            pieces = re.split(rb"([ \n:]+)", content)
            piece = rng.randrange(len(pieces))
            swap = rng.choice(_TOKENS + _VALUES).encode() if rng.random() < 0.7 else rng.choice(pieces)
            pieces[piece] = swap
            content = b"".join(pieces)
        else:
            content = content[:place] + other[rng.randint(0, len(other)) :]
    return content


def _tarred(content: bytes) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        info = tarfile.TarInfo("Fold1/train.txt")
        info.size = len(content)
        archive.addfile(info, io.BytesIO(content))
    return file.getvalue()


def _zipped(content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Fold1/train.txt", content)
    return file.getvalue()


_PACKERS: tuple[Callable[[bytes], bytes], ...] = (
    lambda content: gzip.compress(content, mtime=0),
    lzma.compress,
    bz2.compress,
    _zipped,
    _tarred,
    lambda content: gzip.compress(_tarred(content), mtime=0),
    lambda content: lzma.compress(_tarred(content)),
)


def check_archive(rng: random.Random, path: Path, content: bytes) -> bool:
    """Damage an archive; the reader may accept or refuse it, but not fail in another way."""
    packed = rng.choice(_PACKERS)(content)
    path.write_bytes(mutated(rng, packed, packed))
    try:
        read_letor(path, threads=1)
    except LtrlibError:
        return False
    return True


def run(n_inputs: int, seed: int = 0, archive_share: float = 0.05) -> tuple[int, int]:
    """Check that many inputs; return how many were accepted and how many were archives."""
    rng = random.Random(seed)
    sizes = {"_TEXT_BYTES": [8, 16, 61, 1 << 18], "_VALUES_AT_ONCE": [1, 8, 1 << 16]}
    sizes |= {"_ROWS_AT_ONCE": [1, 3, 1 << 16], "_QUERIES_AT_ONCE": [1, 2, 4096], "_HARD_AT_ONCE": [0, 1, 256]}
    usual = {name: getattr(blocks, name) for name in sizes}
    accepted = archives = 0
    other = valid_text(rng).encode()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "input")
        try:
            for number in range(n_inputs):
                content = valid_text(rng).encode()
                for name, choices in sizes.items():
                    setattr(blocks, name, rng.choice(choices))
                is_archive = rng.random() < archive_share
                try:
                    if is_archive:
                        archives += 1
                        accepted += check_archive(rng, path, content)
                    else:
                        content = mutated(rng, content, other)
                        path.write_bytes(content)
                        accepted += check(path, content, threads=rng.choice([1, 1, 1, 2]))
                except Exception as error:
                    error.add_note(f"input {number} of seed {seed}: {path.read_bytes()!r}")
                    raise
                other = content
        finally:
            for name, value in usual.items():
                setattr(blocks, name, value)
    return accepted, archives


if __name__ == "__main__":
    begin = time.perf_counter()
    wanted = int(sys.argv[1])
    n_accepted, n_archives = run(wanted, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    seconds = time.perf_counter() - begin
    print(f"{wanted:,} inputs ({n_archives:,} archives), {n_accepted:,} accepted, no disagreement, {seconds:.0f} s")
