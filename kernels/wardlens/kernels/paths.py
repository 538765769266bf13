"""Which implementation of the CPU operations is in use.

A *path* is one implementation of every operation:

- `reference`: plain PyTorch, the definition the others are tested against;
- `portable`: compiled for any processor; its AVX2 and AVX-512 clones return the
  same bits, so the name says all that can change an answer;
- `avx512_bf16`: written by hand for processors with AVX-512 BF16.

`auto` takes the fastest that this machine can run. The environment variable
`WARDLENS_KERNELS` sets the path of a process, `use_path` that of a block. Paths may
differ in the last bits, so whatever remembers answers must remember `active_path()`.
"""

import importlib
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import ModuleType
from typing import Final

PATHS: Final = ("auto", "reference", "portable", "avx512_bf16")
VARIABLE: Final = "WARDLENS_KERNELS"

_NATIVE: Final = "wardlens.kernels._native"
_BUILD: Final = "build it with `make setup`, or `pip install --no-build-isolation --no-deps -e .`"

# Process-wide rather than per thread or task: a model's answers are remembered under
# one path, and its threads must all run that one.
_forced: list[str] = []


class UnavailablePathError(RuntimeError):
    """A kernel path was asked for that this installation or processor can't run."""


def available_paths() -> tuple[str, ...]:
    """The paths that can run here, the slowest (`reference`) first."""
    native = _native()
    return ("reference",) if native is None else ("reference", *native.supported_paths())


def active_path() -> str:
    """The path that operations take now; never `auto`.

    Part of a model's fingerprint, so an answer is found again only under the path that
    gave it. Where the compiled module is missing and no path was asked for, warns once.

    Raises:
        ValueError: `WARDLENS_KERNELS` names no path.
        UnavailablePathError: the path asked for can't run here.
    """
    if _forced:
        return _resolve(_forced[-1], "use_path")
    return _resolve(os.environ.get(VARIABLE) or "auto", VARIABLE)


@contextmanager
def use_path(name: str) -> Iterator[str]:
    """Make all threads of this process take one path within the block.

    Meant for tests and measurements: anything else sets `WARDLENS_KERNELS` once, before
    a model is loaded.

    Args:
        name: one of `PATHS`.

    Yields:
        The path in use, never `auto`.

    Raises:
        ValueError: `name` is no path.
        UnavailablePathError: the path can't run here.
    """
    resolved = _resolve(name, "use_path")
    _forced.append(resolved)
    try:
        yield resolved
    finally:
        _forced.pop()


def compiled_kernels() -> ModuleType | None:
    """The compiled functions of the active path, or None where it is `reference`.

    Called by the wrapper of each operation. The functions take addresses and check
    nothing: see `kernels/csrc/module.cpp`.
    """
    path = active_path()
    if path == "reference":
        return None
    return _path_module(path)


def _resolve(name: str, origin: str) -> str:
    if name not in PATHS:
        raise ValueError(f"{origin}: no kernel path named {name!r}; allowed: {', '.join(PATHS)}")
    available = available_paths()
    if name == "auto":
        if _native() is None:
            _warn_of_missing_module()
        return available[-1]
    if name not in available:
        reason = (
            f"the compiled module is missing: {_BUILD}"
            if _native() is None
            else "this processor lacks its instructions"
        )
        raise UnavailablePathError(
            f"{origin}: kernel path {name!r} can't run here, {reason}; "
            f"available: {', '.join(available)}"
        )
    return name


@cache
def _native() -> ModuleType | None:
    try:
        return importlib.import_module(_NATIVE)
    except ModuleNotFoundError as error:
        # A module that is there but doesn't load is a broken build, and must not pass
        # for one that was never made.
        if error.name != _NATIVE:
            raise
        return None


@cache
def _path_module(path: str) -> ModuleType:
    module: ModuleType = getattr(_native(), path)
    return module


@cache
def _warn_of_missing_module() -> None:
    warnings.warn(
        "the compiled kernels of Wardlens are missing, so the slower PyTorch reference runs; "
        f"to fix it, {_BUILD}",
        RuntimeWarning,
        stacklevel=2,
    )
