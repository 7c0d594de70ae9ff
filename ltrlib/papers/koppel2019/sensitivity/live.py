"""What the chapter on DirectRanker's sensitivity trains while the page is built."""

from __future__ import annotations

import pandas as pd

from ltrlib.papers.koppel2019.sensitivity.records import TRIALS
from ltrlib.papers.koppel2019.sensitivity.runs import run_trial
from ltrlib.papers.koppel2019.sensitivity.trials import Variant, thin_grid
from ltrlib.progress import progress

__all__ = ["live_trials"]


def live_trials(axis: str, *, points: int, data_sets: int, seed: int = 0, variant: Variant = "text") -> pd.DataFrame:
    """Run a thin grid on one axis; columns are those of its record.

    Parameters
    ----------
    axis, points
        Which axis, and at how many of its points.
    data_sets, seed
        Data sets per point, and the seed of the first.
    variant
        As in :class:`~ltrlib.papers.koppel2019.sensitivity.trials.Trial`.
    """
    wanted = thin_grid(axis, points=points, data_sets=data_sets, seed=seed, variant=variant)
    rows = [run_trial(trial) for trial in progress(wanted, what="trials", unit="trial")]
    return TRIALS[axis].typed(pd.DataFrame(rows))
