"""Protects scoring in batches and in parts: the same bits as all at once, in memory that does not grow."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import dask
import numpy as np
import pytest

from ltrlib.cli import main
from ltrlib.datasets.trec import QueryApartError, read_qrels_table, read_run_batches, read_run_table
from ltrlib.errors import DataFormatError, LtrlibError, UsageError
from ltrlib.metrics import TOOLS, evaluate
from ltrlib.metrics.files import judge
from ltrlib.metrics.notation import parse
from ltrlib.metrics.parts import Workers, find_parts, score_split_documents, score_split_runs
from ltrlib.metrics.score_files import ScoreReader, read_score_file
from ltrlib.metrics.scoring import DocumentFiles, Plan, score_documents, score_run
from tests.helpers.metric_queries import Queries, random_queries

DRAWN = random_queries(36, seed=11, longest=60)
QUERIES = Queries(np.minimum(DRAWN.labels, 2), DRAWN.scores, DRAWN.doc_ids, DRAWN.offsets)


def all_metrics() -> tuple[Any, ...]:
    found: dict[Any, None] = {}
    for name in (
        "ndcg@10",
        "ndcg",
        "map",
        "err",
        "p@5",
        "mrr",
        "rbp",
        "bpref",
        "judged@10",
        "meanndcg",
        "tau",
        "rprec",
    ):
        for text in (name, *(f"{name}:{tool}" for tool in TOOLS)):
            try:
                found[parse(text)] = None
            except LtrlibError:
                continue
    return tuple(found)


METRICS = all_metrics()
PLAN = Plan({"every": METRICS})


def letor_lines(queries: range, *, with_ids: bool = True) -> list[str]:
    lines = []
    for query in queries:
        labels, _, ids = QUERIES[query]
        comment = " #docid = {}" if with_ids else ""
        lines += [f"{label} qid:q{query} 1:0.5{comment.format(name)}" for label, name in zip(labels, ids, strict=True)]
    return lines


def score_lines(queries: range) -> list[str]:
    return [repr(score) for query in queries for score in QUERIES[query][1].tolist()]


def write(path: Path, lines: list[str]) -> str:
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def trec_lines(queries: list[int]) -> tuple[list[str], list[str]]:
    """Judgments of every second document; run with all of them."""
    judged, ranked = [], []
    for query in queries:
        labels, scores, ids = QUERIES[query]
        rows = list(zip(labels.tolist(), scores.tolist(), ids.tolist(), strict=True))
        judged += [f"q{query} 0 {name} {label - (name[-1] == '4')}" for label, _, name in rows[::2]]
        ranked += [f"q{query} Q0 {name} 1 {score!r} t" for _, score, name in rows]
    return judged, ranked


def bits(values: Any) -> Any:
    return {metric: each.tobytes() for metric, each in values.items()}


EVERY = range(len(QUERIES))


@pytest.mark.parametrize("rows", [1, 100, None])
@pytest.mark.parametrize("with_ids", [True, False])
def test_batches_of_documents_give_every_metric_to_the_last_bit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int | None, with_ids: bool
) -> None:
    monkeypatch.setattr("ltrlib.datasets.lines._BLOCK", 256)  # many blocks, so that there are many batches
    data = write(tmp_path / "data", letor_lines(EVERY, with_ids=with_ids))
    scores = write(tmp_path / "scores", score_lines(EVERY))
    found = score_documents(DocumentFiles(data, {"a": scores}), replace(PLAN, rows=rows))
    ids = QUERIES.doc_ids if with_ids else None
    whole = evaluate(METRICS, QUERIES.labels, QUERIES.scores, QUERIES.offsets, doc_ids=ids)
    assert found.query_ids == [f"q{query}" for query in EVERY]
    assert bits(found.values["a"]["every"]) == bits({metric: one.per_query for metric, one in whole.items()})


def test_ids_that_end_in_the_middle_count_for_no_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ltrlib.datasets.lines._BLOCK", 256)
    data = write(tmp_path / "data", letor_lines(EVERY[:-1]) + letor_lines(EVERY[-1:], with_ids=False))
    files = DocumentFiles(data, {"a": write(tmp_path / "scores", score_lines(EVERY))})
    small, whole = (score_documents(files, replace(PLAN, rows=rows)) for rows in (5, None))
    assert bits(small.values["a"]["every"]) == bits(whole.values["a"]["every"])


@pytest.mark.parametrize("order", ["grouped", "backwards", "apart"])
def test_batches_of_a_run_give_every_metric_to_the_last_bit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: str
) -> None:
    monkeypatch.setattr("ltrlib.datasets.lines._BLOCK", 256)
    judged = trec_lines([*EVERY[:30]])[0]
    ranked = trec_lines([*(EVERY[6:] if order != "backwards" else EVERY[:5:-1])])[1]
    if order == "apart":
        ranked.append(ranked.pop(next(row for row, line in enumerate(ranked) if ranked[row + 1][:4] == line[:4])))
    qrels = read_qrels_table(write(tmp_path / "qrels", judged))
    run = write(tmp_path / "run", ranked)
    both = judge(qrels, read_run_table(run))
    whole = evaluate(
        METRICS,
        both.labels,
        both.scores,
        both.query_offsets,
        doc_ids=both.id_order,
        judged=both.judged,
        unjudged=both.not_judged,
    )
    for rows in (1, 50, None):
        found = score_run(qrels, run, replace(PLAN, rows=rows))
        assert bits(found.values[run]["every"]) == bits({metric: one.per_query for metric, one in whole.items()})
        assert (found.missing, found.unjudged, len(found.ignored)) == (6, both.unjudged, 6)
        assert sorted(found.ignored) == sorted(both.ignored)
    if order == "apart":
        with pytest.raises(QueryApartError):
            list(read_run_batches(run, 1))


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_parts_side_by_side_give_the_same_bits_as_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.chdir(tmp_path)
    names = ("data", "scores", "qrels", "run")
    for place, begin in enumerate(range(0, 36, 3)):
        part = EVERY[begin : begin + 3]
        lines = (letor_lines(part), score_lines(part), *trec_lines([*part]))
        for name, each in zip(names, lines, strict=True):
            write(Path(f"{name}{place}.txt"), each)
    for name, each in zip(names, (letor_lines(EVERY), score_lines(EVERY), *trec_lines([*EVERY])), strict=True):
        write(Path(name), each)
    assert find_parts("data*.txt")[-2:] == ["data10.txt", "data11.txt"]
    crew = Workers(workers)
    split = score_split_documents(DocumentFiles("data*.txt", {"a": "scores*.txt"}), PLAN, crew)
    whole = score_documents(DocumentFiles("data", {"a": "scores"}), PLAN)
    assert split.query_ids == whole.query_ids
    assert bits(split.values["a"]["every"]) == bits(whole.values["a"]["every"])
    one = score_run(read_qrels_table("qrels"), "run", PLAN)
    for qrels in ("qrels", "qrels*.txt"):
        found = score_split_runs(qrels, ["run*.txt"], PLAN, crew)["run*.txt"]
        assert (found.query_ids, found.missing, found.unjudged) == (one.query_ids, 0, one.unjudged)
        assert bits(found.values["run*.txt"]["every"]) == bits(one.values["run"]["every"])


@pytest.mark.slow
def test_what_is_wrong_in_a_part_or_with_a_worker_is_told_by_a_cluster_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for place in (1, 2):
        write(Path(f"d{place}"), letor_lines(EVERY[:2]) if place == 1 else ["x qid:a 1:1"])
        write(Path(f"s{place}"), score_lines(EVERY[:2]))
    with pytest.raises(DataFormatError, match=r"d2:1: the label 'x' is not a whole number"):
        score_split_documents(DocumentFiles("d[12]", {"a": "s[12]"}), PLAN, Workers(2))
    one_death = dask.config.set({"distributed.scheduler.allowed-failures": 0})
    with one_death, pytest.raises(UsageError, match="workers were lost while they scored"):
        Workers(2).map(os._exit, [1, 1])


def test_a_missing_query_follows_the_tools_rule_in_parts_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    judged, ranked = trec_lines([*EVERY])
    write(Path("qrels"), judged)
    write(Path("run"), [line for line in ranked if not line.startswith("q5 ")])
    write(Path("run1"), [line for line in ranked if line.startswith(("q1", "q2", "q3"))])
    write(Path("run2"), [line for line in ranked if not line.startswith(("q1", "q2", "q3", "q5 "))])
    whole = score_split_runs("qrels", ["run"], PLAN, Workers())["run"]
    split = score_split_runs("qrels", ["run[12]"], PLAN, Workers())["run[12]"]
    assert (whole.missing, split.missing) == (1, 1)
    assert bits(whole.values["run"]["every"]) == bits(split.values["run[12]"]["every"])


def test_parts_that_do_not_fit_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, queries in (("x1", [1, 2]), ("x2", [3]), ("y1", [1]), ("y2", [2, 3])):
        judged, ranked = trec_lines(queries)
        write(Path(f"{name}.qrels"), judged)
        write(Path(f"{name}.run"), ranked)
    write(Path("z1"), ["1 qid:a 1:1"])
    write(Path("z2"), ["1 qid:a 1:1"])
    write(Path("z3.s"), ["1"])
    with pytest.raises(UsageError, match=r"y2.run: query q2 is judged in x1.qrels, not in x2.qrels"):
        score_split_runs("x*.qrels", ["y*.run"], PLAN, Workers())
    with pytest.raises(UsageError, match=r"\*2.qrels"):
        score_split_runs("*2.qrels", ["x*.run", "x1.run"], PLAN, Workers())
    with pytest.raises(UsageError, match="query q1 stands in another file too"):
        score_split_runs("x1.qrels", ["[xy][12].run"], PLAN, Workers())
    with pytest.raises(UsageError, match=r"z2: query a stands in z1 too"):
        score_split_documents(DocumentFiles("z[12]", {"s": "z[12]"}), PLAN, _Scores())
    with pytest.raises(UsageError, match=r"1 file, but 2 for z\[12\]"):
        score_split_documents(DocumentFiles("z[12]", {"s": "*.s"}), PLAN, Workers())
    with pytest.raises(LtrlibError, match="no file has such a name"):
        find_parts("none*")


class _Scores(Workers):
    """Workers that find what the files hold without reading scores."""

    def map(self, function: Any, jobs: Any) -> Any:
        from ltrlib.metrics.scoring import Scored

        return [Scored(["a"], {"s": {}}) for _ in jobs]


def test_counts_that_differ_are_told_in_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ltrlib.datasets.lines._BLOCK", 64)
    data = write(tmp_path / "data", letor_lines(EVERY))
    total = QUERIES.labels.size
    for count in (total - 1, total + 1, 3):
        scores = write(tmp_path / "scores", ["0.5"] * count)
        with pytest.raises(DataFormatError, match=f"{count:,} scores, but .* has {total:,} documents"):
            score_documents(DocumentFiles(data, {"a": scores}), replace(PLAN, rows=9))


def test_a_bad_line_is_named_in_any_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ltrlib.datasets.lines._BLOCK", 64)
    ranked = [f"q{query} Q0 d{place} 1 0.5 t" for query in range(30) for place in range(4)]
    ranked[101] = ranked[100]
    with pytest.raises(DataFormatError, match=r"run:102: document d0 of query q25 stands here twice"):
        list(read_run_batches(write(tmp_path / "run", ranked), 3))
    ranked[101] = "q25 Q0 d1 1 x t"
    with pytest.raises(DataFormatError, match=r"run:102: 'x' is not a score"):
        list(read_run_batches(write(tmp_path / "run", ranked), 3))


def test_scores_come_in_pieces_of_any_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ltrlib.datasets.lines._BLOCK", 32)
    plain = write(tmp_path / "plain", [str(number / 8) for number in range(50)])
    ranklib = write(tmp_path / "ranklib", [f"{q}\t{place}\t{q + place / 8}" for q in range(10) for place in range(5)])
    array = tmp_path / "array.npy"
    np.save(array, np.arange(50, dtype=np.float32) / 8)
    for file in (plain, ranklib, str(array)):
        whole, reader = read_score_file(file), ScoreReader(file)
        parts = [reader.take(count) for count in (5, 0, 20, 15, 30)]
        assert [part.scores.size for part in parts] == [5, 0, 20, 15, 10]
        assert np.concatenate([part.scores for part in parts]).tolist() == whole.scores.tolist()
        if whole.queries is not None:
            assert [query for part in parts for query in part.queries or []] == whole.queries


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    peaks = {}
    for rows in (600_000, 1_800_000):
        data, scores, qrels, run = (tmp_path / f"{name}{rows}" for name in ("data", "scores", "qrels", "run"))
        with data.open("w") as labelled, scores.open("w") as scored, qrels.open("w") as judged, run.open("w") as ranked:
            for row in range(rows):
                query, place = divmod(row, 600)
                labelled.write(f"{row % 3} qid:{query} 1:0.25 2:0.5 #docid = D{place}\n")
                scored.write(f"{row * 7919 % 10007}\n")
                ranked.write(f"{query} Q0 D{place} 1 {row * 7919 % 10007} t\n")
                if row % 60 == 0:
                    judged.write(f"{query} 0 D{place} {row % 3}\n")
        for kind, options in (
            ("documents", ["--data", data, "--scores", scores]),
            ("run", ["--qrels", qrels, "--run", run]),
        ):
            command = [sys.executable, "-c", PEAK, *map(str, options), "--tool", "trec_eval"]
            peaks[kind, rows] = int(
                subprocess.run(command, capture_output=True, text=True, check=True).stderr.split()[-1]
            )
    for kind in ("documents", "run"):
        # Three times the rows; all of them in memory would be 40 MB or more.
        assert peaks[kind, 1_800_000] - peaks[kind, 600_000] < 15_000, peaks


PEAK = """
import resource, sys
from ltrlib.cli import main
main(["eval", *sys.argv[1:]])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def test_the_command_takes_patterns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for place, part in enumerate((EVERY[:20], EVERY[20:])):
        write(Path(f"data{place}"), letor_lines(part))
        write(Path(f"scores{place}"), score_lines(part))
    write(Path("data"), letor_lines(EVERY))
    write(Path("scores"), score_lines(EVERY))
    found = []
    for names in (("data", "scores"), ("data?", "scores?")):
        assert main(["eval", "--data", names[0], "--scores", names[1], "--tool", "all", "--format", "json"]) == 0
        found.append(json.loads(capsys.readouterr().out)["results"][names[1]])
    assert found[0] == found[1]
    assert main(["eval", "--data", "data", "--scores", "scores", "--workers", "0"]) == 2
    assert "0 workers cannot do anything" in capsys.readouterr().err
