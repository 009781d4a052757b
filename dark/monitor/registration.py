"""Methods that register with a monitor: rules, sample sets, tensors, weights, losses, researchers; and their checks."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from dark.checks import callable_with, describe
from dark.engine import Engine
from dark.errors import UsageError, ValueTypeError
from dark.monitor.activations.rules import Kind, Rule
from dark.monitor.foreign.framework import Framework
from dark.monitor.foreign.networks import checked_module
from dark.monitor.records.flat_layout import FlatLayout
from dark.monitor.records.gradient_records import GradientRecords
from dark.monitor.records.registered import check_source
from dark.monitor.records.weight_records import WeightRecords
from dark.monitor.statistic import Statistic
from dark.nodes import Parameter, value_of


def models_of(model: Any, framework: Framework) -> dict[str, Any]:
    """Return the models of a monitor by name; the name of a single one is empty; none for `...`."""
    if model is ...:
        return {}
    given = dict(model) if isinstance(model, Mapping) else {"": model}
    models = {name: checked_module(framework, one) for name, one in given.items()}
    if not models:
        expected = "a module, or a dictionary of modules."
        raise UsageError("Monitor: the dictionary of models must not be empty.", expected, "Monitor(network).")
    if isinstance(model, Mapping):
        for name in models:
            checked_name(name, "Monitor")
    return models


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
    advice = "create_supervised_evaluator(…)."
    raise ValueTypeError(f"register_metrics: expected an engine, got {describe(engine)}.", expected, advice)


def named_weights(weights: Any, framework: Framework) -> dict[str, Any]:
    """Return weights by name: of a mapping, of pairs, or of parameters, whose names are their own or their numbers."""
    if not isinstance(weights, (Mapping, Iterable)):
        raise _not_weights(weights)
    pairs = (
        list(weights.items())
        if isinstance(weights, Mapping)
        else [_pair(k, w, framework) for k, w in enumerate(weights)]
    )
    for name, weight in pairs:
        if not isinstance(name, str) or framework.weight(weight) is None:
            raise _not_weights((name, weight))
    if len(dict(pairs)) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        wanted = "different names."
        raise UsageError(
            f"register_weights: the names of weights must differ, got {twice!r} twice.", wanted, "pairs (name, weight)."
        )
    return {name: framework.weight(weight) for name, weight in pairs}


def _pair(k, weight, framework):
    if framework.weight(weight) is not None:
        return getattr(weight, "name", None) or str(k), weight
    if isinstance(weight, (tuple, list)) and len(weight) == 2:
        return weight
    raise _not_weights(weight)


def _not_weights(found):
    wanted = "a dictionary of parameters, pairs of names and parameters, or parameters."
    advice = "network.named_parameters()."
    return ValueTypeError(f"register_weights: expected parameters, got {describe(found)}.", wanted, advice)


def register_activation_filter(monitor: Any, rule: Rule, kind: Any = Kind.TYPE_I) -> None:
    """Add a rule that decides which outputs of modules to record; the first rule that matches decides.

    Outputs that no rule matches are ignored.

    A rule is a glob of dotted paths, such as ``"encoder.*"``, which matches whole paths; a regular expression that is
    searched in them; or a function of (path, module, output), which returns the kind itself: it is called once for each
    output. The kind is a `Kind` or its code, 0, 1 or 2; also False and True.
    """
    monitor._rules.add(rule, kind)


def register_samples(
    monitor: Any, name: str, inputs: Any, targets: Any = None, *, indices: Sequence[int] | None = None,
    criterion: Callable[[Any, Any], Any] | None = None, num: int = 10, model: str | None = None,
) -> None:  # fmt: skip
    """Add a sample set: examples for which outputs of `Kind.TYPE_II` are kept, computed in evaluation mode.

    The inputs are the arguments of the model, copied, with examples along `sample_axis`. The exemplars are `indices`;
    or the `num` with the largest results of the criterion, chosen anew in each record: it gets (output, targets), and
    returns a number for each example, such as a loss with ``reduction="none"``; or the first `num`. `model` is a name,
    if there are several.
    """
    monitor._exemplars.register(name, inputs, model, targets=targets, indices=indices, criterion=criterion, num=num)


def register_tensor(
    monitor: Any, tensor: Any, name: str, reduce_1st_dim: bool = False, keep_acc: bool = True, keep_abs_acc: bool = True
) -> str:
    """Add a tensor whose values are recorded in a `Statistic`; return its name, numbered if it is taken.

    A function without arguments returns the value; an array is read anew in each record. The last three are as in
    `Statistic`.
    """
    _check_order("register_tensor", ("tensor", "name"), (tensor, name))
    check_source(tensor, "register_tensor")
    settings = {"keep_acc": keep_acc, "keep_abs_acc": keep_abs_acc, "reduce_1st_dim": reduce_1st_dim}
    statistic = Statistic(monitor._length, keep_spread=False, keep_extremes=False, decays=(), **settings)
    return monitor._tensors.add(tensor, checked_name(name, "register_tensor"), statistic)


def register_stats(monitor: Any, name: str, source: Any) -> str:
    """Add a statistic: a `Statistic` in which you record yourself, or a source as in `register_tensor`.

    Its running average is exported under ``stats/``; return its name, numbered if it is taken.
    """
    _check_order("register_stats", ("name", "source"), (name, source))
    name = checked_name(name, "register_stats")
    if isinstance(source, Statistic):
        return monitor._stats.add(None, name, source)
    check_source(source, "register_stats")
    return monitor._stats.add(source, name, Statistic(monitor._length))


def _check_order(who, order, values):
    """Raise if a name and a source of values are given in each other's places."""
    given = dict(zip(order, values))
    source = next(value for key, value in given.items() if key != "name")
    if isinstance(source, str) and not isinstance(given["name"], str):
        swapped = [repr(source) if key == "name" else key for key in order]
        message = f"{who}: {source!r} and {describe(given['name'])} must be exchanged."
        raise ValueTypeError(message, f"{who}({', '.join(order)}).", f"{who}({', '.join(swapped)}).")


def register_metrics(monitor: Any, evaluator: Engine, name: str) -> None:
    """Export the metrics of an engine that evaluates, as ``accuracy/NAME``."""
    monitor._metrics[checked_name(name, "register_metrics")] = checked_engine(evaluator)


def register_weights(monitor: Any, weights: Mapping[str, Parameter] | Iterable[Any]) -> None:
    """Record other weights than the model's; earlier records of weights and gradients are dropped."""
    found = named_weights(weights, monitor._framework)
    keep_weights(monitor, found, found)


def keep_weights(monitor: Any, weights: Mapping[str, Parameter], with_gradients: Mapping[str, Parameter]) -> None:
    """Record these weights from now on, and gradients of these, as far as there is memory."""
    choices = monitor._choices
    for name, weight in {**weights, **with_gradients}.items():
        if value_of(weight) is None:
            monitor.budget.drop(f"weights/{name}", "its elements are not real numbers in memory")
    both = weights, with_gradients
    weights, with_gradients = ({name: w for name, w in one.items() if value_of(w) is not None} for one in both)
    choices.decide(max(sum(np.size(value_of(w)) for w in one.values()) for one in (weights, with_gradients)))
    lean, length = choices.is_exponential, 2 if monitor._length is None else monitor._length + 1
    kept: dict[str, dict[str, Parameter]] = {"weights": {}, "gradients": {}}
    for kind, given in (("weights", weights), ("gradients", with_gradients)):
        for name, weight in given.items():
            width = np.asarray(value_of(weight)).itemsize
            # weights: now and before, counts of flips, and two flags; gradients: two averages, and the window
            sizes = {"weights": width + 6, "gradients": 8} if lean else {"weights": 2 * width + 10}
            if monitor.budget.claim(f"{kind}/{name}", np.size(value_of(weight)) * sizes.get(kind, length * width + 16)):
                kept[kind][name] = weight
    groups = groups_of(monitor, [*weights, *with_gradients])
    alpha, beta = monitor._flip_options
    monitor._weights = WeightRecords(FlatLayout(kept["weights"]), alpha, beta, lean, groups)
    monitor._gradients = GradientRecords(FlatLayout(kept["gradients"]), monitor._length, lean)


def groups_of(monitor: Any, names: Iterable[str]) -> dict[str, str]:
    """Return the name of the model to which each weight belongs: an optimizer moves the weights of a model together."""
    models = sorted(monitor.models, key=len, reverse=True)
    return {name: next((model for model in models if name.startswith(f"{model}.")), "") for name in names}


def register_loss(monitor: Any, loss: Any) -> None:
    """Set the loss: a scalar node, or a function without arguments that returns one or a number.

    It is exported as "loss"; and `record_grads` computes its gradients if it is a node.
    """
    check_source(loss, "register_loss")
    monitor._loss = loss


def register_grad_researcher(monitor: Any, researcher: Callable[[dict[str, Any]], Any]) -> None:
    """Add a function that derives series from `grad_dict`, or changes it, before it is exported.

    It gets the dict, which it may change; it returns None, or a dict of further series: numbers or arrays.
    """
    monitor._researchers.append(callable_with(researcher, "register_grad_researcher", "researcher", ("grad_dict",)))
