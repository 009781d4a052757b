"""Signatures: whether a callable accepts certain arguments, decided once, when it is passed in, never by calling it."""

import inspect
from collections.abc import Iterable, Mapping, Sequence

from dark.descriptions import brief
from dark.errors import UsageError, ValueTypeError


def signature_of(function: object, role: str) -> inspect.Signature:
    """Return the signature of a callable."""
    if not callable(function):
        raise ValueTypeError(
            f"{role}: {brief(function)} is not callable.",
            "a function, a method, or an object with `__call__`.",
            "pass the function itself, without calling it.",
        )
    try:
        return inspect.signature(function)
    except ValueError:
        raise UsageError(
            f"{role}: {function!r} has no signature.",
            "a callable whose signature Python can read.",
            "lambda engine: …, around it.",
        ) from None


def fits(signature: inspect.Signature, args: Iterable[object], kwargs: Mapping[str, object]) -> bool:
    """Return whether a call with these arguments fits a signature."""
    try:
        signature.bind(*args, **kwargs)
    except TypeError:
        return False
    return True


def refusal(function: object, role: str, signature: inspect.Signature, *calls: str) -> UsageError:
    """Return the error for a callable that fits none of the calls it would get, such as "(engine, batch)"."""
    name = getattr(function, "__name__", type(function).__name__)
    return UsageError(
        f"Error adding {name} as {role}: it takes parameters {signature} but will be called with {calls[0]}.",
        "a callable that can be called with " + " or ".join(calls) + ".",
        "compare the names and the number of its parameters.",
    )


def check_call(function: object, role: str, names: Sequence[str]) -> None:
    """Check that a callable accepts positional arguments, described by their names."""
    signature = signature_of(function, role)
    if not fits(signature, names, {}):
        raise refusal(function, role, signature, f"({', '.join(names)})")


def check_process_function(function: object) -> None:
    """Check that a function can be the process function of an engine."""
    if function is None:
        raise UsageError(
            "Engine must be given a processing function in order to run.",
            "a function of (engine, batch).",
            "Engine(lambda engine, batch: …)",
        )
    check_call(function, "process_function", ("engine", "batch"))
