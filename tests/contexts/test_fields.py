"""The fields of contexts: what is stored, what can be set, and the errors of wrong values."""

import inspect

import numpy as np
import pytest

from dark import contexts, nn
from dark.contexts import ClassifierContext, Context, Field, GANContext, GANEncoderContext, LogEvalMode, ModelView
from dark.errors import DarkError, UsageError
from dark.executors import (
    ClassifierLoss,
    DiscriminatorLSGAN,
    DiscriminatorMinMax,
    EncoderBCE,
    GANExecutor,
    GeneratorBCE,
    GeneratorHingeLoss,
    GeneratorL1,
    Pix2PixLoss,
)
from dark.losses import mse
from dark.metrics import Accuracy, Loss, Precision

KINDS = [Context, ClassifierContext, GANContext, GANEncoderContext]
COMMON = {"metrics", "dataset", "log_eval_mode", "global_step", "ckpt"}
GIVEN = {
    Context: COMMON,
    ClassifierContext: COMMON | {"classifier_model", "loss"},
    GANContext: COMMON | {"generator_model", "discriminator_model", "generator_loss", "discriminator_loss"},
}
GIVEN[GANEncoderContext] = GIVEN[GANContext] | {"encoder_model", "encoder_loss"}
SET_BY_RUN = {
    Context: {"exception", "current_batch", "global_batch_size"},
    ClassifierContext: {"training_set", "validation_set"},
    GANContext: {"fake_samples", "generator_inputs"},
    GANEncoderContext: {"fake_samples", "generator_inputs", "encoder_inputs", "generator_of_encoder"},
}
VALUES = {"exception": ValueError("no"), "global_batch_size": 4, "global_step": 3}


@pytest.mark.parametrize("kind", KINDS)
def test_a_context_is_built_from_the_keywords_of_its_fields_and_each_has_a_default(kind):
    parameters = inspect.signature(kind).parameters
    assert set(parameters) - {"fields"} == GIVEN[kind]
    context = kind()
    assert [
        name for name in GIVEN[kind] if name.endswith(("model", "loss")) and getattr(context, name) is not None
    ] == []
    assert (context.metrics, context.dataset, context.global_step, context.ckpt) == ((), None, 0, None)


@pytest.mark.parametrize("kind", KINDS)
def test_fields_that_a_run_fills_are_none_and_can_be_set(kind):
    context = kind()
    for name in SET_BY_RUN[kind] | SET_BY_RUN[Context]:
        assert getattr(context, name) is None
        setattr(context, name, VALUES.get(name, "something"))
        assert getattr(context, name) == VALUES.get(name, "something")


@pytest.mark.parametrize("kind", KINDS)
def test_the_data_and_the_step_can_be_set_and_nothing_else_that_was_given(kind):
    context = kind()
    context.dataset, context.global_step = [1], 5
    assert (context.dataset, context.global_step) == ([1], 5)
    for name in GIVEN[kind] - {"dataset", "global_step"}:
        before = getattr(context, name)
        with pytest.raises(UsageError, match=rf"{kind.__name__}: {name} cannot be set.*\n  Expected: .*\n  Try: "):
            setattr(context, name, 1)
        assert getattr(context, name) is before


def test_the_modes_are_those_of_ashpy():
    modes = [kind().log_eval_mode for kind in KINDS]
    assert modes == [LogEvalMode.TEST, LogEvalMode.TEST, LogEvalMode.TRAIN, LogEvalMode.TRAIN]
    assert LogEvalMode.TRAIN.is_training and not LogEvalMode.TEST.is_training


def test_every_context_has_its_own_counter():
    first, second = Context(), Context()
    first.global_step += 1
    assert (first.global_step, second.global_step, Context().global_step) == (1, 0, 0)


def test_all_wrong_fields_are_reported_at_once():
    with pytest.raises(UsageError) as caught:
        GANContext(generator_model=3, discriminator_loss="bce", metrics=[1], log_eval_mode="test", global_step=-1)
    text = str(caught.value)
    for part in (
        "generator_model must be a module or a callable, got 3",
        "discriminator_loss must be an executor, got 'bce'",
        "metrics must be a dict or list of metrics, got 1",
        "'test'",
        "global_step must be 0 or more, got -1",
    ):
        assert part in text
    assert text.count("\n") == 2 and "\n  Expected: " in text and "\n  Try: " in text


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"global_step": True}, "global_step must be an integer, got True"),
        ({"global_step": 1.5}, "global_step must be an integer, got 1.5"),
        ({"log_eval_mode": "TEST"}, "invalid log_eval_mode 'TEST'"),
        ({"metrics": Accuracy()}, "metrics must be a dict or list of metrics, got <dark"),
        ({"metrics": "accuracy"}, "metrics must be a dict or list of metrics, got 'a'"),
        ({"metrics": [("accuracy", 3)]}, "metrics must be a dict or list of metrics, got 3"),
        ({"metrics": {1: Accuracy()}}, "metrics must be a dict or list of metrics, got "),
        ({"metrics": 5}, "metrics must be a dict or list of metrics, got 5"),
        ({"classifier_model": nn.Linear}, "classifier_model must be a module or a callable, got <class"),
        ({"loss": 2.0}, "loss must be an executor, got 2.0"),
        ({"loss": nn.MSELoss}, "loss must be an executor, got <class"),
        (
            {"clasifier_model": None},
            "clasifier_model is not a field.*\n  Expected: a field, such as classifier_model",
        ),
    ],
)
def test_a_wrong_field_is_refused(fields, message):
    with pytest.raises(UsageError, match=message):
        ClassifierContext(**fields)


def test_a_wrong_value_of_a_field_that_can_be_set_changes_nothing():
    context = Context(global_step=2)
    for name, value, rule in [
        ("global_step", -1, "0 or more"),
        ("global_step", "3", "an integer"),
        ("exception", "no", "an exception or None"),
        ("global_batch_size", 0, "1 or more"),
    ]:
        with pytest.raises(DarkError, match=f"Context: {name} must be {rule}, got {value!r}"):
            setattr(context, name, value)
    assert (context.global_step, context.exception, context.global_batch_size) == (2, None, None)


def test_a_field_that_does_not_exist_is_not_set():
    with pytest.raises(UsageError, match="'fake_sampels' is not a field.\n  Expected: a field, such as fake_samples"):
        GANContext().fake_sampels = 1


def test_two_metrics_of_one_name_are_refused():
    for metrics in ([Accuracy(), Accuracy()], [("a", Accuracy()), ("a", Precision())]):
        with pytest.raises(
            UsageError, match="several metrics with the name 'a|several metrics with the name 'Accuracy'"
        ):
            Context(metrics=metrics)


def test_metrics_are_a_tuple_with_names_and_the_list_of_the_caller_stays():
    given = [Accuracy(), ("mse", Loss(mse))]
    context = Context(metrics=given)
    given.append(Precision())
    assert context.metrics == (given[0], given[1][1]) and context.metrics.names == ("Accuracy", "mse")
    assert Context(metrics=dict(context.metrics.items())).metrics.names == ("Accuracy", "mse")
    assert Context(metrics=context.metrics).metrics == context.metrics
    assert Context(metrics=None).metrics == ()


def test_a_metric_with_a_name_of_its_own_has_that_name():
    class Named(Accuracy):
        name = "mine"

    assert Context(metrics=[Named()]).metrics.names == ("mine",)


def test_a_model_is_read_as_a_view_and_may_be_any_callable():
    model = nn.Linear(2, 1, seed=0)
    context = GANContext(generator_model=model, discriminator_model=abs)
    assert isinstance(context.generator_model, ModelView) and context.generator_model.module is model
    assert context.generator_model is context.generator_model
    assert context.discriminator_model(-2.0, training=True) == 2.0
    assert GANContext(generator_model=context.generator_model).generator_model.module is model


def test_a_field_of_a_subclass_is_checked_with_the_others():
    class Scored(Context):
        threshold = Field(contexts.field.step, can_be_set=True)

    assert Scored(threshold=np.int64(3)).threshold == 3
    with pytest.raises(UsageError, match="global_step must be 0 or more, got -1; threshold must be 0 or more, got -2"):
        Scored(global_step=-1, threshold=-2)


def test_a_context_prints_its_fields():
    context = GANContext(generator_model=nn.ReLU(), metrics=[Accuracy()], global_step=3)
    assert (
        repr(context)
        == "GANContext(metrics=['Accuracy'], log_eval_mode=LogEvalMode.TRAIN, global_step=3, generator_model=ReLU)"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_the_checkpoint_may_be_given_by_the_keyword_of_ashpy(kind):
    assert kind(checkpoint="here").ckpt == "here"
    with pytest.raises(UsageError, match="checkpoint is not a field"):
        kind(ckpt="here", checkpoint="there")


EXCHANGED = {
    "both": ({"generator_loss": DiscriminatorMinMax(), "discriminator_loss": GeneratorBCE()}, "DiscriminatorMinMax"),
    "LSGAN": ({"generator_loss": DiscriminatorLSGAN()}, "DiscriminatorLSGAN, a loss of the discriminator"),
    "hinge": ({"discriminator_loss": GeneratorHingeLoss()}, "GeneratorHingeLoss, a loss of the generator"),
    "L1": ({"discriminator_loss": DiscriminatorMinMax() + GeneratorL1()}, "GeneratorL1, a loss of the generator"),
    "term": ({"generator_loss": GeneratorBCE() + 0.5 * DiscriminatorMinMax()}, "must not contain DiscriminatorMinMax"),
    "scaled": ({"generator_loss": 2 * (DiscriminatorMinMax() + GeneratorL1())}, "must not contain DiscriminatorMinMax"),
    "named": ({"generator_loss": DiscriminatorMinMax().named("adversarial")}, "must not contain DiscriminatorMinMax"),
    "pix2pix": ({"discriminator_loss": Pix2PixLoss()}, "discriminator_loss must not contain GeneratorL1"),
    "classifier": ({"generator_loss": ClassifierLoss(nn.CrossEntropyLoss())}, "ClassifierLoss, a loss of the class"),
    "encoder": ({"encoder_loss": DiscriminatorMinMax()}, "encoder_loss must not contain DiscriminatorMinMax"),
    "of the encoder": (
        {"generator_loss": EncoderBCE()},
        "generator_loss must not contain EncoderBCE, a loss of the encoder",
    ),
}


@pytest.mark.parametrize("case", EXCHANGED)
def test_the_loss_of_another_model_is_refused(case):
    losses, message = EXCHANGED[case]
    with pytest.raises(UsageError, match=message) as caught:
        GANEncoderContext(**losses)
    assert "which trains it the right way" in str(caught.value) and "\n  Try: " in str(caught.value)


def test_an_adversarial_loss_is_refused_for_a_classifier():
    with pytest.raises(UsageError, match="loss must not contain GeneratorBCE, a loss of the generator"):
        ClassifierContext(loss=GeneratorBCE())


@pytest.mark.parametrize("loss", [-DiscriminatorMinMax(), -2 * (DiscriminatorMinMax() + DiscriminatorLSGAN())])
def test_a_generator_may_maximize_the_loss_of_its_discriminator(loss):
    assert GANContext(generator_loss=loss + GeneratorL1()).generator_loss is not None


def test_a_loss_of_the_user_belongs_to_any_model():
    class Own(GANExecutor):
        def call(self, context, **kwargs):
            return 1.0

    GANContext(generator_loss=Own(), discriminator_loss=Own() + DiscriminatorMinMax())
