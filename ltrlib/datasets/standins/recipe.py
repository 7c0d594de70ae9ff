"""Parameter files of the stand-ins: what they hold, how they are read and written.

A recipe holds counts, quantiles, loadings and shifts: aggregates of a real set or published facts, never rows. All
numbers that meet a random number are integers; :mod:`ltrlib.datasets.standins` says why.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.atomic import new_file
from ltrlib.errors import RecordError
from ltrlib.project import project_data

__all__ = ["CELLS_PER_UNIT", "LATENT_UNIT", "TABLE_CELLS", "Recipe", "recipe_path", "read_recipe", "write_recipe"]

LATENT_UNIT = 1 << 14
"""One standard deviation of the latent scores, as an integer: draws come in 1/64, loadings in 1/256."""

CELLS_PER_UNIT = 512
"""Resolution of the tables that turn a latent score into a feature value."""

TABLE_CELLS = 8 * CELLS_PER_UNIT
"""Tables cover latent scores from -4 to 4; what lies outside gets the value at the border."""


@dataclass(frozen=True, eq=False)
class Recipe:
    """Everything that one stand-in is generated from.

    Parameters
    ----------
    about
        Where the parameters come from.
    real
        Name of the real set in the registry.
    n_features
        Number of columns; those not in ``columns`` stay 0.
    normalised
        Whether each feature is scaled to 0 … 1 within each query, as in LETOR.
    sections
        Disjoint groups of queries by name. A row holds a query size, the number of documents per label (or
        nothing, when ``label_model`` draws the labels) and how many queries are like that.
    files
        The sections that make up each part, such as ``"Fold1/train": ["S1", "S2", "S3"]``.
    label_model
        How labels are drawn: ``cuts`` between the labels on the latent scale, loadings of the ``query``'s and the
        ``doc``'s own draw, share of ``empty`` queries in 1/65536. None when ``sections`` has the labels.
    type_labels, type_weights
        Document types: the label that each belongs to, and its share of that label in 1/65536.
    columns
        Column of each modelled feature; -1 for a gate, which is modelled but not shown.
    gates
        Position of each feature's gate, or -1. A gate is 0 or 1; features that share one are 0 in the same documents.
    query_loadings, query_noise, doc_loadings, doc_noise
        Dependence of the features between and within queries: low rank plus diagonal, in 1/256.
    shifts
        Shift of each feature's latent score, one row per document type.
    tables
        Feature value per latent cell, one row per feature.
    comparison
        Recorded comparison with the real data.

    Examples
    --------
    >>> recipe = read_recipe("standin/mq2008")
    >>> recipe.real, recipe.files["Fold2/train"]
    ('mq2008', ['S2', 'S3', 'S4'])
    """

    about: str
    real: str
    n_features: int
    normalised: bool
    sections: dict[str, NDArray[np.int64]]
    files: dict[str, list[str]]
    label_model: dict[str, Any] | None
    type_labels: NDArray[np.int64]
    type_weights: NDArray[np.int64]
    columns: NDArray[np.int64]
    gates: NDArray[np.int64]
    query_loadings: NDArray[np.float32]
    query_noise: NDArray[np.float32]
    doc_loadings: NDArray[np.float32]
    doc_noise: NDArray[np.float32]
    shifts: NDArray[np.float32]
    tables: NDArray[np.float32]
    comparison: dict[str, Any]

    @classmethod
    def from_parameters(cls, parameters: dict[str, Any]) -> Recipe:
        """Build a recipe from the content of a parameter file.

        Parameters
        ----------
        parameters
            The file's content; the keys are explained above, a feature's in the singular.
        """
        features: list[dict[str, Any]] = parameters["features"]

        def rows(key: str) -> NDArray[np.float32]:
            return np.array([feature[key] for feature in features], np.float32)

        tables = [_value_table(**marginal) for marginal in parameters["marginals"]]
        return cls(
            about=parameters["about"],
            real=parameters["real"],
            n_features=parameters["n_features"],
            normalised=parameters["normalised"],
            sections={name: np.array(rows, np.int64) for name, rows in parameters["sections"].items()},
            files=parameters["files"],
            label_model=parameters["label_model"],
            type_labels=np.array([label for label, _ in parameters["types"]]),
            type_weights=np.array([weight for _, weight in parameters["types"]]),
            columns=np.array([feature["column"] for feature in features]) - 1,
            gates=np.array([feature.get("gate", -1) for feature in features]),
            query_loadings=np.ascontiguousarray(rows("query").T),
            query_noise=rows("query_noise"),
            doc_loadings=np.ascontiguousarray(rows("doc").T),
            doc_noise=rows("doc_noise"),
            # A set that takes its features from another one can be harder or easier than that.
            shifts=np.ascontiguousarray(np.rint(rows("shift").T * np.float32(parameters.get("signal", 1)))),
            tables=np.stack([tables[feature["marginal"]] for feature in features]),
            comparison=parameters.get("comparison", {}),
        )


def _value_table(knots: list[int], values: list[float], step: float) -> NDArray[np.float32]:
    """Tabulate a piecewise linear function of the latent score; the same knot twice makes a jump.

    Each operation is a ufunc of its own, so that no processor can fuse two and round differently.
    """
    centres = 2 * np.arange(TABLE_CELLS) + 1 - TABLE_CELLS  # twice the score: integers, and never on a knot
    places, heights = 2 * np.array(knots), np.array(values, np.float64)
    found = np.searchsorted(places, centres)
    left, right = np.maximum(found - 1, 0), np.minimum(found, len(places) - 1)
    share = (centres - places[left]) / np.maximum(places[right] - places[left], 1)
    rise = (heights[right] - heights[left]) * share
    table = heights[left] + np.where(left == right, 0.0, rise)
    if step:
        table = np.rint(table / step) * step
    return table.astype(np.float32)


def recipe_path(name: str) -> Path:
    """Path of the parameter file of a stand-in.

    Examples
    --------
    >>> recipe_path("standin/mq2008").name
    'mq2008.json'
    """
    return project_data("standins", f"{name.removeprefix('standin/')}.json")


@cache
def read_recipe(name: str) -> Recipe:
    """Read the parameter file of a stand-in.

    Examples
    --------
    >>> read_recipe("standin/mq2008").n_features
    46
    """
    path = recipe_path(name)
    try:
        return Recipe.from_parameters(_read_parameters(path))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RecordError(
            f"not a parameter file of a stand-in: {error!r}", where=path, cure="restore the file from the repository"
        ) from error


def _read_parameters(path: Path) -> dict[str, Any]:
    parameters: dict[str, Any] = json.loads(path.read_text("utf-8"))
    if like := parameters.pop("like", None):
        return {**_read_parameters(path.with_name(f"{like}.json")), **parameters}
    return parameters


def write_recipe(name: str, parameters: dict[str, Any]) -> Path:
    """Write a parameter file, one line per feature, complete or not at all.

    Parameters
    ----------
    name
        Name of the stand-in.
    parameters
        Its parameters, see :class:`Recipe`.
    """
    path = recipe_path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    entries = []
    for key, value in parameters.items():
        text = _compact(value)
        if isinstance(value, list):
            text = "[\n" + ",\n".join(_compact(row) for row in value) + "\n]"
        elif isinstance(value, dict):
            text = "{\n" + ",\n".join(f"{_compact(name)}: {_compact(row)}" for name, row in value.items()) + "\n}"
        entries.append(f"{_compact(key)}: {text}")
    with new_file(path) as file:
        file.write(("{\n" + ",\n".join(entries) + "\n}\n").encode())
    read_recipe.cache_clear()
    return path


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
