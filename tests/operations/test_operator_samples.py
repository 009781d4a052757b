"""PyTorch's own samples of its operators: values, first and second derivatives in float64, values in float32."""

import inspect
import random

import numpy as np
import pytest

import dark
from dark.errors import DarkError
from dark.nodes import value_of
from tests.operations.operator_samples import ADAPTERS, EXPECTED, UP_TO_SIGNS

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]
torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
pytest.importorskip("expecttest", reason="the oracle extra (expecttest, which PyTorch's samples need) is not installed")

AT_MOST = 20  # samples of an operator


def samples_of(operator, dtype):
    """Return some samples of an operator, the same in each run."""
    random.seed(0), np.random.seed(0)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        found = list(operator.sample_inputs("cpu", dtype, requires_grad=True))
    return random.sample(found, min(len(found), AT_MOST))


class Pairs:
    """Converts the tensors of a sample, and pairs those that require grad with parameters."""

    def __init__(self):
        self.leaves = {}

    def converted(self, value):
        if isinstance(value, torch.Tensor):
            array = value.numpy(force=True).copy()
            if not value.requires_grad:
                return array
            return self.leaves.setdefault(id(value), (value, dark.Parameter(array)))[1]
        if isinstance(value, (list, tuple)):
            return type(value)(map(self.converted, value)) if type(value) is list else tuple(map(self.converted, value))
        if isinstance(value, dict):
            return {key: self.converted(item) for key, item in value.items()}
        return np.dtype(str(value).split(".")[1]) if isinstance(value, torch.dtype) else value


def outputs(result):
    """Return the results of floats as a list."""
    several = result if isinstance(result, (tuple, list)) else [result]
    return [y for y in several if not isinstance(y, torch.Tensor) or y.is_floating_point()]


def computed(name, sample):
    """Return the outputs of dark and the pairs of leaves; None if the sample does not apply or is refused."""
    pairs = Pairs()
    arguments = [pairs.converted(value) for value in (sample.input, *sample.args)]
    settings = pairs.converted(sample.kwargs)
    try:
        inspect.signature(ADAPTERS[name]).bind(*arguments, **settings)
    except TypeError:
        return None
    try:
        found = ADAPTERS[name](*arguments, **settings)
    except DarkError:
        return None
    return None if found is NotImplemented else (outputs(found), list(pairs.leaves.values()))


def compared_samples(operators, name, dtype):
    """Yield the outputs of dark, those of PyTorch and the pairs of leaves of each sample that dark accepts."""
    operator = operators[name]
    for sample in samples_of(operator, dtype):
        found = computed(name, sample)
        if found is not None:
            actual, leaves = found
            with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):  # it has second derivatives
                theirs = operator.gradcheck_wrapper(operator.op, sample.input, *sample.args, **sample.kwargs)
            theirs = outputs(theirs)
            if name in UP_TO_SIGNS:
                values = min(y.ndim for y in theirs)
                actual, theirs = ([abs(y) if y.ndim > values else y for y in ys] for ys in (actual, theirs))
            yield actual, theirs, leaves


def close(actual, right, rtol):
    right = np.asarray(right)
    scale = np.abs(right[np.isfinite(right)]).max(initial=0)
    np.testing.assert_allclose(value_of(actual), right, rtol=rtol, atol=rtol * scale + 1e-14)


def compare_derivatives(ys, zs, leaves, rng, order):
    """Compare the gradients of weighted sums of outputs, and then of weighted sums of these gradients."""
    weights = [rng.normal(size=z.shape) for z in zs]
    y = dark.sum(dark.stack([dark.sum(w * y) for w, y in zip(weights, ys)]))
    z = sum((torch.tensor(w) * z).sum() for w, z in zip(weights, zs))
    theirs, right = [t for t, _ in leaves], [None] * len(leaves)
    if z.requires_grad:
        right = torch.autograd.grad(z, theirs, create_graph=order > 1, allow_unused=True)
    if y.requires_grad:
        y.backward(create_graph=order > 1)
    right = [torch.zeros_like(t) if g is None else g for t, g in zip(theirs, right)]
    grads = [np.zeros(p.shape) if p.grad is None else p.grad for _, p in leaves]
    for (_, p), g, r in zip(leaves, grads, right):
        close(g, r.numpy(force=True), 1e-9)
        p.grad = None
    if order > 1:
        compare_derivatives(grads, right, leaves, rng, order - 1)


@pytest.fixture(scope="module")
def operators():
    """Give PyTorch's operators with their samples, by name."""
    from torch.testing._internal import common_utils
    from torch.testing._internal.common_methods_invocations import op_db

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(common_utils, "extract_test_fn", lambda: None, raising=False)  # reads the source of each frame
        for device in (torch.cuda, torch.xpu, torch.mtia):  # which note a traceback for each seed
            patch.setattr(device, "_is_in_bad_fork", lambda: True)
        yield {".".join(filter(None, (operator.name, operator.variant_test_name))): operator for operator in op_db}


@pytest.mark.parametrize("name", ADAPTERS)
def test_values_and_two_derivatives_of_samples_are_pytorchs(operators, name, record_property):
    order, compared = 2 if operators[name].supports_gradgrad else 1, 0
    for ys, zs, leaves in compared_samples(operators, name, torch.float64):
        for y, z in zip(ys, zs, strict=True):
            close(y, z.numpy(force=True), 1e-11)
        compare_derivatives(ys, zs, leaves, np.random.default_rng(0), order)
        compared += 1
    record_property("operator samples", compared)
    assert compared >= EXPECTED[name], f"{compared} samples of {name} were compared, {EXPECTED[name]} before"


@pytest.mark.parametrize("name", ADAPTERS)
def test_values_and_dtypes_of_samples_in_float32_are_pytorchs(operators, name, record_property):
    compared = 0
    for ys, zs, _ in compared_samples(operators, name, torch.float32):
        for y, z in zip(ys, zs, strict=True):
            assert str(np.asarray(value_of(y)).dtype) == str(z.dtype).removeprefix("torch.")
            close(y, z.numpy(force=True), 1e-4)
        compared += 1
    record_property("operator samples", compared)
    assert compared >= EXPECTED[name], f"{compared} samples of {name} were compared, {EXPECTED[name]} before"


def test_each_operator_is_compared_in_as_many_samples_as_before():
    assert EXPECTED.keys() == ADAPTERS.keys() and min(EXPECTED.values()) > 0
