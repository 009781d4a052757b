"""Checks of values that are assigned to the attributes of a module."""

import warnings

from dark.checks import brief, describe
from dark.errors import OperationError, UsageError, ValueTypeError
from dark.nn.traversal import join
from dark.nodes import Node, Parameter
from dark.nodes.values import as_array


def as_buffer(value, who):
    """Return an array or a number as an array.

    >>> as_buffer(2, "count")
    array(2)
    """
    array = None if isinstance(value, Node) else as_array(value, who, "the buffer")
    if array is None or array.dtype.kind not in "fiubc":
        raise ValueTypeError(
            f"{who}: {describe(value)} cannot be a buffer.",
            "an array of numbers, or one number.",
            "node.value, if it is a node.",
        )
    return array


def check_initialized(module, name):
    """Raise if ``Module.__init__`` has not run yet."""
    if "_buffers" not in vars(module):
        who = type(module).__name__
        raise UsageError(
            f"{who}: Module.__init__ must run before {name} is assigned.",
            "super().__init__() as the first line of __init__.",
            f"class {who}(Module): def __init__(self): super().__init__(); self.{name} = ...",
        )


def check_acyclic(module, name, value):
    """Raise if a new submodule contains the module it is assigned to."""
    if any(part is module for part in value.modules()):
        raise UsageError(
            f"{type(module).__name__}.{name}: a module must not contain itself, as this {type(value).__name__} would.",
            "modules that form a tree.",
            f"self.{name} = weakref.ref(module), or a function that returns it.",
        )


def check_name(module, name, is_free):
    """Raise if a name is not a valid attribute name, or already belongs to another attribute."""
    who = type(module).__name__
    if not isinstance(name, str) or not name or "." in name:
        raise UsageError(
            f"{who}: invalid submodule name {brief(name)}.",
            "a string without dots.",
            "an underscore instead of the dot, which separates levels in state_dict keys.",
        )
    if not is_free and hasattr(module, name):
        raise UsageError(
            f"{who}: attribute {name!r} already exists.",
            "a name that is not an attribute yet.",
            f"{name}_, for example.",
        )


def check_replacement(module, name, value, kind):
    """Raise when a parameter or a module would be replaced by a value of another type.

    A plain assignment such as ``self.weight = self.weight - 0.1 * gradient`` would lose the parameter.
    """
    who = f"{type(module).__name__}.{name}"
    raise ValueTypeError(
        f"{who} is a {kind.__name__} and cannot be replaced by {describe(value)}.",
        f"another {kind.__name__}, or None.",
        f"self.{name}.value = ... to change its value; del self.{name} first, to use the name for something else.",
    )


def check_registration(module, name, value, kind):
    """Raise if a name is not free, or a value is registered as a parameter or a module without being one."""
    check_name(module, name, is_free=isinstance(vars(module).get(name), kind))
    if value is not None and not isinstance(value, kind):
        raise ValueTypeError(
            f"{type(module).__name__}.{name}: {describe(value)} is not a {kind.__name__}.",
            f"a {kind.__name__}, or None.",
            "an ordinary attribute, if it is neither trained nor saved.",
        )


def no_forward(module):
    """Return the error for a module that is called but does not define `forward`."""
    name = type(module).__name__
    return OperationError(
        f"{name} must define forward.", "a method forward(self, x) that returns a node.", f"define it in class {name}."
    )


def warn_of_hidden(module, kind):
    """Warn of modules and parameters in plain lists, tuples or dicts, where `parameters` does not find them.

    Those that are assigned to an attribute as well are found there.
    """
    held = [(join(path, name), *h) for path, part in module.named_modules() for name, h in _held(part, kind).items()]
    if not held:
        return
    found = {id(p) for part in module.modules() for p in [part, *part.parameters(recurse=False)]}
    for name, container, members in held:
        if any(id(member) not in found for member in members):
            warnings.warn(
                f"{type(module).__name__}: {name} is a {container}; its modules and parameters are not registered.\n"
                "  Expected: an attribute for each, or a ModuleList, ModuleDict or Sequential that holds them.\n"
                "  Try: a function that returns them, if they are not meant to be registered.",
                stacklevel=4,  # the caller of `parameters`
            )


def _held(part, kind):
    """Return the modules and parameters in plain containers: for each attribute, the container's type and members."""
    held = {}
    for name, value in vars(part).items():
        if isinstance(value, (list, tuple, dict)):
            members = value.values() if isinstance(value, dict) else value
            if members := [member for member in members if isinstance(member, (kind, Parameter))]:
                held[name] = (type(value).__name__, members)
    return held
