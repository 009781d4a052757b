"""Adversarial losses of generators (`GeneratorBCE`, `GeneratorLSGAN`, `GeneratorHingeLoss`) and of encoders."""

from collections.abc import Callable
from typing import Any

from dark.checks import boolean
from dark.contexts import GANContext, GANEncoderContext
from dark.executors.executor import Executor
from dark.executors.gan_executor import GANExecutor
from dark.executors.reduction import over_scales, required_loss, targets
from dark.nn import BCELoss, BCEWithLogitsLoss, Loss, MSELoss
from dark.nodes import Node


class GeneratorAdversarialLoss(GANExecutor):
    """The loss of the scores of fake examples against the target 1: ``fn(D(fake), 1)``.

    The mean is taken over all axes but the first. If the discriminator returns a list of scores, one for each scale,
    the losses of the scales are added.

    >>> from dark import nn
    >>> from dark.contexts import GANContext
    >>> context = GANContext(discriminator_model=lambda x: x)
    >>> loss = GeneratorAdversarialLoss(nn.L1Loss())
    >>> loss(context, fake=np.array([[0.5], [3.0]]), condition=None, training=True).item()
    1.25
    """

    players = ("generator", "encoder")

    def __init__(self, fn: Loss | Callable[..., Any]) -> None:
        super().__init__(required_loss(fn, type(self).__name__))

    @Executor.reduce_loss
    def call(
        self, context: GANContext, *, fake: Any, condition: Any = None, training: bool = True, **kwargs: Any
    ) -> Node:
        """Return the loss of each fake example."""
        return over_scales(self.of_scores, self.scores(context, fake, condition, training))

    def of_scores(self, d_fake: Node) -> Node:
        """Return the elementwise losses of the scores of a scale."""
        return self.fn(d_fake, targets(d_fake, 1.0))


class GeneratorBCE(GeneratorAdversarialLoss):
    """The non-saturating loss: the binary cross-entropy of the scores of fake examples against the target 1.

    ``log(1 + exp(-D(fake)))`` with logits (`from_logits`), ``-log(D(fake))`` with probabilities.

    References
    ----------
    Goodfellow et al., Generative Adversarial Nets, 2014, section 3, https://arxiv.org/abs/1406.2661.
    """

    def __init__(self, from_logits: bool = True) -> None:
        super().__init__(binary_cross_entropy(from_logits, "GeneratorBCE"))


class GeneratorLSGAN(GeneratorAdversarialLoss):
    """The least-squares loss of the scores of fake examples against the target 1: ``(D(fake) - 1)**2``.

    AshPy computes this, although its documentation has the factor 1/2; `halved` gives half of it, as in the paper.

    References
    ----------
    Mao et al., Least Squares Generative Adversarial Networks, 2017, equation 9, https://arxiv.org/abs/1611.04076.
    """

    def __init__(self, halved: bool = False) -> None:
        super().__init__(MSELoss())
        self.halved = boolean(halved, "GeneratorLSGAN", "halved")

    def of_scores(self, d_fake: Node) -> Node:
        """Return the squared distances to 1, or half of them."""
        losses = super().of_scores(d_fake)
        return 0.5 * losses if self.halved else losses


class GeneratorHingeLoss(GeneratorAdversarialLoss):
    """The loss of the generator that goes with the hinge loss of the discriminator, the negative score: ``-D(fake)``.

    References
    ----------
    Lim, Ye, Geometric GAN, 2017, https://arxiv.org/abs/1705.02894.
    """

    def __init__(self) -> None:
        super().__init__(negative)


def negative(input, target, *, reduction):
    """Return the negative scores, as the losses of examples."""
    return -input


def binary_cross_entropy(from_logits, who):
    """Return the binary cross-entropy for scores that are logits, or probabilities."""
    return BCEWithLogitsLoss() if boolean(from_logits, who, "from_logits") else BCELoss()


class EncoderBCE(GANExecutor):
    """The binary cross-entropy of the scores of real examples and their encodings against the target 0.

    With logits (`from_logits`) that is ``log(1 + exp(D(real, E(real))))``. A discriminator with three inputs gets the
    condition, which AshPy leaves out.

    References
    ----------
    Donahue, Krähenbühl, Darrell, Adversarial Feature Learning, 2017, section 3, https://arxiv.org/abs/1605.09782.
    """

    players = ("encoder",)

    def __init__(self, from_logits: bool = True) -> None:
        super().__init__(binary_cross_entropy(from_logits, "EncoderBCE"))

    @Executor.reduce_loss
    def call(
        self, context: GANEncoderContext, *, real: Any, condition: Any = None, training: bool = True, **kwargs: Any
    ) -> Node:
        """Return the loss of each real example."""
        return over_scales(self.of_scores, self.scores(context, real, condition, training))

    def of_scores(self, d_real: Node) -> Node:
        """Return the elementwise losses of the scores of a scale."""
        return self.fn(d_real, targets(d_real, 0.0))
