"""What a call of `run` means: a new run, or going on; checked before anything changes."""

from collections.abc import Iterable
from numbers import Integral

from dark.errors import UsageError, ValueTypeError


def is_done(state):
    """Say whether a state has reached a limit: of iterations, or of epochs."""
    return has_reached(state, state.max_epochs, state.max_iters)


def has_reached(state, max_epochs, max_iters):
    """Say whether a state has reached one of two limits; None is no limit."""
    if max_iters is not None and state.iteration >= max_iters:
        return True
    if max_epochs is None:
        return False
    whole = state.epoch_length is not None and state.iteration >= state.epoch_length * max_epochs
    return whole or state.epoch >= max_epochs


def is_new(state, max_epochs, max_iters):
    """Say whether a run with these limits starts from the beginning: no limit was set, or it is reached."""
    if state.max_epochs is None and state.max_iters is None:
        return True
    limits = max_epochs, max_iters
    if limits == (None, None):
        limits = state.max_epochs, state.max_iters
    return has_reached(state, *limits)


def length_of(data):
    """Return how many batches data has, or None where it does not say."""
    try:
        return len(data)
    except TypeError:
        return None


def check_limit(name, value, counter, passed):
    """Refuse a limit below 1, or one that was passed.

    Parameters
    ----------
    name, value : str, int
        The limit.
    counter, passed : str, int
        What it limits, and where that is.

    Raises
    ------
    ValueTypeError
        If it is no whole number.
    UsageError
        If it is too small.
    """
    if value is None:
        return
    if not isinstance(value, Integral):
        raise ValueTypeError(f"Argument {name} is {value!r}.", "a whole number, 1 or more.", f"int({name})")
    if value < 1:
        raise UsageError(
            f"Argument {name} is invalid. Please, set a correct {name} positive value: got {value}.",
            "1 or more.",
            f"leave the run out where {name} may be 0.",
        )
    if value < passed:
        raise UsageError(
            f"Argument {name} should be greater than or equal to the start {counter} defined in the state: "
            f"{value} vs {passed}. Please, set engine.state.{name} = None "
            "before calling engine.run() in order to restart the training from the beginning.",
            f"{passed} or more, to go on.",
            f"engine.state.{name} = None, to start again.",
        )


def check_arguments(state, data, max_epochs, max_iters, epoch_length):
    """Refuse what no run can begin with.

    Raises
    ------
    ValueTypeError
        If the data cannot be iterated over, or a number is none.
    UsageError
        If both limits are given, the other one is in the state, or a number is too small.
    """
    if data is not None and not isinstance(data, Iterable):
        raise ValueTypeError(
            f"Argument data should be iterable, got {data!r}.",
            "a loader, a list, a generator, or None with an epoch_length.",
            "call the function that makes it.",
        )
    if max_epochs is not None and max_iters is not None:
        raise UsageError(
            "Arguments max_iters and max_epochs are mutually exclusive."
            f" Please provide only max_epochs or max_iters. Got {max_epochs} and {max_iters}.",
            "one limit.",
            "max_epochs alone; an epoch has epoch_length iterations.",
        )
    modes = (("max_iters", "iteration", "max_epochs", max_iters), ("max_epochs", "epoch", "max_iters", max_epochs))
    for name, counter, other, value in modes:
        mine = getattr(state, name)
        if value is not None and mine is None and getattr(state, other) is not None:
            raise UsageError(
                f"To switch from {other} to {name} mode during resume, you must first reset "
                f"by setting 'engine.state.{other} = None' before calling run().",
                f"{other}, as in the run that would go on.",
                f"engine.state.{other} = None, to start again.",
            )
        check_limit(name, value, counter, 0 if mine is None else getattr(state, counter))
    if epoch_length is not None and not isinstance(epoch_length, Integral):
        raise ValueTypeError(f"Argument epoch_length is {epoch_length!r}.", "a whole number, 1 or more.", "len(data)")


def begin(state, data, max_epochs, max_iters, epoch_length):
    """Set a state to the start of a new run."""
    if epoch_length is None and data is None and state.epoch_length is None:
        raise _no_length()
    length = _length(state, data, epoch_length)
    state.iteration = state.epoch = 0
    state.max_iters = max_iters
    state.max_epochs = 1 if max_epochs is None and max_iters is None else max_epochs
    state.epoch_length = length


def go_on(state, data, max_epochs, max_iters, epoch_length):
    """Let a state go on, perhaps to a further limit."""
    if state.epoch_length is None:
        length = _length(state, data, epoch_length)
        if length is None and data is None and state.dataloader is None:
            raise _no_length()
        state.epoch_length = length
    elif epoch_length is not None and epoch_length != state.epoch_length:
        raise UsageError(
            "Argument epoch_length should be same as in the state, "
            f"but given {epoch_length} vs {state.epoch_length}.",
            f"{state.epoch_length}, or no epoch_length.",
            "engine.state.max_epochs = None (or max_iters), to start again.",
        )
    if max_epochs is not None:
        state.max_epochs = max_epochs
    if max_iters is not None:
        state.max_iters = max_iters


def _length(state, data, epoch_length):
    """Return the length of an epoch: as given, else of the data, else as it was set before."""
    for length in (epoch_length, None if data is None else length_of(data), state.epoch_length):
        if length is not None:
            if length < 1:
                raise UsageError(
                    f"Input data has zero size. Please provide non-empty data: an epoch would have {length} iterations.",
                    "one batch or more an epoch.",
                    "look where the data went: print(len(data)).",
                )
            return length
    return None


def _no_length():
    return UsageError(
        "epoch_length should be provided if data is None.",
        "the number of iterations of an epoch.",
        "run(epoch_length=100), or run(data).",
    )
