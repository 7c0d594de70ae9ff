"""The runs that rebuild the hidden results behind Table B.6, sample them, and try what other inputs would allow.

Everything follows from published tables and from the facts in ``data/reconstruction/tax2015/``. An independent checker
reads what was rebuilt before it is recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from ltrlib.comparison.reconstruct.orders import sample_orders
from ltrlib.comparison.reconstruct.presence import count_presences, forced_cells, solve_presence
from ltrlib.comparison.reconstruct.puzzle import Presence
from ltrlib.errors import RecordError
from ltrlib.papers.tax2015 import records
from ltrlib.papers.tax2015.b6 import METRICS
from ltrlib.papers.tax2015.hidden.alternatives import corrected, count_if_possible, other_sizes
from ltrlib.papers.tax2015.hidden.checking import contradictions, contradictions_by_sample
from ltrlib.papers.tax2015.hidden.presence import presences
from ltrlib.papers.tax2015.hidden.puzzle import (
    RELEASED_ROW,
    known_orders,
    presence_puzzle,
    published_rows,
    recorded_options,
    recorded_puzzle,
    win_targets,
)
from ltrlib.progress import progress
from ltrlib.records.making import Done, Piece, Run

__all__ = ["CELLS", "ORDERS", "ORDERS_VARIED", "PRESENCE", "ROWS_IN_DOUBT", "SIZES"]

_SAMPLES = 200
_VARIED_SAMPLES = 15
_SEED = 1
# Limit for a search.
_SECONDS = 600.0
# Most metrics have too many presences to list them all, so that search is given up sooner.
_SECONDS_FOR_LISTING = 60.0
_MOST_MOVED = 2


def _refuse(problems: Sequence[str]) -> None:
    if problems:
        raise RecordError(
            f"the independent checker finds {len(problems)} contradictions to the published numbers: {problems[0]}",
            cure="check the sizes and facts in data/reconstruction/tax2015/, and the code",
        )


# --- who was evaluated where, and what is known of the orders


def _one_search() -> Sequence[Piece]:
    return [{"seconds": _SECONDS}]


def solve(piece: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """Find one plain presence, and with it the whole numbers of every row."""
    found = solve_presence(presence_puzzle(), seconds=piece["seconds"])
    return {"presence": found.cells, "published-rows": published_rows(found), "known-orders": known_orders()}


def checked_presence(done: Sequence[Done]) -> Mapping[str, pd.DataFrame]:
    """Pass on what was found if the checker agrees."""
    (one,) = done
    _refuse(contradictions(one.tables["published-rows"], one.tables["presence"]))
    return one.tables


PRESENCE = Run(
    tables=(records.PRESENCE, records.PUBLISHED_ROWS, records.KNOWN_ORDERS),
    pieces=_one_search,
    do=solve,
    join=checked_presence,
    parameters={"samples": _SAMPLES, "seconds": _SECONDS},
    seeds=[_SEED],
)


# --- orders on that presence


def _metrics() -> Sequence[Piece]:
    # The samples of a metric come out of one stream of random numbers, so they cannot be drawn apart.
    return [{"metric": metric, "samples": _SAMPLES, "seed": _SEED} for metric in METRICS]


def draw_orders(piece: Mapping[str, Any]) -> pd.DataFrame:
    """Sample the orders of one metric."""
    metric = piece["metric"]
    cells, known = (_of_metric(table.read().table, metric) for table in (records.PRESENCE, records.KNOWN_ORDERS))
    targets = win_targets(Presence(cells, recorded_options(), frozenset({RELEASED_ROW}), proved=True), metric)
    drawn = sample_orders(targets, cells, known_orders=known, samples=piece["samples"], seed=piece["seed"])
    return drawn.assign(metric=metric)[list(records.ORDERS.columns)]


def checked_orders(done: Sequence[Done]) -> Mapping[str, pd.DataFrame]:
    """Put the samples in order if the checker agrees with each."""
    orders = _by_sample(done, "orders")
    rows, presence, known = (
        table.read().table for table in (records.PUBLISHED_ROWS, records.PRESENCE, records.KNOWN_ORDERS)
    )
    _refuse(contradictions(rows, presence, orders, known=known))
    return {"orders": orders}


def _of_metric(table: pd.DataFrame, metric: str) -> pd.DataFrame:
    return table[table["metric"] == metric]


def _by_sample(done: Sequence[Done], table: str) -> pd.DataFrame:
    return pd.concat([one.tables[table] for one in done]).sort_values("sample", kind="stable", ignore_index=True)


ORDERS = Run(
    tables=(records.ORDERS,),
    pieces=_metrics,
    do=draw_orders,
    join=checked_orders,
    after=(records.PRESENCE, records.PUBLISHED_ROWS, records.KNOWN_ORDERS),
    parameters={"samples": _SAMPLES, "seconds": _SECONDS},
    seeds=[_SEED],
)


# --- orders on presences that are drawn themselves


def _varied_samples() -> Sequence[Piece]:
    return [{"metric": m, "sample": sample, "seed": _SEED} for m in METRICS for sample in range(_VARIED_SAMPLES)]


def draw_varied(piece: Mapping[str, Any]) -> pd.DataFrame:
    """Draw a presence of one metric, each with the same probability, and one set of orders on it."""
    metric, space = piece["metric"], presences(piece["metric"])
    random = np.random.default_rng(piece["seed"])
    # All samples of a metric share a stream of random numbers; those before this one are drawn to pass them by.
    for _ in range(piece["sample"] + 1):
        cells = space.draw(random)
        seed = int(random.integers(2**31))
    targets = win_targets(Presence(cells, recorded_options(), frozenset(), proved=True), metric)
    known = _of_metric(records.KNOWN_ORDERS.read().table, metric)
    drawn = sample_orders(targets, cells, known_orders=known, samples=1, seed=seed)
    return drawn.assign(sample=piece["sample"], metric=metric)[list(records.ORDERS_VARIED.columns)]


def checked_varied(done: Sequence[Done]) -> Mapping[str, pd.DataFrame]:
    """Put the samples in order if the checker agrees with each."""
    orders = _by_sample(done, "orders-varied")
    rows, known = records.PUBLISHED_ROWS.read().table, records.KNOWN_ORDERS.read().table
    _refuse(contradictions_by_sample(rows, orders, known=known))
    return {"orders-varied": orders}


ORDERS_VARIED = Run(
    tables=(records.ORDERS_VARIED,),
    pieces=_varied_samples,
    do=draw_varied,
    join=checked_varied,
    after=(records.PUBLISHED_ROWS, records.KNOWN_ORDERS),
    parameters={"samples": _VARIED_SAMPLES},
    seeds=[_SEED],
)


# --- what all presences have in common, by a search that may run out of time


def _searches() -> Sequence[Piece]:
    return [{"metric": metric, "seconds": _SECONDS} for metric in METRICS]


def search(piece: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """Look for cells that are forced in one metric, and list its presences, as far as the time suffices."""
    metric, seconds = piece["metric"], piece["seconds"]
    puzzle, known = recorded_puzzle(metric), _of_metric(records.PRESENCE.read().table, metric)
    cells = forced_cells(puzzle, known=known, seconds=seconds)
    count, complete = count_presences(puzzle, seconds=min(_SECONDS_FOR_LISTING, seconds))
    return {
        "cells": cells,
        "solutions": pd.DataFrame({"metric": [metric], "presences": [count], "complete": [complete]}),
    }


CELLS = Run(
    tables=(records.CELLS, records.SOLUTIONS),
    pieces=_searches,
    do=search,
    after=(records.PRESENCE, records.PUBLISHED_ROWS),
    parameters={"samples": _SAMPLES, "seconds": _SECONDS},
    seeds=[_SEED],
)


# --- other sizes of the data sets


def _moves() -> Sequence[Piece]:
    return [{"metric": metric, "moved": moved} for metric in METRICS for moved in range(1, _MOST_MOVED + 1)]


def try_sizes(piece: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """Count the presences for all other sizes of one metric that take a number of moves."""
    metric, moved = piece["metric"], piece["moved"]
    # Only in the metric of the released row do the rows exceed the sizes.
    puzzle = corrected(recorded_puzzle(metric), RELEASED_ROW[0])
    sizes = dict(zip(puzzle.sizes["dataset"].tolist(), map(int, puzzle.sizes["methods"]), strict=True))
    rows = []
    for changed in progress(other_sizes(sizes, moved=moved), what=f"trying sizes of {metric}", unit="try"):
        numbers = list(changed.values())
        count = count_if_possible(replace(puzzle, sizes=puzzle.sizes.assign(methods=numbers)))
        change = ", ".join(f"{d} {sizes[d]} → {n}" for d, n in changed.items() if n != sizes[d])
        rows.append((metric, moved, sorted(numbers) == sorted(sizes.values()), change, count))
    return {"tries": pd.DataFrame(rows, columns=list(records.SIZES_THAT_FIT.columns))}


def sum_up_sizes(done: Sequence[Done]) -> Mapping[str, pd.DataFrame]:
    """Count what was tried, and keep what fits."""
    tried = pd.concat([one.tables["tries"] for one in done], ignore_index=True)
    fits = tried["presences"] > 0
    summary = tried.assign(fit=fits.astype(int)).groupby(["metric", "moved", "relabels"], sort=False)["fit"]
    return {"sizes-tried": summary.agg(tried="size", fit="sum").reset_index(), "sizes-that-fit": tried[fits]}


SIZES = Run(
    tables=(records.SIZES_TRIED, records.SIZES_THAT_FIT),
    pieces=_moves,
    do=try_sizes,
    join=sum_up_sizes,
    after=(records.PUBLISHED_ROWS,),
    parameters={"moved": _MOST_MOVED},
)


# --- other rows that may be wrong


def _suspicious_rows() -> pd.DataFrame:
    return _of_metric(records.PUBLISHED_ROWS.read().table, RELEASED_ROW[1]).drop(columns="metric")


def _each_row() -> Sequence[Piece]:
    return [{"method": method} for method in _suspicious_rows()["method"]]


def doubt(piece: Mapping[str, Any]) -> pd.DataFrame:
    """Count the presences if one row of the metric in question is wrong, and the others are right."""
    method, rows = str(piece["method"]), _suspicious_rows()
    puzzle = corrected(recorded_puzzle(RELEASED_ROW[1]), method)
    return rows[rows["method"] == method].assign(presences=count_if_possible(puzzle))


ROWS_IN_DOUBT = Run(
    tables=(records.ROWS_IN_DOUBT,),
    pieces=_each_row,
    do=doubt,
    after=(records.PUBLISHED_ROWS,),
    parameters={"moved": _MOST_MOVED},
)
