"""`GANContext`: the context of a generative adversarial network; `GANEncoderContext`: of one with an encoder."""

from typing import Any

from dark.contexts import field as checks
from dark.contexts.context import Context
from dark.contexts.field import Field, LogEvalMode
from dark.contexts.model_view import Loss, Model, ModelField


class GANContext(Context):
    """A context with a generator and a discriminator, and a loss for each, any callable of a context; see `Context`.

    Models are read as `ModelView`: ``context.discriminator_model(x, training=True)``. The data yields ``((x, y),
    noise)``, and the default of `log_eval_mode` is TRAIN. `fake_samples` is what the generator computed in the current
    step, from `generator_inputs`; both can be set.

    >>> context = GANContext(generator_model=lambda z: 2 * z, discriminator_model=lambda x: x - 1)
    >>> context.generator_inputs = 3.0
    >>> context.fake_samples = context.generator_model(context.generator_inputs, training=True)
    >>> context.discriminator_model(context.fake_samples, training=True)
    5.0
    """

    generator_model: ModelField = ModelField()
    discriminator_model: ModelField = ModelField()
    generator_loss: Field[Loss] = Field(checks.loss)
    discriminator_loss: Field[Loss] = Field(checks.loss)
    fake_samples: Field[Any] = Field(can_be_set=True)
    generator_inputs: Field[Any] = Field(can_be_set=True)

    def __init__(
        self, *, dataset: Any = None, generator_model: Model = None, discriminator_model: Model = None,
        generator_loss: Loss = None, discriminator_loss: Loss = None, metrics: Any = (),
        log_eval_mode: LogEvalMode = LogEvalMode.TRAIN, global_step: int = 0, ckpt: Any = None, **fields: Any,
    ) -> None:  # fmt: skip
        super().__init__(
            dataset=dataset, generator_model=generator_model, discriminator_model=discriminator_model,
            generator_loss=generator_loss, discriminator_loss=discriminator_loss, metrics=metrics,
            log_eval_mode=log_eval_mode, global_step=global_step, ckpt=ckpt, **fields,
        )  # fmt: skip


class GANEncoderContext(GANContext):
    """A `GANContext` with an encoder, from examples to the inputs of the generator, and its loss.

    `encoder_inputs` are the inputs of the encoder in the current step, and `generator_of_encoder` is what the generator
    computes from its result; both can be set.

    References
    ----------
    Donahue, Krähenbühl, Darrell, Adversarial Feature Learning, 2017, https://arxiv.org/abs/1605.09782.
    """

    encoder_model: ModelField = ModelField()
    encoder_loss: Field[Loss] = Field(checks.loss)
    encoder_inputs: Field[Any] = Field(can_be_set=True)
    generator_of_encoder: Field[Any] = Field(can_be_set=True)

    def __init__(
        self, *, dataset: Any = None, generator_model: Model = None, discriminator_model: Model = None,
        encoder_model: Model = None, generator_loss: Loss = None, discriminator_loss: Loss = None,
        encoder_loss: Loss = None, metrics: Any = (), log_eval_mode: LogEvalMode = LogEvalMode.TRAIN,
        global_step: int = 0, ckpt: Any = None, **fields: Any,
    ) -> None:  # fmt: skip
        super().__init__(
            dataset=dataset, generator_model=generator_model, discriminator_model=discriminator_model,
            encoder_model=encoder_model, generator_loss=generator_loss, discriminator_loss=discriminator_loss,
            encoder_loss=encoder_loss, metrics=metrics, log_eval_mode=log_eval_mode, global_step=global_step,
            ckpt=ckpt, **fields,
        )  # fmt: skip
