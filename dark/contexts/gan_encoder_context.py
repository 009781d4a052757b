"""`GANEncoderContext`: the context of a generative adversarial network with an encoder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dark.contexts import field_checks as checks
from dark.contexts.field import Field
from dark.contexts.gan_context import GANContext
from dark.contexts.log_eval_mode import LogEvalMode
from dark.contexts.model_field import ModelField
from dark.nn import Module


class GANEncoderContext(GANContext):
    """A `GANContext` with an encoder, from examples to the inputs of the generator, and its loss.

    Parameters
    ----------
    encoder_model : Module or callable, optional
        Read as a `ModelView`: ``context.encoder_model(x, training=True)``.
    encoder_loss : Executor, optional
        Any callable of a context.
    **others
        As in `GANContext`.

    Attributes
    ----------
    encoder_inputs, generator_of_encoder : object or None
        The inputs of the encoder in the current step, and what the generator computes from its result; can be set.

    References
    ----------
    Donahue, Krähenbühl, Darrell, Adversarial Feature Learning, 2017, https://arxiv.org/abs/1605.09782.

    Examples
    --------
    >>> context = GANEncoderContext(encoder_model=lambda x: x / 2, generator_model=lambda z: 2 * z)
    >>> context.generator_model(context.encoder_model(10.0, training=False), training=False)
    10.0
    """

    encoder_model: ModelField = ModelField()
    encoder_loss: Field[Callable[..., Any] | None] = Field(checks.loss)
    encoder_inputs: Field[Any] = Field(can_be_set=True)
    generator_of_encoder: Field[Any] = Field(can_be_set=True)

    def __init__(
        self,
        *,
        dataset: Any = None,
        generator_model: Module | Callable[..., Any] | None = None,
        discriminator_model: Module | Callable[..., Any] | None = None,
        encoder_model: Module | Callable[..., Any] | None = None,
        generator_loss: Callable[..., Any] | None = None,
        discriminator_loss: Callable[..., Any] | None = None,
        encoder_loss: Callable[..., Any] | None = None,
        metrics: Any = (),
        log_eval_mode: LogEvalMode = LogEvalMode.TRAIN,
        global_step: int = 0,
        ckpt: Any = None,
        **fields: Any,
    ) -> None:
        super().__init__(
            dataset=dataset, generator_model=generator_model, discriminator_model=discriminator_model,
            encoder_model=encoder_model, generator_loss=generator_loss, discriminator_loss=discriminator_loss,
            encoder_loss=encoder_loss, metrics=metrics, log_eval_mode=log_eval_mode, global_step=global_step,
            ckpt=ckpt, **fields,
        )  # fmt: skip
