"""The step of an adversarial training and its measurement, shared by the trainers with and without an encoder."""

import inspect
from collections.abc import Iterable
from typing import Any

from dark.checks import integer, one_of
from dark.contexts.model_view import takes_list
from dark.engine.events.signatures import fits
from dark.errors import UsageError
from dark.trainers.batches import as_constants, joined, plain
from dark.trainers.trainer import Trainer
from dark.trainers.trainer_checks import examples_and_noise

SHOWN = ("generator_inputs", "fake_samples", "encoder_inputs")  # fields of a context


class AdversarialStep(Trainer):
    """The base class of trainers with a discriminator, a generator, and others that are updated with the generator."""

    def __init__(
        self, context: Any, optimizers: dict[str, Any], callbacks: Iterable[Any], update: str,
        discriminator_steps: int, strategy: Any, recorded: bool,
    ) -> None:  # fmt: skip
        super().__init__(context, optimizers, callbacks, strategy, recorded)
        who = type(self).__name__
        self.update = one_of(update, who, "update", ("alternating", "simultaneous"))
        self.discriminator_steps = integer(discriminator_steps, who, "discriminator_steps", 1)
        if update == "simultaneous" and self.discriminator_steps > 1:
            raise UsageError(
                f"{who}: update='simultaneous' needs discriminator_steps=1, got {discriminator_steps}.",
                "1, since all models are updated at once.",
                "update='alternating'.",
            )
        self.others = [name for name in self.players if name != "discriminator"]
        self.shown = [name for name in SHOWN if hasattr(self.context, name)]
        generator = self.context.generator_model.module
        self.takes_list, self.takes_condition = takes_list(generator), takes_condition(generator)

    def step(self, batch: Any) -> dict[str, float]:
        """Update the models by a batch; return the losses that were computed, and their terms."""
        made: dict[int, tuple[dict[str, Any], dict[str, Any]]] = {}  # by shard: see `generate`

        def arguments_of(index, rows):
            if index not in made:
                made[index] = self.generate(rows, training=True)
            elif len(made) > 1:
                self._show(made[index][0])
            return made[index][1]

        def detached(index, rows):
            arguments = arguments_of(index, rows)
            return {**arguments, "fake": arguments["fake"].detach()}

        if self.update == "simultaneous":
            found = self.updates(["discriminator", *self.others], batch, arguments_of)
        else:
            found = self.updates(["discriminator"], batch, detached)
            if self.engine.state.iteration % self.discriminator_steps == 0:
                found = self.updates(self.others, batch, arguments_of, found)
        if len(made) > 1:
            self._show(joined([fields for fields, _ in made.values()]))
        if made:  # a process may have no rows
            self.context.fake_samples = self.context.fake_samples.detach()  # without its graph
        return found

    def measure(self, batch: Any, training: bool) -> dict[str, Any]:
        """Return samples, examples, their condition, and the losses of a batch; the context stays as it is."""
        before = {name: getattr(self.context, name) for name in self.shown}
        try:
            _, arguments = self.generate(batch, training)
            found = {name: plain(arguments[name]) for name in ("fake", "real", "condition")}
            numbers = self.updates.numbers(arguments)
        finally:
            self._show(before)
        return {"y_pred": found["fake"], "y": found["real"], **found, "size": len(found["real"]), **numbers}

    def generate(self, batch: Any, training: bool) -> tuple[dict[str, Any], dict[str, Any]]:
        """Run the generator for a batch; return the fields of the context that show it, and the losses' arguments."""
        real, condition, noise = as_constants(examples_and_noise(batch))
        is_conditional = self.takes_condition or (self.takes_list and condition is not None)
        inputs = [noise, condition] if is_conditional else noise
        fake = self.context.generator_model(inputs, training=training)
        fields = {"generator_inputs": inputs, "fake_samples": fake, "encoder_inputs": real}
        self._show(fields)
        return fields, {"fake": fake, "real": real, "condition": condition, "training": training}

    def _show(self, fields):
        for name in self.shown:
            setattr(self.context, name, fields[name])


def takes_condition(generator):
    """Return whether a generator is called with noise and a condition: whether its `forward` has two inputs."""
    signature = inspect.signature(getattr(generator, "function", generator.forward))
    return fits(signature, ("noise", "condition"), {}) and not fits(signature, ("noise",), {})
