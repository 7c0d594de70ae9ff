"""The file beside a recorded table that says how it was made: its form, and the checks on reading it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from ltrlib.errors import RecordError
from ltrlib.project import shown_path
from ltrlib.records.source import Source

__all__ = ["SCHEMA", "packed", "provenance_path", "provenance_text", "read_provenance", "unpacked"]

SCHEMA = 2
_AGAIN = "make the record again"
_PROVENANCE: Mapping[str, type | tuple[type, ...]] = {
    "schema": int,
    "name": str,
    "table.file": str,
    "table.sha256": str,
    "table.columns": dict,
    "made": str,
    "command": str,
    "data": list,
    "inputs": dict,
    "code.maker": list,
    "code.fingerprint": str,
    "code.definitions": dict,
    "parameters": dict,
    "seeds": list,
    "work_s": (int, float),
    "versions": dict,
    "machine": dict,
}

_REPEATED: Mapping[str, type | tuple[type, ...]] = {
    "on": str,
    "pieces": int,
    "of": int,
    "code.fingerprint": str,
    "code.definitions": dict,
}


def provenance_path(base: Path) -> Path:
    """Path of the provenance file of a record, whose own path is given without ending.

    Examples
    --------
    >>> provenance_path(Path("counts/mq2008")).name
    'mq2008.provenance.json'
    """
    return base.with_name(f"{base.name}.provenance.json")


def provenance_text(provenance: Mapping[str, Any]) -> str:
    r"""The content of a provenance file.

    Examples
    --------
    >>> provenance_text({"name": "example"})
    '{\n  "name": "example"\n}\n'
    """
    try:
        return json.dumps(provenance, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    except (TypeError, ValueError) as error:
        name = provenance.get("name")
        raise RecordError(f"the parameters of {name} are not JSON: {error}", cure="use numbers and text") from None


def read_provenance(base: Path, name: str) -> dict[str, Any]:
    """Read a provenance file and check its form, so that whoever uses it need not."""
    path = provenance_path(base)
    try:
        provenance = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        cure = f"ltrlib record {name} makes it, if the name is right"
        raise RecordError(f"there is no record {name}", where=shown_path(path), cure=cure) from None
    except ValueError as error:
        raise RecordError(f"not JSON: {error}", where=shown_path(path), cure=_AGAIN) from None
    if not isinstance(provenance, dict) or provenance.get("schema") != SCHEMA:
        raise RecordError(f"not a provenance file of schema {SCHEMA}", where=shown_path(path), cure=_AGAIN)
    if "wall_time_s" in provenance:  # until 0.8 the clock was noted, which a busy machine lengthens
        provenance["work_s"] = provenance.pop("wall_time_s")
    for key, kind in _PROVENANCE.items():
        if not isinstance(_at(provenance, key), kind):
            raise RecordError(f"{key} is missing or of a wrong kind", where=shown_path(path), cure=_AGAIN)
    proof = provenance.get("repeated")
    if proof is not None and any(not isinstance(_at(proof, key), kind) for key, kind in _REPEATED.items()):
        raise RecordError("the proof by repetition is not whole", where=shown_path(path), cure=_AGAIN)
    known = {field.name for field in fields(Source)}
    if not all(isinstance(source, dict) and source.keys() == known for source in provenance["data"]):
        raise RecordError("the data are not described as they should be", where=shown_path(path), cure=_AGAIN)
    if provenance["name"] != name:
        raise RecordError(
            f"this is the record {provenance['name']}, not {name}", where=shown_path(path), cure="do not rename records"
        )
    if Path(provenance["table"]["file"]).name != provenance["table"]["file"]:
        raise RecordError("the table lies in another folder", where=shown_path(path), cure=_AGAIN)
    return provenance


def _at(provenance: object, key: str) -> object:
    for name in key.split("."):
        provenance = provenance.get(name) if isinstance(provenance, dict) else None
    return provenance


def packed(definitions: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """The definitions behind a record, one line per module, which keeps the file readable.

    Examples
    --------
    >>> packed({"ltrlib.a": {"f": "1a", "g": "2b"}})
    {'ltrlib.a': 'f:1a g:2b'}
    """
    return {module: " ".join(f"{name}:{short}" for name, short in one.items()) for module, one in definitions.items()}


def unpacked(definitions: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The definitions as they were before packing.

    Examples
    --------
    >>> unpacked({"ltrlib.a": "f:1a g:2b"})
    {'ltrlib.a': {'f': '1a', 'g': '2b'}}
    """
    return {
        module: {name: short for name, _, short in (item.rpartition(":") for item in line.split(" "))}
        for module, line in definitions.items()
    }
