"""The reader takes what the format allows, exactly, and names the line of everything else."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import subprocess
import sys
import tarfile
import warnings
import zipfile
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_svmlight_file

from ltrlib.datasets.array_folder import open_array_folder
from ltrlib.datasets.container import RankingData
from ltrlib.datasets.letor import blocks, convert_letor, read_letor, read_with_query_sizes
from ltrlib.datasets.letor.limits import MAX_LINE
from ltrlib.errors import DataFormatError, MissingDataError, UsageError
from ltrlib.project import data_search_path
from tests.datasets import fuzz_letor

TEXT = "2 qid:10 1:0.5 3:-1e2 #docid = D1 inc = 1\n0 qid:10 2:.25\n-1 qid:x 1:7 # é \n"
FEATURES: list[list[float]] = [[0.5, 0, -100], [0, 0.25, 0], [7, 0, 0]]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str | bytes], Path]:
    def write_file(content: str | bytes) -> Path:
        path = tmp_path / "train.txt"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_file


def assert_is_text(data: RankingData) -> None:
    assert data.features.tolist() == FEATURES
    assert data.labels.tolist() == [2, 0, -1]
    assert data.query_ids.tolist() == ["10", "x"]
    assert data.query_offsets.tolist() == [0, 2, 3]
    assert data.comments is not None
    assert list(data.comments) == ["docid = D1 inc = 1", "", " é "]


def test_hand_worked_file(write: Callable[[str], Path]) -> None:
    path = write(TEXT)
    data = read_letor(path)
    assert_is_text(data)
    assert data.features.dtype == np.float32
    assert data.source.name == str(path)
    assert read_letor(path, name="mine").source.name == "mine"
    assert read_letor(path, keep_comments=False).comments is None
    assert read_letor(path, n_features=5).features.tolist() == [[*row, 0.0, 0.0] for row in FEATURES]


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace("\n", "\r\n"),
        TEXT.replace(".25\n", ".25 \r\n"),
        TEXT.removesuffix("\n"),
        TEXT.removesuffix("\n") + "\r\n\r\n",
        TEXT.replace(" ", "\t", 2),
        TEXT.replace("qid:10 ", "qid:10  \t "),
        "\ufeff" + TEXT,
        "\n# a remark\n \t\n" + TEXT.replace("\n", "\n\n"),
        TEXT.replace("1:0.5 3:-1e2", "3:-1e2 1:0.5"),
        TEXT.replace("1:0.5", "01:+0.5000"),
        TEXT.replace(" #", "#"),
        TEXT.replace("\n", "#\n").replace("1#", "1").replace(" é #", " é "),
    ],
)
def test_other_spellings_of_the_same(write: Callable[[str], Path], text: str) -> None:
    assert_is_text(read_letor(write(text)))


def test_row_without_features_is_zero(write: Callable[[str], Path]) -> None:
    assert read_letor(write("1 qid:1\n0 qid:1 2:1\n")).features.tolist() == [[0, 0], [0, 1]]
    assert read_letor(write("1 qid:1\n0 qid:1\n")).features.shape == (2, 0)


GOOD = "0 qid:1 1:1\n"
BAD_LINES = {
    "0\n": "no qid behind the label: the line ends",
    "0 1:1 2:3\n": "no qid behind the label: found '1:1'",
    "0 1:1 qid:1\n": "no qid",
    "0 QID:1 1:1\n": "no qid",
    "0 qid: 1:1\n": "qid is empty",
    "0 qid:1 1:1 qid:1\n": "'qid:1' where a feature",
    "0 qid:1 1:abc\n": "value 'abc' of feature 1 is not a number",
    "0 qid:1 1:1.2.3\n": "not a number",
    "0 qid:1 1:1e\n": "not a number",
    "0 qid:1 1:\n": "value '' of feature 1 is not a number",
    "0 qid:1 1:1_0\n": "not a number",
    "0 qid:1 1:0x10\n": "not a number",
    "0 qid:1 1:nan\n": "feature 1 is 'nan': values must be finite",
    "0 qid:1 17:-Inf\n": "feature 17 is '-Inf'",
    "0 qid:1 1:infinity\n": "finite",
    "0 qid:1 1:1e39\n": "beyond the range",
    "0 qid:1 1:-1e999\n": "beyond the range",
    "0 qid:1 1:340282356779733661637539395458142568448\n": "beyond the range",
    "0 qid:1 1:1 1:2\n": "feature 1 is given twice",
    "0 qid:1 3:1 1:2 3:4\n": "feature 3 is given twice",
    "0 qid:1 0:1\n": "feature index 0",
    "0 qid:1 -1:1\n": "negative feature index: '-1:1'",
    "0 qid:1 100001:1\n": "feature index 100001 is too high",
    "0 qid:1 18446744073709551617:1\n": "too high",
    "0 qid:1 a:1\n": "'a:1' is not index:value",
    "0 qid:1 1\n": "'1' is not index:value",
    "0 qid:1 1: 2\n": "not a number",
    "0 qid:1 1 :2\n": "'1' is not index:value",
    "x qid:1 1:1\n": "label 'x' is not an integer",
    "1.0 qid:1 1:1\n": "label '1.0' is not an integer",
    "nan qid:1 1:1\n": "not an integer",
    "- qid:1 1:1\n": "not an integer",
    "qid:1 1:1\n": "label 'qid:1'",
    "2147483648 qid:1 1:1\n": "32 bits",
    "99999999999999999999999 qid:1 1:1\n": "32 bits",
    "0 qid:1 1:1 \r 2:1\n": "carriage return inside",
    "0 qid:1 1:1\r\r\n": "carriage return inside",
    "0 qid:1 1:1 \x00\n": r"binary data instead of text: '\x00'",
    "0 qid:1 1:1 # a\x07\n": r"binary data instead of text: '\x07'",
    "\x7fELF\x02\x01\n": "not an integer",
    "0 qid:" + "q" * 257 + " 1:1\n": "more than 256 bytes",
    "0 qid:0 1:1\n0 qid:1 1:1\n": "query '1' began in line 1",
    "0 qid:1 1:" + "1" * 100 + "x\n": "…",
}


@pytest.mark.parametrize(("line", "complaint"), BAD_LINES.items(), ids=range(len(BAD_LINES)))
def test_bad_lines_are_named(write: Callable[[str], Path], line: str, complaint: str) -> None:
    """Each kind of bad line, behind a good line and a remark, and whether or not good lines follow."""
    place = 2 + line.count("\n")
    for text in (GOOD + "# remark\n" + line, GOOD + "# remark\n" + line + GOOD + "broken\n"):
        path = write(text)
        with pytest.raises(DataFormatError) as caught:
            read_letor(path)
        assert complaint in str(caught.value)
        assert caught.value.where == f"{path}:{place}"
        assert len(str(caught.value)) < 300 + len(str(path))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"\x89PNG\r\n\x1a\n\x00", r":1: binary data instead of text: '\x89PNG'"),
        (b"\xff\xfe0\x00 \x00q\x00", r":1: binary data instead of text: '\xff\xfe0'"),
        (b"0 qid:\xe9 1:1\n", r":1: the qid '\xe9' is not UTF-8"),
        (b"# x\n0 qid:1 1:1 #a\n\n0 qid:1 1:1 #\xe9\n", r":4: the comment '\xe9' is not UTF-8"),
        (b"0 qid:1 1:1 #\xc3\n0 qid:1 1:1 #\xa9\n", r":1: the comment '\xc3' is not UTF-8"),
        (b"", "train.txt: the file holds no rows"),
        (b"\n \n# only a remark", "train.txt: the file holds no rows"),
        (b"\xef\xbb\xbf", "train.txt: the file holds no rows"),
        (b"1" * (MAX_LINE + blocks._TEXT_BYTES + 1), ":1: a line of more than"),
    ],
)
def test_what_is_no_text_is_refused(write: Callable[[bytes], Path], content: bytes, complaint: str) -> None:
    with pytest.raises(DataFormatError) as caught:
        read_letor(write(content))
    assert complaint in str(caught.value)


def test_declared_number_of_features_is_a_limit(write: Callable[[str], Path]) -> None:
    path = write("0 qid:1 1:1\n0 qid:1 4:1\n")
    with pytest.raises(DataFormatError, match="feature index 4 where 3 features are declared"):
        read_letor(path, n_features=3)
    for wrong in (0, -1, 100_001):
        with pytest.raises(UsageError, match="n_features"):
            read_letor(path, n_features=wrong)
    with pytest.raises(UsageError, match="threads"):
        read_letor(path, threads=0)


def test_first_bad_line_wins_across_blocks(write: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks are parsed side by side, but the error is that of the first bad line."""
    monkeypatch.setattr(blocks, "_TEXT_BYTES", 64)
    path = write(GOOD * 50 + "0 qid:1 1:x\n" + GOOD * 50 + "0 qid:1 1:y\n")
    for threads in (1, 2, 7):
        with pytest.raises(DataFormatError, match="'x'") as caught:
            read_letor(path, threads=threads)
        assert caught.value.where == f"{path}:51"


# Values: every decimal must become the float32 nearest to the nearest double.

_digits = st.text("0123456789", min_size=1, max_size=40)
_exponents = st.integers(-420, 60)


def _midpoints(bits: int) -> Decimal:
    """The exact number half-way between two neighbouring float32."""
    low, high = np.array([bits, bits + 1], np.uint32).view(np.float32)
    exact = (Fraction(float(low)) + Fraction(float(high))) / 2
    power = exact.denominator.bit_length() - 1
    return Decimal(exact.numerator * 5**power).scaleb(-power)


def _near_midpoint(bits: int, digits: int, steps: int) -> str:
    """A decimal of few digits as close to a midpoint as it can be, where a double rounded once too often shows."""
    exact = _midpoints(bits)
    unit = Decimal(1).scaleb(exact.adjusted() - digits + 1)
    return f"{((exact / unit).to_integral_value() + steps) * unit:f}"


decimals = st.one_of(
    st.builds(lambda a, e: f"{a}e{e}", st.integers(1, 9999), st.integers(-50, -40)),
    st.builds(lambda a, b: f"{a}.{b}", _digits, _digits),
    st.builds(lambda a, e: f"{a}e{e}", _digits, _exponents),
    st.builds(lambda a, b, e: f"-{a}.{b}E{e:+}", _digits, _digits, _exponents),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(width=32, allow_nan=False, allow_infinity=False).map(repr),
    st.integers(0, 0x7F7FFFFE).map(lambda bits: f"{_midpoints(bits):f}"),
    st.builds(lambda bits, tail: f"{_midpoints(bits):f}".rstrip("0") + tail, st.integers(0, 2**28), _digits),
    st.builds(lambda m, e: f"{m}e{e}", st.integers(2**53 - 5, 2**64 + 5), st.integers(-70, 25)),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(decimals, min_size=1, max_size=60))
@example(["1e-400", "1e-46", "7.006492321624085e-46", "7.0064923216240853e-46", "7.0064923216240854e-46"])
@example(["1e-46", "7e-46", "7.1e-46", "9e-46", "1e-45", "2.1e-45", "2.2e-45", "0.0000000001e-36"])
@example(["3.4028235677973366e38", "3.4028235677973362e38", "340282346638528859811704183484516925440"])
@example(["0." + "0" * 500 + "1e500", "1" + "0" * 500 + "e-500", "9007199254740993", "9007199254740992.5"])
@example(["1.00000005960464477539", "1.00000005960464477540", "1.000000059604644775390625" + "0" * 30 + "1"])
def test_values_are_rounded_like_python_and_numpy(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    with np.errstate(over="ignore"):
        expected = np.array([float(text) for text in texts]).astype(np.float32)
    path = tmp_path_factory.getbasetemp() / "values.txt"
    path.write_text("".join(f"0 qid:1 1:{text}\n" for text in texts))
    if np.isfinite(expected).all():
        assert read_letor(path, threads=1).features.tobytes() == expected.tobytes()
    else:
        line = int(np.flatnonzero(~np.isfinite(expected))[0]) + 1
        with pytest.raises(DataFormatError, match="beyond the range") as caught:
            read_letor(path, threads=1)
        assert caught.value.where == f"{path}:{line}"


def test_values_next_to_midpoints(write: Callable[[str], Path]) -> None:
    """Decimals of 15 to 22 digits around the numbers half-way between two float32, over all magnitudes."""
    rng = np.random.default_rng(0)
    texts = []
    # The second time from 1 to 16,777,216 with 16 or 17 digits, where such decimals look harmless.
    for bits, digits in (((0, 0x7F7FFFFE), (15, 23)), ((0x3F800000, 0x4B800000), (16, 18))):
        draws = (rng.integers(*bits, 10_000), rng.integers(*digits, 10_000), rng.integers(-1, 2, 10_000))
        texts += [_near_midpoint(*draw) for draw in np.stack(draws, axis=1).tolist()]
    expected = np.array([float(text) for text in texts]).astype(np.float32)
    found = read_letor(write("".join(f"0 qid:1 1:{text}\n" for text in texts))).features
    assert [text for text, a, b in zip(texts, found[:, 0], expected, strict=True) if a != b] == []


def test_many_values_that_need_exact_arithmetic_in_one_row(write: Callable[[str], Path]) -> None:
    text = f"{_midpoints(0x3F800001):f}" + "0" * 10
    row = " ".join(f"{index}:-{text}" for index in range(1, 1001))
    data = read_letor(write(f"0 qid:1 {row}\n0 qid:1 1:1\n"))
    assert (data.features[0] == np.float32(-float(text))).all()
    assert data.features[1].tolist() == [1] + [0] * 999


# Sizes: block borders, rows that grow, and the whole against a parser by the book.


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("text_bytes", [1, 13, 64, 1 << 18])
def test_block_borders_change_nothing(
    write: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, text_bytes: int, threads: int
) -> None:
    monkeypatch.setattr(blocks, "_TEXT_BYTES", text_bytes)
    assert_is_text(read_letor(write(TEXT), threads=threads))


@pytest.mark.parametrize("to_file", [False, True])
def test_rows_that_grow_one_by_one(
    write: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, to_file: bool
) -> None:
    """Widening in place, many times, in memory and in a file."""
    monkeypatch.setattr("ltrlib.datasets.letor.columns._MOVED_AT_ONCE", 100)
    n = 300
    path = write("".join(f"0 qid:1 {i}:{i}\n" for i in range(1, n + 1)))
    data = convert_letor(path, tmp_path / "arrays") if to_file else read_letor(path)
    assert (data.features == np.diag(np.arange(1, n + 1, dtype=np.float32))).all()


@pytest.mark.parametrize(
    "problem",
    [
        SystemError("mmap: resizing not available--no mremap()"),
        BufferError("Existing exports of data: object cannot be re-sized"),
    ],
)
def test_arrays_grow_without_help_of_the_system(
    write: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, problem: Exception
) -> None:
    """Systems that cannot enlarge a mapping get a copy, and so does a mapping into which a profiler still looks."""
    import mmap

    class FixedMapping(mmap.mmap):
        def resize(self, newsize: int) -> None:
            raise problem

    monkeypatch.setattr("ltrlib.datasets.letor.columns.mmap.mmap", FixedMapping)
    monkeypatch.setattr("ltrlib.datasets.letor.columns._OWN_MAPPING_FROM", 1)
    n = 40_000
    data = read_letor(write("".join(f"{i % 5} qid:{i // 10} 1:{i}\n" for i in range(n))))
    assert data.features[:, 0].tolist() == list(range(n))


def test_fuzzed_inputs_agree_with_a_parser_by_the_book() -> None:
    """Small run of the fuzzer; ``LTRLIB_FUZZ`` sets another number of inputs."""
    accepted, archives = fuzz_letor.run(int(os.environ.get("LTRLIB_FUZZ", "2000")), seed=2026)
    assert accepted > 100
    assert archives > 20


# Archives.


def _tar(members: dict[str, bytes], mode: str) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode) as archive:  # type: ignore[call-overload]
        archive.addfile(_info("Fold1", 0, tarfile.DIRTYPE))
        for name, content in members.items():
            archive.addfile(_info(name, len(content)), io.BytesIO(content))
    return file.getvalue()


def _info(name: str, size: int, kind: bytes = tarfile.REGTYPE) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.size, info.type = size, kind
    return info


def _zip(members: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Fold1/", b"")
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


ARCHIVES: dict[str, Callable[[dict[str, bytes]], bytes]] = {
    "zip": _zip,
    "tar": lambda members: _tar(members, "w:"),
    "tar.gz": lambda members: _tar(members, "w:gz"),
    "tar.xz": lambda members: _tar(members, "w:xz"),
    "tar.bz2": lambda members: _tar(members, "w:bz2"),
}
COMPRESSED: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress}


@pytest.mark.parametrize("kind", COMPRESSED)
def test_compressed_files(write: Callable[[bytes], Path], kind: str) -> None:
    """The content tells the kind, whatever the name; several streams in one file follow each other."""
    packed = COMPRESSED[kind](TEXT.encode())
    assert_is_text(read_letor(write(packed)))
    lines = TEXT.encode().splitlines(keepends=True)
    assert_is_text(read_letor(write(b"".join(map(COMPRESSED[kind], lines)))))
    with pytest.raises(UsageError, match="no archive"):
        read_letor(write(packed), member="train.txt")


@pytest.mark.parametrize("kind", ARCHIVES)
def test_archives(write: Callable[[bytes], Path], kind: str) -> None:
    text = TEXT.encode()
    path = write(ARCHIVES[kind]({"Fold1/train.txt": text, "__MACOSX/Fold1/._train.txt": b"x", ".hidden": b"x"}))
    assert_is_text(read_letor(path))
    path = write(ARCHIVES[kind]({"Fold1/train.txt": text, "Fold2/train.txt": b"x\n", "Fold1/test.txt": b"0 x\n"}))
    assert_is_text(read_letor(path, member="Fold1/train.txt"))
    with pytest.raises(DataFormatError) as caught:
        read_letor(path, member="test.txt")
    assert caught.value.where == f"{path}!Fold1/test.txt:1"
    with pytest.raises(UsageError, match=r"need one file in the archive, found 3[^$]*'Fold2/train.txt'"):
        read_letor(path)
    with pytest.raises(UsageError, match=r"one file 'train\.txt' in the archive, found 2"):
        read_letor(path, member="train.txt")
    with pytest.raises(UsageError, match="found 0"):
        read_letor(path, member="vali.txt")
    with pytest.raises(UsageError, match="holds no file"):
        read_letor(write(ARCHIVES[kind]({})))


@pytest.mark.parametrize("kind", [*COMPRESSED, *ARCHIVES])
def test_cut_off_archives_are_refused(write: Callable[[bytes], Path], kind: str) -> None:
    """At no length may a part of the rows pass for the whole."""
    rng = np.random.default_rng(0)
    text = "".join(f"0 qid:{i} 1:{v}\n" for i, v in enumerate(rng.random(300))).encode()
    packed = COMPRESSED[kind](text) if kind in COMPRESSED else ARCHIVES[kind]({"train.txt": text})
    # What follows the last row in a tar is padding, which may be missing.
    end = packed.rfind(text[-20:]) + 20 if kind == "tar" else len(packed)
    for length in {*range(300, end, max(1, end // 50)), end - 1}:
        with pytest.raises((DataFormatError, UsageError)):
            read_letor(write(packed[:length]))
    for flipped in range(0, len(packed) if kind != "tar" else 0, max(1, len(packed) // 50)):
        damaged = bytearray(packed)
        damaged[flipped] ^= 0x10
        try:
            data = read_letor(write(bytes(damaged)))
        except (DataFormatError, UsageError):
            continue
        assert data.n_docs == 300, "a changed byte outside of the rows does no harm"


def test_paths_that_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match="no such file"):
        read_letor(tmp_path / "absent.txt")
    with pytest.raises(UsageError, match="not a file"):
        read_letor(tmp_path)


# Files with query sizes.


def test_query_sizes_in_a_second_file(tmp_path: Path) -> None:
    rows, sizes = tmp_path / "rank.train", tmp_path / "rank.train.query"
    rows.write_text("0 1:1 #a\n1\n2 3:1\n")
    sizes.write_text("2\n1\n")
    data = read_with_query_sizes(rows, sizes)
    assert data.features.tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 1]]
    assert data.labels.tolist() == [0, 1, 2]
    assert data.query_offsets.tolist() == [0, 2, 3]
    assert data.query_ids.tolist() == ["1", "2"]
    assert data.source.sha256 is not None
    for wrong, complaint in [("2\n2\n", "add up to 4"), ("", "add up to 0"), ("2\nx\n", ":2"), ("3\n0\n", ":2")]:
        sizes.write_text(wrong)
        with pytest.raises(DataFormatError, match=complaint):
            read_with_query_sizes(rows, sizes)
    rows.write_text("0 1:1\n0 qid:1 1:1\n")
    sizes.write_text("2\n")
    with pytest.raises(DataFormatError, match="'qid:1' where a feature") as caught:
        read_with_query_sizes(rows, sizes)
    assert caught.value.where == f"{rows}:2"


# Memory.


@pytest.fixture(scope="module")
def large_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """About 60 MB; the last row has twice as many features as all others, so all rows are widened at the end."""
    path = tmp_path_factory.mktemp("large") / "large.txt"
    rng = np.random.default_rng(0)
    rows = [" ".join(f"{i}:{v:.6f}" for i, v in enumerate(rng.random(100), 1)) for _ in range(100)]
    with path.open("w") as file:
        for query in range(500):
            file.writelines(f"{query % 3} qid:{query} {row} #docid = {query}-{i}\n" for i, row in enumerate(rows))
        file.write("0 qid:last 200:1\n")
    return path


MEASURE = """
import pathlib, resource, sys
from ltrlib.datasets.letor import convert_letor, read_letor
from ltrlib.errors import UsageError

def status(name):
    return 1024 * int(pathlib.Path("/proc/self/status").read_text().split(name + ":")[1].split()[0])

large, folder = sys.argv[1], pathlib.Path(sys.argv[2])
small = folder / "small.txt"
small.write_text("0 qid:1 1:1\\n" * 20_000)  # enough for the compiler to be loaded
read_letor(small)
before = status("VmRSS")
convert_letor(large, folder / "arrays")
print("converting", status("VmHWM") - before)
data = read_letor(large)
print("reading", status("VmHWM") - before)
arrays = (data.features, data.labels, data.query_offsets, data.query_ids, data.comments.blob, data.comments.offsets)
print("arrays", sum(array.nbytes for array in arrays))
resource.setrlimit(resource.RLIMIT_DATA, (status("VmData") + data.features.nbytes // 2,) * 2)
try:
    read_letor(large, threads=1)
except UsageError as error:
    print("refused", str(error).replace(" ", "_").replace("\\n", "_"))
convert_letor(large, folder / "more_arrays", threads=1)
print("converted_in_little_memory", 1)
"""


@pytest.fixture(scope="module")
def measured(large_file: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What a process of its own needs, which has done all that is needed only once before."""
    command = [sys.executable, "-c", MEASURE, str(large_file), str(tmp_path_factory.mktemp("measured"))]
    output = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return dict(line.split(" ", 1) for line in output.splitlines())


def test_memory_of_reading(measured: dict[str, str]) -> None:
    """Peak within 1.5 times the final arrays plus 20 MB."""
    arrays = float(measured["arrays"])
    assert arrays > 35e6
    assert arrays < float(measured["reading"]) < 1.5 * arrays + 20e6


def test_memory_of_converting(measured: dict[str, str]) -> None:
    """The arrays never are in memory: the peak grows by the fixed buffers only, half of what the arrays have."""
    assert 0 < float(measured["converting"]) < 20e6


def test_too_little_memory(measured: dict[str, str]) -> None:
    """With room for half of the features, reading fails with a way out, and that way works."""
    assert "do_not_fit_into_memory" in measured["refused"]
    assert "convert_letor" in measured["refused"]
    assert measured["converted_in_little_memory"] == "1"


def test_conversion_gives_what_reading_gives(large_file: Path, tmp_path: Path) -> None:
    read, folder = read_letor(large_file), tmp_path / "arrays"
    for data in (convert_letor(large_file, folder, name="large"), open_array_folder(folder)):
        assert data.features.tobytes() == read.features.tobytes()
        assert (data.labels == read.labels).all()
        assert (data.query_offsets == read.query_offsets).all()
        assert (data.query_ids == read.query_ids).all()
        assert list(data.comments or []) == list(read.comments or [])
        assert not data.features.flags.writeable
        assert data.source.name == "large"
        assert data.source.sha256 is not None
    with pytest.raises(UsageError, match="already"):
        convert_letor(large_file, folder)


def test_failed_conversion_leaves_nothing_behind(write: Callable[[str], Path], tmp_path: Path) -> None:
    path = write(GOOD * 10 + "broken\n")
    with pytest.raises(DataFormatError, match=":11"):
        convert_letor(path, tmp_path / "arrays")
    assert list(tmp_path.iterdir()) == [path]


# Real files, and another reader.


def _real_files() -> list[Path]:
    names = ("MQ2008/Fold1/*.txt", "OHSUMED/Fold1/*.txt", "MSLR-WEB10K-sample/*.txt")
    return [path for folder in data_search_path() for name in names for path in sorted(folder.glob(name))]


def _assert_like_sklearn(data: RankingData, path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        features, labels, queries = load_svmlight_file(str(path), query_id=True, zero_based=False)
    # scikit-learn keeps doubles and lets columns end at the highest index with a value.
    expected = features.toarray().astype(np.float32)
    assert (data.features[:, : expected.shape[1]] == expected).all()
    assert not data.features[:, expected.shape[1] :].any()
    assert (data.labels == labels).all()
    assert np.repeat(data.query_ids, data.query_sizes).tolist() == [str(query) for query in queries]


def test_generated_file_like_sklearn(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    path = tmp_path / "sparse.txt"
    with path.open("w") as file:
        for row in range(500):
            indices = np.flatnonzero(rng.random(60) < 0.3) + 1
            features = " ".join(
                f"{i}:{v!r}" for i, v in zip(indices, rng.normal(size=len(indices)).tolist(), strict=True)
            )
            file.write(f"{rng.integers(5)} qid:{row // 7} {features}\n")
    _assert_like_sklearn(read_letor(path), path)


@pytest.mark.skipif(not _real_files(), reason="no LETOR data here: LTRLIB_DATA and data/raw have none")
def test_real_files_like_sklearn() -> None:
    for path in _real_files():
        data = read_letor(path)
        _assert_like_sklearn(data, path)
        assert (data.doc_ids is None) == path.parent.name.startswith("MSLR")


def _real(name: str) -> Path | None:
    return next((folder / name for folder in data_search_path() if (folder / name).exists()), None)


@pytest.mark.realdata
def test_real_archive() -> None:
    """Rows and queries as counted by its publisher, read from within a tar.xz."""
    archive = _real("ClueWeb09-LTR.tar.xz")
    if archive is None:
        pytest.skip("no ClueWeb09-LTR.tar.xz here: LTRLIB_DATA and data/raw do not have it")
    data = read_letor(archive, member="Fold1/test.txt")
    assert data.n_features == 42
    assert data.doc_ids is not None
    assert data.doc_ids[0] == "clueweb09-en0006-78-20618"
    with pytest.raises(UsageError, match="found 10"):
        read_letor(archive)


@pytest.mark.realdata
def test_real_file_with_query_sizes() -> None:
    """LightGBM's example: 3,005 rows of 201 queries with 300 features."""
    path = _real("LightGBM-example/rank.train")
    if path is None:
        pytest.skip("no LightGBM-example here: LTRLIB_DATA and data/raw do not have it")
    data = read_with_query_sizes(path, f"{path}.query")
    assert (data.n_docs, data.n_queries, data.n_features) == (3005, 201, 300)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        features, labels = load_svmlight_file(str(path), zero_based=False)
    assert (data.features == features.toarray().astype(np.float32)).all()
    assert (data.labels == labels).all()
