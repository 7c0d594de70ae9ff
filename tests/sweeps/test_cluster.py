"""Protects sweeps on a real Dask cluster: nothing lost, nothing twice, whatever dies on the way.

``LTRLIB_SWEEP_POINTS`` sets the number of points of the sweep in which a worker is killed (8; 40 for the long run).
"""

from __future__ import annotations

import json
import os
import re
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import psutil  # type: ignore[import-untyped]
import pytest

from ltrlib.cluster import connect
from ltrlib.errors import UsageError
from tests.helpers.sweeps import Cluster, SmallProject, wait_until

POINTS = int(os.environ.get("LTRLIB_SWEEP_POINTS", "8"))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> SmallProject:
    made = SmallProject(tmp_path_factory.mktemp("project"))
    made.describe("kill", f"grid: {{number: {list(range(POINTS))}}}")
    made.describe("fail", "points: [{number: 1}, {number: 2, fail: true}, {number: 3}]")
    made.describe("stop", "fixed: {pause: 0.5}\ngrid: {number: [1, 2, 3]}")
    return made


@pytest.fixture(scope="module")
def cluster(project: SmallProject) -> Iterator[Cluster]:
    made = Cluster(project)
    yield made
    made.stop()


def written(folders: dict[int, Path]) -> dict[int, int]:
    return {number: (folder / "point.json").stat().st_mtime_ns for number, folder in folders.items()}


def test_a_killed_worker_costs_nothing_and_a_changed_module_only_the_points_that_used_it(
    project: SmallProject, cluster: Cluster
) -> None:
    """One of two workers dies half-way; every point is there exactly once, and stays until something changes."""
    victim = cluster.add_worker()
    command = ("kill", "--scheduler", cluster.address)
    running = project.start("ltrlib", "sweep", *command)
    wait_until(lambda: len(project.points("kill")) >= POINTS // 2)
    victim.send_signal(signal.SIGKILL)
    victim.wait()
    out, err = running.communicate(timeout=600)
    assert running.returncode == 0, out + err
    assert f"{POINTS} done" in out
    there = project.points("kill")
    assert sorted(there) == list(range(POINTS))
    for number, folder in there.items():
        assert sorted(file.name for file in folder.iterdir()) == [
            "log.txt",
            "metrics.csv",
            "notebook.ipynb",
            "point.json",
        ]
        facts = json.loads((folder / "point.json").read_text())
        assert facts["metrics"] == {"squares.square": number**2}
        assert f"squaring {number}" in (folder / "log.txt").read_text()
        assert facts["versions"]["numpy"]
        assert ("module:ltrlib.progress" in facts["dependencies"]) == bool(number % 2)
    # Only what the dead worker was busy with was begun a second time.
    begun = Counter(project.executions())
    assert sorted(begun) == list(range(POINTS))
    assert sum(begun.values()) <= POINTS + 1
    folder = project.folder / "runs" / "kill"
    table = pd.read_csv(folder / "table.csv")
    assert table["param_number"].tolist() == list(range(POINTS))
    assert table["value"].tolist() == [number**2 for number in range(POINTS)]
    assert all((folder / link).is_file() for link in table["notebook"])
    pd.testing.assert_frame_equal(pd.read_parquet(folder / "table.parquet"), table, check_dtype=False)
    assert [path.name for path in folder.glob(".*unfinished*")] == []

    before = written(there)
    again = project.sweep(*command)
    assert again.returncode == 0, again.stderr
    assert f"0 done in 0 s, {POINTS} kept" in again.stdout
    assert project.executions() == []

    progress = project.folder / "ltrlib" / "progress.py"
    progress.write_text(progress.read_text().replace("delay=2.0", "delay=3.0"))
    third = project.sweep(*command)
    odd = [number for number in range(POINTS) if number % 2]
    assert third.returncode == 0, third.stderr
    assert project.executions() == odd
    assert re.findall(r"stale: number=(\d+) \(changed since: module:ltrlib.progress\)", third.stdout) == [
        str(number) for number in odd
    ]
    after = written(project.points("kill"))
    assert sorted(number for number in after if after[number] != before[number]) == odd


def test_a_failing_notebook_keeps_what_it_did_and_the_others_go_on(project: SmallProject, cluster: Cluster) -> None:
    project.executions()
    done = project.sweep("fail", "--scheduler", cluster.address)
    assert done.returncode == 1
    assert "2 done" in done.stdout
    assert "failed: number=2, fail=True: AssertionError: failed on purpose" in done.stdout
    folder = project.points("fail")[2]
    assert json.loads((folder / "point.json").read_text())["error"] == "AssertionError: failed on purpose"
    cells = json.loads((folder / "notebook.ipynb").read_text())["cells"]
    texts = ["".join(output.get("text", "")) for cell in cells for output in cell.get("outputs", [])]
    assert "squaring 2\n" in texts
    assert "failed on purpose" in (folder / "log.txt").read_text()
    assert pd.read_csv(folder.parent / "table.csv")["param_number"].tolist() == [1, 3]
    assert project.executions() == [1, 2, 3]
    assert project.sweep("fail", "--scheduler", cluster.address).returncode == 1
    assert project.executions() == [2]


def test_a_restarted_scheduler_loses_only_what_was_under_way(project: SmallProject, cluster: Cluster) -> None:
    command = ("stop", "--scheduler", cluster.address)
    running = project.start("ltrlib", "sweep", *command)
    wait_until(lambda: len(project.points("stop")) == 1)
    cluster.restart_scheduler()
    _, err = running.communicate(timeout=120)
    assert running.returncode == 2
    assert "the scheduler went away" in err
    there = written(project.points("stop"))
    project.executions()
    again = project.sweep(*command)
    assert again.returncode == 0, again.stderr
    assert len(again.stdout.splitlines()) == 1
    assert sorted(project.points("stop")) == [1, 2, 3]
    assert set(project.executions()) == {1, 2, 3} - set(there)
    assert written(project.points("stop")).items() >= there.items()


def test_ctrl_c_stops_everything_and_the_next_run_goes_on(project: SmallProject) -> None:
    """On a cluster of its own; no worker and no kernel is left behind."""
    command = ("stop", "--workers", "1", "--runs", "other-runs")
    running = project.start("ltrlib", "sweep", *command)
    other = project.folder / "other-runs" / "stop"
    wait_until(lambda: len(list(other.glob("*/point.json"))) == 1)
    family = psutil.Process(running.pid).children(recursive=True)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    assert re.search(r"[12] of 3 points are there; the same command does the rest", err)
    wait_until(lambda: not any(process.is_running() for process in family), seconds=20)
    there = {path.name for path in other.glob("[0-9a-f]*")}
    again = project.sweep(*command)
    assert again.returncode == 0, again.stderr
    assert f"{3 - len(there)} done" in again.stdout
    assert f"{len(there)} kept" in again.stdout


def test_no_scheduler_no_sweep(project: SmallProject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(project.environment, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "1s")
    done = project.sweep("stop", "--scheduler", "tcp://127.0.0.1:9", "--runs", "third-runs")
    assert done.returncode == 2
    assert "no scheduler answers" in done.stderr
    assert "ltrlib sweep --help" in done.stderr, "which shows how to start one"


def test_a_cluster_without_workers_says_so_and_begins_when_one_comes(project: SmallProject) -> None:
    empty = Cluster(project, workers=0)
    try:
        wait_until(lambda: empty.answers())
        running = project.start("ltrlib", "sweep", "stop", "--scheduler", empty.address, "--runs", "fourth-runs")
        assert running.stderr is not None
        told = running.stderr.readline()
        assert f"{empty.address}: 0 workers; start some with: dask worker {empty.address} --nthreads 1" in told
        empty.workers.append(empty.add_worker())
        out, err = running.communicate(timeout=120)
        assert running.returncode == 0, out + err
        assert "3 done" in out
    finally:
        empty.stop()


@pytest.mark.parametrize("address", ["localhost", "127.0.0.1:8786", "bogus://127.0.0.1:8786"])
def test_what_is_no_address_is_refused_at_once(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UsageError, match="not the address of a scheduler"), connect(workers=1, scheduler=address):
        pass
    assert capsys.readouterr().err == ""
