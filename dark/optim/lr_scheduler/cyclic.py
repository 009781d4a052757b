"""Cyclical learning rates: they increase and decrease between two bounds; momentum does the opposite."""

import math
from collections.abc import Callable, Sequence

from dark.checks import callable_with, integer, number, one_of
from dark.optim.lr_scheduler.scheduler import LRScheduler, check_momentum, check_optimizer, rates_of, set_momentum
from dark.optim.optimizer import Optimizer


class CyclicLR(LRScheduler):
    """Cycle the learning rates between two bounds, stepped after every batch.

    The bounds `base_lr` and `max_lr` hold for all groups or for each. The rates increase for `step_size_up` steps, and
    decrease for `step_size_down`, by default as many. In mode "triangular", the amplitude is constant; in "triangular2"
    it is halved after each cycle; in "exp_range" it is multiplied by `gamma` after each step. Or `scale_fn` returns its
    factor, called with the number of the cycle, counted from 1, or with the number of steps (`scale_mode` "cycle" or
    "iterations"). With `cycle_momentum`, the momentum (of Adam, the first of the betas) changes in the opposite
    direction.

    L. N. Smith, "Cyclical learning rates for training neural networks", WACV 2017.

    Examples
    --------
    >>> import dark
    >>> optimizer = dark.optim.SGD([dark.Parameter(3)], momentum=0.9)
    >>> scheduler = CyclicLR(optimizer, base_lr=0.1, max_lr=0.5, step_size_up=2, mode="triangular2")
    >>> rates = scheduler.get_last_lr()
    >>> for _ in range(7):
    ...     scheduler.step()
    ...     rates += scheduler.get_last_lr()
    >>> [round(rate, 3) for rate in rates]
    [0.1, 0.3, 0.5, 0.3, 0.1, 0.2, 0.3, 0.2]
    """

    def __init__(
        self, optimizer: Optimizer, base_lr: float | Sequence[float], max_lr: float | Sequence[float],
        step_size_up: int = 2000, step_size_down: int | None = None, mode: str = "triangular", gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None, scale_mode: str = "cycle", cycle_momentum: bool = True,
        base_momentum: float | Sequence[float] = 0.8, max_momentum: float | Sequence[float] = 0.9,
        last_epoch: int = -1,
    ) -> None:  # fmt: skip
        who = "CyclicLR"
        check_optimizer(optimizer, who)
        groups, last_epoch = optimizer.param_groups, integer(last_epoch, who, "last_epoch", -1)
        low, self.max_lrs = rates_of(who, "base_lr", base_lr, groups), rates_of(who, "max_lr", max_lr, groups)
        up = integer(step_size_up, who, "step_size_up", 1)
        down = up if step_size_down is None else integer(step_size_down, who, "step_size_down", 0)
        self.total_size, self.step_ratio = float(up + down), up / (up + down)
        number(gamma, who, "gamma")
        self.mode, self.gamma, self._scale_fn_custom = mode, gamma, scale_fn
        self.scale_mode = one_of(scale_mode, who, "scale_mode", ("cycle", "iterations"))
        if scale_fn is None:
            one_of(mode, who, "mode", ("triangular", "triangular2", "exp_range"))
            self.scale_mode = "iterations" if mode == "exp_range" else "cycle"
        else:
            callable_with(scale_fn, who, "scale_fn", ("x",))
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            check_momentum(groups, who)
            self.use_beta1 = "betas" in groups[0]
            self.base_momentums = rates_of(who, "base_momentum", base_momentum, groups)
            self.max_momentums = rates_of(who, "max_momentum", max_momentum, groups)
        for k, group in enumerate(groups if last_epoch == -1 else ()):
            group["lr"] = low[k]
            if cycle_momentum:
                group["max_momentum"], group["base_momentum"] = self.max_momentums[k], self.base_momentums[k]
        super().__init__(optimizer, last_epoch)
        self.base_lrs = low

    def scale_fn(self, x: float) -> float:
        """Return the factor of the amplitude for the number of a cycle or of a step."""
        if self._scale_fn_custom is not None:
            return number(self._scale_fn_custom(x), "CyclicLR", f"scale_fn({x})")
        return self.gamma**x if self.mode == "exp_range" else 0.5 ** (x - 1) if self.mode == "triangular2" else 1.0

    def get_lr(self) -> list[float]:
        """Return the learning rates of this step, and set the momentum of the groups."""
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle  # the position in the cycle, from 0 to 1
        height = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        height *= self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            for group, low, high in zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums):
                set_momentum(group, high - (high - low) * height)
        return [low + (high - low) * height for low, high in zip(self.base_lrs, self.max_lrs)]

    starting_lr = get_lr
