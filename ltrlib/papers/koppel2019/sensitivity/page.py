"""What the page on Figures 2 and 3 of Köppel et al. (2019) says first, and what it reads."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ltrlib.claims.outcome import Outcome
from ltrlib.papers.koppel2019.sensitivity.records import TRIALS
from ltrlib.papers.koppel2019.sensitivity.tables import numbers
from ltrlib.papers.koppel2019.sensitivity.trials import AXES
from ltrlib.published.tables import load_paper

__all__ = ["peaks_said", "summary", "trials_by_axis"]


def summary() -> list[str]:
    """The page in three sentences.

    Examples
    --------
    >>> len(summary())
    3
    """
    found = numbers(load_paper("koppel2019"))
    return [
        "Figure 2: all four trends go the way the paper says. With two features DirectRanker is nearly as good as any "
        f"ranker can be ({found['few-features']} of {found['best-few-features']}); with many classes it is not "
        f"({found['many-classes']} of {found['best-many-classes']}).",
        f'Figure 2c: NDCG "not below {found["limit"]}" at σ = {found["sigma-large"]} holds if noisy labels stay within '
        f"the range of classes ({found['ndcg-classes']}). If they are only rounded, even the true order scores just "
        f"{found['perfect-open']}.",
        "Figure 3: where classes lie apart, the peaks find them without labels. On MSLR-WEB10K with two classes, "
        f"cutting at the peak puts {found['peaks-right']} of the documents into the right class; calling all of them "
        f"irrelevant is right for {found['largest-right']}.",
    ]


def peaks_said(outcomes: Sequence[Outcome]) -> str:
    """In which of the two queries of MSLR-WEB10K outputs are larger where the class changes.

    Parameters
    ----------
    outcomes
        Checked claims, ``section5.peaks-mslr`` among them.
    """
    (found,) = (one for one in outcomes if one.claim.id == "koppel2019.section5.peaks-mslr")
    said = []
    for judgement in found.judgements:
        low, high = judgement.interval or (0.0, 0.0)
        told = "it is larger" if low > 0 else "it is smaller" if high < 0 else "we cannot tell"
        said.append(f"with {_LABELS[judgement.name]} {told}")
    return "; ".join(said)


_LABELS = {"mslr graded": "five grades", "mslr binarised": "two classes"}


def trials_by_axis() -> dict[str, pd.DataFrame]:
    """The recorded trials of each axis of Figure 2.

    Examples
    --------
    >>> list(trials_by_axis())
    ['classes', 'features', 'noise', 'size']
    """
    return {name: TRIALS[name].read().table for name in AXES}
