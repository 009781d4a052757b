"""Loss modules with PyTorch's names: settings in the constructor, input and target in the call.

`Loss` turns any loss function into a module; the classes below it give the functions of `dark.losses` PyTorch's
names and signatures.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from typing import Any, Self

import dark.losses as losses
from dark.checks import one_of
from dark.errors import UsageError
from dark.losses.input_checks import check_order, has_target
from dark.losses.reduction import REDUCTIONS
from dark.nn.module import Module
from dark.nodes import Node
from dark.typing import Array, ArrayLike


class Loss(Module):
    """A loss function as a module.

    Weights are buffers, as in PyTorch: they belong to the `state_dict` and are converted by `to`. A setting may
    be changed later, ``loss.reduction = "none"``. If the second argument is called `target`, the order of Keras is
    refused, as by the functions of `dark.losses`.

    Parameters
    ----------
    function : callable
        A function of `dark.losses`, or any other loss function.
    reductions : tuple of str, default ("mean", "sum", "none")
        The reductions that the function accepts.
    **settings
        Its keyword arguments.

    Examples
    --------
    >>> loss = Loss(losses.huber, delta=2.0)
    >>> loss(3.0, 1.0).item(), loss
    (2.0, Loss(huber, delta=2.0))
    """

    def __init__(
        self, function: Callable[..., Any], *, reductions: tuple[str, ...] = REDUCTIONS, **settings: Any
    ) -> None:
        super().__init__()
        if "reduction" in settings:
            one_of(settings["reduction"], type(self).__name__, "reduction", reductions)
        for name, value in settings.items():
            if name in ("weight", "pos_weight"):
                self.register_buffer(name, value)
            else:
                setattr(self, name, value)
        self.function, self._settings, self._checks_order = function, tuple(settings), has_target(function)

    def forward(self, *inputs: ArrayLike) -> Node:
        """Compute the loss of an input, mostly against a target."""
        if self._checks_order and len(inputs) == 2:
            check_order(getattr(self.function, "__name__", "loss"), *reversed(inputs))
        return self.function(*inputs, **{name: getattr(self, name) for name in self._settings})

    def with_reduction(self, reduction: str) -> Self:
        """Return a copy of the loss with another reduction; weights are shared.

        >>> loss = MSELoss()
        >>> loss.with_reduction("sum"), loss
        (MSELoss(reduction='sum'), MSELoss())
        """
        if "reduction" not in inspect.signature(self.function).parameters:
            raise UsageError(
                f"{self!r}: the loss function has no argument `reduction`.",
                "a function with this argument, like all of dark.losses.",
                "def loss(input, target, reduction='mean').",
            )
        loss = copy.copy(self)
        loss._buffers, loss._settings = dict(self._buffers), tuple(dict.fromkeys((*self._settings, "reduction")))
        loss.reduction = reduction
        return loss

    def extra_repr(self) -> str:
        """Return the settings that differ from their defaults as text."""
        defaults = {name: p.default for name, p in inspect.signature(self.function).parameters.items()}
        settings = {name: getattr(self, name) for name in self._settings}
        shown = [
            f"{name}={v.tolist() if hasattr(v, 'tolist') else repr(v)}"
            for name, v in settings.items()
            if v is not defaults.get(name) and not (type(v) is type(defaults.get(name)) and v == defaults.get(name))
        ]
        name = getattr(self.function, "__name__", repr(self.function))
        return ", ".join([name, *shown] if type(self) is Loss else shown)


class CrossEntropyLoss(Loss):
    """Cross-entropy between logits and target classes or class probabilities; see `dark.losses.cross_entropy`.

    >>> loss = CrossEntropyLoss(label_smoothing=0.1)
    >>> loss(np.zeros((2, 4)), np.array([0, 3])).item(), loss
    (1.38629436..., CrossEntropyLoss(label_smoothing=0.1))
    """

    def __init__(
        self,
        weight: Array | None = None,
        *,
        ignore_index: int = -100,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__(
            losses.cross_entropy, weight=weight, ignore_index=ignore_index, reduction=reduction,
            label_smoothing=label_smoothing,
        )  # fmt: skip


class NLLLoss(Loss):
    """Negative log-likelihood of target classes, from log-probabilities; see `dark.losses.nll`.

    >>> NLLLoss()(np.log([[0.5, 0.5]]), np.array([1])).item()
    0.69314718...
    """

    def __init__(self, weight: Array | None = None, *, ignore_index: int = -100, reduction: str = "mean") -> None:
        super().__init__(losses.nll, weight=weight, ignore_index=ignore_index, reduction=reduction)


class BCEWithLogitsLoss(Loss):
    """Binary cross-entropy with logits; see `dark.losses.binary_cross_entropy_with_logits`.

    >>> BCEWithLogitsLoss()(np.array([-800.0]), np.array([1.0])).item()
    800.0
    """

    def __init__(
        self, weight: Array | None = None, *, reduction: str = "mean", pos_weight: Array | None = None
    ) -> None:
        super().__init__(
            losses.binary_cross_entropy_with_logits, weight=weight, reduction=reduction, pos_weight=pos_weight
        )


class BCELoss(Loss):
    """Binary cross-entropy from probabilities; see `dark.losses.binary_cross_entropy`.

    >>> BCELoss()(np.array([0.5]), np.array([1.0])).item()
    0.69314718...
    """

    def __init__(self, weight: Array | None = None, *, reduction: str = "mean") -> None:
        super().__init__(losses.binary_cross_entropy, weight=weight, reduction=reduction)


class MSELoss(Loss):
    """Mean squared error; see `dark.losses.mse`.

    >>> MSELoss(reduction="sum")(np.array([1.0, 2.0]), np.array([0.0, 4.0])).item()
    5.0
    """

    def __init__(self, *, reduction: str = "mean") -> None:
        super().__init__(losses.mse, reduction=reduction)


class L1Loss(Loss):
    """Mean absolute error; see `dark.losses.l1`."""

    def __init__(self, *, reduction: str = "mean") -> None:
        super().__init__(losses.l1, reduction=reduction)


class HuberLoss(Loss):
    """Huber loss: quadratic for errors up to `delta`, linear beyond; see `dark.losses.huber`."""

    def __init__(self, *, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(losses.huber, reduction=reduction, delta=delta)


class SmoothL1Loss(Loss):
    """Smooth L1 loss: the Huber loss divided by its threshold `beta`; see `dark.losses.smooth_l1`."""

    def __init__(self, *, reduction: str = "mean", beta: float = 1.0) -> None:
        super().__init__(losses.smooth_l1, reduction=reduction, beta=beta)


class KLDivLoss(Loss):
    """Kullback-Leibler divergence; see `dark.losses.kl_div`."""

    def __init__(self, *, reduction: str = "mean", log_target: bool = False) -> None:
        super().__init__(
            losses.kl_div, reductions=("batchmean", *REDUCTIONS), reduction=reduction, log_target=log_target
        )


class CosineEmbeddingLoss(Loss):
    """Loss of pairs of vectors by their cosine similarity; see `dark.losses.cosine_embedding`."""

    def __init__(self, *, margin: float = 0.0, reduction: str = "mean") -> None:
        super().__init__(losses.cosine_embedding, margin=margin, reduction=reduction)


class TripletMarginLoss(Loss):
    """Triplet margin loss of anchors, positives and negatives; see `dark.losses.triplet_margin`."""

    def __init__(
        self, *, margin: float = 1.0, p: float = 2.0, eps: float = 1e-6, swap: bool = False, reduction: str = "mean"
    ) -> None:
        super().__init__(losses.triplet_margin, margin=margin, p=p, eps=eps, swap=swap, reduction=reduction)


class HingeLoss(Loss):
    """Hinge loss of two classes; see `dark.losses.hinge`. PyTorch has no class of this name."""

    def __init__(self, *, margin: float = 1.0, reduction: str = "mean") -> None:
        super().__init__(losses.hinge, margin=margin, reduction=reduction)


class HingeEmbeddingLoss(Loss):
    """Loss of distances of similar and dissimilar pairs; see `dark.losses.hinge_embedding`."""

    def __init__(self, *, margin: float = 1.0, reduction: str = "mean") -> None:
        super().__init__(losses.hinge_embedding, margin=margin, reduction=reduction)


class MultiMarginLoss(Loss):
    """Multi-class hinge loss; see `dark.losses.multi_margin`."""

    def __init__(
        self, *, p: int = 1, margin: float = 1.0, weight: Array | None = None, reduction: str = "mean"
    ) -> None:
        super().__init__(losses.multi_margin, p=p, margin=margin, weight=weight, reduction=reduction)
