"""Losses as numbers, and measuring models without changing them."""

import random
from contextlib import contextmanager
from functools import partial
from types import MappingProxyType

import numpy as np

from dark.errors import UsageError, near_misses
from dark.generators import named_generators, set_states, state_of
from dark.metrics import Loss
from dark.nodes import no_grad


def numbers(players, losses):
    """Return losses under the names that they have in the context, then the values of the terms of each, as numbers."""
    pairs = [(player.label, loss.item()) for player, loss in zip(players, losses)]
    for player in players:
        pairs += getattr(player.loss, "values", dict)().items()
    return pairs


def named(count, pairs, before=MappingProxyType({})):
    """Return numbers by name, after the numbers of an update before.

    The first `count` pairs are losses, which keep their names; of the others, a name that is taken is numbered.

    >>> named(1, [("loss", 0.5), ("L1", 0.2), ("loss", 0.3)], {"L1": 1.0})
    {'L1': 1.0, 'loss': 0.5, 'L1 2': 0.2, 'loss 2': 0.3}
    """
    found = {**before, **dict(pairs[:count])}
    for name, value in pairs[count:]:
        found[_free(name, found)] = value
    return found


def _free(name, taken):
    new, k = name, 1
    while new in taken:
        k += 1
        new = f"{name} {k}"
    return new


def attach_metrics(evaluator, context, losses):
    """Attach the metrics of a context to an evaluator, and the mean of each loss, unless a metric has its name."""
    for name, metric in context.metrics.items():
        metric.attach(evaluator, name)
    for name in losses:
        if name not in context.metrics.names:
            mean = Loss(_first, partial(_with_size, name), batch_size=int)
            mean.attach(evaluator, name)


def _with_size(name, output):
    return output[name], output["size"]


def _first(loss, size):
    return loss


def result(trainer, metric):
    """Return a result of the last measurement of the validation set."""
    found = trainer.validation
    if metric not in found:
        raise UsageError(
            f"save_best: {metric!r} was not measured on a validation set.",
            f"one of {', '.join(found)}." if found else "a validation set.",
            near_misses(metric, found) if found else "run(data, validation_set=…)",
        )
    return found[metric]


@contextmanager
def unchanged(context, players, draws=False):
    """Record no graph, and restore the state that calls change: running statistics and random generators.

    The generators belong to the models, or are the global ones of NumPy and Python, from which a model may draw.
    `draws` restores them in any mode, because the shards of a strategy draw from the generators of the models.
    """
    with no_grad():
        if not (draws or context.log_eval_mode.is_training):
            yield
            return
        modules = [player.module for player in players.values()]
        buffers = [{name: buffer.copy() for name, buffer in module.named_buffers()} for module in modules]
        generators = [(name, g, state_of(g)) for module in modules for name, g in named_generators(module).items()]
        shared = np.random.get_state(legacy=False), random.getstate()
        try:
            yield
        finally:
            np.random.set_state(shared[0])
            random.setstate(shared[1])
            for module, saved in zip(modules, buffers):
                module.load_state_dict({n: b for n, b in saved.items() if n in module.state_dict()}, strict=False)
            set_states(generators, "evaluate")
