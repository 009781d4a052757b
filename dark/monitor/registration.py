"""Methods that register with a monitor: rules, sample sets, tensors, weights, losses, researchers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from dark.checks import callable_with, describe
from dark.engine import Engine
from dark.errors import ValueTypeError
from dark.monitor import model_checks
from dark.monitor.activations.rules import Kind, Rule
from dark.monitor.records.flat_layout import FlatLayout
from dark.monitor.records.gradient_records import GradientRecords
from dark.monitor.records.registered import check_source
from dark.monitor.records.weight_records import WeightRecords
from dark.monitor.statistic import Statistic
from dark.nodes import Parameter, value_of


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
    return monitor._tensors.add(tensor, model_checks.checked_name(name, "register_tensor"), statistic)


def register_stats(monitor: Any, name: str, source: Any) -> str:
    """Add a statistic: a `Statistic` in which you record yourself, or a source as in `register_tensor`.

    Its running average is exported under ``stats/``; return its name, numbered if it is taken.
    """
    _check_order("register_stats", ("name", "source"), (name, source))
    name = model_checks.checked_name(name, "register_stats")
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
        raise ValueTypeError(
            f"{who}: {source!r} and {describe(given['name'])} are exchanged.",
            f"{who}({', '.join(order)}).",
            f"{who}({', '.join(swapped)}).",
        )


def register_metrics(monitor: Any, evaluator: Engine, name: str) -> None:
    """Export the metrics of an engine that evaluates, as ``accuracy/NAME``."""
    monitor._metrics[model_checks.checked_name(name, "register_metrics")] = model_checks.checked_engine(evaluator)


def register_weights(monitor: Any, weights: Mapping[str, Parameter] | Iterable[Any]) -> None:
    """Record other weights than the model's; earlier records of weights and gradients are dropped."""
    kept: dict[str, dict[str, Any]] = {"weights": {}, "gradients": {}}
    length = 2 if monitor._length is None else monitor._length + 1
    for name, weight in model_checks.named_weights(weights).items():
        value = value_of(weight)
        size, width = np.size(value), np.asarray(value).itemsize
        if monitor.budget.claim(f"weights/{name}", size * (2 * width + 10)):  # now, before; flips in float64, two flags
            kept["weights"][name] = weight
        if monitor.budget.claim(f"gradients/{name}", size * (length * width + 2 * 8)):  # and two averages in float64
            kept["gradients"][name] = weight
    monitor._weights = WeightRecords(FlatLayout(kept["weights"]), *monitor._flip_options)
    monitor._gradients = GradientRecords(FlatLayout(kept["gradients"]), monitor._length)


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
