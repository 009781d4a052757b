"""The inputs that a model declares: the parameters of its `forward`, their number, and whether one holds a list."""

import functools
import inspect
import re

from dark.nn import Function, Sequential

OPTIONAL = ("encoding", "condition")  # parameters that count as inputs also if they have a default
LISTS = re.compile(r"(\w+\.)*(list|tuple|Sequence)\b", re.IGNORECASE)  # annotations of one parameter for all inputs


def parameters_of(module):
    """Return the parameters that the `forward` of a module declares, by name."""
    forward, is_method = _forward_of(module)
    return (_parameters if is_method else _parameters.__wrapped__)(forward, is_method)


def count_of_inputs(module):
    """Return how many inputs a module declares: positional parameters without a default, and those in `OPTIONAL`.

    None if it has a parameter ``*inputs``.
    """
    forward, is_method = _forward_of(module)
    found = (_inputs if is_method else _inputs.__wrapped__)(forward, is_method)
    return None if any(p.kind is p.VAR_POSITIONAL for p in found) else len(found)


def takes_list(module):
    """Return whether a module takes all inputs as one list, as Keras and AshPy write it: ``forward(self, inputs)``.

    It does if its `forward` has one parameter besides settings with a default, and this is called `inputs` or annotated
    as a list, a tuple or a sequence. Of a `Sequential`, the first module decides.

    Examples
    --------
    >>> takes_list(Function(lambda inputs: inputs[0])), takes_list(Function(lambda x: x))
    (True, False)
    """
    while isinstance(module, Sequential) and len(module):
        module = module[0]
    forward, is_method = _forward_of(module)
    try:
        found = (_inputs if is_method else _inputs.__wrapped__)(forward, is_method)
    except (TypeError, ValueError):  # written in C
        return False
    return len(found) == 1 and _is_list(found[0])


def _forward_of(module):
    """Return the function that a module calls, and whether it is a method, whose first argument is the module."""
    if isinstance(module, Function):
        return module.function, False
    forward = module.forward  # of the class, unless it was assigned to the module
    return (forward, False) if "forward" in vars(module) else (forward.__func__, True)


@functools.lru_cache(maxsize=64)  # of methods, which stay the same
def _parameters(forward, is_method):
    return dict(list(inspect.signature(forward).parameters.items())[is_method:])


@functools.lru_cache(maxsize=64)
def _inputs(forward, is_method):
    """Return the positional parameters that are inputs, not settings, and ``*inputs``."""
    parameters = _parameters.__wrapped__(forward, is_method).values()
    positional = [p for p in parameters if p.kind not in (p.KEYWORD_ONLY, p.VAR_KEYWORD)]
    return [p for p in positional if p.default is p.empty or p.name in OPTIONAL]


def _is_list(parameter):
    """Return whether one parameter holds a list, by its name or its annotation, which may be a string."""
    if parameter.kind is parameter.VAR_POSITIONAL:
        return False
    kind = parameter.annotation
    text = kind if isinstance(kind, str) else getattr(getattr(kind, "__origin__", kind), "__name__", "")
    return parameter.name == "inputs" or LISTS.match(text) is not None
