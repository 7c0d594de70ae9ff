"""LightGBM's model text: read into plain arrays, scored to the last bit as LightGBM scores, and written.

Raw scores are meant throughout, those that rank. Trees with categorical splits, linear leaves or several classes are
refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ltrlib.atomic import new_file
from ltrlib.errors import DataFormatError, UsageError
from ltrlib.rankers.models.forms import Model, TreeModel

if TYPE_CHECKING:
    from ltrlib.rankers.base import Ranker

__all__ = ["parse_lightgbm", "read_lightgbm", "write_lightgbm"]

_CATEGORICAL, _DEFAULT_LEFT, _MISSING_ZERO = 1, 2, 1
_END = "end of trees"


def read_lightgbm(path: str | Path) -> TreeModel:
    """Read a model that LightGBM wrote (``Booster.save_model``).

    Parameters
    ----------
    path
        The file.

    Examples
    --------
    >>> read_lightgbm("README.md")
    Traceback (most recent call last):
    ...
    ltrlib.errors.DataFormatError: README.md:1: not a model of LightGBM: it does not begin with tree
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise DataFormatError("not a model of LightGBM: not text", where=path) from None
    return parse_lightgbm(text, where=path)


def parse_lightgbm(text: str, *, where: str | Path, name: str = "LambdaMART") -> TreeModel:
    """Read the text of a model.

    Parameters
    ----------
    text
        As LightGBM writes it.
    where
        What errors name.
    name
        What the model is called in files of other programs.
    """
    blocks = list(_blocks(text, where))
    head = blocks[0]
    if len(blocks) == 1:
        raise DataFormatError("a model without trees", where=where)
    for key in ("num_class", "num_tree_per_iteration"):
        if head.integer(key, 1) != 1:
            raise DataFormatError(f"{key} is not 1: such a model does not rank", where=head.at(key))
    width = head.integer("max_feature_idx") + 1
    parts: dict[str, list[NDArray[Any]]] = {key: [] for key in _ARRAYS}
    roots, first = [], 0
    for block in blocks[1:]:
        nodes = _tree(block, width)
        for side in ("left", "right"):
            nodes[side] = nodes[side] + first
        roots.append(first)
        first += len(nodes["columns"])
        for key, values in nodes.items():
            parts[key].append(values)
    # Also of a forest (boosting=rf), whose raw score is the sum of its trees.
    bags = np.zeros(1, np.int64)
    arrays: dict[str, Any] = {key: np.concatenate(parts[key]).astype(kind) for key, kind in _ARRAYS.items()}
    return TreeModel(name, width, np.array(roots, np.int64), np.ones(len(roots)), bags, **arrays, single=False)


_ARRAYS: dict[str, type] = {
    "columns": np.int32,
    "thresholds": np.float64,
    "left": np.int64,
    "right": np.int64,
    "values": np.float64,
    "zeros": np.int32,
}


class _Block:
    """Lines ``key=value`` with their numbers."""

    def __init__(self, where: str | Path, line: int) -> None:
        self.where, self.line = where, line
        self.values: dict[str, tuple[int, str]] = {}

    def at(self, key: str) -> str:
        return f"{self.where}:{self.values[key][0] if key in self.values else self.line}"

    def text(self, key: str) -> str:
        if key not in self.values:
            raise DataFormatError(f"{key} is missing", where=f"{self.where}:{self.line}")
        return self.values[key][1]

    def integer(self, key: str, default: int | None = None) -> int:
        if default is not None and key not in self.values:
            return default
        try:
            return int(self.text(key))
        except ValueError:
            raise DataFormatError(f"{key}={self.text(key)[:40]} is not a whole number", where=self.at(key)) from None

    def numbers(self, key: str, count: int, kind: type) -> NDArray[Any]:
        words = self.text(key).split()
        try:
            values = np.array([kind(word) for word in words], np.float64 if kind is float else np.int64)
        except (ValueError, OverflowError):
            raise DataFormatError(f"{key} holds what is not a number", where=self.at(key)) from None
        if len(values) != count:
            raise DataFormatError(f"{key} has {len(values)} values instead of {count}", where=self.at(key))
        if not np.isfinite(values).all():
            raise DataFormatError(f"{key} holds what is not finite", where=self.at(key))
        return values


def _blocks(text: str, where: str | Path) -> Iterator[_Block]:
    """The head, then each tree."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != "tree":
        raise DataFormatError("not a model of LightGBM: it does not begin with tree", where=f"{where}:1")
    block = _Block(where, 1)
    for number, line in enumerate(lines[1:], start=2):
        key, _, value = line.strip().partition("=")
        if key == _END:
            yield block
            return
        if key == "Tree":
            yield block
            block = _Block(where, number)
        elif key:
            block.values[key] = number, value
    raise DataFormatError(f"cut off: no line says {_END}", where=f"{where}:{len(lines)}")


def _tree(block: _Block, width: int) -> dict[str, NDArray[Any]]:
    """Nodes of one tree: its splits, then its leaves."""
    leaves = block.integer("num_leaves")
    if leaves < 1:
        raise DataFormatError(f"num_leaves={leaves}", where=block.at("num_leaves"))
    for key, what in (("num_cat", "categorical splits"), ("is_linear", "linear leaves")):
        if block.integer(key, 0):
            raise DataFormatError(f"a tree with {what}, which are not read", where=block.at(key))
    splits = leaves - 1
    values = block.numbers("leaf_value", leaves, float)
    nothing = np.zeros(leaves)
    if not splits:
        none = np.zeros(0)
        columns, thresholds, kinds, left, right = none, none, none.astype(np.int64), none, none
    else:
        columns = block.numbers("split_feature", splits, int)
        thresholds = block.numbers("threshold", splits, float)
        kinds = block.numbers("decision_type", splits, int)
        left, right = (block.numbers(key, splits, int) for key in ("left_child", "right_child"))
        _check_tree(block, columns, left, right, width)
        if (kinds & _CATEGORICAL).any():
            raise DataFormatError("a categorical split, which is not read", where=block.at("decision_type"))
    missing = (kinds >> 2) & 3
    zeros = np.where(missing == _MISSING_ZERO, np.where(kinds & _DEFAULT_LEFT, -1, 1), 0)

    # A child that is a leaf is written as minus its number, from -1.
    def places(children: NDArray[Any]) -> NDArray[Any]:
        return np.where(children < 0, splits - 1 - children, children)

    return {
        "columns": np.concatenate([columns, np.full(leaves, -1)]),
        "thresholds": np.concatenate([thresholds, nothing]),
        "left": np.concatenate([places(left), nothing]).astype(np.int64),
        "right": np.concatenate([places(right), nothing]).astype(np.int64),
        "values": np.concatenate([np.zeros(splits), values]),
        "zeros": np.concatenate([zeros, nothing]),
    }


def _check_tree(block: _Block, columns: NDArray[Any], left: NDArray[Any], right: NDArray[Any], width: int) -> None:
    """Refuse features that are not there, and children that make no tree: scoring might never end."""
    if columns.min() < 0 or columns.max() >= width:
        raise DataFormatError(f"a feature outside 0 to {width - 1}", where=block.at("split_feature"))
    splits = len(columns)
    children = np.concatenate([left, right])
    expected = [*range(-splits - 1, 0), *range(1, splits)]
    inner = np.maximum(left, right)
    # Each node but the root is the child of one split, and every split stands before its children.
    ordered = (left[left > 0] > np.flatnonzero(left > 0)).all() and (right[right > 0] > np.flatnonzero(right > 0)).all()
    if sorted(children.tolist()) != expected or not ordered or inner.max() >= splits:
        raise DataFormatError("the children make no tree", where=block.at("left_child"))


def write_lightgbm(model: Model | Ranker, path: str | Path) -> None:
    """Write trees as LightGBM's model text, which ``lightgbm.Booster(model_file=path)`` reads.

    Parameters
    ----------
    model
        Trees that were read, or a fitted LambdaMART, GBDT or RandomForest. The scores are the same to the last bit,
        except those of RankLib's files: it adds up in single precision, LightGBM in double.
    path
        The file to write.

    Examples
    --------
    >>> import tempfile
    >>> write_lightgbm(TreeModel("MART", 2, np.array([0]), np.ones(1), np.array([0]), np.array([-1], np.int32),
    ...                          np.zeros(1), np.zeros(1, np.int64), np.zeros(1, np.int64), np.ones(1),
    ...                          np.zeros(1, np.int32), single=False), Path(tempfile.mkdtemp(), "model.txt"))
    """
    from ltrlib.rankers.models.fitted import as_model

    # LightGBM's own text is kept as it is, with what it says about the training.
    text = getattr(model, "booster_", None)
    if text is None:
        found = as_model(model)
        if not isinstance(found, TreeModel):
            raise UsageError(f"{found.name} has no trees", cure="LightGBM's files hold trees; write it for RankLib")
        text = _render(found)
    with new_file(Path(path)) as file:
        file.write(text.encode())


def _render(model: TreeModel) -> str:
    width = model.n_features or model.highest_feature + 1
    ends = [*model.roots[1:].tolist(), len(model.columns)]
    trees = []
    for number, (root, end) in enumerate(zip(model.roots.tolist(), ends, strict=True)):
        factor = float(model.weights[number])
        # The mean over bags, written as a sum: each leaf has its share.
        trees.append(_render_tree(model, number, root, end, factor, len(model.bags)))
    head = [
        "tree",
        "version=v4",
        "num_class=1",
        "num_tree_per_iteration=1",
        "label_index=0",
        f"max_feature_idx={max(width, 1) - 1}",
        "objective=regression",
        f"feature_names={' '.join(f'Column_{column}' for column in range(max(width, 1)))}",
        f"feature_infos={' '.join(['[-inf:inf]'] * max(width, 1))}",
        f"tree_sizes={' '.join(str(len(tree)) for tree in trees)}",
        "",
        "",
    ]
    return "\n".join(head) + "".join(trees) + f"{_END}\n\nfeature_importances:\n\nparameters:\n\nend of parameters\n"


def _render_tree(model: TreeModel, number: int, root: int, end: int, factor: float, share: int) -> str:
    """One tree, its splits in the order of a walk from the root."""
    order, leaves, stack = [], [], [root]
    while stack:
        node = stack.pop()
        if model.columns[node] < 0:
            leaves.append(node)
        else:
            order.append(node)
            stack += [int(model.right[node]), int(model.left[node])]
    place = {node: index for index, node in enumerate(order)} | {node: -1 - index for index, node in enumerate(leaves)}
    zeros = model.zeros[order] if order else np.zeros(0, np.int32)
    kinds = [_DEFAULT_LEFT if zero == 0 else 4 + (_DEFAULT_LEFT if zero < 0 else 0) for zero in zeros]
    values = [float(model.values[leaf]) * factor / share for leaf in leaves]
    lines = {"num_leaves": str(len(leaves)), "num_cat": "0"}
    if order:
        lines |= {
            "split_feature": _row(model.columns[order].tolist()),
            "split_gain": _row([0] * len(order)),
            "threshold": _row(model.thresholds[order].tolist()),
            "decision_type": _row(kinds),
            "left_child": _row([place[int(model.left[node])] for node in order]),
            "right_child": _row([place[int(model.right[node])] for node in order]),
        }
    lines["leaf_value"] = _row(values)
    if order:
        lines |= {"leaf_weight": _row([0] * len(leaves)), "leaf_count": _row([0] * len(leaves))}
        lines |= {"internal_value": _row([0] * len(order)), "internal_weight": _row([0] * len(order))}
        lines["internal_count"] = _row([0] * len(order))
    lines |= {"is_linear": "0", "shrinkage": "1"}
    return f"Tree={number}\n" + "".join(f"{key}={value}\n" for key, value in lines.items()) + "\n\n"


def _row(values: list[Any]) -> str:
    # Shortest text that is read back as the same double.
    return " ".join(repr(value) for value in values)
