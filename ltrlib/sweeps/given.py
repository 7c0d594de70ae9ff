"""Parameters that papermill gave to a chapter, checked where they arrive: papermill itself takes any name and value."""

from __future__ import annotations

import ast
import difflib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from ltrlib.errors import UsageError
from ltrlib.sweeps.parameters import Parameter, read_parameters

__all__ = ["check_given", "checking_cell", "unknown_name"]

_INJECTED = "# Parameters"


def checking_cell(declared: str) -> str:
    """Source of a cell that checks what papermill has put between the cell tagged ``parameters`` and it.

    Parameters
    ----------
    declared
        Source of the cell tagged ``parameters``.

    Examples
    --------
    >>> print(checking_cell("k: int = 3"))
    from ltrlib.sweeps.given import check_given
    <BLANKLINE>
    check_given("k: int = 3", In[-2])
    """
    text = json.dumps(declared, ensure_ascii=False)
    return f"from ltrlib.sweeps.given import check_given\n\ncheck_given({text}, In[-2])"


def check_given(declared: str, before: str) -> None:
    r"""Raise when parameters were given that the chapter does not have or cannot use; all problems at once.

    Parameters
    ----------
    declared
        Source of the cell tagged ``parameters``.
    before
        Source of the cell that ran last: papermill's own, if any parameter was given.

    Examples
    --------
    >>> check_given("k: int = 3  # 1 to 9", "# Parameters\nk = 5")
    >>> check_given("k: int = 3  # 1 to 9", "# Parameters\nk = 10\nkk = 1")
    Traceback (most recent call last):
    ...
    ltrlib.errors.UsageError: 2 problems with the given parameters:
      - k: 10 is not within "1 to 9"
      - kk: there is no such parameter; did you mean k?
      to do: papermill --help-notebook CHAPTER lists them; a list is given as -y "name: [a, b]"
    """
    if not before.startswith(_INJECTED):
        return
    known = read_parameters(declared)
    problems = [problem for name, value in _assigned(before) for problem in _problems(name, value, known)]
    if problems:
        lines = "".join(f"\n  - {problem}" for problem in problems)
        count = f"{len(problems)} problems" if len(problems) > 1 else "a problem"
        raise UsageError(
            f"{count} with the given parameters:{lines}",
            cure='papermill --help-notebook CHAPTER lists them; a list is given as -y "name: [a, b]"',
        )


def unknown_name(name: object, known: Mapping[str, Parameter]) -> str:
    """What to say of a name that is not among a chapter's parameters.

    Examples
    --------
    >>> unknown_name("cutof", read_parameters("cutoff: int = 5"))
    'there is no such parameter; did you mean cutoff?'
    """
    near = difflib.get_close_matches(str(name), known, 1)
    hint = f"did you mean {near[0]}?" if near else f"the chapter has {', '.join(known)}"
    return f"there is no such parameter; {hint}"


def _assigned(source: str) -> Iterator[tuple[str, Any]]:
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign):
            try:
                value = ast.literal_eval(statement.value)
            except ValueError:  # float('nan'), as papermill writes it
                value = float("nan")
            yield ast.unparse(statement.targets[0]), value


def _problems(name: str, value: Any, known: Mapping[str, Parameter]) -> Iterator[str]:
    if name not in known:
        yield f"{name}: {unknown_name(name, known)}"
    else:
        yield from (f"{name}: {problem}" for problem in known[name].problems(value))
