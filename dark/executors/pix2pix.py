"""`Pix2PixLoss` and `Pix2PixLossSemantic`: sums of a reconstruction loss, an adversarial loss and feature matching."""

from dark.checks import boolean
from dark.executors.discriminator_losses import AdversarialLossType, get_adversarial_loss_generator
from dark.executors.executor import SumExecutor
from dark.executors.image_losses import CategoricalCrossEntropy, FeatureMatchingLoss, GeneratorL1


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
