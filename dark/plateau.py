"""When a number no longer gets better, and how far rates go down then: what optimisers and handlers share of it."""

import math
import numbers

from dark.errors import UsageError


class Plateau:
    """Takes notice of a number, such as the validation loss, and says when it has stood still for too long.

    Parameters
    ----------
    mode, factor, patience, threshold, threshold_mode, cooldown, eps
        See `dark.optim.lr_scheduler.ReduceLROnPlateau`, which adds an optimiser.

    Attributes
    ----------
    best : float
        The best number so far.
    num_bad_epochs, cooldown_counter, last_epoch : int
        Numbers in a row that were no progress, numbers that are still not counted, and all of them.

    Raises
    ------
    UsageError
        If an option makes no sense.

    Examples
    --------
    >>> plateau = Plateau(factor=0.5, patience=1)
    >>> [plateau.is_due(loss) for loss in [3.0, 2.0, 2.0, 2.0]]
    [False, False, False, True]
    """

    def __init__(
        self, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel", cooldown=0, eps=1e-8
    ):  # fmt: skip
        _check("factor", factor, "a number below 1.", isinstance(factor, numbers.Real) and factor < 1)
        _check("mode", mode, "'min' or 'max'.", mode in ("min", "max"))
        _check("threshold_mode", threshold_mode, "'rel' or 'abs'.", threshold_mode in ("rel", "abs"))
        for name, x in (("patience", patience), ("threshold", threshold), ("cooldown", cooldown), ("eps", eps)):
            _check(name, x, "a number, 0 or more.", isinstance(x, numbers.Real) and x >= 0)
        self.mode, self.factor, self.patience = mode, factor, patience
        self.threshold, self.threshold_mode = threshold, threshold_mode
        self.cooldown, self.eps = cooldown, eps
        self.best = math.inf if mode == "min" else -math.inf
        self.last_epoch = self.num_bad_epochs = self.cooldown_counter = 0

    @property
    def in_cooldown(self):
        """Whether numbers are not counted at present."""
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

    def is_due(self, metrics):
        """Take notice of a number, and say whether it is time to lower the rates.

        Parameters
        ----------
        metrics : float or Node
            What is watched, one number.

        Returns
        -------
        bool
        """
        try:
            number = float(metrics)
        except (TypeError, ValueError):
            raise UsageError(
                f"ReduceLROnPlateau: step was given {metrics!r}.", "one number.", "scheduler.step(loss.item())"
            ) from None
        self.last_epoch += 1
        is_better = self.is_better(number, self.best)
        self.best = number if is_better else self.best
        self.num_bad_epochs = 0 if is_better else self.num_bad_epochs + 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        is_due = self.num_bad_epochs > self.patience
        if is_due:
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        return is_due

    @classmethod
    def from_state(cls, state):
        """Make one of what `vars` of another one gave.

        Raises
        ------
        UsageError
            If a name is missing or unknown.
        """
        made = cls()
        if not isinstance(state, dict) or state.keys() != vars(made).keys():
            raise UsageError(
                f"ReduceLROnPlateau: the saved state is one of another kind: {state!r}.",
                f"a dictionary of {', '.join(vars(made))}.",
                "give what state_dict() returned.",
            )
        vars(made).update(state)
        return made

    def lower(self, groups, lows):
        """Multiply the rates of groups by the factor; none goes below its lowest.

        Parameters
        ----------
        groups : list of dict
        lows : list of float
            One for each group.
        """
        for group, low in zip(groups, lows):
            lr = max(group["lr"] * self.factor, low)
            if group["lr"] - lr > self.eps:
                group["lr"] = lr


def _check(name, value, expected, is_right):
    if not is_right:
        raise UsageError(
            f"ReduceLROnPlateau: {name} is {value!r}.", expected, f"leave {name} out to have the usual one."
        )
