"""Options of an optimiser, such as its learning rate, that change by a rule each time an event is fired."""

import warnings
from collections.abc import Sequence

from dark.errors import UsageError, ValueTypeError, near_misses
from dark.handlers.schedules.base_param_scheduler import BaseParamScheduler
from dark.handlers.schedules.dummy_optimizer import DummyOptimizer
from dark.handlers.schedules.milestones import interpolate, split_pairs


class ParamScheduler(BaseParamScheduler):
    """The base class of what sets an option of an optimiser's groups each time an event is fired.

    A subclass defines `get_param`, the value at `event_index`: one for all groups, or a list with one for each.

    Parameters
    ----------
    optimizer : Optimizer
        Or anything with `param_groups`, a list of dictionaries. A group alone is refused: an optimiser that loads a
        state puts new dictionaries in place of its groups.
    param_name : str
        The option: "lr", "momentum", "weight_decay".
    save_history : bool, default False
        Keep the values of all groups, as a list for each event, in ``state.param_history[param_name]``.
    param_group_index : int, optional
        Of the only group that is scheduled.

    Attributes
    ----------
    event_index : int
        Events so far: the first value is that of 0.

    Raises
    ------
    ValueTypeError, UsageError
        If the optimiser has no groups, or not the one of `param_group_index`.

    Warns
    -----
    UserWarning
        If no group has such an option; nobody may ever read it.

    Notes
    -----
    Attach it to ITERATION_STARTED, so that the first step is made with the first value. Values are absolute: what the
    option was before does not matter. The option keeps its old value until the first event. A resumed run that is to
    have the right value before the next event needs the optimiser's state, too.

    Examples
    --------
    >>> import dark
    >>> class Harmonic(ParamScheduler):
    ...     def get_param(self):
    ...         return 1 / (1 + self.event_index)
    >>> optimizer = dark.optim.SGD([dark.Parameter(3)], lr=1.0)
    >>> trainer = dark.engine.Engine(lambda engine, batch: optimizer.param_groups[0]["lr"])
    >>> Harmonic(optimizer, "lr", save_history=True).attach(trainer)
    >>> trainer.run([0, 0, 0, 0]).param_history
    {'lr': [[1.0], [0.5], [0.3333333333333333], [0.25]]}
    """

    _state_dict_all_req_keys: tuple[str, ...] = (*BaseParamScheduler._state_dict_all_req_keys, "param_group_index")

    def __init__(self, optimizer, param_name, save_history=False, param_group_index=None):
        super().__init__(param_name, save_history)
        _check(optimizer, param_group_index)
        self.optimizer, self.param_group_index = optimizer, param_group_index
        _warn_of_new(param_name, self.optimizer_param_groups)

    @property
    def optimizer_param_groups(self):
        """The groups that are scheduled."""
        groups = self.optimizer.param_groups
        return groups if self.param_group_index is None else [groups[self.param_group_index]]

    def _act(self, engine):
        values = self._set(self._taken())
        self._count()
        return values

    def _taken(self):
        """Return the values of this event, for which a schedule may have to change."""
        return self.get_param()

    def _count(self):
        self.event_index += 1

    def _set(self, value):
        """Give each group its value."""
        groups = self.optimizer_param_groups
        values = value if isinstance(value, list) else [value] * len(groups)
        if len(values) != len(groups):
            raise UsageError(
                f"{type(self).__name__}: size of value is different than optimizer_param_groups "
                f"{len(values)} != {len(groups)}.",
                "one value, or a list with one for each group.",
                "a tuple, where all groups are to have the same several numbers, such as betas.",
            )
        for group, one in zip(groups, values):
            group[self.param_name] = one
        return list(values)

    @classmethod
    def _to_simulate(cls, **scheduler_kwargs):
        """Make the schedule with a stand-in: like the optimiser if there is one, otherwise of one group."""
        settings = dict(scheduler_kwargs)
        if "optimizer" in settings:
            groups = settings.pop("optimizer").param_groups
        else:
            settings.pop("param_group_index", None)
            groups = [{"lr": 0.0, settings.get("param_name", "lr"): 0.0}]
        return cls(optimizer=DummyOptimizer(groups), **settings)


class PiecewiseLinear(ParamScheduler):
    """The value goes in straight lines from one milestone to the next, and is constant outside.

    Parameters
    ----------
    optimizer, param_name
        See `ParamScheduler`.
    milestones_values : list of (int, float)
        Numbers of events, counted from 0 and in order, with the values there.
    save_history, param_group_index
        See `ParamScheduler`.

    Raises
    ------
    ValueTypeError, UsageError
        If the milestones make no sense.

    Examples
    --------
    >>> rows = PiecewiseLinear.simulate_values(5, param_name="lr", milestones_values=[(1, 1.0), (3, 0.0)])
    >>> [value for _, value in rows]
    [1.0, 1.0, 0.5, 0.0, 0.0]
    """

    _state_dict_all_req_keys = (*ParamScheduler._state_dict_all_req_keys, "milestones", "values")

    def __init__(self, optimizer, param_name, milestones_values, save_history=False, param_group_index=None):
        super().__init__(optimizer, param_name, save_history, param_group_index)
        self.milestones, self.values = split_pairs(milestones_values)

    def get_param(self):
        """Return the value at `event_index`."""
        return interpolate(self.milestones, self.values, self.event_index)


def _check(optimizer, param_group_index):
    groups = getattr(optimizer, "param_groups", None)
    if not isinstance(groups, Sequence):
        raise ValueTypeError(
            f"Argument optimizer should have param_groups as a list or tuple, but given {type(optimizer).__name__}.",
            "an optimiser, or what has its param_groups.",
            "of a group alone: optimizer, and param_group_index=0.",
        )
    if param_group_index is not None and param_group_index not in range(-len(groups), len(groups)):
        raise UsageError(
            f"Argument param_group_index is {param_group_index!r}, and there are {len(groups)} groups.",
            f"a whole number below {len(groups)}.",
            "leave it out to schedule all groups.",
        )


def _warn_of_new(name, groups):
    known = sorted({key for group in groups for key in group if key != "params"})
    if name not in known:
        advice = f" Did you mean {near_misses(name, known)}?" if known else ""
        warnings.warn(
            f"No group has the option '{name}', which the schedule will create.{advice}", UserWarning, stacklevel=4
        )
