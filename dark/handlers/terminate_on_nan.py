"""Ending a training whose output is no number any more."""

import logging
from collections.abc import Mapping
from math import inf

from dark.errors import ValueTypeError
from dark.handlers.output_store import identity


class TerminateOnNan:
    """A handler that terminates the run when the output holds a NaN or an infinity.

    The output may be a number, an array, a node, a string (which is passed over), or a tuple, list or mapping of all
    these. None is nothing to check: a process function may return nothing.

    Parameters
    ----------
    output_transform : callable, optional
        Called with `state.output`; what it returns is checked.

    Examples
    --------
    >>> from dark.engine import Engine, Events
    >>> trainer = Engine(lambda engine, batch: {"loss": batch})
    >>> handle = trainer.add_event_handler(Events.ITERATION_COMPLETED, TerminateOnNan())
    >>> trainer.run([0.5, float("inf"), 0.3]).iteration
    2
    """

    def __init__(self, output_transform=identity):
        self.logger = logging.getLogger(f"{__name__}.{type(self).__name__}")
        self._output_transform = output_transform

    def __call__(self, engine):
        """Look at the output."""
        output = self._output_transform(engine.state.output)
        if not is_finite(output):
            self.logger.warning(
                "Iteration %s: the output %s holds a NaN or an infinity. The run ends.", engine.state.iteration, output
            )
            engine.terminate()


def is_finite(output):
    """Say whether all numbers in an output are finite.

    Raises
    ------
    ValueTypeError
        If it holds something that is no number.

    Examples
    --------
    >>> is_finite((1.0, [2, None], {"loss": float("nan")}))
    False
    """
    if output is None or isinstance(output, (str, bytes)):
        return True
    if isinstance(output, Mapping):
        return all(map(is_finite, output.values()))
    if isinstance(output, (tuple, list)):
        return all(map(is_finite, output))
    try:
        finite = abs(getattr(output, "value", output)) < inf  # a NaN is not less than anything
    except TypeError:
        raise ValueTypeError(
            f"TerminateOnNan: the output holds a {type(output).__name__}, which is no number.",
            "numbers, arrays, nodes, strings, None, and tuples, lists and mappings of them.",
            "TerminateOnNan(output_transform=lambda output: output.loss)",
        ) from None
    return bool(finite.all() if hasattr(finite, "all") else finite)
