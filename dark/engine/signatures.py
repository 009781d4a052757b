"""Whether a callable can be called so: answered once, when it is handed in, and never by trying."""

import inspect

from dark.errors import UsageError, ValueTypeError


def signature_of(function, role):
    """Read the signature of a callable, or say that it has none.

    Raises
    ------
    ValueTypeError
        If it cannot be called.
    UsageError
        If it does not tell what it takes, as some functions written in C do not.
    """
    if not callable(function):
        raise ValueTypeError(
            f"{role}: {function!r} is not callable.",
            "a function, a method, or an object with `__call__`.",
            "give the function itself, without calling it.",
        )
    try:
        return inspect.signature(function)
    except ValueError:
        raise UsageError(
            f"{role}: {function!r} does not tell what it takes.",
            "a callable whose signature Python can read.",
            "lambda engine: …, around it.",
        ) from None


def fits(signature, args, kwargs):
    """Say whether a call with these arguments would fit a signature.

    Examples
    --------
    >>> fits(inspect.signature(lambda engine: None), ("engine",), {})
    True
    """
    try:
        signature.bind(*args, **kwargs)
    except TypeError:
        return False
    return True


def refusal(function, role, signature, *calls):
    """Make the error for a callable that fits none of the ways in which it would be called.

    Parameters
    ----------
    function : callable
        What was handed in.
    role : str
        What it was to be: "handler".
    signature : inspect.Signature
        What it takes.
    *calls : str
        The ways, most wanted first: "(engine, batch)".

    Examples
    --------
    >>> def late(batch): pass
    >>> print(refusal(late, "process_function", inspect.signature(late), "(engine, batch)"))
    Error adding late as process_function: it takes parameters (batch) but will be called with (engine, batch).
      Expected: a callable that can be called with (engine, batch).
      Try: look at the names and the number of its parameters.
    """
    name = getattr(function, "__name__", type(function).__name__)
    return UsageError(
        f"Error adding {name} as {role}: it takes parameters {signature} but will be called with {calls[0]}.",
        "a callable that can be called with " + " or ".join(calls) + ".",
        "look at the names and the number of its parameters.",
    )


def check_call(function, role, names):
    """Refuse a callable that cannot be called with arguments of these names, given by position.

    Raises
    ------
    UsageError
        If it takes fewer or more.
    """
    signature = signature_of(function, role)
    if not fits(signature, names, {}):
        raise refusal(function, role, signature, f"({', '.join(names)})")
