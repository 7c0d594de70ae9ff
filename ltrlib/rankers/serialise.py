"""A fitted ranker as one file: a zip of NumPy arrays, text and a JSON header, readable without this package.

No pickle: reading a file cannot run code. ``numpy.load`` opens it too. Equal rankers make equal files.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from ltrlib.atomic import new_file
from ltrlib.errors import DataFormatError, UsageError
from ltrlib.metrics.metric import Metric

__all__ = ["read", "write"]

_FORMAT = "ltrlib ranker 1"
_HEADER = "header.json"
# What zipfile, zlib, json and numpy raise on damaged or foreign files.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    RuntimeError,
    MemoryError,
    SyntaxError,
)


def write(path: Path, kind: str, params: dict[str, Any], state: dict[str, Any]) -> None:
    """Write a ranker's class name, parameters and fitted state.

    Arrays become ``<name>.npy``, text becomes ``<name>.txt``, everything else stands in the header.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "model.npz"
    ...     write(file, "RankSVM", {"C": 1.0}, {"weights_": np.arange(2.0), "n_features_": 2})
    ...     read(file)
    ('RankSVM', {'C': 1.0}, {'weights_': array([0., 1.]), 'n_features_': 2})
    """
    header: dict[str, Any] = {"format": _FORMAT, "ranker": kind, "params": {}, "state": {}, "learned": sorted(state)}
    for name, value in params.items():
        header["params"][name] = str(value) if isinstance(value, Metric) else value
    members: dict[str, bytes] = {}
    for name, value in state.items():
        if isinstance(value, np.ndarray):
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, value, allow_pickle=False)
            members[f"{name}.npy"] = buffer.getvalue()
        elif isinstance(value, str):
            members[f"{name}.txt"] = value.encode()
        else:
            header["state"][name] = value
    try:
        text = json.dumps(header, indent=1, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise UsageError(f"a parameter cannot be saved: {error}", where=kind) from None
    path.parent.mkdir(parents=True, exist_ok=True)
    with new_file(path) as file, zipfile.ZipFile(file, "w") as archive:
        for name, content in {_HEADER: text.encode(), **members}.items():
            # A fixed date, so that the same ranker makes the same bytes.
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)


def read(path: Path) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Read what :func:`write` wrote: class name, parameters, fitted state.

    Examples
    --------
    >>> read(Path(__file__))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ltrlib.errors.DataFormatError: ...serialise.py: not a saved ranker: File is not a zip file
      to do: make it with the save method of a ranker
    """
    cure = "make it with the save method of a ranker"
    try:
        with zipfile.ZipFile(path) as archive:
            header = json.loads(archive.read(_HEADER))
            if header["format"] != _FORMAT:
                raise ValueError(f"its format is {header['format']!r}, this version reads {_FORMAT!r}")
            # JSON has no tuples, and every sequence among the parameters is one.
            params = {
                name: tuple(value) if isinstance(value, list) else value for name, value in header["params"].items()
            }
            state: dict[str, Any] = {}
            for member in archive.namelist():
                name, kind = member.rsplit(".", 1)
                if kind == "npy":
                    state[name] = np.lib.format.read_array(io.BytesIO(archive.read(member)), allow_pickle=False)
                elif kind == "txt":
                    state[name] = archive.read(member).decode()
                elif member != _HEADER:
                    raise ValueError(f"it holds {member!r}, which is neither numbers nor text")
            state |= header["state"]
            if missing := [name for name in header.get("learned", ()) if name not in state]:
                raise ValueError(f"{', '.join(missing)} is missing")
            return str(header["ranker"]), params, state
    except FileNotFoundError:
        raise UsageError("there is no such file", where=path) from None
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror or error}", where=path) from None
    except _DAMAGE as error:
        raise DataFormatError(f"not a saved ranker: {error}", where=path, cure=cure) from None
