"""Runs that are quick to make, for the tests of making records."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from ltrlib.errors import MissingDataError
from ltrlib.records.making import Done, Run
from ltrlib.records.record import Table

MAKER = "ltrlib.compiled:compiled"  # any definition of ltrlib will do
SQUARES = Table("example/squares", {"x": "int", "square": "float", "seconds": "measured"}, maker=MAKER)
SUMS = Table("example/sums", {"of": "str", "total": "float"}, maker=MAKER)
BROKEN = Table("example/broken", {"x": "int"}, maker=MAKER)


def square(piece: Mapping[str, Any]) -> pd.DataFrame:
    """Square a number, and leave a trace of having worked."""
    with Path(os.environ["SQUARES_DONE"]).open("a") as file:
        file.write(f"{piece['x']}\n")
    if (limit := os.environ.get("SQUARES_DIE_AT")) and piece["x"] == int(limit):
        os._exit(9)
    return pd.DataFrame([{"x": piece["x"], "square": piece["x"] ** 2 / 3, "seconds": time.perf_counter()}])


def numbers() -> Sequence[Mapping[str, Any]]:
    """The pieces."""
    return [{"x": x} for x in range(6)]


def total(piece: Mapping[str, Any]) -> pd.DataFrame:
    """Add up a record that another run has made."""
    table = SQUARES.read(folder=Path(os.environ["SQUARES_TO"])).table
    return pd.DataFrame([{"of": "squares", "total": table["square"].sum()}])


def wait(piece: Mapping[str, Any]) -> pd.DataFrame:
    """Take time without working."""
    time.sleep(piece["seconds"])
    return pd.DataFrame([{"x": 0}])


def fail(piece: Mapping[str, Any]) -> pd.DataFrame:
    """Fail as a run does whose data are not here."""
    raise MissingDataError("no such data", cure="get it")


def twice(done: Sequence[Done]) -> dict[str, pd.DataFrame]:
    """Join pieces in another way than one below the other."""
    rows = pd.concat([one.tables["sums"] for one in done], ignore_index=True)
    return {"sums": rows.assign(total=2 * rows["total"])}


squares = Run(tables=(SQUARES,), pieces=numbers, do=square, seeds=[1])
sums = Run(tables=(SUMS,), do=total, join=twice, after=(SQUARES,))
broken = Run(tables=(BROKEN,), do=fail)
