"""Recorded results: a tidy table under ``data/results/`` beside a file that says how it was made.

A record is two files, ``<name>.csv`` or ``<name>.parquet`` and ``<name>.provenance.json``. The second holds the
sha256 of the first, so a table cannot be paired with the wrong provenance.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from ltrlib.errors import RecordError
from ltrlib.project import project_data, shown_path
from ltrlib.records import observed
from ltrlib.records.definitions import Code, changes, find_code
from ltrlib.records.provenance import SCHEMA, packed, provenance_path, provenance_text, read_provenance, unpacked
from ltrlib.records.source import Source
from ltrlib.records.table_file import KINDS, decode, encode, kinds_of, sha256, write_both

__all__ = ["Record", "Table", "read_any", "read_record", "write_record"]

_NAME = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*(?:/[a-z0-9]+(?:[-_.][a-z0-9]+)*)*")


@dataclass(frozen=True)
class Table:
    """A recorded table, declared once: its name, its columns, and what makes it.

    Parameters
    ----------
    name
        Such as ``"koppel2019/grid"``: lower case, with folders.
    columns
        Names and kinds of all columns, in order: ``str``, ``int``, ``float``, ``bool``, and ``measured`` for seconds
        and memory, which differ from run to run.
    maker
        The definition that makes it, ``module:name``; not imported until somebody makes the record.
    form
        CSV for small tables that people read, Parquet for large ones.

    Examples
    --------
    >>> Table("example/squares", {"x": "int", "y": "int"}, maker="ltrlib.example:SQUARES").short
    'squares'
    """

    name: str
    columns: Mapping[str, str] = field(hash=False)
    maker: str
    form: Literal["csv", "parquet"] = "csv"

    def __post_init__(self) -> None:
        _check_name(self.name)

    @property
    def short(self) -> str:
        """The name without its folder."""
        return self.name.rpartition("/")[2]

    @property
    def compared(self) -> list[str]:
        """The columns that are the same whenever and wherever the record is made."""
        return [name for name, kind in self.columns.items() if kind != "measured"]

    def read(self, *, folder: Path | None = None) -> Record:
        """Read the recorded table; an error says how to make it if it is not there."""
        return read_record(self.name, self.columns, maker=[self.maker], folder=folder)

    def typed(self, rows: pd.DataFrame) -> pd.DataFrame:
        """The columns of the record, in order and of the declared kinds.

        Examples
        --------
        >>> table = Table("example/squares", {"x": "int", "y": "float"}, maker="ltrlib.example:SQUARES")
        >>> table.typed(pd.DataFrame({"y": [4], "x": [2], "z": [0]})).to_dict("records")
        [{'x': 2, 'y': 4.0}]
        """
        return (
            rows[list(self.columns)].astype({c: KINDS[kind] for c, kind in self.columns.items()}).reset_index(drop=True)
        )


@dataclass(frozen=True, eq=False)
class Record:
    """A recorded table and how it was made.

    Parameters
    ----------
    name
        Such as ``"counts/mq2008"``.
    table
        The results.
    provenance
        The content of the provenance file.
    maker
        Where its code begins today; where it began when it was made, if not given.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = pd.DataFrame({"part": ["a"], "value": [3]})
    ...     record = write_record("example", table, maker=["ltrlib.errors"], work=0.1, folder=Path(folder))
    ...     read_record("example", {"part": "str", "value": "int"}, folder=Path(folder)).is_stale
    False
    """

    name: str
    table: pd.DataFrame
    provenance: Mapping[str, Any]
    maker: tuple[str, ...] = ()

    @property
    def sources(self) -> tuple[Source, ...]:
        """The data from which the results were computed."""
        return tuple(Source(**source) for source in self.provenance["data"])

    @property
    def standin(self) -> bool:
        """Whether any of that data only resembles the real one."""
        return any(source.standin for source in self.sources)

    @property
    def work(self) -> float:
        """Seconds of processor time that it took."""
        return float(self.provenance["work_s"])

    @property
    def fingerprint(self) -> str:
        """Fingerprint of the code that made the record."""
        return str(self.provenance["code"]["fingerprint"])

    @property
    def code(self) -> Code:
        """The code that would make it today."""
        return find_code(*(self.maker or self.provenance["code"]["maker"]))

    @property
    def is_stale(self) -> bool:
        """Whether that code, or a file that it reads, has changed since."""
        return bool(self.changes())

    @property
    def repeated(self) -> tuple[int, int, str] | None:
        """How many of its pieces later code has done again with equal results, of how many, and when."""
        proof = self.provenance.get("repeated")
        return (int(proof["pieces"]), int(proof["of"]), str(proof["on"])) if proof else None

    def changes(self) -> list[str]:
        """Say which definitions and input files are not as they were when the record was made.

        If pieces of it were done again later, and gave the same, the definitions of that day count.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     table = pd.DataFrame({"part": ["a"], "value": [3]})
        ...     record = write_record("example", table, maker=["ltrlib.compiled"], work=0.1, folder=Path(folder))
        >>> record.changes()
        []
        >>> noted = {"ltrlib.compiled": "compiled:00000000"}
        >>> code = record.provenance["code"] | {"fingerprint": "0", "definitions": noted}
        >>> "ltrlib.compiled.compiled" in Record("example", table, record.provenance | {"code": code}).changes()
        True
        """
        changed = observed.changed_inputs(self.provenance["inputs"])
        try:
            now = self.code
        except RecordError as error:
            return [*changed, error.what]
        known = self.provenance.get("repeated", self.provenance)["code"]
        if now.fingerprint != known["fingerprint"]:
            changed += changes(unpacked(known["definitions"]), now.definitions) or ["what calls what"]
        return changed

    def state(self) -> str:
        """One sentence: whether the code behind it is still the same, or gives the same.

        Examples
        --------
        >>> read_any("counts/mq2008").state()
        'The code is still the same.'
        """
        if self.is_stale:
            return "The code has changed since."
        if self.repeated is None:
            return "The code is still the same."
        pieces, of, on = self.repeated
        same = f"{pieces} of {of} pieces are equal bit by bit"
        return f"The code has changed since; done again with it on {on[:10]}, {same}."

    def describe(self) -> str:
        """One paragraph for the page: what was read, from which data, when and where it was made, and if it is stale.

        Examples
        --------
        >>> record = Record("example", pd.DataFrame({"value": [1, 2]}), {
        ...     "made": "2026-01-31T12:00:00+00:00", "data": [], "inputs": {}, "work_s": 75.0, "seeds": [1, 2],
        ...     "code": {"maker": ["ltrlib.compiled"], "fingerprint": "0", "definitions": {}},
        ...     "command": "ltrlib example", "parameters": {}, "machine": {"cpu": "a CPU"}})
        >>> print(record.describe())
        Recorded result example: 2 rows, made on 2026-01-31 in 1 min 15 s on a CPU, seeds 1, 2. The code has changed
        since; to make it again: ltrlib example
        """
        made = self.provenance
        names = dict.fromkeys(f"{source.name} (stand-in)" if source.standin else source.name for source in self.sources)
        parts = [f"Recorded result {self.name}: {len(self.table)} rows"]
        if names:
            parts.append(f" from {', '.join(names)}")
        parts.append(f", made on {made['made'][:10]} in {duration(self.work)}")
        if cpu := made["machine"].get("cpu"):
            parts.append(f" on {cpu}")
        if made["parameters"]:
            parts.append(", " + ", ".join(f"{key} = {value}" for key, value in made["parameters"].items()))
        if made["seeds"]:
            parts.append(f", seeds {', '.join(map(str, made['seeds']))}")
        state = self.state()
        if self.is_stale and made["command"]:
            state = f"{state.removesuffix('.')}; to make it again: {made['command']}"
        return f"{''.join(parts)}. {state}"


def write_record(
    name: str,
    table: pd.DataFrame,
    *,
    maker: Sequence[str],
    work: float,
    data: Sequence[Source] = (),
    inputs: Mapping[str, str] | None = None,
    parameters: Mapping[str, Any] | None = None,
    seeds: Sequence[int] = (),
    command: str = "",
    pieces: Mapping[str, str] | None = None,
    kinds: Mapping[str, str] | None = None,
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
    maker
        Where the code that decides the numbers begins: ``module:name``, or a module.
    work
        Seconds of processor time that it took.
    data
        Where the data came from, with digests.
    inputs
        What else it read, each with its state.
    parameters, seeds
        What was chosen; JSON values only.
    command
        What to run to make it again.
    pieces
        Digest of the result of each piece of work, by the key of the piece.
    kinds
        Kinds of the columns, when they say more than the table does.
    form
        CSV for small tables that people read, Parquet for large ones.
    folder
        ``data/results/`` if not given.

    Examples
    --------
    >>> write_record("Bad name", pd.DataFrame({"a": [1]}), maker=[], work=0)
    Traceback (most recent call last):
    ...
    ltrlib.errors.RecordError: not a valid record name: 'Bad name'
      to do: use lower case, digits, hyphens, and / for folders
    """
    _check_name(name)
    found = kinds_of(table, name)
    content = encode(table, form)
    base = (project_data("results") if folder is None else folder) / name
    path = base.with_name(f"{base.name}.{form}")
    code = find_code(*maker)
    columns = dict(kinds or found)
    provenance = {
        "schema": SCHEMA,
        "name": name,
        "table": {"file": path.name, "sha256": sha256(content), "rows": len(table), "columns": columns},
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": command,
        "data": [asdict(source) for source in data],
        "inputs": dict(inputs or {}),
        "code": {"maker": list(maker), "fingerprint": code.fingerprint, "definitions": packed(code.definitions)},
        "parameters": dict(parameters or {}),
        "seeds": list(seeds),
        "work_s": round(work, 3),
        **observed.environment(),
    }
    if pieces:
        provenance["pieces"] = " ".join(f"{key}:{digest}" for key, digest in pieces.items())
    text = provenance_text(provenance)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_both(path, content, provenance_path(base), text.encode())
    base.with_name(f"{base.name}.{'parquet' if form == 'csv' else 'csv'}").unlink(missing_ok=True)
    return Record(name, table.copy(), json.loads(text), tuple(maker))


def read_record(
    name: str, columns: Mapping[str, str], *, maker: Sequence[str] = (), folder: Path | None = None
) -> Record:
    """Read a record, or refuse it: its hash and its columns must be what is expected.

    Parameters
    ----------
    name
        Such as ``"counts/mq2008"``.
    columns
        Names and kinds of all columns, in order.
    maker
        Where its code begins today.
    folder
        ``data/results/`` if not given.

    Examples
    --------
    >>> read_record("no/such", {"value": "int"})
    Traceback (most recent call last):
    ...
    ltrlib.errors.RecordError: data/results/no/such.provenance.json: there is no record no/such
      to do: ltrlib record no/such makes it, if the name is right
    """
    _check_name(name)
    base = (project_data("results") if folder is None else folder) / name
    provenance = read_provenance(base, name)
    again = f"make it again: {provenance['command']}" if provenance["command"] else "make it again"
    path = base.with_name(provenance["table"]["file"])
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise RecordError("the table of the record is missing", where=shown_path(path), cure=again) from None
    if sha256(content) != provenance["table"]["sha256"]:
        raise RecordError(
            "the table is not the one that was recorded (its sha256 differs)", where=shown_path(path), cure=again
        )
    found = provenance["table"]["columns"]
    if [*found] != [*columns] or any(KINDS.get(found[c]) != KINDS[kind] for c, kind in columns.items()):
        raise RecordError(
            f"the columns are {found}, but {dict(columns)} are needed", where=shown_path(path), cure=again
        )
    return Record(name, decode(content, path, columns), provenance, tuple(maker))


def read_any(name: str, *, folder: Path | None = None) -> Record:
    """Read a record with the columns that it has, for a reader who may not import its declaration.

    Parameters
    ----------
    name
        Such as ``"counts/mq2008"``.
    folder
        ``data/results/`` if not given.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = pd.DataFrame({"part": ["a"], "value": [3]})
    ...     _ = write_record("example", table, maker=["ltrlib.errors"], work=0.1, folder=Path(folder))
    ...     read_any("example", folder=Path(folder)).table.to_dict("records")
    [{'part': 'a', 'value': 3}]
    """
    _check_name(name)
    base = (project_data("results") if folder is None else folder) / name
    return read_record(name, read_provenance(base, name)["table"]["columns"], folder=folder)


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise RecordError(
            f"not a valid record name: {name!r}", cure="use lower case, digits, hyphens, and / for folders"
        )


def duration(seconds: float) -> str:
    """A length of time in the units that fit it.

    Examples
    --------
    >>> duration(4.2), duration(75), duration(7500)
    ('4.2 s', '1 min 15 s', '2 h 5 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{seconds:.1f} s"
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {whole % 60} s"
