"""Arguments of Ignite that have no meaning for NumPy in one process: checked, and not passed on.

What would change nothing here is accepted (`non_blocking`, `device="cpu"`); what would change the numbers is refused.
"""

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Any, ParamSpec, TypeVar

from dark.engine.events.signatures import fits, refusal, signature_of
from dark.errors import UsageError

P = ParamSpec("P")
Result = TypeVar("Result")
DEFAULTS = {"device": None, "non_blocking": False, "amp_mode": None, "scaler": False}


def with_ignite_arguments(**places: int) -> Callable[[Callable[P, Result]], Callable[P, Result]]:
    """Decorate a function so that it accepts Ignite's arguments, too: each in `DEFAULTS`, with its place.

    An argument `prepare_batch` is Ignite's, ``prepare_batch(batch, device=…, non_blocking=…)``; the function gets one
    of the batch alone.
    """

    def decorate(function: Callable[P, Result]) -> Callable[P, Result]:
        parameters = list(signature(function).parameters.values())
        for name, place in places.items():
            parameters.insert(place, Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=DEFAULTS[name]))
        complete = signature(function).replace(parameters=parameters)

        @wraps(function)
        def accepting(*args: Any, **kwargs: Any) -> Result:
            given = complete.bind(*args, **kwargs).arguments
            ignored = {name: given.pop(name, default) for name, default in DEFAULTS.items()}
            check_device(function.__name__, ignored["device"])
            check_precision(function.__name__, ignored["amp_mode"], ignored["scaler"])
            if not isinstance(prepare := given.get("prepare_batch"), PreparedBatch | None):
                given["prepare_batch"] = PreparedBatch(prepare, ignored["device"], ignored["non_blocking"])
            return function(**given)  # type: ignore[call-arg]

        return accepting

    return decorate


class PreparedBatch:
    """A `prepare_batch` of Ignite as a function of the batch alone."""

    def __init__(self, prepare: Any, device: object, non_blocking: object) -> None:
        self.prepare, self.settings = prepare, {"device": device, "non_blocking": non_blocking}
        found = signature_of(prepare, "prepare_batch")
        if not fits(found, ("batch",), self.settings):
            raise refusal(prepare, "prepare_batch", found, "(batch, device=…, non_blocking=…)")

    def __call__(self, batch: Any) -> Any:
        """Return inputs and targets of a batch."""
        return self.prepare(batch, **self.settings)


def check_device(who: str, device: object) -> None:
    """Check that a device is None or the CPU; `non_blocking` has no effect there."""
    if str(device) not in ("None", "cpu"):
        raise UsageError(
            f"{who}: device must be the CPU, got {device!r}.", "None or 'cpu', as for NumPy's arrays.", "omit device."
        )


def check_precision(who: str, amp_mode: object, scaler: object) -> None:
    """Check that no mixed precision is requested: computations have the dtype of parameters and data."""
    if scaler:
        raise UsageError(
            f"{who}: scaler argument is {scaler}, but amp_mode is {amp_mode}.",
            "False: gradients are not scaled.",
            "omit scaler.",
        )
    if amp_mode is not None:
        raise UsageError(
            f"{who}: amp_mode must be None, got {amp_mode!r}.",
            "None: mixed precision is not supported.",
            "model.float() and float32 data, for speed.",
        )
