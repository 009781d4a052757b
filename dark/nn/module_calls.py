"""The calls of modules that produced a result: pictures show the module in which each node was computed."""

from dark.nodes import Node
from dark.nodes.grad_mode import Counter

structure = Counter()  # advances with every change of an attribute of a module


def mark_call(module, result, inputs, settings):
    """Add a call to the `module_calls` of its result, or of each result in a tuple.

    >>> import dark
    >>> from dark import nn
    >>> network = nn.Sequential(nn.Identity(), nn.ReLU())
    >>> [type(module).__name__ for module, inputs in network(dark.Parameter(2.0)).module_calls]
    ['ReLU', 'Sequential']
    """
    if type(result) is Node and not settings:  # the usual call
        if result.inputs:
            if module._is_leaf and len(inputs) == 1 and inputs[0] is not result:  # it has no calls yet
                result.module_calls = ((module, inputs),)
            else:
                result.module_calls = (*getattr(result, "module_calls", ()), (module, inputs))
        return
    inputs = (*inputs, *settings.values())
    for node in result if type(result) is tuple else (result,):
        if type(node) is Node and node.inputs:
            node.module_calls = (*getattr(node, "module_calls", ()), (module, inputs))
