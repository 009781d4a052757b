"""The checks of what is assigned to the attributes of a module."""

import warnings

import numpy as np

from dark.errors import UsageError, ValueTypeError
from dark.nn.traversal import join
from dark.nodes import Node, Parameter
from dark.nodes.values import describe


def as_buffer(value, who):
    """Make an array of what is to be a buffer.

    Raises
    ------
    ValueTypeError
        If it is neither an array nor a number; a node would bring its graph along.

    Examples
    --------
    >>> as_buffer(2, "count")
    array(2)
    """
    if isinstance(value, Node) or np.asarray(value).dtype.kind not in "fiubc":
        raise ValueTypeError(
            f"{who}: {describe(value)} cannot be a buffer.",
            "an array of numbers, or one number.",
            "take the number out of a node with `.value`.",
        )
    return np.asarray(value)


def refuse_uninitialised(module, name):
    """Refuse a part for a module whose ``Module.__init__`` has not run."""
    if "_buffers" not in vars(module):
        who = type(module).__name__
        raise UsageError(
            f"{who}: {name} is assigned before Module.__init__ has run.",
            "super().__init__() as the first line of __init__.",
            f"class {who}(Module): def __init__(self): super().__init__(); self.{name} = ...",
        )


def refuse_cycle(module, name, value):
    """Refuse a part that holds the module whose part it is to be."""
    if any(part is module for part in value.modules()):
        raise UsageError(
            f"{type(module).__name__}.{name}: a {type(value).__name__} that holds this very module.",
            "modules that form a tree.",
            f"self.{name} = weakref.ref(module), or a function that returns it.",
        )


def refuse_name(module, name, is_free):
    """Refuse a name that is none, or that another attribute has."""
    who = type(module).__name__
    if not isinstance(name, str) or not name or "." in name:
        raise UsageError(
            f"{who}: {name!r} is no name for a part.", "a text without a dot.", "a dot leads into a module."
        )
    if not is_free and hasattr(module, name):
        raise UsageError(f"{who}: {name!r} is taken.", "a name that no attribute has.", f"{name}_ or the like.")


def refuse_other_kind(module, name, value, kind):
    """Refuse what is to take the place of a parameter or a module, and is none.

    A plain assignment such as ``self.weight = self.weight - 0.1 * gradient`` would lose the parameter.
    """
    who = f"{type(module).__name__}.{name}"
    raise ValueTypeError(
        f"{who} is a {kind.__name__}, and was given {describe(value)}.",
        f"another {kind.__name__}, or None.",
        f"self.{name}.value = ... for other numbers; del self.{name} first, for another meaning of the name.",
    )


def refuse_stranger(module, name, value, kind):
    """Refuse to register as one kind what is none of it."""
    if value is not None and not isinstance(value, kind):
        raise ValueTypeError(
            f"{type(module).__name__}.{name}: {describe(value)} is no {kind.__name__}.",
            f"a {kind.__name__}, or None.",
            "an ordinary attribute, if it is neither to be trained nor saved.",
        )


def warn_of_hidden(module, kind):
    """Warn of modules and parameters that stand in a plain list, tuple or dict, where nothing finds them.

    Those that stand in an attribute as well are found there.

    Parameters
    ----------
    module : Module
        The root of the walk.
    kind : type
        `Module`.
    """
    held = [(join(path, name), *h) for path, part in module.named_modules() for name, h in _held(part, kind).items()]
    if not held:
        return
    found = {id(p) for part in module.modules() for p in [part, *part._parameters_here().values()]}
    for name, holder, things in held:
        if any(id(thing) not in found for thing in things):
            warnings.warn(
                f"{type(module).__name__}: {name} is a {holder}; what it holds is no part of the network.\n"
                "  Expected: an attribute for each part, or ModuleList, ModuleDict or Sequential around them.\n"
                "  Try: a function that returns them, if they are not meant to be found.",
                stacklevel=4,  # who called `parameters`
            )


def _held(part, kind):
    """Return the modules and parameters in plain containers: for each attribute the container's type and they."""
    held = {}
    for name, value in vars(part).items():
        if isinstance(value, (list, tuple, dict)):
            things = value.values() if isinstance(value, dict) else value
            if things := [thing for thing in things if isinstance(thing, (kind, Parameter))]:
                held[name] = (type(value).__name__, things)
    return held
