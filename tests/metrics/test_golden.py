"""The presets of the six original tools against what these tools printed, per query and in the mean."""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ltrlib.metrics import Evaluation, evaluate

GOLDEN = json.loads(Path(__file__).parents[1].joinpath("golden", "metric_tools.json").read_text())
CASES = [(group, tool) for group in GOLDEN for tool in GOLDEN[group]["tools"]]

# Half a unit of the last printed digit. Full precision: a few units in the last place of a double near 1.
PRINTED = {
    "4 decimals": 0.5e-4,
    "per query: only the first min(n,10) values are printed": 1e-15,
    "full precision": 1e-15,
}


@cache
def ours(group: str, tool: str) -> Evaluation:
    queries = GOLDEN[group]["queries"]
    wanted = ["ndcg@1..10", *{"yahoo": ["err"], "ranklib": ["map", "err@10"]}.get(tool, ["map"])]
    wanted += ["meanndcg"] if tool in ("letor4", "mslr") else []
    # The document ids of the recorded runs ascend in file order, which is what no ids mean.
    return evaluate(
        [f"{text}:{tool}" for text in wanted],
        np.concatenate([query["labels"] for query in queries]),
        np.concatenate([query["scores"] for query in queries]),
        np.concatenate([[0], np.cumsum([len(query["labels"]) for query in queries])]),
    )


def recorded(group: str, tool: str) -> tuple[dict[str, NDArray[np.float64]], float]:
    """Per-query values by metric, NaN where the tool printed none, and the tolerance that its digits allow."""
    output: dict[str, Any] = GOLDEN[group]["tools"][tool]
    values: dict[str, list[float]] = {}
    for name, column in output.items():
        if name == "ndcg":
            for k in range(1, 11):
                values[f"ndcg@{k}"] = [row[k - 1] if k <= len(row) else math.nan for row in column]
        elif isinstance(column, list) and not name.startswith("mean"):
            values[{"ap": "map"}.get(name, name).lower()] = column
    tolerance = PRINTED[output.get("printed", "full precision")]
    return {name: np.array(column) for name, column in values.items()}, tolerance + 1e-12 * (tolerance > 1e-12)


@pytest.mark.parametrize(("group", "tool"), CASES)
def test_every_query_agrees_to_the_printed_digits(group: str, tool: str) -> None:
    values, tolerance = recorded(group, tool)
    for name, column in values.items():
        printed = ~np.isnan(column)
        difference = np.abs(ours(group, tool)[f"{name}:{tool}"].per_query - column)[printed]
        assert difference.max() <= tolerance, f"{name} of query {difference.argmax()}"


@pytest.mark.parametrize(("group", "tool"), CASES)
def test_means_agree_to_the_printed_digits(group: str, tool: str) -> None:
    """Against the printed means where there are any, else against the mean of the printed values."""
    output = GOLDEN[group]["tools"][tool]
    values, tolerance = recorded(group, tool)
    means = {name: float(np.nan_to_num(column).mean()) for name, column in values.items()}
    if "mean_ndcg" in output:
        names = [*(f"ndcg@{k}" for k in range(1, 11)), "meanndcg"]
        means |= dict(zip(names, output["mean_ndcg"], strict=True)) | {"map": output["mean_map"]}
    for name, mean in means.items():
        assert abs(ours(group, tool)[f"{name}:{tool}"].mean - mean) <= tolerance, name


def test_letor3_counts_what_it_does_not_print_as_zero() -> None:
    """Its mean divides by all queries, so beyond the end of a list the preset says 0."""
    rows = GOLDEN["graded3"]["tools"]["letor3"]["ndcg"]
    short = [query for query, row in enumerate(rows) if len(row) < 10]
    assert short
    assert not ours("graded3", "letor3")["ndcg@10:letor3"].per_query[short].any()


def test_the_golden_file_is_whole() -> None:
    """Guard against a cut file: 80 queries in each group, and this many recorded values."""
    count = 0
    for group, tool in CASES:
        values, _ = recorded(group, tool)
        assert {column.size for column in values.values()} == {80}
        count += sum(int(np.count_nonzero(~np.isnan(column))) for column in values.values())
    assert len(CASES) == 10
    assert count == 8053
