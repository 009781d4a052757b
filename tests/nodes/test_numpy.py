"""NumPy functions on nodes: what they do not accept, and what to use instead."""

import numpy as np
import pytest

import dark
from dark.errors import OperationError
from dark.nodes.comparisons import OF_VALUES
from dark.nodes.protocols import ALTERNATIVES, FUNCTIONS, UFUNCS
from dark.operations.numpy_alternatives import BITWISE, COMPLEX, INSTEAD, VALUES_ALONE

X = dark.Parameter(np.array([[0.5, 1.0, 2.0], [3.0, 4.0, 5.0]]), name="x")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: np.sum(X, initial=3.0), r"numpy.sum: on nodes it takes no argument 'initial'.*Expected: sum\(x, axis"),
        (lambda: np.sum(X, where=X.value > 1), "numpy.sum: on nodes it takes no argument 'where'"),
        (lambda: np.mean(X, dtype=np.float32), "numpy.mean: on nodes it takes no argument 'dtype'"),
        (lambda: np.std(X, 0, None, None, 1), r"numpy.std: on nodes it takes fewer arguments.*ddof=0"),
        (lambda: np.take(X, [7], mode="clip"), "numpy.take: on nodes it takes no argument 'mode'"),
        (lambda: np.reshape(X, (3, 2), order="F"), "numpy.reshape: on nodes it takes no argument 'order'"),
        (lambda: np.where(X), "numpy.where: on nodes it needs one more argument: 'a'"),
        (lambda: np.exp(X, where=X.value > 1), r"numpy.exp: on nodes it takes no argument 'where'.*np.where"),
        (lambda: np.exp(X, dtype=np.float32), r"numpy.exp: on nodes it takes no argument 'dtype'.*astype"),
        (lambda: np.add(X, X, out=np.ones((2, 3))), "numpy.add: on nodes it takes no argument 'out'"),
        (lambda: np.argmax(X), r"numpy.argmax does not support nodes.*np.argmax of x.value; it has no gradient"),
        (lambda: np.zeros_like(X, device="cpu"), "numpy.zeros_like: on nodes it takes no argument 'device'"),
        (lambda: np.rint(X), "np.rint of x.value"),
        (lambda: np.logical_not(X), "np.logical_not of x.value"),
        (lambda: np.block([X, X]), "numpy.block does not support nodes.*use hstack and vstack"),
        (lambda: np.vstack([X, X], dtype=np.float32), "numpy.vstack: on nodes it takes no argument 'dtype'"),
        (lambda: np.median(X), r"use sort\(x\)\[len\(x\) // 2\]"),
        (lambda: np.partition(X, 1), "numpy.partition does not support nodes.*use sort"),
        (lambda: np.fft.fft(X), "numpy.fft does not support nodes.*nodes hold real numbers"),
        (lambda: np.linalg.pinv(X), "use svd, inv or solve"),
        (lambda: np.array_split(X, 2), "use split"),
        (lambda: np.add.reduce(X), "numpy.add.reduce does not support nodes.*use sum"),
        (lambda: np.maximum.reduce(X), "numpy.maximum.reduce does not support nodes.*use max"),
        (lambda: np.add.accumulate(X), "use cumsum"),
        (lambda: np.multiply.accumulate(X), "use cumprod"),
        (lambda: np.subtract.outer(X, X), "numpy.subtract.outer does not support nodes.*use subtract"),
    ],
)
def test_arguments_that_numpy_functions_do_not_accept_on_nodes_raise_a_clear_error(call, said):
    with pytest.raises(OperationError, match=f"(?s){said}"):
        call()


def test_a_dtype_that_numpy_does_not_have_is_refused_by_name():
    said = r"(?s)astype: 'float24' .str. is not a dtype of NumPy.*x.astype.np.float32"
    with pytest.raises(dark.errors.ValueTypeError, match=said):
        X.astype("float24")


def test_adding_a_node_to_an_array_in_place_raises_with_advice():
    array = np.ones((2, 3))
    with pytest.raises(OperationError, match=r"(?s)numpy.add: on nodes .* 'out'.*y = y \+ x instead of y \+= x"):
        array += X
    assert array.tolist() == np.ones((2, 3)).tolist()


def test_arguments_that_ask_for_nothing_are_taken():
    assert np.sum(X, axis=0, dtype=None, out=None).shape == (3,)
    assert np.clip(X, 0, 1, out=None).op is dark.Clip and np.exp(X, out=None).op is dark.Exp


def test_numpys_errors_about_values_stay():
    with pytest.raises(dark.errors.ValueTypeError, match="sum: axis must be an integer, got 0.5"):
        np.sum(X, axis=0.5, out=None)
    with pytest.raises(dark.errors.ShapeError, match="sum: axis 7 is out of bounds"):
        np.sum(X, axis=7)


@pytest.mark.parametrize(
    ("method", "settings"),
    [
        ("sum", {"axis": 1}), ("mean", {"axis": (0, 1)}), ("max", {"axis": 0}), ("min", {"keepdims": True}),
        ("prod", {"axis": 1, "keepdims": True}), ("var", {"axis": 0, "ddof": 1}), ("std", {"axis": (0, -1)}),
        ("cumsum", {"axis": -1}), ("cumsum", {}), ("clip", {"min": 1.0}), ("clip", {"max": 3.0}),
        ("dot", {"b": np.ones(3)}), ("take", {"indices": [2, 2], "axis": 1}),
        ("repeat", {"repeats": [1, 2], "axis": 0}),
        ("cumprod", {"axis": 1}), ("cumprod", {}), ("diagonal", {"offset": 1}), ("trace", {"offset": -1}),
        ("ravel", {"order": "F"}), ("flatten", {}), ("ravel", {}), ("squeeze", {"axis": ()}),
        ("swapaxes", {"axis1": 0, "axis2": 1}),
        ("transpose", {}), ("reshape", {"shape": (3, 2)}), ("astype", {"dtype": np.float32}),
    ],
)  # fmt: skip
def test_nodes_have_the_methods_of_arrays(method, settings):
    named = {k: v for k, v in settings.items() if k not in ("b", "axis1", "axis2", "shape")}
    by_place = [v for k, v in settings.items() if k not in named]
    y = getattr(X, method)(*by_place, **named)
    right = getattr(X.value, method)(*by_place, **named)
    np.testing.assert_allclose(y.value, right, rtol=1e-14)
    assert y.shape == np.shape(right) and y.dtype == right.dtype and y.requires_grad


def test_the_identity_has_names_in_numpy_too():
    assert np.positive(X) is X and np.conjugate(X) is X


def test_every_function_of_numpy_works_on_nodes_or_names_an_alternative():
    dates = {"busday_count", "busday_offset", "datetime_as_string", "is_busday", "isnat"}
    there = [f for place in (np, np.linalg, np.fft) for name, f in vars(place).items() if not name.startswith("_")]
    offered = {f.__name__ for f in there if isinstance(f, np.ufunc) or hasattr(f, "_implementation")}
    works = {f.__name__ for f in (*FUNCTIONS, *UFUNCS, *OF_VALUES, np.positive, np.conjugate)}
    assert offered - works - ALTERNATIVES.keys() == dates


def test_the_tables_name_functions_that_numpy_has_and_that_do_not_work_here():
    names = [*VALUES_ALONE.split(), *COMPLEX.split(), *BITWISE.split(), *INSTEAD]
    assert len(set(names)) == len(names)
    for name in names:
        first, _, method = name.partition(".")
        function = next((f for f in (getattr(place, first, None) for place in (np, np.linalg, np.fft)) if f), None)
        if function is None:
            continue  # in another version of NumPy
        assert not method or hasattr(function, method)
        assert function not in FUNCTIONS
        assert method or function not in UFUNCS
