"""What the writer writes, the reader reads back to the last bit; what the format cannot hold is refused."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ltrlib.datasets.container import RankingData, Source, TextColumn
from ltrlib.datasets.letor import read_letor, write_letor, writer
from ltrlib.errors import UsageError
from ltrlib.project import data_search_path


def single_query(features: Any, **changes: Any) -> RankingData:
    array = np.array(features, np.float32)
    data = RankingData(
        features=array,
        labels=np.zeros(len(array), np.int32),
        query_offsets=np.array([0, len(array)]),
        query_ids=np.array(["1"]),
        comments=None,
        source=Source("example"),
    )
    return replace(data, **changes)


def assert_same(read: RankingData, written: RankingData) -> None:
    assert read.features.shape == written.features.shape
    assert read.features.tobytes() == written.features.tobytes()
    assert read.labels.tobytes() == written.labels.tobytes()
    assert read.query_offsets.tolist() == written.query_offsets.tolist()
    assert read.query_ids.tolist() == written.query_ids.tolist()
    assert (None if read.comments is None else list(read.comments)) == (
        None if written.comments is None else list(written.comments)
    )


_ids = st.text(st.characters(codec="utf-8", exclude_characters="#", min_codepoint=33), min_size=1, max_size=20)
_comments = st.text(st.one_of(st.characters(codec="utf-8", min_codepoint=32), st.just("\t")), max_size=20)
_any_bits = st.integers(0, 2**32 - 1).map(lambda bits: np.array([bits], np.uint32).view(np.float32)[0])
_values = st.one_of(
    st.floats(width=32, allow_nan=False, allow_infinity=False),
    _any_bits.filter(np.isfinite),
    st.integers(-(10**9), 10**9).map(lambda number: np.float32(number / 10**6)),
    st.sampled_from([0.0, -0.0, 1.0, 0.1, 1e-10, 9.9999994e-11, 1e15, 9.9999993e14, 2.0**24 + 2, 3.4028235e38, 1e-45]),
)


@st.composite
def containers(draw: st.DrawFn) -> RankingData:
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    ids = draw(st.lists(_ids, min_size=len(sizes), max_size=len(sizes), unique=True))
    n_docs, n_features = sum(sizes), draw(st.integers(0, 5))
    comments = draw(st.none() | st.lists(_comments, min_size=n_docs, max_size=n_docs).filter(any))
    return RankingData(
        features=draw(hnp.arrays(np.float32, (n_docs, n_features), elements=_values)),
        labels=draw(hnp.arrays(np.int32, n_docs, elements=st.integers(-(2**31) + 1, 2**31 - 1))),
        query_offsets=np.cumsum([0, *sizes]),
        query_ids=np.array(ids),
        comments=None if comments is None else TextColumn.from_strings(comments),
        source=Source("example"),
    )


@settings(max_examples=150, deadline=None)
@given(containers())
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, data: RankingData) -> None:
    path = tmp_path_factory.getbasetemp() / "round-trip.txt"
    write_letor(data, path)
    assert_same(read_letor(path, threads=1), data)
    write_letor(data, path, omit_zeros=True)
    n_features = data.n_features or None
    assert_same(read_letor(path, threads=1, n_features=n_features), data)


def test_every_kind_of_float_comes_back(tmp_path: Path) -> None:
    """A million random bit patterns, and all numbers of six decimals below 1."""
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2**32, 1_000_000, dtype=np.uint32).view(np.float32)
    values = np.concatenate([bits[np.isfinite(bits)], (np.arange(10**6) / 10**6).astype(np.float32)])
    data = single_query(values[: len(values) // 100 * 100].reshape(-1, 100))
    write_letor(data, tmp_path / "x.txt")
    assert_same(read_letor(tmp_path / "x.txt"), data)


def test_values_in_the_fewest_digits(tmp_path: Path) -> None:
    """As many significant digits as NumPy's shortest notation, and the decimals that people wrote."""
    rng = np.random.default_rng(1)
    values = np.concatenate([rng.random(3000), rng.normal(size=3000) * 10 ** rng.uniform(-9, 6, 3000)])
    values = np.concatenate([values.astype(np.float32), np.array([0.000001, 0.1, 12.5, 1e10, 7e-5, 0], np.float32)])
    write_letor(single_query(values[:, None]), tmp_path / "x.txt")
    texts = [line.split(":")[-1] for line in (tmp_path / "x.txt").read_text().splitlines()]

    def digits(text: str) -> str:
        return text.lstrip("-").split("e")[0].replace(".", "").strip("0")

    for text, value in zip(texts, values, strict=True):
        shortest = np.format_float_positional(value, unique=True, trim="-")
        assert len(digits(text)) <= len(digits(shortest)) or abs(value) >= 2**24, (text, shortest)
    assert texts[-6:] == ["0.000001", "0.1", "12.5", "10000000000", "0.00007", "0"]


def test_layout_of_a_line(tmp_path: Path) -> None:
    data = single_query(
        [[0.5, 0, -0.0]], labels=np.array([-3], np.int32), comments=TextColumn.from_strings([" docid = ü"])
    )
    write_letor(data, tmp_path / "x.txt")
    assert (tmp_path / "x.txt").read_text() == "-3 qid:1 1:0.5 2:0 3:-0 # docid = ü\n"
    write_letor(data, tmp_path / "x.txt", omit_zeros=True)
    assert (tmp_path / "x.txt").read_text() == "-3 qid:1 1:0.5 3:-0 # docid = ü\n"


def test_many_rows_across_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "_VALUES_AT_ONCE", 10)
    rng = np.random.default_rng(2)
    data = RankingData(
        features=(rng.random((200, 3)) * 10.0 ** rng.integers(-20, 20, (200, 3))).astype(np.float32),
        labels=rng.integers(-2, 5, 200).astype(np.int32),
        query_offsets=np.array([0, 1, 50, 51, 200]),
        query_ids=np.array(["a", "bb", "ccc", "d"]),
        comments=TextColumn.from_strings("x" * (row % 7) for row in range(200)),
        source=Source("example"),
    )
    write_letor(data, tmp_path / "x.txt")
    assert_same(read_letor(tmp_path / "x.txt"), data)


@pytest.mark.parametrize(("suffix", "unpack"), [(".gz", gzip.open), (".xz", lzma.open), (".bz2", bz2.open)])
def test_compressed_by_name(tmp_path: Path, suffix: str, unpack: Callable[[Path], Any]) -> None:
    data = single_query([[1, 2]])
    path = tmp_path / f"x.txt{suffix}"
    write_letor(data, path)
    first = path.read_bytes()
    with unpack(path) as file:
        assert file.read() == b"0 qid:1 1:1 2:2\n"
    assert_same(read_letor(path), data)
    path.rename(tmp_path / "other")
    write_letor(data, path)
    assert path.read_bytes() == first, "the same data makes the same bytes"


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (single_query([[np.nan]]), "row 0 has a feature that is not a finite number"),
        (single_query([[0], [np.inf]]), "row 1 has"),
        (single_query([[0]], query_ids=np.array(["a b"])), "query id 'a b'"),
        (single_query([[0]], query_ids=np.array(["a#"])), "query id"),
        (single_query([[0]], query_ids=np.array([""])), "query id ''"),
        (single_query([[0]], query_ids=np.array(["é" * 129])), "too long"),
        (single_query([[0]], query_ids=np.array(["\ud800"])), "query id"),
        (single_query([[0], [0]], comments=TextColumn.from_strings(["", "a\nb"])), "comment of row 1"),
        (single_query([[0], [0]], comments=TextColumn.from_strings(["a\r", "a"])), "comment of row 0"),
        (single_query(np.zeros((1, 100_001))), "100,001 features"),
        (single_query([[0]]).select_queries([]), "no rows"),
    ],
)
def test_what_the_format_cannot_hold_is_refused(tmp_path: Path, data: RankingData, complaint: str) -> None:
    """Whatever stood under the name before stays, and nothing is left beside it."""
    path = tmp_path / "x.txt"
    path.write_text("precious")
    with pytest.raises(UsageError, match=complaint):
        write_letor(data, path)
    assert path.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [path]


def test_paths_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot be written|this is a folder"):
        write_letor(single_query([[0]]), tmp_path / "absent" / "x.txt")
    (tmp_path / "folder").mkdir()
    with pytest.raises(UsageError, match=r"cannot be written|this is a folder"):
        write_letor(single_query([[0]]), tmp_path / "folder")
    assert list(tmp_path.iterdir()) == [tmp_path / "folder"]


@pytest.mark.realdata
def test_real_files_come_back(tmp_path: Path) -> None:
    names = ("MQ2008/Fold1/vali.txt", "OHSUMED/Fold1/vali.txt", "MSLR-WEB10K-sample/msn1.fold1.test.5k.txt")
    paths = [folder / name for folder in data_search_path() for name in names if (folder / name).exists()]
    if not paths:
        pytest.skip("no LETOR data here: LTRLIB_DATA and data/raw have none")
    for path in paths:
        data = read_letor(path)
        write_letor(data, tmp_path / "x.txt.gz")
        assert_same(read_letor(tmp_path / "x.txt.gz"), data)
