"""Losses that compare a generator's outputs with real examples: `GeneratorL1`, `Pix2PixLoss` and more."""

from typing import Any

from dark.checks import boolean
from dark.contexts import GANContext
from dark.contexts.model_view import parameters_of
from dark.errors import UsageError
from dark.executors.discriminator_losses import AdversarialLossType, get_adversarial_loss_generator
from dark.executors.executor import Executor, SumExecutor
from dark.executors.gan_executor import GANExecutor
from dark.executors.reduction import over_scales, per_example
from dark.nn import CrossEntropyLoss, L1Loss
from dark.nodes import Node
from dark.operations import log, maximum

SMALLEST = 1e-7  # a probability whose logarithm is taken


class GeneratorL1(GANExecutor):
    """The mean absolute difference between real and fake examples, of any shape (n, ...): ``mean(abs(fake - real))``.

    References
    ----------
    Isola et al., Image-to-Image Translation with Conditional Adversarial Networks, 2017, equation 3,
    https://arxiv.org/abs/1611.07004.
    """

    players = ("generator", "encoder")

    def __init__(self) -> None:
        super().__init__(L1Loss())

    @Executor.reduce_loss
    def call(self, context: GANContext, *, fake: Any, real: Any, **kwargs: Any) -> Node:
        """Return the loss of each example, from `fake` and `real` of the same shape (n, ...)."""
        return per_example(self.fn(fake, real))


class FeatureMatchingLoss(GANExecutor):
    """The mean absolute difference between the discriminator's features of real and of fake examples.

    ``sum(mean(abs(features(fake)[k] - features(real)[k])) for k in layers)``: the `forward` of the discriminator has an
    argument `return_features`; with True it returns a pair: the scores, and a list of the features of its layers, each
    of any shape (n, ...).

    References
    ----------
    Wang et al., High-Resolution Image Synthesis and Semantic Manipulation with Conditional GANs, 2018, equation 4,
    https://arxiv.org/abs/1711.11585.

    Examples
    --------
    >>> from dark.contexts import GANContext
    >>> def scores(x, return_features=False):
    ...     return (x, [x, 2 * x]) if return_features else x
    >>> context = GANContext(discriminator_model=scores)
    >>> FeatureMatchingLoss()(context, fake=np.zeros((2, 3)), real=np.ones((2, 3))).item()
    3.0
    """

    players = ("generator", "encoder")

    def __init__(self) -> None:
        super().__init__(L1Loss())

    @Executor.reduce_loss
    def call(
        self, context: GANContext, *, fake: Any, real: Any, condition: Any = None, training: bool = True, **kwargs: Any
    ) -> Node:
        """Return the loss of each pair of a real and a fake example."""
        fakes, reals = (
            _features(context, self.get_discriminator_inputs(context, x, condition, training), training)
            for x in (fake, real)
        )
        return over_scales(self.fn, fakes, reals)


class CategoricalCrossEntropy(GANExecutor):
    """The cross-entropy between class maps: real classes, and the distributions that the generator computed.

    ``mean(-sum(real * log(fake), axis=1))``; probabilities below 1e-7 count as 1e-7, and are divided by their sum,
    unless they are logits (`from_logits`). As everywhere in `dark`, the classes are axis 1: shape (n, k) or (n, k,
    ...). AshPy has them in the last axis.

    >>> fake, real = np.array([[0.25, 0.75]]), np.array([[1.0, 0.0]])
    >>> CategoricalCrossEntropy()(None, fake=fake, real=real).item()
    1.386294361...
    """

    players = ("generator", "encoder")

    def __init__(self, from_logits: bool = False) -> None:
        super().__init__(CrossEntropyLoss())
        self.from_logits = boolean(from_logits, "CategoricalCrossEntropy", "from_logits")

    @Executor.reduce_loss
    def call(self, context: GANContext, *, fake: Any, real: Any, **kwargs: Any) -> Node:
        """Return the loss of each example.

        `fake`, shape (n, k, ...), has the distribution over k classes at each position, or logits; `real` one-hot
        vectors or probabilities of the same shape, or class indices, shape (n, ...).
        """
        return per_example(self.fn(fake if self.from_logits else log(maximum(fake, SMALLEST)), real))


def _features(context, inputs, training):
    """Return the list of features that the discriminator computes."""
    model = context.discriminator_model
    can_return = "return_features" in parameters_of(model.module)
    found = model(inputs, training=training, return_features=True) if can_return else None
    if not (isinstance(found, tuple) and len(found) == 2 and isinstance(found[1], (list, tuple)) and found[1]):
        raise UsageError(
            "FeatureMatchingLoss: the discriminator must return features.",
            "with return_features=True, a pair: the scores, and a list of the features of its layers.",
            "def forward(self, x, return_features=False) in the discriminator.",
        )
    return found[1]


class Pix2PixLoss(SumExecutor):
    """The loss of the generator of pix2pix: the L1 distance to the real image, and an adversarial loss.

    The weights of the terms may be functions of the step, too. `use_feature_matching_loss` adds a
    `FeatureMatchingLoss`.

    References
    ----------
    Isola et al., Image-to-Image Translation with Conditional Adversarial Networks, 2017, equation 4,
    https://arxiv.org/abs/1611.07004; with feature matching: Wang et al., 2018, https://arxiv.org/abs/1711.11585.

    Examples
    --------
    >>> Pix2PixLoss()
    100 * GeneratorL1 + GeneratorBCE
    >>> Pix2PixLoss(adversarial_loss_type=AdversarialLossType.LSGAN, use_feature_matching_loss=True)
    100 * GeneratorL1 + GeneratorLSGAN + 10 * FeatureMatchingLoss
    """

    def __init__(
        self,
        l1_loss_weight: float = 100.0,
        adversarial_loss_weight: float = 1.0,
        feature_matching_weight: float = 10.0,
        adversarial_loss_type: AdversarialLossType | str = AdversarialLossType.GAN,
        use_feature_matching_loss: bool = False,
    ) -> None:
        weights = adversarial_loss_weight, feature_matching_weight
        others = _adversarial_terms("Pix2PixLoss", weights, adversarial_loss_type, use_feature_matching_loss)
        super().__init__([l1_loss_weight * GeneratorL1(), *others])


class Pix2PixLossSemantic(SumExecutor):
    """The loss of a generator of class maps: the cross-entropy to the real map, and the others of `Pix2PixLoss`."""

    def __init__(
        self,
        cross_entropy_weight: float = 100.0,
        adversarial_loss_weight: float = 1.0,
        feature_matching_weight: float = 10.0,
        adversarial_loss_type: AdversarialLossType | str = AdversarialLossType.GAN,
        use_feature_matching_loss: bool = False,
    ) -> None:
        weights = adversarial_loss_weight, feature_matching_weight
        others = _adversarial_terms("Pix2PixLossSemantic", weights, adversarial_loss_type, use_feature_matching_loss)
        super().__init__([cross_entropy_weight * CategoricalCrossEntropy(), *others])


def _adversarial_terms(who, weights, adversarial_loss_type, use_features):
    """Return the adversarial loss of a type, and feature matching if it is used, with their weights."""
    adversarial = weights[0] * get_adversarial_loss_generator(adversarial_loss_type)()
    used = boolean(use_features, who, "use_feature_matching_loss")
    return [adversarial, weights[1] * FeatureMatchingLoss()] if used else [adversarial]
