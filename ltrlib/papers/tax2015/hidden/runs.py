"""Rebuild the hidden results behind Table B.6 of Tax et al. (2015) and record them under ``data/results/tax2015/``.

``python -m ltrlib.papers.tax2015.hidden.runs`` takes ten minutes for 200 samples per metric on one core. It records

- ``presence``: method, metric, dataset;
- ``orders``: sample, metric, dataset, method, wins;
- ``published-rows``: the whole numbers that the presence and the orders reproduce;
- ``known-orders``: the orders that published results decide, and that every sample honours;
- ``cells``: for each method, metric and data set, whether the presence is forced there;
- ``solutions``: how many presences there are per metric.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from ltrlib.comparison.reconstruct.check import check_orders, check_presence
from ltrlib.comparison.reconstruct.orders import sample_orders
from ltrlib.comparison.reconstruct.presence import count_presences, forced_cells, settled, solve_presence
from ltrlib.papers.tax2015.hidden.puzzle import METRICS, known_orders, presence_puzzle, published_rows, win_targets
from ltrlib.project import project_data
from ltrlib.records.record import write_record

_MODULES = [
    "ltrlib.comparison.reconstruct.annealing",
    "ltrlib.comparison.reconstruct.orders",
    "ltrlib.comparison.reconstruct.presence",
    "ltrlib.comparison.reconstruct.whole_numbers",
    "ltrlib.papers.tax2015.hidden.puzzle",
]


def main(argv: Sequence[str] | None = None) -> int:
    """Rebuild, record, check; return 1 if the check finds a contradiction."""
    parser = argparse.ArgumentParser(prog="python -m ltrlib.papers.tax2015.hidden.runs", description=__doc__)
    parser.add_argument("--samples", type=int, default=200, help="orders per metric (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="start of the random numbers (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=300, help="limit for each search (default: %(default)s)")
    parser.add_argument("--folder", type=Path, default=project_data("results"), help="where to record")
    args = parser.parse_args(argv)
    parameters = {"samples": args.samples, "seconds": args.seconds}

    begin = time.monotonic()

    def record(name: str, table: pd.DataFrame, form: str = "csv") -> Path:
        write_record(
            f"tax2015/{name}",
            table,
            maker=_MODULES,
            wall_time=time.monotonic() - begin,
            parameters=parameters,
            seeds=[args.seed],
            command="python -m ltrlib.papers.tax2015.hidden.runs",
            form="parquet" if form == "parquet" else "csv",
            folder=args.folder,
        )
        print(f"{time.monotonic() - begin:7.1f} s  {name}: {len(table)} rows", flush=True)
        return Path(args.folder) / "tax2015" / f"{name}.{form}"

    puzzle, orders_known = presence_puzzle(), known_orders()
    presence = solve_presence(puzzle, seconds=args.seconds)
    files = {
        "presence": record("presence", presence.cells),
        "published": record("published-rows", published_rows(presence)),
        "known_orders": record("known-orders", orders_known),
    }
    sampled = []
    for metric in METRICS.values():
        cells, facts = (frame[frame["metric"] == metric] for frame in (presence.cells, orders_known))
        drawn = sample_orders(
            win_targets(presence, metric), cells, known_orders=facts, samples=args.samples, seed=args.seed
        )
        sampled.append(drawn.assign(metric=metric))
    together = pd.concat(sampled)[["sample", "metric", "dataset", "method", "wins"]]
    files["orders"] = record("orders", together.sort_values("sample", kind="stable", ignore_index=True), "parquet")
    problems = check_presence(files["published"], files["presence"], except_for=presence.released)
    problems += check_orders(**files, except_for=presence.released)
    print("\n".join(problems) or f"the check finds no contradiction; released: {sorted(presence.released)}", flush=True)
    forced, counts = [], []
    for metric in METRICS.values():
        reduced = settled(puzzle, presence, metric)
        cells = presence.cells[presence.cells["metric"] == metric]
        forced.append(forced_cells(reduced, known=cells, seconds=args.seconds))
        count, complete = count_presences(reduced, seconds=min(60.0, args.seconds))
        counts.append((metric, count, complete))
    record("cells", pd.concat(forced, ignore_index=True))
    record("solutions", pd.DataFrame(counts, columns=["metric", "presences", "complete"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
