"""`AdversarialStep`: the step of an adversarial training, shared by the trainers with and without an encoder."""

import inspect

from dark.checks import integer, one_of
from dark.engine.events.signatures import fits
from dark.errors import UsageError
from dark.trainers.batches import as_constants, plain
from dark.trainers.measuring import values
from dark.trainers.trainer_checks import examples_and_noise


class AdversarialStep:
    """The step of a trainer, and its measurement.

    Parameters
    ----------
    trainer : Trainer
        With players "discriminator" and "generator", and others that are updated with the generator.
    update : {"alternating", "simultaneous"}
    discriminator_steps : int

    Raises
    ------
    UsageError, ValueTypeError
        If one is invalid, or several discriminator steps are requested with "simultaneous".
    """

    def __init__(self, trainer, update, discriminator_steps):
        who = type(trainer).__name__
        self.update = one_of(update, who, "update", ("alternating", "simultaneous"))
        self.discriminator_steps = integer(discriminator_steps, who, "discriminator_steps", 1)
        if update == "simultaneous" and self.discriminator_steps > 1:
            raise UsageError(
                f"{who}: discriminator_steps is {discriminator_steps} with update='simultaneous'.",
                "1, since all models are updated at once.",
                "update='alternating'.",
            )
        self.trainer, self.context = trainer, trainer.context
        self.others = [name for name in trainer.players if name != "discriminator"]
        self.is_conditional = takes_condition(self.context.generator_model.module)

    def step(self, batch):
        """Update the models by a batch; return the losses that were computed, and their terms."""
        trainer, arguments = self.trainer, self.generate(batch, training=True)
        fake = arguments["fake"]
        if self.update == "simultaneous":
            found = trainer.update(["discriminator", *self.others], arguments)
        else:
            found = trainer.update(["discriminator"], {**arguments, "fake": fake.detach()})
            if trainer.engine.state.iteration % self.discriminator_steps == 0:
                found = trainer.update(self.others, arguments, found)
        self.context.fake_samples = fake.detach()  # without its graph
        return found

    def measure(self, batch, training):
        """Return samples, examples, their condition, and the losses of a batch."""
        arguments = self.generate(batch, training)
        found = {name: plain(arguments[name]) for name in ("fake", "real", "condition")}
        losses = self.trainer.losses(self.trainer.players, arguments)
        return {"y_pred": found["fake"], "y": found["real"], **found, "size": len(found["real"]), **values(losses)}

    def generate(self, batch, training):
        """Run the generator for a batch; return the arguments of the losses.

        The inputs and the samples are stored in the context.
        """
        context = self.context
        real, condition, noise = as_constants(examples_and_noise(batch))
        context.generator_inputs = [noise, condition] if self.is_conditional else noise
        context.fake_samples = fake = context.generator_model(context.generator_inputs, training=training)
        return {"fake": fake, "real": real, "condition": condition, "training": training}


def takes_condition(generator):
    """Return whether a generator is called with noise and a condition: whether its `forward` has two inputs.

    Examples
    --------
    >>> from dark import nn
    >>> takes_condition(nn.Linear(2, 3)), takes_condition(nn.Function(lambda noise, y: noise * y))
    (False, True)
    """
    signature = inspect.signature(getattr(generator, "function", generator.forward))
    return fits(signature, ("noise", "condition"), {}) and not fits(signature, ("noise",), {})
