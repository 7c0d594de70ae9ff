"""What the chapter computes when no record fits: the baselines with other settings, and the real pair of sets."""

from __future__ import annotations

import pandas as pd

from ltrlib.datasets.loading import is_here
from ltrlib.papers.chapelle2011 import records
from ltrlib.papers.chapelle2011.baselines.tables import Baselines, recorded
from ltrlib.progress import progress
from ltrlib.records.making import Done, Run, as_tables
from ltrlib.records.record import Record

__all__ = ["results", "transfer", "transfer_data"]


def results(dataset: str, *, trees: int = 0, scale: float = 0.0) -> Baselines:
    """Results of the three baselines: the recorded ones when they fit, else computed now.

    Parameters
    ----------
    dataset
        Any data set or stand-in.
    trees, scale
        Trees of GBDT and size of a stand-in; 0 takes the recorded ones, and where there is no record the paper's.

    Examples
    --------
    >>> found = results("standin/yahoo-set1", trees=2, scale=0.001)
    >>> found.record is None, found.value("GBDT", "NDCG") <= 1
    (True, True)
    """
    record = recorded(dataset)
    if record is not None:
        made_with = record.provenance["parameters"]
        if trees in (0, made_with["trees"]) and scale in (0, made_with["scale"]):
            return Baselines(dataset, made_with["trees"], made_with["scale"], record.table, record)
    # Loading LightGBM takes seconds, which a page that shows a record need not wait for.
    from ltrlib.papers.chapelle2011.baselines.runs import baselines_run

    run = baselines_run(dataset, trees=trees or None, scale=scale or 1.0)
    return Baselines(dataset, run.parameters["trees"], run.parameters["scale"], _computed(run), None)


def transfer(dataset: str) -> tuple[pd.DataFrame, Record | None]:
    """Results of the second lesson: on the real pair if that is here and wanted, else as recorded on the stand-ins.

    Examples
    --------
    >>> table, record = transfer("standin/yahoo-set1")
    >>> record.standin
    True
    """
    if dataset == "yahoo-set1" and is_here("yahoo-set2"):
        from ltrlib.papers.chapelle2011.baselines.runs import transfer_run

        return _computed(transfer_run(("yahoo-set1", "yahoo-set2"))), None
    record = records.TRANSFER.read()
    return record.table, record


def transfer_data(record: Record | None) -> Record | str:
    """What the second lesson was learnt from: its record, or the real set if it was computed now."""
    return "yahoo-set2" if record is None else record


def _computed(run: Run) -> pd.DataFrame:
    """Do all pieces of a run here and now, and keep nothing: the rows of its first table."""
    pieces = progress(run.pieces(), what=run.tables[0].short, unit="training")
    return run.joined([Done(piece, as_tables(run, run.do(piece)), 0.0) for piece in pieces])[run.tables[0].short]
