"""Recorded results: tables with their provenance, what they depend on, and the one way to make them.

``definitions`` finds the code behind a result, ``observed`` notes what a run reads, ``record`` keeps tables on disk,
``making`` declares how they are made, ``working`` makes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ltrlib.extras import lazy_names

if TYPE_CHECKING:
    from ltrlib.records.definitions import Code, find_code
    from ltrlib.records.making import Done, Piece, Run, all_runs, select
    from ltrlib.records.observed import Notes, note, noting, remembered
    from ltrlib.records.record import Record, Table, read_record, write_record
    from ltrlib.records.source import Source
    from ltrlib.records.working import Checked, Summary, check, make

__all__ = [
    "Checked",
    "Code",
    "Done",
    "Notes",
    "Piece",
    "Record",
    "Run",
    "Source",
    "Summary",
    "Table",
    "all_runs",
    "check",
    "find_code",
    "make",
    "note",
    "noting",
    "read_record",
    "remembered",
    "select",
    "write_record",
]

_HOMES = {
    "definitions": (
        "Code",
        "find_code",
    ),
    "making": (
        "Done",
        "Piece",
        "Run",
        "all_runs",
        "select",
    ),
    "observed": (
        "Notes",
        "note",
        "noting",
        "remembered",
    ),
    "record": (
        "Record",
        "Table",
        "read_record",
        "write_record",
    ),
    "source": ("Source",),
    "working": (
        "Checked",
        "Summary",
        "check",
        "make",
    ),
}

__getattr__ = lazy_names(__name__, _HOMES)
