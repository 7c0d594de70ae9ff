"""A small project of its own, with a copy of ltrlib that tests may edit, and Dask's ordinary commands."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from ltrlib.project import ROOT

# Notes every execution in a file; imports one more module at odd numbers; reports a number without loading MyST-NB.
CHAPTER = """---
kernelspec: {name: python3, language: python, display_name: Python 3}
jupytext: {text_representation: {extension: .md, format_name: myst}}
---
# Squares

```{code-cell}
from ltrlib.records import observed
observed.watch_files()
```

```{code-cell}
:tags: [parameters]
number: int = 5  # what to square, 0 to 100
fail: bool = False  # whether to fail
pause: float = 0.0  # seconds to wait, at least 0
words: list[str] = ["a"]  # some words: a, b or c
```

```{code-cell}
import time
from pathlib import Path
from IPython.display import display
with Path("executions.txt").open("a") as file:
    file.write(f"{number}\\n")
print("squaring", number)
time.sleep(pause)
if number % 2:
    import ltrlib.progress
```

```{code-cell}
assert not fail, "failed on purpose"
```

```{code-cell}
data = {"application/papermill.record/text/plain": f"'{number**2}'"}
display(data, raw=True, metadata={"scrapbook": {"name": "squares.square", "mime_prefix": ""}})
```
"""


class SmallProject:
    """``ltrlib``, one chapter and a sweep over it, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT / "ltrlib", folder / "ltrlib", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("requirements.lock", "pyproject.toml"):
            shutil.copy(ROOT / name, folder)
        for name in ("chapters", "data/sweeps"):
            (folder / name).mkdir(parents=True)
        (folder / "data" / "registry.yml").touch()  # so that it is a checkout
        (folder / "chapters" / "50-squares.md").write_text(CHAPTER)
        # Many processes import the copy: let the first one keep what it compiles.
        self.environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": ""}

    def describe(self, name: str, text: str) -> None:
        """Write a sweep over the chapter."""
        (self.folder / "data" / "sweeps" / f"{name}.yml").write_text(f"chapter: 50-squares\n{text}\n")

    def start(self, *command: str) -> subprocess.Popen[str]:
        """Start a Python module with the project's own ltrlib."""
        pipe = subprocess.PIPE
        arguments = [sys.executable, "-m", *command]
        return subprocess.Popen(arguments, cwd=self.folder, env=self.environment, stdout=pipe, stderr=pipe, text=True)

    def sweep(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run ``ltrlib sweep`` to its end."""
        process = self.start("ltrlib", "sweep", *arguments)
        out, err = process.communicate(timeout=600)
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def points(self, sweep: str) -> dict[int, Path]:
        """Folders of the points that are there, by number."""
        files = (self.folder / "runs" / sweep).glob("[0-9a-f]*/point.json")
        return {json.loads(file.read_text())["parameters"]["number"]: file.parent for file in files}

    def executions(self) -> list[int]:
        """Numbers that were executed since this was last asked."""
        path = self.folder / "chapters" / "executions.txt"
        numbers = sorted(map(int, path.read_text().split())) if path.exists() else []
        path.unlink(missing_ok=True)
        return numbers


class Cluster:
    """``dask scheduler`` and ``dask worker`` as anybody would start them."""

    def __init__(self, project: SmallProject, *, workers: int = 1) -> None:
        self.project = project
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.scheduler = self._start_scheduler()
        self.workers = [self.add_worker() for _ in range(workers)]

    def answers(self) -> bool:
        """Whether the scheduler listens."""
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", self.port)) == 0

    def _start_scheduler(self) -> subprocess.Popen[bytes]:
        return self._dask("scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard")

    def add_worker(self) -> subprocess.Popen[bytes]:
        """Start a worker that nobody brings back when it dies."""
        return self._dask("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard")

    def _dask(self, *arguments: str) -> subprocess.Popen[bytes]:
        quiet = subprocess.DEVNULL
        command = [sys.executable, "-m", "dask", *arguments]
        folder, environment = self.project.folder, self.project.environment
        return subprocess.Popen(command, cwd=folder, env=environment, stdout=quiet, stderr=quiet)

    def restart_scheduler(self) -> None:
        """Kill the scheduler, then start it again at the same address, with a worker."""
        self.scheduler.kill()
        self.scheduler.wait()
        self.scheduler = self._start_scheduler()
        self.workers.append(self.add_worker())

    def stop(self) -> None:
        """End everything."""
        for process in (*self.workers, self.scheduler):
            process.send_signal(signal.SIGTERM)
        for process in (*self.workers, self.scheduler):
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def wait_until(true: Callable[[], bool], *, seconds: float = 240.0) -> None:
    """Wait until something has become true."""
    limit = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < limit, "waited in vain"
        time.sleep(0.05)
