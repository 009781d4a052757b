"""Which modules of a graph are open: as asked for, or as many levels as a picture holds."""

from collections import Counter
from fnmatch import fnmatchcase
from numbers import Integral
from typing import Any

from dark.checks import describe, integer
from dark.errors import UsageError, ValueTypeError, near_misses

MOST_BOXES = 60  # in a picture for which nothing is asked


def checked_open(open: Any) -> bool | int | tuple[str, ...] | None:
    """Return what `draw` was asked to open, if it is valid: None, a bool, a number of levels, or names."""
    if open is None or isinstance(open, bool):
        return open
    if isinstance(open, str):
        return (open,)
    if isinstance(open, Integral):
        return integer(open, "draw", "open", 0, advice="open=0, to fold all modules, or open=True")
    if isinstance(open, (list, tuple, set)) and all(isinstance(name, str) for name in open):
        return tuple(open)
    raise ValueTypeError(
        f"draw: open is {describe(open)}.",
        "True, False, a number of levels, or names of modules.",
        'open="features.0", or open=["features.*", "head"]',
    )


def opened(open: Any, paths: list[tuple[str, ...]], operations: list[bool]) -> set[tuple[str, ...]]:
    """Return the paths of the modules that are open.

    `open` is as `checked_open` returns it: a name may contain `*`, and the modules around it are open, too. `paths` are
    those of the nodes that are drawn, and `operations` tells whether each of them is a result. A module of one result
    is always open: it needs no frame.

    Examples
    --------
    >>> paths = [("a", "0"), ("a", "0"), ("a", "1"), ("b",), ("b",)]
    >>> sorted(opened(("a",), paths, [True] * 5)), sorted(opened(False, paths, [True] * 5))
    ([('a',), ('a', '1')], [('a', '1')])
    """
    results = Counter(path[:k] for path, is_result in zip(paths, operations) if is_result for k in _lengths(path))
    modules = {path[:k]: None for path in paths for k in _lengths(path)}
    single = {module for module in modules if results[module] <= 1}
    if isinstance(open, tuple):
        return single | _named(open, modules)
    if open is None:
        open = _levels(modules, single, paths, operations)
    return single | {module for module in modules if open is True or len(module) <= open}


def _lengths(path):
    return range(1, len(path) + 1)


def _named(names, modules):
    dotted = {".".join(module): module for module in modules}
    found = set()
    for pattern in names:
        matching = [module for name, module in dotted.items() if fnmatchcase(name, pattern)]
        if not matching:
            raise UsageError(
                f"draw: the graph has no module {pattern!r} to open.",
                f"the names of its modules: {', '.join(list(dotted)[:8])}{', …' * (len(dotted) > 8)}."
                if dotted
                else "a graph whose modules are known.",
                near_misses(pattern, list(dotted)) if dotted else "draw(loss, model=network)",
            )
        found |= {module[:k] for module in matching for k in _lengths(module)}
    return found


def _levels(modules, single, paths, operations):
    """Return the largest number of levels at which the picture has at most 60 boxes."""
    deepest = max(map(len, modules), default=0)
    for levels in range(1, deepest + 1):
        shown = set()
        for i, (path, is_result) in enumerate(zip(paths, operations)):
            if is_result:
                closed = next((path[:k] for k in _lengths(path) if k > levels and path[:k] not in single), None)
                shown.add(closed or i)
        if len(shown) > MOST_BOXES:
            return levels - 1
    return deepest
