"""The integer and number parameters of the public API, found by their annotations."""

import inspect
import re
from enum import Enum
from importlib import import_module

PACKAGES = (
    "nodes", "operations", "derivatives", "nn", "nn.init", "losses", "optim", "optim.lr_scheduler", "data",
    "data.datasets", "distributed", "storage", "engine", "handlers", "metrics", "contexts", "executors", "trainers",
    "monitor", "draw", "course",
)  # fmt: skip
INTEGER = re.compile(r"\bint\b|\bAxis\b|\bShape\b")
NUMBER = re.compile(r"\bfloat\b|\bNumber\b")


def public_callables():
    """Return the public functions, classes and methods by name, such as `nn.Linear` and `nn.ModuleList.insert`."""
    found, seen = {}, set()
    for package in PACKAGES:
        module = import_module(f"dark.{package}")
        found |= {f"{package}.{name}": getattr(module, name) for name in _names(module)}
    found = {name: public for name, public in found.items() if callable(public) and not _is_constant(public)}
    classes = {name: public for name, public in found.items() if inspect.isclass(public)}
    for name in sorted(classes, key=lambda name: len(classes[name].__mro__)):  # base classes first
        found |= {f"{name}.{method}": value for method, value in _own_methods(classes[name], seen)}
    return found


def _names(module):
    """Return the names that a module offers; without `__all__`, the functions that it defines."""
    functions = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
    return getattr(module, "__all__", [name for name in functions if not name.startswith("_")])


def _is_constant(public):
    return inspect.isclass(public) and issubclass(public, (BaseException, Enum))


def _own_methods(owner, seen):
    """Yield the public methods of a class that no class before has listed, with their names."""
    for name, method in inspect.getmembers(owner, callable):
        place = (getattr(method, "__module__", None), getattr(method, "__qualname__", None))
        is_method = inspect.isfunction(method) or inspect.ismethod(method)
        if is_method and (name == "__call__" or not name.startswith("_")) and place not in seen:
            seen.add(place)
            yield name, method


def checked_parameters():
    """Return `{callable's name: {parameter: "integer" or "number"}}` of all that take an integer or a number."""
    found = {}
    for name, public in public_callables().items():
        kinds = {p.name: _kind(p.annotation) for p in inspect.signature(public).parameters.values()}
        kinds = {parameter: kind for parameter, kind in kinds.items() if kind}
        if kinds:
            found[name] = kinds
    return found


def _kind(annotation):
    text = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    if "Callable" in text:
        return None
    return "integer" if INTEGER.search(text) else "number" if NUMBER.search(text) else None
