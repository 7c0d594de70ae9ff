"""What the chapter on the model of Köppel et al. (2019) shows of the networks that it makes."""

from __future__ import annotations

import pandas as pd

__all__ = ["conditions", "learned", "numbers"]


def conditions(broken: pd.DataFrame) -> pd.DataFrame:
    """Shares of violations in per cent, a dash where there are none.

    Examples
    --------
    >>> shares = {name: [0.0, 0.25] for name in ("I", "II", "III", "A", "B", "C")}
    >>> conditions(pd.DataFrame({"network": ["a", "b"], **shares}))["III"].tolist()
    ['–', '25.0%']
    """
    names = ["I", "II", "III", "A", "B", "C"]
    percent = broken[names].map(lambda share: "–" if share == 0 else f"{share:.1%}")
    return percent.assign(network=broken["network"])[["network", *names]]


def learned(orders: pd.DataFrame) -> pd.DataFrame:
    """Learned orders with the share of wrong pairs in per cent."""
    return orders.assign(**{"wrong pairs": orders["wrong pairs"].map(lambda share: f"{share:.1%}")})


def numbers(orders: pd.DataFrame) -> dict[str, str]:
    """Numbers of the prose about learned orders."""
    wrong = orders.set_index(["output", "cost"])["wrong pairs"]
    return {f"wrong-{output}": f"{wrong[output, 'squared']:.0%}" for output in ("identity", "tanh")}
