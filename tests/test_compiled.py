"""Protects the one definition of every number: a kernel gives the same bits interpreted and compiled, and soon."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ltrlib.metrics
from ltrlib import compiled as module
from ltrlib.compiled import Kernel, compiled, signatures
from ltrlib.datasets.letor import parse, read_letor
from ltrlib.errors import LtrlibError, UsageError
from ltrlib.metrics import evaluate, kendall, kernels, mean_ndcg, whole_list
from ltrlib.metrics.metric import FAMILIES
from ltrlib.metrics.notation import parse as parse_metric
from ltrlib.metrics.tools import TOOLS
from tests.helpers.metric_queries import random_queries

INTERPRETED = {
    kernel.__qualname__  # type: ignore[attr-defined]
    for home in (kendall, kernels, mean_ndcg, parse, whole_list)
    for kernel in vars(home).values()
    if isinstance(kernel, Kernel) and kernel._small
}
FLOATS = signatures.Array(signatures.float64, 1, "C", readonly=True)


def bits(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(bits, value))
    return (value.dtype, value.shape, value.tobytes()) if isinstance(value, np.ndarray) else (type(value), value)


@pytest.fixture
def both_ways(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Run every call of a kernel both ways, and compare what it gives and what it leaves in its arrays."""
    compared: set[str] = set()

    def call(self: Kernel, *arguments: Any) -> Any:
        if self._helper:
            return self.py_func(*arguments)
        given = [one.copy() if isinstance(one, np.ndarray) else one for one in arguments]
        interpreted = self.interpret(*given)
        result = self.dispatcher(*arguments)
        name = self.__qualname__  # type: ignore[attr-defined]
        assert bits(interpreted) == bits(result), name
        assert bits(tuple(given)) == bits(tuple(arguments)), name
        compared.add(name)
        return result

    monkeypatch.setattr(Kernel, "__call__", call)
    return compared


def every_metric() -> list[str]:
    names = [f"{family}{cut}" for family in FAMILIES for cut in ("", "@3", "@40")]
    found = []
    for text in [*names, *(f"{name}:{tool}" for name in names for tool in TOOLS)]:
        try:
            parse_metric(text)
        except LtrlibError:
            continue
        found.append(text)
    return found


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_metric_of_every_tool_is_the_same_interpreted_and_compiled(both_ways: set[str], seed: int) -> None:
    queries = random_queries(25, seed=seed, longest=150)
    scores = queries.scores.copy()
    # Infinite, beyond float32, below its smallest: what single precision may turn into something else.
    scores[::7], scores[3::11], scores[5::13], scores[6::17] = np.inf, 1e300, -1e-320, -np.inf
    offsets = np.sort(np.concatenate([queries.offsets, queries.offsets[5:8]]))  # some queries without a document
    # Grades that every tool knows; those that some refuse; one that does not index the tables of gains directly.
    labels = np.minimum(queries.labels, 2) if seed == 1 else queries.labels.copy()
    labels[0] = 300 if seed == 3 else labels[0]
    for metric in every_metric():
        with nullcontext() if seed == 1 else suppress(UsageError):
            evaluate(metric, labels, scores, offsets, doc_ids=queries.doc_ids)
    assert both_ways == INTERPRETED - {"parse_block"}


LINES = [
    "0 qid:1 1:0.5 2:-0.25 #docid = GX1",
    "+2 qid:1 2:1e3 1:.5",
    "1\tqid:b 3:0.1234567890123456789012345 # ünï",
    "4 qid:b",
    "",
    "# a comment",
    "0 qid:b 1:1e-320 2:3.4028235e38 7:16777217 8:0.1000000014901161193847656250000001",
    "-1 qid:c 1:123456789012345678901234567890 2:-0",
]
BROKEN = ["x", "99999999999999999999 qid:1", "1 1:2", "1 qid: 1:1", "1 qid:1 0:1", "1 qid:1 1:1 1:2", "1 qid:1 1:1e99"]


def test_rows_are_the_same_interpreted_and_compiled(both_ways: set[str], tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    file = tmp_path / "rows.txt"
    for _ in range(60):
        lines = list(rng.choice(LINES, rng.integers(1, 12)))
        if rng.random() < 0.4:
            lines.insert(int(rng.integers(len(lines) + 1)), str(rng.choice(BROKEN)))
        file.write_bytes(rng.choice([b"\n", b"\r\n"]).join(line.encode() for line in lines))
        try:
            read_letor(file)
        except LtrlibError:
            continue
    assert both_ways == {"parse_block"}


def test_small_input_is_interpreted_until_patience_ends_and_large_input_is_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @compiled(signatures.float64(FLOATS), small=3)
    def last(values: Any) -> Any:
        return values[values.size - 1]

    kernel: Any = last
    monkeypatch.setattr(module, "_interpreted", 0.0)
    assert last(np.arange(3.0)) == 2.0
    assert kernel._compiled is None
    assert last(np.arange(4.0)) == 3.0
    assert kernel._compiled is not None

    @compiled(signatures.float64(FLOATS), small=3)
    def first(values: Any) -> Any:
        return values[0]

    monkeypatch.setattr(module, "_interpreted", module._PATIENCE)
    assert first(np.arange(3.0)) == 0.0
    assert first._compiled is not None


def test_interpreted_kernels_are_as_strict_as_compiled_ones() -> None:
    out, codes = np.empty((1, 1)), np.zeros(2, np.int32)
    offsets, weights, cutoffs = np.array([0, 2]), np.ones(2), np.array([2])
    for wrong in (np.zeros(2, np.float32), np.zeros((2, 1)), np.zeros(4)[::2], [0.0, 1.0]):
        with pytest.raises(TypeError):
            kernels.discounted_sums(wrong, codes, offsets, weights, cutoffs, out)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            kernels.discounted_sums.dispatcher(wrong, codes, offsets, weights, cutoffs, out)  # type: ignore[attr-defined]
    sealed = np.empty((1, 1))
    sealed.flags.writeable = False
    with pytest.raises(TypeError):
        kernels.discounted_sums(weights, codes, offsets, weights, cutoffs, sealed)


def test_kernels_travel_to_other_processes_by_name() -> None:
    assert pickle.loads(pickle.dumps(kernels.rank_top)) is kernels.rank_top


def test_several_threads_may_ask_for_the_first_compilation_at_once() -> None:
    @compiled(signatures.float64(FLOATS))
    def total(values: Any) -> Any:
        found = 0.0
        for value in values:
            found += value
        return found

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(total, [np.ones(5)] * 8)) == [5.0] * 8


def run(code: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environment,
    )


HEAVY = "('numba', 'scipy', 'pandas', 'yaml', 'jax', 'lightgbm', 'sklearn', 'matplotlib', 'plotly', 'distributed')"


def test_scoring_a_small_file_loads_numpy_alone(tmp_path: Path) -> None:
    data, scores = tmp_path / "t.txt", tmp_path / "s.txt"
    data.write_text("".join(f"{i % 3} qid:{i // 7} 1:{i} # docid = D{i}\n" for i in range(100)))
    scores.write_text("".join(f"{i % 13}\n" for i in range(100)))
    code = (
        "import sys; from ltrlib.cli import main\n"
        "files = ['--data', sys.argv[1], '--scores', sys.argv[2]]\n"
        "assert main(['eval', *files, '--metric', 'ndcg@10', 'map', 'err']) == 0\n"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    done = run(code, str(data), str(scores))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"


def test_importing_every_module_of_the_metrics_loads_no_compiler() -> None:
    names = [f"ltrlib.metrics.{file.stem}" for file in Path(ltrlib.metrics.__path__[0]).glob("*.py")]
    code = f"import importlib, sys\nfor name in {names!r}: importlib.import_module(name)\n"
    done = run(code + "print([name for name in ('numba',) if name in sys.modules])")
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.slow
def test_a_machine_where_nothing_can_be_written_computes_without_the_cache() -> None:
    # Numba finds no folder that it may write to, as in a hardened container without a home.
    code = (
        "import numba.core.caching as caching\n"
        "for locator in caching.CacheImpl._locator_classes: locator.from_function = classmethod(lambda *_: None)\n"
        "import numpy as np\n"
        "from ltrlib.metrics import evaluate\n"
        "n = 60_000\n"
        "print(evaluate('ndcg@10', np.arange(n) % 3, np.arange(n) * 1.0, [0, n]))\n"
    )
    done = run(code)
    assert done.stdout.startswith("Evaluation(ndcg@10: "), done.stderr
