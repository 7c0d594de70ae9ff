"""What the page on Figures 2 and 3 of Köppel et al. (2019) says first, and what it reads."""

from __future__ import annotations

import pandas as pd

from ltrlib.papers.koppel2019.sensitivity.records import TRIALS
from ltrlib.papers.koppel2019.sensitivity.tables import numbers
from ltrlib.papers.koppel2019.sensitivity.trials import AXES
from ltrlib.published.tables import load_paper

__all__ = ["summary", "trials_by_axis"]


def summary() -> list[str]:
    """The page in three sentences.

    Examples
    --------
    >>> len(summary())
    3
    """
    found = numbers(load_paper("koppel2019"))
    return [
        "Figure 2: the directions are those of the paper. With few features the data allow no better order "
        f"(best possible {found['best-few-features']}, DirectRanker {found['few-features']}); with many classes they "
        "do "
        f"({found['best-many-classes']} against {found['many-classes']}).",
        f'Figure 2c: "not below {found["limit"]}" at σ = {found["sigma-large"]} holds if noisy labels are kept within '
        f"the classes ({found['ndcg-classes']}). With rounding alone even the true order scores "
        f"{found['perfect-open']}.",
        "Figure 3: where classes lie apart, the peaks find them without labels. On MSLR-WEB10K cutting at the peak is "
        f"right for {found['peaks-right']} of the documents, calling all of them irrelevant for "
        f"{found['largest-right']}.",
    ]


def trials_by_axis() -> dict[str, pd.DataFrame]:
    """The recorded trials of each axis of Figure 2.

    Examples
    --------
    >>> list(trials_by_axis())
    ['classes', 'features', 'noise', 'size']
    """
    return {name: TRIALS[name].read().table for name in AXES}
