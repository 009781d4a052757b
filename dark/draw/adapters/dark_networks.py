"""A call of a network of `dark`: of a copy, with the results, and the modules that ran where no gradient is recorded."""

from copy import deepcopy
from types import SimpleNamespace
from typing import Any

import numpy as np

from dark.draw.adapters.dark_nodes import nodes as nodes_of_dark
from dark.draw.adapters.tensor_parts import input_names
from dark.draw.graph.traverse import is_node
from dark.errors import DrawingError
from dark.nodes import Constant


def nodes(network: Any, *inputs: Any, model: Any = None, keywords: dict[str, Any] | None = None) -> Any:
    """Return the record of a call of a network of dark, or of a class with the same methods."""
    root, copied = root_of_call(network, inputs, keywords or {})
    return nodes_of_dark(root, model=copied)


def root_of_call(network, inputs, keywords):
    """Call a copy of a network, and return the node of its result with the copy."""
    network = deepcopy(network)
    network.requires_grad_(True)  # a graph is recorded for parameters that are not frozen
    given = [_as_node(thing, n) for n, thing in zip(input_names(network, inputs, keywords), (*inputs, *keywords.values()))]
    result = network(*given[: len(inputs)], **dict(zip(keywords, given[len(inputs) :])))
    if is_node(result):
        return result, network
    waiting = [result]
    while waiting:
        thing = waiting.pop()
        if is_node(thing):
            return thing, network
        waiting += reversed(thing) if isinstance(thing, (tuple, list)) else ()
    raise DrawingError(
        f"draw: {type(network).__name__} returned {type(result).__name__}, not a node.",
        "a network whose result is a node of a graph.",
        "draw(network(x)), outside no_grad()",
    )


def _as_node(thing, name):
    """Return an array of numbers as a named constant, which is one box wherever the network uses it."""
    return Constant(thing, name=name) if isinstance(thing, np.ndarray) and thing.dtype.kind in "fc" else thing
