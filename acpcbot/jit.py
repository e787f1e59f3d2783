"""Decorators that mark functions for the compiler, with its flags set once.

Three decorators:

* ``kernel``: machine code, without the interpreter lock, cached on disk. Give a
  signature where a kernel calls itself (two specialisations of a cached
  recursive function crash) or where its first call must be fast.
* ``shared``: one definition, two uses. The function stays plain Python for
  callers in Python, and kernels may call it as well.
* ``shared_methods``: the same for methods. It marks a protocol; kernels may call
  its methods on every NamedTuple that has them. They are compiled for each
  such type, so that a kernel generic over types pays nothing for it.

The compiler is imported with the first kernel, for it takes half a second and 100 MB: a program
that asks the rules of the game alone never loads it. ``cache_folders.py`` says in which folder
compiled code is kept and when it is out of date.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple, TypeVar, overload

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)


class CompileEvent(NamedTuple):
    """The begin or the end of compiling one kernel; those that it calls come in between."""

    kernel: str
    """Module and name, without the package."""
    is_over: bool


class _Compiler:
    """The compiler, loaded or not yet, and the registrations that wait for it."""

    def __init__(self) -> None:
        self.is_loaded = False
        self.while_loading: Callable[[], AbstractContextManager[None]] = nullcontext
        self._waiting: list[Callable[[], None]] = []

    def when_loaded(self, register: Callable[[], None]) -> None:
        """Call *register* now if the compiler is loaded, else as soon as it is."""
        if self.is_loaded:
            register()
        else:
            self._waiting.append(register)

    def load(self) -> None:
        """Import the compiler, and register all that is shared so far."""
        if not self.is_loaded:
            with self.while_loading():
                import acpcbot.kernel_cache  # noqa: F401 (imports numba, once)

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
    """Compile *function* for arrays and numbers; the module's docstring says when to give types.

    With *inline* the function is merged into the kernels that call it.
    """

    def compile_it(plain: F) -> F:
        return _compiled(plain, signature, inline=inline)

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
        # As numba does where it is given the signature itself; but the cache must be set before.
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
    """Return a function of that *signature* that finds the method *name* for the compiler."""

    def find(self: Any, *_arguments: Any) -> Any:
        return getattr(self.instance_class, name, None)

    find.__signature__ = signature  # type: ignore[attr-defined]
    return find


def while_loading(context: Callable[[], AbstractContextManager[None]]) -> None:
    """Enter *context* while the compiler is loaded, which takes seconds on a slow machine."""
    _COMPILER.while_loading = context


def on_compile(listener: Callable[[CompileEvent], None]) -> None:
    """Call *listener* for each kernel that is compiled from now on, not loaded from the cache."""

    def register() -> None:
        from acpcbot.kernel_cache import add_compile_listener

        add_compile_listener(
            lambda kernel: listener(CompileEvent(kernel, is_over=False)),
            lambda kernel: listener(CompileEvent(kernel, is_over=True)),
        )

    _COMPILER.when_loaded(register)
