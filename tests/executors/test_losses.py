"""The losses: values by their formulas, any rank of examples, scales, and PyTorch's values."""

import numpy as np
import pytest

import dark
from dark import executors, losses, nn
from dark.contexts import ClassifierContext, Context, GANContext, GANEncoderContext
from dark.errors import DarkError, ShapeError, UsageError, ValueTypeError
from dark.executors import (
    AdversarialLossType,
    CategoricalCrossEntropy,
    ClassifierLoss,
    DiscriminatorAdversarialLoss,
    DiscriminatorHingeLoss,
    DiscriminatorLSGAN,
    DiscriminatorMinMax,
    EncoderBCE,
    Executor,
    FeatureMatchingLoss,
    GANExecutor,
    GeneratorAdversarialLoss,
    GeneratorBCE,
    GeneratorHingeLoss,
    GeneratorL1,
    GeneratorLSGAN,
    Pix2PixLoss,
    Pix2PixLossSemantic,
    get_adversarial_loss_discriminator,
    get_adversarial_loss_generator,
)  # fmt: skip

GIVEN = GANContext(discriminator_model=lambda x: x, generator_model=lambda z: z)
ENCODED = GANEncoderContext(discriminator_model=lambda x, encoding: encoding, encoder_model=lambda x: x)
FAKE = [
    (GeneratorBCE, {}, 0.0, 0.693147), (GeneratorBCE, {}, 2.0, 0.126928), (GeneratorBCE, {}, -2.0, 2.126928),
    (GeneratorBCE, {"from_logits": False}, 0.5, 0.693147), (GeneratorLSGAN, {}, 0.3, 0.49),
    (GeneratorLSGAN, {"halved": True}, 0.3, 0.245), (GeneratorHingeLoss, {}, 0.7, -0.7),
]  # fmt: skip
PAIRS = [
    (DiscriminatorMinMax, {}, (0.0, 0.0), 0.693147), (DiscriminatorMinMax, {}, (2.0, -2.0), 0.126928),
    (DiscriminatorMinMax, {}, (1.0, 1.0), 0.813262),
    (DiscriminatorMinMax, {"label_smoothing": 0.2}, (2.0, -2.0), 0.226928),
    (DiscriminatorMinMax, {"label_smoothing": 0.1, "smoothing": "one-sided"}, (2.0, -2.0), 0.226928),
    (DiscriminatorMinMax, {"from_logits": False}, (0.5, 0.5), 0.693147), (DiscriminatorLSGAN, {}, (0.8, 0.3), 0.065),
    (DiscriminatorHingeLoss, {}, (0.5, 0.25), 1.75), (DiscriminatorHingeLoss, {}, (2.0, -3.0), 0.0),
]  # fmt: skip
GENERATORS = [GeneratorBCE, GeneratorLSGAN, GeneratorHingeLoss]
DISCRIMINATORS = [DiscriminatorMinMax, DiscriminatorLSGAN, DiscriminatorHingeLoss]


def scores(value, shape=(4, 1)):
    """Return equal scores of several examples."""
    return np.full(shape, value)


@pytest.mark.parametrize(("kind", "settings", "score", "expected"), FAKE)
@pytest.mark.parametrize("shape", [(4,), (4, 1), (4, 1, 3), (4, 1, 2, 3), (4, 1, 2, 2, 2)])
def test_losses_of_generators_have_the_values_of_their_formulas(kind, settings, score, expected, shape):
    found = kind(**settings)(GIVEN, fake=scores(score, shape), real=None, condition=None, training=True)
    assert found.shape == () and found.item() == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("kind", "settings", "pair", "expected"), PAIRS)
@pytest.mark.parametrize("shape", [(4,), (4, 1), (4, 1, 2, 3)])
def test_losses_of_discriminators_have_the_values_of_their_formulas(kind, settings, pair, expected, shape):
    real, fake = (scores(score, shape) for score in pair)
    found = kind(**settings)(GIVEN, fake=fake, real=real, condition=None, training=True)
    assert found.shape == () and found.item() == pytest.approx(expected, abs=1e-6)


def test_the_loss_of_an_encoder_has_the_target_0():
    assert EncoderBCE()(ENCODED, real=scores(1.0), condition=None, training=True).item() == pytest.approx(
        1.313262, abs=1e-6
    )
    probability = EncoderBCE(from_logits=False)(ENCODED, real=scores(0.25))
    assert probability.item() == pytest.approx(-np.log(0.75))


def test_the_loss_of_an_encoder_uses_the_condition():
    context = GANEncoderContext(discriminator_model=lambda x, encoding, condition: condition, encoder_model=lambda x: x)
    assert EncoderBCE()(context, real=scores(5.0), condition=scores(1.0)).item() == pytest.approx(1.313262, abs=1e-6)


@pytest.mark.parametrize("shape", [(5,), (5, 3), (5, 2, 3), (5, 1, 4, 4), (5, 1, 2, 3, 2)])
def test_images_may_have_any_rank(shape):
    fake, real = np.random.default_rng(0).normal(size=(2, *shape))
    found = GeneratorL1()(GIVEN, fake=fake, real=real, condition=None, training=True)
    assert found.item() == pytest.approx(np.abs(fake - real).mean())


def test_the_sum_of_pix2pix_has_its_weights():
    real, fake = np.full((2, 1, 2, 2), 0.2), np.zeros((2, 1, 2, 2))
    logit = -np.log(np.expm1(0.7))  # its adversarial loss is 0.7

    def discriminator(x, return_features=False):
        d = 0.0 * x + logit
        return (d, [0.5 * x]) if return_features else d

    context = GANContext(discriminator_model=discriminator)
    for settings, expected in (({}, 20.7), ({"use_feature_matching_loss": True}, 21.7)):
        loss = Pix2PixLoss(**settings)
        assert loss(context, fake=fake, real=real, condition=None, training=True).item() == pytest.approx(expected)
    assert loss.values() == pytest.approx({"GeneratorL1": 0.2, "GeneratorBCE": 0.7, "FeatureMatchingLoss": 0.1})
    assert (2 * loss)(context, fake=fake, real=real).item() == pytest.approx(43.4)


def test_the_weights_of_pix2pix_may_be_schedules():
    loss = Pix2PixLossSemantic(
        executors.linear(0, 50, 10), 2, adversarial_loss_type="LSGAN", use_feature_matching_loss=True
    )
    assert repr(loss) == (
        "linear(0, 50, steps=10) * CategoricalCrossEntropy + 2 * GeneratorLSGAN + 10 * FeatureMatchingLoss"
    )


@pytest.mark.parametrize("shape", [(3, 4), (3, 4, 5), (3, 4, 2, 5)])
def test_the_cross_entropy_of_class_maps_is_the_mean_over_positions(shape):
    rng = np.random.default_rng(1)
    fake, classes = rng.dirichlet(np.ones(4), (3, *shape[2:])), rng.integers(0, 4, (3, *shape[2:]))
    one_hot, fake = np.moveaxis(np.eye(4)[classes], -1, 1), np.moveaxis(fake, -1, 1)
    expected = -(one_hot * np.log(fake)).sum(axis=1).mean()
    for real in (one_hot, classes):
        assert CategoricalCrossEntropy()(GIVEN, fake=fake, real=real).item() == pytest.approx(expected)
        found = CategoricalCrossEntropy(from_logits=True)(GIVEN, fake=np.log(fake) + 3, real=real)
        assert found.item() == pytest.approx(expected)


def test_a_probability_of_0_has_a_finite_loss():
    found = CategoricalCrossEntropy()(GIVEN, fake=np.array([[0.0, 1.0]]), real=np.array([[1.0, 0.0]]))
    assert found.item() == pytest.approx(-np.log(1e-7))


@pytest.mark.parametrize(("shape", "labels"), [((3, 4), (3,)), ((3, 4, 5), (3, 5)), ((3, 4, 5, 6), (3, 5, 6))])
def test_the_loss_of_a_classifier_is_the_mean_over_all_positions(shape, labels):
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=shape), rng.integers(0, 4, labels)
    context = ClassifierContext(classifier_model=lambda x: x)
    found = ClassifierLoss(nn.CrossEntropyLoss())(context, features=x, labels=y, training=True)
    assert found.item() == pytest.approx(losses.cross_entropy(x, y).item())


def test_a_loss_of_many_axes_is_the_mean_over_all_of_them():
    x = np.arange(48.0).reshape(2, 2, 3, 4)
    context = ClassifierContext(classifier_model=lambda x: x)
    found = ClassifierLoss(nn.MSELoss())(context, features=x, labels=0 * x, training=True)
    assert found.item() == pytest.approx((x**2).mean())


@pytest.mark.parametrize("kind", GENERATORS)
def test_the_losses_of_several_scales_are_added(kind):
    one = GANContext(discriminator_model=lambda x: x)
    two = GANContext(discriminator_model=lambda x: [x, 2 * x[:, :, :1]])
    fake = np.random.default_rng(3).normal(size=(3, 1, 2, 2))
    expected = kind()(one, fake=fake).item() + kind()(one, fake=2 * fake[:, :, :1]).item()
    assert kind()(two, fake=fake).item() == pytest.approx(expected)


@pytest.mark.parametrize("kind", DISCRIMINATORS)
def test_the_losses_of_several_scales_of_both_scores_are_added(kind):
    one = GANContext(discriminator_model=lambda x: x)
    two = GANContext(discriminator_model=lambda x: (x, 2 * x))
    real, fake = np.random.default_rng(4).normal(size=(2, 3, 1, 2, 2))
    expected = kind()(one, real=real, fake=fake).item() + kind()(one, real=2 * real, fake=2 * fake).item()
    assert kind()(two, real=real, fake=fake).item() == pytest.approx(expected)


def test_features_of_all_layers_are_compared():
    def discriminator(x, condition, return_features=False):
        return (x, [x, x[:, 0], x * condition]) if return_features else x

    context = GANContext(discriminator_model=discriminator)
    real, fake = np.random.default_rng(5).normal(size=(2, 3, 4, 2))
    expected = np.abs(real - fake).mean() * 3 + np.abs(real - fake)[:, 0].mean()
    found = FeatureMatchingLoss()(context, real=real, fake=fake, condition=2 * np.ones((3, 4, 2)), training=True)
    assert found.item() == pytest.approx(expected)


def test_a_discriminator_without_features_is_refused():
    for model in (lambda x: x, lambda x, return_features=False: x, lambda x, return_features=False: (x, [])):
        with pytest.raises(UsageError, match="FeatureMatchingLoss: the discriminator must return features"):
            FeatureMatchingLoss()(GANContext(discriminator_model=model), real=np.ones((2, 1)), fake=np.ones((2, 1)))


def test_the_weights_of_terms_reach_their_own_models_through_one_call():
    calls = []

    class Discriminator(nn.Linear):
        def forward(self, x):
            calls.append(x)
            return super().forward(x)

    context = GANContext(generator_model=nn.Linear(2, 3, seed=0), discriminator_model=Discriminator(3, 1, seed=1))
    real, fake = np.ones((4, 3)), context.generator_model(np.ones((4, 2)), training=True)
    arguments = {"fake": fake, "real": real, "condition": None, "training": True}
    for loss in (GeneratorBCE() + 10 * GeneratorL1(), 2 * DiscriminatorMinMax(), GeneratorHingeLoss()):
        loss(context, **arguments)
    assert len(calls) == 2


GRADIENTS = [*GENERATORS, *DISCRIMINATORS, EncoderBCE, GeneratorL1, CategoricalCrossEntropy]


@pytest.mark.parametrize("kind", GRADIENTS, ids=lambda kind: kind.__name__)
def test_gradients_equal_finite_differences(kind):
    rng = np.random.default_rng(6)
    real = rng.dirichlet(np.ones(3), 4)
    context = ENCODED if kind is EncoderBCE else GIVEN

    def loss(x):
        context.new_step()
        return kind()(context, fake=x, real=x if kind is EncoderBCE else real, condition=None, training=True)

    assert dark.gradcheck(loss, rng.uniform(0.1, 0.9, (4, 3))).ok


@pytest.mark.oracle
def test_adversarial_losses_are_those_of_pytorch():
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    functional = torch.nn.functional
    real, fake = np.random.default_rng(7).normal(size=(2, 6, 1, 3, 3))
    r, f = torch.from_numpy(real), torch.from_numpy(fake).requires_grad_()
    bce, mse = functional.binary_cross_entropy_with_logits, functional.mse_loss
    ones, zeros = torch.ones_like(r), torch.zeros_like(r)
    expected = {
        GeneratorBCE: bce(f, ones), GeneratorLSGAN: mse(f, ones), GeneratorHingeLoss: -f.mean(),
        DiscriminatorMinMax: (bce(r, ones) + bce(f, zeros)) / 2, DiscriminatorLSGAN: (mse(r, ones) + mse(f, zeros)) / 2,
        DiscriminatorHingeLoss: (1 - r).relu().mean() + (1 + f).relu().mean(), GeneratorL1: functional.l1_loss(f, r),
    }  # fmt: skip
    for kind, theirs in expected.items():
        x = dark.Parameter(fake)
        loss = kind()(GIVEN, fake=x, real=real, condition=None, training=True)
        loss.backward()
        assert loss.item() == pytest.approx(theirs.item(), rel=1e-12)
        np.testing.assert_allclose(x.grad, torch.autograd.grad(theirs, f)[0].numpy(), atol=1e-15)


def test_the_types_give_the_classes_of_the_losses():
    found = [(get_adversarial_loss_generator(t), get_adversarial_loss_discriminator(t)) for t in AdversarialLossType]
    assert found == list(zip(GENERATORS, DISCRIMINATORS, strict=True))
    assert get_adversarial_loss_generator("LSGAN") is GeneratorLSGAN


@pytest.mark.parametrize("function", [get_adversarial_loss_generator, get_adversarial_loss_discriminator])
@pytest.mark.parametrize("wrong", ["LSGAM", "gan", 1, None, GeneratorBCE])
def test_an_unknown_type_is_refused_with_near_misses(function, wrong):
    with pytest.raises(UsageError, match=f"{function.__name__}: unknown type .*\n  Expected: .*GAN, LSGAN, HINGE_LOSS"):
        function(wrong)
    with pytest.raises(UsageError, match="\n  Try: LSGAN"):
        function("LSGAM")


@pytest.mark.parametrize("kind", [GeneratorAdversarialLoss, DiscriminatorAdversarialLoss, ClassifierLoss])
def test_a_general_loss_needs_a_function(kind):
    with pytest.raises(ValueTypeError, match=f"{kind.__name__}: fn must be a loss, got None"):
        kind(None)


@pytest.mark.parametrize(
    "build",
    [
        lambda: GeneratorBCE(from_logits=1),
        lambda: GeneratorLSGAN(halved=0.5),
        lambda: DiscriminatorMinMax(label_smoothing=1.5),
        lambda: DiscriminatorMinMax(label_smoothing=True),
        lambda: DiscriminatorMinMax(smoothing="two-sided"),
        lambda: EncoderBCE(from_logits="no"),
        lambda: CategoricalCrossEntropy(from_logits=None),
        lambda: Pix2PixLoss(l1_loss_weight="100"),
        lambda: Pix2PixLoss(use_feature_matching_loss=1),
        lambda: Pix2PixLoss(adversarial_loss_type="WGAN"),
    ],
)
def test_wrong_settings_are_refused(build):
    with pytest.raises(DarkError):
        build()


def test_a_score_that_is_one_number_for_all_examples_is_refused():
    context = GANContext(discriminator_model=lambda x: x.mean())
    with pytest.raises(ShapeError, match="GeneratorBCE: call must return one loss for each example, got shape \\(\\)"):
        GeneratorBCE()(context, fake=np.ones((4, 1)))


def test_a_context_without_the_model_is_refused():
    with pytest.raises(
        UsageError, match="GANContext: discriminator_model must be given, got None.\n  Expected: a model"
    ):
        GeneratorBCE()(GANContext(), fake=np.ones((4, 1)))
    for loss, arguments in (
        (GeneratorBCE(), {"fake": 1}),
        (ClassifierLoss(nn.MSELoss()), {"features": 1, "labels": 1}),
    ):
        with pytest.raises(
            ValueTypeError,
            match="context must have .*_model, which a loss needs, got .*\n  Expected: a (GAN|Classifier)",
        ):
            loss(Context(), **arguments)


def test_all_losses_are_public_and_have_their_own_name():
    kinds = [kind for kind in vars(executors).values() if isinstance(kind, type) and issubclass(kind, Executor)]
    named = [kind for kind in kinds if kind not in (Executor, executors.SumExecutor)]
    assert len(named) == 16 and GANExecutor in named
    assert all(kind.name == kind.__name__ and kind.__doc__ for kind in named)


@pytest.mark.parametrize("kind", [GeneratorBCE, DiscriminatorHingeLoss, GeneratorL1, FeatureMatchingLoss])
def test_a_missing_argument_is_named(kind):
    with pytest.raises(TypeError, match="missing .* required keyword-only argument"):
        kind()(GIVEN, condition=None, training=True)


@pytest.mark.parametrize("kind", [*GENERATORS, *DISCRIMINATORS])
def test_the_parts_of_a_batch_add_up_to_the_loss_and_the_gradient_of_the_whole(kind):
    rng = np.random.default_rng(8)
    x, real, fake = dark.Parameter(0.3), rng.normal(size=(7, 1)), rng.normal(size=(7, 1))
    context = GANContext(discriminator_model=lambda z: x * z)

    def total(parts):
        x.grad = None
        found = 0.0
        for part in parts:
            value = kind()(context, real=real[part], fake=fake[part], condition=None, training=True)
            value.backward()
            found += value.item()
        return found, x.grad

    whole = total([slice(None)])
    context.global_batch_size = 7
    assert total([slice(0, 4), slice(4, 6), slice(6, 7)]) == pytest.approx(whole)


@pytest.mark.parametrize(
    "loss",
    [
        *(kind() for kind in (*GENERATORS, *DISCRIMINATORS, EncoderBCE, GeneratorL1)),
        GeneratorBCE(from_logits=False), GeneratorAdversarialLoss(nn.SmoothL1Loss()), ClassifierLoss(nn.KLDivLoss()),
    ],
    ids=str,
)  # fmt: skip
def test_the_order_of_keras_is_refused_by_the_loss_of_every_executor(loss):
    d_fake = dark.Parameter(np.full((4, 1), 0.5)) * 1.0
    assert loss.fn(d_fake, dark.ones_like(d_fake)).shape == (4, 1)
    for call in (loss._fn, loss.fn):
        with pytest.raises(UsageError, match=r"the target must not require grad[^$]*first the prediction"):
            call(dark.ones_like(d_fake), d_fake)


def test_the_order_is_checked_for_a_function_of_ones_own_whose_second_argument_is_the_target():
    def squared(prediction, target, *, reduction):
        return (prediction - target) ** 2

    def distance(a, b, *, reduction):
        return abs(a - b)

    d_fake = dark.Parameter(np.full((4, 1), 0.5))
    for loss in (GeneratorAdversarialLoss(squared).fn, nn.Loss(squared, reduction="none")):
        assert loss(d_fake, np.ones((4, 1))).shape == loss(d_fake, d_fake).shape == (4, 1)
        with pytest.raises(UsageError, match=r"squared: the target must not require grad[^$]*squared\(input, target\)"):
            loss(np.ones((4, 1)), d_fake)
    assert nn.Loss(distance, reduction="none")(np.ones((4, 1)), d_fake).shape == (4, 1)
