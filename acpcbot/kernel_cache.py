"""numba's cache on disk with keys of our own, and events for each kernel that is compiled.

numba would notice a changed kernel by its own file alone: neither a changed function in
another file nor a changed table. Here the folder of a kernel stands for all of that (see
``cache_folders.py``). Methods of a NamedTuple, which a kernel calls through the *type* of an
argument, are in none of its imports; so the source texts of the modules of these types are part of
the entry's key within the folder.

Where several processes need the same kernel, one compiles and the others wait and load: a process
that does not find it in the cache takes a lock beside its index file first and looks again. Locks
are taken in the order of calls, callers before callees, which has no circles, and the system frees
them when a process ends.

This module imports numba, which takes half a second: ``jit.py`` imports it with the first kernel.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import inspect
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

import numba
from numba.core import event
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    _CacheLocator,
)

from acpcbot.cache_folders import kernel_folder, mark_used, module_key

try:
    import fcntl
except ImportError:  # Windows has no such locks: each process compiles for itself
    fcntl = None  # type: ignore[assignment]

_Locator: Any = _CacheLocator
_Impl: Any = CompileResultCacheImpl
_Cache: Any = FunctionCache
_IndexFile: Any = IndexDataCacheFile
_event: Any = event
_Listener: Any = event.Listener
_OWN = f"{__package__}."


KernelListener = Callable[[str], None]
"""Called with the module and the name of a kernel, without the package."""


class KernelCache(_Cache):  # type: ignore[misc]
    """The compiled forms of one kernel, in the folder of its module's closure."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._lock_file: BinaryIO | None = None
        self._num_compiling = 0
        self._num_unreadable = 0

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return the cached form for *signature*; None with the lock held if there is none."""
        found = self._load(signature, target)
        if found is None:
            self._take_lock()
            found = self._load(signature, target)
            if found is not None:
                self.compiling_is_over()
        return found

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Save a form compiled for our own types, and free the lock.

        Forms for other packages' types are not saved: a program without these packages could not
        even read the index. If nothing can be written, the program goes on with the compiled code
        that it has, and warns once that it will compile again.
        """
        try:
            if all(
                kind.__module__.startswith(_OWN) for kind in _named_tuples(_arguments(signature))
            ):
                super().save_overload(signature, compiled)
        except OSError as error:
            _warn_that_nothing_is_kept(str(error))
        finally:
            self.compiling_is_over()

    def compiling_is_over(self) -> None:
        """Free the lock, once the last compiling that took it has been saved or has failed."""
        self._num_compiling = max(0, self._num_compiling - 1)
        if self._lock_file is not None and not self._num_compiling:
            self._lock_file.close()
            self._lock_file = None

    def _load(self, signature: Any, target: Any) -> Any:
        while True:
            try:
                return super().load_overload(signature, target)
            except OSError:  # what cannot be read is compiled
                return None
            except (ImportError, AttributeError):
                self._use_next_index()

    def _use_next_index(self) -> None:
        """Go on with an index beside one that names a type which this version does not have.

        A kernel whose source is the same in two versions has one folder, but a NamedTuple that it
        was compiled for may have moved in between. The index is not emptied: another process may
        be reading it and the files that it numbers.
        """
        self._num_unreadable += 1
        self._cache_file = _IndexFile(
            cache_path=self.cache_path,
            filename_base=f"{self._impl.filename_base}.{self._num_unreadable}",
            source_stamp=self._impl.locator.get_source_stamp(),
        )

    def _take_lock(self) -> None:
        self._num_compiling += 1
        if self._lock_file is None and fcntl is not None:
            path = Path(self.cache_path, f"{self._impl.filename_base}.lock")
            with contextlib.suppress(
                OSError
            ):  # where nothing can be written, each process compiles for itself
                path.parent.mkdir(parents=True, exist_ok=True)
                file = path.open("ab")
                fcntl.flock(file, fcntl.LOCK_EX)
                self._lock_file = file

    def _index_key(self, signature: Any, codegen: Any) -> tuple[Any, ...]:
        """Return numba's key, extended by the keys of the modules of all NamedTuple arguments."""
        key: tuple[Any, ...] = super()._index_key(signature, codegen)
        return (
            *key,
            *(_key_of_module(kind.__module__) for kind in _named_tuples(_arguments(signature))),
        )


@cache
def _warn_that_nothing_is_kept(problem: str) -> None:
    warnings.warn(
        f"compiled code cannot be kept: {problem}; it will be compiled again",
        RuntimeWarning,
        stacklevel=2,
    )


class _KernelLocator(_Locator):  # type: ignore[misc]
    def __init__(self, function: Any, path: Path) -> None:
        self._py_file = str(path)  # which numba's warnings name
        self._line = function.__code__.co_firstlineno
        self._folder = _folder_of(function.__module__, path)

    def get_cache_path(self) -> str:
        return self._folder

    def get_source_stamp(self) -> str:
        return self._folder

    def get_disambiguator(self) -> str:
        return str(self._line)

    def ensure_cache_path(self) -> None:
        Path(self._folder).mkdir(parents=True, exist_ok=True)

    @classmethod
    def from_function(cls, function: Any, path: str) -> _KernelLocator | None:
        return cls(function, Path(path).resolve()) if Path(path).is_file() else None


class _KernelCacheImpl(_Impl):  # type: ignore[misc]
    _locator_classes = (_KernelLocator,)


KernelCache._impl_class = _KernelCacheImpl


def add_compile_listener(on_start: KernelListener, on_end: KernelListener) -> None:
    """Call *on_start* and *on_end* around the compiling of each kernel, in its thread."""
    _event.register("numba:compile", _CompileListener(on_start, on_end))


class _CompileListener(_Listener):  # type: ignore[misc]
    def __init__(self, on_start: KernelListener, on_end: KernelListener) -> None:
        self._on_start = on_start
        self._on_end = on_end

    def on_start(self, what: Any) -> None:
        self._on_start(_name(what))

    def on_end(self, what: Any) -> None:
        self._on_end(_name(what))


class _LockKeeper(_Listener):  # type: ignore[misc]
    """A listener that frees the locks of kernels that fail to compile; saving frees the others."""

    def on_start(self, what: Any) -> None:
        pass

    def on_end(self, what: Any) -> None:
        store = what.data["dispatcher"]._cache
        # numba 0.68 answers is_failed the wrong way round, so its source is asked.
        if what._exc_details is not None and isinstance(store, KernelCache):
            store.compiling_is_over()


_event.register("numba:compile", _LockKeeper())


def _name(what: Any) -> str:
    function = what.data["dispatcher"].py_func
    return f"{function.__module__.removeprefix(_OWN)}.{function.__name__}"


@cache
def _folder_of(name: str, path: Path) -> str:
    folder = kernel_folder(name, path, _versions())
    mark_used(folder)
    return str(folder)


@cache
def _versions() -> str:
    """Return the versions that compiled code depends on, as text."""
    return f"numba {numba.__version__}, numpy {importlib.metadata.version('numpy')}"


@cache
def _key_of_module(name: str) -> str:
    """Return the key of our module *name*; of other packages' modules the name alone."""
    if not name.startswith(_OWN):
        return name
    return module_key(name, Path(inspect.getfile(sys.modules[name])).resolve(), _versions())


def _arguments(signature: Any) -> tuple[Any, ...]:
    """Return the argument types of *signature*, which may be a bare tuple of types."""
    return tuple(getattr(signature, "args", signature))


def _named_tuples(kinds: tuple[Any, ...]) -> Iterator[type]:
    """Yield the classes of all NamedTuples among *kinds* and within them."""
    for kind in kinds:
        if hasattr(kind, "instance_class"):
            yield kind.instance_class
        inner = getattr(kind, "types", None)
        if isinstance(inner, tuple):
            yield from _named_tuples(inner)
