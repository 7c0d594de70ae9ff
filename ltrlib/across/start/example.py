"""One made-up query with six documents, ranked and scored step by step."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ltrlib.across.tool_pages.page import one_ranking
from ltrlib.metrics.convention import discounts, gain_table
from ltrlib.metrics.engine import evaluate

__all__ = [
    "DOCUMENTS",
    "LABELS",
    "QUERY",
    "SCORES",
    "documents_table",
    "ndcg_steps",
    "numbers",
    "numbers_of_tools",
    "ranking_table",
]

QUERY = "how fast is a jaguar"
DOCUMENTS = (
    "Jaguar: top speed of the animal",
    "Jaguar cars, used, near you",
    "The fastest land animals",
    "Jaguar XJ220: a car's record",
    "Big cats of South America",
    "Speed limits by country",
)
LABELS = (2, 0, 2, 0, 1, 0)
SCORES = (2.1, 2.6, 1.4, 0.9, 1.9, 0.2)
_FEATURES = {
    "query words in the title": (1, 1, 0, 1, 0, 0),
    "query words in the text": (12, 9, 4, 6, 2, 3),
    "links to it": (3100, 8700, 5200, 1000, 2400, 600),
}
_WORDS = {0: "not relevant", 1: "relevant", 2: "very relevant"}


def documents_table() -> pd.DataFrame:
    """The documents of the query with their features and labels."""
    rows = pd.DataFrame({"document": DOCUMENTS, **_FEATURES, "label": LABELS})
    return rows.assign(label=[f"{label} ({_WORDS[label]})" for label in LABELS])


def _by_links() -> float:
    """NDCG of a ranker that only counts links."""
    return evaluate("ndcg", LABELS, _FEATURES["links to it"], [0, len(LABELS)])["ndcg"].mean


def _cars_last() -> float:
    """NDCG of the ranker's order with its first document moved to the end."""
    moved = [*ranking_table()["label"].iloc[1:], ranking_table()["label"].iloc[0]]
    return evaluate("ndcg", moved, [-rank for rank in range(len(moved))], [0, len(moved)])["ndcg"].mean


def ranking_table() -> pd.DataFrame:
    """The same documents in the order of a ranker's scores, with the DCG that each rank adds."""
    order = np.argsort(-np.array(SCORES), kind="stable")
    labels = np.array(LABELS)[order]
    gains, weights = gain_table("exp2", np.arange(3))[labels], discounts("log2", len(order))
    return pd.DataFrame(
        {
            "rank": np.arange(1, len(order) + 1),
            "document": [DOCUMENTS[at] for at in order],
            "label": labels,
            "gain": gains.astype(int),
            "discount": weights,
            "product": gains * weights,
        }
    )


def ndcg_steps() -> dict[str, float]:
    """DCG of the ranking, DCG of the best order, and their ratio."""
    found = float(ranking_table()["product"].sum())
    best = np.sort(np.array(LABELS))[::-1]
    ideal = float((gain_table("exp2", np.arange(3))[best] * discounts("log2", len(best))).sum())
    return {"dcg": found, "ideal": ideal, "ndcg": found / ideal}


def numbers() -> dict[str, str]:
    """Numbers of the prose.

    Examples
    --------
    >>> numbers()["ndcg"]
    '0.6833'
    """
    steps = ndcg_steps()
    scored = evaluate(["map", "err(max_grade=2)", "ndcg@3", "p@3"], LABELS, SCORES, [0, len(LABELS)])
    return {
        "query": QUERY,
        "documents": str(len(LABELS)),
        "dcg": f"{steps['dcg']:.4f}",
        "ideal": f"{steps['ideal']:.4f}",
        "ndcg": f"{steps['ndcg']:.4f}",
        "ndcg3": f"{scored['ndcg@3'].mean:.4f}",
        "ap": f"{scored['map'].mean:.4f}",
        "err": f"{scored['err(max_grade=2)'].mean:.4f}",
        "p3": f"{scored['p@3'].mean:.4f}",
        "by-links": f"{_by_links():.4f}",
        "cars-last": f"{_cars_last():.4f}",
    }


def numbers_of_tools() -> dict[str, str]:
    """How many tools the book knows, and what scoring empty queries 1 instead of 0 adds to a mean on MQ2008.

    Examples
    --------
    >>> sorted(numbers_of_tools())
    ['empty-gap', 'tools']
    """
    by_tool = one_ranking()
    return {"tools": str(len(by_tool)), "empty-gap": f"{by_tool['yahoo'] - by_tool['ranklib']:.2f}"}
