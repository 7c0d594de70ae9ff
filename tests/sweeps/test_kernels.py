"""Protects the separation of points whose kernels are forked from one process, and that nothing is left of them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from ltrlib.sweeps import kernels
from ltrlib.sweeps.description import Chapter
from ltrlib.sweeps.execution import Job, Outcome, execute
from tests.helpers.sweeps import wait_until
from tests.sweeps.test_watching import HEAD

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="kernels are forked on Linux only")

# Everything that a careless cell could change, and what it looks like in a process where nothing was changed.
SPOIL = """
import builtins, os, random, sys, tempfile, warnings, locale, logging, signal
import numpy as np
import matplotlib
import matplotlib.pyplot as plt
import string as leaked_module
leaked = "variable"
builtins.leaked = "builtin"
leaked_module.capwords = None
sys.path.insert(0, "/leaked")
os.environ["LEAKED"] = "1"
os.chdir(tempfile.mkdtemp())
os.umask(0o077)
random.seed(5); np.random.seed(5)
matplotlib.rcParams["lines.linewidth"] = 99.0
plt.plot([1, 2])
np.seterr(all="raise"); np.set_printoptions(precision=1)
warnings.simplefilter("ignore")
logging.getLogger().setLevel(1)
signal.signal(signal.SIGUSR1, signal.SIG_IGN)
get_ipython().run_line_magic("config", "InteractiveShell.ast_node_interactivity = 'all'")
sys.setrecursionlimit(4321)
"""
LOOK = """
import builtins, json, os, sys, signal, logging
look = {"modules": sorted(m for m in sys.modules if m.split(".")[0] in ("numpy", "matplotlib", "pandas", "leaked"))}
look |= {
    "variable": "leaked" in globals(), "builtin": hasattr(builtins, "leaked"),
    "patched": __import__("string").capwords is None,
    "path": "/leaked" in sys.path, "environment": "LEAKED" in os.environ, "folder": os.getcwd(),
    "recursion": sys.getrecursionlimit(), "level": logging.getLogger().level,
    "handler": str(signal.getsignal(signal.SIGUSR1)), "children": str(signal.getsignal(signal.SIGCHLD)),
    "interrupt": signal.getsignal(signal.SIGINT) is signal.default_int_handler,
    "shell": get_ipython().ast_node_interactivity, "history": len(In), "arguments": sys.argv[:1][0].split("/")[-1],
    "main": sys.modules["__main__"].__dict__ is globals(), "filters": len(__import__("warnings").filters),
    "umask": os.umask(0o022), "session": os.getsid(0) == os.getpid(),
}
import random, numpy as np, matplotlib, matplotlib.pyplot as plt
draws = [random.random(), float(np.random.rand())]
look |= {"width": matplotlib.rcParams["lines.linewidth"], "figures": plt.get_fignums(), "err": np.geterr(),
         "digits": np.get_printoptions()["precision"]}
print(json.dumps([look, draws]))
"""


def chapter(folder: Path, name: str, cell: str) -> Chapter:
    (folder / f"{name}.md").write_text(f"{HEAD}{cell}\n```\n")
    return Chapter.read(folder / f"{name}.md")


def run(made: Chapter, number: int = 1) -> Outcome:
    done = execute(Job(str(number), {"number": number}, made.notebook, made.folder))
    assert done.error == "", done.files["log.txt"].decode()
    return done


def printed(done: Outcome) -> str:
    last = json.loads(done.files["notebook.ipynb"])["cells"][-1]
    return "".join(last["outputs"][0]["text"])


def test_nothing_that_a_point_does_to_its_process_reaches_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a point finds is what it would find in a kernel of its own, before and after one that spoils everything."""
    spoil, look = chapter(tmp_path, "spoil", SPOIL), chapter(tmp_path, "look", LOOK)
    before, first = json.loads(printed(run(look)))
    run(spoil)
    after, second = json.loads(printed(run(look)))
    with monkeypatch.context() as patch:
        patch.setattr(kernels, "_warm_server", lambda environment: None)
        alone, third = json.loads(printed(run(look)))
    assert after == before
    # Not its name on the command line, which is the launcher's path.
    assert {**before, "arguments": ""} == {**alone, "arguments": ""}
    # Nobody gave seeds, so no two points draw the same.
    assert len({*first, *second, *third}) == 6


def test_a_helper_that_changes_between_two_points_is_read_anew(tmp_path: Path) -> None:
    made = chapter(tmp_path, "own", "import helper; print(helper.VALUE)")
    for value in (1, 2):
        (tmp_path / "helper.py").write_text(f"VALUE = {value}  {'#' * value}\n")
        assert printed(run(made)) == f"{value}\n"


def test_a_kernel_gets_the_environment_of_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = str(tmp_path / "own-folder")
    made = chapter(tmp_path, "own", f"import os, sys; print(os.environ.get('OWN'), {folder!r} in sys.path)")
    run(made)
    monkeypatch.setenv("OWN", "7")
    assert printed(run(made)) == "7 False\n"
    # What the interpreter itself reads at its start needs another start.
    monkeypatch.setenv("PYTHONPATH", f"{os.environ.get('PYTHONPATH', '')}{os.pathsep}{folder}")
    assert printed(run(made)) == "7 True\n"


def test_points_at_the_same_time_in_one_process_do_not_meet(tmp_path: Path) -> None:
    made = chapter(tmp_path, "own", "import time; time.sleep(0.3); print(number)")
    with ThreadPoolExecutor(2) as threads:
        assert [printed(one) for one in threads.map(lambda n: run(made, n), range(6))] == [f"{n}\n" for n in range(6)]


def test_what_a_kernel_starts_can_be_waited_for_and_what_it_leaves_to_its_end_is_done(tmp_path: Path) -> None:
    cell = """
import atexit, subprocess, sys
atexit.register(lambda: open("end.txt", "w").write("done"))
print(subprocess.run([sys.executable, "-c", "raise SystemExit(3)"]).returncode)
"""
    assert printed(run(chapter(tmp_path, "own", cell))) == "3\n"
    assert (tmp_path / "end.txt").read_text() == "done"


def test_no_kernel_outlives_a_killed_worker(tmp_path: Path) -> None:
    cell = "import os, pathlib, time; pathlib.Path('pid').write_text(str(os.getpid())); time.sleep(600)"
    chapter(tmp_path, "own", cell)
    program = (
        "from pathlib import Path; from ltrlib.sweeps.description import Chapter; "
        "from ltrlib.sweeps.execution import Job, execute; c = Chapter.read(Path('own.md').resolve()); "
        "execute(Job('a', {}, c.notebook, c.folder))"
    )
    worker = subprocess.Popen([sys.executable, "-c", program], cwd=tmp_path)
    wait_until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text() != "")
    family = psutil.Process(worker.pid).children(recursive=True)
    assert int((tmp_path / "pid").read_text()) in [process.pid for process in family]
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    wait_until(lambda: not any(one.is_running() and one.status() != "zombie" for one in family), seconds=20)


def test_a_forked_kernel_is_ready_much_sooner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In processor time, which others on the machine do not change much; the best of three, as the rest is noise."""
    made = chapter(tmp_path, "own", "import time; print(time.process_time())")
    run(made)
    warm = min(float(printed(run(made))) for _ in range(3))
    monkeypatch.setattr(kernels, "_warm_server", lambda environment: None)
    cold = min(float(printed(run(made))) for _ in range(3))
    assert warm < cold / 2
