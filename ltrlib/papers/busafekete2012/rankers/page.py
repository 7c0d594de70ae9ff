"""What the page on the rankers says: its summary, the numbers of its text, its tables as they are shown."""

from __future__ import annotations

import pandas as pd

from ltrlib.papers.busafekete2012.rankers import records
from ltrlib.papers.busafekete2012.rankers.tables import (
    NEAR,
    RANKLIB,
    against_ranklib,
    growth_exponents,
    recorded_large,
    summarise,
)

__all__ = ["beside_ranklib", "growth_caption", "listnet_references", "numbers", "speed_caption", "summary"]

_STALLED, _SINGLE = "AdaRank, as in its paper", "best single feature"


def summary(limit: float = NEAR) -> tuple[str, ...]:
    """The page in three sentences.

    Examples
    --------
    >>> summary()[0].startswith("With RankLib's default settings,")
    True
    """
    beside = against_ranklib(records.DEFAULTS.read().table)
    near = beside["difference"].abs() <= limit
    far = [f"{row.ranker} differs by {row.difference:+.3f}" for row in beside[~near].itertuples()]
    said = numbers(limit)
    return (
        f"With RankLib's default settings, {near.sum()} of our {len(beside)} rankers come within {limit:.3f} of its "
        f"NDCG@10 on MQ2008" + (f"; {', '.join(far)}." if far else "."),
        "RankLib's ListNet scores lower because its output is logistic: trained the same way but with a linear output, "
        f"it reaches {said['listnet-linear']} instead of {said['listnet-slow']}.",
        "Training time grows roughly in proportion to the number of documents: as a power of it, with exponents of "
        f"{said['slopes']}.",
    )


def beside_ranklib(limit: float = NEAR) -> pd.DataFrame:
    """Our means beside RankLib's, as text; the last column says whether the difference needs an explanation.

    Examples
    --------
    >>> beside_ranklib(limit=1.0)["within the limit"].unique().tolist()
    ['yes']
    """
    beside = against_ranklib(records.DEFAULTS.read().table)
    return pd.DataFrame(
        {
            "ranker": beside["ranker"],
            "ours": [f"{row.ours:.4f} ± {row.standard_error:.4f}" for row in beside.itertuples()],
            "spread over seeds": beside["seed_spread"].map("{:.4f}".format).replace("nan", "–"),
            "RankLib 2.10": beside["ranklib"].map("{:.3f}".format),
            "difference": beside["difference"].map("{:+.4f}".format),
            "within the limit": ["yes" if abs(gap) <= limit else "no, see below" for gap in beside["difference"]],
        }
    )


def listnet_references() -> dict[str, float]:
    """What the curves of ListNet are compared with: RankLib's mean, and that of our own ListNet.

    Examples
    --------
    >>> listnet_references()["RankLib 2.10"]
    0.485
    """
    ours = against_ranklib(records.DEFAULTS.read().table).set_index("ranker")["ours"]
    return {"RankLib 2.10": RANKLIB["ListNet"].ndcg, "our ListNet (Adam)": float(ours["ListNet"])}


def numbers(limit: float = NEAR) -> dict[str, str]:
    """The numbers of the text.

    Examples
    --------
    >>> numbers()["listnet-ranklib"]
    '0.485'
    """
    defaults = records.DEFAULTS.read().table
    means = summarise(defaults).set_index("ranker")["mean"]
    curves = records.LISTNET.read().table
    ends = curves[curves["epoch"] == curves["epoch"].max()].groupby(["output", "rate"])["test"].mean()
    stalled = _folds(defaults, _STALLED) == _folds(defaults, _SINGLE)
    growth = records.GROWTH.read().table
    slopes = growth_exponents(growth)
    large = recorded_large()
    every = pd.concat([slopes, growth_exponents(large.table)]) if large else slopes
    larger = growth["documents"].max() / growth["documents"].min()
    return {
        "limit": f"{limit:.3f}",
        "listnet-slow": f"{ends['logistic'].iloc[0]:.4f}",
        "listnet-fast": f"{ends['logistic'].iloc[-1]:.4f}",
        "listnet-linear": f"{ends['linear'].iloc[0]:.4f}",
        "listnet-ranklib": f"{RANKLIB['ListNet'].ndcg:.3f}",
        "lambdamart-plain": f"{means['LambdaMART']:.4f}",
        "lambdamart-normalised": f"{means['LambdaMART, normalised']:.4f}",
        "adarank": f"{means['AdaRank']:.4f}",
        "adarank-paper": f"{means[_STALLED]:.4f}",
        "single": f"{means[_SINGLE]:.4f}",
        "stalls": f"{stalled.sum()} of {len(stalled)}",
        "larger": f"{larger:.0f}",
        "dearer": f"{larger ** (slopes.max() - 1):.2f}",
        "slopes": f"{every.min():.2f} to {every.max():.2f}",
        "slope-median": f"{slopes.median():.2f}",
        "fast": _speed_said(),
        "steepest": str(slopes.idxmax()).split(",")[0],
    }


def _speed_said() -> str:
    peers = records.PEERS.read().table
    ours = peers[peers["program"] == "ltrlib"].set_index("ranker")["cpu_seconds"]
    theirs = {name: one.seconds for name, one in RANKLIB.items() if one.seconds is not None and name in ours}
    own = ours[list(theirs)]
    return (
        f"Yes: on fold 1 the {len(own)} rankers that RankLib was timed on take {own.min():.2f} s to {own.max():.2f} s "
        f"of processor time here; RankLib's took {min(least for least, _ in theirs.values())} s to "
        f"{max(most for _, most in theirs.values())} s by the clock."
    )


def _folds(defaults: pd.DataFrame, ranker: str) -> pd.Series:
    return defaults[defaults["ranker"] == ranker].set_index("fold")["value"]


def speed_caption() -> str:
    """What the table of speeds shows, on which machine and when."""
    made = records.PEERS.read().provenance
    return (
        "Training on fold 1 with one thread. Ours are timed on their second fit: the first loads and compiles. "
        "Ratio: processor time of the other program over ours, in the same run. "
        "RankLib's times are by the clock, from another run on a similar machine. "
        f"Measured on {made['machine']['cpu']}, {made['made'][:10]}."
    )


def growth_caption() -> str:
    """What the figure of growth shows, and when it was measured."""
    growth = records.GROWTH.read()
    return (
        f"Processor time for a fixed number of rounds, on copies of the queries of fold 1, up to "
        f"{growth.table['documents'].max():,} documents. The dotted line is proportional to the number of documents. "
        f"Measured on {growth.provenance['made'][:10]}."
    )
