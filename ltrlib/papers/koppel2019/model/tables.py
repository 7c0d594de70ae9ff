"""What the chapter on the model of Köppel et al. (2019) shows of the networks that it makes."""

from __future__ import annotations

import pandas as pd

__all__ = ["conditions", "learned", "numbers", "summary"]


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


def summary(broken: pd.DataFrame, orders: pd.DataFrame, *, networks: int) -> list[str]:
    """The page in three sentences.

    Parameters
    ----------
    broken
        Shares of violations: the first row of DirectRanker, each other of a network that lacks a condition.
    orders
        Learned orders, with the share of wrong pairs.
    networks
        Random networks behind each row of `broken`.

    Examples
    --------
    >>> shares = {name: [0.0, 0.25] for name in ("I", "II", "III", "A", "B", "C")}
    >>> broken = pd.DataFrame({"network": ["DirectRanker", "a bias"], **shares})
    >>> orders = pd.DataFrame({"output": ["identity", "tanh"], "cost": "squared", "wrong pairs": [0.0, 0.2]})
    >>> summary(broken, orders, networks=20)[1]
    'Take a condition away, and something breaks: in the worst case 25% of the triples are no longer transitive.'
    """
    own, rest = broken.iloc[0], broken.iloc[1:]
    worst = own[["I", "II", "III"]].max()
    kept = "never violates" if worst == 0 else f"in up to {worst:.1%} of the cases violates"
    wrong = numbers(orders)
    return [
        f"In {networks} random networks DirectRanker {kept} reflexivity, antisymmetry or transitivity"
        + (", as Theorem 1 says." if worst == 0 else "; Theorem 1 says never."),
        f"Take a condition away, and something breaks: in the worst case {rest['III'].max():.0%} of the triples are no "
        "longer transitive.",
        "Learning is another matter. Trained on a random order, the network gets "
        f"{wrong['wrong-identity']} of the pairs wrong with the paper's output (the identity), and "
        f"{wrong['wrong-tanh']} with that of the authors' code (tanh).",
    ]
