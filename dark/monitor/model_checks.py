"""Checks of the arguments of a monitor: models, weights, names, engines and rules."""

from collections.abc import Iterable, Mapping
from typing import Any

from dark.checks import describe
from dark.engine import Engine
from dark.errors import UsageError, ValueTypeError
from dark.monitor.activations.rules import Rules
from dark.nn import Module
from dark.nodes import Parameter


def models_of(model: Any) -> dict[str, Module]:
    """Return the models of a monitor by name; the name of a single one is empty."""
    given = dict(model) if isinstance(model, Mapping) else {"": model}
    models = {name: _module_of(one) for name, one in given.items()}
    if not models:
        expected = "a module, or a dictionary of modules."
        raise UsageError("Monitor: the dictionary of models is empty.", expected, "Monitor(network).")
    if isinstance(model, Mapping):
        for name in models:
            checked_name(name, "Monitor")
    return models


def _module_of(model):
    """Return a module, also if a view of a context is given."""
    found = model if isinstance(model, Module) else getattr(model, "module", None)
    if isinstance(found, Module):
        return found
    raise ValueTypeError(
        f"Monitor: the model must be a module, got {describe(model)}.",
        "a module, or a dictionary of modules.",
        "nn.Function(model), if it is a function; the model, not its class or its parameters.",
    )


def checked_name(name: Any, who: str) -> str:
    """Return the name of a series or a model, if it is a string that is not empty and has no slash."""
    if isinstance(name, str) and name and "/" not in name:
        return name
    raise ValueTypeError(f"{who}: {describe(name)} is not a name.", "a string without slashes.", "name='temperature'.")


def checked_engine(engine: Any) -> Engine:
    """Return an engine."""
    if isinstance(engine, Engine):
        return engine
    expected = "an engine with metrics."
    raise ValueTypeError(
        f"register_metrics: expected an engine, got {describe(engine)}.", expected, "create_supervised_evaluator(…)."
    )


def named_weights(weights: Any) -> dict[str, Parameter]:
    """Return weights by name: of a mapping, of pairs, or of parameters, whose names are their own or their numbers."""
    if not isinstance(weights, (Mapping, Iterable)):
        raise _not_weights(weights)
    pairs = list(weights.items()) if isinstance(weights, Mapping) else [_pair(k, w) for k, w in enumerate(weights)]
    for name, weight in pairs:
        if not isinstance(name, str) or not isinstance(weight, Parameter):
            raise _not_weights((name, weight))
    if len(dict(pairs)) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(
            f"register_weights: two weights are named {twice!r}.", "different names.", "pairs (name, weight)."
        )
    return dict(pairs)


def _pair(k, weight):
    if isinstance(weight, Parameter):
        return weight.name or str(k), weight
    if isinstance(weight, (tuple, list)) and len(weight) == 2:
        return weight
    raise _not_weights(weight)


def _not_weights(found):
    return ValueTypeError(
        f"register_weights: expected parameters, got {describe(found)}.",
        "a dictionary of parameters, pairs of names and parameters, or parameters.",
        "network.named_parameters().",
    )


def add_rules(rules: Rules, given: Any) -> None:
    """Add the rules in the argument `monitor_activations` of a monitor."""
    if given is True:
        return
    if given is False:
        rules.add("*", 0)
    for rule in given if isinstance(given, (list, tuple)) else () if given is False else [given]:
        if isinstance(rule, (tuple, list)) and len(rule) == 2:
            rules.add(*rule)
        else:
            rules.add(rule)
