"""`ReduceLROnPlateau`: reduce the learning rates when a metric has stopped improving."""

from collections.abc import Sequence
from typing import Any

from dark.checks import number
from dark.optim.lr_scheduler.group_checks import check_optimizer, per_group
from dark.optim.lr_scheduler.scheduler_state import restore_state, saved_state
from dark.optim.optimizer import Optimizer
from dark.plateau import Plateau
from dark.spellings import KeywordAdvice


class ReduceLROnPlateau(KeywordAdvice, Plateau):
    """Multiply the learning rates by `factor` when a metric has not improved for `patience` epochs.

    Parameters
    ----------
    optimizer : Optimizer
    mode : {"min", "max"}, default "min"
        Whether the metric should decrease or increase.
    factor : float, default 0.1
        Below 1.
    patience : int, default 10
        The number of epochs without improvement before the rates are reduced.
    threshold : float, default 1e-4
        The smallest change that counts as an improvement.
    threshold_mode : {"rel", "abs"}, default "rel"
        Whether `threshold` is relative to the best value, or absolute.
    cooldown : int, default 0
        The number of epochs after a reduction in which epochs without improvement are not counted.
    min_lr : float or list of float, default 0
        The lower bound of the learning rates, for all groups or for each.
    eps : float, default 1e-8
        Smaller reductions of a rate are skipped.

    Attributes
    ----------
    best : float
        The best value so far.

    Raises
    ------
    UsageError, ValueTypeError
        If an option is out of range or of the wrong type.

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
        self, optimizer: Optimizer, mode: str = "min", factor: float = 0.1, patience: int = 10,
        threshold: float = 1e-4, threshold_mode: str = "rel", cooldown: int = 0, min_lr: float | Sequence[float] = 0,
        eps: float = 1e-8,
    ) -> None:  # fmt: skip
        check_optimizer(optimizer, "ReduceLROnPlateau")
        super().__init__(mode, factor, patience, threshold, threshold_mode, cooldown, eps)
        self.optimizer = optimizer
        self.default_min_lr = None if isinstance(min_lr, (list, tuple)) else min_lr
        self.min_lrs = per_group("ReduceLROnPlateau", "min_lr", min_lr, optimizer.param_groups)
        for rate in self.min_lrs:
            number(rate, "ReduceLROnPlateau", "min_lr")
        self._last_lr = [group["lr"] for group in optimizer.param_groups]

    def step(self, metrics: Any) -> None:
        """Record the metric; reduce the learning rates if it has plateaued.

        Parameters
        ----------
        metrics : float or Node
            The metric, a single number.
        """
        groups = self.optimizer.param_groups
        if self.is_due(metrics):
            if self.default_min_lr is not None:
                self.min_lrs = [self.default_min_lr] * len(groups)  # groups may have been added
            self.reduce_rates(groups, per_group("ReduceLROnPlateau", "min_lrs", self.min_lrs, groups))
        self._last_lr = [group["lr"] for group in groups]

    def get_last_lr(self) -> list[float]:
        """Return the learning rate of each group after the last step."""
        return list(self._last_lr)

    def state_dict(self) -> dict[str, Any]:
        """Return the state of the scheduler, without the optimizer."""
        return saved_state(self)

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore a saved state. The learning rates themselves are part of the optimizer's state.

        Raises
        ------
        UsageError
            If it is the state of another kind of scheduler.
        """
        restore_state(self, state_dict)

    def __repr__(self) -> str:
        rates = ", ".join(f"{lr:.6g}" for lr in self._last_lr)
        return f"ReduceLROnPlateau(epoch {self.last_epoch}, lr {rates}, best {self.best:.6g})"
