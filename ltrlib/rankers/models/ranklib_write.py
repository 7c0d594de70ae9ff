"""RankLib's model files, written so that RankLib 2.x reads them and ranks alike."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.atomic import new_file
from ltrlib.errors import UsageError
from ltrlib.rankers.models.fitted import as_model
from ltrlib.rankers.models.forms import LinearModel, Model, StumpModel, TreeModel
from ltrlib.rankers.models.ranklib_read import TREES

if TYPE_CHECKING:
    from ltrlib.rankers.base import Ranker

__all__ = ["write_ranklib"]


def write_ranklib(model: Model | Ranker, path: str | Path) -> None:
    """Write a model for RankLib: linear, RankBoost, LambdaMART, MART or Random Forests.

    A linear ranker that RankLib does not have (RankSVM, Ridge) is written as Linear Regression, which scores alike.
    RankLib keeps trees in single precision. Thresholds are rounded down, so that every value of single precision takes
    the same way; outputs are rounded to the nearest, so scores agree to about seven digits, and documents whose scores
    differ by less may change places.

    Parameters
    ----------
    model
        A fitted ranker, or a model that was read.
    path
        The file to write.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "model.txt")
    >>> write_ranklib(LinearModel("Coordinate Ascent", 2, np.array([0, 1]), np.array([0.25, 0.75])), path)
    >>> print(path.read_text().rstrip())
    ## Coordinate Ascent
    ## Written by ltrlib
    1:0.25 2:0.75
    """
    found = as_model(model)
    if isinstance(found, LinearModel):
        body = _linear(found)
    elif isinstance(found, StumpModel):
        body = " ".join(
            f"{column + 1}:{threshold!r}:{weight!r}"
            for column, threshold, weight in _rows(found.columns, found.thresholds, found.weights)
        )
    elif isinstance(found, TreeModel):
        body = "\n" + _trees(found)
    else:
        raise UsageError(f"RankLib has no file for {found.name}")
    name = "Random Forests" if isinstance(found, TreeModel) and len(found.bags) > 1 else found.name
    if isinstance(found, TreeModel) and name not in TREES:
        name = "LambdaMART"
    with new_file(Path(path)) as file:
        file.write(f"## {name}\n## Written by ltrlib\n{body}\n".encode())


def _rows(*arrays: NDArray[Any]) -> Iterator[tuple[Any, ...]]:
    """Plain numbers, whose text is the shortest that is read back as the same."""
    return zip(*(array.tolist() for array in arrays), strict=True)


def _linear(model: LinearModel) -> str:
    if model.name != "Linear Regression" and model.intercept:
        raise UsageError(f"{model.name} has no place for an intercept in RankLib's file")
    constant = [f"0:{model.intercept!r}"] if model.name == "Linear Regression" else []
    # Weights of zero add nothing; without any, one is kept, because RankLib needs a line.
    rows = [(column, weight) for column, weight in _rows(model.columns, model.weights) if weight != 0.0]
    rows = rows or [(0, 0.0)]
    return " ".join([*constant, *(f"{column + 1}:{weight!r}" for column, weight in rows)])


def _single(value: float) -> str:
    number = np.float32(value)
    if not np.isfinite(number):
        raise UsageError(f"{value!r} does not fit into single precision, which RankLib's trees have")
    return repr(float(str(number)))


def _down(value: float) -> str:
    """The largest number of single precision that is not above: no value of single precision lies between."""
    number = np.float32(value)
    return _single(float(number if float(number) <= value else np.nextafter(number, np.float32(-np.inf))))


def _trees(model: TreeModel) -> str:
    if model.zeros.any():
        raise UsageError(
            "its trees take zeros for missing values, which RankLib cannot", cure="train without zero_as_missing"
        )
    starts = [*model.bags.tolist(), model.n_trees]
    parts: list[str] = []
    for first, last in itertools.pairwise(starts):
        parts.append("<ensemble>\n")
        for number, tree in enumerate(range(first, last), start=1):
            parts.append(f'\t<tree id="{number}" weight="{_single(float(model.weights[tree]))}">\n')
            parts += _tree(model, int(model.roots[tree]))
            parts.append("\t</tree>\n")
        parts.append("</ensemble>\n\n")
    return "".join(parts)


def _tree(model: TreeModel, root: int) -> Iterator[str]:
    """Lines of one tree; by a stack, because a tree may be deeper than Python lets functions call each other."""
    stack: list[tuple[str, int, int]] = [("<split>", root, 2)]
    while stack:
        opening, node, depth = stack.pop()
        indent = "\t" * depth
        if node < 0:
            yield f"{indent}</split>\n"
            continue
        yield f"{indent}{opening}\n"
        stack.append(("", -1, depth))
        if model.columns[node] < 0:
            yield f"{indent}\t<output> {_single(float(model.values[node]))} </output>\n"
            continue
        yield f"{indent}\t<feature> {int(model.columns[node]) + 1} </feature>\n"
        yield f"{indent}\t<threshold> {_down(float(model.thresholds[node]))} </threshold>\n"
        stack.append(('<split pos="right">', int(model.right[node]), depth + 1))
        stack.append(('<split pos="left">', int(model.left[node]), depth + 1))
