"""Walking a tree of modules, each thing once, and finding one of its parts by a dotted name."""

from dark.errors import UsageError, near_misses


def join(path, name):
    """Write a name behind the path that leads to it.

    Examples
    --------
    >>> join("0.norm", "weight"), join("", "weight")
    ('0.norm.weight', 'weight')
    """
    return f"{path}.{name}" if path and name else path or name


def walk(module, remove_duplicate=True):
    """Go through a module and all below it, each before its parts.

    Parameters
    ----------
    module : Module
    remove_duplicate : bool, default True
        Whether a module that is reached by several names comes once only, by the first of them.

    Yields
    ------
    tuple of str and Module
        The dotted name, empty for the module itself.
    """
    seen, stack = set(), [("", module)]
    while stack:
        path, module = stack.pop()
        if remove_duplicate and id(module) in seen:
            continue
        seen.add(id(module))
        yield path, module
        children = list(module.named_children(remove_duplicate))
        stack += [(join(path, name), child) for name, child in reversed(children)]


def members(modules, of, remove_duplicate=True):
    """Go through what some modules hold.

    Parameters
    ----------
    modules : iterable of tuple of str and Module
        As `walk` gives them.
    of : callable
        What a module holds itself: a dict of names.
    remove_duplicate : bool, default True
        Whether a thing that stands in several places comes once only.

    Yields
    ------
    tuple of str and object
    """
    seen = set()
    for path, module in modules:
        for name, member in of(module).items():
            if not (remove_duplicate and id(member) in seen):
                seen.add(id(member))
                yield join(path, name), member


def find(named, name, kind, who):
    """Return the thing that has a name.

    Parameters
    ----------
    named : iterable of tuple of str and object
    name : str
    kind, who : str
        Of what, and where, for the error.

    Raises
    ------
    UsageError
        If nothing has it.
    """
    known = dict(named)
    if name not in known:
        raise UsageError(
            f"{who}: there is no {kind} {name!r}.",
            f"one of its {len(known)} {kind}s." if known else f"a module that has a {kind}.",
            near_misses(name, known) if known else f"print the module; it holds no {kind}.",
        )
    return known[name]
