"""How the kernels of this package are compiled: for one signature, with numba's cache on disk, without the GIL.

Loading the compiler takes longer than scoring a small file. So a kernel is plain Python until it has much to do: on
small input the interpreter runs its source, on large input numba compiles the very same source. There is one
definition of each number, and the tests hold both ways to be equal bit by bit.
"""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np

__all__ = ["BYTES", "FLOATS", "INTS", "TEXT", "Kernel", "Signature", "Type", "compiled", "signatures"]

F = TypeVar("F", bound=Callable[..., Any])

_PATIENCE = 0.2
"""Seconds of a process that may go into interpreting, all kernels together; loading the compiler takes more."""

_PLAIN = frozenset({"uint8", "int32", "uint32", "int64", "uint64", "float32", "float64", "boolean", "bool_", "void"})
_OPTIONS = {"nogil": True, "error_model": "numpy"}
_lock = threading.RLock()
_interpreted = 0.0


@dataclass(frozen=True)
class Type:
    """A type of numba's by name, which needs no numba before it is used.

    Examples
    --------
    >>> signatures.int64(signatures.float64).build()
    (float64,) -> int64
    """

    name: str
    arguments: tuple[Any, ...] = ()
    readonly: bool = False

    def __call__(self, *arguments: Type) -> Signature:
        """Declare what a kernel takes and that it returns this."""
        return Signature(self, arguments)

    def build(self) -> Any:
        """Make numba's own."""
        from numba import types

        found: Any = getattr(types, self.name)
        if not self.arguments:
            return found
        options = {"readonly": True} if self.readonly else {}
        return found(*(_built(one) for one in self.arguments), **options)

    def check(self, value: Any) -> Any:
        """Give a value as numba would hand it to a kernel, or refuse it as numba would.

        Examples
        --------
        >>> type(signatures.uint64.check(3)).__name__
        'uint64'
        """
        if self.name != "Array":
            return bool(value) if self.name in ("boolean", "bool_") else getattr(np, self.name)(value)
        dtype, dimensions, _ = self.arguments
        wanted = np.dtype("bool" if dtype.name in ("boolean", "bool_") else dtype.name)
        usable = isinstance(value, np.ndarray) and value.dtype == wanted and value.ndim == dimensions
        if not usable or not value.flags.c_contiguous or not (self.readonly or value.flags.writeable):
            raise TypeError(
                f"a kernel wants a contiguous array of {wanted}, {dimensions}-dimensional, got {value!r:.200}"
            )
        return value


@dataclass(frozen=True)
class Signature:
    """What a kernel takes and gives.

    Examples
    --------
    >>> signatures.void(TEXT, INTS).build()
    (Array(uint8, 1, 'C', True, aligned=True), Array(int64, 1, 'C', False, aligned=True)) -> none
    """

    gives: Type
    takes: tuple[Type, ...]

    def build(self) -> Any:
        """Make numba's own."""
        return self.gives.build()(*(one.build() for one in self.takes))


def _built(one: Any) -> Any:
    if isinstance(one, Type):
        return one.build()
    return tuple(map(_built, one)) if isinstance(one, tuple) else one


class _Types:
    """The names of numba's types that kernels are declared with: ``signatures.int64``, ``signatures.Array(…)``."""

    def __getattr__(self, name: str) -> Type:
        if name not in _PLAIN:
            raise AttributeError(f"no type {name!r} is declared in ltrlib.compiled")
        return Type(name)

    def Array(self, dtype: Type, dimensions: int, layout: str, readonly: bool = False) -> Type:  # noqa: N802
        return Type("Array", (dtype, dimensions, layout), readonly)

    def Tuple(self, types: Sequence[Type]) -> Type:  # noqa: N802
        return Type("Tuple", (tuple(types),))

    def UniTuple(self, dtype: Type, count: int) -> Type:  # noqa: N802
        return Type("UniTuple", (dtype, count))


signatures: Any = _Types()
"""Types for signatures, spelled as numba spells them."""

TEXT = signatures.Array(signatures.uint8, 1, "C", readonly=True)
BYTES = signatures.Array(signatures.uint8, 1, "C")
FLOATS = signatures.Array(signatures.float32, 1, "C")
INTS = signatures.Array(signatures.int64, 1, "C")


class Kernel:
    """A function that the interpreter runs while there is little to do, and numba's code when there is more.

    Parameters
    ----------
    function
        The source of both.
    signature
        What it takes and gives.
    helper
        Whether only other kernels call it.
    small
        Up to how many elements of read-only arrays, its input, a call may be interpreted.

    Examples
    --------
    >>> @compiled(signatures.int64(TEXT), small=100)
    ... def count(text):
    ...     return text.size
    >>> count(np.zeros(7, np.uint8))
    7
    """

    def __init__(self, function: Callable[..., Any], signature: Signature, *, helper: bool, small: int) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self._signature = signature
        self._helper = helper
        self._small = small
        self._inputs = tuple(place for place, one in enumerate(signature.takes) if one.readonly)
        self._compiled: Any = None

    def __call__(self, *arguments: Any) -> Any:
        """Compute."""
        if self._helper:  # Python gets here only from a kernel that it interprets
            return self.py_func(*arguments)
        if self._compiled is not None:
            return self._compiled(*arguments)
        if _interpreted < _PATIENCE and sum(np.size(arguments[place]) for place in self._inputs) <= self._small:
            return self.interpret(*arguments)
        return self.dispatcher(*arguments)

    def interpret(self, *arguments: Any) -> Any:
        """Run the source as it stands; numbers overflow and divide as they do in compiled code, without a warning."""
        global _interpreted
        given = [one.check(value) for one, value in zip(self._signature.takes, arguments, strict=True)]
        before = time.perf_counter()
        try:
            with np.errstate(all="ignore"):
                return _plain(self.py_func(*given))
        finally:
            _interpreted += time.perf_counter() - before

    @property
    def dispatcher(self) -> Any:
        """The compiled function, compiled now or read from numba's cache where it has not been yet."""
        with _lock:
            if self._compiled is None:
                self._compiled = self._compile()
        return self._compiled

    @property
    def signatures(self) -> Any:
        """What it is compiled for."""
        return self.dispatcher.signatures

    def _compile(self) -> Any:
        numba = _load_numba()
        options = _OPTIONS | {"no_cpython_wrapper": self._helper, "no_cfunc_wrapper": True}
        signature = self._signature.build()
        try:
            return numba.njit(signature, cache=True, **options)(self.py_func)
        except (OSError, RuntimeError) as error:
            # No place on this machine can keep the cache (numba says so by a RuntimeError), or it is full.
            if isinstance(error, RuntimeError) and "cannot cache" not in str(error):
                raise
            return numba.njit(signature, **options)(self.py_func)

    def __reduce__(self) -> str:
        return str(self.__qualname__)  # type: ignore[attr-defined]


def _plain(result: Any) -> Any:
    """Give numbers as compiled code gives them to Python."""
    if isinstance(result, tuple):
        return tuple(map(_plain, result))
    return result.item() if isinstance(result, np.generic) else result


@functools.cache
def _load_numba() -> Any:
    """Import numba, and tell it that a kernel in the source of another stands for its compiled function."""
    import numba
    from numba.extending import typeof_impl

    @typeof_impl.register(Kernel)
    def type_of_kernel(kernel: Kernel, _: Any) -> Any:
        typeof: Any = numba.typeof
        return typeof(kernel.dispatcher)

    return numba


def compiled(signature: Signature, *, helper: bool = False, small: int = 0) -> Callable[[F], F]:
    """Make a function a kernel, compiled when it is first called with more than a little to do.

    Parameters
    ----------
    signature
        The one signature: others would be compiled too, and the first call pays for each.
    helper
        Whether only other kernels call it, so that Python needs no way in.
    small
        Up to how many elements of read-only arrays a call may be left to the interpreter; none if not given.

    Examples
    --------
    >>> from ltrlib.datasets.letor.parse import parse_block
    >>> len(parse_block.signatures)
    1
    """

    def decorate(function: F) -> F:
        return cast(F, Kernel(function, signature, helper=helper, small=small))

    return decorate
