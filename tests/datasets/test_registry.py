"""The registry is complete and adds up, agrees with published totals, and a mistake in it is told with its place."""

from __future__ import annotations

import copy
import os
import pickle
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from ltrlib.datasets.locate import find_or_none
from ltrlib.datasets.registry import dataset, datasets, names, read_registry
from ltrlib.errors import RecordError, UsageError
from ltrlib.project import project_data

FIVE_FOLDS = ["mq2008", "mq2007", "ohsumed", "mslr-web10k", "mslr-web30k"]


def test_every_promised_data_set_is_there() -> None:
    assert set(names()) == {
        *FIVE_FOLDS,
        *("mslr-web10k-sample", "yahoo-set1", "yahoo-set2", "clueweb09-ltr", "lightgbm-example", "trec-news-2018"),
        "catboost-querywise",
    }


@pytest.mark.parametrize("name", FIVE_FOLDS)
def test_folds_rotate_as_letor_says(name: str) -> None:
    """Fold k validates on what fold k - 1 tests on, and trains on the three sections that are left."""
    parts = dataset(name).parts
    for fold in range(1, 6):
        earlier = parts[f"Fold{fold - 1 or 5}/test"]
        own = parts[f"Fold{fold}/vali"]
        assert (own.expected.rows, own.expected.queries, own.sha256) == (
            *(earlier.expected.rows, earlier.expected.queries),
            earlier.sha256,
        )
        queries = [parts[f"Fold{fold}/{role}"].expected.queries for role in ("train", "vali", "test")]
        assert sum(number or 0 for number in queries) == dataset(name).expected.queries


def test_yahoo_adds_up_to_the_totals_of_the_challenge_paper() -> None:
    """Chapelle and Chang's Table 1 has 36,251 queries and 883k documents, and Table 2 the two sets."""
    sets = [dataset("yahoo-set1").expected, dataset("yahoo-set2").expected]
    assert sum(expected.queries or 0 for expected in sets) == 36_251
    assert round(sum(expected.rows or 0 for expected in sets), -3) == 883_000


def test_what_was_counted_has_checksums_and_what_was_published_has_a_source() -> None:
    for entry in datasets().values():
        if entry.expected.source == "counted":
            assert all(digest for part in entry.parts.values() for _, digest in part.known_files()), entry.name
        else:
            assert entry.expected.by, entry.name


def test_entries_survive_the_way_to_another_process() -> None:
    assert pickle.loads(pickle.dumps(dataset("mq2008"))) == dataset("mq2008")


@pytest.mark.realdata
@pytest.mark.parametrize("name", ["mq2008", "ohsumed"])
def test_counts_agree_with_a_plain_count_of_the_real_files(name: str) -> None:
    """An independent count, without the reader: split lines, group by query."""
    place = find_or_none(name)
    if place is None:
        pytest.skip(f"{name} is not on this machine")
    entry, sizes, labels, empty = dataset(name), Counter[str](), Counter[int](), 0
    for part in entry.once:
        best: dict[str, int] = {}
        for line in place.files[part].read_text().splitlines():
            label, query = line.split(maxsplit=2)[:2]
            sizes[query] += 1
            labels[int(label)] += 1
            best[query] = max(best.get(query, 0), int(label))
        empty += sum(value == 0 for value in best.values())
    expected = entry.expected
    assert (sum(sizes.values()), len(sizes), empty) == (expected.rows, expected.queries, expected.empty)
    assert labels == expected.labels
    short = {k: n for k in range(1, 11) if (n := sum(size < k for size in sizes.values()))}
    assert short == expected.shorter
    assert (min(sizes.values()), max(sizes.values())) == (expected.documents or ())[::2]


def test_an_unknown_name_gets_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"'mq2009'.*\n.*mq2008, mq2007"):
        dataset("mq2009")


def test_a_standin_is_not_in_the_registry() -> None:
    with pytest.raises(UsageError, match="generated, not downloaded"):
        dataset("standin/mq2008")


def test_every_standin_that_is_named_exists() -> None:
    from ltrlib.datasets import standins

    named = {entry.standin for entry in datasets().values()} - {""}
    assert named <= set(standins.names())
    for entry in datasets().values():
        if entry.standin:
            assert set(standins.parts(entry.standin)) == set(entry.parts), entry.name


def write(tmp_path: Path, tree: object) -> Path:
    path = tmp_path / "registry.yml"
    path.write_text(yaml.safe_dump(tree))
    return path


def spoil(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    *way, last = path.split(".")

    def change(tree: dict[str, Any]) -> None:
        for key in way:
            tree = tree[key]
        if value is None:
            del tree[last]
        else:
            tree[last] = value

    return change


MISTAKES = [
    ("title", None, "mq2008", "title must be a text, but is missing"),
    ("title", 3, "mq2008", "title must be a text"),
    ("colour", "red", "mq2008", "unknown: colour"),
    ("features", "46", "mq2008", "features must be a whole number"),
    ("features", True, "mq2008", "features must be a whole number"),
    ("dense", 1, "mq2008", "dense must be true or false"),
    ("page", "ftp://x", "mq2008", "page must be a web address"),
    ("folders", [], "mq2008", "folders must be a list of texts"),
    ("terms", "free", "mq2008: terms", "a mapping is needed here"),
    ("terms.long", "x", "mq2008: terms", "unknown: long"),
    ("once", ["Fold6/test"], "mq2008", "unknown parts: Fold6/test"),
    ("max_label", 1, "mq2008", "a label is above max_label"),
    ("download", {"x": "https://example.org/x"}, "mq2008", "download must name every file"),
    ("counts.source", "guessed", "mq2008: counts", "source must be counted or published"),
    ("counts.source", "published", "mq2008: counts", "who published"),
    ("counts.rows", 15212, "mq2008: counts", "does not add up"),
    ("counts.queries", 785, "mq2008", "784 queries together, not 785"),
    ("counts.empty", -1, "mq2008: counts", "empty is negative"),
    ("counts.shorter", {9: 5, 10: 4}, "mq2008: counts", "must not fall"),
    ("counts.labels", {"0": 15211}, "mq2008: counts: labels", "whole numbers"),
    ("counts.documents", [1, 2], "mq2008: counts", "minimum, median, maximum"),
    ("parts.Fold1/dev", {}, "mq2008: parts: Fold1/dev", "ends in one of train, vali"),
    ("parts.Fold1/test.sha256", "abc", "mq2008: parts: Fold1/test", "64 hexadecimal digits"),
    ("parts.Fold1/test.row", 1, "mq2008: parts: Fold1/test", "unknown: row"),
    ("parts.Fold1/test.rows", 2875, "mq2008: parts: Fold1/test", "does not add up"),
]


@pytest.mark.parametrize(("path", "value", "where", "what"), MISTAKES)
def test_a_mistake_is_told_with_its_place(tmp_path: Path, path: str, value: Any, where: str, what: str) -> None:
    whole = yaml.safe_load(project_data("registry.yml").read_text())
    tree = {"schema": 1, "datasets": {"mq2008": copy.deepcopy(whole["datasets"]["mq2008"])}}
    assert read_registry(write(tmp_path, tree))
    spoil(f"datasets.mq2008.{path}", value)(tree)
    (tmp_path / "spoilt").mkdir()
    with pytest.raises(RecordError) as error:
        read_registry(write(tmp_path / "spoilt", tree))
    file, _, place = str(error.value.where).rpartition(" ")
    assert place == f"datasets.{where.replace(': ', '.')}"
    path_of_file, _, line = file.rpartition(":")
    assert Path(path_of_file).name == "registry.yml"
    names = place.split(".")
    assert any(name in Path(path_of_file).read_text().splitlines()[int(line) - 1] for name in names[-2:])
    assert what in error.value.what


@pytest.mark.parametrize("text", ["", "[]", "schema: 2\ndatasets: {}", "a: [", "\t", "schema: 1", "datasets: {x: 1}"])
def test_what_is_no_registry_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "registry.yml").write_text(text)
    with pytest.raises(RecordError, match=r"registry\.yml"):
        read_registry(tmp_path / "registry.yml")


def test_a_registry_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="the file is missing"):
        read_registry(tmp_path / f"none{os.sep}registry.yml")
