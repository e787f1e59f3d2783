"""The compiler's flags, set once, and what marks functions for it.

Three decorators:

* ``kernel``: machine code, without the interpreter lock, cached on disk. Give a
  signature where a kernel calls itself (two specialisations of a cached
  recursive function crash) or where its first call must be fast.
* ``shared``: one text, two uses. The function stays plain Python for callers in
  Python, and kernels may call it as well.
* ``shared_methods``: the same for methods. It marks a protocol; on whatever
  NamedTuple has its methods, kernels may call them. They are compiled for each
  such type, so that a kernel generic over types pays nothing for it.

The compiler is imported with the first kernel, for it takes half a second and 100 MB: a program
that asks the rules of the game alone never loads it. Where compiled code is kept, and
when it is out of date, is told in ``cache_folders.py``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, overload

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)


class CompileEvent(NamedTuple):
    """The compiling of one kernel, which begins or is over; those that it calls come in between."""

    kernel: str
    """Module and name, without the package."""
    is_over: bool


class _Compiler:
    """The compiler as far as it is loaded, and what it has to be told once it is."""

    def __init__(self) -> None:
        self.is_loaded = False
        self._waiting: list[Callable[[], None]] = []

    def when_loaded(self, work: Callable[[], None]) -> None:
        """Do *work* now if the compiler is there, else when it comes."""
        if self.is_loaded:
            work()
        else:
            self._waiting.append(work)

    def load(self) -> None:
        """Import the compiler, and tell it of all that is shared so far."""
        if not self.is_loaded:
            import acpcbot.kernel_cache  # noqa: F401 (imported here once, so that its cost is paid here)

            self.is_loaded = True
            while self._waiting:
                self._waiting.pop(0)()


_COMPILER = _Compiler()


@overload
def kernel(function: F, /) -> F: ...


@overload
def kernel(*, signature: object = None, inline: bool = False) -> Callable[[F], F]: ...


def kernel(
    function: F | None = None, /, *, signature: object = None, inline: bool = False
) -> F | Callable[[F], F]:
    """Compile *function* for arrays and numbers; see the module's words on signatures.

    With *inline* the function is merged into the kernels that call it.
    """

    def compile_it(text: F) -> F:
        return _compiled(text, signature, inline=inline)

    return compile_it if function is None else compile_it(function)


def _compiled(function: F, signature: object, *, inline: bool) -> F:
    _COMPILER.load()
    import numba
    from numba.core import typeinfer

    from acpcbot.kernel_cache import KernelCache

    compiled: Any = numba.njit(
        nogil=True, error_model="numpy", inline="always" if inline else "never"
    )(function)
    if compiled is function:  # NUMBA_DISABLE_JIT is set
        return function
    compiled._cache = KernelCache(function)
    if signature is not None:
        # As numba does where it is given the signature itself; the cache above has to be there
        # before.
        with typeinfer.register_dispatcher(compiled):
            compiled.compile(signature)
            compiled.disable_compile()
    result: F = compiled
    return result


def shared(function: F) -> F:
    """Let kernels call *function* too, while Python keeps calling it as it is."""

    def register() -> None:
        from numba.extending import register_jitable

        register_jitable(function)

    _COMPILER.when_loaded(register)
    return function


def shared_methods(protocol: C) -> C:
    """Let kernels call the public methods of *protocol* on any NamedTuple that has them."""

    def register() -> None:
        from numba import types
        from numba.extending import overload_method

        _overload_method: Any = overload_method
        for name, method in vars(protocol).items():
            if not name.startswith("_"):
                for kind in (types.NamedTuple, types.NamedUniTuple):
                    _overload_method(kind, name, strict=False)(
                        _method_finder(name, inspect.signature(method))
                    )

    _COMPILER.when_loaded(register)
    return protocol


def _method_finder(name: str, signature: inspect.Signature) -> Callable[..., Any]:
    """Return what tells the compiler where the method *name* of a NamedTuple is: a function of
    that *signature*.
    """

    def find(self: Any, *_arguments: Any) -> Any:
        return getattr(self.instance_class, name, None)

    find.__signature__ = signature  # type: ignore[attr-defined]
    return find


def on_compile(listener: Callable[[CompileEvent], None]) -> None:
    """Call *listener* for each kernel that is compiled from now on.

    What is read from the cache is not compiled.
    """

    def register() -> None:
        from acpcbot.kernel_cache import tell_of_compiling

        tell_of_compiling(
            lambda kernel: listener(CompileEvent(kernel, is_over=False)),
            lambda kernel: listener(CompileEvent(kernel, is_over=True)),
        )

    _COMPILER.when_loaded(register)
