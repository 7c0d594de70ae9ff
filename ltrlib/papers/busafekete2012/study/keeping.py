"""Keep a training in a file as soon as it is done, so that a run that was stopped goes on where it was."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np

from ltrlib.atomic import new_file
from ltrlib.papers.busafekete2012.study.training import Fitted

__all__ = ["read_training", "write_training"]


def write_training(path: Path, key: str, fitted: Fitted) -> None:
    """Keep a training, with everything that decides it as the key.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "one.npz"
    ...     write_training(path, "this code", Fitted({"C": 0.1}, 0, 0.5, np.zeros(3), 1.0))
    ...     read_training(path, "this code").parameters, read_training(path, "other code")
    ({'C': 0.1}, None)
    """
    story = {"key": key, "parameters": dict(fitted.parameters), "size": fitted.size, "vali": fitted.vali}
    story["seconds"] = fitted.seconds
    content = io.BytesIO()
    np.savez_compressed(content, scores=fitted.scores, story=np.array(json.dumps(story)))
    path.parent.mkdir(parents=True, exist_ok=True)
    with new_file(path) as file:
        file.write(content.getvalue())


def read_training(path: Path, key: str) -> Fitted | None:
    """Return a training that was kept, or None if there is none or something that decides it has changed."""
    if not path.exists():
        return None
    with np.load(path, allow_pickle=False) as kept:
        story = json.loads(str(kept["story"]))
        if story["key"] != key:
            return None
        return Fitted(story["parameters"], story["size"], story["vali"], kept["scores"], story["seconds"])
