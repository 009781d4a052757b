"""What a discriminator is called with, and the document's example."""

from collections.abc import Sequence

import numpy as np
import pytest

import dark
from dark import nn
from dark.contexts import Context, GANContext, GANEncoderContext, ModelView
from dark.errors import UsageError, ValueTypeError
from dark.executors import Executor, GANExecutor


def one(x):
    """Declare one input."""


def one_result(x):
    """Return the one input."""
    return x


def two(x, condition):
    """Declare two inputs."""


def three(x, encoding, condition):
    """Declare three inputs."""


class Optional(nn.Module):
    """Declares a condition that may be missing, and settings that do not count."""

    def forward(self, x, condition=None, scale=1.0, *, return_features=False):
        """Return x."""
        return x


class Pair(nn.Module):
    """Takes one list, as Keras and AshPy write it, and sums its scores."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(5, 1, seed=0)

    def forward(self, inputs, training=None):
        """Return the scores of pairs."""
        x, condition = inputs
        return self.layer(dark.concatenate([x, condition], axis=1))


class Together(Pair):
    """Takes the same pair as two arguments."""

    def forward(self, x, condition):
        """Return the scores of pairs."""
        return super().forward([x, condition])


def annotated(both: list[np.ndarray]):
    """Declare one list by its annotation."""
    return both


def quoted(both: "Sequence[float]"):
    """Declare one list by the text of its annotation."""
    return both


def listed(inputs, *, return_features=False):
    """Declare one list by its name."""
    return inputs


def inputs_of(kind, discriminator, condition="c"):
    """Return the inputs for the example 3, whose encoding is 30."""
    encoder = {"encoder_model": lambda x: 10 * x} if kind is GANEncoderContext else {}
    context = kind(discriminator_model=discriminator, **encoder)
    return GANExecutor.get_discriminator_inputs(context, 3, condition, True)


@pytest.mark.parametrize(
    ("kind", "discriminator", "expected"),
    [
        (GANContext, one, 3),
        (GANContext, two, [3, "c"]),
        (GANContext, Optional(), [3, "c"]),
        (GANContext, nn.Sequential(nn.ReLU()), 3),
        (GANEncoderContext, two, [3, 30]),
        (GANEncoderContext, three, [3, 30, "c"]),
        (GANEncoderContext, lambda x, encoding=None: x, [3, 30]),
    ],
)
def test_the_inputs_follow_from_the_context_and_the_declared_arguments(kind, discriminator, expected):
    assert inputs_of(kind, discriminator) == expected


@pytest.mark.parametrize(
    ("kind", "discriminator", "message"),
    [
        (
            GANContext,
            three,
            r"GANContext: the discriminator must have 1 .*, got 3.\n  Expected: a discriminator with 1 input \(x\)",
        ),
        (
            GANEncoderContext,
            one,
            "GANEncoderContext: the discriminator must have 2 inputs .*, got 1.\n  Expected: .* with 2 inputs",
        ),
        (GANContext, lambda: 1, "the discriminator must have 1 input .*, got 0"),
        (GANContext, lambda *inputs: 1, r"the discriminator must name each input, got \(\*inputs\)"),
    ],
)
def test_another_number_of_inputs_is_refused(kind, discriminator, message):
    with pytest.raises(UsageError, match=message):
        inputs_of(kind, discriminator)


@pytest.mark.parametrize(("kind", "discriminator"), [(GANContext, two), (GANEncoderContext, three)])
def test_a_missing_condition_is_refused(kind, discriminator):
    with pytest.raises(
        UsageError, match="condition must be given to a discriminator of . inputs.\n  Expected: a condition"
    ):
        inputs_of(kind, discriminator, condition=None)


def test_a_condition_that_is_not_used_is_ignored():
    assert inputs_of(GANContext, one, condition=None) == inputs_of(GANContext, one) == 3


@pytest.mark.parametrize("model", [listed, annotated, quoted, Pair(), nn.Sequential(Pair(), nn.ReLU())])
def test_a_model_that_takes_one_list_keeps_its_condition(model):
    assert inputs_of(GANContext, model) == [3, "c"]
    assert inputs_of(GANContext, model, condition=None) == 3
    assert inputs_of(GANEncoderContext, model) == [3, 30, "c"]
    assert inputs_of(GANEncoderContext, model, condition=None) == [3, 30]


def test_a_list_with_a_condition_of_its_own_is_two_inputs():
    assert inputs_of(GANContext, lambda inputs, condition=None: inputs) == [3, "c"]
    assert ModelView(lambda inputs, condition=None: (inputs, condition))([3, "c"]) == (3, "c")


def test_the_view_of_a_model_passes_a_list_on_to_a_model_that_takes_one():
    assert ModelView(listed)([1.0, 2.0]) == ModelView(annotated)([1.0, 2.0]) == [1.0, 2.0]
    assert ModelView(listed)([1.0]) == ModelView(listed)(1.0) == ModelView(one_result)([1.0]) == 1.0
    assert ModelView(lambda x, condition: (x, condition))([1.0, 2.0]) == (1.0, 2.0)


def test_a_loss_is_the_same_for_one_list_as_for_two_arguments():
    fake, condition = np.random.default_rng(0).normal(size=(4, 3)), np.eye(4)[:, :2]
    found = [
        GeneratorBCE()(GANContext(discriminator_model=model), fake=fake, condition=condition, training=True).item()
        for model in (Pair(), Together())
    ]
    assert found[0] == found[1]


def test_the_encoder_is_called_in_the_mode():
    encoder = nn.Dropout(0.5, seed=0)
    context = GANEncoderContext(discriminator_model=two, encoder_model=encoder)
    x = np.ones(50)
    for training in (True, False):
        _, encoded = GANExecutor.get_discriminator_inputs(context, x, None, training)
        assert bool((np.asarray(getattr(encoded, "value", encoded)) == 1).all()) is not training
    assert encoder.training


def test_a_model_must_be_there():
    for context in (GANContext(), GANEncoderContext(discriminator_model=two)):
        with pytest.raises(UsageError, match="(discriminator|encoder)_model must be given, got None"):
            GANExecutor.get_discriminator_inputs(context, 3, None, True)
    for context in (None, Context()):
        with pytest.raises(ValueTypeError, match="context must have discriminator_model, which a loss needs, got "):
            GANExecutor.get_discriminator_inputs(context, 3, None, True)


class GeneratorBCE(GANExecutor):
    """The loss of the document, for one process."""

    def __init__(self, from_logits=True):
        self.name = "GeneratorBCE"
        super().__init__(nn.BCEWithLogitsLoss() if from_logits else nn.BCELoss())

    def scores(self, context, fake, condition, training):
        """Return the losses of all scores."""
        fake_inputs = self.get_discriminator_inputs(
            context=context, fake_or_real=fake, condition=condition, training=training
        )
        d_fake = context.discriminator_model(fake_inputs, training=training)
        return self._fn(d_fake, dark.ones_like(d_fake))

    def call(self, context, *, fake, condition, training, **kwargs):
        """Return the mean of everything."""
        return self.scores(context, fake, condition, training).mean()


class ReducedBCE(GeneratorBCE):
    """The loss of the document, for several processes."""

    @Executor.reduce_loss
    def call(self, context, *, fake, condition, training, **kwargs):
        """Return the mean over axis 1."""
        return self.scores(context, fake, condition, training).mean(axis=1)


@pytest.mark.parametrize("kind", [GeneratorBCE, ReducedBCE])
@pytest.mark.parametrize("conditioned", [False, True])
def test_both_forms_of_the_documents_example_give_the_same(kind, conditioned):
    class Conditioned(nn.Linear):
        def forward(self, x, condition):
            return super().forward(x + condition)

    model = (Conditioned if conditioned else nn.Linear)(3, 1, seed=0)
    context = GANContext(discriminator_model=model)
    fake, condition = np.random.default_rng(0).normal(size=(2, 5, 3))
    d = model(fake, condition) if conditioned else model(fake)
    found = kind()(context, fake=fake, condition=condition, training=True)
    assert found.item() == pytest.approx(np.log1p(np.exp(-d.value)).mean())
    assert repr(kind()) == "GeneratorBCE"
