"""Nodes as Python's and NumPy's numbers: refused where a derivative would be lost; operators that nodes do not have."""

import array
import math
import threading

import numpy as np
import pytest

import dark
from dark.errors import DarkError, OperationError, ShapeError, ValueTypeError

CONVERSIONS = {
    "float": float,
    "int": int,
    "math.sin": math.sin,
    "math.floor": math.floor,
    "math.trunc": math.trunc,
    "complex": lambda v: complex(v).real,
    "np.float64": np.float64,
    "item": lambda v: v.item(),
    "fill": lambda v: np.ones(2).fill(v),
    "percent": lambda v: len("%.2f" % v),  # noqa: UP031
    "fsum": lambda v: math.fsum([v, v]),
}
DERIVATIVES = {
    "grad": lambda f: dark.grad(f)(1.5),
    "grad of grad": lambda f: dark.grad(dark.grad(f))(1.5),
    "value_and_grad": lambda f: dark.value_and_grad(f)(1.5),
    "jacobian": lambda f: dark.jacobian(f)(1.5),
    "hessian": lambda f: dark.hessian(f)(1.5),
    "hvp": lambda f: dark.hvp(f, 1.5, 1.0),
    "jvp": lambda f: dark.jvp(f, 1.5, 1.0),
    "gradcheck": lambda f: dark.gradcheck(f, 1.5),
    "minimize": lambda f: dark.minimize(f, 1.5),
    "of a node": lambda f: dark.grad(f)(dark.Parameter(1.5)),
    "second argument": lambda f: dark.grad(lambda a, v: a * f(v), argument=1)(2.0, 1.5),
    "around another": lambda f: dark.grad(lambda u: dark.grad(lambda v: v * f(u))(2.0))(1.5),
}


def chain(error):
    """Return the texts of an error and its causes: NumPy names our error as the cause of its own."""
    texts = []
    while error is not None:
        texts.append(str(error))
        error = error.__cause__
    return "\n".join(texts)


@pytest.mark.parametrize("derivative", DERIVATIVES.values(), ids=DERIVATIVES)
def test_a_derivative_refuses_that_its_variables_become_numbers(derivative):
    for use in CONVERSIONS.values():
        for of in (lambda v: v, lambda v: np.exp(v) * 2, lambda v: np.stack([v, v])[0]):
            with pytest.raises((OperationError, ValueError)) as caught:
                derivative(lambda v, use=use, of=of: v * (use(of(v)) or 0))
            text = chain(caught.value)
            assert "convert a node to a Python number" in text or "cannot convert a node to an array" in text
            assert "\n  Expected: " in text and "\n  Try: " in text


def test_the_thread_is_as_before_after_a_refusal():
    x = dark.Parameter(2.0)
    with pytest.raises(OperationError):
        dark.grad(lambda v: v * float(v))(1.0)
    assert float(x) == 2 and math.sin(x) == math.sin(2) and dark.grad(lambda v: v * v)(3.0) == 6
    assert dark.is_training and dark.nodes.mode.variables == ()


def test_other_nodes_of_a_derivative_and_numbers_on_purpose_are_allowed():
    p = dark.Parameter(3.0)
    q = np.exp(p)
    assert dark.grad(lambda v: v * float(p) * math.log(q))(2.0) == pytest.approx(9)
    assert dark.grad(lambda v, c: v * float(c))(2.0, 5.0) == 5
    assert dark.grad(lambda v: v * v.value)(2.0) == 2 and dark.grad(lambda v: v * float(v.detach()))(2.0) == 2
    assert dark.grad(lambda v: v * v if v > 1 and bool(v) else v)(2.0) == 4

    def quiet(v):
        with dark.no_grad():
            return v, float(v)

    assert dark.grad(lambda v: quiet(v)[0] * quiet(v)[1])(2.0) == 2


def test_another_thread_may_convert_its_nodes_during_a_derivative():
    x, found = dark.Parameter(2.0), []

    def f(v):
        thread = threading.Thread(target=lambda: found.append(float(x)))
        thread.start()
        thread.join()
        return v * v

    assert dark.grad(f)(1.0) == 2 and found == [2.0]


def test_outside_of_a_derivative_a_single_number_is_converted():
    x, one = dark.Parameter(2.5), dark.Parameter(np.array([[2.5]]))
    for n in (x, one, x * 1, dark.Parameter(np.float32(2.5))):
        assert float(n) == 2.5 and int(n) == 2 and math.trunc(n) == 2 and math.floor(n) == 2 and math.ceil(n) == 3
        assert math.sin(n) == math.sin(2.5) and np.float64(n) == 2.5 and n.item() == 2.5
    for use in (float, int, math.sin, math.trunc):
        with pytest.raises(ShapeError, match="item: the value must have one element, got .*\n  Expected: one element"):
            use(dark.Parameter(np.ones(2)))


ASSIGNMENTS = [
    "buffer[0] = x", "buffer[0,] = x * 2", "table[0, 1] = x", "buffer[-1] = x", "small[0] = x", "integers[0] = x",
    "buffer[...] = x", "buffer[:] = x", "buffer[0:1] = x", "buffer[[0]] = x", "zero[()] = x",
    "buffer[buffer == 1] = x", "buffer[0], buffer[1] = x, 2", "row[0] = x", "buffer[0] += x", "buffer[0] = one",
]  # fmt: skip


@pytest.mark.parametrize("statement", ASSIGNMENTS)
@pytest.mark.parametrize("inside", [False, True])
def test_a_node_is_not_written_into_an_array(statement, inside):
    names = {
        "buffer": np.ones(3), "table": np.ones((2, 2)), "small": np.ones(2, np.float32), "integers": np.ones(2, int),
        "zero": np.ones(()), "row": array.array("d", [1.0]), "one": dark.Parameter(np.full(1, 3.0)),
    }  # fmt: skip
    before = {name: v.tolist() for name, v in names.items() if name != "one"}

    def assign(v):
        exec(statement, names | {"x": v})
        return v

    with pytest.raises((OperationError, ValueError)) as caught:
        dark.grad(assign)(3.0) if inside else assign(dark.Parameter(3.0))
    if not (inside and "one" in statement):
        assert "it would be detached from the graph.\n  Expected: " in chain(caught.value)
        assert "\n  Try: " in chain(caught.value)
    assert before == {name: v.tolist() for name, v in names.items() if name != "one"}


def test_a_flat_iterator_refuses_a_node_in_numpys_own_words():
    buffer = np.ones(2)
    with pytest.raises(ValueError, match="Error setting single item of array"):
        buffer.flat[0] = dark.Parameter(2.0)
    assert buffer.tolist() == [1, 1]


def test_assignments_of_other_things_and_to_lists_and_dicts_are_as_always():
    x, buffer, nodes, table = dark.Parameter(2.0), np.zeros(2), [None], {}
    buffer[0], nodes[0], table["x"] = x.value, x, x
    buffer[1] = float(x)
    objects = np.empty(1, object)
    objects[0] = x
    assert buffer.tolist() == [2, 2] and nodes[0] is x and table["x"] is x and objects[0] is x


def test_a_copy_of_a_node_in_an_array_is_refused():
    x = dark.Parameter(2.0)
    for use in (
        lambda: np.array(x), lambda: np.array([x, x]), lambda: np.asarray([x], dtype=float), lambda: np.full(2, x),
        lambda: np.float32(x), lambda: np.int64(x), lambda: np.ones(2).put(0, x), lambda: np.arange(x),
        lambda: np.ones(3)[x],
    ):  # fmt: skip
        with pytest.raises(OperationError, match="(?s)cannot convert a node to an array.*Expected: .*Try: x.value"):
            use()


@pytest.mark.parametrize(
    ("use", "said"),
    [
        (lambda x: x // 2, "numpy.floor_divide .*Try: np.floor_divide of x.value"),
        (lambda x: 7 // x, "numpy.floor_divide"),
        (lambda x: np.ones(2) // x, "numpy.floor_divide"),
        (lambda x: divmod(x, 2), "numpy.divmod .*Try: use x % y"),
        (lambda x: divmod(7, x), "numpy.divmod"),
        (round, "numpy.round .*Try: np.round of x.value"),
        (lambda x: round(x, 2), "numpy.round"),
        (lambda x: x & 1, r"numpy.bitwise_and .*Try: parentheses around comparisons: \(x > 0\) & \(x < 1\)"),
        (lambda x: True & x, "numpy.bitwise_and"),
        (lambda x: x > 0 & x, "numpy.bitwise_and"),
        (lambda x: np.array([True, False]) & x, "numpy.bitwise_and"),
        (lambda x: x | 1, "numpy.bitwise_or"),
        (lambda x: 1 | x, "numpy.bitwise_or"),
        (lambda x: x ^ 1, "numpy.bitwise_xor"),
        (lambda x: 1 ^ x, "numpy.bitwise_xor"),
        (lambda x: x << 1, "numpy.left_shift"),
        (lambda x: 1 << x, "numpy.left_shift"),
        (lambda x: x >> 1, "numpy.right_shift"),
        (lambda x: 1 >> x, "numpy.right_shift"),
        (lambda x: ~x, r"numpy.invert .*~\(x > 0\)"),
        (lambda x: np.invert(x), "numpy.invert"),
        (lambda x: x.__setitem__(0, 1.0), r"x\[index\] = value: .*Try: np.where"),
        (lambda x: x.__setitem__(slice(None), x), r"x\[index\] = value: "),
    ],
)
def test_operators_that_nodes_do_not_have_are_refused(use, said):
    for x in (dark.Parameter(2.0), dark.Parameter(np.array([1.0, 2.0])), dark.Constant(np.array([1, 2]))):
        with pytest.raises(OperationError, match=f"(?s){said}") as caught:
            use(x)
        assert "\n  Expected: " in str(caught.value) and "\n  Try: " in str(caught.value)


def test_augmented_assignments_are_refused_alike_and_change_nothing():
    x = y = dark.Parameter(np.array([1.0, 2.0]))
    for statement in ("x //= 2", "x &= 1", "x |= 1", "x <<= 1", "x[0] = 5", "x[0] += 5", "x[:] = 0"):
        with pytest.raises(OperationError):
            exec(statement, {"x": x})
    assert x is y and x.value.tolist() == [1, 2]


@pytest.mark.parametrize(
    "use",
    [lambda b: -b, lambda b: b - b, lambda b: np.negative(b), dark.sigmoid, dark.softplus],
    ids=["-b", "b - b", "negative", "sigmoid", "softplus"],
)
def test_arrays_of_bools_are_refused_where_numpy_has_no_such_function(use):
    b = dark.Constant(np.array([True, False]))
    with pytest.raises(
        ValueTypeError, match=r"(?s): inputs must be floats, got bool.*numpy boolean.*Expected: floats.*astype\(float\)"
    ):
        use(b)
    assert use(b.astype(float)).shape == (2,)


def test_integers_to_negative_powers_are_refused_for_what_they_are():
    n = dark.Constant(np.array([2, 3]))
    with pytest.raises(
        ValueTypeError, match="(?s)pow: inputs must be floats, got int64 and int64; Integers to negative.*Try: x.astype"
    ):
        n ** np.array([-1, -2])
    assert (n**-1).value.tolist() == [0.5, 1 / 3]


TRUES = [True, np.True_, np.array(True)]


@pytest.mark.parametrize("true", TRUES, ids=["Python", "NumPy", "array"])
def test_one_bool_is_the_same_in_all_spellings(true):
    x, p = dark.Parameter(np.array([5.0, 6.0])), dark.Parameter(1.0)
    false = np.logical_not(true) if isinstance(true, np.ndarray) else type(true)(False)
    assert x[true].shape == (1, 2) and x[false].shape == (0, 2) and x[true, 0].value.tolist() == [5]
    for y, right in ((p + true, 2), (true * p, 1), (p - false, 1), (np.maximum(p, true), 1), (np.add(true, p), 2)):
        assert y.value == right and y.shape == ()
    assert np.take(x, true).value == 6 and np.take(x, false, axis=0).value == 5
    assert np.where(true, x, 0.0).value.tolist() == [5, 6] and np.where(false, x, 0.0).value.tolist() == [0, 0]
    assert (p == true) and (p != false) and np.equal(x, true).tolist() == [False, False]
    for make in (dark.Parameter, dark.Constant):
        with pytest.raises(ValueTypeError, match="cannot use"):
            make(true)
    x[true].sum().backward()
    assert x.grad.tolist() == [1, 1]


class Truth(dark.Operation):
    """An operation that returns one bool."""

    @staticmethod
    def _f(x, true):
        return true

    @staticmethod
    def _df(dldy, y, x, true):
        return (0.0 * dldy,)


@pytest.mark.parametrize("true", TRUES, ids=["Python", "NumPy", "array"])
def test_one_bool_is_a_result_in_all_spellings(true):
    assert Truth.apply(dark.Parameter(2.0), true=true).value == 1.0


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "sum", "max", "exp", "nan_to_num"])
def test_a_module_is_not_taken_for_an_array(name):
    with pytest.raises(DarkError, match="(?s)Expected: .*Try: "):
        getattr(dark, name)(np)


@pytest.mark.parametrize(
    "use",
    [
        lambda p: dark.losses.huber(1.0, 2.0, delta=p),
        lambda p: dark.losses.cross_entropy(np.ones((1, 2)), np.array([0]), label_smoothing=p),
        lambda p: dark.losses.triplet_margin(np.ones((1, 2)), np.ones((1, 2)), np.ones((1, 2)), margin=p),
        lambda p: dark.elu(1.0, p),
        lambda p: dark.nn.ELU(p),
        lambda p: dark.nn.LayerNorm(2, eps=p),
        lambda p: dark.nn.Dropout(p),
        lambda p: dark.optim.SGD([dark.Parameter(1.0)], lr=p),
        lambda p: np.nan_to_num(dark.Parameter(1.0), nan=p),
        lambda p: np.var(dark.Parameter(np.ones(2)), ddof=p),
        lambda p: np.full_like(dark.Parameter(np.ones(2)), p),
        lambda p: np.pad(dark.Parameter(np.ones(2)), 1, constant_values=p),
        lambda p: np.roll(dark.Parameter(np.ones(2)), p),
        lambda p: np.trace(dark.Parameter(np.ones((2, 2))), p),
        lambda p: dark.norm(dark.Parameter(np.ones(2)), ord=p),
        lambda p: dark.slope(lambda x: x * x, p),
    ],
)
def test_a_setting_is_no_parameter_whose_gradient_would_be_lost(use):
    for p in (dark.Parameter(0.5), dark.Parameter(0.25) * 2):
        with pytest.raises(DarkError, match="(?s)(value=0.5|copyto).*Expected: .*Try: "):
            use(p)
