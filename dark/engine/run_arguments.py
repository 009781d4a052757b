"""What a call of `run` means: a new run, or going on; checked before anything changes."""

import warnings
from collections.abc import Iterable
from numbers import Integral

from dark.errors import UsageError, ValueTypeError


def is_done(state, place=None):
    """Say whether a state has reached a limit: of iterations, or of epochs."""
    return has_reached(state, state.max_epochs, state.max_iters, place)


def has_reached(state, max_epochs, max_iters, place=None):
    """Say whether a state, or its place, has reached one of two limits; None is no limit."""
    if max_epochs is not None and state.epoch >= max_epochs:
        return True
    if is_at_end(place, state.epoch_length):
        return False
    if max_iters is not None and state.iteration >= max_iters:
        return True
    lengths = (max_epochs, state.epoch_length)
    return None not in lengths and state.iteration >= state.epoch_length * max_epochs


def is_at_end(place, epoch_length):
    """Say whether a place (see `place_of`) leaves nothing of its epoch but the end."""
    return place is not None and (len(place) == 3 or place[1] == epoch_length)


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


def check_data(data):
    """Refuse data that cannot be iterated over.

    Raises
    ------
    ValueTypeError
        If so.
    """
    if not isinstance(data, Iterable):
        raise ValueTypeError(
            f"Argument data should be iterable, got {data!r}.",
            "a loader, a list, a generator; in run, or None with an epoch_length.",
            "call the function that makes it.",
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
    if data is not None:
        check_data(data)
    if max_epochs is not None and max_iters is not None:
        raise UsageError(
            "Arguments max_iters and max_epochs are mutually exclusive."
            f" Please provide only max_epochs or max_iters. Got {max_epochs} and {max_iters}.",
            "one limit.",
            "max_epochs alone; an epoch has epoch_length iterations.",
        )
    limits = (
        ("max_epochs", max_epochs, "epoch", "max_iters", state.max_iters is not None),
        ("max_iters", max_iters, "iteration", "max_epochs", state.max_epochs is not None and state.max_iters is None),
    )
    for name, value, counter, other, switches in limits:
        if value is not None and switches:
            raise UsageError(
                f"To switch from {other} to {name} mode during resume, you must first reset "
                f"by setting 'engine.state.{other} = None' before calling run().",
                f"{other}, as in the run that would go on.",
                f"engine.state.{other} = None, to start again.",
            )
        check_limit(name, value, counter, 0 if getattr(state, name) is None else getattr(state, counter))
    if epoch_length is not None and not isinstance(epoch_length, Integral):
        raise ValueTypeError(f"Argument epoch_length is {epoch_length!r}.", "a whole number, 1 or more.", "len(data)")


def start(engine, data, max_epochs, max_iters, epoch_length):
    """Set the state of an engine for a run; say whether it starts from the beginning.

    Raises
    ------
    ValueTypeError, UsageError
        See `check_arguments`; and if the length of an epoch is 0, contradicts the state, or is needed and not known.

    Warns
    -----
    UserWarning
        If a run goes on with data of another length.
    """
    state, given = engine.state, (max_epochs, max_iters)
    if state.max_iters is None and engine._found_epochs is not None and state.max_epochs == engine._found_epochs:
        state.max_epochs = None  # it only followed from max_iters, which was reset
    check_arguments(state, data, max_epochs, max_iters, epoch_length)
    limits = (state.max_epochs, state.max_iters) if given == (None, None) else given
    paused = engine._internal_run_generator is not None
    has_limit = state.max_epochs is not None or state.max_iters is not None
    is_new = not has_limit or (not paused and has_reached(state, *limits, engine._place))
    length, found = _length(engine, data, epoch_length) if is_new else _same_length(engine, data, epoch_length)
    if length is None and data is None and (is_new or state.dataloader is None):
        raise UsageError(
            "epoch_length should be provided if data is None.",
            "the number of iterations of an epoch.",
            "run(epoch_length=100), or run(data).",
        )
    if is_new:
        state.iteration = state.epoch = 0
        limits = (1, None) if given == (None, None) else given
    state.max_epochs, state.max_iters = limits
    state.epoch_length, engine._found_length, engine._found_epochs = length, found, None
    return is_new


def _length(engine, data, epoch_length):
    """Return the length of an epoch of a new run, and the same again if the data told it."""
    of_data = None if data is None else length_of(data)
    before = engine.state.epoch_length
    if data is not None and before == engine._found_length:
        before = None  # it was the length of other data
    found = of_data if epoch_length is None else None
    for length in (epoch_length, of_data, before):
        if length is not None:
            if length < 1:
                raise UsageError(
                    f"Input data has zero size. Please provide non-empty data: epochs would have {length} iterations.",
                    "one batch or more an epoch.",
                    "look where the data went: print(len(data)).",
                )
            return length, found
    return None, None


def _same_length(engine, data, epoch_length):
    """Return the length of an epoch of a run that goes on, and the same again if data told it."""
    length, found = engine.state.epoch_length, engine._found_length
    if length is None:
        return _length(engine, data, epoch_length)
    if epoch_length not in (None, length):
        raise UsageError(
            f"Argument epoch_length should be same as in the state, but given {epoch_length} vs {length}.",
            f"{length}, or no epoch_length.",
            "engine.state.max_epochs = None (or max_iters), to start again.",
        )
    of_data = None if data is None or epoch_length is not None else length_of(data)
    if engine._internal_run_generator is None and length == found and of_data not in (None, length):
        warnings.warn(
            f"The run goes on with epochs of {length} iterations, the length of the data before; this has {of_data}."
            f" Give epoch_length={length} where that is meant, or set engine.state.max_epochs = None to start again.",
            UserWarning,
            stacklevel=4,
        )
    return length, found if epoch_length is None else None
