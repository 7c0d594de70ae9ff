"""RankLib's model files, read and scored as RankLib 2.x does.

A file begins with ``## NAME`` and more lines of settings that begin with ``#``. Features are numbered from 1.

=================== ===============================================================================================
Coordinate Ascent,  one line ``feature:weight feature:weight …``, added up in this order in double precision;
AdaRank             in AdaRank a feature may occur several times
Linear Regression   the same, with ``0:constant``. RankLib 2.x writes the first weight there instead of its constant,
                    and adds it to every score, which changes no order
RankBoost           one line ``feature:threshold:weight …``; a stump counts where the feature is above the threshold
LambdaMART, MART    XML: ``<ensemble>`` of ``<tree weight=…>`` of ``<split>``: feature, threshold, then the splits left
                    (not above the threshold) and right; or output. Thresholds, outputs, weights and the sum are of
                    single precision
Random Forests      several ensembles, whose mean is the score
=================== ===============================================================================================
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.parsers import expat

import numpy as np

from ltrlib.errors import DataFormatError
from ltrlib.rankers.models.forms import LinearModel, Model, StumpModel, TreeModel

__all__ = ["LINEAR", "STUMPS", "TREES", "read_ranklib"]

LINEAR = ("Coordinate Ascent", "AdaRank", "Linear Regression")
STUMPS = "RankBoost"
TREES = ("LambdaMART", "MART", "Random Forests")
_HIGHEST = 1_000_000  # a feature beyond it is a slip of the pen, and would ask for rows of that width


def read_ranklib(path: str | Path) -> Model:
    r"""Read a model that RankLib saved.

    Parameters
    ----------
    path
        The file.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "model.txt")
    >>> _ = path.write_text("## RankBoost\n## Iteration = 2\n3:0.5:1.5 1:0.25:0.5\n")
    >>> read_ranklib(path).predict(np.array([[0.3, 0.0, 0.5], [0.0, 0.0, 0.6]], np.float32))
    array([0.5, 1.5])
    """
    path = Path(path)
    try:
        lines = path.read_bytes().decode("utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise DataFormatError("not a model of RankLib: not text", where=path) from None
    title = lines[0].replace("## ", "").strip()
    known = {name.upper(): name for name in (*LINEAR, STUMPS, *TREES)}
    if not lines[0].startswith("## "):
        raise DataFormatError("not a model of RankLib: it does not begin with ## NAME", where=f"{path}:1")
    if title.upper() not in known:
        raise DataFormatError(
            f"models of {title[:40]!r} are not read", where=f"{path}:1", cure=f"known are {', '.join(known.values())}"
        )
    name = known[title.upper()]
    return _trees(path, lines, name) if name in TREES else _one_line(path, lines, name)


def _one_line(path: Path, lines: list[str], name: str) -> Model:
    """Models of one line; RankLib looks at the first that is neither empty nor a comment."""
    number, line = next(
        ((at, text) for at, text in enumerate(lines, start=1) if text.strip() and not text.startswith("##")), (0, "")
    )
    where = f"{path}:{number or len(lines)}"
    words = line.rpartition("#")[0].split() if "#" in line else line.split()
    if not words:
        raise DataFormatError("the line with the weights is missing", where=where)
    size = 3 if name == STUMPS else 2
    columns, numbers = [], []
    for word in words:
        parts = word.split(":")
        if len(parts) != size:
            form = "feature:threshold:weight" if name == STUMPS else "feature:weight"
            raise DataFormatError(f"{word[:40]!r} is not {form}", where=where)
        columns.append(_feature(parts[0], where, least=0 if name == "Linear Regression" else 1) - 1)
        numbers.append([_number(part, where, np.float64) for part in parts[1:]])
    places, values = np.array(columns, np.int64), np.array(numbers)
    if name == STUMPS:
        return StumpModel(name, None, places, values[:, 0].copy(), values[:, 1].copy())
    own = places >= 0
    if (~own).sum() > 1:
        raise DataFormatError("more than one constant (0:…)", where=where)
    intercept = float(values[~own, 0].sum())
    return LinearModel(name, None, places[own], values[own, 0].copy(), intercept)


def _feature(text: str, where: str, least: int = 1) -> int:
    try:
        number = int(text)
    except ValueError:
        number = -1
    if not least <= number <= _HIGHEST or not text.strip().isascii():
        raise DataFormatError(f"{text.strip()[:40]!r} is not a feature; they are numbered from 1", where=where)
    return number


def _number(text: str, where: str, kind: type[np.floating[Any]]) -> float:
    try:
        with np.errstate(over="ignore"):
            value = float(kind(text.strip())) if text.strip().isascii() and "_" not in text else np.nan
    except ValueError:
        value = np.nan
    if not np.isfinite(value):
        raise DataFormatError(f"{text.strip()[:40]!r} is not a number", where=where)
    return value


class _Builder:
    """Puts trees together while the XML is read; nothing recurses, so depth does not matter."""

    def __init__(self, path: Path, parser: Any) -> None:
        self.path, self.parser = path, parser
        self.open: list[str] = []
        self.text: list[str] = []
        self.bags: list[int] = []
        self.roots: list[int] = []
        self.weights: list[float] = []
        self.nodes: list[dict[str, Any]] = []
        self.parents: list[int] = []

    @property
    def where(self) -> str:
        return f"{self.path}:{self.parser.CurrentLineNumber}"

    def wrong(self, what: str) -> DataFormatError:
        return DataFormatError(what, where=self.where)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        above = self.open[-1] if self.open else ""
        self.open.append(tag)
        self.text.clear()
        match above, tag:
            case "", "models":
                pass
            case "models", "ensemble":
                self.bags.append(len(self.roots))
            case "ensemble", "tree":
                if "weight" not in attributes:
                    raise self.wrong("a tree without a weight")
                self.weights.append(_number(attributes["weight"], self.where, np.float32))
                self.roots.append(len(self.nodes))
            case (("tree" | "split"), "split"):
                self._start_split(attributes.get("pos"), above)
            case "split", ("feature" | "threshold" | "output"):
                if tag in self.nodes[self.parents[-1]]:
                    raise self.wrong(f"<{tag}> twice in one split")
            case _:
                raise self.wrong(f"<{tag}> within <{above}>")

    def _start_split(self, side: str | None, above: str) -> None:
        place = len(self.nodes)
        if above == "split":
            parent = self.nodes[self.parents[-1]]
            # RankLib goes by the order: left, then right.
            expected = "right" if "left" in parent else "left"
            if "right" in parent or side not in (None, expected) or not {"feature", "threshold"} <= parent.keys():
                raise self.wrong("a split is a feature, a threshold, and the splits left and right")
            parent[expected] = place
        elif place != self.roots[-1]:
            raise self.wrong("a tree with two roots")
        self.nodes.append({})
        self.parents.append(place)

    def end(self, tag: str) -> None:
        self.open.pop()
        text = "".join(self.text)
        self.text.clear()
        if tag in ("feature", "threshold", "output"):
            node = self.nodes[self.parents[-1]]
            node[tag] = _feature(text, self.where) if tag == "feature" else _number(text, self.where, np.float32)
        elif tag == "split":
            node = self.nodes[self.parents.pop()]
            if node.keys() not in ({"output"}, {"feature", "threshold", "left", "right"}):
                raise self.wrong("a split that has neither an output nor a feature, a threshold and two splits")
        elif tag == "tree" and self.roots[-1] == len(self.nodes):
            raise self.wrong("a tree without a split")
        elif tag == "ensemble" and self.bags[-1] == len(self.roots):
            raise self.wrong("an ensemble without a tree")

    def characters(self, text: str) -> None:
        if self.open[-1] in ("feature", "threshold", "output"):
            self.text.append(text)
        elif text.strip():
            raise self.wrong(f"{text.strip()[:40]!r} within <{self.open[-1]}>")

    def refuse(self, *_: object) -> None:
        raise self.wrong("a document type or entity, which no model of RankLib has")


def _trees(path: Path, lines: list[str], name: str) -> TreeModel:
    parser = expat.ParserCreate()
    builder = _Builder(path, parser)
    parser.StartElementHandler, parser.EndElementHandler = builder.start, builder.end
    parser.CharacterDataHandler = builder.characters
    # Without declarations there is nothing to expand and nothing outside to fetch.
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = builder.refuse
    parser.SkippedEntityHandler = builder.refuse
    # Comments make way for empty lines, so that numbers of lines stay right; one root holds all ensembles.
    text = "\n".join("" if line.startswith("#") else line for line in lines)
    try:
        parser.Parse(b"<models>", False)
        parser.Parse(text.encode(), False)
        parser.Parse(b"</models>", True)
    except expat.ExpatError as error:
        what = expat.ErrorString(error.code)
        raise DataFormatError(f"not a whole model of RankLib: {what}", where=f"{path}:{error.lineno}") from None
    if not builder.bags:
        raise DataFormatError("no <ensemble> of trees", where=f"{path}:{len(lines)}")
    if name != "Random Forests" and len(builder.bags) > 1:
        raise DataFormatError(f"{len(builder.bags)} ensembles, where {name} has one", where=path)
    return _tree_model(builder, name)


def _tree_model(builder: _Builder, name: str) -> TreeModel:
    nodes = builder.nodes
    return TreeModel(
        name,
        None,
        np.array(builder.roots, np.int64),
        np.array(builder.weights),
        np.array(builder.bags, np.int64),
        np.array([node.get("feature", 0) - 1 for node in nodes], np.int32),
        np.array([node.get("threshold", 0.0) for node in nodes]),
        np.array([node.get("left", 0) for node in nodes], np.int64),
        np.array([node.get("right", 0) for node in nodes], np.int64),
        np.array([node.get("output", 0.0) for node in nodes]),
        np.zeros(len(nodes), np.int32),
        single=True,
    )
