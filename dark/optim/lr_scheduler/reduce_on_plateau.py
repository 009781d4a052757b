"""`ReduceLROnPlateau`: reduce the learning rates when a metric has stopped improving."""

from collections.abc import Sequence
from typing import Any

from dark.optim.lr_scheduler.scheduler import check_optimizer, per_group, rates_of
from dark.optim.lr_scheduler.scheduler_state import RateSchedule
from dark.optim.optimizer import Optimizer
from dark.plateau import Plateau


class ReduceLROnPlateau(RateSchedule, Plateau):
    """Multiply the learning rates by `factor`, below 1, when a metric has not improved for `patience` epochs.

    The metric should decrease (mode "min") or increase ("max"). The smallest change that counts as an improvement is
    `threshold`, relative to the best value or absolute (`threshold_mode` "rel" or "abs"). In the `cooldown` epochs
    after a reduction, epochs without improvement are not counted. `min_lr` is the lower bound of the rates, for all
    groups or for each; reductions smaller than `eps` are skipped.

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
        self.min_lrs: list[Any] = rates_of("ReduceLROnPlateau", "min_lr", min_lr, optimizer.param_groups, least=None)
        self._last_lr = [group["lr"] for group in optimizer.param_groups]

    def step(self, metrics: Any) -> None:
        """Record the metric, a number or a node that holds one; reduce the learning rates if it has plateaued."""
        groups = self.optimizer.param_groups
        if self.is_due(metrics):
            if self.default_min_lr is not None:
                self.min_lrs = [self.default_min_lr] * len(groups)  # groups may have been added
            self.reduce_rates(groups, per_group("ReduceLROnPlateau", "min_lrs", self.min_lrs, groups))
        self._last_lr = [group["lr"] for group in groups]

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, best {self.best:.6g})"
