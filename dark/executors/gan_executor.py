"""`GANExecutor`: the base class of losses that call a discriminator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dark.executors.executor import Executor
from dark.executors.models import get_discriminator_inputs

if TYPE_CHECKING:
    from dark.contexts import GANContext


class GANExecutor(Executor):
    """Base class of losses of generative adversarial networks.

    A subclass defines `call`, mostly as ``call(self, context, *, fake, real, condition=None, training=True, **kwargs)``
    with the arguments it needs: a `GANContext`; nodes or arrays, shape (n, ...); a condition, if there is one; and the
    mode in which models are called. Further arguments belong to other losses, and are ignored.
    """

    def scores(self, context: GANContext, fake_or_real: Any, condition: Any, training: bool) -> Any:
        """Return what the discriminator computes for examples; see `get_discriminator_inputs`."""
        inputs = self.get_discriminator_inputs(context, fake_or_real, condition, training)
        return context.discriminator_model(inputs, training=training)

    @staticmethod
    def get_discriminator_inputs(context: GANContext, fake_or_real: Any, condition: Any, training: bool) -> Any:
        """Return what the discriminator is called with: the example x, or a list of it, its encoding and its condition.

        That depends on the number of inputs that its `forward` declares; arguments with a default do not count, unless
        they are called `encoding` or `condition`. The encoder is called in the mode `training`.

        ==================== ============ ================= ============================
        context              1 input      2 inputs          3 inputs
        ==================== ============ ================= ============================
        `GANContext`         x            [x, condition]    refused
        `GANEncoderContext`  refused      [x, encoder(x)]   [x, encoder(x), condition]
        ==================== ============ ================= ============================

        A `forward` with one parameter that is called `inputs`, or annotated as a list, takes all of them as one list,
        as in Keras and AshPy: x, encoder(x) in a `GANEncoderContext`, and the condition unless it is None.
        """
        return get_discriminator_inputs(context, fake_or_real, condition, training)
