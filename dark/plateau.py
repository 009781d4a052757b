"""Plateau detection: the logic of `ReduceLROnPlateau`, shared by `dark.optim.lr_scheduler` and `dark.handlers`."""

from __future__ import annotations

import math
from typing import Any

from dark.checks import describe, integer, number, one_of
from dark.errors import UsageError

WHO = "ReduceLROnPlateau"


class Plateau:
    """Detect when a metric, such as the validation loss, has stopped improving.

    Parameters
    ----------
    mode, factor, patience, threshold, threshold_mode, cooldown, eps
        See `dark.optim.lr_scheduler.ReduceLROnPlateau`, which adds an optimizer.

    Attributes
    ----------
    best : float
        The best value so far.
    num_bad_epochs, cooldown_counter, last_epoch : int
        The number of values since the last improvement, of values still in the cooldown, and of all values.

    Examples
    --------
    >>> plateau = Plateau(factor=0.5, patience=1)
    >>> [plateau.is_due(loss) for loss in [3.0, 2.0, 2.0, 2.0]]
    [False, False, False, True]
    """

    def __init__(
        self, mode: str = "min", factor: float = 0.1, patience: int = 10, threshold: float = 1e-4,
        threshold_mode: str = "rel", cooldown: int = 0, eps: float = 1e-8,
    ) -> None:  # fmt: skip
        number(factor, WHO, "factor", below=1, finite=False)
        number(threshold, WHO, "threshold", least=0, finite=False)
        number(eps, WHO, "eps", least=0, finite=False)
        self.mode, self.factor = one_of(mode, WHO, "mode", ("min", "max")), factor
        self.patience = integer(patience, WHO, "patience", 0)
        self.threshold = threshold
        self.threshold_mode = one_of(threshold_mode, WHO, "threshold_mode", ("rel", "abs"))
        self.cooldown, self.eps = integer(cooldown, WHO, "cooldown", 0), eps
        self.best = math.inf if mode == "min" else -math.inf
        self.last_epoch = self.num_bad_epochs = self.cooldown_counter = 0

    @property
    def in_cooldown(self) -> bool:
        """Whether values without improvement are not counted at present."""
        return self.cooldown_counter > 0

    def is_better(self, value: float, best: float) -> bool:
        """Return whether a value is an improvement."""
        sign = -1 if self.mode == "min" else 1
        if self.threshold_mode == "abs":
            return sign * value > sign * (best + sign * self.threshold)
        return sign * value > sign * (best * (1.0 + sign * self.threshold))

    def is_due(self, metrics: Any) -> bool:
        """Record a value, a single number or a node, and return whether to reduce the learning rates."""
        try:
            value = float(metrics)
        except (TypeError, ValueError):
            raise UsageError(
                f"{WHO}: metrics must be a number, got {describe(metrics)}.",
                "a single number.",
                "scheduler.step(loss.item())",
            ) from None
        self.last_epoch += 1
        is_better = self.is_better(value, self.best)
        self.best = value if is_better else self.best
        self.num_bad_epochs = 0 if is_better else self.num_bad_epochs + 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        is_due = self.num_bad_epochs > self.patience
        if is_due:
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        return is_due

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Plateau:
        """Create an instance from the `vars` of another one."""
        made = cls()
        if not isinstance(state, dict) or state.keys() != vars(made).keys():
            raise UsageError(
                f"{WHO}: the state must be the state of a plateau, got {state!r}.",
                f"a dictionary of {', '.join(vars(made))}.",
                "the result of state_dict().",
            )
        vars(made).update(state)
        return made

    def reduce_rates(self, groups: list[dict[str, Any]], min_lrs: list[float]) -> None:
        """Multiply the learning rates of groups by the factor, down to their lower bounds."""
        for group, min_lr in zip(groups, min_lrs):
            lr = max(group["lr"] * self.factor, min_lr)
            if group["lr"] - lr > self.eps:
                group["lr"] = lr
