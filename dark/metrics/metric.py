"""What a metric is, on its own or attached to an engine; and what signs between metrics make, which is one, too.

The two stand in one file, longer than others, since each is made of the other.
"""

import warnings
from abc import abstractmethod
from collections.abc import Mapping
from weakref import WeakSet

from dark.engine import Serializable
from dark.errors import NotComputableError, UsageError, ValueTypeError
from dark.metrics import metric_state, outputs
from dark.metrics.arithmetic import Algebra
from dark.metrics.usages import EpochWise, is_resuming, usage_of


class Metric(Algebra, Serializable):
    """A number or an array that says how well something goes, from what an engine puts out.

    A new one says what it starts from (`reset`), what a batch adds (`update`) and what comes of it (`compute`).

    Parameters
    ----------
    output_transform : callable, optional
        Picks from `state.output` what `update` takes: most often a pair (y_pred, y), or a mapping with these keys.
    device : str, optional
        "cpu"; metrics live in its memory.
    skip_unrolling : bool, optional
        An output that is a pair of lists, of numbers or arrays, is taken item by item, each as a batch of one;
        True takes it as it is.
    metrics_result_mode : {"both", "named", "flatten"}, optional
        Where a result that is a mapping goes: under the metric's name, under its own keys, or both.

    Attributes
    ----------
    required_output_keys : tuple of str or None
        What is picked from an output that is a mapping.
    _state_dict_all_req_keys : tuple of str
        The attributes that are the metric's state: numbers, arrays, None, metrics, lists and dicts of them.

    Notes
    -----
    Outputs may hold arrays, numbers, and nodes (anything with a `value`). Attach metrics before handlers that read
    or save them, since handlers are called in the order in which they were attached.

    An epoch that `terminate()` or `terminate_epoch(skip_epoch_completed=True)` leaves gives no result: then
    `state.metrics` has that of an epoch before, or none.

    **Resuming.** A metric whose state was loaded goes on with it when the engine, loaded as well, enters an epoch
    in its middle or at its end (Ignite resets it there); at the start of an epoch or of a run it is reset as ever.

    **Arithmetic.** The signs ``+ - * / // % **`` between metrics and with constants, an index, and methods of the
    result, as in ``(precision + recall).mean()``, give a new metric, a `MetricsLambda`.

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
    __state_dict_key_per_rank = metric_state.PER_PROCESS
    _is_loaded = False

    def __init__(
        self, output_transform=outputs.identity, device="cpu", skip_unrolling=False, metrics_result_mode="both"
    ):
        outputs.check_arguments(output_transform, device, metrics_result_mode)
        self._output_transform = output_transform
        self._device = device
        self._skip_unrolling = skip_unrolling
        self._metrics_result_mode = metrics_result_mode
        self.reset()

    @abstractmethod
    def reset(self):
        """Forget what was seen; called at the start of each epoch, or what the usage says instead."""

    @abstractmethod
    def update(self, output):
        """Take a batch: what the transformed output holds, most often a pair (y_pred, y)."""

    @abstractmethod
    def compute(self):
        """Return the result of what was seen since `reset`: a number, an array, or a mapping of results."""

    def started(self, engine):
        """Be the handler of the start: reset, unless a loaded state goes on here."""
        is_loaded, self._is_loaded = self._is_loaded, False
        if not (is_loaded and is_resuming(engine)):
            self.reset()

    def iteration_completed(self, engine):
        """Be the handler of an iteration: pick what `update` takes from the engine's output, and update."""
        output = self._output_transform(engine.state.output)
        if type(output) is not tuple and isinstance(output, Mapping):
            output = self._from_mapping(output)
        if not self._skip_unrolling and outputs.is_list_output(output):
            for example in outputs.unroll(self, output):
                self.update(example)
        else:
            self.update(output)

    def completed(self, engine, name):
        """Be the handler of the end: put the result into `engine.state.metrics`.

        Warns
        -----
        UserWarning
            If there is none, because a run was resumed after the last iteration of an epoch without this metric.
        """
        try:
            self._put(engine, name)
        except NotComputableError:
            if not engine.current_run.only_epoch_end_left:
                raise
            warnings.warn(
                f"{type(self).__name__} has no result {name!r} for epoch {engine.state.epoch}: the run was resumed "
                "after the last iteration of that epoch. Save and load the metric with the engine to have it.",
                UserWarning,
                stacklevel=2,
            )

    def _put(self, engine, name):
        outputs.put(engine.state.metrics, name, self.compute(), self._metrics_result_mode)

    def _from_mapping(self, output):
        return outputs.from_mapping(self, output)

    def _forward(self, output):
        """Take an output that a metric around this one was given."""
        self.update(self._output_transform(output))

    def attach(self, engine, name, usage=EpochWise()):
        """Attach to an engine; the result goes into `engine.state.metrics` under a name.

        Attached under several names, it is still updated once.

        Parameters
        ----------
        engine : Engine
            Whose outputs it is about.
        name : str
            Of the result.
        usage : MetricUsage or str, optional
            When it starts, is updated and completed: by default for each epoch.
        """
        usage = usage_of(usage)
        self._attach_updates(engine, usage)
        engine.add_event_handler(usage.COMPLETED, self.completed, name)

    def _attach_updates(self, engine, usage):
        for event, handler in ((usage.STARTED, self.started), (usage.ITERATION_COMPLETED, self.iteration_completed)):
            if not engine.has_event_handler(handler, event):
                engine.add_event_handler(event, handler)

    def detach(self, engine, usage=EpochWise()):
        """Take off an engine what `attach` with this usage added, for all names."""
        usage = usage_of(usage)
        for event, handler in (
            (usage.COMPLETED, self.completed),
            (usage.STARTED, self.started),
            (usage.ITERATION_COMPLETED, self.iteration_completed),
        ):
            if engine.has_event_handler(handler, event):
                engine.remove_event_handler(handler, event)

    def is_attached(self, engine, usage=EpochWise()):
        """Say whether the metric puts its result into the state of an engine with this usage."""
        return engine.has_event_handler(self.completed, usage_of(usage).COMPLETED)

    def state_dict(self):
        """Return a copy of what was seen, as plain data, with which an epoch can be resumed in its middle."""
        return {metric_state.PER_PROCESS: [self._packed_state()]}

    def load_state_dict(self, state_dict):
        """Go on from a saved state.

        Raises
        ------
        ValueTypeError, UsageError
            If it is not one of such a metric.
        """
        self._unpack_state(metric_state.state_of_process(state_dict))

    def _packed_state(self):
        return metric_state.packed_attributes(self, self._state_dict_all_req_keys)

    def _unpack_state(self, state):
        Serializable.load_state_dict(self, state)
        new = {name: metric_state.unpacked(getattr(self, name), state[name]) for name in self._state_dict_all_req_keys}
        vars(self).update(new, _is_loaded=True)

    def _applied(self, function, *operands, **options):
        return MetricsLambda(function, *operands, **options)


class MetricsLambda(Metric):
    """A function of the results of other metrics; signs between metrics make such a one.

    It is updated by updating its operands, each once however often it stands in the expression, and reset by
    resetting them. **Making one resets the operands**, too.

    Parameters
    ----------
    f : callable
        The function.
    *args, **kwargs
        What it is called with; a metric stands for its result.
    skip_unrolling, metrics_result_mode : bool, str, optional
        As of `Metric`.

    Notes
    -----
    Attached to an engine, the operands are updated but put no results into the state (their `is_attached` says
    False), and each takes the output through its own `output_transform`. Detached, it leaves them so, as others may
    stand on them.

    Examples
    --------
    >>> from dark.metrics import Precision, Recall
    >>> precision, recall = Precision(), Recall()
    >>> worse = MetricsLambda(min, precision, recall)
    >>> worse.update(([1, 1, 1, 0], [1, 0, 1, 1]))
    >>> float(worse.compute())
    0.666...
    >>> f1 = 2 * precision * recall / (precision + recall)
    >>> f1.update(([1, 1, 1, 0], [1, 0, 1, 0]))
    >>> float(f1.compute())
    0.8
    """

    _state_dict_all_req_keys = ("_updated", "args", "kwargs")

    def __init__(self, f, *args, skip_unrolling=False, metrics_result_mode="both", **kwargs):
        if not callable(f):
            raise ValueTypeError(
                f"MetricsLambda: {f!r} is not callable.", "a function of results.", "MetricsLambda(min, metric, 0.5)."
            )
        self.function, self.args, self.kwargs = f, list(args), kwargs
        self._engines = WeakSet()
        super().__init__(skip_unrolling=skip_unrolling, metrics_result_mode=metrics_result_mode)

    def _operands(self):
        """Return the metrics below that are no MetricsLambda, each once."""
        found = {}
        for operand in (*self.args, *self.kwargs.values()):
            if isinstance(operand, MetricsLambda):
                found |= {id(metric): metric for metric in operand._operands()}
            elif isinstance(operand, Metric):
                found[id(operand)] = operand
        return list(found.values())

    def reset(self):
        """Reset the operands."""
        for operand in self._operands():
            operand.reset()
        self._updated = False

    def update(self, output):
        """Update the operands, all with the same.

        Raises
        ------
        UsageError
            If it is attached to an engine, which updates them.
        """
        if self._engines:
            raise UsageError(
                "MetricsLambda is already attached to an engine, and can't use update API while it's attached.",
                "one way of updating.",
                "detach(engine), or another MetricsLambda of other metrics.",
            )
        for operand in self._operands():
            operand.update(output)
        self._updated = True

    def compute(self):
        """Return the function of the operands' results."""
        args = [_result(operand) for operand in self.args]
        return self.function(*args, **{name: _result(operand) for name, operand in self.kwargs.items()})

    def iteration_completed(self, engine):
        """Update the operands, each in its own way."""
        for operand in self._operands():
            operand.iteration_completed(engine)

    def _forward(self, output):
        for operand in self._operands():
            operand._forward(output)

    def attach(self, engine, name, usage=EpochWise()):
        """Attach to an engine, which from then on updates the operands, too.

        Raises
        ------
        UsageError
            If it was updated by hand since it was last reset.
        """
        if self._updated:
            raise UsageError(
                "The underlying metrics are already updated, can't attach while using reset/update/compute API.",
                "one way of updating.",
                "reset(), then attach(…).",
            )
        super().attach(engine, name, usage)

    def _attach_updates(self, engine, usage):
        self._engines.add(engine)
        for operand in self._operands():
            operand._attach_updates(engine, usage)

    def detach(self, engine, usage=EpochWise()):
        """Take off an engine what puts the result into its state; the operands go on being updated."""
        super().detach(engine, usage)
        self._engines.discard(engine)

    def is_attached(self, engine, usage=EpochWise()):
        """Say whether it and all its operands are attached."""
        usage = usage_of(usage)
        return super().is_attached(engine, usage) and all(
            engine.has_event_handler(operand.started, usage.STARTED)
            and engine.has_event_handler(operand.iteration_completed, usage.ITERATION_COMPLETED)
            for operand in self._operands()
        )

    def _packed_state(self):
        args, kwargs = self._metrics_in_place()
        return {"_updated": self._updated, "args": metric_state.packed(args), "kwargs": metric_state.packed(kwargs)}

    def _unpack_state(self, state):
        Serializable.load_state_dict(self, state)
        for present, saved in zip(self._metrics_in_place(), (state["args"], state["kwargs"])):
            metric_state.unpacked(present, saved)
        self._updated = bool(state["_updated"])

    def _metrics_in_place(self):
        """Return the arguments with None for what is no metric: constants belong to the definition."""
        args = [operand if isinstance(operand, Metric) else None for operand in self.args]
        return args, {name: operand if isinstance(operand, Metric) else None for name, operand in self.kwargs.items()}

    def __getstate__(self):
        return {name: value for name, value in vars(self).items() if name != "_engines"}

    def __setstate__(self, state):
        vars(self).update(state, _engines=WeakSet())


def _result(operand):
    return operand.compute() if isinstance(operand, Metric) else operand
