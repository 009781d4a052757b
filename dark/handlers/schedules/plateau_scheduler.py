"""Rates that go down when a metric stands still."""

from dark.engine import Engine
from dark.errors import UsageError, ValueTypeError, near_misses
from dark.handlers.schedules.dummy_optimizer import DummyOptimizer
from dark.handlers.schedules.param_scheduler import ParamScheduler
from dark.plateau import Plateau


class ReduceLROnPlateauScheduler(ParamScheduler):
    """Lowers the learning rate when a metric has not become better for some events.

    Parameters
    ----------
    optimizer : Optimizer
        See `ParamScheduler`.
    metric_name : str
        In ``engine.state.metrics`` of the engine that it is attached to: most often the evaluator, at COMPLETED.
    trainer : Engine, optional
        In whose state the history is kept; the engine that it is attached to, if not given.
    save_history, param_group_index
        See `ParamScheduler`.
    min_lr : float or list of float, default 0
        Where the rates stop, for all groups or for each. With `param_group_index`, a number.
    **scheduler_kwargs
        `mode`, `factor`, `patience`, `threshold`, `threshold_mode`, `cooldown` and `eps` of
        `dark.optim.lr_scheduler.ReduceLROnPlateau`.

    Raises
    ------
    ValueTypeError, UsageError
        If an option makes no sense, or the engine has no such metric.

    Notes
    -----
    The rates are lowered from what they are, so another schedule may set them, too. `get_param` is the rate that there
    is: the next one depends on a metric that nobody knows yet. The rates are part of the state; loading sets them.

    In Ignite `min_lr` is forgotten unless there is a `param_group_index`, and belongs to the wrong group if that is
    not 0.

    Examples
    --------
    >>> ReduceLROnPlateauScheduler.simulate_values(4, [3.0, 2.0, 2.0, 2.0], init_lr=1.0, factor=0.5, patience=1)
    [[0, 1.0], [1, 1.0], [2, 1.0], [3, 0.5]]
    """

    _state_dict_all_req_keys = ("scheduler", "rates", *ParamScheduler._state_dict_all_req_keys, "metric_name")

    def __init__(
        self, optimizer, metric_name, trainer=None, save_history=False, param_group_index=None, *, min_lr=0,
        **scheduler_kwargs,
    ):  # fmt: skip
        super().__init__(optimizer, "lr", save_history, param_group_index)
        self.metric_name, self.trainer = metric_name, trainer
        self.min_lrs = _lowest(min_lr, param_group_index, len(self.optimizer_param_groups))
        self.scheduler = Plateau(**scheduler_kwargs)

    @property
    def rates(self):
        """The rates of the groups."""
        return [group["lr"] for group in self.optimizer_param_groups]

    def __call__(self, engine, name=None):
        """Look at the metric."""
        self._remember(self.trainer or engine, self._act(engine), name)

    def get_param(self):
        """Return the rate: a list, if there are several groups."""
        return self.rates[0] if len(self.rates) == 1 else self.rates

    def _taken(self):
        return self.rates

    def _act(self, engine):
        metrics = getattr(engine.state, "metrics", None) or {}
        if self.metric_name not in metrics:
            raise UsageError(
                "ReduceLROnPlateauScheduler: Argument engine should have in its 'state', attribute 'metrics' which "
                f"itself has the metric {self.metric_name}; it has {list(metrics)}.",
                "the engine whose metric it is.",
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
    def simulate_values(cls, num_events, metric_values, init_lr, **scheduler_kwargs):
        """List the rates for some values of the metric.

        Parameters
        ----------
        num_events : int
        metric_values : list of float
            One for each event.
        init_lr : float
        **scheduler_kwargs
            As for the class.

        Returns
        -------
        list of [int, float]
            Counted from 0.
        """
        if len(metric_values) != num_events:
            raise UsageError(
                "Length of argument metric_values should be equal to num_events. "
                f"{len(metric_values)} != {num_events}.",
                "a value for each event.",
                f"num_events={len(metric_values)}",
            )
        ours = ("optimizer", "metric_name", "trainer", "save_history", "param_group_index")
        settings = {key: value for key, value in scheduler_kwargs.items() if key not in ours}
        scheduler = cls(DummyOptimizer([{"lr": init_lr}]), "metric", **settings)
        engine = Engine(lambda engine, batch: None)
        rows = []
        for index, value in enumerate(metric_values):
            engine.state.metrics["metric"] = value
            rows.append([index, *scheduler._act(engine)])
        return rows


def _lowest(min_lr, param_group_index, count):
    several = isinstance(min_lr, (list, tuple))
    if several and param_group_index is not None:
        raise ValueTypeError(
            f"When param_group_index is given, min_lr should be a float, but given {type(min_lr).__name__}.",
            "the lowest rate of this group.",
            "min_lr=1e-6",
        )
    if several and len(min_lr) != count:
        raise UsageError(
            f"Argument min_lr has {len(min_lr)} values for {count} parameter groups.",
            "one number, or one for each group.",
            "min_lr=1e-6",
        )
    return list(min_lr) if several else [min_lr] * count
