"""Lowering the rates when a number, such as the validation loss, no longer gets better."""

from dark.optim.lr_scheduler import scheduler_state
from dark.optim.options import each_group
from dark.plateau import Plateau


class ReduceLROnPlateau(Plateau):
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
        scheduler_state.check_optimizer(optimizer, "ReduceLROnPlateau")
        super().__init__(mode, factor, patience, threshold, threshold_mode, cooldown, eps)
        self.optimizer = optimizer
        self.default_min_lr = None if isinstance(min_lr, (list, tuple)) else min_lr
        self.min_lrs = each_group("ReduceLROnPlateau", "min_lr", min_lr, optimizer.param_groups)
        self._last_lr = [group["lr"] for group in optimizer.param_groups]

    def step(self, metrics):
        """Take notice of an epoch's number, and lower the rates if it is time.

        Parameters
        ----------
        metrics : float or Node
            What is watched, one number.
        """
        groups = self.optimizer.param_groups
        if self.is_due(metrics):
            if self.default_min_lr is not None:
                self.min_lrs = [self.default_min_lr] * len(groups)  # groups may have been added
            self.lower(groups, each_group("ReduceLROnPlateau", "min_lrs", self.min_lrs, groups))
        self._last_lr = [group["lr"] for group in groups]

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
        return f"ReduceLROnPlateau(epoch {self.last_epoch}, lr {rates}, best {self.best:.6g})"
