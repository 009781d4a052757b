"""`Pix2PixLoss` and `Pix2PixLossSemantic`: sums of a reconstruction loss, an adversarial loss and feature matching."""

from __future__ import annotations

from dark.checks import boolean
from dark.executors.adversarial_types import AdversarialLossType, get_adversarial_loss_generator
from dark.executors.executor import Executor, SumExecutor
from dark.executors.image_losses import CategoricalCrossEntropy, FeatureMatchingLoss, GeneratorL1


class Pix2PixLoss(SumExecutor):
    """The loss of the generator of pix2pix: the L1 distance to the real image, and an adversarial loss.

    Parameters
    ----------
    l1_loss_weight, adversarial_loss_weight, feature_matching_weight : float, default 100, 1 and 10
        The weights of the terms; functions of the step, too.
    adversarial_loss_type : AdversarialLossType or str, default AdversarialLossType.GAN
    use_feature_matching_loss : bool, default False
        Whether `FeatureMatchingLoss` is added.

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
        terms: list[Executor] = [
            l1_loss_weight * GeneratorL1(),
            adversarial_loss_weight * get_adversarial_loss_generator(adversarial_loss_type)(),
        ]
        if boolean(use_feature_matching_loss, "Pix2PixLoss", "use_feature_matching_loss"):
            terms.append(feature_matching_weight * FeatureMatchingLoss())
        super().__init__(terms)


class Pix2PixLossSemantic(SumExecutor):
    """The loss of a generator of class maps: the cross-entropy to the real map, and an adversarial loss.

    Parameters
    ----------
    cross_entropy_weight, adversarial_loss_weight, feature_matching_weight : float, default 100, 1 and 10
        The weights of the terms; functions of the step, too.
    adversarial_loss_type : AdversarialLossType or str, default AdversarialLossType.GAN
    use_feature_matching_loss : bool, default False
        Whether `FeatureMatchingLoss` is added.

    Examples
    --------
    >>> Pix2PixLossSemantic(cross_entropy_weight=50)
    50 * CategoricalCrossEntropy + GeneratorBCE
    """

    def __init__(
        self,
        cross_entropy_weight: float = 100.0,
        adversarial_loss_weight: float = 1.0,
        feature_matching_weight: float = 10.0,
        adversarial_loss_type: AdversarialLossType | str = AdversarialLossType.GAN,
        use_feature_matching_loss: bool = False,
    ) -> None:
        terms: list[Executor] = [
            cross_entropy_weight * CategoricalCrossEntropy(),
            adversarial_loss_weight * get_adversarial_loss_generator(adversarial_loss_type)(),
        ]
        if boolean(use_feature_matching_loss, "Pix2PixLossSemantic", "use_feature_matching_loss"):
            terms.append(feature_matching_weight * FeatureMatchingLoss())
        super().__init__(terms)
