"""What the light core leaves out: which packages come with which extra, and the error that names it."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from types import ModuleType
from typing import ParamSpec, TypeVar

from ltrlib.errors import LtrlibError

__all__ = ["EXTRAS", "MissingExtraError", "load_module", "missing_extra", "names_extra"]

P = ParamSpec("P")
R = TypeVar("R")

EXTRAS = {
    "compare": ("pandas", "scipy", "matplotlib", "seaborn", "plotly", "ortools"),
    "rankers": ("lightgbm", "sklearn", "threadpoolctl"),
    "neural": ("jax", "jaxlib", "optax"),
    "sweeps": ("dask", "distributed", "pyarrow", "papermill", "jupytext", "nbformat", "nbclient", "ipykernel"),
    "book": ("IPython", "sphinx", "docutils", "myst_nb", "myst_parser", "jupyter_book", "jupyter_cache", "pybtex"),
}
"""Modules that come with each extra; the first extra that has a module is the one to name."""


class MissingExtraError(LtrlibError, ImportError):
    """A package that the light core leaves out; ``cure`` is the command that installs it."""


def missing_extra(error: ImportError) -> MissingExtraError | None:
    """The error that names the extra of a module that is not there; None if the module is in none.

    Examples
    --------
    >>> print(missing_extra(ModuleNotFoundError(name="jax.numpy")))
    this needs jax, which is not installed
      to do: pip install "ltrlib[neural]"
    """
    module = (error.name or "").partition(".")[0]
    extra = next((extra for extra, modules in EXTRAS.items() if module in modules), None)
    if extra is None or not isinstance(error, ModuleNotFoundError):
        return None
    return MissingExtraError(f"this needs {module}, which is not installed", cure=f'pip install "ltrlib[{extra}]"')


def names_extra(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function say which extra to install when it does not find a package.

    Examples
    --------
    >>> @names_extra
    ... def learn():
    ...     raise ModuleNotFoundError(name="lightgbm")
    >>> learn()
    Traceback (most recent call last):
    ...
    ltrlib.extras.MissingExtraError: this needs lightgbm, which is not installed
      to do: pip install "ltrlib[rankers]"
    """

    @functools.wraps(function)
    def named(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except ModuleNotFoundError as error:
            raise missing_extra(error) or error from None

    return named


@names_extra
def load_module(module: str) -> ModuleType:
    """Import a module of ours that may need an extra.

    Examples
    --------
    >>> load_module("ltrlib.errors").UsageError.__name__
    'UsageError'
    """
    return importlib.import_module(module)
