"""What schedules share: the count of epochs, and the rates that are set at each."""

from abc import ABC, abstractmethod

from dark.errors import UsageError
from dark.optim.lr_scheduler import scheduler_state


class LRScheduler(ABC):
    """Sets the learning rate of every group of an optimiser, once an epoch or once a step.

    Call ``scheduler.step()`` after ``optimizer.step()``. Each rate is computed from the one before, so
    a rate that was set by hand is scheduled on from there, as in PyTorch.

    Parameters
    ----------
    optimizer : Optimizer
        Or anything with `param_groups`, a list of dictionaries that hold ``"lr"``.
    last_epoch : int, default -1
        The epoch after which to go on; -1 starts anew.

    Attributes
    ----------
    base_lrs : list of float
        The rate of each group that the schedule started from, also kept as ``"initial_lr"`` in the group.
    last_epoch : int
        How often `step` has been called.

    Raises
    ------
    UsageError
        If `optimizer` is none, or goes on where nothing was started.

    Examples
    --------
    >>> import dark
    >>> class Halving(LRScheduler):
    ...     '''Halves the rates each epoch.'''
    ...     def get_lr(self):
    ...         return [group["lr"] / 2 if self.last_epoch else group["lr"] for group in self.optimizer.param_groups]
    >>> scheduler = Halving(dark.optim.SGD([dark.Parameter(3)], lr=0.1))
    >>> scheduler.step()
    >>> scheduler.get_last_lr()
    [0.05]
    """

    def __init__(self, optimizer, last_epoch=-1):
        who = type(self).__name__
        scheduler_state.check_optimizer(optimizer, who)
        for group in optimizer.param_groups:
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise UsageError(
                    f"{who}: last_epoch is {last_epoch}, and the optimiser knows no initial_lr.",
                    "an optimiser whose rates were scheduled before.",
                    "load its state first, or leave last_epoch out.",
                )
        self.optimizer = optimizer
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self.restart()

    @abstractmethod
    def get_lr(self):
        """Compute the rates of the groups for `last_epoch`, from those they have.

        Returns
        -------
        list of float
        """

    def starting_lr(self):
        """Compute the rates for epoch 0 from `base_lrs`, for a schedule that takes over from another.

        Returns
        -------
        list of float
        """
        return list(self.base_lrs)

    def get_last_lr(self):
        """Return the rates set last, one for each group.

        Returns
        -------
        list of float
        """
        return list(self._last_lr)

    def restart(self):
        """Set the rates of the first epoch."""
        self._step_count = 0
        self.step()

    def step(self):
        """Go on by an epoch."""
        self._step_count += 1
        self.last_epoch += 1
        self.set_rates(self.get_lr())

    def take_over(self):
        """Begin with epoch 0 and the rates that the schedule started from."""
        self.last_epoch = 0
        self.set_rates(self.starting_lr())

    def set_rates(self, rates):
        """Give each group its rate."""
        groups = self.optimizer.param_groups
        if len(rates) != len(groups):
            raise UsageError(
                f"{type(self).__name__}: {len(rates)} rates for {len(groups)} parameter groups.",
                "the groups that the schedule was made for.",
                "add a group first, then make the schedule.",
            )
        for group, lr in zip(groups, rates):
            group["lr"] = lr
        self._last_lr = list(rates)

    def state_dict(self):
        """Return all that the schedule knows, without the optimiser.

        Returns
        -------
        dict
        """
        return scheduler_state.saved(self)

    def load_state_dict(self, state_dict):
        """Go on from a saved state. The rates themselves come with the optimiser's state.

        Raises
        ------
        UsageError
            If it is the state of another kind of schedule.
        """
        scheduler_state.restore(self, state_dict)

    def __repr__(self):
        rates = ", ".join(f"{lr:.6g}" for lr in self._last_lr)
        return f"{type(self).__name__}(epoch {self.last_epoch}, lr {rates})"

    def scaled(self, factor):
        """Return the rates of the groups times a factor."""
        return [group["lr"] * factor for group in self.optimizer.param_groups]
