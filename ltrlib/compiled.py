"""How the kernels of this package are compiled: for one signature, with numba's cache on disk, without the GIL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit, types

__all__ = ["BYTES", "FLOATS", "INTS", "TEXT", "compiled", "signatures"]

F = TypeVar("F", bound=Callable[..., Any])

signatures: Any = types
"""numba's types, for signatures."""

TEXT = types.Array(types.uint8, 1, "C", readonly=True)
BYTES = types.Array(types.uint8, 1, "C")
FLOATS = types.Array(types.float32, 1, "C")
INTS = types.Array(types.int64, 1, "C")


def compiled(signature: Any, *, helper: bool = False) -> Callable[[F], F]:
    """Compile a function when its module is imported.

    Parameters
    ----------
    signature
        The one signature: others would be compiled too, and the first call pays for each.
    helper
        Whether only other kernels call it, so that Python needs no way in.

    Examples
    --------
    >>> from ltrlib.datasets.letor.parse import parse_block
    >>> len(parse_block.signatures)
    1
    """
    jit: Any = njit
    options = {"cache": True, "nogil": True, "error_model": "numpy"}
    decorator: Callable[[F], F] = jit(signature, no_cpython_wrapper=helper, no_cfunc_wrapper=True, **options)
    return decorator
