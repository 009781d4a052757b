"""The rule of each optimizer, in plain arithmetic: how a step changes the values of one parameter.

`w` are the values, and `g` is their gradient; arrays with PyTorch's names are the state that the optimizer keeps for
each element. All have one shape, and all but `g` are changed in place. The options follow by name, and `step`, counted
from 1; a rule ignores options that are not its own. `Optimizer.step` calls the rule for each parameter in turn.
`make_update` of each class computes the same bits with fewer new arrays; `fast` calls it for many parameters at once.
"""

from __future__ import annotations

import math

import numpy as np

from dark.typing import Array


def sgd(
    w: Array, g: Array, momentum_buffer: Array | None = None, *, lr: float, momentum: float, dampening: float,
    nesterov: bool, step: int, **others: object,
) -> None:  # fmt: skip
    """Move against the gradient; with momentum, against a decaying sum of all gradients."""
    if (b := momentum_buffer) is not None:
        b *= momentum
        b += g if step == 1 else (1 - dampening) * g
        g = g + momentum * b if nesterov else b
    w -= lr * g


def move_averages(g: Array, m: Array, v: Array, betas: tuple[float, float]) -> None:
    """Move the running averages of the gradient and of its square: ``m ← β₁ m + (1 - β₁) g``, likewise ``v``."""
    beta1, beta2 = betas
    m += (1 - beta1) * (g - m)
    v *= beta2
    v += (1 - beta2) * (g * g)


def adam(
    w: Array, g: Array, exp_avg: Array, exp_avg_sq: Array, max_exp_avg_sq: Array | None = None, *, lr: float,
    betas: tuple[float, float], eps: float, weight_decay: float, decoupled_weight_decay: bool, step: int,
    **others: object,
) -> None:  # fmt: skip
    """Divide the average gradient by the root of the average square; both begin with 0, which is corrected."""
    m, v, correction, root = exp_avg, exp_avg_sq, 1 - betas[0] ** step, math.sqrt(1 - betas[1] ** step)
    move_averages(g, m, v, betas)
    if max_exp_avg_sq is not None:  # amsgrad
        v = np.maximum(max_exp_avg_sq, v, out=max_exp_avg_sq)
    if decoupled_weight_decay:
        w *= 1 - lr * weight_decay
    w -= lr * root / correction * (m / (np.sqrt(v) + eps * root))


def nadam(
    w: Array, g: Array, exp_avg: Array, exp_avg_sq: Array, *, mu_product: float, lr: float, betas: tuple[float, float],
    eps: float, momentum_decay: float, weight_decay: float, decoupled_weight_decay: bool, step: int, **others: object,
) -> None:  # fmt: skip
    """Move as Adam, with momentum that looks one step ahead; `mu_product` is the product of all factors so far."""
    m, v, root = exp_avg, exp_avg_sq, math.sqrt(1 - betas[1] ** step)
    mu, following = (momentum_factor(betas[0], momentum_decay, t) for t in (step, step + 1))
    move_averages(g, m, v, betas)
    if decoupled_weight_decay:
        w *= 1 - lr * weight_decay
    w -= lr * root * (1 - mu) / (1 - mu_product) * (g / (np.sqrt(v) + eps * root))
    w -= lr * root * following / (1 - mu_product * following) * (m / (np.sqrt(v) + eps * root))


def momentum_factor(beta1: float, momentum_decay: float, step: int) -> float:
    """Return the momentum factor of a step of NAdam, which increases to `beta1`."""
    return beta1 * (1 - 0.5 * float(0.96 ** (step * momentum_decay)))


def radam(
    w: Array, g: Array, exp_avg: Array, exp_avg_sq: Array, *, lr: float, betas: tuple[float, float], eps: float,
    weight_decay: float, decoupled_weight_decay: bool, step: int, **others: object,
) -> None:  # fmt: skip
    """Move as Adam, by the average gradient alone until the average square is reliable, then by shorter steps."""
    m, v, size = exp_avg, exp_avg_sq, lr / (1 - betas[0] ** step)
    move_averages(g, m, v, betas)
    if decoupled_weight_decay:
        w *= 1 - lr * weight_decay
    if rectified := rectification(betas[1], step):
        w -= size * (rectified * math.sqrt(1 - betas[1] ** step)) * (m / (np.sqrt(v) + eps))
    else:
        w -= size * m


def rectification(beta2: float, step: int) -> float | None:
    """Return the factor of a step of RAdam; None while there are too few gradients for an average of their squares."""
    longest = 2 / (1 - beta2) - 1
    length = longest - 2 * step * beta2**step / (1 - beta2**step)
    if length <= 5:
        return None
    return math.sqrt((length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length))


def adagrad(
    w: Array, g: Array, sum: Array, *, lr: float, lr_decay: float, eps: float, step: int, **others: object
) -> None:
    """Divide the gradient by the root of the sum of all squares."""
    sum += g * g
    w -= lr / (1 + (step - 1) * lr_decay) * (g / (np.sqrt(sum) + eps))


def rmsprop(
    w: Array, g: Array, square_avg: Array, momentum_buffer: Array | None = None, grad_avg: Array | None = None, *,
    lr: float, alpha: float, eps: float, momentum: float, **others: object,
) -> None:  # fmt: skip
    """Divide the gradient by the root of the average square; centered, by its standard deviation."""
    v, b, mean = square_avg, momentum_buffer, grad_avg
    v *= alpha
    v += (1 - alpha) * (g * g)
    if mean is not None:
        mean += (1 - alpha) * (g - mean)
        v = np.maximum(v - mean * mean, 0)  # rounding may make it negative
    direction = g / (np.sqrt(v) + eps)
    if b is not None:
        b *= momentum
        b += direction
        direction = b
    w -= lr * direction
