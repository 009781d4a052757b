"""`EncoderTrainer`: train a generator and an encoder against a discriminator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dark.contexts import GANEncoderContext
from dark.trainers.adversarial_step import AdversarialStep
from dark.trainers.trainer import Trainer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dark.distributed import Strategy
    from dark.optim import Optimizer
    from dark.trainers.callbacks.callback import Callback


class EncoderTrainer(Trainer):
    """Train a generator and an encoder against a discriminator of pairs, by batches ((x, y), noise).

    Parameters
    ----------
    context : GANEncoderContext
        With three models and their losses, which are called as
        ``loss(context, fake=…, real=x, condition=y, training=True)``.
    generator_optimizer, discriminator_optimizer, encoder_optimizer : Optimizer
        Of the parameters of one model each.
    callbacks, update, discriminator_steps, strategy
        As in `AdversarialTrainer`; the encoder is updated together with the generator.

    Attributes
    ----------
    context, callbacks, engine, evaluator, validation
        As in `AdversarialTrainer`, with "encoder_loss".

    Raises
    ------
    UsageError, ValueTypeError
        As in `AdversarialTrainer`.

    Notes
    -----
    After each step, ``context.encoder_inputs`` are the examples of its batch. ``context.generator_of_encoder`` is what
    the generator makes of encoded examples; it is computed at the end of each epoch, for the last batch, in the mode
    `context.log_eval_mode`. Exceptions are treated as in `AdversarialTrainer`.

    References
    ----------
    Donahue, Krähenbühl, Darrell, Adversarial Feature Learning, 2017, https://arxiv.org/abs/1605.09782.

    Examples
    --------
    >>> import numpy as np
    >>> import dark
    >>> from dark import nn, optim
    >>> generator, encoder = nn.Linear(1, 1, seed=0), nn.Linear(1, 1, seed=1)
    >>> discriminator = nn.Linear(2, 1, seed=2)
    >>> def score(context, x, code):
    ...     return context.discriminator_model(dark.concatenate([x, code], axis=1), training=True).mean()
    >>> def of_real(context, *, fake, real, **others):
    ...     return score(context, real, context.encoder_model(real, training=True))
    >>> def of_fake(context, *, fake, **others):
    ...     return -score(context, fake, context.generator_inputs)
    >>> context = GANEncoderContext(
    ...     generator_model=generator, discriminator_model=discriminator, encoder_model=encoder,
    ...     generator_loss=of_fake, encoder_loss=of_real,
    ...     discriminator_loss=lambda context, **settings: -of_real(context, **settings) - of_fake(context, **settings),
    ... )
    >>> trainer = EncoderTrainer(context, *(optim.SGD(m.parameters()) for m in (generator, discriminator, encoder)))
    >>> state = trainer.run([((np.ones((4, 1)), None), np.zeros((4, 1)))])
    >>> list(state.output), context.generator_of_encoder.shape
    (['discriminator_loss', 'generator_loss', 'encoder_loss'], (4, 1))
    """

    context_type = GANEncoderContext

    def __init__(
        self, context: GANEncoderContext, generator_optimizer: Optimizer, discriminator_optimizer: Optimizer,
        encoder_optimizer: Optimizer, callbacks: Iterable[Callback] = (), *, update: str = "alternating",
        discriminator_steps: int = 1, strategy: Strategy | None = None,
    ) -> None:  # fmt: skip
        optimizers = {
            "discriminator": discriminator_optimizer,
            "generator": generator_optimizer,
            "encoder": encoder_optimizer,
        }
        super().__init__(context, optimizers, callbacks, strategy)
        self._adversarial = AdversarialStep(self, update, discriminator_steps)

    def step(self, batch: Any) -> dict[str, float]:
        """Update the models by a batch; return the losses that were computed, and their terms."""
        return self._adversarial.step(batch)

    def measure(self, batch: Any, training: bool) -> dict[str, Any]:
        """Return samples, examples and losses of a batch, see `evaluator`."""
        return self._adversarial.measure(batch, training)

    def end_epoch(self) -> None:
        """Measure the validation set, and encode and generate the examples of the last batch."""
        super().end_epoch()
        context, training = self.context, self.context.log_eval_mode.is_training
        if context.encoder_inputs is not None:
            with self._unchanged():
                code = context.encoder_model(context.encoder_inputs, training=training)
                context.generator_of_encoder = context.generator_model(code, training=training)
            context.new_step()
