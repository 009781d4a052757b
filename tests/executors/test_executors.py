"""Executors: the contract of `call`, the reduction over the batch, and what is reported."""

import numpy as np
import pytest

import dark
from dark import losses, nn
from dark.contexts import Context
from dark.errors import DarkError, OperationError, ShapeError, UsageError, ValueTypeError
from dark.executors import Executor, SumExecutor, cosine, linear
from tests.executors.values import Value, half, values


class Losses(Executor):
    """Losses of examples, as given."""

    @Executor.reduce_loss
    def call(self, context, *, x, **kwargs):
        """Return the losses of the examples."""
        return x


def test_a_class_without_call_is_refused_when_it_is_built():
    class Abstract(Executor):
        pass

    for kind in (Executor, Abstract):
        with pytest.raises(
            OperationError, match=f"{kind.__name__} must define call.\n  Expected: a method call"
        ) as caught:
            kind()
        assert isinstance(caught.value, TypeError)


def test_an_executor_without_a_loss_has_none():
    assert Losses().fn is None


@pytest.mark.parametrize(
    "loss", [nn.MSELoss(), nn.BCEWithLogitsLoss(), nn.HuberLoss(delta=2.0), losses.mse, nn.Loss(losses.mse)]
)
def test_the_loss_is_copied_without_a_reduction(loss):
    x, y = np.array([1.0, 3.0]), np.array([0.0, 1.0])
    expected = losses.mse(x, y).item() if not isinstance(loss, nn.Module) else loss(x, y).item()

    class WithLoss(Losses):
        def __init__(self):
            super().__init__(loss)

    found = WithLoss().fn
    assert found is not loss and found(x, y).shape == (2,) and found(x, y).mean().item() == pytest.approx(expected)
    assert loss(x, y).shape == ()


@pytest.mark.parametrize("wrong", ["mse", 3, nn.MSELoss, abs, nn.Linear(2, 2)])
def test_what_is_not_a_loss_is_refused(wrong):
    with pytest.raises(
        ValueTypeError, match=r"Losses: fn must be a loss, got .* \(\w+\)\.\n  Expected: a loss of dark.nn"
    ):
        Losses(wrong)
    with pytest.raises(UsageError, match="has no argument `reduction`"):
        Losses(nn.Loss(lambda x, y: x - y))


def test_weights_of_the_loss_are_kept():
    loss = nn.CrossEntropyLoss(weight=np.array([1.0, 3.0]))
    assert Losses(loss).fn(np.zeros((2, 2)), np.array([0, 1])).value == pytest.approx(np.log(2) * np.array([1, 3]))


def test_the_reduction_keeps_name_and_docstring():
    assert Losses.call.__name__ == "call" and Losses.call.__doc__ == "Return the losses of the examples."
    assert Executor.reduce is Executor.reduce_loss


@pytest.mark.parametrize("shape", [(4,), (4, 1)])
def test_losses_of_examples_are_reduced_to_their_mean(shape):
    loss, x = Losses(), np.array([1.0, 2, 3, 4]).reshape(shape)
    assert loss.global_batch_size is None
    assert loss(None, x=x).item() == 2.5 and loss.global_batch_size == 4
    loss(None, x=x[:3])
    assert loss.global_batch_size == 3
    loss.global_batch_size = 8
    assert loss(None, x=x).item() == 1.25 and loss.global_batch_size == 8


def test_the_parts_of_a_batch_add_up_to_the_whole():
    loss = Losses()
    loss.global_batch_size = 4
    parts = [loss(None, x=np.array(part)).item() for part in ([1.0, 2.0], [3.0, 4.0])]
    assert parts == [0.75, 1.75] and sum(parts) == Losses()(None, x=np.arange(1.0, 5.0)).item()


def test_the_context_may_give_the_size_of_the_global_batch():
    context, loss = Context(), Losses()
    context.global_batch_size = 4
    assert loss(context, x=np.array([1.0, 2.0])).item() == 0.75 and loss.global_batch_size == 4
    context.global_batch_size = None
    assert loss(context, x=np.array([1.0, 2.0])).item() == 1.5


def test_a_short_batch_counts_its_own_examples_unless_a_size_was_set():
    loss = Losses()
    assert loss(None, x=np.ones(3)).item() == 1.0
    loss.global_batch_size = 4
    assert loss(None, x=np.ones(3)).item() == 0.75


def test_the_mean_of_no_losses_is_nan_and_of_an_empty_part_0():
    loss = Losses()
    assert np.isnan(loss(None, x=np.ones(0)).item())
    loss.global_batch_size = 4
    assert loss(None, x=np.ones(0)).item() == 0.0


@pytest.mark.parametrize("shape", [(4, 3, 3), (4, 3), (), (1, 4), (4, 1, 1)])
def test_other_shapes_are_refused(shape):
    with pytest.raises(
        ShapeError,
        match=r"Losses: call must return one loss for each .*, got shape .*\n  Expected: one loss for each example",
    ):
        Losses()(None, x=np.ones(shape))


@pytest.mark.parametrize("shape", [(4,), (1,), (1, 1)])
def test_a_result_without_reduction_is_one_number(shape):
    with pytest.raises(
        ShapeError,
        match=r"a: call must return one number, got shape .*\n  Expected: one number.*\n  Try: @Executor.reduce_loss",
    ):
        Value(np.ones(shape), "a")(None)


@pytest.mark.parametrize("wrong", [None, "1", True])
def test_a_result_is_a_number(wrong):
    with pytest.raises(ValueTypeError):
        Value(wrong, "a")(None)
    with pytest.raises(ValueTypeError):
        Losses()(None, x=wrong)


@pytest.mark.parametrize("size", [0, -1, 2.0, True, "4"])
def test_a_size_of_the_batch_is_a_positive_integer(size):
    for loss in (Losses(), Losses() + Losses()):
        with pytest.raises(DarkError, match="global_batch_size must be (1 or more|an integer), got "):
            loss.global_batch_size = size
        assert loss.global_batch_size is None


def test_a_size_of_the_batch_holds_for_all_terms_of_a_sum_and_the_terms_stay_as_they_are():
    first, second, third = Losses(), Losses(), Losses()
    total = first + second
    total.global_batch_size = 4
    longer = total + third
    assert [e.global_batch_size for e in (*total.executors, *longer.executors, longer)] == [4] * 6
    assert [e.global_batch_size for e in (first, second, third)] == [None] * 3
    assert longer(None, x=np.ones(3)).item() == 2.25
    scaled = 2 * longer
    scaled.global_batch_size = 6
    assert (scaled.global_batch_size, longer.global_batch_size) == (6, 4)
    assert scaled(None, x=np.ones(3)).item() == 3.0


def test_terms_with_different_sizes_keep_theirs():
    first, second = Losses(), Losses()
    first.global_batch_size, second.global_batch_size = 4, 8
    assert (first + second)(None, x=np.ones(4)).item() == 1.5


def test_the_measured_size_of_a_sum_is_that_of_its_terms():
    total = Losses() + Losses()
    total(None, x=np.ones(5))
    assert total.global_batch_size == 5


def test_gradients_reach_the_parameters_with_the_weights():
    x = dark.Parameter(np.array([1.0, 2.0]))
    loss = 3 * Losses() - Losses() * (lambda step: 0.5)
    loss(Context(), x=x * x).backward()
    assert (x.grad == 2.5 * x.value).all()


def test_float32_stays_float32():
    assert (0.1 * Losses())(None, x=np.ones(3, np.float32)).dtype == np.float32


def test_a_weight_of_one_adds_nothing_to_the_graph():
    x = dark.Parameter(2.0)
    assert Value(x, "a")(None) is x


def test_values_are_listed_by_name():
    a, b, c = values()
    loss = 2 * (a + b) - c * half + a
    assert loss.values() == {} and [term.value for term in loss.terms()] == [None] * 4
    assert [term.weight for term in loss.terms()] == [2.0, 2.0, None, 1.0]
    loss(Context(global_step=4))
    assert loss.values() == {"a": 1.0, "b": 10.0, "c": 100.0, "a 2": 1.0}
    assert [(term.name, term.weight, term.weighted) for term in loss.terms()] == [
        ("a", 2.0, 2.0), ("b", 2.0, 20.0), ("c", -2.0, -200.0), ("a", 1.0, 1.0),
    ]  # fmt: skip


def test_a_report_is_that_of_the_last_call_of_this_expression():
    x = Losses()
    first, second = 2 * x + x, x - 3 * x
    first(None, x=np.array([1.0]))
    second(None, x=np.array([5.0]))
    assert first.values() == {"Losses": 1.0, "Losses 2": 1.0} and second.values() == {"Losses": 5.0, "Losses 2": 5.0}


def test_a_name_may_be_set_before_the_base_class_is_initialized():
    class Named(Executor):
        def __init__(self):
            self.name = "mine"
            super().__init__(nn.MSELoss())

        def call(self, context):
            return 1.0

    assert repr(2 * Named()) == "2 * mine"


def test_a_subclass_may_leave_out_the_initialization_of_the_base_class():
    class Bare(Executor):
        def __init__(self):
            self.power = 2

        def call(self, context):
            return 3.0**self.power

    assert (2 * Bare())(None).item() == 18.0 and Bare().fn is None and Bare().name == "Bare"


def test_the_weight_and_the_terms_cannot_be_set():
    total = Losses() + Losses()
    for name in ("weight", "executors", "fn"):
        with pytest.raises(AttributeError):
            setattr(total, name, None)


def test_a_sum_may_be_subclassed():
    class Both(SumExecutor):
        def __init__(self, factor):
            a, b, _ = values()
            super().__init__([factor * a, b])

    both = Both(3)
    assert both(None).item() == 13.0 and (2 * both)(None).item() == 26.0 and repr(2 * both) == "2 * (3 * a + b)"
    assert both.name == "Both"


@pytest.mark.parametrize(("schedule", "found"), [(linear, [2, 2, 3, 4, 4]), (cosine, [2, 2, 3, 4, 4])])
def test_a_schedule_stays_at_its_ends(schedule, found):
    assert [schedule(2, 4, steps=10)(step) for step in (-5, 0, 5, 10, 99)] == pytest.approx(found)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("0", 1, 3), r"start must be a number, got '0' \(str\)"),
        ((0, np.nan, 3), "end must be a finite number, got nan"),
        ((0, 1, 0), "steps must be 1 or more, got 0"),
        ((0, 1, 2.0), r"steps must be an integer, got 2.0 \(float\)"),
        ((0, 1, True), r"steps must be an integer, got True \(bool\)"),
    ],
)
def test_arguments_of_schedules_are_checked(arguments, says):
    for schedule in (linear, cosine):
        with pytest.raises(DarkError, match=f"{schedule.__name__}: {says}"):
            schedule(*arguments)
