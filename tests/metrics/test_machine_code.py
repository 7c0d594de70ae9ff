"""Protects kept machine code: the same bits as the kernel's source, and numba whenever anything is wrong with it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ltrlib.compiled import Kernel
from ltrlib.errors import UsageError
from ltrlib.metrics import evaluate, kernels, machine_code, mean_ndcg, whole_list
from ltrlib.metrics.machine_code import MachineCode
from tests.helpers.metric_queries import random_queries

KERNELS: list[Any] = [
    kernel for home in (kernels, whole_list, mean_ndcg) for kernel in vars(home).values() if isinstance(kernel, Kernel)
]
METRICS = ["ndcg@10", "ndcg@10:trec_eval", "ndcg:xgboost", "map", "err", "mrr", "meanndcg", "p@5:lightgbm", "rbp"]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LTRLIB_CACHE", str(tmp_path))
    for kernel in KERNELS:
        monkeypatch.setattr(kernel, "_compiled", None)
    return tmp_path / "kernels"


def values(seed: int = 4) -> dict[str, bytes]:
    queries = random_queries(200, seed=seed)
    scores = queries.scores.copy()
    scores[::7], scores[3::11] = np.inf, 1e300
    labels = np.minimum(queries.labels, 2)
    found = {}
    for metric in METRICS:
        try:
            one = evaluate(metric, labels, scores, queries.offsets, doc_ids=queries.doc_ids)
        except UsageError:
            continue
        found[metric] = one[metric].per_query.tobytes()
    return found


def test_every_kernel_gives_the_bits_of_its_source(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ltrlib.compiled._interpreted", -1e9)  # patience without end
    interpreted = values()
    machine_code.use_kept_code(rows=10**6)
    assert all(isinstance(kernel._compiled, MachineCode) for kernel in KERNELS)
    assert values() == interpreted
    assert {file.name.partition("-")[0] for file in kept.iterdir()} == {kernel.__name__ for kernel in KERNELS}
    for kernel in KERNELS:
        monkeypatch.setattr(kernel, "_compiled", MachineCode(kernel))
    monkeypatch.setattr(machine_code, "_compile", None)  # now all come from the files
    assert values() == interpreted


def test_a_damaged_file_is_made_anew_and_a_folder_that_cannot_be_written_does_not_matter(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, ranked = np.empty((1, 1)), np.array([1, 0], np.int32)
    arguments = np.array([0.0, 8.0]), ranked, np.array([0, 2]), np.array([1, 0.5]), np.array([2]), out
    MachineCode(kernels.discounted_sums)(*arguments)
    (file,) = kept.iterdir()
    good = file.read_bytes()
    for content in (b"", good[:-1], good[:70] + b"?" + good[71:]):
        file.write_bytes(content)
        MachineCode(kernels.discounted_sums)(*arguments)
        assert file.read_bytes() != content
        assert machine_code._read(file)[1]
    monkeypatch.setenv("LTRLIB_CACHE", "/dev/null")
    out[:] = 0
    MachineCode(kernels.discounted_sums)(*arguments)
    assert out.tolist() == [[8.0]]


def test_a_compiler_that_works_in_another_way_is_left_to_itself(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code, "_WORDS", dict.fromkeys(machine_code._WORDS, "i128"))
    code: Any = MachineCode(kernels.discounted_sums)
    out = np.empty((1, 1))
    code(np.array([0.0, 8.0]), np.array([1], np.int32), np.array([0, 1]), np.array([1.0]), np.array([1]), out)
    assert out.tolist() == [[8.0]]
    assert "numba" in type(code._function).__module__
    assert not kept.exists()


def test_wrong_arguments_are_refused_before_they_reach_the_machine(kept: Path) -> None:
    code = MachineCode(kernels.discounted_sums)
    with pytest.raises(TypeError, match="contiguous array of float64"):
        code(
            np.array([0, 8]),
            np.array([1], np.int32),
            np.array([0, 1]),
            np.array([1.0]),
            np.array([1]),
            np.empty((1, 1)),
        )


@pytest.mark.slow
def test_the_second_run_needs_no_compiler(tmp_path: Path) -> None:
    program = f"""
import os, sys
os.environ["LTRLIB_CACHE"] = {str(tmp_path)!r}
import numpy as np
from ltrlib.metrics import evaluate
from ltrlib.metrics.machine_code import use_kept_code
use_kept_code(rows=10**6)
scores = np.random.default_rng(0).normal(size=300_000)
print(evaluate("ndcg@10", np.arange(300_000) % 3, scores, np.arange(0, 300_001, 100))["ndcg@10"].mean.hex())
print("numba" in sys.modules)
"""
    first, second = (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
        for _ in range(2)
    )
    assert (first[1], second[1]) == ("True", "False")
    assert first[0] == second[0]
