"""`EncoderBCE`: the loss of an encoder in an adversarial network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dark.executors.executor import Executor
from dark.executors.gan_executor import GANExecutor
from dark.executors.generator_losses import binary_cross_entropy
from dark.executors.per_example import over_scales, targets

if TYPE_CHECKING:
    from dark.contexts import GANEncoderContext
    from dark.nodes import Node


class EncoderBCE(GANExecutor):
    """The binary cross-entropy of the scores of real examples and their encodings against the target 0.

    With logits (`from_logits`) that is ``log(1 + exp(D(real, E(real))))``. A discriminator with three inputs gets the
    condition, which AshPy leaves out.

    References
    ----------
    Donahue, Krähenbühl, Darrell, Adversarial Feature Learning, 2017, section 3, https://arxiv.org/abs/1605.09782.

    Examples
    --------
    >>> import numpy as np
    >>> from dark.contexts import GANEncoderContext
    >>> context = GANEncoderContext(discriminator_model=lambda x, encoding: encoding, encoder_model=lambda x: x)
    >>> round(EncoderBCE()(context, real=np.array([[1.0]])).item(), 6)
    1.313262
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
        """Return the elementwise losses of the scores of one scale."""
        return self.fn(d_real, targets(d_real, 0.0))
