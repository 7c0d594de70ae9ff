"""The folders of a sweep: ``<sweep>/<hash of the parameters>/``, one per point, each there as a whole or not at all.

A point's folder holds the executed notebook, the numbers that it reported (``metrics.csv``), its log, and
``point.json``: parameters, time, versions, machine, and what the run depended on. A point is up to date while the
chapter's code, all of these dependencies and the versions of the packages that decide numbers are as they were.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import ltrlib.datasets.loading  # noqa: F401 (it tells in which state a data set is)
from ltrlib.atomic import new_file, new_folder, remove_forgotten
from ltrlib.errors import UsageError
from ltrlib.records import observed
from ltrlib.sweeps.description import Chapter, Point
from ltrlib.sweeps.execution import NOTEBOOK, Outcome

__all__ = ["FACTS", "METRICS", "State", "Store", "owner_of"]

METRICS, FACTS = "metrics.csv", "point.json"
_OWNER = "sweep.json"
_SCHEMA = 2


@dataclass(frozen=True)
class State:
    """Whether a point has been run, and if its result still holds."""

    kind: Literal["done", "failed", "stale", "missing"]
    why: str = ""


@dataclass
class Store:
    """The folder of one sweep.

    Examples
    --------
    >>> import tempfile
    >>> chapter = Chapter(Path("x.md"), "{}", "0123", {})
    >>> outcome = Outcome("", "", {"x.ndcg": 0.5}, {"notebook.ipynb": b"{}"}, {"seconds": 1.0, "dependencies": {}})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = Store(Path(folder), chapter)
    ...     point = Point({"cutoff": 3})
    ...     before = store.state(point).kind
    ...     store.write(point, outcome)
    ...     before, store.state(point).kind, store.read(point)["metrics"]
    ('missing', 'done', {'x.ndcg': 0.5})
    """

    folder: Path
    chapter: Chapter
    # Whether a dependency has changed is found out once per run, not once per point.
    _changed: dict[tuple[str, str], bool] = field(default_factory=dict, repr=False)

    @contextmanager
    def only_one(self) -> Iterator[None]:
        """Keep a second command from running the same sweep at the same time."""
        self.folder.mkdir(parents=True, exist_ok=True)
        remove_forgotten(self.folder)
        with (self.folder / ".lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UsageError("this sweep is running already", where=self.folder, cure="wait for it") from None
            yield

    def claim(self, description: Path, *, take: bool = True) -> None:
        """Refuse a folder in which another description of the same name keeps its points.

        Parameters
        ----------
        description
            The file of the sweep.
        take
            Whether the folder belongs to it from now on.
        """
        owner = owner_of(self.folder)
        if owner is not None and owner != description and owner.is_file():
            raise UsageError(
                f"these are the points of another description of the same name, {owner}",
                where=self.folder,
                cure=f"rename {description.name}, or choose another folder with --runs",
            )
        if take:
            with new_file(self.folder / _OWNER) as file:
                file.write(json.dumps({"description": str(description)}, ensure_ascii=False).encode())

    def state(self, point: Point) -> State:
        """Find out whether a point has to be run."""
        try:
            facts = self.read(point)
        except FileNotFoundError:
            return State("missing")
        except (ValueError, KeyError) as error:
            return State("stale", f"its files are damaged ({error})")
        if facts["error"]:
            return State("failed", facts["error"])
        if facts["code"] != self.chapter.code_hash:
            return State("stale", "the chapter's code has changed")
        if changes := self.changes(facts["dependencies"]):
            return State("stale", f"changed since: {', '.join(changes)}")
        if changes := other_versions(facts):
            return State("stale", f"another version since: {', '.join(changes)}")
        return State("done")

    def changes(self, dependencies: Mapping[str, str]) -> list[str]:
        """Those of a run's dependencies that are not as the run found them."""
        for item in dependencies.items():
            if item not in self._changed:
                self._changed[item] = bool(observed.changed_dependencies(dict([item])))
        return [key for key, state in dependencies.items() if self._changed[key, state]]

    def write(self, point: Point, outcome: Outcome) -> None:
        """Put a point's folder in place; an older one gives way."""
        rows = "".join(f'"{name}",{value!r}\n' for name, value in outcome.metrics.items())
        files = {**outcome.files, METRICS: f"metric,value\n{rows}".encode()}
        facts = {
            "schema": _SCHEMA,
            "chapter": self.chapter.path.stem,
            "code": self.chapter.code_hash,
            "parameters": dict(point.parameters),
            "error": outcome.error,
            "metrics": dict(outcome.metrics),
            **outcome.facts,
            "sha256": {name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
        }
        text = json.dumps({**facts, "facts_sha256": _digest(facts)}, indent=1, ensure_ascii=False)
        with new_folder(self.folder / point.key, replace=True) as folder:
            for name, content in {**files, FACTS: text.encode()}.items():
                with new_file(folder / name) as file:
                    file.write(content)

    def read(self, point: Point) -> dict[str, Any]:
        """What is known about a point that was run."""
        folder = self.folder / point.key
        facts: dict[str, Any] = json.loads((folder / FACTS).read_text(encoding="utf-8"))
        if facts["schema"] != _SCHEMA:
            raise ValueError("of another version")
        if facts.pop("facts_sha256") != _digest(facts):
            raise ValueError(f"{FACTS} is not what the run wrote")
        for name in (NOTEBOOK, METRICS):
            noted = facts["sha256"].get(name)
            if noted and noted != hashlib.sha256((folder / name).read_bytes()).hexdigest():
                raise ValueError(f"{name} is not what the run wrote")
        return facts


def owner_of(folder: Path) -> Path | None:
    """The description of the sweep whose points a folder keeps; None if it does not say.

    Examples
    --------
    >>> owner_of(Path("no-such-folder")) is None
    True
    """
    try:
        return Path(json.loads((folder / _OWNER).read_text(encoding="utf-8"))["description"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _digest(facts: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def other_versions(facts: Mapping[str, Any]) -> list[str]:
    """Packages that decide numbers and that are here in another version than where a point ran.

    Examples
    --------
    >>> other_versions({"versions": {"numpy": "0.1"}})  # doctest: +ELLIPSIS
    ['numpy 0.1, now ...']
    """
    here = observed.environment()["versions"]
    then = facts.get("versions", {})
    return [f"{name} {old}, now {here.get(name, 'missing')}" for name, old in then.items() if here.get(name) != old]
