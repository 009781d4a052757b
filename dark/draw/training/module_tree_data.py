"""A network as plain data: a tree of parts, each with its class, its parameters and their count.

A module is whatever has `named_children` and `named_parameters`: ours, PyTorch's, and a student's own.
"""

import re
from dataclasses import dataclass, field
from math import prod

from dark.draw.labels import plain, shape_of

ADDRESS = re.compile(r"<(?:\w+\.|<locals>\.)*(\w+) object at 0x[0-9a-f]+>")  # differs from run to run
FIRST = "network"  # what the whole is called


@dataclass
class Part:
    """A module of a network.

    Parameters
    ----------
    name : str
        Its dotted name.
    kind : str
        The name of its class.
    settings : str
        What its `extra_repr` says.
    parameters : list of str
        Each of its own parameters: name and shape.
    numbers : int
        How many there are in it and below it, each counted once.
    size : int
        How many modules it is, with those below it, each counted once.
    children : list of Part
    """

    name: str
    kind: str
    settings: str = ""
    parameters: list = field(default_factory=list)
    numbers: int = 0
    size: int = 1
    children: list = field(default_factory=list)


def parts_of(module):
    """Read a module and all below it.

    A module or a parameter that comes a second time is said to be the first one, and not counted again.

    Returns
    -------
    Part

    Examples
    --------
    >>> from dark import nn
    >>> root = parts_of(nn.Sequential(nn.Linear(2, 3), nn.ReLU()))
    >>> root.numbers, root.size, root.children[0]
    (9, 3, Part(name='0', kind='Linear', settings='in_features=2, out_features=3, bias=True', \
parameters=['weight (3, 2)', 'bias (3,)'], numbers=9, size=1, children=[]))
    """
    root = Part(FIRST, type(module).__name__)
    known, numbers, order, stack = {}, {}, [], [(module, root)]
    while stack:
        module, part = stack.pop()
        if id(module) in known:
            part.settings, part.size = f"the same as {known[id(module)]}", 0
            continue
        known[id(module)] = part.name
        order.append(part)
        part.settings = _settings(module)
        _read(part, _own(module), numbers)
        children = [(child, Part(_join(part, name), type(child).__name__)) for name, child in _below(module)]
        part.children = [below for _, below in children]
        stack += reversed(children)
    for part in reversed(order):
        part.numbers += sum(child.numbers for child in part.children)
        part.size += sum(child.size for child in part.children)
    return root


def _join(part, name):
    return str(name) if part.name == FIRST else f"{part.name}.{name}"


def _below(module):
    """List the children of a module, with those that come twice where it can tell."""
    try:
        return list(module.named_children(remove_duplicate=False))
    except TypeError:
        return list(module.named_children())


def _own(module):
    """List the parameters of a module itself."""
    try:
        return list(module.named_parameters(recurse=False))
    except TypeError:  # a student's own class, without that setting: those below have a dot in their names
        return [(name, p) for name, p in module.named_parameters() if "." not in str(name)]


def _settings(module):
    """Return what a module says about itself, on one line."""
    say = getattr(module, "extra_repr", None)
    return plain(ADDRESS.sub(r"\1", str(say())), 60) if callable(say) else ""


def _read(part, parameters, numbers):
    """Write down the parameters of a part; `numbers` holds those that came before, with their names."""
    for name, parameter in parameters:
        shape = shape_of(parameter if hasattr(parameter, "shape") else getattr(parameter, "value", parameter))
        words = f"{plain(name)} {shape}"
        if id(parameter) in numbers:
            words += f", the same as {numbers[id(parameter)]}"
        elif not getattr(parameter, "requires_grad", True):
            words += ", frozen"
        if id(parameter) not in numbers:
            part.numbers += prod(shape)
            numbers[id(parameter)] = _join(part, name)
        part.parameters.append(words)
