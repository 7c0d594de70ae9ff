"""The container refuses what is inconsistent, and selecting or joining queries keeps rows with their queries."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ltrlib.datasets.container import RankingData, Source, TextColumn, concatenate
from ltrlib.errors import UsageError


def example(sizes: tuple[int, ...] = (2, 1, 3), prefix: str = "q", n_features: int = 2) -> RankingData:
    """Each feature and label tells its row, each comment its query and row."""
    n_docs = sum(sizes)
    rows = np.arange(n_docs)
    queries = np.repeat(np.arange(len(sizes)), sizes)
    return RankingData(
        features=np.repeat(rows[:, None], n_features, axis=1).astype(np.float32),
        labels=rows.astype(np.int32),
        query_offsets=np.cumsum([0, *sizes]),
        query_ids=np.array([f"{prefix}{i}" for i in range(len(sizes))]),
        comments=TextColumn.from_strings(f"docid = {prefix}{q}-{r}" for q, r in zip(queries, rows, strict=True)),
        source=Source("example", "Fold1/train", "ab" * 32),
    )


def test_sizes_and_names() -> None:
    data = example()
    assert (data.n_docs, data.n_queries, data.n_features) == (6, 3, 2)
    assert data.query_sizes.tolist() == [2, 1, 3]
    assert repr(data) == "<RankingData example Fold1/train: 6 documents, 3 queries, 2 features>"
    assert data.doc_ids is not None
    assert data.doc_ids.tolist() == ["q0-0", "q0-1", "q1-2", "q2-3", "q2-4", "q2-5"]
    assert data.doc_ids is data.doc_ids, "computed once"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"features": np.zeros((6, 2))}, "float64"),
        ({"features": np.zeros(6, np.float32)}, "2-dimensional"),
        ({"features": np.zeros((2, 6), np.float32).T}, "C order"),
        ({"features": [[0.0]]}, "list"),
        ({"features": np.zeros((5, 2), np.float32)}, "0 to 5"),
        ({"labels": np.zeros(5, np.int32)}, "5 entries where 6"),
        ({"labels": np.zeros(6, np.int64)}, "int32"),
        ({"labels": np.zeros(6, ">i4")}, "another machine"),
        ({"labels": np.zeros(6, np.uint32)}, "int32"),
        ({"query_offsets": np.array([0, 2, 6])}, "3 entries where 2"),
        ({"query_offsets": np.array([0, 2, 3, 5])}, "0 to 6"),
        ({"query_offsets": np.array([1, 2, 3, 6])}, "0 to 6"),
        ({"query_offsets": np.array([0, 3, 3, 6])}, "strictly"),
        ({"query_offsets": np.array([0, 4, 3, 6])}, "strictly"),
        ({"query_offsets": np.array([], np.int64)}, "0 to 6"),
        ({"query_ids": np.array(["a", "b", "a"])}, "'a' stands for two"),
        ({"query_ids": np.array([1, 2, 3])}, "str_"),
        ({"comments": TextColumn.from_strings(["x"])}, "1 entries where 6"),
    ],
)
def test_inconsistent_parts_are_refused(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        replace(example(), **change)


def test_doc_ids_need_all_comments() -> None:
    data = example((1, 1))
    for texts, expected in [
        (["docid = A", "docid=B inc = 1"], ["A", "B"]),
        ([" #docid  =\tA", "x docid = B"], ["A", "B"]),
        (["docid = A", ""], None),
        (["docid = A", "mydocid = B"], None),
        (["docid =", "docid = B"], None),
    ]:
        found = replace(data, comments=TextColumn.from_strings(texts)).doc_ids
        assert (None if found is None else found.tolist()) == expected
    assert replace(data, comments=None).doc_ids is None


@pytest.mark.parametrize(
    ("indices", "queries"),
    [
        ([2, 0], [2, 0]),
        ([1], [1]),
        (1, [1]),
        ([-1], [2]),
        ([1, 2], [1, 2]),
        (np.array([True, False, True]), [0, 2]),
        (slice(1, None), [1, 2]),
        (slice(None, None, -1), [2, 1, 0]),
        ([], []),
        (np.zeros(3, bool), []),
    ],
)
def test_selection_keeps_rows_with_their_queries(indices: Any, queries: list[int]) -> None:
    data = example()
    chosen = data.select_queries(indices)
    rows = [row for query in queries for row in range(*data.query_offsets[query : query + 2])]
    assert chosen.query_ids.tolist() == [f"q{query}" for query in queries]
    assert chosen.labels.tolist() == rows
    assert chosen.features[:, 0].tolist() == rows
    assert chosen.query_sizes.tolist() == data.query_sizes[queries].tolist()
    assert data.comments is not None
    assert chosen.comments is not None
    assert list(chosen.comments) == [data.comments[row] for row in rows]
    assert chosen.source == data.source


def test_neighbouring_queries_come_without_a_copy() -> None:
    data = example()
    assert np.shares_memory(data.select_queries([1, 2]).features, data.features)
    assert not np.shares_memory(data.select_queries([2, 1]).features, data.features)


@pytest.mark.parametrize("indices", [[3], [-4], np.ones(2, bool), [0.5], ["q0"], [0, 0]])
def test_impossible_selections_are_refused(indices: Any) -> None:
    with pytest.raises(UsageError):
        example().select_queries(indices)


def test_other_features_and_labels_must_fit() -> None:
    data = example()
    assert data.with_features(np.zeros((6, 9), np.float32)).n_features == 9
    assert data.with_labels(np.ones(6, np.int32)).labels.tolist() == [1] * 6
    with pytest.raises(UsageError):
        data.with_features(np.zeros((5, 9), np.float32))
    with pytest.raises(UsageError):
        data.with_labels(np.ones(7, np.int32))


def test_concatenation() -> None:
    first, second = example((2, 1)), example((3,), prefix="p")
    both = concatenate([first, replace(second, comments=None)])
    assert both.query_ids.tolist() == ["q0", "q1", "p0"]
    assert both.query_offsets.tolist() == [0, 2, 3, 6]
    assert both.labels.tolist() == [0, 1, 2, 0, 1, 2]
    assert both.comments is not None
    assert list(both.comments)[-4:] == ["docid = q1-2", "", "", ""]
    assert concatenate([replace(first, comments=None), replace(second, comments=None)]).comments is None


def test_concatenation_undoes_selection() -> None:
    data = example()
    again = concatenate([data.select_queries([0]), data.select_queries([1, 2])])
    assert again.features.tobytes() == data.features.tobytes()
    assert again.source == data.source
    assert list(again.comments or []) == list(data.comments or [])


def test_joint_source_tells_of_all_parts() -> None:
    first = example((1,))
    second = replace(example((1,), prefix="p"), source=Source("example", "Fold1/vali", "cd" * 32))
    standin = replace(example((1,), prefix="r"), source=Source("standin/x", "", None, standin=True))
    source = concatenate([first, second]).source
    assert (source.name, source.part, source.standin) == ("example", "Fold1/train+Fold1/vali", False)
    assert source.sha256 not in (None, first.source.sha256, second.source.sha256)
    assert source.sha256 != concatenate([second, first]).source.sha256
    mixed = concatenate([first, standin]).source
    assert (mixed.name, mixed.sha256, mixed.standin) == ("example+standin/x", None, True)


def test_impossible_concatenations_are_refused() -> None:
    with pytest.raises(UsageError, match="different numbers of features"):
        concatenate([example(), example(prefix="p", n_features=3)])
    with pytest.raises(UsageError, match="two queries"):
        concatenate([example(), example()])
    with pytest.raises(UsageError, match="nothing"):
        concatenate([])


@given(st.lists(st.text()), st.data())
def test_text_column_keeps_texts(texts: list[str], data: st.DataObject) -> None:
    texts = [text.encode(errors="replace").decode() for text in texts]
    column = TextColumn.from_strings(texts)
    assert list(column) == texts
    assert [column[i] for i in range(-len(texts), len(texts))] == texts + texts
    rows = data.draw(st.lists(st.integers(0, len(texts) - 1))) if texts else []
    assert list(column.take(np.array(rows, np.int64))) == [texts[row] for row in rows]
    with pytest.raises(IndexError):
        column[len(texts)]


def test_text_column_refuses_wrong_offsets() -> None:
    blob = np.frombuffer(b"abc", np.uint8)
    for offsets in ([0, 2], [1, 3], [0, 2, 1, 3], []):
        with pytest.raises(UsageError):
            TextColumn(blob, np.array(offsets, np.int64))


def test_container_survives_pickling() -> None:
    data = pickle.loads(pickle.dumps(example()))
    assert data.doc_ids.tolist()[-1] == "q2-5"
    assert data.source == example().source
