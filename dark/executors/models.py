"""The models of a context, as losses need them: that they are there, and what their `forward` declares."""

import functools
import inspect

from dark.checks import describe
from dark.contexts import Context
from dark.errors import UsageError, ValueTypeError
from dark.nn import Function


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
    if not (isinstance(context, Context) and hasattr(context, name)):
        raise ValueTypeError(
            f"a loss needs {name}, and context is {describe(context)}.",
            f"a {kind.__name__}.",
            f"{kind.__name__}({name}=…).",
        )
    model = getattr(context, name)
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
    module = view.module
    if isinstance(module, Function):
        return _parameters(module.function)
    forward = module.forward  # of the class, unless it was assigned to the module
    return _parameters(forward) if "forward" in vars(module) else _parameters_of_class(forward.__func__)


def _parameters(function):
    return inspect.signature(function).parameters


@functools.lru_cache(maxsize=64)
def _parameters_of_class(forward):
    """Return the parameters of a method without `self`; they stay the same."""
    return dict(list(_parameters(forward).items())[1:])
