"""`AdversarialLossType`, and the losses of generator and discriminator of each type."""

from enum import Enum
from typing import Any

from dark.descriptions import brief
from dark.errors import UsageError, near_misses
from dark.executors.discriminator_losses import DiscriminatorHingeLoss, DiscriminatorLSGAN, DiscriminatorMinMax
from dark.executors.generator_losses import GeneratorBCE, GeneratorHingeLoss, GeneratorLSGAN


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

    Examples
    --------
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
