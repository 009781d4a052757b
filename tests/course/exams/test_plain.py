"""Plain data: what is encoded, what is refused, and what compares equal."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.course.exams import plain
from dark.course.exams.plain import MISSING, Difference, Foreign, compare, decode, encode, show

numbers = st.integers(-(10**30), 10**30) | st.floats()
leaves = st.none() | st.booleans() | numbers | st.text()
data = st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12)


class AlwaysEqual:
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __repr__(self):
        raise RuntimeError("must not be called")

    __str__ = __bool__ = __len__ = __iter__ = __float__ = __repr__


class Liar:
    __class__ = float


class Meta(type):
    def __eq__(cls, other):
        return True

    def __hash__(cls):
        return hash(float)

    __name__ = "float"


class ByMeta(metaclass=Meta):
    pass


class Number(float):
    pass


class Mapping(dict):
    pass


class Items(list):
    pass


ODD = [AlwaysEqual(), Liar(), Number(2.0), Mapping(), Items(), object(), {1}, 1j, b"x", len, np.float64, slice(1)]


@given(data)
def test_encoded_data_survives_json(thing):
    encoded = encode(thing)
    assert json.loads(json.dumps(encoded, allow_nan=False)) == encoded


@given(data)
def test_data_agrees_with_itself_after_the_journey(thing):
    assert compare(json.loads(json.dumps(encode(thing))), encode(thing)) == []


@given(data)
def test_decoding_gives_the_same_data_back(thing):
    assert compare(encode(decode(encode(thing))), encode(thing)) == []


@given(data, st.lists(st.integers(0, 5), max_size=3))
def test_a_changed_leaf_is_a_difference_at_its_place(thing, steps):
    outer, path = thing, ""
    other = AlwaysEqual()
    for step in steps:
        outer, other = [0.0] * step + [outer], [0.0] * step + [other]
        path = f"[{step}]" + path
    found = compare(encode(other), encode(outer))
    assert [difference.path for difference in found] == [path]


@given(data, data)
def test_comparing_is_the_same_from_both_sides(one, two):
    there, back = (compare(*pair) for pair in [(encode(one), encode(two)), (encode(two), encode(one))])
    assert bool(there) == bool(back)


@pytest.mark.parametrize("thing", ODD, ids=[str(k) for k in range(len(ODD))])
def test_what_is_not_plain_is_named_by_its_class_and_agrees_with_nothing(thing):
    encoded = encode(thing)
    assert list(encoded) == ["object"]
    assert compare(encoded, encoded) != []
    for other in [0.0, 2.0, True, None, "", [], {"dict": {}}]:
        assert compare(encoded, other) != [] and compare(other, encoded) != []


def test_a_metaclass_cannot_pass_its_class_off_as_float():
    assert encode(ByMeta()) == {"object": "ByMeta"}


def test_a_liar_is_shown_by_its_true_class():
    assert show(encode(Liar())) == "an object of class Liar"
    assert decode(encode(Liar())) == Foreign("an object of class Liar")


def endless_list():
    items = []
    items += [items] * 10
    return items


TOO_LARGE = {
    "deep": (endless_list(), "deeper than 50"),
    "long": ([0] * 100_001, "a list of 100001 items"),
    "many": ([[0] * 1000] * 101, "a list of 1000 items"),
    "wide dict": ({str(k): k for k in range(100_001)}, "a dict of 100001 items"),
    "text": ("x" * 10_001, "a string of 10001 characters"),
    "integer": (2**1024, "an integer of 1025 bits"),
    "array": (np.zeros(100_001), "an array of 100001 elements"),
}


@pytest.mark.parametrize("thing, says", TOO_LARGE.values(), ids=TOO_LARGE)
def test_what_is_too_large_is_said_to_be_and_never_agrees(thing, says):
    encoded = encode(thing)
    assert says in json.dumps(encoded) and len(json.dumps(encoded)) < 4_000_000
    assert compare(encoded, encoded) != []


def test_numbers_are_one_kind_whatever_their_type():
    ones = [1, 1.0, np.float64(1), np.float32(1), np.int64(1), np.uint8(1)]
    assert all(compare(encode(a), encode(b)) == [] for a in ones for b in ones)


def test_a_bool_is_not_a_number_and_an_array_is_not_a_list():
    assert compare(encode(True), encode(1)) != []
    assert compare(encode(np.bool_(True)), encode(True)) == []
    assert compare(encode(np.ones(2)), encode([1.0, 1.0])) != []
    assert compare(encode((1, 2)), encode([1, 2])) == []


def test_nan_agrees_with_nan_and_infinity_with_its_own_sign():
    assert compare(encode(math.nan), encode(np.float64("nan"))) == []
    assert compare(encode(math.inf), encode(-math.inf)) != []
    assert compare(encode(math.nan), encode(0.0)) != []


def test_the_tolerance_is_relative_with_a_small_absolute_part():
    assert compare(1e20, 1e20 * (1 + 1e-10)) == []
    assert compare(1.0, 1.0 + 1e-8) != [] and compare(1.0, 1.0 + 1e-8, tolerance=1e-7) == []
    assert compare(0.0, 1e-13) == [] and compare(0.0, 1e-11) != []


def test_arrays_are_compared_by_dtype_shape_and_values():
    base = np.arange(6.0).reshape(2, 3)
    assert compare(encode(base), encode(base.copy())) == []
    assert compare(encode(base), encode(base.astype(np.float32))) != []
    assert compare(encode(base), encode(base.reshape(3, 2))) != []
    assert [d.path for d in compare(encode(base), encode(base + [0, 0, 1]))] == ["[0][2]", "[1][2]"]
    assert decode(encode(base)).tolist() == base.tolist()
    assert encode(np.array([object()])) == {"object": "ndarray of dtype object"}


def test_an_array_of_int_has_the_same_dtype_where_int_has_32_bits(monkeypatch):
    assert encode(np.array([1]))["array"] == "int64"
    assert encode(np.array([1], np.int32))["array"] == "int32"
    monkeypatch.setattr(plain, "DEFAULT_INTEGERS", {np.dtype(np.int32): "int64"})  # as in a browser
    assert encode({"counts": np.array([1], np.int32)})["dict"]["counts"]["array"] == "int64"
    assert encode(np.array([1], np.int8))["array"] == "int8"


def test_missing_and_unwanted_keys_are_differences():
    found = compare(encode({"a": 1, "c": 3}), encode({"a": 1, "b": 2}))
    assert found == [Difference("b", MISSING, 2), Difference("c", 3, MISSING)]
    assert show(MISSING) == "missing"


def test_a_dict_whose_keys_are_not_strings_is_refused():
    assert encode({1: 2}) == {"object": "dict with a key that is not a string"}


def test_numbers_are_shown_with_as_many_digits_as_asked():
    assert show(0.1 + 0.2) == "0.3" and show(0.1 + 0.2, 17) == "0.30000000000000004"
    assert show(encode([math.nan, {"x": np.ones(2)}])) == "[nan, {'x': array of shape (2,): [1, 1]}]"


def test_a_lone_surrogate_becomes_readable_text():
    assert encode("\ud800") == "\\ud800"


DTYPES = ["bool", "int8", "uint64", "float16", "float32", "float64", "longdouble"]
SPECIAL = {0: [], 1: [math.nan], 2: [math.inf, -math.inf]}


@given(st.sampled_from(DTYPES), st.lists(st.integers(0, 3), min_size=1, max_size=4), st.sampled_from(list(SPECIAL)))
def test_an_array_is_encoded_as_its_elements_are(dtype, shape, special):
    array = np.arange(math.prod(shape)).astype(dtype)
    if array.dtype.kind == "f":
        array[: len(SPECIAL[special])] = SPECIAL[special][: array.size]
    encoded = encode(array.reshape(shape))
    assert encoded["list"] == encode(array.reshape(shape).tolist())
    assert json.loads(json.dumps(encoded, allow_nan=False)) == encoded and compare(encoded, encoded) == []
    back = decode(encoded)
    assert back.dtype == array.dtype and np.array_equal(back, array.reshape(shape), equal_nan=array.dtype.kind == "f")


def test_an_array_counts_like_the_list_of_its_elements():
    tables = [np.zeros((300, 200))] * 2
    assert "too large" in encode(tables) and "too large" in encode([table.tolist() for table in tables])


@pytest.mark.parametrize("pair", [(math.inf, 3.0), (3.0, -math.inf), (math.inf, -math.inf), (math.nan, 3.0)])
def test_a_number_that_is_not_finite_agrees_with_no_other(pair):
    assert compare(*pair) != []
