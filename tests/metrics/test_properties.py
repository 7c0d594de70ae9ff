"""What every metric must satisfy, whatever the ranking: checked on generated queries and conventions."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ltrlib.metrics import NDCG, TOOLS, KendallTau, Metric, evaluate, parse
from ltrlib.metrics.convention import choices
from ltrlib.metrics.declared import BY_NAME
from ltrlib.metrics.metric import FAMILIES

few = settings(deadline=None, max_examples=30, derandomize=True)

# Whole numbers that float32 holds too: adding one of them to another never makes or breaks a tie.
documents = st.lists(st.tuples(st.integers(0, 2), st.integers(-9, 9)), min_size=1, max_size=14)
queries = st.lists(documents, min_size=1, max_size=5)


WHOLE = ("meanndcg", "rprec", "bpref", "infap", "numret", "numrel", "numq", "tau")
"""Families without a cut-off."""


def every_preset() -> list[Metric]:
    """All metrics of all tools, cut at 3, at 10 and not at all."""
    found = []
    for name, tool in TOOLS.items():
        for family in tool.families:
            cut_offs = ["3", "10"] if family.endswith("@") else ["@3", "@10", ""]
            found += [parse(f"{family}{cut_off}:{name}") for cut_off in cut_offs if family not in WHOLE or not cut_off]
    return found


OTHERS = ["tau", "ndcg@5(ties=best)", "p@5(ties=average)", "rbp", "judged@3", "recall@3(ties=average)"]
METRICS = [*every_preset(), *map(parse, OTHERS)]


def arrays(given: list[list[tuple[int, int]]]) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int64]]:
    labels = np.array([label for query in given for label, _ in query], np.int32)
    scores = np.array([score for query in given for _, score in query], np.float64)
    return labels, scores, np.concatenate([[0], np.cumsum([len(query) for query in given])])


@few
@given(queries)
def test_values_stay_in_their_bounds(given: list[list[tuple[int, int]]]) -> None:
    for metric, values in evaluate(METRICS, *arrays(given)).items():
        found = values.per_query[~np.isnan(values.per_query)]
        low = -1.0 if isinstance(metric, KendallTau) else 0.0
        unbounded = metric.family == "dcg" or metric.adds_up or getattr(metric, "worth", "") == "label"
        high = np.inf if unbounded else 1.0
        # Averaged ties add up in another order than the ideal: a last digit above 1 is rounding.
        assert (found >= low).all(), metric
        assert (found <= high + 1e-15).all(), metric


@few
@given(queries, st.integers(-50, 50))
def test_only_the_order_of_scores_counts(given: list[list[tuple[int, int]]], constant: int) -> None:
    """Strictly rising transforms and added constants change nothing, to the last bit."""
    labels, scores, offsets = arrays(given)
    before = evaluate(METRICS, labels, scores, offsets)
    for other in (
        scores + constant,
        scores * 4.0,
        scores**3,
        np.exp2(scores),
        np.unique(scores, return_inverse=True)[1],
    ):
        after = evaluate(METRICS, labels, other, offsets)
        for metric in METRICS:
            np.testing.assert_array_equal(after[metric].per_query, before[metric].per_query, str(metric))


@few
@given(queries, st.randoms(use_true_random=False))
def test_the_order_of_queries_does_not_matter(given: list[list[tuple[int, int]]], random: Any) -> None:
    order = list(range(len(given)))
    random.shuffle(order)
    before = evaluate(METRICS, *arrays(given))
    after = evaluate(METRICS, *arrays([given[place] for place in order]))
    for metric in METRICS:
        np.testing.assert_array_equal(after[metric].per_query, before[metric].per_query[order])
        np.testing.assert_equal(after[metric].mean, before[metric].mean)


@few
@given(queries)
def test_a_perfect_ranking_scores_one_where_the_convention_allows(given: list[list[tuple[int, int]]]) -> None:
    labels, _, offsets = arrays(given)
    for metric, values in evaluate([m for m in METRICS if isinstance(m, NDCG)], labels, labels, offsets).items():
        assert isinstance(metric, NDCG)
        for query, value in enumerate(values.per_query):
            own = labels[offsets[query] : offsets[query + 1]]
            if metric.short == "zero" and metric.k and own.size < metric.k:
                assert value == 0.0
            elif not own.any():
                assert value == metric.empty
            else:
                assert value == 1.0


@few
@given(documents)
def test_tie_rules_order_between_worst_and_best(given: list[tuple[int, int]]) -> None:
    for family in ("ndcg@3", "p@3", "map", "mrr@3", "err"):
        rules = [rule for rule in choices(BY_NAME["ties"]) if rule in _rules(family)]
        found = evaluate([f"{family}(ties={rule})" for rule in rules], *arrays([given]))
        values = [value.mean for value in found.values()]
        worst, best = found[f"{family}(ties=worst)"].mean, found[f"{family}(ties=best)"].mean
        assert worst - 1e-15 <= min(values) <= max(values) <= best + 1e-15


def _rules(family: str) -> tuple[str, ...]:
    kind = FAMILIES[family.split("@")[0]]
    return kind.restricted.get("ties") or choices(BY_NAME["ties"])


@few
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), min_size=1, max_size=4))
def test_averaged_ties_are_the_mean_over_all_orders(given: list[tuple[int, int]]) -> None:
    """By trying all orders of the rows, with ties broken by file order; best and worst are their extremes."""
    for family in ("ndcg@2", "ndcg@4", "dcg@3", "p@2", "ndcg@3:letor4"):
        tried = [evaluate(family, *arrays([list(rows)]))[family].mean for rows in permutations(given)]
        for rule, expected in (("average", np.mean(tried)), ("worst", min(tried)), ("best", max(tried))):
            text = f"{family}(ties={rule})"
            assert evaluate(text, *arrays([given]))[text].mean == pytest.approx(expected, abs=1e-14)


@few
@given(queries)
def test_metrics_computed_together_equal_metrics_computed_alone(given: list[list[tuple[int, int]]]) -> None:
    """Alone, a cut-off keeps the best by insertion; beside a whole-list metric, the same ranks come from sorting."""
    inputs = arrays(given)
    together = evaluate(METRICS, *inputs)
    for metric in METRICS:
        np.testing.assert_array_equal(
            evaluate(metric, *inputs)[metric].per_query, together[metric].per_query, str(metric)
        )


def metrics_of_any_convention() -> st.SearchStrategy[Metric]:
    def choose(kind: type[Metric], tool: str | None) -> st.SearchStrategy[Metric]:
        base = FAMILIES[kind.family]() if tool is None else TOOLS[tool].template(kind.family, None)
        assert base is not None
        options: dict[str, st.SearchStrategy[Any]] = {}
        for name in kind.choices_of_family():
            if name in ("relevant_from", "max_grade"):
                options[name] = st.integers(1, 9)
            elif name == "p":
                options[name] = st.floats(0.01, 0.99)
            elif name == "beta":
                options[name] = st.floats(0.01, 100)
            elif name == "short":
                options[name] = st.sampled_from(kind.restricted["short"])
            else:
                options[name] = st.sampled_from(kind.restricted.get(name) or choices(BY_NAME[name]))
        numbers = st.floats(0, 1e9, allow_subnormal=False) | st.integers(0, 20)
        if "empty" in options:
            options["empty"] |= numbers
        if "gain" in options:
            options["gain"] |= st.lists(numbers, min_size=2, max_size=5).map(tuple)
        changed = st.fixed_dictionaries({}, optional=options)
        cut_off = st.none() if kind.family in WHOLE else st.none() | st.integers(1, 1000)
        return st.builds(lambda k, values: replace(base, k=k, tool=tool, **values), cut_off, changed)

    own: list[tuple[str, str | None]] = [(family, None) for family in FAMILIES]
    named = [
        (family, name)
        for name, tool in TOOLS.items()
        for family in tool.families
        if not tool.with_cutoff and not tool.default_k
    ]
    return st.sampled_from(own + named).flatmap(lambda pair: choose(FAMILIES[pair[0]], pair[1]))


@settings(few, max_examples=300)
@given(metrics_of_any_convention())
def test_the_text_of_a_metric_parses_back(metric: Metric) -> None:
    again = parse(str(metric))
    assert again == metric
    assert hash(again) == hash(metric)
    assert str(again) == str(metric)
