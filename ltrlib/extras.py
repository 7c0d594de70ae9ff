"""What the light core leaves out: which packages come with which extra, and the error that names it."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any, ParamSpec, TypeVar

from ltrlib.errors import LtrlibError

__all__ = ["EXTRAS", "MissingExtraError", "lazy_names", "load_module", "missing_extra", "names_extra"]

P = ParamSpec("P")
R = TypeVar("R")

EXTRAS = {
    "compare": ("pandas", "scipy", "matplotlib", "seaborn", "plotly", "ortools", "pyarrow"),
    "rankers": ("lightgbm", "sklearn", "threadpoolctl"),
    "neural": ("jax", "jaxlib", "optax"),
    "sweeps": ("dask", "distributed", "papermill", "jupytext", "nbformat", "nbclient", "ipykernel"),
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


def lazy_names(package: str, homes: Mapping[str, Sequence[str]]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package whose names are imported when they are first used.

    Parameters
    ----------
    package
        Its ``__name__``.
    homes
        Names by the module that defines them; a module is named within the package, or in full with a dot.

    Examples
    --------
    >>> names = lazy_names("ltrlib", {"errors": ["UsageError"], "ltrlib.project": ["ROOT"]})
    >>> names("UsageError").__name__, names("ROOT").is_dir()
    ('UsageError', True)
    >>> names("Usage")
    Traceback (most recent call last):
    ...
    AttributeError: module 'ltrlib' has no attribute 'Usage'
    """
    home_of = {name: module for module, names in homes.items() for name in names}

    def find(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = home_of[name]
        return getattr(load_module(module if "." in module else f"{package}.{module}"), name)

    return find
