"""One schedule after another: a warm-up, say, and then a decay."""

from bisect import bisect_right

from dark.errors import UsageError
from dark.nodes.values import describe
from dark.optim.lr_scheduler.scheduler import LRScheduler
from dark.optim.lr_scheduler.scheduler_state import check_optimizer, restore, saved


class SequentialLR:
    """Follow several schedules, each from a milestone on.

    Parameters
    ----------
    optimizer : Optimizer
        The one that all the schedules were made for.
    schedulers : list of LRScheduler
        None of them a `ReduceLROnPlateau`, whose step needs a number.
    milestones : list of int
        The epochs at which the second and all further ones take over: one fewer than schedules.

    Raises
    ------
    UsageError
        If the numbers do not fit, or a schedule belongs elsewhere.

    Examples
    --------
    >>> import dark
    >>> from dark.optim.lr_scheduler import ExponentialLR, LinearLR
    >>> optimizer = dark.optim.SGD([dark.Parameter(3)], lr=1.0)
    >>> warm_up = LinearLR(optimizer, start_factor=0.5, total_iters=2)
    >>> scheduler = SequentialLR(optimizer, [warm_up, ExponentialLR(optimizer, gamma=0.5)], milestones=[2])
    >>> rates = scheduler.get_last_lr()
    >>> for _ in range(4):
    ...     scheduler.step()
    ...     rates += scheduler.get_last_lr()
    >>> rates
    [0.5, 0.75, 1.0, 0.5, 0.25]
    """

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        check_optimizer(optimizer, "SequentialLR")
        _check(optimizer, schedulers, milestones)
        self.optimizer, self.schedulers, self.milestones = optimizer, list(schedulers), list(milestones)
        self.last_epoch = last_epoch + 1
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        for scheduler in self.schedulers:  # each has taken a first step when it was made
            scheduler.last_epoch -= 1
        first = self.schedulers[bisect_right(self.milestones, 0)]
        first.restart()
        self._last_lr = first.get_last_lr()

    def step(self):
        """Go on by an epoch, with the schedule whose turn it is."""
        self.last_epoch += 1
        k = bisect_right(self.milestones, self.last_epoch)
        scheduler = self.schedulers[k]
        if k and self.milestones[k - 1] == self.last_epoch:
            scheduler.take_over()
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()

    def get_last_lr(self):
        """Return the rates set last, one for each group.

        Returns
        -------
        list of float
        """
        return list(self._last_lr)

    def state_dict(self):
        """Return all that the schedules know, without the optimiser.

        Returns
        -------
        dict
        """
        return {**saved(self), "_schedulers": [scheduler.state_dict() for scheduler in self.schedulers]}

    def load_state_dict(self, state_dict):
        """Go on from a saved state. The rates themselves come with the optimiser's state.

        Raises
        ------
        UsageError
            If it is the state of other schedules.
        """
        states = getattr(state_dict, "get", {}.get)("_schedulers", [])
        if len(states) != len(self.schedulers):
            raise UsageError(
                f"SequentialLR: the saved state holds {len(states)} schedules.",
                f"{len(self.schedulers)} schedules.",
                "make the same schedules as when it was saved.",
            )
        for scheduler, state in zip(self.schedulers, states):
            scheduler.load_state_dict(state)
        restore(self, {name: v for name, v in state_dict.items() if name != "_schedulers"})

    def __repr__(self):
        inner = ", ".join(map(repr, self.schedulers))
        return f"SequentialLR(epoch {self.last_epoch}, milestones {self.milestones}: {inner})"


def _check(optimizer, schedulers, milestones):
    if not isinstance(schedulers, (list, tuple)) or not isinstance(milestones, (list, tuple)):
        raise UsageError(
            f"SequentialLR: {describe(schedulers)} as schedules, {describe(milestones)} as milestones.",
            "a list of schedules and a list of epochs.",
            "SequentialLR(optimizer, [warm_up, decay], milestones=[5])",
        )
    for scheduler in schedulers:
        if not isinstance(scheduler, LRScheduler) or scheduler.optimizer is not optimizer:
            raise UsageError(
                f"SequentialLR: cannot follow {scheduler!r}.",
                "schedules of the same optimiser whose step() needs no number.",
                "make each of them with the optimiser that SequentialLR is given.",
            )
    if len(milestones) != len(schedulers) - 1 or list(milestones) != sorted(milestones):
        raise UsageError(
            f"SequentialLR: {len(schedulers)} schedules and the milestones {list(milestones)}.",
            "rising milestones, one fewer than schedules.",
            "name the epoch at which each schedule but the first takes over.",
        )
