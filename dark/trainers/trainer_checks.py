"""The checks of a trainer's context, callbacks and batches."""

from collections.abc import Mapping

from dark.checks import describe, members
from dark.compat.callbacks.callback import Callback
from dark.distributed import OneProcess
from dark.errors import UsageError, ValueTypeError


def check_context(who, context, kind):
    """Check that a context is of the class that a trainer needs."""
    if not isinstance(context, kind):
        raise ValueTypeError(
            f"{who}: context must be a {kind.__name__}, got {describe(context)}.",
            f"a {kind.__name__} of dark.contexts.",
            f"{kind.__name__}(…)",
        )


def checked_callbacks(who, callbacks):
    """Return callbacks as a tuple of their own; the caller's list stays as it is."""
    given = () if callbacks is None else callbacks
    advice = "callbacks=[SaveCallback(…)]"
    is_one = isinstance(given, Callback)
    found = (given,) if is_one else tuple(members(given, who, "callbacks", "a list of callbacks.", advice))
    for callback in found:
        if not isinstance(callback, Callback):
            raise ValueTypeError(
                f"{who}: callbacks must be Callback objects, got {describe(callback)}.",
                "callbacks of dark.trainers.",
                "CounterCallback(Event.ON_EPOCH_END, fn, name=…), for a function; trainer.engine for other handlers.",
            )
    names = [callback.name for callback in found]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise UsageError(
            f"{who}: several callbacks have the name {' and '.join(map(repr, repeated))}.",
            "different names, under which their states are saved.",
            "name='another', in one of them.",
        )
    return found


def check_also(who, also):
    """Check that objects to save with a trainer have names."""
    if not (also is None or isinstance(also, Mapping)):
        raise ValueTypeError(
            f"{who}.save: also must be a mapping of names to objects, got {describe(also)}.",
            "a mapping of names to objects with a state.",
            'also={"schedule": scheduler}',
        )


def no_data(trainer, what, expected, advice):
    """Return the error for a trainer without data."""
    return UsageError(f"{type(trainer).__name__}: the {what} is missing.", expected, advice)


def examples_and_noise(batch):
    """Return the examples, their condition and the inputs of the generator in a batch ((x, y), noise)."""
    is_pair = isinstance(batch, (tuple, list)) and len(batch) == 2
    if not is_pair or not isinstance(batch[0], (tuple, list)) or len(batch[0]) != 2:
        raise UsageError(
            f"a batch of an adversarial training must be ((x, y), noise), got {_structure(batch)}.",
            "((x, y), noise): examples, their labels or condition (or None), and the inputs of the generator.",
            "((x, None), noise), for data without labels.",
        )
    (x, y), noise = batch
    return x, y, noise


def _structure(batch):
    if isinstance(batch, (tuple, list)):
        inner = ", ".join(_structure(part) for part in batch[:4])
        return f"({inner}{', …' if len(batch) > 4 else ''})"
    return f"{type(batch).__name__}"


def check_recorded_alone(who, recorded, strategy):
    """Check that a recorded training is not divided into shards, whose batch size a recording would not know."""
    if recorded and not isinstance(strategy, OneProcess):
        raise UsageError(
            f"{who}: recorded=True needs a single process, got {strategy!r}.",
            "a single process: the losses of shards are divided by a batch size that changes.",
            "strategy=OneProcess(), or recorded=False.",
        )
