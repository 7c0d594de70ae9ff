"""The first commands of the README, as they stand there, on the free data set that they name."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ltrlib.datasets.loading import find, is_here
from ltrlib.project import ROOT


@pytest.mark.slow
@pytest.mark.skipif(not is_here("trec-news-2018"), reason="trec-news-2018 is not in LTRLIB_DATA")
def test_the_readme_leads_to_a_first_real_ranking(tmp_path: Path) -> None:
    """Without any agreement: get the set (here already), rank it, score the ranking by every tool, ask why."""
    (block,) = re.findall(r"```sh\n(python -c .*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    here = find("trec-news-2018").files["train"].parent
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, words in (("python", ""), ("ltrlib", "-m ltrlib")):
        (commands / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
        (commands / name).chmod(0o755)
    environment = os.environ | {"PATH": f"{commands}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    script = "set -e\nltrlib data get trec-news-2018 --accept\n" + block.replace("FOLDER", str(here))
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "is here already" in done.stdout
    assert len((tmp_path / "first.txt").read_text().split()) == 782
    values = {tool: float(value) for tool, value in re.findall(r"^(\S+) +(0\.\d{4})$", done.stdout, re.MULTILINE)}
    assert len(values) >= 15
    assert max(values.values()) - min(values.values()) > 0.1  # that is the point of the tool
    assert (
        f"lightgbm - sklearn, ndcg@10, {find('trec-news-2018').entry.part('train').expected.queries} queries"
        in done.stdout
    )


def test_the_python_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a small table; what it calls found is what scikit-learn and XGBoost would say."""
    import numpy as np
    import pandas as pd
    from sklearn.metrics import ndcg_score

    (block,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"qid": np.repeat(range(5), 8), "label": rng.integers(0, 3, 40), "score": rng.random(40)})
    names: dict[str, object] = {
        "frame": frame,
        "qrels": {"q": {"a": 2, "b": 0}},
        "run": {"q": {"a": 0.1, "b": 0.2}},
        "X": rng.random((40, 3)),
        "X_test": rng.random((8, 3)),
        "y": frame["label"],
        "sizes": [8] * 5,
    }
    monkeypatch.chdir(tmp_path)
    exec(block, names)
    wanted = [ndcg_score([rows["label"]], [rows["score"]], k=10) for _, rows in frame.groupby("qid")]
    assert names["found"]["ndcg@10:sklearn"].mean == pytest.approx(np.mean(wanted), abs=1e-12)  # type: ignore[index]
    assert (tmp_path / "model.ltr").is_file()
