"""The 1cycle policy: the learning rate increases to a maximum, then decreases; momentum does the opposite."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from dark.checks import integer, number, one_of
from dark.errors import UsageError
from dark.optim.lr_scheduler.scheduler import LRScheduler, check_momentum, check_optimizer, rates_of, set_momentum
from dark.optim.optimizer import Optimizer

PHASE = {"end_step", "start_lr", "end_lr", "start_momentum", "end_momentum"}  # in a state of PyTorch


class OneCycleLR(LRScheduler):
    """The 1cycle policy, stepped after every batch: the rates rise to `max_lr`, of all groups or of each, and fall.

    The cycle has `total_steps` steps, by default ``epochs * steps_per_epoch``; the rates rise in the fraction
    `pct_start` of them, by a cosine or linearly (`anneal_strategy` "cos" or "linear"). The initial rate is ``max_lr /
    div_factor``, and the final one is that over `final_div_factor`. With `three_phase`, they fall to the initial rate
    in `pct_start` of the cycle, and then to the final one. With `cycle_momentum`, the momentum (of Adam, the first of
    the betas) changes in the opposite direction, between `base_momentum` and `max_momentum`.

    L. N. Smith, N. Topin, "Super-convergence: very fast training of neural networks using large
    learning rates", 2017.

    Examples
    --------
    >>> import dark
    >>> optimizer = dark.optim.Adam([dark.Parameter(3)])
    >>> scheduler = OneCycleLR(optimizer, max_lr=0.1, total_steps=11, pct_start=0.5)
    >>> rates = scheduler.get_last_lr()
    >>> for _ in range(10):
    ...     scheduler.step()
    ...     rates += scheduler.get_last_lr()
    >>> [round(rates[k], 6) for k in (0, 4, 5, 10)]
    [0.004, 0.097105, 0.097975, 0.0]
    """

    def __init__(
        self, optimizer: Optimizer, max_lr: float | Sequence[float], total_steps: int | None = None,
        epochs: int | None = None, steps_per_epoch: int | None = None, pct_start: float = 0.3,
        anneal_strategy: str = "cos", cycle_momentum: bool = True, base_momentum: float | Sequence[float] = 0.85,
        max_momentum: float | Sequence[float] = 0.95, div_factor: float = 25.0, final_div_factor: float = 1e4,
        three_phase: bool = False, last_epoch: int = -1,
    ) -> None:  # fmt: skip
        who = "OneCycleLR"
        check_optimizer(optimizer, who)
        self.total_steps = _length(total_steps, epochs, steps_per_epoch)
        number(pct_start, who, "pct_start", least=0, most=1)
        self.anneal_strategy = one_of(anneal_strategy, who, "anneal_strategy", ("cos", "linear"))
        self.cycle_momentum = cycle_momentum
        self.phases = _phases(self.total_steps, pct_start, three_phase)
        groups, last_epoch = optimizer.param_groups, integer(last_epoch, who, "last_epoch", -1)
        peaks = rates_of(who, "max_lr", max_lr, groups)
        if cycle_momentum:
            check_momentum(groups, who)
            lows = rates_of(who, "base_momentum", base_momentum, groups, least=None)
            highs = rates_of(who, "max_momentum", max_momentum, groups, least=None)
        number(div_factor, who, "div_factor", above=0, finite=False)
        number(final_div_factor, who, "final_div_factor", above=0, finite=False)
        if last_epoch == -1:
            for k, group in enumerate(groups):
                group["initial_lr"], group["max_lr"] = peaks[k] / div_factor, peaks[k]
                group["min_lr"] = group["initial_lr"] / final_div_factor
                if cycle_momentum:
                    group["base_momentum"], group["max_momentum"] = lows[k], highs[k]
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[float]:
        """Return the learning rates of this step, and set the momentum of the groups."""
        if self.last_epoch > self.total_steps:
            raise UsageError(
                f"OneCycleLR: step must be {self.total_steps} or less, got {self.last_epoch}.",
                f"at most {self.total_steps} steps.",
                "total_steps, the number of batches of all epochs together.",
            )
        k = next((i for i, phase in enumerate(self.phases) if self.last_epoch <= phase[0]), len(self.phases) - 1)
        start, (end, rates, momenta) = self.phases[k - 1][0] if k else 0.0, self.phases[k]
        fraction = (self.last_epoch - start) / (end - start) if end != start else 1.0
        if self.cycle_momentum:
            for group in self.optimizer.param_groups:
                set_momentum(group, self._anneal(group, momenta, fraction))
        return [self._anneal(group, rates, fraction) for group in self.optimizer.param_groups]

    def _anneal(self, group: dict[str, float], names: list[str], fraction: float) -> float:
        """Interpolate between two options of a group."""
        start, end = (group[name] for name in names)
        if self.anneal_strategy == "linear":
            return (end - start) * fraction + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * fraction) + 1)

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore a saved state; PyTorch's, which describes the phases by dictionaries, is accepted, too."""
        phases = state_dict.get("_schedule_phases") if isinstance(state_dict, Mapping) else None
        if isinstance(phases, list) and all(isinstance(phase, dict) and phase.keys() >= PHASE for phase in phases):
            renamed = {"_schedule_phases": "phases", "_anneal_func_type": "anneal_strategy"}
            state_dict = {renamed.get(name, name): v for name, v in state_dict.items() if name != "use_beta1"}
            state_dict["phases"] = [
                [p["end_step"], [p["start_lr"], p["end_lr"]], [p["start_momentum"], p["end_momentum"]]] for p in phases
            ]
        super().load_state_dict(state_dict)

    starting_lr = get_lr


def _length(total_steps: int | None, epochs: int | None, steps_per_epoch: int | None) -> int:
    """Return the number of steps of the cycle."""
    if total_steps is None and None not in (epochs, steps_per_epoch):
        total_steps = math.prod(
            integer(n, "OneCycleLR", name, 0) for n, name in ((epochs, "epochs"), (steps_per_epoch, "steps_per_epoch"))
        )
    advice = "OneCycleLR(optimizer, 0.1, epochs=10, steps_per_epoch=len(loader))"
    return integer(total_steps, "OneCycleLR", "total_steps", 1, advice=advice)


def _phases(total: int, fraction: float, three_phase: bool) -> list[list[Any]]:
    """Return the phases: the last step of each, and the options between which rate and momentum change."""
    up = [float(fraction * total) - 1, ["initial_lr", "max_lr"], ["max_momentum", "base_momentum"]]
    down = [total - 1, ["max_lr", "min_lr"], ["base_momentum", "max_momentum"]]
    if not three_phase:
        return [up, down]
    back = [float(2 * fraction * total) - 2, ["max_lr", "initial_lr"], ["base_momentum", "max_momentum"]]
    return [up, back, [total - 1, ["initial_lr", "min_lr"], ["max_momentum", "max_momentum"]]]
