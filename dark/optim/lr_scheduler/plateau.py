"""Lowering the rates when a number, such as the validation loss, no longer gets better."""

import math

from dark.errors import UsageError
from dark.optim.lr_scheduler import state
from dark.optim.options import each_group


class ReduceLROnPlateau:
    """Multiply the rates by `factor` when a number has not become better for `patience` epochs.

    Parameters
    ----------
    optimizer : Optimizer
    mode : {"min", "max"}, default "min"
        Whether less or more is better.
    factor : float, default 0.1
        Below 1.
    patience : int, default 10
        How many epochs without progress are borne.
    threshold : float, default 1e-4
        How much counts as progress.
    threshold_mode : {"rel", "abs"}, default "rel"
        Whether `threshold` is a share of the best number, or a difference.
    cooldown : int, default 0
        For how many epochs nothing is counted after the rates went down.
    min_lr : float or list of float, default 0
        Where the rates stop, for all groups or for each.
    eps : float, default 1e-8
        A rate that would change by no more is left alone.

    Attributes
    ----------
    best : float
        The best number so far.

    Raises
    ------
    UsageError
        If an option makes no sense.

    Examples
    --------
    >>> import dark
    >>> optimizer = dark.optim.SGD([dark.Parameter(3)], lr=1.0)
    >>> scheduler = ReduceLROnPlateau(optimizer, factor=0.5, patience=1)
    >>> for loss in [3.0, 2.0, 2.0, 2.0]:
    ...     scheduler.step(loss)
    >>> scheduler
    ReduceLROnPlateau(epoch 4, lr 0.5, best 2)
    """

    def __init__(
        self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel",
        cooldown=0, min_lr=0, eps=1e-8,
    ):  # fmt: skip
        state.check_optimizer(optimizer, "ReduceLROnPlateau")
        _check("factor", factor, "a number below 1.", factor < 1)
        _check("mode", mode, "'min' or 'max'.", mode in ("min", "max"))
        _check("threshold_mode", threshold_mode, "'rel' or 'abs'.", threshold_mode in ("rel", "abs"))
        self.optimizer = optimizer
        self.mode, self.factor, self.patience = mode, factor, patience
        self.threshold, self.threshold_mode = threshold, threshold_mode
        self.cooldown, self.eps = cooldown, eps
        self.default_min_lr = None if isinstance(min_lr, (list, tuple)) else min_lr
        self.min_lrs = each_group("ReduceLROnPlateau", "min_lr", min_lr, optimizer.param_groups)
        self.best = math.inf if mode == "min" else -math.inf
        self.last_epoch = self.num_bad_epochs = self.cooldown_counter = 0
        self._last_lr = [group["lr"] for group in optimizer.param_groups]

    @property
    def in_cooldown(self):
        """Whether epochs are not counted at present."""
        return self.cooldown_counter > 0

    def is_better(self, number, best):
        """Say whether a number is progress.

        Returns
        -------
        bool
        """
        sign = -1 if self.mode == "min" else 1
        if self.threshold_mode == "abs":
            return sign * number > sign * (best + sign * self.threshold)
        return sign * number > sign * (best * (1.0 + sign * self.threshold))

    def step(self, metrics):
        """Take notice of an epoch's number, and lower the rates if it is time.

        Parameters
        ----------
        metrics : float or Node
            What is watched, one number.
        """
        number = float(metrics)
        self.last_epoch += 1
        is_better = self.is_better(number, self.best)
        self.best = number if is_better else self.best
        self.num_bad_epochs = 0 if is_better else self.num_bad_epochs + 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce()
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]

    def _reduce(self):
        groups = self.optimizer.param_groups
        if self.default_min_lr is not None:
            self.min_lrs = [self.default_min_lr] * len(groups)  # groups may have been added
        for group, low in zip(groups, each_group("ReduceLROnPlateau", "min_lrs", self.min_lrs, groups)):
            lr = max(group["lr"] * self.factor, low)
            if group["lr"] - lr > self.eps:
                group["lr"] = lr

    def get_last_lr(self):
        """Return the rates after the last step, one for each group.

        Returns
        -------
        list of float
        """
        return list(self._last_lr)

    def state_dict(self):
        """Return all that the schedule knows, without the optimiser.

        Returns
        -------
        dict
        """
        return state.saved(self)

    def load_state_dict(self, state_dict):
        """Go on from a saved state. The rates themselves come with the optimiser's state.

        Raises
        ------
        UsageError
            If it is the state of another kind of schedule.
        """
        state.restore(self, state_dict)

    def __repr__(self):
        rates = ", ".join(f"{lr:.6g}" for lr in self._last_lr)
        return f"ReduceLROnPlateau(epoch {self.last_epoch}, lr {rates}, best {self.best:.6g})"


def _check(name, value, expected, is_right):
    if not is_right:
        raise UsageError(
            f"ReduceLROnPlateau: {name} is {value!r}.", expected, f"leave {name} out to have the usual one."
        )
