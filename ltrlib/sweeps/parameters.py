"""What a chapter's parameters may be, read from its cell tagged ``parameters``.

The cell gives each parameter a type, a default and a comment. A comment may say more, in words that are read here
when the default fits them: a range (``1 to 5``, ``at least 1``, ``at most 9``, ``above 0``, ``below 1``), or after a
colon the words to choose from (``learner: Ridge, AdaRank or RankSVM``). For a list they hold for its items. A
parameter called ``dataset`` must name a data set of the registry.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ltrlib.errors import UsageError

__all__ = ["Parameter", "read_parameters"]

_NUMBER = r"(-?\d[\d,_]*(?:\.\d+)?(?:e-?\d+)?)"
_RANGES: tuple[tuple[str, Callable[..., bool]], ...] = (
    (rf"{_NUMBER} to {_NUMBER}", lambda value, low, high: low <= value <= high),
    (rf"\bat least {_NUMBER}", lambda value, low: value >= low),
    (rf"\bat most {_NUMBER}", lambda value, high: value <= high),
    (rf"\babove {_NUMBER}", lambda value, low: value > low),
    (rf"\bbelow {_NUMBER}", lambda value, high: value < high),
)
_SCALARS: dict[str, type | tuple[type, ...]] = {"int": int, "float": (int, float), "str": str, "bool": bool}


@dataclass(frozen=True)
class Parameter:
    """One parameter of a chapter.

    Examples
    --------
    >>> folds = Parameter("folds", "int", 5, "how many, 1 to 5")
    >>> list(folds.problems(3)), list(folds.problems(6)), list(folds.problems("3"))
    ([], ['6 is not within "1 to 5"'], ["'3' is not of type int"])
    """

    name: str
    kind: str
    default: Any
    help: str

    def problems(self, value: Any) -> Iterator[str]:
        """Everything that is wrong with a value; nothing when it may be used."""
        if not _fits(value, ast.parse(self.kind, mode="eval").body):
            yield f"{value!r} is not of type {self.kind}"
            return
        for item in _items(value):
            if isinstance(item, str):
                yield from self._problems_of_text(item)
            elif isinstance(item, int | float) and not isinstance(item, bool):
                yield from (f'{item} is not within "{said}"' for said, within in self._limits() if not within(item))

    def _limits(self) -> Iterator[tuple[str, Callable[[float], bool]]]:
        numbers = [item for item in _items(self.default) if isinstance(item, int | float)]
        for pattern, test in _RANGES:
            for found in re.finditer(pattern, self.help):
                limits = [float(re.sub("[,_]", "", number)) for number in found.groups()]
                within = functools.partial(_within, test, limits)
                # A range that leaves out the default is not meant as the parameter's range.
                if all(map(within, numbers)):
                    yield found[0], within

    def _problems_of_text(self, text: str) -> Iterator[str]:
        if self.name == "dataset":
            from ltrlib.datasets.registry import real_set

            try:
                real_set(text)
            except UsageError:
                yield f"there is no data set {text!r}"
        elif (choices := self.choices) and text not in choices:
            yield f"{text!r} is not one of {', '.join(choices)}"

    @property
    def choices(self) -> list[str]:
        """The words to choose from; empty when the comment does not list them."""
        words = re.split(r", (?:or |and )?| or | and ", self.help.rpartition(": ")[2].split("(")[0].strip().rstrip("."))
        default = [item for item in _items(self.default) if isinstance(item, str)]
        return words if len(words) > 1 and default and set(default) <= set(words) else []


def read_parameters(code: str) -> dict[str, Parameter]:
    """Read the source of a cell tagged ``parameters``.

    Examples
    --------
    >>> read_parameters("cutoff: int = 10  # of the comparisons")
    {'cutoff': Parameter(name='cutoff', kind='int', default=10, help='of the comparisons')}
    """
    found = {}
    lines = code.splitlines()
    for statement in ast.parse(code).body:
        if not isinstance(statement, ast.AnnAssign) or statement.value is None:
            raise UsageError(
                f"not a parameter with a type and a default: {ast.unparse(statement)}",
                cure="write name: type = default  # comment",
            )
        name, kind = ast.unparse(statement.target), ast.unparse(statement.annotation)
        try:
            default = ast.literal_eval(statement.value)
        except ValueError:
            # Computed by the chapter, such as ``study.LIMIT``: known only there.
            default = ast.unparse(statement.value)
        last = lines[(statement.end_lineno or 1) - 1].encode()[statement.end_col_offset or 0 :].decode()
        found[name] = Parameter(name, kind, default, last.partition("#")[2].strip())
    return found


def _within(test: Callable[..., bool], limits: list[float], value: float) -> bool:
    return test(value, *limits)


def _items(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _fits(value: Any, kind: ast.expr) -> bool:
    """Whether a value has the type that an annotation of a chapter says."""
    match kind:
        case ast.Name(id=name) if name in _SCALARS:
            return isinstance(value, _SCALARS[name]) and (name == "bool" or not isinstance(value, bool))
        case ast.Constant(value=None):
            return value is None
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _fits(value, left) or _fits(value, right)
        case ast.Name(id="list" | "tuple"):
            return isinstance(value, list | tuple)
        case (
            ast.Subscript(value=ast.Name(id="list"), slice=item)
            | ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=[item, ast.Constant()]))
        ):
            return isinstance(value, list | tuple) and all(_fits(one, item) for one in value)
        case ast.Subscript(value=ast.Name(id="Literal"), slice=words):
            allowed = words.elts if isinstance(words, ast.Tuple) else [words]
            return any(isinstance(word, ast.Constant) and word.value == value for word in allowed)
    raise UsageError(
        f"a sweep cannot check values of type {ast.unparse(kind)}", cure="use int, float, str, bool, lists"
    )
