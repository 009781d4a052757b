"""Executors: losses as objects that are computed from a context, and can be added, subtracted and scaled.

Reading order: `executor` with `expression`; `reduction` (from losses of examples to one number); `weight` (factors
that depend on the step). Then the losses: `gan_executor` (and the models of a context), `classifier_loss`,
`generator_losses`, `discriminator_losses` and `image_losses`.
"""

from dark.executors.discriminator_losses import AdversarialLossType, DiscriminatorAdversarialLoss
from dark.executors.discriminator_losses import DiscriminatorHingeLoss, DiscriminatorLSGAN, DiscriminatorMinMax
from dark.executors.discriminator_losses import get_adversarial_loss_discriminator
from dark.executors.discriminator_losses import get_adversarial_loss_generator
from dark.executors.classifier_loss import ClassifierLoss
from dark.executors.generator_losses import EncoderBCE
from dark.executors.executor import Executor, SumExecutor
from dark.executors.gan_executor import GANExecutor
from dark.executors.generator_losses import GeneratorAdversarialLoss, GeneratorBCE, GeneratorHingeLoss, GeneratorLSGAN
from dark.executors.image_losses import CategoricalCrossEntropy, FeatureMatchingLoss, GeneratorL1
from dark.executors.image_losses import Pix2PixLoss, Pix2PixLossSemantic
from dark.executors.weight import Schedule, constant, cosine, linear
from dark.executors.expression import Term
from dark.executors.weight import Weight

__all__ = [
    "AdversarialLossType", "CategoricalCrossEntropy", "ClassifierLoss", "DiscriminatorAdversarialLoss",
    "DiscriminatorHingeLoss", "DiscriminatorLSGAN", "DiscriminatorMinMax", "EncoderBCE", "Executor",
    "FeatureMatchingLoss", "GANExecutor", "GeneratorAdversarialLoss", "GeneratorBCE", "GeneratorHingeLoss",
    "GeneratorL1", "GeneratorLSGAN", "Pix2PixLoss", "Pix2PixLossSemantic", "Schedule", "SumExecutor", "Term", "Weight",
    "constant", "cosine", "get_adversarial_loss_discriminator", "get_adversarial_loss_generator", "linear",
]  # fmt: skip
