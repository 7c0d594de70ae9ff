"""Recorded tables as files: kinds of columns, CSV and Parquet, a table written together with its provenance."""

from __future__ import annotations

import hashlib
import importlib
import io
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from ltrlib.atomic import new_file
from ltrlib.errors import RecordError
from ltrlib.project import shown_path

__all__ = ["KINDS", "decode", "encode", "kinds_of", "sha256", "write_both"]

KINDS = {"str": "str", "int": "int64", "float": "float64", "bool": "bool", "measured": "float64"}
"""Kinds of columns, each with its dtype; ``measured`` are seconds and memory, which differ from run to run."""


def kinds_of(table: pd.DataFrame, name: str) -> dict[str, str]:
    """Kinds of all columns; an index, other kinds and blank texts are refused."""
    if not isinstance(table.index, pd.RangeIndex) or table.index.start != 0 or table.index.step != 1:
        raise RecordError(f"the table of {name} has an index", cure="call reset_index() first")
    kinds = {}
    for column, values in table.items():
        kind = next((kind for kind, dtype in KINDS.items() if str(values.dtype) == dtype), None)
        if not isinstance(column, str) or kind is None:
            raise RecordError(f"column {column!r} of {name} is {values.dtype}", cure=f"use {', '.join(KINDS)}")
        if kind == "str" and bool((values.isna() | (values == "")).any()):
            raise RecordError(f"column {column!r} of {name} has blank cells", cure="write a word for what is missing")
        kinds[column] = kind
    return kinds


def encode(table: pd.DataFrame, form: str) -> bytes:
    """The table as CSV or Parquet."""
    buffer = io.BytesIO()
    if form == "csv":
        table.to_csv(buffer, index=False, lineterminator="\n")
    else:
        table.to_parquet(buffer, index=False, compression="zstd")
    return buffer.getvalue()


def decode(content: bytes, path: Path, columns: Mapping[str, str]) -> pd.DataFrame:
    """The table in a file, its columns of the kinds that are expected."""
    try:
        dtypes = {column: KINDS[kind] for column, kind in columns.items()}
        if path.suffix == ".parquet":
            importlib.import_module("pyarrow")  # pandas would not say which extra brings it
            return pd.read_parquet(io.BytesIO(content)).astype(dtypes)
        texts = [column for column, kind in columns.items() if kind == "str"]
        # "NA" is a word in a text column; only numbers may be missing.
        missing = {column: [""] for column in columns if column not in texts}
        return pd.read_csv(io.BytesIO(content), dtype=dtypes, keep_default_na=False, na_values=missing)
    except (ValueError, OSError) as error:
        raise RecordError(f"the table does not fit its columns: {error}", where=shown_path(path)) from None


def write_both(path: Path, content: bytes, provenance_path: Path, provenance: bytes) -> None:
    """Put both files in place or leave both; what a crash in between leaves is found by the hash on reading."""
    before = path.read_bytes() if path.exists() else None
    try:
        with new_file(provenance_path) as provenance_file:
            provenance_file.write(provenance)
            with new_file(path) as table_file:
                table_file.write(content)
    except BaseException:
        if before is None:
            path.unlink(missing_ok=True)
        else:
            path.write_bytes(before)
        raise


def sha256(content: bytes) -> str:
    """Hash of a file's content."""
    return hashlib.sha256(content).hexdigest()
