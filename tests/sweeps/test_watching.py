"""Protects a sweep of the user's own chapter from old numbers: everything that the chapter reads is watched."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ltrlib.sweeps.description import Chapter, Point, read_sweep
from ltrlib.sweeps.execution import Job, execute
from ltrlib.sweeps.store import Store

HEAD = """---
kernelspec: {name: python3, language: python, display_name: Python 3}
jupytext: {text_representation: {extension: .md, format_name: myst}}
---
# Own

```{code-cell}
:tags: [parameters]
number: int = 1  # anything
```

```{code-cell}
"""
READS = {
    "a module beside the chapter": "import helper",
    "a module on the search path": "import sys; sys.path.insert(0, 'lib'); import deep.helper",
    "a module that was compiled earlier": "import helper, importlib; importlib.reload(helper)",
    "an opened file": "open('in.txt').read()",
    "a file opened by descriptor": "import os; os.read(os.open('in.txt', os.O_RDONLY), 9)",
    "a table read by pandas": "import pandas as pd; pd.read_csv('in.txt')",
    "a file of a path": "from pathlib import Path; Path('in.txt').read_text()",
    "rankings read by ltrlib": "from ltrlib.datasets.letor import read_letor; read_letor('rows.txt')",
    "a script that is run": "import runpy; runpy.run_path('script.py')",
    "a program's argument": "import subprocess; subprocess.run(['cat', 'in.txt'])",
    "a file that was not there": "import os\ntry:\n    open('new.txt')\nexcept OSError:\n    pass",
}
CHANGES = {"a module on the search path": "lib/deep/helper.py", "rankings read by ltrlib": "rows.txt"} | {
    "a script that is run": "script.py",
    "a file that was not there": "new.txt",
}


def project(folder: Path, cell: str) -> Chapter:
    (folder / "lib" / "deep").mkdir(parents=True)
    for name in ("helper.py", "lib/deep/helper.py", "script.py"):
        (folder / name).write_text("VALUE = 1  # one\n")
    (folder / "lib" / "deep" / "__init__.py").touch()
    (folder / "in.txt").write_text("a,b\n1,2\n")
    (folder / "rows.txt").write_text("1 qid:1 1:0.5\n0 qid:1 1:0.25\n")
    (folder / "own.md").write_text(f"{HEAD}{cell}\n```\n")
    return Chapter.read(folder / "own.md")


def run(folder: Path, chapter: Chapter, inputs: tuple[str, ...] = ()) -> tuple[Store, Point]:
    store, point = Store(folder / "runs", chapter), Point({"number": 1})
    outcome = execute(Job(point.key, point.parameters, chapter.notebook, chapter.folder, inputs))
    assert outcome.error == ""
    assert store.changes(outcome.facts["dependencies"]) == []
    store.write(point, outcome)
    return store, point


@pytest.mark.parametrize("what", READS)
def test_a_point_is_stale_when_something_that_it_read_has_changed(what: str, tmp_path: Path) -> None:
    chapter = project(tmp_path, READS[what])
    if "compiled" in what:
        subprocess.run([sys.executable, "-c", "import helper"], cwd=tmp_path, check=True)
    store, point = run(tmp_path, chapter)
    assert store.state(point).kind == "done"
    changed = tmp_path / CHANGES.get(what, "helper.py" if "module" in what else "in.txt")
    if changed.exists():
        changed.write_text(changed.read_text().replace("# one", "# another word").replace("1,2", "1,2"))
        assert Store(store.folder, chapter).state(point).kind == "done"
    changed.write_text("VALUE = 2\n" if changed.suffix == ".py" else "a,b\n3,4\n")
    state = Store(store.folder, chapter).state(point)
    assert (state.kind, state.why) == ("stale", f"changed since: input:{changed}")


def test_what_a_point_has_written_itself_and_the_installation_are_no_inputs(tmp_path: Path) -> None:
    cell = """
from pathlib import Path
import numpy, json, random
Path("out.txt").write_text("x"); Path("out.txt").read_text()
Path("part.txt").write_text("x"); Path("part.txt").rename("whole.txt"); Path("whole.txt").read_text()
open("/proc/self/status").read(); open("/dev/null").read()
"""
    store, point = run(tmp_path, project(tmp_path, cell))
    assert [key for key in store.read(point)["dependencies"] if key.startswith("input:")] == []


def test_a_file_that_is_read_unseen_is_named_in_the_description(tmp_path: Path) -> None:
    chapter = project(tmp_path, "number")
    (tmp_path / "own.yml").write_text("chapter: own.md\ninputs: [in.txt]\ngrid: {number: [1]}\n")
    sweep = read_sweep(tmp_path / "own.yml")
    assert sweep.inputs == (str(tmp_path / "in.txt"),)
    store, point = run(tmp_path, chapter, sweep.inputs)
    (tmp_path / "in.txt").write_text("a,b\n3,4\n")
    assert Store(store.folder, chapter).state(point).why == f"changed since: input:{tmp_path / 'in.txt'}"


def test_a_file_that_changes_while_the_point_runs_makes_no_valid_point(tmp_path: Path) -> None:
    """Nobody knows which of its states the numbers belong to."""
    cell = "import subprocess; open('in.txt').read(); subprocess.run('echo 5,6 >> in.txt', shell=True)"
    chapter = project(tmp_path, cell)
    done = execute(Job("a", {}, chapter.notebook, chapter.folder))
    key = f"input:{tmp_path / 'in.txt'}"
    assert done.facts["dependencies"][key] == "changed while the point ran"
    assert Store(tmp_path / "runs", chapter).changes(done.facts["dependencies"]) == [key]
