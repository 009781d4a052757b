"""Copies of schedules with dummy optimizers, so that simulating them changes no real optimizer."""

from copy import deepcopy


class DummyOptimizer:
    """An optimizer with the options of given parameter groups, and no parameters."""

    def __init__(self, groups):
        self.param_groups = [
            {**deepcopy({key: value for key, value in group.items() if key != "params"}), "params": []}
            for group in groups
        ]

    def step(self):
        """Do nothing."""

    # PyTorch's schedules check that an optimizer step was taken before, and warn if not.
    step._wrapped_by_lr_sched = True  # type: ignore[attr-defined]
    _opt_called = True


def copied(schedulers, optimizers):
    """Return copies of a schedule, or of a list of schedules, with a dummy for each of their optimizers."""
    return deepcopy(schedulers, {id(optimizer): DummyOptimizer(optimizer.param_groups) for optimizer in optimizers})
