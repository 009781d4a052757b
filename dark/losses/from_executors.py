"""Names of `dark.executors` on AshPy's paths below `losses`: loaded on request, as executors are built on losses."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

HOME = "executors"  # the package, above this one


def on_request(module: str, names: list[str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a module that gives names of `dark.executors`.

    >>> on_request("dark.losses.executor", ["Executor"])("Executor").__module__
    'dark.executors.executor'
    """

    def find(name):
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return getattr(import_module(f"dark.{HOME}"), name)

    return find
