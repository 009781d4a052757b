"""The base class of metrics."""

from __future__ import annotations

import operator
import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dark.checks import check_engine
from dark.engine import Engine
from dark.errors import NotComputableError
from dark.metrics import metric_state, outputs
from dark.metrics.arithmetic import operators, result_method
from dark.metrics.outputs import Transform
from dark.metrics.usages import EpochWise, MetricUsage, is_resuming, usage_of

if TYPE_CHECKING:
    from dark.metrics.metrics_lambda import MetricsLambda


class Metric(ABC):
    """Base class of metrics computed from an engine's output.

    Subclasses define `reset` (the initial state), `update` (accumulate a batch) and `compute` (return the result).

    Parameters
    ----------
    output_transform : callable, optional
        Extracts the argument of `update` from `state.output`: usually a pair (y_pred, y), or a mapping, of which
        `required_output_keys` are extracted. Outputs may contain arrays, numbers, and nodes (objects with a `value`).
    device : str, optional
        "cpu", the only device; accepted for compatibility with Ignite.
    skip_unrolling : bool, default False
        By default, an output that is a pair of lists, of numbers or arrays, is unrolled: each item is a batch of one.
        True passes the lists to `update`.
    metrics_result_mode : {"both", "named", "flatten"}, optional
        Where a result that is a mapping is stored: under the metric's name, under its own keys, or both.

    Notes
    -----
    Handlers are called in the order in which they are attached: attach metrics before handlers that read or save them.

    An epoch ended by `terminate()` or `terminate_epoch(skip_epoch_completed=True)` has no result; `state.metrics`
    then still holds that of an earlier epoch, if any.

    **Resuming.** A metric whose state was loaded is not reset when the engine, loaded as well, resumes in the middle
    or at the end of an epoch (Ignite resets it there). `_state_dict_all_req_keys` names the attributes that are the
    state: numbers, arrays, None, metrics, lists and dicts of them.

    **Arithmetic.** The operators ``+ - * / // % **`` between metrics and with constants, indexing, and methods of the
    result (of a number, an array or a dict), as in ``(precision + recall).mean()``, return a new metric, a
    `MetricsLambda`.

    Examples
    --------
    >>> from dark.engine import Engine
    >>> class Largest(Metric):
    ...     _state_dict_all_req_keys = ("largest",)
    ...
    ...     def reset(self):
    ...         self.largest = -float("inf")
    ...
    ...     def update(self, output):
    ...         self.largest = max(self.largest, output)
    ...
    ...     def compute(self):
    ...         return self.largest
    >>> engine = Engine(lambda engine, batch: batch**2)
    >>> largest = Largest()
    >>> percent = largest * 100
    >>> largest.attach(engine, "largest")
    >>> percent.attach(engine, "in percent")
    >>> engine.run([-3, 2]).metrics
    {'largest': 9, 'in percent': 900}
    """

    required_output_keys: tuple[str, ...] | None = ("y_pred", "y")
    _state_dict_all_req_keys: tuple[str, ...] = ()
    _state_dict_one_of_opt_keys: tuple[tuple[str, ...], ...] = ()
    _merge_rules: tuple[tuple[str, str | None], ...] = ()  # "first", "largest", or None: refused; others are added
    __state_dict_key_per_rank = metric_state.PER_PROCESS  # Ignite's name for it
    _is_loaded = False
    function_of: type[MetricsLambda]  # set by `metrics_lambda`, which is built on this class

    __array_ufunc__ = None  # array + metric is a metric, not an array of metrics
    __iter__ = None  # indexing never raises IndexError: iterating would not end
    __contains__ = None
    __add__, __radd__ = operators(operator.add)
    __sub__, __rsub__ = operators(operator.sub)
    __mul__, __rmul__ = operators(operator.mul)
    __truediv__, __rtruediv__ = operators(operator.truediv)
    __floordiv__, __rfloordiv__ = operators(operator.floordiv)
    __mod__, __rmod__ = operators(operator.mod)
    __pow__, __rpow__ = operators(operator.pow)

    def __init__(
        self,
        output_transform: Transform = outputs.identity,
        device: str | None = "cpu",
        skip_unrolling: bool = False,
        metrics_result_mode: str = "both",
    ) -> None:
        outputs.check_options(output_transform, device, metrics_result_mode)
        self._output_transform = output_transform
        self._skip_unrolling = skip_unrolling
        self._metrics_result_mode = metrics_result_mode
        self.reset()

    @abstractmethod
    def reset(self) -> None:
        """Reset to the initial state; called when each epoch starts, or as the usage determines."""

    @abstractmethod
    def update(self, output: Any) -> None:
        """Accumulate a batch: the transformed output, usually a pair (y_pred, y)."""

    @abstractmethod
    def compute(self) -> Any:
        """Return the result since `reset`: a number, array or mapping; `NotComputableError` without an example."""

    def started(self, engine: Engine) -> None:
        """Start-event handler: reset, unless resuming from a loaded state."""
        is_loaded, self._is_loaded = self._is_loaded, False
        if not (is_loaded and is_resuming(engine)):
            self.reset()

    def iteration_completed(self, engine: Engine) -> None:
        """Iteration-event handler: transform the engine's output and update."""
        output = self._output_transform(engine.state.output)
        if type(output) is not tuple and isinstance(output, Mapping):
            output = self._from_mapping(output)
        if not self._skip_unrolling and outputs.is_list_output(output):
            for example in outputs.unroll(self, output):
                self.update(example)
        else:
            self.update(output)

    def completed(self, engine: Engine, name: str) -> None:
        """Completion-event handler: store the result in `engine.state.metrics`.

        A run that was resumed after the last iteration of an epoch without the state of this metric has none: a
        `UserWarning` says so.
        """
        try:
            self._store(engine, name)
        except NotComputableError:
            if not engine.current_run.only_epoch_end_left:
                raise
            warnings.warn(
                f"{type(self).__name__} has no result {name!r} for epoch {engine.state.epoch}: the run was resumed "
                "after the last iteration of that epoch. Save and load the metric together with the engine.",
                UserWarning,
                stacklevel=2,
            )

    def _store(self, engine, name):
        outputs.store_result(engine.state.metrics, name, self.compute(), self._metrics_result_mode)

    def _from_mapping(self, output):
        return outputs.from_mapping(self, output)

    def _forward(self, output):
        """Update with an output passed on by an enclosing metric."""
        self.update(self._output_transform(output))

    def attach(self, engine: Engine, name: str, usage: MetricUsage | str = EpochWise()) -> None:
        """Attach to an engine; the result is stored in `engine.state.metrics` under a name.

        The usage tells when the metric is reset, updated and computed; by default for each epoch. Attached under
        several names, it is still updated once per iteration.
        """
        check_engine(self, engine)
        events = usage_of(usage)
        self._attach_updates(engine, events)
        engine.add_event_handler(events.COMPLETED, self.completed, name)

    def _attach_updates(self, engine, usage):
        for event, handler in self._update_handlers(usage):
            if not engine.has_event_handler(handler, event):
                engine.add_event_handler(event, handler)

    def _update_handlers(self, usage):
        return (usage.STARTED, self.started), (usage.ITERATION_COMPLETED, self.iteration_completed)

    def detach(self, engine: Engine, usage: MetricUsage | str = EpochWise()) -> None:
        """Remove the handlers that `attach` with this usage added, for all names."""
        check_engine(self, engine)
        events = usage_of(usage)
        for event, handler in ((events.COMPLETED, self.completed), *self._update_handlers(events)):
            if engine.has_event_handler(handler, event):
                engine.remove_event_handler(handler, event)

    def is_attached(self, engine: Engine, usage: MetricUsage | str = EpochWise()) -> bool:
        """Return whether the metric stores its result in the state of an engine with this usage."""
        check_engine(self, engine)
        return engine.has_event_handler(self.completed, usage_of(usage).COMPLETED)

    def state_dict(self) -> dict[str, Any]:
        """Return a copy of the accumulated state as plain data."""
        return {metric_state.PER_PROCESS: [self._packed_state()]}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Load a saved state."""
        self._unpack_state(metric_state.state_of_process(state_dict))

    def _packed_state(self):
        return metric_state.packed_attributes(self)

    def _unpack_state(self, state):
        metric_state.load_attributes(self, state)
        self._is_loaded = True

    def __neg__(self) -> Metric:
        return self.function_of(operator.neg, self)

    def __getitem__(self, index: Any) -> Metric:
        return self.function_of(operator.itemgetter(index), self)

    if TYPE_CHECKING:  # the methods of results that are used most; a type checker reports other names
        mean: Any
        sum: Any
        max: Any
        min: Any
        item: Any
    else:

        def __getattr__(self, name):
            return result_method(self, name)
