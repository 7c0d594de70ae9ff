"""Whether a reconstruction fits what was published: an independent check of its files.

This module shares no code with the rest of the package: it reads the files by itself, counts from the definitions,
and lists every contradiction.

- Presence: each method's number of data sets, and the sum over them of the number of other methods there (IWN).
- Orders: each sample has exactly the cells of the presence; on each data set the wins are those of some order with
  ties, that is, a method's wins equal the number of methods with fewer wins; each method's wins add up to its WN; known
  orders hold.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

__all__ = ["check_orders", "check_presence"]


def check_presence(published: Path, presence: Path, *, except_for: Iterable[tuple[str, str]] = ()) -> list[str]:
    r"""Compare a presence with published numbers of data sets and comparisons.

    Parameters
    ----------
    published
        CSV file with the columns method, metric, iwn, datasets.
    presence
        CSV file with the columns method, metric, dataset.
    except_for
        Pairs of method and metric whose numbers are not demanded.

    Returns
    -------
    list of str
        One sentence per contradiction; none if it fits.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "p.csv").write_text("method,metric,iwn,datasets\nA,MAP,1,1\n")
    >>> _ = (folder / "q.csv").write_text("method,metric,dataset\nA,MAP,d\n")
    >>> check_presence(folder / "p.csv", folder / "q.csv")
    ['A, MAP: IWN 0 instead of 1']
    """
    problems = []
    where: dict[tuple[str, str], list[str]] = defaultdict(list)
    methods_at: Counter[tuple[str, str]] = Counter()
    for row in _read(presence):
        where[row["method"], row["metric"]].append(row["dataset"])
        methods_at[row["metric"], row["dataset"]] += 1
    excused = set(except_for)
    rows = {(row["method"], row["metric"]): row for row in _read(published)}
    problems += [f"{method}, {metric}: not in the published table" for method, metric in where.keys() - rows.keys()]
    for (method, metric), row in rows.items():
        datasets = where[method, metric]
        if len(set(datasets)) < len(datasets):
            problems.append(f"{method}, {metric}: a data set twice")
        if (method, metric) in excused:
            continue
        iwn = sum(methods_at[metric, dataset] - 1 for dataset in datasets)
        if len(datasets) != int(row["datasets"]):
            problems.append(f"{method}, {metric}: {len(datasets)} data sets instead of {row['datasets']}")
        if iwn != int(row["iwn"]):
            problems.append(f"{method}, {metric}: IWN {iwn} instead of {row['iwn']}")
    return problems


def check_orders(
    published: Path,
    presence: Path,
    orders: Path,
    *,
    known_orders: Path | None = None,
    except_for: Iterable[tuple[str, str]] = (),
) -> list[str]:
    r"""Compare sampled orders with published winning numbers, a presence, and known orders.

    Parameters
    ----------
    published
        CSV file with the columns method, metric, wn.
    presence
        CSV file with the columns method, metric, dataset.
    orders
        Folder of CSV files, one per sample, with the columns metric, dataset, method, wins; or one CSV or Parquet file
        with a column sample in addition.
    known_orders
        CSV file with the columns metric, dataset, better, worse.
    except_for
        Pairs of method and metric whose WN is not demanded.

    Returns
    -------
    list of str
        One sentence per contradiction; none if all samples fit.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "p.csv").write_text("method,metric,wn\nA,MAP,1\nB,MAP,0\n")
    >>> _ = (folder / "q.csv").write_text("method,metric,dataset\nA,MAP,d\nB,MAP,d\n")
    >>> _ = (folder / "o.csv").write_text("sample,metric,dataset,method,wins\n0,MAP,d,A,0\n0,MAP,d,B,0\n")
    >>> check_orders(folder / "p.csv", folder / "q.csv", folder / "o.csv")
    ['sample 0: A, MAP: WN 0 instead of 1']
    """
    cells = {(row["metric"], row["dataset"], row["method"]) for row in _read(presence)}
    wanted = {(row["method"], row["metric"]): int(row["wn"]) for row in _read(published)}
    for row in set(except_for):
        wanted.pop(row, None)
    known = [] if known_orders is None else list(_read(known_orders))
    problems = []
    for name, wins in _samples(orders):
        if wins.keys() != cells:
            problems.append(f"sample {name}: its cells are not those of the presence")
        problems += [f"sample {name}: {problem}" for problem in _check_sample(wins, wanted, known)]
    return problems


def _check_sample(
    wins: dict[tuple[str, str, str], int], wanted: dict[tuple[str, str], int], known: list[dict[str, str]]
) -> Iterator[str]:
    total: Counter[tuple[str, str]] = Counter()
    at_dataset: dict[tuple[str, str], list[int]] = defaultdict(list)
    for (metric, dataset, method), number in wins.items():
        total[method, metric] += number
        at_dataset[metric, dataset].append(number)
    for (metric, dataset), numbers in at_dataset.items():
        if any(sum(other < number for other in numbers) != number for number in numbers):
            yield f"{metric}, {dataset}: the wins are not those of an order"
    for (method, metric), number in wanted.items():
        if total[method, metric] != number:
            yield f"{method}, {metric}: WN {total[method, metric]} instead of {number}"
    for row in known:
        better, worse = (wins.get((row["metric"], row["dataset"], row[role]), -1) for role in ("better", "worse"))
        if better <= worse:
            yield f"{row['metric']}, {row['dataset']}: {row['better']} is not above {row['worse']}"


def _samples(orders: Path) -> Iterator[tuple[str, dict[tuple[str, str, str], int]]]:
    if orders.is_dir():
        for file in sorted(orders.glob("*.csv")):
            yield file.stem, _wins(_read(file))
        return
    rows = _read_parquet(orders) if orders.suffix == ".parquet" else _read(orders)
    by_sample: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        by_sample[row["sample"]].append(row)
    for name, members in by_sample.items():
        yield name, _wins(members)


def _wins(rows: Iterable[dict[str, str]]) -> dict[tuple[str, str, str], int]:
    return {(row["metric"], row["dataset"], row["method"]): int(row["wins"]) for row in rows}


def _read(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _read_parquet(path: Path) -> Iterator[dict[str, str]]:
    import pyarrow.parquet

    for batch in pyarrow.parquet.ParquetFile(path).iter_batches():
        for row in batch.to_pylist():
            yield {name: str(value) for name, value in row.items()}
