"""What another lesson changes, with the error of new test queries and of new training queries."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ltrlib.claims.cells import Measured
from ltrlib.claims.noise import Family
from ltrlib.papers.busafekete2012.study.learners import CUTOFF
from ltrlib.papers.busafekete2012.study.records import queries_of as study_of
from ltrlib.papers.busafekete2012.study.results import curves
from ltrlib.papers.busafekete2012.teaching.plans import BASELINE, LEARNERS, MARGIN_IN_BARS, PLANS

__all__ = ["LETOR", "LETOR_LARGE", "SHORT", "SHORT_LARGE", "Change", "change_of", "error_bar", "margin_of"]

LETOR = Family("busafekete2012/teaching", "the three learners that use NDCG, each under LETOR and under RANKLIB", 3)
"""Comparisons that are made at once when LETOR is judged as a teacher."""

SHORT = Family("busafekete2012/teaching-short", "the same three, short queries scored 0 or by RANKLIB", 3)
"""The same for its rule on short queries alone."""

LETOR_LARGE = Family("busafekete2012/teaching-large", "the same three on ten times the queries, generated", 3)
"""The comparisons of `LETOR` on the large stand-in."""

SHORT_LARGE = Family("busafekete2012/teaching-large-short", "the same, short queries scored 0 or by RANKLIB", 3)
"""Those of `SHORT` there."""


@dataclass(frozen=True, eq=False)
class Change:
    """What a lesson changes in the mean NDCG@10 of all test queries.

    Parameters
    ----------
    learner, taught
        Who was taught by what, instead of by RANKLIB.
    by_sample
        The change in each sample of the training queries.
    training_error, query_error
        Standard deviation over the samples, and standard error over the test queries.
    queries
        How many test queries.
    value
        Mean over samples and queries.
    """

    learner: str
    taught: str
    by_sample: tuple[float, ...]
    training_error: float
    query_error: float
    queries: int
    value: float

    @property
    def measured(self) -> Measured:
        """The change with both errors.

        The error of the training queries enters whole, not divided by the number of samples: all samples come from the
        same queries, and only other queries could average it away.
        """
        error = math.hypot(self.training_error, self.query_error)
        return Measured(self.value, error, len(self.by_sample) - 1)

    @property
    def worse(self) -> float:
        """Share of the samples in which the lesson is worse than RANKLIB."""
        return float(np.mean(np.array(self.by_sample) < 0))


def change_of(runs: pd.DataFrame, queries: pd.DataFrame, learner: str, taught: str) -> Change:
    """Compare one lesson with RANKLIB, paired by sample, fold and query.

    Parameters
    ----------
    runs, queries
        The recorded tables of one data set.
    learner, taught
        Who, and by what.

    Examples
    --------
    >>> both = [("L", taught, 1) for taught in ("ranklib", "letor4") for _ in range(2)]
    >>> runs = pd.DataFrame(both, columns=["learner", "taught", "fold"]).assign(sample=[1, 2] * 2, queries=2)
    >>> queries = pd.DataFrame(both, columns=["learner", "taught", "fold"]).assign(query=["a", "b"] * 2)
    >>> found = change_of(runs.assign(ranklib=[0.5, 0.5, 0.4, 0.6]),
    ...                   queries.assign(ranklib=[0.5, 0.5, 0.25, 0.75]), "L", "letor4")
    >>> round(found.training_error, 4), round(found.query_error, 4), found.worse  # √0.02 and ¼
    (0.1414, 0.25, 0.5)
    """
    own = runs[runs["learner"] == learner]
    total = (own["ranklib"] * own["queries"]).groupby([own["taught"], own["sample"]]).sum()
    size = own["queries"].groupby([own["taught"], own["sample"]]).sum()
    means = total / size
    by_sample = means[taught] - means[BASELINE]
    rows = queries[queries["learner"] == learner].set_index(["fold", "query"])
    by_query = rows.loc[rows["taught"] == taught, "ranklib"] - rows.loc[rows["taught"] == BASELINE, "ranklib"]
    return Change(
        learner,
        taught,
        tuple(by_sample.tolist()),
        float(by_sample.std(ddof=1)),
        float(by_query.std(ddof=1)) / math.sqrt(len(by_query)),
        len(by_query),
        float(by_sample.mean()),
    )


def error_bar(queries: pd.DataFrame) -> float:
    """The error bar of the paper's figures (footnote 15) at the last cut-off: its mean over the learners of Figure 1.

    Parameters
    ----------
    queries
        The study's recorded table of test queries.
    """
    found = curves(queries, tools=[BASELINE], cutoffs=[CUTOFF])
    own = found[(found["trained_under"] == BASELINE) & found["learner"].isin(LEARNERS)]
    return float(own["standard_error"].mean())


def margin_of(dataset: str) -> float:
    """How large a change must be to matter on a data set: see `MARGIN_IN_BARS`."""
    return MARGIN_IN_BARS * error_bar(study_of("mq2008").read().table) / math.sqrt(PLANS[dataset].scale)
