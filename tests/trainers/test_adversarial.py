"""Adversarial trainers compute what a step written out computes; who is called when, and whom a loss reaches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark import nn, optim
from dark.contexts import GANContext
from dark.distributed import OneProcess, Replicas
from dark.engine import Events
from dark.errors import GradientError, ShapeError, UsageError, ValueTypeError
from dark.executors import DiscriminatorMinMax, GANExecutor, GeneratorBCE
from dark.trainers import AdversarialTrainer
from tests.examples import examples
from tests.trainers.adversaries import (
    Counted,
    OfPairs,
    discriminator_loss,
    encoding_gan,
    gan,
    generator_loss,
    perceptron,
    samples,
    state_of,
)  # fmt: skip

SMALL = [((np.ones((4, 3)), None), np.ones((4, 2)))]


def small_gan(loss_of_generator, loss_of_discriminator, **settings):
    generator, discriminator = nn.Linear(2, 3, seed=0), nn.Linear(3, 1, seed=1)
    context = GANContext(
        generator_model=generator, discriminator_model=discriminator, generator_loss=loss_of_generator,
        discriminator_loss=loss_of_discriminator,
    )  # fmt: skip
    optimizers = [optim.SGD(model.parameters(), lr=0.1) for model in (generator, discriminator)]
    return AdversarialTrainer(context, *optimizers, **settings)


def written_out(batches, update, discriminator_steps, dropout):
    """Train as `gan` does, without a trainer; return the parameters as bytes."""
    generator, discriminator = perceptron(2, 3, 0, dropout), perceptron(3, 1, 10, dropout)
    optimizers = [optim.Adam(model.parameters(), lr=0.01) for model in (generator, discriminator)]

    x = []

    def loss_of_discriminator(fake, score):
        on_fake = discriminator(fake) if score is None else score
        return (dark.softplus(on_fake).mean() + dark.softplus(-discriminator(x[0])).mean()) / 2

    for k, ((real, _), noise) in enumerate(batches, start=1):
        x[:] = [real]
        fake = generator(noise)
        if update == "simultaneous":
            score = discriminator(fake)
            discriminator.zero_grad(), loss_of_discriminator(fake, score).backward()
            kept = [p.grad.copy() for p in discriminator.parameters()]
            generator.zero_grad(), dark.softplus(-score).mean().backward()
            for p, grad in zip(discriminator.parameters(), kept):
                p.grad = grad
            optimizers[1].step(), optimizers[0].step()
            continue
        discriminator.zero_grad(), loss_of_discriminator(fake.detach(), None).backward()
        optimizers[1].step()
        if k % discriminator_steps == 0:
            generator.zero_grad(), dark.softplus(-discriminator(fake)).mean().backward()
            optimizers[0].step()
    return [p.value.tobytes() for model in (discriminator, generator) for p in model.parameters()]


@examples(15)
@given(n=st.integers(1, 5), steps=st.integers(1, 3), dropout=st.sampled_from([0.0, 0.3]))
def test_alternating_updates_are_those_of_the_step_written_out(n, steps, dropout):
    trainer = gan(dropout, discriminator_steps=steps)
    trainer.run(samples(n))
    assert [*state_of(trainer).values()] == written_out(samples(n), "alternating", steps, dropout)


@examples(15)
@given(n=st.integers(1, 5), dropout=st.sampled_from([0.0, 0.3]))
def test_simultaneous_updates_are_those_of_the_step_written_out(n, dropout):
    trainer = gan(dropout, update="simultaneous")
    trainer.run(samples(n))
    assert [*state_of(trainer).values()] == written_out(samples(n), "simultaneous", 1, dropout)


def calls(trainer, batches):
    trainer.run(batches)
    return {name: len(player.module.inputs) for name, player in trainer.players.items()}


def test_simultaneous_each_model_runs_once_for_each_input():
    trainer = gan(wrap=Counted, update="simultaneous")
    assert calls(trainer, samples(1)) == {"discriminator": 2, "generator": 1}
    assert sum(x.requires_grad for x in trainer.players["discriminator"].module.inputs) == 1  # D(fake)
    trainer = encoding_gan(wrap=Counted, update="simultaneous")
    assert calls(trainer, samples(1)) == {
        "discriminator": 2,
        "generator": 2,
        "encoder": 2,
    }  # G(E(x)) at the epoch's end


def test_alternating_the_discriminator_gets_detached_samples_and_then_the_samples_again():
    trainer = gan(wrap=Counted)
    assert calls(trainer, samples(1)) == {"discriminator": 3, "generator": 1}
    detached, real, again = trainer.players["discriminator"].module.inputs
    assert (detached.requires_grad, again.requires_grad) == (False, True)
    assert (detached.value == again.value).all()


def test_several_discriminator_steps_use_a_batch_each():
    trainer, outputs = gan(wrap=Counted, discriminator_steps=3), []
    trainer.engine.add_event_handler(
        Events.ITERATION_COMPLETED, lambda engine: outputs.append(list(engine.state.output))
    )
    assert calls(trainer, samples(7)) == {"discriminator": 2 * 7 + 2, "generator": 7}
    alone, both = ["discriminator_loss"], ["discriminator_loss", "generator_loss"]
    assert outputs == [alone, alone, both, alone, alone, both, alone]


@pytest.mark.parametrize("update", ["alternating", "simultaneous"])
@pytest.mark.parametrize("make", [gan, encoding_gan])
def test_a_loss_reaches_its_own_model_and_grad_is_what_the_optimizer_used(make, update):
    trainer, used = make(update=update), {}
    for name, player in trainer.players.items():
        step = player.optimizer.step

        def spy(name=name, player=player, step=step):
            used[name] = [p.grad.copy() for p in player.module.parameters()]
            step()

        player.optimizer.step = spy
    trainer.run(samples(2))
    assert used.keys() == trainer.players.keys()
    for name, player in trainer.players.items():
        for p, grad in zip(player.module.parameters(), used[name]):
            np.testing.assert_array_equal(p.grad, grad)


def test_frozen_parameters_keep_their_values():
    trainer = gan()
    frozen = next(trainer.players["generator"].module.parameters())
    frozen.requires_grad, before = False, frozen.value.copy()
    trainer.run(samples(3))
    assert (frozen.value == before).all() and frozen.grad is None


def test_a_generator_with_two_inputs_gets_the_condition():
    class Conditional(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(2, 3, seed=0)

        def forward(self, noise, y):
            return self.layer(noise) + y

    generator, discriminator = Conditional(), nn.Linear(3, 1, seed=1)
    context = GANContext(
        generator_model=generator, discriminator_model=discriminator, generator_loss=generator_loss,
        discriminator_loss=discriminator_loss,
    )  # fmt: skip
    trainer = AdversarialTrainer(context, *(optim.SGD(m.parameters(), lr=0.1) for m in (generator, discriminator)))
    trainer.run([((np.ones((2, 3)), np.full((2, 3), 5.0)), np.zeros((2, 2)))])
    assert (context.generator_inputs[1].value == 5.0).all() and context.fake_samples.value.mean() > 3


class OfLists(OfPairs):
    """A network made from a list, as Keras and AshPy write it."""

    def forward(self, inputs):
        return super().forward(*inputs)


@pytest.mark.parametrize("update", ["alternating", "simultaneous"])
def test_models_of_one_list_train_as_models_of_two_arguments(update):
    def trained(kind):
        generator, discriminator = kind(perceptron(4, 3, 0)), kind(perceptron(5, 1, 10))
        context = GANContext(
            generator_model=generator, discriminator_model=discriminator, generator_loss=GeneratorBCE(),
            discriminator_loss=DiscriminatorMinMax(),
        )  # fmt: skip
        optimizers = [optim.Adam(model.parameters(), lr=0.01) for model in (generator, discriminator)]
        trainer = AdversarialTrainer(context, *optimizers, update=update)
        trainer.run([((x, np.eye(4)[: len(x), :2]), noise) for (x, _), noise in samples(3)], max_epochs=2)
        return state_of(trainer)

    assert trained(OfLists) == trained(OfPairs)


def test_the_samples_of_the_last_step_stay_without_their_graph():
    trainer = gan()
    trainer.run(samples(2))
    assert type(trainer.context.fake_samples) is dark.Constant and trainer.context.fake_samples.shape == (2, 3)


@pytest.mark.parametrize(
    ("settings", "error", "text"),
    [
        ({"update": "both"}, UsageError, "invalid update 'both'"),
        ({"discriminator_steps": 0}, UsageError, "discriminator_steps must be 1 or more, got 0"),
        ({"discriminator_steps": 2.0}, ValueTypeError, "discriminator_steps must be an integer, got 2.0"),
        (
            {"update": "simultaneous", "discriminator_steps": 2},
            UsageError,
            "update='simultaneous' needs discriminator_steps=1, got 2",
        ),
    ],
)
@pytest.mark.parametrize("make", [gan, encoding_gan])
def test_invalid_updates_are_refused(make, settings, error, text):
    with pytest.raises(error, match=text):
        make(**settings)


@pytest.mark.parametrize(
    ("batch", "text"),
    [
        (np.ones((2, 3)), "a batch of an adversarial training must be .*noise.*, got ndarray"),
        ((np.ones((2, 3)), np.ones((2, 2))), "got \\(ndarray, ndarray\\)"),
        ((np.ones((2, 3)), None, np.ones((2, 2))), "got \\(ndarray, NoneType, ndarray\\)"),
    ],
)
def test_a_batch_of_another_structure_is_refused(batch, text):
    with pytest.raises(UsageError, match=text):
        gan().run([batch])


def test_models_losses_and_optimizers_have_to_fit():
    trainer = gan()
    context, (d, g) = trainer.context, (player.optimizer for player in trainer.players.values())
    with pytest.raises(
        UsageError, match="the optimizer of the discriminator must not update parameters of the generator"
    ):
        AdversarialTrainer(context, g, g)
    stranger = optim.SGD([dark.Parameter(1.0)], lr=0.1)
    with pytest.raises(UsageError, match="the optimizer of the generator must update a parameter of the generator"):
        AdversarialTrainer(context, stranger, d)
    with pytest.raises(
        ValueTypeError, match="the optimizer of the generator must have param_groups and step, got None"
    ):
        AdversarialTrainer(context, None, d)
    with pytest.raises(ValueTypeError, match="AdversarialTrainer: context must be a GANContext, got 3"):
        AdversarialTrainer(3, g, d)
    with pytest.raises(UsageError, match="no discriminator_loss and no generator_model and no generator_loss"):
        AdversarialTrainer(GANContext(discriminator_model=nn.ReLU()), g, d)
    with pytest.raises(UsageError, match="AdversarialTrainer: the data is missing"):
        trainer.run()


LOSSES = {
    "of the real examples": (
        lambda context, *, real, **_: context.discriminator_model(real, training=True).mean(),
        GradientError, "generator_loss must depend on a parameter of the generator, or nothing would be trained",
    ),
    "detached": (
        lambda context, *, fake, **_: context.discriminator_model(fake.detach(), training=True).mean(),
        GradientError, "Try: the output of context.generator_model in the loss, not its value and not detached",
    ),
    "constant": (lambda context, **_: dark.Constant(1.0), GradientError, "generator_loss must depend on a parameter"),
    "a number": (lambda context, **_: 1.0, ValueTypeError, r"generator_loss must .* returned 1.0 \(float\)"),
    "of each example": (
        lambda context, *, fake, **_: fake.sum(axis=1), ShapeError, r"generator_loss must .* one element.* \(4,\)",
    ),
    "of each feature": (lambda context, *, fake, **_: fake, ShapeError, r"generator_loss must .* \(4, 3\)"),
}  # fmt: skip


@pytest.mark.parametrize("case", LOSSES)
@pytest.mark.parametrize("update", ["alternating", "simultaneous"])
def test_a_loss_that_trains_nothing_is_refused_by_its_name(case, update):
    loss, kind, message = LOSSES[case]
    trainer = small_gan(loss, discriminator_loss, update=update)
    with pytest.raises(kind, match=message):
        trainer.run(SMALL)


def test_a_discriminator_loss_that_reaches_no_parameter_is_refused():
    trainer = small_gan(generator_loss, lambda context, *, fake, **_: fake.mean())
    with pytest.raises(GradientError, match="discriminator_loss must depend on a parameter of the discriminator"):
        trainer.run(SMALL)


@pytest.mark.parametrize("strategy", [OneProcess(), Replicas(2, shards=4)])
def test_a_loss_may_be_constant_in_some_steps(strategy):
    class Sometimes(GANExecutor):
        is_reduced = True

        def call(self, context, *, fake, **_):
            return fake.mean() / 4 if context.global_step < 1 else 0.0

    trainer = small_gan(Sometimes(), DiscriminatorMinMax(), strategy=strategy)
    assert trainer.run(SMALL, max_epochs=3).output["generator_loss"] == 0


def test_a_loss_of_shards_that_reaches_no_parameter_is_refused():
    class Nowhere(GANExecutor):
        is_reduced = True

        def call(self, context, **_):
            return 1.0

    trainer = small_gan(Nowhere(), DiscriminatorMinMax(), strategy=Replicas(2))
    with pytest.raises(GradientError, match="generator_loss must depend on a parameter"):
        trainer.run(SMALL)
