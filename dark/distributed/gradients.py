"""The gradient of a loss of a global batch: the sum over shards of their gradients, weighted by their rows."""

import numpy as np

from dark.checks import brief, describe
from dark.errors import GradientError, ValueTypeError


def add_gradients(strategy, loss_of, batch, module):
    """Add the gradient of the loss to the gradients of a module's parameters; return the loss (`Strategy.backward`)."""
    if isinstance(module, type) or not hasattr(module, "parameters"):
        raise ValueTypeError(
            f"backward: module must be a Module, got {describe(module)}.",
            "the Module that the function calls.",
            "backward(loss_of, batch, net), not its parameters.",
        )
    parameters = [p for p in module.parameters() if p.requires_grad]
    before = [p.grad for p in parameters]
    try:
        loss, reached, *gradients = strategy.sum_over_shards(
            lambda shard: _of_shard(loss_of, shard, parameters), batch, module
        )
    finally:
        for p, grad in zip(parameters, before):
            p.grad = grad
    for p, grad, is_reached in zip(parameters, gradients, reached):
        if is_reached:
            p.grad = grad if p.grad is None else p.grad + grad
    return loss


def _of_shard(loss_of, shard, parameters):
    """Return the weighted loss of a shard, which parameters it depends on, and the gradients."""
    for p in parameters:
        p.grad = None
    loss = loss_of(shard.batch)
    if getattr(loss, "requires_grad", False) is not True:
        raise GradientError(
            f"backward: the loss must require grad, got {brief(loss)}.",
            "a scalar node that depends on the parameters of the module.",
            "return the loss itself, not its value; compute it outside of no_grad().",
        )
    loss = loss * shard.weight
    loss.backward()
    reached = np.array([p.grad is not None for p in parameters])
    gradients = [np.zeros(p.shape, p.dtype) if p.grad is None else p.grad for p in parameters]
    return [loss.item(), reached, *gradients]
