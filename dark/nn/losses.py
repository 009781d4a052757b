"""The losses of `dark.losses` as modules, under PyTorch's names: settings when they are built, arrays when called."""

import inspect

from dark import losses
from dark.losses.input_checks import checked_reduction
from dark.nn.module import Module


class Loss(Module):
    """What the losses share: settings that stand in attributes, and a function that is called with them.

    Weights are buffers, as in PyTorch: they belong to the `state_dict` and follow `to`. A setting may be
    changed later, ``loss.reduction = "none"``.
    """

    function = None
    reductions = ("mean", "sum", "none")

    def __init__(self, *, weight=None, pos_weight=None, **settings):
        super().__init__()
        checked_reduction(settings["reduction"], type(self).__name__, self.reductions)
        known = inspect.signature(type(self)).parameters
        for name, value in (("weight", weight), ("pos_weight", pos_weight)):
            if name in known:
                self.register_buffer(name, value)
        for name, value in settings.items():
            setattr(self, name, value)
        self._settings = tuple(known)

    def forward(self, *inputs):
        """Compute the loss of what was computed and what is right."""
        return type(self).function(*inputs, **{name: getattr(self, name) for name in self._settings})

    def extra_repr(self):
        """Return the settings that are not the usual ones."""
        usual = {name: p.default for name, p in inspect.signature(type(self)).parameters.items()}
        settings = {name: getattr(self, name) for name in usual}
        return ", ".join(
            f"{name}={v.tolist() if hasattr(v, 'tolist') else repr(v)}"
            for name, v in settings.items()
            if v is not usual[name] and not (type(v) is type(usual[name]) and v == usual[name])
        )


class CrossEntropyLoss(Loss):
    """Cross entropy of logits and classes, or probabilities of classes; see `dark.losses.cross_entropy`.

    Examples
    --------
    >>> import numpy as np
    >>> loss = CrossEntropyLoss(label_smoothing=0.1)
    >>> loss(np.zeros((2, 4)), np.array([0, 3])).item(), loss
    (1.38629436..., CrossEntropyLoss(label_smoothing=0.1))
    """

    function = staticmethod(losses.cross_entropy)

    def __init__(self, weight=None, *, ignore_index=-100, reduction="mean", label_smoothing=0.0):
        super().__init__(weight=weight, ignore_index=ignore_index, reduction=reduction, label_smoothing=label_smoothing)


class NLLLoss(Loss):
    """Negative likelihood of classes, from logarithms of probabilities; see `dark.losses.nll`.

    Examples
    --------
    >>> import numpy as np
    >>> NLLLoss()(np.log([[0.5, 0.5]]), np.array([1])).item()
    0.69314718...
    """

    function = staticmethod(losses.nll)

    def __init__(self, weight=None, *, ignore_index=-100, reduction="mean"):
        super().__init__(weight=weight, ignore_index=ignore_index, reduction=reduction)


class BCEWithLogitsLoss(Loss):
    """Cross entropy of yes and no, from logits; see `dark.losses.binary_cross_entropy_with_logits`.

    Examples
    --------
    >>> import numpy as np
    >>> BCEWithLogitsLoss()(np.array([-800.0]), np.array([1.0])).item()
    800.0
    """

    function = staticmethod(losses.binary_cross_entropy_with_logits)

    def __init__(self, weight=None, *, reduction="mean", pos_weight=None):
        super().__init__(weight=weight, reduction=reduction, pos_weight=pos_weight)


class BCELoss(Loss):
    """Cross entropy of yes and no, from probabilities; see `dark.losses.binary_cross_entropy`.

    Examples
    --------
    >>> import numpy as np
    >>> BCELoss()(np.array([0.5]), np.array([1.0])).item()
    0.69314718...
    """

    function = staticmethod(losses.binary_cross_entropy)

    def __init__(self, weight=None, *, reduction="mean"):
        super().__init__(weight=weight, reduction=reduction)


class MSELoss(Loss):
    """Mean of the squares of differences; see `dark.losses.mse`.

    Examples
    --------
    >>> import numpy as np
    >>> MSELoss(reduction="sum")(np.array([1.0, 2.0]), np.array([0.0, 4.0])).item()
    5.0
    """

    function = staticmethod(losses.mse)

    def __init__(self, *, reduction="mean"):
        super().__init__(reduction=reduction)


class L1Loss(Loss):
    """Mean of absolute differences; see `dark.losses.l1`."""

    function = staticmethod(losses.l1)

    def __init__(self, *, reduction="mean"):
        super().__init__(reduction=reduction)


class HuberLoss(Loss):
    """Squares of small differences, absolute values of large ones; see `dark.losses.huber`."""

    function = staticmethod(losses.huber)

    def __init__(self, *, reduction="mean", delta=1.0):
        super().__init__(reduction=reduction, delta=delta)


class SmoothL1Loss(Loss):
    """Absolute differences whose kink is rounded; see `dark.losses.smooth_l1`."""

    function = staticmethod(losses.smooth_l1)

    def __init__(self, *, reduction="mean", beta=1.0):
        super().__init__(reduction=reduction, beta=beta)


class KLDivLoss(Loss):
    """Divergence of a distribution from the right one; see `dark.losses.kl_div`."""

    function = staticmethod(losses.kl_div)
    reductions = ("batchmean", "mean", "sum", "none")

    def __init__(self, *, reduction="mean", log_target=False):
        super().__init__(reduction=reduction, log_target=log_target)


class CosineEmbeddingLoss(Loss):
    """Angles of pairs of vectors; see `dark.losses.cosine_embedding`."""

    function = staticmethod(losses.cosine_embedding)

    def __init__(self, *, margin=0.0, reduction="mean"):
        super().__init__(margin=margin, reduction=reduction)


class TripletMarginLoss(Loss):
    """Distances of vectors to their like and their unlike; see `dark.losses.triplet_margin`."""

    function = staticmethod(losses.triplet_margin)

    def __init__(self, *, margin=1.0, p=2.0, eps=1e-6, swap=False, reduction="mean"):
        super().__init__(margin=margin, p=p, eps=eps, swap=swap, reduction=reduction)


class HingeLoss(Loss):
    """Scores of two classes on their sides of 0; see `dark.losses.hinge`. PyTorch has no class of this name."""

    function = staticmethod(losses.hinge)

    def __init__(self, *, margin=1.0, reduction="mean"):
        super().__init__(margin=margin, reduction=reduction)


class HingeEmbeddingLoss(Loss):
    """Distances of pairs, small or larger than a margin; see `dark.losses.hinge_embedding`."""

    function = staticmethod(losses.hinge_embedding)

    def __init__(self, *, margin=1.0, reduction="mean"):
        super().__init__(margin=margin, reduction=reduction)


class MultiMarginLoss(Loss):
    """Scores of classes, the right one above the others by a margin; see `dark.losses.multi_margin`."""

    function = staticmethod(losses.multi_margin)

    def __init__(self, *, p=1, margin=1.0, weight=None, reduction="mean"):
        super().__init__(p=p, margin=margin, weight=weight, reduction=reduction)
