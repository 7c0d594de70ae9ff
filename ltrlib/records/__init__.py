"""Recorded results: tables with their provenance, what they depend on, and the one way to make them.

``record`` keeps a table (``table_file``) with how it was made (``provenance``). ``definitions`` finds the code behind
it (``module_source`` reads that, ``spelling`` makes it comparable), ``observed`` notes what a run reads. ``making``
declares how records are made, ``working`` makes them from ``pieces``, ``checking`` compares them with earlier ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ltrlib.extras import lazy_names

if TYPE_CHECKING:
    from ltrlib.records.checking import Checked, check
    from ltrlib.records.definitions import Code, find_code
    from ltrlib.records.making import Done, Piece, Run, all_runs, select
    from ltrlib.records.observed import Notes, note, noting, remembered
    from ltrlib.records.record import Record, Table, read_record, write_record
    from ltrlib.records.source import Source
    from ltrlib.records.working import Summary, make

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
    "checking": (
        "Checked",
        "check",
    ),
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
        "Summary",
        "make",
    ),
}

__getattr__ = lazy_names(__name__, _HOMES)
