"""Compare results with what is recorded: a record with its successor, or pieces that are done again."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd

from ltrlib.atomic import new_file
from ltrlib.errors import RecordError
from ltrlib.progress import progress
from ltrlib.project import project_data
from ltrlib.records import observed
from ltrlib.records.definitions import find_code
from ltrlib.records.making import Done, Run, digest_of, key_of
from ltrlib.records.pieces import finished, perform
from ltrlib.records.provenance import packed, provenance_path, provenance_text
from ltrlib.records.record import Record

__all__ = ["Checked", "check", "differences", "elsewhere", "note_repetition"]

_FEWEST, _SHARE = 5, 1 / 20
"""A proof by repetition needs as many pieces, and this share of all: they are drawn from everything alike."""


@dataclass
class Checked:
    """How a repeated run compares with what is recorded.

    Parameters
    ----------
    repeated
        How many pieces were done again.
    of
        How many pieces there are.
    unlike
        What differs, one line each.
    """

    repeated: int
    of: int
    unlike: list[str]


def check(run: Run, *, minutes: float = math.inf, folder: Path | None = None) -> Checked:
    """Do pieces of a run again, keep nothing, and compare them with the record, bit by bit.

    Pieces are taken in an order that mixes them, so that a part of the time checks a part of everything.

    Parameters
    ----------
    run
        What to check; one that measures time cannot be.
    minutes
        No piece begins later than this.
    folder
        Where the records are.
    """
    if run.measures:
        raise RecordError(f"{run.name} measures time: two runs never agree", cure="make it again and compare by eye")
    until = time.monotonic() + 60 * minutes
    records = {table: table.read(folder=folder) for table in run.tables}
    noted = next(iter(records.values())).provenance.get("pieces", "")
    digests = dict(item.split(":") for item in noted.split(" ")) if noted else {}
    pieces = list(run.pieces())
    done: dict[str, Done] = {}
    unlike: list[str] = []
    mixed = sorted(pieces, key=lambda piece: hashlib.sha256(key_of(piece).encode()).digest())
    for piece in progress(mixed, what=f"checking {run.name}", unit="piece"):
        if done and time.monotonic() >= until:
            break
        result, seconds, notes, _ = perform(run.do, piece)
        key = key_of(piece)
        done[key] = finished(run, piece, result, seconds, notes)
        if digests and digests.get(key) != digest_of(run, done[key]):
            unlike.append(f"{json.dumps(dict(piece), ensure_ascii=False)}: not what was recorded")
    if len(done) == len(pieces):
        tables = run.joined([done[key_of(piece)] for piece in pieces])
        for table, record in records.items():
            if how := differences(record.table, tables[table.short], table.compared):
                unlike.append(f"{table.name}: {how}")
    elif not digests:
        unlike.append(f"only {len(done)} of {len(pieces)} pieces were done, and the record does not tell pieces apart")
    if unlike:
        unlike[-1] += elsewhere(next(iter(records.values())))
    return Checked(len(done), len(pieces), unlike)


def note_repetition(run: Run, found: Checked, *, folder: Path | None = None) -> str:
    """Note in the records of a run that today's code gives the same, if the check shows it; else say why not.

    The records stay as they are: who made them, when and by which code. What is added is which code did how many of
    their pieces again, with equal results, so that a reader can tell the two apart.

    Parameters
    ----------
    run
        What was checked.
    found
        What came out.
    folder
        Where the records are.
    """
    needed = min(found.of, max(_FEWEST, math.ceil(found.of * _SHARE)))
    if found.unlike:
        return "not noted, because it differs"
    if found.repeated < needed:
        return f"not noted: {needed} pieces would be enough"
    for table in run.tables:
        if not table.read(folder=folder).changes():
            continue
        path = provenance_path((project_data("results") if folder is None else folder) / table.name)
        code = find_code(table.maker)
        proof = {
            "on": datetime.now(UTC).isoformat(timespec="seconds"),
            "pieces": found.repeated,
            "of": found.of,
            "code": {"fingerprint": code.fingerprint, "definitions": packed(code.definitions)},
        }
        # As it stands in the file: reading brings what is old into today's form.
        noted = json.loads(path.read_text(encoding="utf-8"))
        with new_file(path) as file:
            file.write(provenance_text({**noted, "repeated": proof}).encode())
    return "noted in the record"


def differences(before: pd.DataFrame, after: pd.DataFrame, columns: Sequence[str]) -> str:
    """Say how a table differs from what was recorded before; nothing if it does not."""
    if len(before) != len(after):
        return f"{len(after)} rows instead of {len(before)}"
    unlike = [c for c in columns if not before[c].equals(after[c])]
    if not unlike:
        return ""
    same = pd.concat([(before[c] == after[c]) | (before[c].isna() & after[c].isna()) for c in unlike], axis=1)
    number = int((~same.all(axis=1)).sum())
    if not number:
        return ""
    # The last bits of a sum depend on the processor; whoever reads this wants to know if it is only that.
    steps = {c: (before[c] - after[c]).abs().max() for c in unlike if before[c].dtype == after[c].dtype == "float64"}
    by = f", by {max(steps.values()):.1g} at most" if len(steps) == len(unlike) else ""
    return f"{number} of {len(after)} rows differ in {', '.join(unlike)}{by}"


def elsewhere(before: Record) -> str:
    """Name the processor that made a record, if it was another one than this."""
    there, here = before.provenance["machine"].get("cpu"), observed.environment()["machine"]["cpu"]
    return f" ({there} made the record, this is {here})" if there != here else ""
