"""`GANExecutor`: the base class of losses that call a discriminator; and the models of a context."""

from typing import Any

from dark.checks import describe
from dark.contexts import Context, GANContext, GANEncoderContext
from dark.contexts.model_view import count_of_inputs, parameters_of, takes_list
from dark.errors import UsageError, ValueTypeError
from dark.executors.executor import Executor


class GANExecutor(Executor):
    """Base class of losses of generative adversarial networks.

    A subclass defines `call`, mostly as ``call(self, context, *, fake, real, condition=None, training=True, **kwargs)``
    with the arguments it needs: a `GANContext`; nodes or arrays, shape (n, ...); a condition, if there is one; and the
    mode in which models are called. Further arguments belong to other losses, and are ignored.
    """

    def scores(self, context: GANContext, fake_or_real: Any, condition: Any, training: bool) -> Any:
        """Return the discriminator's outputs for examples; see `get_discriminator_inputs`."""
        inputs = self.get_discriminator_inputs(context, fake_or_real, condition, training)
        return context.discriminator_model(inputs, training=training)

    @staticmethod
    def get_discriminator_inputs(context: GANContext, fake_or_real: Any, condition: Any, training: bool) -> Any:
        """Return the discriminator's inputs: the example x, or a list of it, its encoding and its condition.

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


MISSING = object()


def required_model(context, name, kind):
    """Return a model of a context."""
    model = getattr(context, name, MISSING) if isinstance(context, Context) else MISSING
    if model is MISSING:
        raise ValueTypeError(
            f"context must have {name}, which a loss needs, got {describe(context)}.",
            f"a {kind.__name__}.",
            f"{kind.__name__}({name}=…).",
        )
    if model is None:
        who = type(context).__name__
        raise UsageError(f"{who}: {name} must be given, got None.", "a model.", f"{who}({name}=…), with a module.")
    return model


PLAIN = "1 input (x), or 2 (x, condition)"
ENCODED = "2 inputs (x, encoding), or 3 (x, encoding, condition)"


def get_discriminator_inputs(context, fake_or_real, condition, training):
    """Return the inputs of a context's discriminator; see `GANExecutor.get_discriminator_inputs`."""
    discriminator = required_model(context, "discriminator_model", GANContext)
    is_encoded = isinstance(context, GANEncoderContext)
    if takes_list(discriminator.module):
        count = 1 + is_encoded + (condition is not None)
    else:
        count = _count(discriminator.module)
    if count not in ((2, 3) if is_encoded else (1, 2)):
        raise UsageError(
            f"{type(context).__name__}: the discriminator must have {ENCODED if is_encoded else PLAIN}, got {count}.",
            f"a discriminator with {ENCODED if is_encoded else PLAIN}.",
            "remove an argument of its forward, or give it a default."
            if count > 1
            else "def forward(self, x, encoding) in the discriminator.",
        )
    inputs = [fake_or_real]
    if is_encoded:
        inputs.append(required_model(context, "encoder_model", GANEncoderContext)(fake_or_real, training=training))
    if count == len(inputs):
        return inputs if is_encoded else fake_or_real
    if condition is None:
        raise UsageError(
            f"{type(context).__name__}: condition must be given to a discriminator of {count} inputs.",
            "a condition for its last input.",
            "loss(context, fake=…, real=…, condition=labels, training=True).",
        )
    return [*inputs, condition]


def _count(module):
    """Return how many inputs a model declares: the positional arguments of its forward without a default."""
    count = count_of_inputs(module)
    if count is None:
        raise UsageError(
            f"the discriminator must name each input, got ({', '.join(map(str, parameters_of(module).values()))}).",
            "a name for each input.",
            "forward(self, x), forward(self, x, condition) or forward(self, x, encoding, condition).",
        )
    return count
