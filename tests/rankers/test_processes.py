"""Protects "a seed gives the same model on every run": in every process, whatever its hash seed and its threads."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from ltrlib.project import ROOT
from tests.helpers.rankers import learnable, small_rankers

# Rankers that promise a model that does not depend on the number of threads or processes.
THREADED = ["GBDT", "LambdaMART", "RandomForest"]

pytestmark = pytest.mark.slow


def digests(n_jobs: int) -> dict[str, str]:
    """Train every ranker here, and hash what it learned and how it scores."""
    train, vali, test = learnable(0, n_queries=300), learnable(1), learnable(2)
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, ranker in small_rankers().items():
            if n_jobs > 1:
                if name not in THREADED:
                    continue
                ranker.set_params(n_jobs=n_jobs)
            path = Path(folder) / name
            ranker.fit(train, vali)
            scores = ranker.predict(test.features)
            if name in THREADED:
                # The number of threads is a parameter, which is saved too, and which LightGBM notes below its trees.
                ranker.set_params(n_jobs=1)
                if "booster_" in vars(ranker):
                    vars(ranker)["booster_"] = vars(ranker)["booster_"].partition("end of trees")[0]
            ranker.save(path)
            found[name] = hashlib.sha256(scores.tobytes() + path.read_bytes()).hexdigest()
    return found


@functools.cache
def in_a_process(hash_seed: int, n_jobs: int = 1) -> dict[str, str]:
    """The same in a process of its own."""
    program = f"import json; from tests.rankers.test_processes import digests; print(json.dumps(digests({n_jobs})))"
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("name", sorted(small_rankers()))
def test_the_same_seed_gives_the_same_model_in_every_process(name: str) -> None:
    assert in_a_process(1)[name] == in_a_process(2)[name]


@pytest.mark.parametrize("name", THREADED)
def test_the_model_does_not_depend_on_the_number_of_threads(name: str) -> None:
    assert in_a_process(1)[name] == in_a_process(3, n_jobs=2)[name]


def test_another_seed_or_other_data_would_be_noticed() -> None:
    """The hashes depend on what was learned: no two rankers have the same."""
    assert len(set(in_a_process(1).values())) == len(small_rankers())
