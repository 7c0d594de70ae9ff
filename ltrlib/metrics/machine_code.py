"""Machine code of the metric kernels, kept from run to run and loaded without the compiler.

Importing numba and reading its cache takes 0.8 s and 100 MB, more than scoring a million documents. What numba made of
a kernel is a few kilobytes of machine code that need nothing else; LLVM's own loader has them ready in 0.05 s. The
source of the numbers stays the kernel: the code is thrown away when it, the compiler or the processor changes, and
whatever goes wrong here leaves the kernel to numba.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import ltrlib.compiled
from ltrlib.atomic import new_file
from ltrlib.compiled import Kernel, Signature, Type
from ltrlib.project import cache_dir

__all__ = ["MachineCode", "use_kept_code"]

_FOREIGN = "NRT_MemInfo_call_dtor"  # numba's code names it for arrays that it owns; ours never are
_DIGEST = 64


def use_kept_code(*, rows: int) -> None:
    """Let the metric kernels run from kept machine code, if there is more to do than the interpreter should.

    Parameters
    ----------
    rows
        Number of documents that will be scored.

    Examples
    --------
    >>> use_kept_code(rows=10)
    """
    from ltrlib.metrics import kernels, mean_ndcg, whole_list

    if rows <= kernels.SMALL // 4:  # a kernel counts scores, labels, places and ids
        return
    for home in (kernels, whole_list, mean_ndcg):
        for kernel in vars(home).values():
            if isinstance(kernel, Kernel) and kernel._compiled is None:
                kernel._compiled = MachineCode(kernel)


class MachineCode:
    """A kernel's compiled function, loaded when it is first called.

    Parameters
    ----------
    kernel
        The kernel, whose signature holds arrays, whole numbers and truth values.

    Examples
    --------
    >>> from ltrlib.metrics.kernels import discounted_sums
    >>> code = MachineCode(discounted_sums)
    >>> out, ranked = np.empty((1, 1)), np.array([1, 0], np.int32)
    >>> code(np.array([0.0, 8.0]), ranked, np.array([0, 2]), np.array([1, 0.5]), np.array([2]), out)
    >>> out
    array([[8.]])
    """

    def __init__(self, kernel: Any) -> None:
        self._kernel: Kernel = kernel
        self._function: Any = None

    def __call__(self, *arguments: Any) -> Any:
        """Compute."""
        if self._function is None:
            self._function = self._loaded()
        return self._function(*arguments)

    @property
    def signatures(self) -> Any:
        """What it is compiled for, as numba's functions tell it."""
        return [self._kernel._signature.build().args]

    def _loaded(self) -> Any:
        with suppress(ImportError, AttributeError, OSError, RuntimeError, ValueError):
            file = cache_dir() / "kernels" / f"{self._kernel.__name__}-{_state(self._kernel)}"  # type: ignore[attr-defined]
            try:
                name, code = _read(file)
            except (OSError, ValueError):
                name, code = _compile(self._kernel)
                with suppress(OSError):
                    file.parent.mkdir(parents=True, exist_ok=True)
                    with new_file(file) as kept:
                        content = name.encode() + b"\n" + code
                        kept.write(hashlib.sha256(content).hexdigest().encode() + content)
            return _Call(self._kernel._signature, _load(name, code))
        return self._kernel._compile()


class _Call:
    """A function at an address, called as numba's functions call each other."""

    def __init__(self, signature: Signature, address: int) -> None:
        self._signature = signature
        flat = [ctypes.c_void_p, ctypes.c_void_p, *(kind for one in signature.takes for kind in _flat_types(one))]
        self._function = ctypes.CFUNCTYPE(ctypes.c_int32, *flat)(address)
        self._gives: Any = ctypes.c_void_p if signature.gives.name == "void" else ctypes.c_int64

    def __call__(self, *arguments: Any) -> Any:
        result, problem = self._gives(), ctypes.c_void_p()
        flat: list[Any] = []
        for one, value in zip(self._signature.takes, arguments, strict=True):
            flat += _flat(one.check(value))
        if self._function(ctypes.addressof(result), ctypes.addressof(problem), *flat):
            raise RuntimeError("a kernel stopped with an error")
        return None if self._gives is ctypes.c_void_p else result.value


def _flat(value: Any) -> list[Any]:
    """An array as numba hands it on: no owner, sizes, place, shape, strides."""
    if not isinstance(value, np.ndarray):
        return [int(value)]
    return [None, None, value.size, value.itemsize, value.ctypes.data, *value.shape, *value.strides]


def _flat_types(one: Type) -> list[Any]:
    if one.name == "Array":
        place = ctypes.c_void_p
        return [place, place, ctypes.c_int64, ctypes.c_int64, place, *[ctypes.c_int64] * (2 * one.arguments[1])]
    return [{"boolean": ctypes.c_uint8, "int64": ctypes.c_int64}[one.name]]


_WORDS = {ctypes.c_void_p: "ptr", ctypes.c_int64: "i64", ctypes.c_uint8: "i8"}


def _compile(kernel: Kernel) -> tuple[str, bytes]:
    """Machine code of a kernel and its name in there; ValueError if it is not called as we would call it."""
    options = ltrlib.compiled._OPTIONS | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    numba = ltrlib.compiled._load_numba()
    compiled = numba.njit(kernel._signature.build(), **options)(kernel.py_func)
    (made,) = compiled.overloads.values()
    name, library = str(made.fndesc.llvm_func_name), made.library
    takes = ["ptr", "ptr", *(_WORDS[kind] for one in kernel._signature.takes for kind in _flat_types(one))]
    found = [str(argument.type) for argument in library.get_function(name).arguments]
    outside = {one.name for one in library._final_module.functions if one.is_declaration and one.name[:5] != "llvm."}
    if kernel._signature.gives.name not in ("void", "int64") or found != takes or outside - {_FOREIGN}:
        raise ValueError("this version of numba compiles in another way")
    return name, bytes(library._get_compiled_object())


def _read(file: Path) -> tuple[str, bytes]:
    content = file.read_bytes()
    if hashlib.sha256(content[_DIGEST:]).hexdigest().encode() != content[:_DIGEST]:
        raise ValueError("the file is damaged")
    name, _, code = content[_DIGEST:].partition(b"\n")
    return name.decode(), code


_addresses: dict[tuple[str, bytes], int] = {}


def _load(name: str, code: bytes) -> int:
    """Put machine code into memory for the rest of the process; return the address of its function."""
    import llvmlite.binding as llvm

    if (name, code) not in _addresses:
        engine = _engine()
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        engine.finalize_object()
        address = engine.get_function_address(name)
        if not address:
            raise ValueError("the machine code lacks its function")
        _addresses[name, code] = address
    return _addresses[name, code]


@cache
def _engine() -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    # Never called: memory that numba does not own is not given back.
    llvm.add_symbol(_FOREIGN, ctypes.cast(ctypes.pythonapi.Py_IsInitialized, ctypes.c_void_p).value)
    target = llvm.Target.from_default_triple().create_target_machine(jit=True)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)


def _state(kernel: Kernel) -> str:
    """Digest of all that the machine code depends on."""
    return hashlib.sha256(_machine() + Path(kernel.py_func.__code__.co_filename).read_bytes()).hexdigest()[:32]


@cache
def _machine() -> bytes:
    import llvmlite.binding as llvm

    numba = importlib.util.find_spec("numba")
    if numba is None or not numba.origin:
        raise ImportError("numba is not installed")
    files = (Path(numba.origin).with_name("_version.py"), Path(ltrlib.compiled.__file__), Path(__file__))
    settings = sorted(f"{key}={value}" for key, value in os.environ.items() if key.startswith("NUMBA_"))
    features: str = llvm.get_host_cpu_features().flatten()
    texts = [llvm.get_process_triple(), llvm.get_host_cpu_name(), features, *settings]
    return b"\0".join([*(hashlib.sha256(file.read_bytes()).digest() for file in files), *map(str.encode, texts)])
