"""Independent answers: slow, short, and written from the formulas."""

from __future__ import annotations

import csv
import io
import json
import math
from itertools import groupby

from tests.fuzz.cases import Case

__all__ = ["wrong_answer"]


def wrong_answer(case: Case, printed: str) -> str | None:
    """What is wrong with the answer to an input that was accepted, where another way to it is at hand."""
    words = case.command
    if not words or "json" not in words:
        return None
    try:
        answer = json.loads(printed, parse_constant=_no_constant)
    except ValueError as error:
        return f"not JSON: {error}" if printed else None
    name = words[0]
    if name == "eval" and not {"--tool", "--metric", "--columns"} & set(words):
        return _wrong_eval(case, answer)
    if name == "explain":
        total = math.fsum(answer["parts"].values())
        return None if abs(total - answer["difference"]) < 1e-9 else f"parts add up to {total}"
    if name == "bagplot":
        rows = _csv(case.files["points.csv"])[1:]
        return None if len(answer["depths"]) == len(rows) else f"{len(answer['depths'])} depths of {len(rows)} points"
    if name == "meta":
        return _wrong_meta(case, answer)
    return None


def _no_constant(text: str) -> float:
    raise ValueError(f"{text} is not in the standard")


def _wrong_eval(case: Case, answer: dict[str, object]) -> str | None:
    expected = _expected_ndcg(case)
    if expected is None:
        return None
    results = answer["results"]
    assert isinstance(results, dict)
    (tools,) = results.values()
    ours = tools["ltrlib"]["ndcg@10"]
    mean, n_queries = ours["mean"] if isinstance(ours, dict) else ours, answer["queries"]
    wanted = math.fsum(expected) / len(expected)
    if n_queries != len(expected):
        return f"{n_queries} queries instead of {len(expected)}"
    return None if mean is not None and abs(mean - wanted) < 1e-9 else f"NDCG@10 {mean} instead of {wanted}"


def _expected_ndcg(case: Case) -> list[float] | None:
    """NDCG@10 of each query by the library's rules: gains 2^label - 1, ties in the order of the file, empty is 0."""
    if {"data.txt", "scores.txt"} <= case.files.keys():
        rows = [line.partition(b"#")[0].split() for line in _lines(case.files["data.txt"])]
        rows = [row for row in rows if row]
        scores = [float(line) for line in _lines(case.files["scores.txt"]) if line.strip()]
        if len(scores) != len(rows):
            return [math.nan]
        whole = zip(rows, scores, strict=True)
        queries = [list(group) for _, group in groupby(whole, key=lambda pair: pair[0][1])]
        return [_ndcg([(float(row[0]), score) for row, score in query]) for query in queries]
    return None


def _ndcg(documents: list[tuple[float, float]]) -> float:
    def dcg(labels: list[float]) -> float:
        return math.fsum((2**label - 1) / math.log2(rank + 2) for rank, label in enumerate(labels[:10]))

    best = dcg(sorted((label for label, _ in documents), reverse=True))
    ranked = [label for label, _ in sorted(documents, key=lambda pair: -pair[1])]
    return dcg(ranked) / best if best else 0.0


def _lines(text: bytes) -> list[bytes]:
    return text.removeprefix(b"\xef\xbb\xbf").split(b"\n")


def _csv(text: bytes) -> list[list[str]]:
    rows = csv.reader(io.StringIO(text.decode("utf-8-sig"), newline=""))
    return [row for row in rows if any(field.strip() for field in row)]


def _wrong_meta(case: Case, answer: object) -> str | None:
    """Winning numbers, counted pair by pair."""
    header, *rows = _csv(case.files["results.csv"])
    names = [name.strip() for name in header]
    given = [dict(zip(names, (field.strip() for field in row), strict=True)) for row in rows]
    values: dict[tuple[str, str], dict[str, float]] = {}
    for row in given:
        if row["value"] and not math.isnan(float(row["value"])):
            values.setdefault((row["dataset"], row["metric"]), {})[row["method"]] = float(row["value"])
    won: dict[tuple[str, str], int] = {}
    for (_, metric), methods in values.items():
        for method, value in methods.items():
            beaten = sum(value > other for other in methods.values())
            for key in ((method, metric), (method, "all")):
                won[key] = won.get(key, 0) + beaten
    assert isinstance(answer, list)
    ours = {(row["method"], row["metric"]): row["wn"] for row in answer}
    different = {key for key in won if ours.get(key, 0) != won[key]}
    return f"winning numbers of {sorted(different)[:3]}" if different else None
