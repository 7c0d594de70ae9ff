"""Our own runs: every ranker on every data set that we have, recorded query by query.

``python -m ltrlib.across.our_runs.runs`` does what is not done yet and writes the records; a run that was stopped goes
on where it was. Records: ``own/queries`` (each test query under each convention), ``own/values`` (means), ``own/fits``
(what was chosen, and how long it took), ``own/ceilings`` (what a perfect ranking scores).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd

from ltrlib.across.our_runs.methods import CHOSEN_BY, Method, methods
from ltrlib.across.our_runs.records import CEILING_COLUMNS, FIT_COLUMNS, QUERY_COLUMNS, mean_values
from ltrlib.across.our_runs.trainings import OWN_DATASETS, OwnDataset, Unit, ceilings, load_own_fold, run_unit
from ltrlib.atomic import new_file
from ltrlib.datasets.container import Source
from ltrlib.datasets.loading import is_here
from ltrlib.errors import MissingDataError
from ltrlib.project import cache_dir
from ltrlib.records.record import write_record

__all__ = ["run"]

COMMAND = "python -m ltrlib.across.our_runs.runs"

_MODULES = ("ltrlib.metrics.ndcg_by_tool", "ltrlib.across.our_runs.methods", "ltrlib.across.our_runs.trainings")


def run(
    datasets: Sequence[OwnDataset] = OWN_DATASETS,
    *,
    wanted: dict[str, Method] | None = None,
    seconds: float = float("inf"),
    cache: Path | None = None,
    folder: Path | None = None,
) -> tuple[int, int]:
    """Do what is not done yet, until the time is up; write the records when all is done.

    Parameters
    ----------
    datasets, wanted
        What to run; everything if not given.
    seconds
        No fit begins later than this.
    cache, folder
        Where unfinished work and the records lie.

    Returns
    -------
    tuple of int
        How many fits in a row are done, and how many there are.

    Examples
    --------
    >>> run(seconds=-1, datasets=[])
    (0, 0)
    """
    if absent := [entry.name for entry in datasets if not is_here(entry.name)]:
        raise MissingDataError(f"not here: {', '.join(absent)}", cure=f"ltrlib data get {absent[0]}")
    started, wanted = time.monotonic(), methods() if wanted is None else wanted
    cache = cache_dir() / "own-runs" if cache is None else cache
    cache.mkdir(parents=True, exist_ok=True)
    everything = sum(entry.folds for entry in datasets) * len(wanted)
    places: list[tuple[str, str, str, int, Path]] = []
    highest: list[pd.DataFrame] = []
    for entry in datasets:
        tests = []
        for number in range(1, entry.folds + 1):
            fold = load_own_fold(entry, number)
            tests.append(fold.test)
            for title, method in wanted.items():
                key = f"{entry} {method.key(fold)}".encode()
                base = cache / f"{entry.name.replace('/', '-')}-{number}-{hashlib.sha256(key).hexdigest()[:16]}"
                if not _story(base).exists():
                    if time.monotonic() - started >= seconds:
                        return len(places), everything
                    _store(base, run_unit(method, entry, fold))
                    print(f"{entry.name} fold {number}: {title}", file=sys.stderr, flush=True)
                places.append((entry.name, title, method.family, number, base))
        highest.append(ceilings(entry, tests))
    if places:
        _write_records(places, pd.concat(highest, ignore_index=True), folder)
    return len(places), everything


def _story(base: Path) -> Path:
    return base.with_name(base.name + ".json")


def _store(base: Path, unit: Unit) -> None:
    with new_file(base.with_name(base.name + ".parquet")) as file:
        unit.queries.to_parquet(file, index=False)
    # The second file says that both are complete.
    with new_file(_story(base)) as file:
        story = {"fits": [dict(fit) for fit in unit.fits], "sources": [asdict(source) for source in unit.sources]}
        file.write(json.dumps(story).encode())


def _write_records(
    places: Sequence[tuple[str, str, str, int, Path]], highest: pd.DataFrame, folder: Path | None
) -> None:
    tables, fits = [], []
    sources: dict[Source, None] = {}
    for dataset, title, family, number, base in places:
        story = json.loads(_story(base).read_text())
        queries = pd.read_parquet(base.with_name(base.name + ".parquet"))
        place = {"dataset": dataset, "method": title, "fold": number, "family": family, "queries": len(queries)}
        tables.append(queries.assign(dataset=dataset, method=title, fold=number)[list(QUERY_COLUMNS)])
        fits += [place | fit for fit in story["fits"]]
        sources |= {Source(**source): None for source in story["sources"]}
    queries = pd.concat(tables, ignore_index=True).astype({"dataset": "str", "method": "str", "query": "str"})
    fitted = pd.DataFrame(fits, columns=list(FIT_COLUMNS)).astype(dict.fromkeys(("fold", "seed", "queries"), np.int64))
    fitted = fitted.astype({name: "str" for name, kind in FIT_COLUMNS.items() if kind == "str"})
    for name, table, form in (
        ("own/queries", queries, "parquet"),
        ("own/values", mean_values(queries), "csv"),
        ("own/fits", fitted, "csv"),
        ("own/ceilings", highest[list(CEILING_COLUMNS)], "csv"),
    ):
        write_record(
            name,
            table,
            maker=sorted(set(_MODULES).union(*(method.modules for method in methods().values()))),
            wall_time=float(fitted["seconds"].sum()),
            data=list(sources),
            parameters={"chosen by": CHOSEN_BY},
            seeds=sorted(set(fitted["seed"].tolist())),
            command=COMMAND,
            form=form,  # type: ignore[arg-type]
            folder=folder,
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, and say what is left.

    Examples
    --------
    >>> main(["--minutes", "x"])
    Traceback (most recent call last):
    ...
    SystemExit: 2
    """
    parser = argparse.ArgumentParser(prog=COMMAND, description="run every ranker on every data set, and record it")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no fit after so many minutes")
    done, everything = run(seconds=60 * parser.parse_args(arguments).minutes)
    print(f"{done} of {everything} fits done" + ("" if done == everything else "; run again to go on"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
