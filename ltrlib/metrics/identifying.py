"""Which NDCG is this? The tools, cut-offs and preprocessing that give a ranking a printed number.

A number is looked for at its printed digits: whatever rounds to it fits. The plain presets of all tools, their
documented options and one step of preprocessing are always tried; more steps only if nothing fits, then the other
metrics, then any NDCG that the choices allow. The more is tried, the more fits by chance, so the expected number of
chance hits is told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from numpy.typing import ArrayLike

from ltrlib.errors import UsageError
from ltrlib.metrics.case import Case, make_case
from ltrlib.metrics.identification import Identification
from ltrlib.metrics.metric import FAMILIES
from ltrlib.metrics.notation import parse
from ltrlib.metrics.printed_number import Printed
from ltrlib.metrics.searching import Search

__all__ = ["identify", "identify_case"]


def identify(
    value: str | float,
    labels: ArrayLike,
    scores: ArrayLike,
    query_offsets: ArrayLike,
    *,
    metric: str | Sequence[str] = "ndcg",
    also: Mapping[str, str | float] | None = None,
    doc_ids: ArrayLike | None = None,
    judged: tuple[ArrayLike, ArrayLike] | None = None,
) -> Identification:
    """Find the tools, cut-offs and preprocessing that give a ranking a printed number.

    Parameters
    ----------
    value
        The number as printed (``"0.4970"`` is more than ``"0.497"``), or a percentage.
    labels, scores, query_offsets, doc_ids, judged
        As :func:`ltrlib.metrics.evaluate` takes them.
    metric
        What the number may be: ``"ndcg"``, with any cut-off; ``"ndcg@10"``; several of these.
    also
        Further numbers that the same tool printed: ``{"ndcg@5": "0.4512"}``.

    Examples
    --------
    >>> found = identify("0.7602", [2, 0, 1], [0.1, 0.2, 0.3], [0, 3], metric="ndcg@3")
    >>> [match.metric.tool for match in found.matches if match.preprocessing is None][:3]
    ['trec_eval', 'catboost', 'sklearn']
    """
    case = make_case(labels, scores, query_offsets, doc_ids=doc_ids, judged=judged)
    return identify_case(value, case, metric=metric, also=also)


def identify_case(
    value: str | float,
    case: Case,
    *,
    metric: str | Sequence[str] = "ndcg",
    also: Mapping[str, str | float] | None = None,
) -> Identification:
    """As :func:`identify`, for a ranking that is already put together."""
    wanted = [_wanted(text) for text in ([metric] if isinstance(metric, str) else metric)]
    families = [family for family, _ in wanted]
    printed = Printed.read(value, share="dcg" not in families)
    further = {parse(text): Printed.read(number) for text, number in (also or {}).items()}
    search = Search(case, printed, further)
    for family, k in wanted:
        search.try_all(family, k, 0, 1)
    if not search.fitting:
        search.widen("several steps of preprocessing")
        for family, k in wanted:
            search.try_all(family, k, 2, 3)
    if not search.fitting and families == ["ndcg"]:
        others = [name for name, kind in FAMILIES.items() if not kind.adds_up and name not in ("ndcg", "dcg", "tau")]
        search.widen(f"other metrics: {', '.join(others)}")
        for family in others:
            search.try_all(family, None, 0, 0)
    if not search.fitting and "ndcg" in families:
        search.widen("every NDCG that the choices allow, whether a tool has it or not")
        for family, k in wanted:
            search.try_all(family, k, 0, 0, anything=True)
    return search.result()


def _wanted(text: str) -> tuple[str, int | None]:
    """Family and cut-off; without one, any."""
    found = parse(text)
    if found.tool is not None or "(" in text:
        raise UsageError("which tool and which choices is what is looked for", where=text, cure="write ndcg or ndcg@10")
    return found.family, found.k
