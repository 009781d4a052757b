"""Views of models: modes, and equal calls within a step."""

import numpy as np
import pytest

import dark
from dark import nn, optim
from dark.contexts import GANContext, ModelView
from dark.errors import DarkError

X = np.arange(6.0).reshape(3, 2)


class Counted(nn.Module):
    """Counts how often it is computed."""

    def __init__(self):
        super().__init__()
        self.linear, self.norm = nn.Linear(2, 2, seed=0), nn.BatchNorm1d(2)
        self.calls = 0

    def forward(self, x, scale=1.0):
        """Return the normalized image of x."""
        self.calls += 1
        return self.norm(self.linear(x)) * scale


@pytest.fixture
def context():
    """Give a context with a counted discriminator."""
    return GANContext(discriminator_model=Counted(), generator_model=nn.Linear(2, 2, seed=1))


def counts(context):
    """Return the number of computed calls."""
    return context.discriminator_model.module.calls


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("training", [True, False, np.True_])
def test_a_call_sets_the_mode_and_restores_it(before, training):
    net = nn.Sequential(nn.Dropout(seed=0), nn.Sequential(nn.Dropout(seed=1))).train(before)
    net[1].train(not before)
    seen = []
    net.register_forward_pre_hook(lambda module, inputs: seen.extend(m.training for m in module.modules()))
    ModelView(net)(X, training=training)
    assert seen == [bool(training)] * 4
    assert [m.training for m in net.modules()] == [before, before, not before, not before]


def test_without_a_mode_the_modes_of_the_model_hold():
    net = nn.Dropout(0.5, seed=0)
    view = ModelView(net)
    assert (view(X, training=False) == X).all() and not (view(X).value == X).all()
    net.eval()
    assert (view(X) == X).all()


def test_the_mode_is_restored_after_an_error():
    net = nn.Linear(2, 1, seed=0)
    with pytest.raises(DarkError):
        ModelView(net)(np.ones(3), training=False)
    assert net.training


def test_a_wrong_mode_is_refused():
    with pytest.raises(DarkError, match="Linear: training must be a bool, got 1"):
        ModelView(nn.Linear(2, 1))(X, training=1)


@pytest.mark.parametrize("model", [3, nn.Linear, None, "net"])
def test_a_view_needs_an_instance(model):
    with pytest.raises(
        DarkError,
        match="ModelView: model must be a module or a callable, got .*\n  Expected: a module, or another callable",
    ):
        ModelView(model)


def test_an_object_with_modes_of_its_own_is_switched_and_restored():
    class Model:
        training = True

        def train(self):
            self.training = True

        def eval(self):
            self.training = False

        def __call__(self, x):
            return self.training

    model = Model()
    view = ModelView(model)
    assert view(1.0, training=False) is False and model.training is True


def test_a_list_holds_several_inputs():
    assert ModelView(lambda x, y: x - y)([5.0, 3.0]) == 2.0


def test_equal_calls_are_computed_once_and_a_step_later_again(context):
    d = context.discriminator_model
    fake = context.generator_model(X, training=True)
    first = d(fake, training=True)
    assert d(X, training=True) is not first and d(X.copy(), training=True) is d(dark.Constant(X), training=True)
    assert d(fake, training=True) is first and counts(context) == 2
    context.global_step += 1
    assert d(fake, training=True) is not first and counts(context) == 3
    context.new_step()
    d(fake, training=True)
    assert counts(context) == 4


def test_running_statistics_are_updated_once(context):
    context.discriminator_model(X, training=True)
    mean = context.discriminator_model.module.norm.running_mean.copy()
    context.discriminator_model(X, training=True)
    assert (context.discriminator_model.module.norm.running_mean == mean).all()


def test_dropout_has_one_mask_within_a_step():
    view = ModelView(nn.Dropout(0.5, seed=0))
    assert (view(np.ones(100)).value == view(np.ones(100)).value).all()


DIFFERENT = {
    "another input": lambda d, x: d(x + 1, training=True),
    "the same array, written into": lambda d, x: (x.__setitem__(0, 9.0), d(x, training=True))[1],
    "another mode": lambda d, x: d(x, training=False),
    "another setting": lambda d, x: d(x, training=True, scale=2.0),
    "without a graph": lambda d, x: dark.no_grad()(lambda: d(x, training=True))(),
    "a changed parameter": lambda d, x: (
        setattr(d.module.linear.weight, "value", np.ones((2, 2))),
        d(x, training=True),
    )[1],
    "a frozen parameter": lambda d, x: (d.module.linear.requires_grad_(False), d(x, training=True))[1],
    "a changed attribute": lambda d, x: (setattr(d.module.norm, "eps", 1.0), d(x, training=True))[1],
    "a replaced submodule": lambda d, x: (setattr(d.module, "linear", nn.Linear(2, 2, seed=5)), d(x, training=True))[1],
}


@pytest.mark.parametrize("change", DIFFERENT.values(), ids=DIFFERENT)
def test_a_different_call_is_computed(context, change):
    d, x = context.discriminator_model, X.copy()
    first = d(x, training=True)
    second = change(d, x)
    assert second is not first and counts(context) == 2


def test_a_step_of_the_optimizer_changes_the_parameters(context):
    d = context.discriminator_model
    optimizer = optim.SGD(d.module.parameters(), lr=0.1)
    y = d(X, training=True)
    (y * y).sum().backward()
    optimizer.step()
    assert not np.allclose(d(X, training=True).value, y.value, atol=1e-9) or counts(context) == 2
    assert counts(context) == 2


def test_a_parameter_that_is_written_into_is_noticed(context):
    d = context.discriminator_model
    d(X, training=False)
    d.module.linear.weight.value[...] = 1.0
    d(X, training=False)
    assert counts(context) == 2


def test_changed_running_statistics_matter_in_evaluation_mode_only(context):
    d = context.discriminator_model
    first, training = d(X, training=False), d(X, training=True)
    assert d(X, training=False) is not first and d(X, training=True) is training
    assert counts(context) == 3


def test_an_input_that_requires_grad_is_compared_by_identity(context):
    d, a, b = context.discriminator_model, dark.Parameter(X), dark.Parameter(X)
    first = d(a, training=True)
    assert d(a, training=True) is first and d(b, training=True) is not first
    a.value = X + 1
    assert d(a, training=True) is not first and counts(context) == 3


def test_both_losses_share_the_graph_of_one_call(context):
    g, d = context.generator_model, context.discriminator_model
    fake = g(X, training=True)
    (d(fake, training=True) ** 3).sum().backward()
    once = g.module.weight.grad.copy()
    (d(fake, training=True) ** 3).sum().backward()
    np.testing.assert_allclose(g.module.weight.grad, 2 * once)


def test_inside_a_derivative_every_call_is_computed():
    view = ModelView(lambda x: x * x)
    assert dark.grad(lambda x: view(x) + view(x))(3.0) == 12.0


def test_an_argument_that_cannot_be_compared_is_computed_each_time():
    calls = []
    view = ModelView(lambda x, who: calls.append(who) or x)
    for _ in range(2):
        view(1.0, who={object()})
    assert len(calls) == 2


def test_nested_arguments_are_compared():
    view = ModelView(lambda x, y, **settings: object())
    arguments = lambda k=1.0: ((X.copy(), [1, (2.0, None)]), {"z": {"a": np.ones(2) * k, "b": "c"}})
    (x, z), (other, settings) = arguments(), arguments(2.0)
    assert view(*x, **z) is view(*arguments()[0], **arguments()[1]) and view(*x, **z) is not view(*other, **settings)
    assert view(X, [1]) is not view(X, [1, 2]) and view(X, (1,)) is not view(X, [1]) and view(X, 1) is not view(X, 1.0)


def test_few_results_are_kept():
    calls = []
    view = ModelView(lambda x: calls.append(x) or x)
    for k in range(100):
        view(float(k))
    view(99.0)
    view(0.0)
    assert len(calls) == 101


class Scaled(nn.Module):
    """A layer with a buffer, an array and NaN in a buffer; with `counts`, it changes a buffer in place in each call."""

    def __init__(self, counts=False):
        super().__init__()
        self.layer = nn.Linear(3, 1, seed=0)
        self.register_buffer("scale", np.ones(1))
        self.register_buffer("calls", np.array([np.nan, 0.0]))
        self.counts, self.computed = counts, 0

    def forward(self, x):
        self.computed += 1
        if self.counts:
            self.calls[1] += 1
        return self.layer(x) * self.scale


@pytest.mark.parametrize("training", [True, False, None])
@pytest.mark.parametrize("change", [
    lambda module: module.scale.__setitem__(..., 3.0), lambda module: module.scale.__iadd__(2.0),
    lambda module: setattr(module, "scale", np.array([3.0])), lambda module: module.scale.fill(3.0),
])  # fmt: skip
def test_a_buffer_changed_between_two_calls_of_a_step_is_noticed(training, change):
    view, x = ModelView(Scaled()), np.ones((4, 3))
    first = view(x, training=training).value.copy()
    change(view.module)
    np.testing.assert_array_equal(view(x, training=training).value, 3 * first)


def test_a_buffer_of_a_submodule_changed_in_place_is_noticed():
    inner = Scaled()
    view, x = ModelView(nn.Sequential(inner, nn.Tanh())), np.ones((4, 3))
    first = view(x, training=True).value.copy()
    inner.scale[...] = 3.0
    assert not np.array_equal(view(x, training=True).value, first)


def test_what_a_module_itself_changes_in_place_does_not_undo_the_cache():
    norm = nn.BatchNorm1d(3)
    view, x, y = ModelView(norm), np.arange(12.0).reshape(4, 3), np.ones((4, 3))
    a = view(x, training=True)
    b = view(y, training=True)
    moved = norm.running_mean.copy()
    assert view(x, training=True) is a and view(y, training=True) is b and np.array_equal(norm.running_mean, moved)
    counting = ModelView(Scaled(counts=True))
    first = counting(x, training=True)
    assert counting(x, training=True).value.tolist() == first.value.tolist()


def test_nan_in_a_buffer_does_not_prevent_the_cache():
    net = nn.Linear(3, 1, seed=0)
    net.register_buffer("unknown", np.array([np.nan]))
    view, x = ModelView(net), np.ones((2, 3))
    assert view(x, training=True) is view(x, training=True)
