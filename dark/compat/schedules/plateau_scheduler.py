"""Reduce the learning rate when a metric plateaus."""

from __future__ import annotations

from typing import Any

from dark.checks import integer, number
from dark.compat.schedules.param_scheduler import DummyOptimizer, ParamScheduler
from dark.engine import Engine
from dark.errors import UsageError, ValueTypeError, near_misses
from dark.plateau import Plateau


class ReduceLROnPlateauScheduler(ParamScheduler):
    """Reduce the learning rate when a metric has not improved for `patience` events; see `ParamScheduler`.

    The current rates are reduced, so another schedule may set them, too. `get_param` returns the current rate: the next
    one depends on a metric that is not known yet. The rates are part of the state; loading sets them. Ignite ignores
    `min_lr` unless `param_group_index` is given, and applies it to the wrong group if that is not 0.

    Parameters
    ----------
    metric_name : str
        In ``engine.state.metrics`` of the engine that it is attached to, usually the evaluator, at COMPLETED.
    trainer : Engine, optional
        The engine whose state has the history; the engine that it is attached to, if not given.
    min_lr : float or list of float, default 0
        The lower bound of the rates, for all groups or per group. With `param_group_index`, a number.
    **scheduler_kwargs
        `mode`, `factor`, `patience`, `threshold`, `threshold_mode`, `cooldown` and `eps` of
        `dark.optim.lr_scheduler.ReduceLROnPlateau`.

    Examples
    --------
    >>> ReduceLROnPlateauScheduler.simulate_values(4, [3.0, 2.0, 2.0, 2.0], init_lr=1.0, factor=0.5, patience=1)
    [[0, 1.0], [1, 1.0], [2, 1.0], [3, 0.5]]
    """

    _state_dict_all_req_keys = ("scheduler", "rates", *ParamScheduler._state_dict_all_req_keys, "metric_name")

    def __init__(
        self, optimizer: Any, metric_name: str, trainer: Engine | None = None, save_history: bool = False,
        param_group_index: int | None = None, *, min_lr: float | list[float] = 0, **scheduler_kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(optimizer, "lr", save_history, param_group_index)
        self.metric_name, self.trainer = metric_name, trainer
        self.min_lrs = _lower_bounds(min_lr, param_group_index, len(self.optimizer_param_groups))
        self.scheduler = Plateau(**scheduler_kwargs)

    @property
    def rates(self) -> list[float]:
        """The learning rates of the groups."""
        return [group["lr"] for group in self.optimizer_param_groups]

    def __call__(self, engine: Engine | None, name: str | None = None) -> None:
        """Read the metric, and reduce the rates if it has plateaued."""
        self.append_history(self.trainer or engine, self._act(engine), name)

    def get_param(self) -> Any:
        """Return the current rate: a list, if there are several groups."""
        return self.rates[0] if len(self.rates) == 1 else self.rates

    def _next_values(self):
        return self.rates

    def _act(self, engine):
        metrics = getattr(engine.state, "metrics", None) or {}
        if self.metric_name not in metrics:
            raise UsageError(
                "ReduceLROnPlateauScheduler: Argument engine should have in its 'state', attribute 'metrics' which "
                f"itself has the metric {self.metric_name}; it has {list(metrics)}.",
                "the engine that the metric is attached to.",
                near_misses(self.metric_name, metrics) if metrics else f'metric.attach(engine, "{self.metric_name}")',
            )
        if self.scheduler.is_due(metrics[self.metric_name]):
            self.scheduler.reduce_rates(self.optimizer_param_groups, self.min_lrs)
        return super()._act(engine)

    def _saved(self, key):
        return dict(vars(self.scheduler)) if key == "scheduler" else super()._saved(key)

    def _load(self, key, saved):
        if key == "scheduler":
            self.scheduler = Plateau.from_state(saved)
        elif key == "rates":
            self._set(list(saved))
        else:
            super()._load(key, saved)

    @classmethod
    def simulate_values(  # type: ignore[override]
        cls, num_events: int, metric_values: list[float], init_lr: float, **scheduler_kwargs: Any
    ) -> list[list[Any]]:
        """Return lists of an event's index and the rate, for one value of the metric per event."""
        number(init_lr, cls.__name__, "init_lr", least=0)
        if len(metric_values) != integer(num_events, cls.__name__, "num_events", 0):
            raise UsageError(
                "Length of argument metric_values should be equal to num_events. "
                f"{len(metric_values)} != {num_events}.",
                "one value per event.",
                f"num_events={len(metric_values)}",
            )
        replaced = ("optimizer", "metric_name", "trainer", "save_history", "param_group_index")
        settings = {key: value for key, value in scheduler_kwargs.items() if key not in replaced}
        scheduler = cls(DummyOptimizer([{"lr": init_lr}]), "metric", **settings)
        engine = Engine(lambda engine, batch: None)
        rows = []
        for index, value in enumerate(metric_values):
            engine.state.metrics["metric"] = value
            rows.append([index, *scheduler._act(engine)])
        return rows


def _lower_bounds(min_lr, param_group_index, count):
    several = isinstance(min_lr, (list, tuple))
    if several and param_group_index is not None:
        raise ValueTypeError(
            f"When param_group_index is given, min_lr should be a float, but given {type(min_lr).__name__}.",
            "the lower bound for this group.",
            "min_lr=1e-6",
        )
    if several and len(min_lr) != count:
        raise UsageError(
            f"Argument min_lr must have a value for each of {count} parameter groups, but has {len(min_lr)}.",
            "one number, or one per group.",
            "min_lr=1e-6",
        )
    bounds = list(min_lr) if several else [min_lr] * count
    for bound in bounds:
        number(bound, "ReduceLROnPlateauScheduler", "min_lr")
    return bounds
