"""Protects what a sweep keeps: folders that are whole, staleness, modes, full disks; with made-up outcomes, so fast."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import pytest

from ltrlib import cluster as clusters
from ltrlib.cli import main
from ltrlib.records import observed
from ltrlib.records.record import read_record
from ltrlib.sweeps import running, schedule
from ltrlib.sweeps.description import Chapter, Sweep, read_sweep
from ltrlib.sweeps.estimate import typical_seconds
from ltrlib.sweeps.execution import Job, Outcome, execute, failed
from ltrlib.sweeps.records import CHAPTERS
from ltrlib.sweeps.reported import read_metrics, record_metric
from ltrlib.sweeps.store import Store, other_versions
from ltrlib.sweeps.table import merge, one_row_per_point, record_table
from tests.helpers.sweeps import CHAPTER

DEPENDENCIES = {"module:ltrlib.errors": observed.dependencies()["module:ltrlib.errors"]}


def outcome(job: Job, dependencies: dict[str, str] | None = None) -> Outcome:
    facts = {"started": "now", "seconds": 2.0, "dependencies": DEPENDENCIES if dependencies is None else dependencies}
    files = {"notebook.ipynb": b"{}", "log.txt": b"log"}
    return Outcome(job.key, "", {"x.square": float(job.parameters["number"]) ** 2}, files, facts)


class FakeCluster:
    """Stands in for Dask: each point has an outcome at once; what it is asked to run is noted."""

    def __init__(self) -> None:
        self.ran: list[int] = []
        self.broken: set[int] = set()
        self.stop_after = 10**9

    @contextmanager
    def connect(self, *, workers: int, scheduler: str | None) -> Iterator[None]:
        yield

    def run_jobs(self, client: None, jobs: Sequence[Job]) -> Iterator[Outcome]:
        for place, job in enumerate(jobs):
            if place == self.stop_after:
                raise KeyboardInterrupt
            number = job.parameters["number"]
            self.ran.append(number)
            yield failed(job.key, RuntimeError("broken")) if number in self.broken else outcome(job)

    def take(self) -> list[int]:
        ran, self.ran = self.ran, []
        return ran


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> FakeCluster:
    made = FakeCluster()
    monkeypatch.setattr(clusters, "connect", made.connect)
    monkeypatch.setattr(schedule, "run_jobs", made.run_jobs)
    return made


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "squares.md").write_text(CHAPTER)
    path = tmp_path / "squares.yml"
    path.write_text("chapter: squares.md\ngrid: {number: [1, 2, 3]}\n")
    return path


def sweep(path: Path, *options: str) -> int:
    return main(["sweep", str(path), "--runs", str(path.parent / "runs"), *options])


def opened(path: Path) -> tuple[Sweep, Store]:
    made = read_sweep(path)
    return made, Store(path.parent / "runs" / made.name, made.chapter)


def test_each_mode_does_what_its_name_says(
    path: Path, cluster: FakeCluster, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sweep(path) == 0
    assert cluster.take() == [1, 2, 3]
    assert sweep(path) == 0
    assert cluster.take() == []
    assert sweep(path, "--mode", "error") == 2
    assert cluster.take() == []
    assert "3 of 3 points have been run with the same code and data" in capsys.readouterr().err
    assert sweep(path, "--mode", "overwrite") == 0
    assert cluster.take() == [1, 2, 3]
    path.write_text(path.read_text().replace("3]", "3, 4, 5]"))
    assert sweep(path) == 0
    assert cluster.take() == [4, 5]


def test_only_failed_points_are_run_again(path: Path, cluster: FakeCluster) -> None:
    cluster.broken = {2}
    assert sweep(path) == 1
    cluster.broken = set()
    cluster.take()
    assert sweep(path) == 0
    assert cluster.take() == [2]


def test_changed_code_data_or_library_makes_a_point_stale_and_prose_does_not(
    path: Path, cluster: FakeCluster, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sweep(path) == 0
    chapter = path.parent / "squares.md"
    chapter.write_text(CHAPTER.replace("# Squares", "# Better words"))
    cluster.take()
    assert sweep(path) == 0
    assert cluster.take() == []
    chapter.write_text(CHAPTER.replace('print("squaring", number)', "pass"))
    assert sweep(path, "--dry-run") == 0
    assert "stale: the chapter's code has changed" in capsys.readouterr().out
    assert sweep(path) == 0
    assert cluster.take() == [1, 2, 3]
    made, store = opened(path)
    store.write(made.points[1], outcome(Job("", made.points[1].parameters, "", None), {"dataset:mq2008": "0"}))
    capsys.readouterr()
    assert sweep(path) == 0
    assert cluster.take() == [2]
    assert "stale: number=2 (changed since: dataset:mq2008)" in capsys.readouterr().out


def test_damaged_folders_are_run_again(path: Path, cluster: FakeCluster) -> None:
    assert sweep(path) == 0
    made, store = opened(path)
    (store.folder / made.points[0].key / "metrics.csv").write_text("metric,value\n")
    (store.folder / made.points[1].key / "point.json").write_text("{")
    (store.folder / made.points[2].key / "notebook.ipynb").unlink()
    cluster.take()
    assert sweep(path) == 0
    assert cluster.take() == [1, 2, 3]


def test_a_full_disk_stops_the_sweep_leaves_nothing_half_written_and_the_next_run_goes_on(
    path: Path, cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = 0
    real = os.fsync

    def full(file: int) -> None:
        nonlocal calls
        calls += 1
        if calls > 6:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(file)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        assert sweep(path) == 2
    shown = capsys.readouterr().err
    assert "1 of 3 points are there; the same command does the rest" in shown
    assert "no space left on device\n  to do: free some space, or write elsewhere" in shown
    folder = path.parent / "runs" / "squares"
    assert len([entry for entry in folder.iterdir() if entry.name not in (".lock", "sweep.json")]) == 1
    cluster.take()
    assert sweep(path) == 0
    assert cluster.take() == [2, 3]


def test_ctrl_c_keeps_what_was_done(path: Path, cluster: FakeCluster, capsys: pytest.CaptureFixture[str]) -> None:
    cluster.stop_after = 2
    assert sweep(path) == 130
    assert "2 of 3 points are there" in capsys.readouterr().err
    cluster.take()
    assert sweep(path) == 0
    assert cluster.take() == [3]


def test_two_descriptions_of_one_name_do_not_share_a_folder(
    path: Path, cluster: FakeCluster, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second would replace the first one's table by its own."""
    runs = ["--runs", str(path.parent / "runs")]
    other = path.parent / "other" / path.name
    other.parent.mkdir()
    (other.parent / "squares.md").write_text(CHAPTER)
    other.write_text("chapter: squares.md\ngrid: {number: [7]}\n")
    assert sweep(path) == 0
    table = (path.parent / "runs" / "squares" / "table.csv").read_text()
    for arguments in ([], ["--dry-run"]):
        assert main(["sweep", str(other), *runs, *arguments]) == 2
    assert main(["sweep", "show", str(other), *runs]) == 2
    assert f"points of another description of the same name, {path}" in capsys.readouterr().err
    assert (path.parent / "runs" / "squares" / "table.csv").read_text() == table
    # A description that was moved is not another one.
    path.unlink()
    assert main(["sweep", str(other), *runs]) == 0


def test_a_number_that_somebody_edited_does_not_get_into_the_table(path: Path, cluster: FakeCluster) -> None:
    assert sweep(path) == 0
    made, store = opened(path)
    facts = store.folder / made.points[1].key / "point.json"
    facts.write_text(facts.read_text().replace('"x.square": 4.0', '"x.square": 5.0'))
    assert store.state(made.points[1]).why == "its files are damaged (point.json is not what the run wrote)"
    cluster.take()
    assert sweep(path) == 0
    assert cluster.take() == [2]


def test_a_package_of_another_version_makes_points_stale(
    path: Path, cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock names the versions that should be there, not those that are."""
    assert sweep(path) == 0
    made, store = opened(path)
    there = dict(store.read(made.points[0]))
    versions = dict(observed.environment()["versions"])
    assert other_versions({**there, "versions": versions}) == []
    assert other_versions({**there, "versions": {**versions, "lightgbm": "0.1"}}) == [
        f"lightgbm 0.1, now {versions['lightgbm']}"
    ]


@pytest.mark.parametrize("option", ["--dry-run", "--mode=reuse"])
def test_workers_are_at_least_one(path: Path, cluster: FakeCluster, option: str) -> None:
    assert sweep(path) == 0
    for number in ("0", "-1"):
        assert sweep(path, "--workers", number, option) == 2


def test_one_sweep_is_not_run_by_two_commands_at_once(path: Path, cluster: FakeCluster) -> None:
    _, store = opened(path)
    with store.only_one():
        assert sweep(path) == 2
    assert cluster.take() == []
    assert sweep(path) == 0


def test_a_worker_with_another_library_is_found_out(path: Path, cluster: FakeCluster) -> None:
    """Its numbers would be stale at once; they must not be mixed with the others."""
    made, store = opened(path)
    other = outcome(Job(made.points[0].key, made.points[0].parameters, "", None), {"module:ltrlib.errors": "other"})
    refused = running._refuse_other_code(other, store)
    assert refused.error == "not the same here and where it ran: module:ltrlib.errors"


def test_the_bar_tells_done_failed_and_left(path: Path, cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    class Bar:
        def __enter__(self) -> Bar:
            return self

        def __exit__(self, *_: object) -> None: ...

        def set_postfix_str(self, text: str) -> None:
            told.append(text)

        def update(self) -> None: ...

    monkeypatch.setattr(running, "progress", lambda **_: Bar())
    cluster.broken = {2}
    assert sweep(path) == 1
    assert told == ["done 1, failed 0, left 2", "done 1, failed 1, left 1", "done 2, failed 1, left 0"]


def test_the_time_to_come_is_estimated_from_the_points_that_are_there(
    path: Path, cluster: FakeCluster, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sweep(path) == 0
    path.write_text("chapter: squares.md\ngrid: {number: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}\n")
    capsys.readouterr()
    assert sweep(path, "--dry-run", "--workers", "2") == 0
    assert "7 of 10 points to run; about 8 s with 2 workers, at 2.0 s each" in capsys.readouterr().out


def test_before_the_first_point_the_estimate_comes_from_the_book_itself(tmp_path: Path) -> None:
    made = read_sweep("conventions")
    recorded = CHAPTERS.read().table.set_index("chapter")["seconds"]
    assert typical_seconds(Store(tmp_path / "conventions", made.chapter)) == recorded[made.chapter.path.stem]


def test_show_prints_plots_and_says_what_is_missing(
    path: Path, cluster: FakeCluster, capsys: pytest.CaptureFixture[str]
) -> None:
    cluster.broken = {3}
    assert sweep(path) == 1
    capsys.readouterr()
    assert main(["sweep", "show", str(path), "--runs", str(path.parent / "runs")]) == 0
    shown = capsys.readouterr().out
    assert shown.splitlines()[0].split() == ["number", "x.square", "seconds"]
    assert shown.splitlines()[2].split() == ["2", "4.0000", "2.0000"]
    assert "1 of 3 points are not there or not up to date" in shown
    assert (path.parent / "runs" / "squares" / "table.png").stat().st_size > 1000
    arguments = ["sweep", "show", str(path), "--runs", str(path.parent / "runs"), "--metric"]
    assert main([*arguments, "x.square"]) == 0
    assert main([*arguments, "x.circle"]) == 2


def test_parameters_become_columns_whatever_their_names_and_types(tmp_path: Path, cluster: FakeCluster) -> None:
    """A parameter may be called metric or value, and lists are kept as text; defaults fill what is not given."""
    (tmp_path / "squares.md").write_text(CHAPTER.replace("fail: bool", "value: int = 3  # odd name\nfail: bool"))
    path = tmp_path / "squares.yml"
    path.write_text("chapter: squares.md\npoints: [{number: 1, words: [b, c]}, {number: 2, value: 7}]\n")
    assert sweep(path) == 0
    table = merge(*opened(path))
    assert table["param_words"].tolist() == ['["b", "c"]', '["a"]']
    assert table["param_value"].tolist() == [3, 7]
    assert table["value"].tolist() == [1.0, 4.0]
    assert one_row_per_point(table)["x.square"].tolist() == [1.0, 4.0]


def test_a_recorded_table_can_be_read_as_a_record_with_the_code_that_was_observed(
    path: Path, cluster: FakeCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sweep(path) == 0
    monkeypatch.setattr("ltrlib.records.record.project_data", lambda *parts: tmp_path.joinpath(*parts))
    record_table(*opened(path))
    columns = {"point": "str", "param_number": "int", "metric": "str", "value": "float", "seconds": "float"}
    record = read_record("sweeps/squares", columns)
    assert record.table["value"].tolist() == [1.0, 4.0, 9.0]
    assert record.provenance["code"]["maker"] == ["ltrlib.errors"]
    assert record.provenance["work_s"] == 6.0
    assert record.provenance["command"] == "ltrlib sweep squares --record"


def test_points_in_threads_of_one_worker_do_not_meet(tmp_path: Path) -> None:
    """Real kernels, two at a time in one process, as under dask worker --nthreads 2."""
    (tmp_path / "squares.md").write_text(CHAPTER)
    chapter = Chapter.read(tmp_path / "squares.md")
    here = Path.cwd()
    jobs = [Job(str(n), {"number": n, "pause": 0.5}, chapter.notebook, str(tmp_path)) for n in (2, 3)]
    with ThreadPoolExecutor(2) as threads:
        outcomes = list(threads.map(execute, jobs))
    assert Path.cwd() == here
    assert [(o.key, o.error, o.metrics) for o in outcomes] == [
        ("2", "", {"squares.square": 4.0}),
        ("3", "", {"squares.square": 9.0}),
    ]
    for number, one in zip((2, 3), outcomes, strict=True):
        assert f"squaring {number}\n" in one.files["log.txt"].decode()
        assert f"squaring {5 - number}\n" not in one.files["log.txt"].decode()
    assert (tmp_path / "executions.txt").exists()


def test_kernels_that_start_at_the_same_moment_cannot_choose_the_same_port(tmp_path: Path) -> None:
    """On TCP they can, and one of them then never answers."""
    ask = "from ipykernel.kernelapp import IPKernelApp; print(IPKernelApp.instance().transport)"
    (tmp_path / "squares.md").write_text(CHAPTER.replace('assert not fail, "failed on purpose"', ask))
    chapter = Chapter.read(tmp_path / "squares.md")
    done = execute(Job("a", {"number": 2}, chapter.notebook, str(tmp_path)))
    assert "ipc" in done.files["log.txt"].decode().split()


def test_a_kernel_that_dies_is_a_failed_point_with_what_it_had_done(tmp_path: Path) -> None:
    killer = CHAPTER.replace(
        'assert not fail, "failed on purpose"', "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    )
    (tmp_path / "squares.md").write_text(killer)
    chapter = Chapter.read(tmp_path / "squares.md")
    done = execute(Job("a", {"number": 2}, chapter.notebook, str(tmp_path)))
    assert "Kernel died" in done.error
    assert "squaring 2" in done.files["notebook.ipynb"].decode()


def test_metrics_are_what_a_notebook_glued(capsys: pytest.CaptureFixture[str]) -> None:
    def cell(name: str, text: str) -> dict[str, object]:
        data = {"application/papermill.record/text/plain": repr(text)}
        return {"outputs": [{"metadata": {"scrapbook": {"name": name}}, "data": data}, {"metadata": {}}]}

    texts = {"a": "0.25", "b": "12.5%", "c": "220 of 784", "d": "−1,234.5", "e": "nan", "f": "inf", "g": ""}
    found = read_metrics({"cells": [{"source": "x"}, *(cell(name, text) for name, text in texts.items())]})
    assert {name: value for name, value in found.items() if value == value} == {"a": 0.25, "b": 0.125, "d": -1234.5}
    assert "e" in found
    with pytest.raises((TypeError, ValueError)):
        record_metric("x.y", "text")  # type: ignore[arg-type]


def test_a_number_is_reported_as_glue_would_but_without_what_builds_the_book(tmp_path: Path) -> None:
    """``ltrlib[sweeps]`` has no MyST-NB, and a notebook of the user's own has no other way to report."""
    cells = [
        "from myst_nb import glue; glue('a.b', repr(0.1 + 0.2), display=False)",
        "import sys; sys.modules['myst_nb'] = None",
        "from ltrlib.sweeps.reported import record_metric; record_metric('a.b', 0.1 + 0.2)",
    ]
    text = "".join(f"\n```{{code-cell}}\n{cell}\n```\n" for cell in cells)
    (tmp_path / "own.md").write_text(CHAPTER + text)
    done = execute(Job("a", {"number": 2}, Chapter.read(tmp_path / "own.md").notebook, str(tmp_path)))
    assert not done.error
    assert done.metrics == {"squares.square": 4.0, "a.b": 0.1 + 0.2}
    glued, _, reported = [cell["outputs"] for cell in json.loads(done.files["notebook.ipynb"])["cells"][-3:]]
    assert glued == reported


@pytest.mark.parametrize(
    "part", ["kernelspec: {name: python3, language: python, display_name: Python 3}\n", "language: python, "]
)
def test_a_notebook_without_kernel_or_language_is_refused_before_any_point(
    path: Path, part: str, cluster: FakeCluster, capsys: pytest.CaptureFixture[str]
) -> None:
    """Papermill would refuse each point by itself, without saying what to do."""
    (path.parent / "squares.md").write_text(CHAPTER.replace(part, ""))
    assert sweep(path) == 2
    assert cluster.take() == []
    message = capsys.readouterr().err
    assert "squares.md: the notebook does not say its language and kernel" in message
    assert "kernelspec: {name: python3, language: python" in message


def test_facts_of_a_point_are_json_that_people_can_read(path: Path, cluster: FakeCluster) -> None:
    assert sweep(path) == 0
    made, store = opened(path)
    facts = json.loads((store.folder / made.points[0].key / "point.json").read_text())
    assert facts["parameters"] == {"number": 1}
    assert facts["metrics"] == {"x.square": 1.0}
    assert pd.read_csv(store.folder / made.points[0].key / "metrics.csv").to_dict("records") == [
        {"metric": "x.square", "value": 1.0}
    ]
