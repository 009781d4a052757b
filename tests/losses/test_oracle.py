"""Every loss compared with PyTorch's: value, gradient and second derivative, reductions, dtypes, limits."""

import inspect
import math

import numpy as np
import pytest

import dark
from dark import losses
from dark.errors import ValueTypeError
from tests.losses.random_cases import CASES, Case, logits_and_classes, name_of, normal

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore:reduction. 'mean' divides:UserWarning")]
torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
F = torch.nn.functional
inf, nan = math.inf, math.nan
each_case = pytest.mark.parametrize("case", CASES, ids=name_of)


def torchs(loss):
    """Find PyTorch's function: it has the same name, or one that ends in _loss."""
    return getattr(F, loss.__name__, None) or getattr(F, f"{loss.__name__}_loss")


def theirs(case, arrays, settings):
    """Compute PyTorch's loss; return it and the tensors; the differentiable ones require gradients."""
    tensors = [torch.tensor(v, requires_grad=case.takes_gradient(k, v)) for k, v in enumerate(arrays)]
    floats = [v.dtype for v in tensors if v.is_floating_point()]
    given = {n: torch.tensor(v, dtype=floats[0]) if isinstance(v, np.ndarray) else v for n, v in settings.items()}
    return torchs(case.function)(*tensors, **given), tensors


def own(case, arrays, settings):
    """Compute the loss with dark; return it and its inputs."""
    given = [dark.Parameter(v) if case.takes_gradient(k, v) else v for k, v in enumerate(arrays)]
    return case.function(*given, **settings), given


def gradients(y, z, given, tensors):
    """Backpropagate one gradient in both libraries; return pairs of leaves, and of their gradients."""
    w = np.cos(1.0 + np.arange(y.size)).reshape(y.shape).astype(y.dtype)
    y.backward(w[()], create_graph=True)
    leaves = [(p, t) for p, t in zip(given, tensors) if isinstance(p, dark.Node)]
    right = torch.autograd.grad(z, [t for _, t in leaves], torch.tensor(w), create_graph=True)
    return leaves, [(p.grad, g) for (p, _), g in zip(leaves, right)]


def compare(case, arrays, settings, tolerance, twice=False):
    """Compare value, gradients and the gradient of their squares; where PyTorch returns NaN, a number may be right."""
    y, given = own(case, arrays, settings)
    z, tensors = theirs(case, arrays, settings)
    assert y.shape == tuple(z.shape) and y.dtype == z.detach().numpy().dtype
    same(y.value, z, tolerance)
    leaves, firsts = gradients(y, z, given, tensors)
    for mine, right in firsts:
        same(mine.value, right, tolerance)
        assert mine.dtype == y.dtype
    if twice:
        for p, _ in leaves:
            p.grad = None
        total, right = sum((g**2).sum() for g, _ in firsts), sum((g**2).sum() for _, g in firsts)
        if total.requires_grad:
            total.backward()
        seconds = [None] * len(leaves)
        if right.requires_grad:
            seconds = torch.autograd.grad(right, [t for _, t in leaves], allow_unused=True)
        for (p, t), g in zip(leaves, seconds):
            same(
                np.zeros(p.shape) if p.grad is None else p.grad,
                torch.zeros(t.shape) if g is None else g,
                tolerance * 10,
            )


def same(mine, right, tolerance):
    right = right.numpy(force=True)
    is_number = ~np.isnan(right)
    size = np.abs(right[np.isfinite(right)]).max(initial=1.0)
    np.testing.assert_allclose(np.asarray(mine)[is_number], right[is_number], rtol=tolerance, atol=tolerance * size)


@each_case
def test_value_gradient_and_second_derivative_are_pytorchs(case):
    for settings in case.each():
        compare(case, case.inputs(), settings, 1e-11, twice=case.twice)


@each_case
def test_value_and_gradient_are_pytorchs_in_float32(case):
    for settings in case.each():
        compare(case, case.inputs(np.float32), settings, 3e-5)


@each_case
def test_names_and_defaults_are_pytorchs(case):
    mine, right = inspect.signature(case.function).parameters, inspect.signature(torchs(case.function)).parameters
    deprecated = {"size_average", "reduce"}
    assert list(mine)[: len(case.inputs())] == list(right)[: len(case.inputs())]
    assert {n: p.default for n, p in mine.items()} == {n: p.default for n, p in right.items() if n not in deprecated}


EMPTY = [
    Case(losses.cross_entropy, logits_and_classes(0, 3)),
    Case(losses.cross_entropy, normal(0, 3, count=2)),
    Case(losses.cross_entropy, logits_and_classes(0, 3), ({"label_smoothing": 0.1},)),
    Case(losses.nll, logits_and_classes(0, 3)),
    Case(losses.binary_cross_entropy_with_logits, normal(0, 2, count=2), fixed=(1,)),
    Case(losses.binary_cross_entropy_with_logits, normal(0, 2, count=2)),
    Case(losses.binary_cross_entropy, normal(0, 2, count=2)),
    Case(losses.mse, normal(0, count=2)),
    Case(losses.l1, normal(0, count=2)),
    Case(losses.huber, normal(0, count=2)),
    Case(losses.kl_div, normal(0, 3, count=2)),
    Case(losses.triplet_margin, normal(0, 3, count=3)),
    Case(losses.cosine_embedding, lambda rng: [*normal(0, 3, count=2)(rng), np.zeros(0)], fixed=(2,)),
    Case(losses.hinge_embedding, normal(0, count=2), fixed=(1,)),
]  # fmt: skip


@pytest.mark.parametrize("case", EMPTY, ids=name_of)
def test_an_empty_batch_gives_what_pytorch_gives(case):
    for settings in case.each():
        compare(case, case.inputs(), settings, 1e-12)
        y, _ = own(case, case.inputs(), settings)
        z, _ = theirs(case, case.inputs(), settings)
        assert np.array_equal(np.isnan(y.value), np.isnan(z.detach().numpy()))


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("loss", [losses.cross_entropy, losses.nll])
def test_when_all_rows_are_ignored_the_mean_is_nan_and_the_gradient_0(loss, smoothing):
    settings = ({"label_smoothing": smoothing},) if loss is losses.cross_entropy and smoothing else ({},)
    case = Case(loss, lambda rng: [rng.normal(size=(2, 3)), np.array([-100] * 2)], settings)
    for s in case.each():
        compare(case, case.inputs(), s, 1e-12)
        assert math.isnan(own(case, case.inputs(), s)[0].value if s["reduction"] == "mean" else nan)


def fixed(*arrays):
    return lambda rng: [np.array(v) for v in arrays]


EDGES = [-800.0, -40.0, -0.0, 0.0, 40.0, 800.0]
BORDERS = [
    Case(losses.cross_entropy, fixed([[1000.0, 0.0], [-1000, -1000], [-800, 0]], [0, 1, 0])),
    Case(losses.cross_entropy, fixed([[-inf, 0.0, 1.0], [0.0, -inf, 0.0]], [1, 2])),
    Case(losses.cross_entropy, fixed([[-inf, 0.0, 1.0], [0.0, -inf, 0.0]], [0, 2])),
    Case(losses.cross_entropy, fixed([[-inf, 0.0], [0.0, 1.0]], [0, 1]), ({"ignore_index": 0},)),
    Case(losses.cross_entropy, fixed([[0.0, 0.0, 0.0]], [1])),
    Case(losses.cross_entropy, fixed([[5.0]], [0])),
    *(
        Case(
            losses.binary_cross_entropy_with_logits,
            fixed(EDGES, [t] * 6),
            ({}, {"pos_weight": np.array(3.0)}),
            fixed=(1,),
        )
        for t in (0.0, 1.0, 0.5)
    ),
    Case(losses.binary_cross_entropy_with_logits, fixed(EDGES, [1.0] * 6)),
    Case(
        losses.binary_cross_entropy_with_logits, fixed([inf, -inf, inf], [0.0, 1.0, 0.5]),
        fixed=(1,),
    ),
    Case(losses.binary_cross_entropy, fixed([0.0, 1, 0, 1, 1e-50, 0.5], [0.0, 1, 1, 0, 1, 0]), fixed=(1,)),
    Case(losses.mse, fixed([0.0, 1.0, inf, 1e200], [0.0, 1.0, 0.0, 0.0])),
    Case(losses.l1, fixed([0.0, 1.0, inf], [0.0, 1.0, 0.0])),
    Case(losses.huber, fixed([0.0, 1.0, -1.0, inf, 1e300], [0.0, 0.0, 0.0, 0.0, 0.0])),
    Case(losses.smooth_l1, fixed([0.0, 1.0, -1.0, inf], [0.0, 0.0, 0.0, 0.0]), ({}, {"beta": 0})),
    Case(losses.kl_div, fixed([-1.0, -2.0, 0.0], [0.0, 1.0, 0.0]), fixed=(1,)),
    Case(losses.cosine_embedding, fixed([[0.0, 0], [1, 0], [1, 0]], [[0.0, 0], [1, 0], [0, 1]], [1, 1, -1])),
    Case(losses.triplet_margin, fixed([[0.0, 0]], [[0.0, 0]], [[0.0, 0]]), ({}, {"swap": True})),
    Case(losses.hinge_embedding, fixed([1.0, 0.0, 1.0], [-1.0, -1, 1]), fixed=(1,)),
    Case(losses.multi_margin, fixed([[1.0, 0.0, 1.0], [0, 0, 0]], [0, 1]), ({}, {"p": 2})),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:(overflow|invalid value):RuntimeWarning")
@pytest.mark.parametrize("case", BORDERS, ids=name_of)
def test_at_borders_ties_and_kinks_values_and_gradients_are_pytorchs(case):
    """For probabilities PyTorch divides by at least 1e-12 as a float32 has it, which differs by 4e-9 of it."""
    for settings in case.each():
        compare(case, case.inputs(), settings, 1e-14 if case.function is not losses.binary_cross_entropy else 1e-8)


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_hinge_is_pytorchs_margin_ranking_against_0(reduction):
    x, t = np.array([2.0, 1.0, 0.5, -1.0, 0.0]), np.array([1.0, 1.0, -1.0, 1.0, -1.0])
    p, q = dark.Parameter(x), torch.tensor(x, requires_grad=True)
    y = losses.hinge(p, t, margin=1.0, reduction=reduction)
    z = F.margin_ranking_loss(q, torch.zeros(5), torch.tensor(t), margin=1.0, reduction=reduction)
    same(y.value, z, 1e-15)
    _, [(mine, right)] = gradients(y, z, [p], [q])
    same(mine.value, right, 1e-15)


CLASSES = [losses.cross_entropy, losses.nll, losses.multi_margin]


@pytest.mark.parametrize(
    "loss", [*CLASSES, losses.mse, losses.huber, losses.kl_div, losses.hinge, losses.cosine_embedding]
)
def test_targets_that_are_tensors_are_converted_unless_they_require_grad(loss):
    x = np.linspace(-1, 1, 6).reshape(2, 3)
    kind = np.int64 if loss in CLASSES else np.float64
    target = np.ones((2,) if loss in CLASSES or loss is losses.cosine_embedding else (2, 3), kind)
    inputs = (x, x + 1) if loss is losses.cosine_embedding else (x,)
    assert loss(*inputs, torch.tensor(target)).item() == loss(*inputs, target).item()
    with pytest.raises(
        ValueTypeError, match=rf"{loss.__name__}: the target must not require grad, got a Tensor .*\n.*\n.*detach"
    ):
        loss(*inputs, torch.tensor(target.astype(float), requires_grad=True))


def test_probabilities_and_weights_that_are_tensors_are_converted_unless_they_require_grad():
    x, p, w = np.zeros((2, 2)), np.full((2, 2), 0.5), np.array([1.0, 3.0])
    found = losses.cross_entropy(x, torch.tensor(p), torch.tensor(w))
    assert found.item() == losses.cross_entropy(x, p, w).item()
    for loss, target in ((losses.cross_entropy, np.array([0, 1])), (losses.mse, p)):
        with pytest.raises(ValueTypeError, match=rf"{loss.__name__}: the weight must not require grad, got a Tensor "):
            loss(x, target, weight=torch.tensor(w, requires_grad=True))
