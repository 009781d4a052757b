"""`AdversarialTrainer`: train a generator against a discriminator; `EncoderTrainer`: with an encoder, too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from dark.contexts import GANContext, GANEncoderContext
from dark.trainers.adversarial_step import AdversarialStep

if TYPE_CHECKING:
    from dark.compat.callbacks.callback import Callback
    from dark.distributed import Strategy
    from dark.optim import Optimizer


class AdversarialTrainer(AdversarialStep):
    """Train a generator against a discriminator, by batches ((x, y), noise); see `Trainer` for what all trainers share.

    A loss reaches the parameters of its own model only, and after a step `p.grad` is the gradient that its optimizer
    used. A generator whose `forward` has two inputs is called with the noise and the condition `y`; one with a list
    called `inputs` with the noise, or with the list of noise and condition if the batch has one. Outputs are the losses
    that were computed under "generator_loss" and "discriminator_loss", and their terms by name; metrics get a mapping
    with "fake" and "real", also as "y_pred" and "y", and "condition".

    Parameters
    ----------
    context : GANContext
        With both models and both losses, called as ``loss(context, fake=…, real=x, condition=y, training=True)``.
    update : {"alternating", "simultaneous"}
        "alternating" updates the discriminator by samples that are detached from the generator, and then the generator
        by the discriminator that has moved, which is called with the same samples again. "simultaneous" computes both
        gradients from the same calls, one of each model for each input, and then updates both.
    discriminator_steps : int, default 1
        The discriminator is updated by every batch, the generator by every `discriminator_steps`-th; only with
        "alternating".
    recorded : bool, default False
        A loss of samples that come with the graph of the generator runs without a recording: the discriminator's loss
        is replayed with "alternating", where its samples are detached.

    References
    ----------
    Goodfellow et al., Generative Adversarial Nets, 2014, https://arxiv.org/abs/1406.2661.

    Examples
    --------
    >>> from dark import executors, nn, optim
    >>> generator, discriminator = nn.Linear(1, 1, seed=0), nn.Linear(1, 1, seed=1)
    >>> context = GANContext(
    ...     generator_model=generator, discriminator_model=discriminator,
    ...     generator_loss=executors.GeneratorLSGAN(), discriminator_loss=executors.DiscriminatorLSGAN(),
    ... )
    >>> trainer = AdversarialTrainer(context, *(optim.SGD(m.parameters(), lr=0.1) for m in (generator, discriminator)))
    >>> noise = np.random.default_rng(0).normal(size=(8, 1))
    >>> state = trainer.run([((np.ones((8, 1)), None), noise)], max_epochs=400)
    >>> list(state.output), bool(abs(context.fake_samples.value.mean() - 1) < 0.1)
    (['discriminator_loss', 'DiscriminatorLSGAN', 'generator_loss', 'GeneratorLSGAN'], True)
    """

    context_type = GANContext

    def __init__(
        self, context: GANContext, generator_optimizer: Optimizer, discriminator_optimizer: Optimizer,
        callbacks: Iterable[Callback] = (), *, update: str = "alternating", discriminator_steps: int = 1,
        strategy: Strategy | None = None, recorded: bool = False,
    ) -> None:  # fmt: skip
        optimizers = {"discriminator": discriminator_optimizer, "generator": generator_optimizer}
        super().__init__(context, optimizers, callbacks, update, discriminator_steps, strategy, recorded)


class EncoderTrainer(AdversarialStep):
    """Train a generator and an encoder against a discriminator of pairs, as in `AdversarialTrainer`.

    The context is a `GANEncoderContext`, with "encoder_loss"; the encoder is updated together with the generator. After
    each step, ``context.encoder_inputs`` are the examples of its batch. ``context.generator_of_encoder`` is what the
    generator makes of encoded examples; it is computed at the end of each epoch, for the last batch, in the mode
    `context.log_eval_mode`.

    References
    ----------
    Donahue, Krähenbühl, Darrell, Adversarial Feature Learning, 2017, https://arxiv.org/abs/1605.09782.
    """

    context_type = GANEncoderContext

    def __init__(
        self, context: GANEncoderContext, generator_optimizer: Optimizer, discriminator_optimizer: Optimizer,
        encoder_optimizer: Optimizer, callbacks: Iterable[Callback] = (), *, update: str = "alternating",
        discriminator_steps: int = 1, strategy: Strategy | None = None, recorded: bool = False,
    ) -> None:  # fmt: skip
        optimizers = {"discriminator": discriminator_optimizer, "generator": generator_optimizer}
        optimizers["encoder"] = encoder_optimizer
        super().__init__(context, optimizers, callbacks, update, discriminator_steps, strategy, recorded)

    def end_epoch(self) -> None:
        """Measure the validation set, and encode and generate the examples of the last batch."""
        super().end_epoch()
        context, training = self.context, self.context.log_eval_mode.is_training
        if context.encoder_inputs is not None:
            with self._unchanged():
                code = context.encoder_model(context.encoder_inputs, training=training)
                context.generator_of_encoder = context.generator_model(code, training=training)
            context.new_step()
