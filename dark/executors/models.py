"""The models of a context, as losses need them: that they are there."""

from dark.checks import describe
from dark.contexts import Context
from dark.errors import UsageError, ValueTypeError

MISSING = object()


def required_model(context, name, kind):
    """Return a model of a context."""
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
