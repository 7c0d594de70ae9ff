"""Compare methods over an incomplete set of results: winning numbers, Pareto fronts, bagplots, tests over data sets.

>>> import pandas as pd
>>> from ltrlib.comparison import winning_numbers
>>> rows = [("RankSVM", 0.46), ("AdaRank", 0.45), ("ListNet", 0.47)]
>>> results = pd.DataFrame([(name, "td2004", "ndcg@10", value) for name, value in rows],
...                        columns=["method", "dataset", "metric", "value"])
>>> winning_numbers(results).query("metric == 'all'").set_index("method")["wn"].to_dict()
{'RankSVM': 1, 'AdaRank': 0, 'ListNet': 2}

Bagplots are in ``bagplot`` and ``drawing``; what hidden results must have been is worked out in ``reconstruct``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ltrlib.extras import lazy_names

if TYPE_CHECKING:
    from ltrlib.comparison.bagplot import Bagplot
    from ltrlib.comparison.depth import halfspace_depths
    from ltrlib.comparison.drawing import draw_bagplot
    from ltrlib.comparison.hierarchical import (
        FurtherDataset,
        Measured,
        hierarchical_test,
        measured_on_folds,
        measured_on_queries,
    )
    from ltrlib.comparison.intervals import (
        basic_interval,
        bias_corrected_interval,
        percentile_interval,
        shares_won,
        widened_interval,
        widening_factor,
    )
    from ltrlib.comparison.kendall import Agreement, kendall_agreement
    from ltrlib.comparison.pareto import add_pareto_ranks, dominators, pareto_front, pareto_ranks
    from ltrlib.comparison.ranking_tests import (
        Friedman,
        SignedRank,
        bayesian_signed_rank,
        friedman,
        friedman_by_permutation,
        mean_ranks,
        nemenyi,
        nemenyi_distance,
    )
    from ltrlib.comparison.reading import read_points, read_results
    from ltrlib.comparison.results import KNOWN_METRICS
    from ltrlib.comparison.winning import leave_one_dataset_out, winning_numbers

__all__ = [
    "Agreement",
    "Bagplot",
    "Friedman",
    "FurtherDataset",
    "KNOWN_METRICS",
    "Measured",
    "SignedRank",
    "add_pareto_ranks",
    "basic_interval",
    "bayesian_signed_rank",
    "bias_corrected_interval",
    "dominators",
    "draw_bagplot",
    "friedman",
    "friedman_by_permutation",
    "halfspace_depths",
    "hierarchical_test",
    "kendall_agreement",
    "leave_one_dataset_out",
    "mean_ranks",
    "measured_on_folds",
    "measured_on_queries",
    "nemenyi",
    "nemenyi_distance",
    "pareto_front",
    "pareto_ranks",
    "percentile_interval",
    "read_points",
    "read_results",
    "shares_won",
    "widened_interval",
    "widening_factor",
    "winning_numbers",
]

_HOMES = {
    "hierarchical": (
        "FurtherDataset",
        "Measured",
        "hierarchical_test",
        "measured_on_folds",
        "measured_on_queries",
    ),
    "intervals": (
        "basic_interval",
        "bias_corrected_interval",
        "percentile_interval",
        "shares_won",
        "widened_interval",
        "widening_factor",
    ),
    "bagplot": ("Bagplot",),
    "depth": ("halfspace_depths",),
    "drawing": ("draw_bagplot",),
    "kendall": (
        "Agreement",
        "kendall_agreement",
    ),
    "pareto": (
        "add_pareto_ranks",
        "dominators",
        "pareto_front",
        "pareto_ranks",
    ),
    "ranking_tests": (
        "Friedman",
        "SignedRank",
        "bayesian_signed_rank",
        "friedman",
        "friedman_by_permutation",
        "mean_ranks",
        "nemenyi",
        "nemenyi_distance",
    ),
    "reading": (
        "read_points",
        "read_results",
    ),
    "results": ("KNOWN_METRICS",),
    "winning": (
        "leave_one_dataset_out",
        "winning_numbers",
    ),
}

__getattr__ = lazy_names(__name__, _HOMES)
