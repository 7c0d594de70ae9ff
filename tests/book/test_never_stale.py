"""Protects "never stale": a page is executed again exactly when something that it used has changed.

A small book is built with the real extension on a copy of ltrlib, which the test may then edit.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ltrlib.project import ROOT

CONFIG = """
extensions = ["myst_nb", "ltrlib.book.sphinx_extension"]
nb_execution_mode = "cache"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
exclude_patterns = ["_build", "ltrlib", "data", "chapters"]
html_theme = "basic"
"""
PAGE = """---
kernelspec: {name: python3, language: python, display_name: Python 3}
jupytext: {text_representation: {extension: .md, format_name: myst}}
---
# Page {name}

```{code-cell}
from ltrlib import book
book.start("{name}")
{code}
```
"""


class SmallBook:
    """A book of two pages in a folder of its own: "reads" reads a data file, "uses" imports ltrlib.progress."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "ltrlib", folder / "ltrlib", ignore=ignore)
        for name in ("requirements.lock", "pyproject.toml"):
            shutil.copy(ROOT / name, folder)
        (folder / "data").mkdir()
        (folder / "data" / "registry.yml").touch()
        (folder / "data" / "number.txt").write_text("41")
        (folder / "conf.py").write_text(CONFIG)
        (folder / "index.md").write_text("# Book\n\n```{toctree}\nreads\nuses\nstatus\n```\n")
        (folder / "status.md").write_text("# Status\n\n```{book-status}\n```\n")
        self.write_page("reads", "print(open('data/number.txt').read())")
        self.write_page("uses", "import ltrlib.progress")

    def write_page(self, name: str, code: str) -> None:
        (self.folder / f"{name}.md").write_text(PAGE.replace("{name}", name).replace("{code}", code))

    def build(self) -> list[str]:
        """Build and return the names of the pages that were executed."""
        command = [sys.executable, "-m", "sphinx", "-W", ".", "_build/html"]
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return sorted(re.findall(r"/(\w+)\.md: Executing notebook", done.stdout + done.stderr))

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.folder / name
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))

    def html(self, name: str) -> str:
        return (self.folder / "_build" / "html" / f"{name}.html").read_text()


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> SmallBook:
    made = SmallBook(tmp_path_factory.mktemp("book"))
    assert made.build() == ["reads", "uses"]
    return made


def test_nothing_is_executed_when_nothing_has_changed(book: SmallBook) -> None:
    assert book.build() == []


def test_a_comment_in_a_module_executes_nothing(book: SmallBook) -> None:
    book.edit("ltrlib/progress.py", '__all__ = ["progress"]', '__all__ = ["progress"]  # a comment')
    assert book.build() == []


def test_a_changed_module_executes_only_the_page_that_imports_it_and_going_back_executes_nothing(
    book: SmallBook,
) -> None:
    book.edit("ltrlib/progress.py", "delay=2.0", "delay=3.0")
    assert book.build() == ["uses"]
    book.edit("ltrlib/progress.py", "delay=3.0", "delay=2.0")
    assert book.build() == []


def test_a_changed_data_file_executes_only_its_reader_and_the_page_shows_the_new_content(book: SmallBook) -> None:
    assert "41" in book.html("reads")
    (book.folder / "data" / "number.txt").write_text("42")
    assert book.build() == ["reads"]
    assert "42" in book.html("reads")


def test_a_changed_lock_executes_everything(book: SmallBook) -> None:
    with (book.folder / "requirements.lock").open("a") as lock:
        lock.write("# one more line\n")
    assert book.build() == ["reads", "uses"]


def test_changed_prose_executes_nothing_but_changed_code_does(book: SmallBook) -> None:
    book.edit("uses.md", "# Page uses", "# Another title")
    assert book.build() == []
    assert "Another title" in book.html("uses")
    book.write_page("uses", "import ltrlib.progress; print(7)")
    assert book.build() == ["uses"]
    assert book.build() == []


def test_a_failing_cell_fails_the_build_and_leaves_nothing_to_reuse(book: SmallBook) -> None:
    book.write_page("uses", "raise ValueError('broken on purpose')")
    with pytest.raises(AssertionError, match="CellExecutionError"):
        book.build()
    book.write_page("uses", "import ltrlib.progress; print(8)")
    assert book.build() == ["uses"]


def test_the_status_page_tells_run_time_and_environment_of_each_page(book: SmallBook) -> None:
    text = book.html("status")
    assert "Page reads" in text
    assert re.search(r"\d+\.\d s", text)
    assert "numpy" in text


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one core executes one page at a time")
def test_stale_pages_are_executed_side_by_side(book: SmallBook) -> None:
    """Each page waits for a file that only the other one writes: one after the other, neither would ever end."""
    for mine, other in (("reads", "uses"), ("uses", "reads")):
        wait = f"while not Path('_build/{other}.here').exists(): time.sleep(0.05)"
        book.write_page(mine, f"import time\nfrom pathlib import Path\nPath('_build/{mine}.here').touch()\n{wait}")
    with (book.folder / "requirements.lock").open("a") as lock:
        lock.write("# and one more\n")
    assert book.build() == ["reads", "uses"]
