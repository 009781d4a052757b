"""One long cycle: the rates rise to a top, then fall to almost nothing, while the momentum does the opposite."""

import math
import numbers

from dark.errors import UsageError
from dark.optim.lr_scheduler import scheduler_state
from dark.optim.lr_scheduler.scheduler import LRScheduler
from dark.optim.options import check_at_least_0, each_group


class OneCycleLR(LRScheduler):
    """The policy of one cycle, stepped after every batch.

    Parameters
    ----------
    optimizer : Optimizer
    max_lr : float or list of float
        The top, for all groups or for each.
    total_steps : int, optional
        The length of the cycle; else it is `epochs` times `steps_per_epoch`.
    epochs, steps_per_epoch : int, optional
    pct_start : float, default 0.3
        The share of the cycle in which the rate rises.
    anneal_strategy : {"cos", "linear"}, default "cos"
    cycle_momentum : bool, default True
        Move the momentum (of Adam, the first of the betas) the opposite way.
    base_momentum, max_momentum : float or list of float, default 0.85, 0.95
    div_factor : float, default 25.0
        The first rate is ``max_lr / div_factor``.
    final_div_factor : float, default 1e4
        The last rate is the first one over this.
    three_phase : bool, default False
        Fall back to the first rate as fast as it rose, then to the last.
    last_epoch : int, default -1

    Raises
    ------
    UsageError
        If the length is not given, an option makes no sense, the optimiser has no momentum to move,
        or more steps are taken than the cycle has.

    References
    ----------
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
        self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3,
        anneal_strategy="cos", cycle_momentum=True, base_momentum=0.85, max_momentum=0.95, div_factor=25.0,
        final_div_factor=1e4, three_phase=False, last_epoch=-1,
    ):  # fmt: skip
        scheduler_state.check_optimizer(optimizer, "OneCycleLR")
        self.total_steps = _length(total_steps, epochs, steps_per_epoch)
        if not (isinstance(pct_start, numbers.Real) and 0 <= pct_start <= 1):
            raise UsageError(f"OneCycleLR: pct_start is {pct_start!r}.", "a share from 0 to 1.", "pct_start=0.3")
        if anneal_strategy not in ("cos", "linear"):
            raise UsageError(
                f"OneCycleLR: anneal_strategy is {anneal_strategy!r}.", "'cos' or 'linear'.", "anneal_strategy='cos'"
            )
        self.anneal_strategy, self.cycle_momentum = anneal_strategy, cycle_momentum
        self.phases = _phases(self.total_steps, pct_start, three_phase)
        groups = optimizer.param_groups
        tops = each_group("OneCycleLR", "max_lr", max_lr, groups)
        for top in tops:
            check_at_least_0("OneCycleLR", {"max_lr": top}, "max_lr")
        if cycle_momentum:
            self._check_momentum(groups)
            lows = each_group("OneCycleLR", "base_momentum", base_momentum, groups)
            highs = each_group("OneCycleLR", "max_momentum", max_momentum, groups)
        for name, factor in (("div_factor", div_factor), ("final_div_factor", final_div_factor)):
            if not (isinstance(factor, numbers.Real) and factor > 0):
                raise UsageError(f"OneCycleLR: {name} is {factor!r}.", "a number above 0.", f"leave {name} out.")
        if last_epoch == -1:
            for k, group in enumerate(groups):
                group["initial_lr"], group["max_lr"] = tops[k] / div_factor, tops[k]
                group["min_lr"] = group["initial_lr"] / final_div_factor
                if cycle_momentum:
                    group["base_momentum"], group["max_momentum"] = lows[k], highs[k]
        super().__init__(optimizer, last_epoch)

    def _check_momentum(self, groups):
        if not all("betas" in group or "momentum" in group for group in groups):
            raise UsageError(
                "OneCycleLR: the optimiser has no momentum to move.",
                "an optimiser with momentum or betas.",
                "OneCycleLR(..., cycle_momentum=False)",
            )

    def get_lr(self):
        """Return the rates of this step of the cycle; the momentum is set beside."""
        if self.last_epoch > self.total_steps:
            raise UsageError(
                f"OneCycleLR: this would be step {self.last_epoch} of a cycle of {self.total_steps}.",
                f"at most {self.total_steps} steps.",
                "count total_steps in batches, of all epochs together.",
            )
        k = next((i for i, phase in enumerate(self.phases) if self.last_epoch <= phase[0]), len(self.phases) - 1)
        start, (end, rates, momenta) = self.phases[k - 1][0] if k else 0.0, self.phases[k]
        share = (self.last_epoch - start) / (end - start) if end != start else 1.0
        if self.cycle_momentum:
            for group in self.optimizer.param_groups:
                momentum = self._between(group, momenta, share)
                if "betas" in group:
                    group["betas"] = (momentum, *group["betas"][1:])
                else:
                    group["momentum"] = momentum
        return [self._between(group, rates, share) for group in self.optimizer.param_groups]

    def _between(self, group, names, share):
        """Return the number at a share of the way between two that the group names."""
        start, end = (group[name] for name in names)
        if self.anneal_strategy == "linear":
            return (end - start) * share + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * share) + 1)

    def starting_lr(self):
        """Return the first rates of the cycle."""
        return self.get_lr()


def _length(total_steps, epochs, steps_per_epoch):
    """Return how many steps the cycle has."""
    if total_steps is None and None not in (epochs, steps_per_epoch):
        total_steps = epochs * steps_per_epoch
    if not isinstance(total_steps, int) or total_steps < 1:
        raise UsageError(
            f"OneCycleLR: total_steps is {total_steps}.",
            "a whole number above 0, or epochs and steps_per_epoch.",
            "OneCycleLR(optimizer, 0.1, epochs=10, steps_per_epoch=len(loader))",
        )
    return total_steps


def _phases(total, share, three_phase):
    """List the phases: the last step of each, and the names of the rates and momenta that it leads between."""
    up = [float(share * total) - 1, ["initial_lr", "max_lr"], ["max_momentum", "base_momentum"]]
    down = [total - 1, ["max_lr", "min_lr"], ["base_momentum", "max_momentum"]]
    if not three_phase:
        return [up, down]
    back = [float(2 * share * total) - 2, ["max_lr", "initial_lr"], ["base_momentum", "max_momentum"]]
    return [up, back, [total - 1, ["initial_lr", "min_lr"], ["max_momentum", "max_momentum"]]]
