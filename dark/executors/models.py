"""The models of a context, as losses need them: that they are there, and what their `forward` declares."""

import functools
import inspect

from dark.checks import describe
from dark.contexts import Context
from dark.errors import UsageError, ValueTypeError
from dark.nn import Function

MISSING = object()


def required_model(context, name, kind):
    """Return a model of a context.

    Parameters
    ----------
    context : Context
    name : str
        The name of the field.
    kind : type
        The class of contexts that have the field.

    Raises
    ------
    ValueTypeError
        If the context is of another class.
    UsageError
        If the field is None.
    """
    model = getattr(context, name, MISSING) if isinstance(context, Context) else MISSING
    if model is MISSING:
        raise ValueTypeError(
            f"a loss needs {name}, and context is {describe(context)}.",
            f"a {kind.__name__}.",
            f"{kind.__name__}({name}=…).",
        )
    if model is None:
        who = type(context).__name__
        raise UsageError(f"{who}: {name} is None.", "a model.", f"{who}({name}=…), with a module.")
    return model


def parameters_of(view):
    """Return the parameters that the `forward` of a model declares, by name.

    Examples
    --------
    >>> from dark.contexts import ModelView
    >>> list(parameters_of(ModelView(lambda x, condition: x)))
    ['x', 'condition']
    """
    forward, is_method = _forward_of(view.module)
    return (_parameters if is_method else _parameters.__wrapped__)(forward, is_method)


def count_of_inputs(view, optional):
    """Return how many inputs a model declares: its positional parameters without a default, and the optional ones.

    Parameters
    ----------
    view : ModelView
    optional : tuple of str
        Names of parameters that count also if they have a default.

    Returns
    -------
    int or None
        None if it has a parameter ``*inputs``.
    """
    forward, is_method = _forward_of(view.module)
    return (_count if is_method else _count.__wrapped__)(forward, is_method, optional)


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
def _count(forward, is_method, optional):
    parameters = _parameters.__wrapped__(forward, is_method).values()
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return None
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return len([p for p in positional if p.default is p.empty or p.name in optional])
