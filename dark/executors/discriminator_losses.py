"""Losses of discriminators, and `AdversarialLossType`: the losses of generator and discriminator of each type."""

from collections.abc import Callable
from enum import Enum
from typing import Any

from dark.checks import number, one_of
from dark.contexts import GANContext
from dark.descriptions import brief
from dark.errors import UsageError, near_misses
from dark.executors.executor import Executor
from dark.executors.gan_executor import GANExecutor
from dark.executors.generator_losses import GeneratorBCE, GeneratorHingeLoss, GeneratorLSGAN, binary_cross_entropy
from dark.executors.reduction import over_scales, required_loss, targets
from dark.nn import HingeLoss, Loss, MSELoss
from dark.nodes import Node

SMOOTHINGS = {"keras": 0.5, "one-sided": 1.0}


class DiscriminatorAdversarialLoss(GANExecutor):
    """The mean loss of real examples against the target 1 and of fake ones: ``(fn(D(real), 1) + fn(D(fake), 0)) / 2``.

    The mean is taken over all axes but the first. If the discriminator returns lists of scores, one for each scale, the
    losses of the scales are added.

    >>> from dark import nn
    >>> from dark.contexts import GANContext
    >>> context = GANContext(discriminator_model=lambda x: x)
    >>> loss = DiscriminatorAdversarialLoss(nn.L1Loss())
    >>> loss(context, fake=np.array([[0.5]]), real=np.array([[2.0]]), condition=None, training=True).item()
    0.75
    """

    players = ("discriminator",)

    real_target = 1.0

    def __init__(self, fn: Loss | Callable[..., Any]) -> None:
        super().__init__(required_loss(fn, type(self).__name__))

    @Executor.reduce_loss
    def call(
        self, context: GANContext, *, fake: Any, real: Any, condition: Any = None, training: bool = True, **kwargs: Any
    ) -> Node:
        """Return the loss of each pair of a real and a fake example."""
        scores = (self.scores(context, x, condition, training) for x in (real, fake))
        return over_scales(self.of_scores, *scores)

    def of_scores(self, d_real: Node, d_fake: Node) -> Node:
        """Return the elementwise losses of the scores of a scale."""
        return 0.5 * (self.fn(d_real, targets(d_real, self.real_target)) + self.fn(d_fake, targets(d_fake, 0.0)))


class DiscriminatorMinMax(DiscriminatorAdversarialLoss):
    """The binary cross-entropy of the scores of real examples against 1 and of fake ones against 0.

    ``(log(1 + exp(-D(real))) + log(1 + exp(D(fake)))) / 2`` with logits (`from_logits`) and without smoothing. From 0
    to 1, `label_smoothing` lowers the target of real examples, not of fake ones: to ``1 - label_smoothing / 2``,
    as in AshPy and Keras, or with `smoothing` "one-sided" to ``1 - label_smoothing``, as in the paper by Salimans et
    al.

    References
    ----------
    Goodfellow et al., Generative Adversarial Nets, 2014, https://arxiv.org/abs/1406.2661.
    Salimans et al., Improved Techniques for Training GANs, 2016, section 3.4, https://arxiv.org/abs/1606.03498.

    Examples
    --------
    >>> from dark.contexts import GANContext
    >>> context = GANContext(discriminator_model=lambda x: x)
    >>> scores = {"real": np.array([[2.0]]), "fake": np.array([[-2.0]])}
    >>> [round(DiscriminatorMinMax(label_smoothing=s)(context, **scores).item(), 6) for s in (0.0, 0.2)]
    [0.126928, 0.226928]
    """

    def __init__(self, from_logits: bool = True, label_smoothing: float = 0.0, *, smoothing: str = "keras") -> None:
        who = "DiscriminatorMinMax"
        super().__init__(binary_cross_entropy(from_logits, who))
        smoothed = number(label_smoothing, who, "label_smoothing", least=0, most=1)
        self.real_target = 1.0 - SMOOTHINGS[one_of(smoothing, who, "smoothing", SMOOTHINGS)] * smoothed


class DiscriminatorLSGAN(DiscriminatorAdversarialLoss):
    """The least-squares loss of the scores of real and of fake examples: ``((D(real) - 1)**2 + D(fake)**2) / 2``.

    References
    ----------
    Mao et al., Least Squares Generative Adversarial Networks, 2017, equation 9, https://arxiv.org/abs/1611.04076.
    """

    def __init__(self) -> None:
        super().__init__(MSELoss())


class DiscriminatorHingeLoss(DiscriminatorAdversarialLoss):
    """The hinge loss of the scores of real and of fake examples: ``max(0, 1 - D(real)) + max(0, 1 + D(fake))``.

    The derivative at the kinks is 0.

    References
    ----------
    Lim, Ye, Geometric GAN, 2017, https://arxiv.org/abs/1705.02894.
    """

    def __init__(self) -> None:
        super().__init__(HingeLoss())

    def of_scores(self, d_real: Node, d_fake: Node) -> Node:
        """Return the hinge losses of both scores."""
        return self.fn(d_real, targets(d_real, 1.0)) + self.fn(d_fake, targets(d_fake, -1.0))


class AdversarialLossType(Enum):
    """The kinds of adversarial losses."""

    GAN = "GAN"
    LSGAN = "LSGAN"
    HINGE_LOSS = "HINGE_LOSS"


LOSSES: dict[AdversarialLossType, tuple[Any, Any]] = {
    AdversarialLossType.GAN: (GeneratorBCE, DiscriminatorMinMax),
    AdversarialLossType.LSGAN: (GeneratorLSGAN, DiscriminatorLSGAN),
    AdversarialLossType.HINGE_LOSS: (GeneratorHingeLoss, DiscriminatorHingeLoss),
}


def get_adversarial_loss_generator(
    adversarial_loss_type: AdversarialLossType | str,
) -> type[GeneratorBCE] | type[GeneratorLSGAN] | type[GeneratorHingeLoss]:
    """Return the class of the generator's loss of a type, or of its name.

    >>> get_adversarial_loss_generator("LSGAN")().name, get_adversarial_loss_discriminator("HINGE_LOSS")().name
    ('GeneratorLSGAN', 'DiscriminatorHingeLoss')
    """
    return LOSSES[_type_of(adversarial_loss_type, "get_adversarial_loss_generator")][0]


def get_adversarial_loss_discriminator(
    adversarial_loss_type: AdversarialLossType | str,
) -> type[DiscriminatorMinMax] | type[DiscriminatorLSGAN] | type[DiscriminatorHingeLoss]:
    """Return the class of the discriminator's loss of a type, or of its name."""
    return LOSSES[_type_of(adversarial_loss_type, "get_adversarial_loss_discriminator")][1]


def _type_of(value, who):
    if isinstance(value, AdversarialLossType):
        return value
    names = AdversarialLossType.__members__
    if not isinstance(value, str) or value not in names:
        raise UsageError(
            f"{who}: unknown type {brief(value)}.",
            f"an AdversarialLossType: {', '.join(names)}.",
            near_misses(value, names),
        )
    return names[value]
