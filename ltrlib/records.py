"""Recorded results: a tidy table under ``data/results/`` beside a file that says how it was made.

A record is two files, ``<name>.csv`` or ``<name>.parquet`` and ``<name>.provenance.json``. The second holds the
sha256 of the first, so that a table is never read with another one's story.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from ltrlib import provenance
from ltrlib.atomic import new_file
from ltrlib.datasets.container import Source
from ltrlib.errors import RecordError
from ltrlib.project import ROOT, project_data

__all__ = ["Record", "read_record", "write_record"]

SCHEMA = 1
_KINDS = {"str": "str", "int": "int64", "float": "float64", "bool": "bool"}
_NAME = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*(?:/[a-z0-9]+(?:[-_.][a-z0-9]+)*)*")
_STORY: Mapping[str, type | tuple[type, ...]] = {
    "schema": int,
    "name": str,
    "table.file": str,
    "table.sha256": str,
    "table.columns": dict,
    "made": str,
    "command": str,
    "data": list,
    "code.modules": list,
    "code.fingerprint": str,
    "parameters": dict,
    "seeds": list,
    "wall_time_s": (int, float),
    "versions": dict,
    "machine": dict,
}


@dataclass(frozen=True, eq=False)
class Record:
    """A recorded table and how it was made.

    Parameters
    ----------
    name
        Such as ``"counts/mq2008"``.
    table
        The results.
    story
        The content of the provenance file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = pd.DataFrame({"part": ["a"], "value": [3]})
    ...     record = write_record("example", table, modules=["ltrlib.errors"], wall_time=0.1, folder=Path(folder))
    ...     read_record("example", {"part": "str", "value": "int"}, folder=Path(folder)).is_stale
    False
    """

    name: str
    table: pd.DataFrame
    story: Mapping[str, Any]

    @property
    def sources(self) -> tuple[Source, ...]:
        """The data from which the results were computed."""
        return tuple(Source(**source) for source in self.story["data"])

    @property
    def standin(self) -> bool:
        """Whether any of that data only resembles the real one."""
        return any(source.standin for source in self.sources)

    @property
    def fingerprint(self) -> str:
        """Fingerprint of the code that made the record."""
        return str(self.story["code"]["fingerprint"])

    @property
    def is_stale(self) -> bool:
        """Whether that code has changed since."""
        return provenance.fingerprint(self.story["code"]["modules"]) != self.fingerprint

    def describe(self) -> str:
        """One paragraph for the page: what was read, from which data, when and where it was made, and if it is stale.

        Examples
        --------
        >>> record = Record("example", pd.DataFrame({"value": [1, 2]}), {
        ...     "made": "2026-01-31T12:00:00+00:00", "data": [], "wall_time_s": 75.0, "seeds": [1, 2],
        ...     "code": {"modules": ["ltrlib.errors"], "fingerprint": "0"}, "command": "ltrlib example",
        ...     "parameters": {}, "machine": {"cpu": "a CPU"}})
        >>> print(record.describe())
        Recorded result example: 2 rows, made on 2026-01-31 in 1 min 15 s on a CPU, seeds 1, 2. The code has changed
        since; to make it again: ltrlib example
        """
        names = dict.fromkeys(f"{source.name} (stand-in)" if source.standin else source.name for source in self.sources)
        parts = [f"Recorded result {self.name}: {len(self.table)} rows"]
        if names:
            parts.append(f" from {', '.join(names)}")
        parts.append(f", made on {self.story['made'][:10]} in {_duration(self.story['wall_time_s'])}")
        if cpu := self.story["machine"].get("cpu"):
            parts.append(f" on {cpu}")
        if self.story["parameters"]:
            parts.append(", " + ", ".join(f"{key} = {value}" for key, value in self.story["parameters"].items()))
        if self.story["seeds"]:
            parts.append(f", seeds {', '.join(map(str, self.story['seeds']))}")
        again = f"; to make it again: {self.story['command']}" if self.story["command"] else ""
        state = f"The code has changed since{again}" if self.is_stale else "The code is still the same."
        return f"{''.join(parts)}. {state}"


def write_record(
    name: str,
    table: pd.DataFrame,
    *,
    modules: Sequence[str],
    wall_time: float,
    data: Sequence[Source] = (),
    parameters: Mapping[str, Any] | None = None,
    seeds: Sequence[int] = (),
    command: str = "",
    form: Literal["csv", "parquet"] = "csv",
    folder: Path | None = None,
) -> Record:
    """Write a table with its provenance; after an error neither file has changed.

    Parameters
    ----------
    name
        Lower case, with folders: ``"busafekete2012/curves"``.
    table
        Columns of text, whole numbers, floats or booleans, and no index.
    modules
        Modules of ltrlib whose code decides the numbers.
    wall_time
        Seconds that it took.
    data
        Where the data came from, with digests.
    parameters, seeds
        What was chosen; JSON values only.
    command
        What to run to make it again.
    form
        CSV for small tables that people read, Parquet for large ones.
    folder
        ``data/results/`` if not given.

    Examples
    --------
    >>> write_record("Bad name", pd.DataFrame({"a": [1]}), modules=[], wall_time=0)
    Traceback (most recent call last):
    ...
    ltrlib.errors.RecordError: 'Bad name' is no name of a record
      to do: use lower case, digits, hyphens, and / for folders
    """
    _check_name(name)
    kinds = _kinds_of(table, name)
    content = _encode(table, form)
    base = (project_data("results") if folder is None else folder) / name
    path = base.with_name(f"{base.name}.{form}")
    story = {
        "schema": SCHEMA,
        "name": name,
        "table": {"file": path.name, "sha256": _sha256(content), "rows": len(table), "columns": kinds},
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": command,
        "data": [asdict(source) for source in data],
        "code": {"modules": sorted(modules), "fingerprint": provenance.fingerprint(modules)},
        "parameters": dict(parameters or {}),
        "seeds": list(seeds),
        "wall_time_s": round(wall_time, 3),
        **provenance.environment(),
    }
    try:
        text = json.dumps(story, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    except (TypeError, ValueError) as error:
        raise RecordError(f"the parameters of {name} are not JSON: {error}", cure="use numbers and text") from None
    path.parent.mkdir(parents=True, exist_ok=True)
    _write_both(path, content, _story_path(base), text.encode())
    base.with_name(f"{base.name}.{'parquet' if form == 'csv' else 'csv'}").unlink(missing_ok=True)
    return Record(name, table.copy(), json.loads(text))


def read_record(name: str, columns: Mapping[str, str], *, folder: Path | None = None) -> Record:
    """Read a record, or refuse it: its hash and its columns must be what is expected.

    Parameters
    ----------
    name
        Such as ``"counts/mq2008"``.
    columns
        Names and kinds (``str``, ``int``, ``float``, ``bool``) of all columns, in order.
    folder
        ``data/results/`` if not given.

    Examples
    --------
    >>> read_record("no/such", {"value": "int"})
    Traceback (most recent call last):
    ...
    ltrlib.errors.RecordError: data/results/no/such.provenance.json: there is no record no/such
      to do: run what makes it, or check the name
    """
    _check_name(name)
    base = (project_data("results") if folder is None else folder) / name
    story = _read_story(base, name)
    again = f"make it again: {story['command']}" if story["command"] else "make it again"
    path = base.with_name(story["table"]["file"])
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise RecordError("the table of the record is missing", where=_shown(path), cure=again) from None
    if _sha256(content) != story["table"]["sha256"]:
        raise RecordError(
            "the table is not the one that was recorded (its sha256 differs)", where=_shown(path), cure=again
        )
    if (found := story["table"]["columns"]) != dict(columns) or list(found) != list(columns):
        raise RecordError(f"the columns are {found}, but {dict(columns)} are needed", where=_shown(path), cure=again)
    return Record(name, _decode(content, path, columns), story)


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise RecordError(f"{name!r} is no name of a record", cure="use lower case, digits, hyphens, and / for folders")


def _story_path(base: Path) -> Path:
    return base.with_name(f"{base.name}.provenance.json")


def _read_story(base: Path, name: str) -> dict[str, Any]:
    path = _story_path(base)
    try:
        story = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        cure = "run what makes it, or check the name"
        raise RecordError(f"there is no record {name}", where=_shown(path), cure=cure) from None
    except ValueError as error:
        raise RecordError(f"not JSON: {error}", where=_shown(path), cure="make the record again") from None
    if not isinstance(story, dict) or story.get("schema") != SCHEMA:
        raise RecordError(f"not a provenance file of schema {SCHEMA}", where=_shown(path), cure="make the record again")
    for key, kind in _STORY.items():
        if not isinstance(_at(story, key), kind):
            raise RecordError(f"{key} is missing or of a wrong kind", where=_shown(path), cure="make the record again")
    known = {field.name for field in fields(Source)}
    if not all(isinstance(source, dict) and source.keys() == known for source in story["data"]):
        raise RecordError(
            "the data are not described as they should be", where=_shown(path), cure="make the record again"
        )
    if story["name"] != name:
        raise RecordError(
            f"this is the record {story['name']}, not {name}", where=_shown(path), cure="do not rename records"
        )
    if Path(story["table"]["file"]).name != story["table"]["file"]:
        raise RecordError("the table lies in another folder", where=_shown(path), cure="make the record again")
    return story


def _at(story: object, key: str) -> object:
    for name in key.split("."):
        story = story.get(name) if isinstance(story, dict) else None
    return story


def _kinds_of(table: pd.DataFrame, name: str) -> dict[str, str]:
    if not isinstance(table.index, pd.RangeIndex) or table.index.start != 0 or table.index.step != 1:
        raise RecordError(f"the table of {name} has an index", cure="call reset_index() first")
    kinds = {}
    for column, values in table.items():
        kind = next((kind for kind, dtype in _KINDS.items() if str(values.dtype) == dtype), None)
        if not isinstance(column, str) or kind is None:
            raise RecordError(f"column {column!r} of {name} is {values.dtype}", cure=f"use {', '.join(_KINDS)}")
        if kind == "str" and bool((values.isna() | (values == "")).any()):
            raise RecordError(f"column {column!r} of {name} has blank cells", cure="write a word for what is missing")
        kinds[column] = kind
    return kinds


def _encode(table: pd.DataFrame, form: str) -> bytes:
    buffer = io.BytesIO()
    if form == "csv":
        table.to_csv(buffer, index=False, lineterminator="\n")
    else:
        table.to_parquet(buffer, index=False, compression="zstd")
    return buffer.getvalue()


def _decode(content: bytes, path: Path, columns: Mapping[str, str]) -> pd.DataFrame:
    try:
        dtypes = {column: _KINDS[kind] for column, kind in columns.items()}
        if path.suffix == ".parquet":
            return pd.read_parquet(io.BytesIO(content)).astype(dtypes)
        texts = [column for column, kind in columns.items() if kind == "str"]
        # "NA" is a word in a text column; only numbers may be missing.
        missing = {column: [""] for column in columns if column not in texts}
        return pd.read_csv(io.BytesIO(content), dtype=dtypes, keep_default_na=False, na_values=missing)
    except (ValueError, OSError) as error:
        raise RecordError(f"the table does not fit its columns: {error}", where=_shown(path)) from None


def _write_both(path: Path, content: bytes, story_path: Path, story: bytes) -> None:
    """Put both files in place or leave both; what a crash in between leaves is found by the hash on reading."""
    before = path.read_bytes() if path.exists() else None
    try:
        with new_file(story_path) as story_file:
            story_file.write(story)
            with new_file(path) as table_file:
                table_file.write(content)
    except BaseException:
        if before is None:
            path.unlink(missing_ok=True)
        else:
            path.write_bytes(before)
        raise


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _shown(path: Path) -> str:
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return f"{seconds:.1f} s"
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {whole % 60} s"
