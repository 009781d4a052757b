"""AshPy's path to the adversarial losses, which are in `dark.executors`."""

from typing import TYPE_CHECKING

from dark.losses.from_executors import on_request

if TYPE_CHECKING:
    from dark.executors import AdversarialLossType as AdversarialLossType
    from dark.executors import CategoricalCrossEntropy as CategoricalCrossEntropy
    from dark.executors import DiscriminatorAdversarialLoss as DiscriminatorAdversarialLoss
    from dark.executors import DiscriminatorHingeLoss as DiscriminatorHingeLoss
    from dark.executors import DiscriminatorLSGAN as DiscriminatorLSGAN
    from dark.executors import DiscriminatorMinMax as DiscriminatorMinMax
    from dark.executors import EncoderBCE as EncoderBCE
    from dark.executors import FeatureMatchingLoss as FeatureMatchingLoss
    from dark.executors import GANExecutor as GANExecutor
    from dark.executors import GeneratorAdversarialLoss as GeneratorAdversarialLoss
    from dark.executors import GeneratorBCE as GeneratorBCE
    from dark.executors import GeneratorHingeLoss as GeneratorHingeLoss
    from dark.executors import GeneratorL1 as GeneratorL1
    from dark.executors import GeneratorLSGAN as GeneratorLSGAN
    from dark.executors import Pix2PixLoss as Pix2PixLoss
    from dark.executors import Pix2PixLossSemantic as Pix2PixLossSemantic
    from dark.executors import get_adversarial_loss_discriminator as get_adversarial_loss_discriminator
    from dark.executors import get_adversarial_loss_generator as get_adversarial_loss_generator

__all__ = [
    "AdversarialLossType", "CategoricalCrossEntropy", "DiscriminatorAdversarialLoss", "DiscriminatorHingeLoss",
    "DiscriminatorLSGAN", "DiscriminatorMinMax", "EncoderBCE", "FeatureMatchingLoss", "GANExecutor",
    "GeneratorAdversarialLoss", "GeneratorBCE", "GeneratorHingeLoss", "GeneratorL1", "GeneratorLSGAN", "Pix2PixLoss",
    "Pix2PixLossSemantic", "get_adversarial_loss_discriminator", "get_adversarial_loss_generator",
]  # fmt: skip
__getattr__ = on_request(__name__, __all__)
