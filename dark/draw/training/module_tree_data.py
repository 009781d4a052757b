"""A network as plain data: a tree of modules, each with its class, its parameters and their count.

A module is any object with `named_children` and `named_parameters`: of `dark`, PyTorch, or a student's class.
"""

import re
from dataclasses import dataclass, field
from math import prod
from typing import Any

from dark.draw.labels import one_line, shape_of

ADDRESS = re.compile(r"<(?:\w+\.|<locals>\.)*(\w+) object at 0x[0-9a-f]+>")  # differs in each run
ROOT = "network"  # the name of the root


@dataclass
class ModuleData:
    """A module of a network, with its dotted name and its class."""

    name: str
    kind: str
    settings: str = ""  # the result of its `extra_repr`
    parameters: list[str] = field(default_factory=list)  # name and shape of each of its own
    count: int = 0  # of the parameter elements in it and its submodules, each counted once
    size: int = 1  # the number of modules: itself and its submodules, each counted once
    children: list[Any] = field(default_factory=list)  # of the same class


def module_data_of(module: Any) -> ModuleData:
    """Read a module and its submodules; shared ones are counted once, and further occurrences name the first."""
    root = ModuleData(ROOT, type(module).__name__)
    order, stack = [], [(module, root)]
    known: dict[int, str] = {}
    counted: dict[int, str] = {}
    while stack:
        module, part = stack.pop()
        if id(module) in known:
            part.settings, part.size = f"the same as {known[id(module)]}", 0
            continue
        known[id(module)] = part.name
        order.append(part)
        extra_repr = getattr(module, "extra_repr", None)
        part.settings = one_line(ADDRESS.sub(r"\1", str(extra_repr())), 100) if callable(extra_repr) else ""
        _read_parameters(part, _own_parameters(module), counted)
        children = [(child, ModuleData(_join(part, name), type(child).__name__)) for name, child in _children(module)]
        part.children = [below for _, below in children]
        stack += reversed(children)
    for part in reversed(order):
        part.count += sum(child.count for child in part.children)
        part.size += sum(child.size for child in part.children)
    return root


def _join(part, name):
    return str(name) if part.name == ROOT else f"{part.name}.{name}"


def _children(module):
    """Return the children of a module, with duplicates if `named_children` supports that."""
    try:
        return list(module.named_children(remove_duplicate=False))
    except TypeError:
        return list(module.named_children())


def _own_parameters(module):
    """Return the parameters of a module, not of its submodules."""
    try:
        return list(module.named_parameters(recurse=False))
    except TypeError:  # a student's class may lack `recurse`; parameters of submodules have a dot in their names
        return [(name, p) for name, p in module.named_parameters() if "." not in str(name)]


def _read_parameters(part, parameters, counted):
    """Describe and count the parameters of a module; `counted` maps the ids of earlier ones to their names."""
    for name, parameter in parameters:
        shape = shape_of(parameter if hasattr(parameter, "shape") else getattr(parameter, "value", parameter))
        words = f"{one_line(name)} {shape}"
        if id(parameter) in counted:
            words += f", the same as {counted[id(parameter)]}"
        elif not getattr(parameter, "requires_grad", True):
            words += ", frozen"
        if id(parameter) not in counted:
            part.count += prod(shape)
            counted[id(parameter)] = _join(part, name)
        part.parameters.append(words)
