"""The position of a run as data: what `state_dict` says of an engine, and how one is put there."""

from collections import OrderedDict
from numbers import Integral

from dark.engine.run_arguments import check_limit, length_of
from dark.errors import UsageError, near_misses


def position_of(state, keys, data_state):
    """Return the position of a state: its length of an epoch, its iteration, its limit, and more attributes.

    Parameters
    ----------
    state : State
    keys : iterable of str
        The attributes besides.
    data_state : mapping or None
        The position of the data, where it tells one.

    Raises
    ------
    UsageError
        If the state lacks one of these attributes.
    """
    limit = "max_epochs" if state.max_iters is None else "max_iters"
    for key in keys:
        if not hasattr(state, key):
            raise UsageError(
                f"The state has no attribute '{key}' to save, which stands in state_dict_user_keys.",
                "attributes that the state has.",
                f"engine.state.{key} = … before the run; {near_misses(key, vars(state))}.",
            )
    position = OrderedDict((key, getattr(state, key)) for key in ("epoch_length", "iteration", limit, *keys))
    if data_state is not None:
        position["dataloader"] = data_state
    return position


def place_of(state, epoch_began, cut):
    """Return the completed epochs and the iterations done in the next, or None where the iteration tells both.

    An epoch is completed when its EPOCH_COMPLETED begins: after its last iteration, all of the next are done.

    Parameters
    ----------
    state : State
    epoch_began : int or None
        The iteration at which the epoch at hand began; None between epochs.
    cut : bool or str
        Whether the end of that epoch was asked for; the third entry of the place, where it was.
    """
    if epoch_began is None:
        place = [state.epoch, 0]
    else:
        place = [state.epoch - 1, state.iteration - epoch_began] + ([cut] if cut else [])
    told = divmod(state.iteration, state.epoch_length) if state.epoch_length else (0, 0)
    return None if tuple(place) == told else place


def data_state_of(iterator, data):
    """Ask the iterator, else the data, for its position; None where neither tells one that it can go back to."""
    if not hasattr(data, "load_state_dict"):
        return None
    teller = iterator if hasattr(iterator, "state_dict") else data
    return teller.state_dict()


def go_to(data, data_state, iteration, passes=None):
    """Put data that knows positions where it was, to go on with `rest_of`; leave other data alone.

    Parameters
    ----------
    data : iterable or None
    data_state : mapping or None
        What the data said of its position. If None, data that was not begun yet goes where the iteration says.
    iteration : int
        How many are completed.
    passes : tuple of (int, int), optional
        How many passes over the data are completed, and how many batches of the one at hand; by the number of
        iterations and the length of the data if not given.
    """
    if not hasattr(data, "load_state_dict"):
        return
    if data_state is not None:
        data.load_state_dict(data_state)
        return
    own = data.state_dict() if iteration and hasattr(data, "state_dict") else {}
    if own.get("epoch") == own.get("position") == 0:
        done, batches = passes or divmod(iteration, length_of(data) or iteration + 1)
        data.load_state_dict({**own, "epoch": done + 1, "position": batches})


def rest_of(data):
    """Iterate over what is left of the pass that data went to: nothing at its end, if it is a loader of ours."""
    return data.rest() if hasattr(data, "load_state_dict") and hasattr(data, "rest") else iter(data)


def completed(position):
    """Return a position with both counters: completed epochs and completed iterations.

    Raises
    ------
    UsageError
        If it has both already, the one it has is no number of them, the other cannot be found from it, or its place
        is none.
    """
    if "iteration" in position and "epoch" in position:
        raise UsageError(
            "State dictionary should contain only one of 'iteration' or 'epoch' keys. "
            f"Found both: iteration={position['iteration']}, epoch={position['epoch']}.",
            "one of them: how many are completed.",
            "leave epoch out.",
        )
    if "iteration" not in position and "epoch" not in position:
        return position
    known = "iteration" if "iteration" in position else "epoch"
    value, length = position[known], position.get("epoch_length")
    if not isinstance(value, Integral) or value < 0:
        raise UsageError(
            f"State dictionary has {known}={value!r}.",
            "how many are completed: a whole number, 0 or more.",
            "give what state_dict() returned.",
        )
    if position.get("place") is not None:
        _check_place(position["place"], known, length)
        return {**position, "epoch": position["place"][0]}
    if value == 0:
        return {**position, "iteration": 0, "epoch": 0}
    if not isinstance(length, Integral) or length < 1:
        raise UsageError(
            "epoch_length must be a positive integer to calculate missing 'iteration' or 'epoch' key."
            f" Got {known}={value} and epoch_length={length}.",
            "the number of iterations of an epoch.",
            "epoch_length=len(data)",
        )
    both = (value, value // length) if known == "iteration" else (value * length, value)
    return {**position, **dict(zip(("iteration", "epoch"), both))}


def _check_place(place, known, length):
    fits = known == "iteration" and isinstance(place, (list, tuple)) and len(place) in (2, 3)
    fits = fits and all(isinstance(count, Integral) and count >= 0 for count in place[:2])
    if not fits or (length is not None and place[1] > length):
        raise UsageError(
            f"State dictionary has place={place!r} beside {known} and epoch_length={length}.",
            "beside iteration: how many epochs are completed, and how many iterations, epoch_length at most, are done"
            " in the next one.",
            "give what state_dict() returned; by hand, leave place out.",
        )


def check_position(position, user_keys):
    """Refuse a position that has passed its own limit, or lacks attributes that users asked for.

    Raises
    ------
    UsageError
        If so.
    """
    for key in user_keys:
        if key not in position:
            raise UsageError(
                f"Required user state attribute '{key}' is absent in provided state_dict with {list(position)}.",
                f"the keys {list(user_keys)}.",
                "take it out of engine.state_dict_user_keys, or add it to the state.",
            )
    for limit, counter in (("max_epochs", "epoch"), ("max_iters", "iteration")):
        check_limit(limit, position.get(limit), counter, position[counter])


def put(state, position, user_keys):
    """Put a state to a checked position; other attributes stay as they are."""
    state.max_epochs, state.max_iters = position.get("max_epochs"), position.get("max_iters")
    for key in ("epoch_length", "iteration", "epoch", *user_keys):
        setattr(state, key, position[key])
