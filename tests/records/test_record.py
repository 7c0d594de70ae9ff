"""Recorded results: nothing is half written, nothing is read that is not what it says."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ltrlib.datasets.container import Source
from ltrlib.errors import RecordError
from ltrlib.records import observed
from ltrlib.records.definitions import Code
from ltrlib.records.record import Record, read_record, write_record


@pytest.fixture(autouse=True)
def quick_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking up the versions of all packages takes longer than everything else here; once is enough."""
    monkeypatch.setattr("ltrlib.records.observed.environment", lambda: ENVIRONMENT)


ENVIRONMENT = observed.environment()
COLUMNS = {"part": "str", "n": "int", "score": "float", "ok": "bool"}


def table() -> pd.DataFrame:
    return pd.DataFrame({"part": ["a", "NA"], "n": [1, -2], "score": [0.1 + 0.2, math.nan], "ok": [True, False]})


def write(folder: Path, frame: pd.DataFrame | None = None, name: str = "study/runs", **options: Any) -> Record:
    chosen: dict[str, Any] = {
        "maker": ["ltrlib.compiled"],
        "work": 12.5,
        "data": [Source("mq2008", "Fold1/test", "ab" * 32)],
        "parameters": {"trees": 10},
        "seeds": [1, 2],
        "command": "ltrlib sweep study",
    } | options
    return write_record(name, table() if frame is None else frame, folder=folder, **chosen)


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_what_is_written_is_read(tmp_path: Path, form: str) -> None:
    write(tmp_path, form=form)
    record = read_record("study/runs", COLUMNS, folder=tmp_path)
    pd.testing.assert_frame_equal(record.table, table())
    assert record.sources == (Source("mq2008", "Fold1/test", "ab" * 32),)
    assert not record.standin
    assert not record.is_stale
    assert sorted(path.name for path in (tmp_path / "study").iterdir()) == [f"runs.{form}", "runs.provenance.json"]


FINITE = st.floats(allow_nan=True, allow_infinity=False)
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\r\x00"), min_size=1)


@pytest.mark.parametrize("form", ["csv", "parquet"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50, deadline=None)
@given(rows=st.lists(st.tuples(TEXT, st.integers(-(2**63), 2**63 - 1), FINITE, st.booleans()), min_size=1, max_size=6))
def test_every_value_survives(tmp_path: Path, form: str, rows: list[tuple[str, int, float, bool]]) -> None:
    frame = pd.DataFrame(rows, columns=list(COLUMNS)).astype({"part": "str"})
    write(tmp_path, frame, form=form)
    pd.testing.assert_frame_equal(read_record("study/runs", COLUMNS, folder=tmp_path).table, frame, check_exact=True)


def test_the_provenance_is_complete(tmp_path: Path) -> None:
    write(tmp_path)
    provenance = json.loads((tmp_path / "study" / "runs.provenance.json").read_text())
    assert provenance["schema"] == 2
    assert provenance["table"]["columns"] == COLUMNS
    assert provenance["table"]["rows"] == 2
    assert len(provenance["table"]["sha256"]) == 64
    assert provenance["parameters"] == {"trees": 10}
    assert provenance["seeds"] == [1, 2]
    assert provenance["work_s"] == 12.5
    assert provenance["data"][0]["sha256"] == "ab" * 32
    assert "python" in provenance["versions"]
    assert "cpu" in provenance["machine"]
    assert provenance["code"]["maker"] == ["ltrlib.compiled"]
    assert "compiled:" in provenance["code"]["definitions"]["ltrlib.compiled"]


def test_the_page_is_told_what_was_read(tmp_path: Path) -> None:
    words = write(tmp_path).describe()
    for part in ("study/runs: 2 rows from mq2008", "in 12.5 s", "trees = 10", "seeds 1, 2", "still the same"):
        assert part in words
    standin = write(tmp_path, data=[Source("standin/mq2008", standin=True)])
    assert standin.standin
    assert "standin/mq2008 (stand-in)" in standin.describe()


def test_changed_code_makes_a_record_stale_but_readable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path)
    monkeypatch.setattr("ltrlib.records.record.find_code", lambda *maker: Code("other", {"ltrlib.x": {"f": "0"}}))
    record = read_record("study/runs", COLUMNS, folder=tmp_path)
    assert record.is_stale
    assert "ltrlib.x.f" in record.changes()
    assert "The code has changed since; to make it again: ltrlib sweep study" in record.describe()


@pytest.mark.parametrize(
    ("columns", "what"),
    [
        ({"part": "str"}, "the columns are"),
        (COLUMNS | {"n": "float"}, "the columns are"),
        (dict(reversed(COLUMNS.items())), "the columns are"),
    ],
)
def test_another_schema_is_refused_with_the_cure(tmp_path: Path, columns: dict[str, str], what: str) -> None:
    write(tmp_path)
    with pytest.raises(RecordError, match=what) as caught:
        read_record("study/runs", columns, folder=tmp_path)
    assert caught.value.cure == "make it again: ltrlib sweep study"


def test_a_changed_table_is_refused(tmp_path: Path) -> None:
    write(tmp_path)
    path = tmp_path / "study" / "runs.csv"
    path.write_text(path.read_text().replace("1", "2", 1))
    with pytest.raises(RecordError, match="sha256 differs"):
        read_record("study/runs", COLUMNS, folder=tmp_path)
    path.unlink()
    with pytest.raises(RecordError, match="is missing"):
        read_record("study/runs", COLUMNS, folder=tmp_path)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda provenance: provenance.pop("seeds"), "seeds is missing"),
        (lambda provenance: provenance.update(schema=1), "schema 2"),
        (lambda provenance: provenance.update(name="other"), "this is the record other"),
        (lambda provenance: provenance["table"].update(file="../x.csv"), "another folder"),
        (lambda provenance: provenance["table"].pop("sha256"), r"table\.sha256 is missing"),
        (lambda provenance: provenance["code"].pop("fingerprint"), r"code\.fingerprint is missing"),
        (lambda provenance: provenance.update(code=[]), r"code\.maker is missing"),
        (lambda provenance: provenance["data"][0].pop("name"), "data"),
    ],
)
def test_a_changed_provenance_is_refused(tmp_path: Path, change: Any, what: str) -> None:
    write(tmp_path)
    path = tmp_path / "study" / "runs.provenance.json"
    provenance = json.loads(path.read_text())
    change(provenance)
    path.write_text(json.dumps(provenance))
    with pytest.raises(RecordError, match=what):
        read_record("study/runs", COLUMNS, folder=tmp_path)


def test_a_provenance_that_is_no_json_is_refused(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "study" / "runs.provenance.json").write_text("{")
    with pytest.raises(RecordError, match="not JSON"):
        read_record("study/runs", COLUMNS, folder=tmp_path)


@pytest.mark.parametrize("name", ["", "Big", "a b", "../a", "a//b", "a/", "/a", "a/.b"])
def test_names_stay_inside_the_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(RecordError, match="not a valid record name"):
        write(tmp_path, name=name)
    with pytest.raises(RecordError, match="not a valid record name"):
        read_record(name, COLUMNS, folder=tmp_path)


@pytest.mark.parametrize(
    ("frame", "what"),
    [
        (pd.DataFrame({"a": [1]}, index=[7]), "has an index"),
        (pd.DataFrame({"a": np.array([1, "x"], dtype=object)}), "is object"),
        (pd.DataFrame({"a": np.array([1], dtype=np.int32)}), "is int32"),
        (pd.DataFrame({3: [1]}), "column 3"),
        (pd.DataFrame({"a": ["x", ""]}), "blank cells"),
        (pd.DataFrame({"a": ["x", None]}, dtype="str"), "blank cells"),
    ],
)
def test_tables_that_would_not_come_back_are_refused(tmp_path: Path, frame: pd.DataFrame, what: str) -> None:
    with pytest.raises(RecordError, match=what):
        write(tmp_path, frame)
    assert not list(tmp_path.rglob("*.*"))


@pytest.mark.parametrize("parameters", [{"x": object()}, {"x": math.nan}])
def test_parameters_that_are_no_json_are_refused(tmp_path: Path, parameters: dict[str, Any]) -> None:
    with pytest.raises(RecordError, match="not JSON"):
        write(tmp_path, parameters=parameters)
    assert not list(tmp_path.rglob("*.*"))


@pytest.mark.parametrize("failing", ["runs.csv", "runs.provenance.json"])
@pytest.mark.parametrize("existing", [False, True])
def test_a_failure_leaves_both_files_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str, existing: bool
) -> None:
    if existing:
        write(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    original = Path.replace

    def replace(self: Path, target: Path) -> Path:
        if Path(target).name == failing:
            raise OSError("disk full")
        return original(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    with pytest.raises(OSError, match="disk full"):
        write(tmp_path, pd.DataFrame({"part": ["other"]}))
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before


def test_the_other_form_of_a_record_gives_way(tmp_path: Path) -> None:
    write(tmp_path, form="parquet")
    write(tmp_path, form="csv")
    assert sorted(path.name for path in (tmp_path / "study").iterdir()) == ["runs.csv", "runs.provenance.json"]


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.04, "0.0 s"), (59.4, "59.4 s"), (75, "1 min 15 s"), (7260, "2 h 1 min")]
)
def test_durations_read_well(tmp_path: Path, seconds: float, words: str) -> None:
    assert f" in {words} " in write(tmp_path, work=seconds).describe()
