"""`Context`: everything that a run needs, in one object."""

from collections.abc import Mapping, Sequence
from typing import Any

from dark.checks import brief
from dark.contexts import field as checks
from dark.contexts.field import Field, LogEvalMode, MetricTuple, assign, fields_of, metric_tuple
from dark.contexts.model_view import ModelView
from dark.contexts.step_cache import StepCache
from dark.errors import UsageError, near_misses
from dark.metrics import Metric


class StepField(Field[int]):
    """The counter of steps: setting it begins a new step."""

    def __set__(self, context: Any, value: int) -> None:
        super().__set__(context, value)
        context.new_step()


class Context:
    """The record that losses, metrics and callbacks are given: data, metrics, models, and the state of the run.

    A run sets `current_batch`, the batch of the current step, and `exception`, which ended the training. In
    `global_batch_size` is the number of examples of the step in all parts of the batch, where a batch is computed in
    parts (shards, processes, accumulated gradients); None means that each batch is whole.

    Parameters
    ----------
    metrics : mapping of str to Metric, or sequence, optional
        A sequence holds metrics, named after their classes, or pairs (name, metric).
    dataset : object, optional
        The data; can be set.
    log_eval_mode : LogEvalMode, default LogEvalMode.TEST
        The mode in which models are called to be measured and logged.
    global_step : int, default 0
        The number of completed steps. Each context has its own; it can be set, which begins a new step.
    ckpt : str, path, DiskSaver or Checkpoint, optional
        The folder of the run's checkpoints, or a handler of `dark.handlers` that writes to one. A trainer of the
        context saves everything there at the end of each epoch, and its first `run` or `evaluate` restores the newest
        checkpoint: a program that was killed is run again, and continues. Of a folder, the latest 3 are kept; a
        `Checkpoint` also saves the objects that it was built with, such as schedules.
    **fields
        The fields of a subclass; see `Field`. `checkpoint`, as AshPy's constructors have it, is `ckpt`.

    Examples
    --------
    >>> from dark.metrics import Accuracy
    >>> context = Context(metrics={"accuracy": Accuracy()}, dataset=[1, 2])
    >>> context.global_step += 1
    >>> context
    Context(metrics=['accuracy'], dataset=[1, 2], log_eval_mode=LogEvalMode.TEST, global_step=1)
    >>> Context(metrics=3, global_step=-1)
    Traceback (most recent call last):
        ...
    dark.errors.UsageError: Context: metrics must be a dict or list of metrics, got 3 (int); global_step must be 0 or
    more, got -1.
      Expected: metrics: metrics of dark.metrics, in a dict by name or in a list; global_step: an integer, 0 or more.
      Try: help(dark.contexts.Context) describes all fields.
    """

    metrics: Field[MetricTuple] = Field(metric_tuple)
    dataset: Field[Any] = Field(can_be_set=True)
    log_eval_mode: Field[LogEvalMode] = Field(checks.log_eval_mode)
    global_step: Field[int] = StepField(checks.step, can_be_set=True)
    ckpt: Field[Any] = Field()
    current_batch: Field[Any] = Field(can_be_set=True)
    exception: Field[BaseException | None] = Field(checks.raised, can_be_set=True)
    global_batch_size: Field[int | None] = Field(checks.batch_size, can_be_set=True)
    recordings: Field[Any] = Field(can_be_set=True)  # of executors: what computes their `call`; set by a trainer
    _cache: StepCache

    def __init__(
        self,
        *,
        metrics: Mapping[str, Metric] | Sequence[Metric | tuple[str, Metric]] | None = (),
        dataset: Any = None,
        log_eval_mode: LogEvalMode = LogEvalMode.TEST,
        global_step: int = 0,
        ckpt: Any = None,
        **fields: Any,
    ) -> None:
        vars(self)["_cache"] = StepCache()
        given = {"metrics": metrics, "dataset": dataset, "log_eval_mode": log_eval_mode, "global_step": global_step}
        if ckpt is None:
            ckpt = fields.pop("checkpoint", None)
        assign(self, {**given, "ckpt": ckpt, **fields})

    def new_step(self) -> None:
        """Forget the results of the models' calls: from now on, each is computed again."""
        self._cache.clear()

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in vars(self) and not isinstance(getattr(type(self), name, None), Field):
            raise UsageError(
                f"{type(self).__name__}: {name!r} is not a field.",
                f"a field, such as {near_misses(name, fields_of(type(self)))}.",
                f"in a subclass of the context, `{name} = Field(can_be_set=True)`.",
            )
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        shown = {name: getattr(self, name) for name in fields_of(type(self))}
        texts = [f"{name}={_text(value)}" for name, value in shown.items() if value is not None]
        return f"{type(self).__name__}({', '.join(texts)})"


def _text(value):
    if isinstance(value, ModelView):
        return type(value.module).__name__
    if isinstance(value, MetricTuple):
        return list(value.names)
    return str(value) if isinstance(value, LogEvalMode) else brief(value)
