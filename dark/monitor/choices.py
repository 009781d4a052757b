"""The choices of a monitor: which weights, in how much detail, and which kind of running averages."""

import warnings
from collections.abc import Mapping
from typing import Any

from dark.checks import is_bool, one_of
from dark.errors import UsageError, near_misses
from dark.monitor.activations.forward_calls import paths_of
from dark.monitor.activations.rules import Kind, Rules

LARGE = 1_000_000  # parameters; a network with more is recorded as a summary, by default
DETAILS = ("full", "summary")
AVERAGES = ("window", "exponential")


class Choices:
    """The choices of a user, None for the default, which depends on the number of parameters.

    >>> choices = Choices()
    >>> choices.decide(10**6)
    >>> choices.is_summary, choices.is_exponential
    (False, False)
    """

    def __init__(self, detail: str | None = None, averages: str | None = None) -> None:
        self._detail = detail if detail is None else one_of(detail, "Monitor", "detail", DETAILS)
        self._averages = averages if averages is None else one_of(averages, "Monitor", "averages", AVERAGES)
        self.is_summary = self.is_exponential = self._has_said = False

    def decide(self, count: int) -> None:
        """Decide for a number of parameters; warn once if a default is not the one of small networks."""
        is_large = count > LARGE
        self.is_summary = is_large if self._detail is None else self._detail == "summary"
        self.is_exponential = is_large if self._averages is None else self._averages == "exponential"
        said = ["histograms and norms of arrays are recorded (detail='summary')"] * (self._detail is None)
        said += ["running averages are exponential (averages='exponential')"] * (self._averages is None)
        if is_large and said and not self._has_said:
            self._has_said = True
            warnings.warn(
                f"Monitor: the network has {count:,} parameters, more than {LARGE:,}: {', and '.join(said)}. Give "
                "these arguments, or 'full' and 'window', to choose yourself; then this is not said.",
                UserWarning,
                stacklevel=4,  # the call of `Monitor` or `register_weights`
            )


def chosen_weights(weights: Mapping[str, Any], given: Any, models: Mapping[str, Any], who: str) -> dict[str, Any]:
    """Return the weights that rules choose, by name; all for a bool.

    A rule is as in `register_activation_filter`, of the dotted name of a weight, the module that has it, and the
    weight; a glob may also match the path of the module.
    """
    if is_bool(given):
        return dict(weights)
    rules, modules, chosen = Rules(who=who), paths_of(models), {}
    rules.add_all(given)
    for name, weight in weights.items():
        owner = name.rpartition(".")[0]
        kind = rules.decide(owner, name, modules.get(owner), weight)
        if kind is Kind.TYPE_II:
            message = f"{who}: the weight {name} cannot be of Kind.TYPE_II, as it has no examples."
            raise UsageError(message, "Kind.TYPE_I, or Kind.IGNORE.", f"{who}=[({name!r}, Kind.TYPE_I)]")
        if kind is Kind.TYPE_I:
            chosen[name] = weight
    if weights and not chosen:
        near = near_misses(given, weights) if isinstance(given, str) else f"{who}=False, to record none."
        raise UsageError(f"{who}: no weight matches the rules.", "rules that match a weight.", near)
    return chosen
