"""Schedules copied without their optimisers: what a copy sets, it sets in groups that train nothing."""

from copy import deepcopy


class DummyOptimizer:
    """An optimiser with the options of another one's groups, and no parameters.

    Parameters
    ----------
    groups : list of dict

    Examples
    --------
    >>> DummyOptimizer([{"params": [1.0, 2.0], "lr": 0.1}]).param_groups
    [{'lr': 0.1, 'params': []}]
    """

    def __init__(self, groups):
        self.param_groups = [
            {**deepcopy({key: value for key, value in group.items() if key != "params"}), "params": []}
            for group in groups
        ]

    def step(self):
        """Do nothing."""

    # PyTorch's schedules look whether the step before was taken, and warn if not.
    step._wrapped_by_lr_sched = True  # type: ignore[attr-defined]
    _opt_called = True


def copied(schedulers, optimizers):
    """Copy schedules, with a stand-in for each of their optimisers.

    Parameters
    ----------
    schedulers : object
        One, or a list.
    optimizers : list
        All that they know.

    Returns
    -------
    object
        As `schedulers`.

    Examples
    --------
    >>> optimizer = DummyOptimizer([{"lr": 0.1}])
    >>> [copy] = copied([{"optimizer": optimizer}], [optimizer])
    >>> copy["optimizer"].param_groups == optimizer.param_groups, copy["optimizer"] is optimizer
    (True, False)
    """
    return deepcopy(schedulers, {id(optimizer): DummyOptimizer(optimizer.param_groups) for optimizer in optimizers})
