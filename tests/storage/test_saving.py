"""Saving and loading are the identity on arrays and plain data; other values are refused, with their path."""

import collections
import json
import math
import os
import stat

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import dark
from dark.errors import ShapeError, StorageError
from dark.storage import load_file, save_file

TYPES = [np.dtype(t) for t in ("?", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8")]
any_array = arrays.arrays(
    st.sampled_from([*TYPES, *[t.newbyteorder(">") for t in TYPES]]),
    arrays.array_shapes(min_dims=0, min_side=0, max_dims=3),
)
scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text())
keys = st.one_of(
    st.text(), st.sampled_from(["$array", "$", "__metadata__", "a.b", ""]), st.integers(), st.none(), st.booleans()
)
data = st.recursive(
    scalars | any_array,
    lambda inner: (
        st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple) | st.dictionaries(keys, inner, max_size=3)
    ),
    max_leaves=8,
)


def same(a, b):
    """Return whether two values are equal: types, order of keys, dtypes, NaN and the sign of 0 included."""
    if isinstance(a, (np.ndarray, np.generic)):
        native = a.dtype.newbyteorder("=")
        return (
            type(a) is type(b)
            and b.dtype == native
            and a.shape == b.shape
            and a.astype(native).tobytes() == b.tobytes()
        )
    if type(a) is float:
        return type(b) is float and (repr(a) == repr(b))
    if isinstance(a, dict):
        return type(b) is dict and same(list(a), list(b)) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("saving") / "state"


@given(mapping=st.dictionaries(keys, data, max_size=4))
def test_saved_values_are_loaded(path, mapping):
    save_file(mapping, path)
    assert same(mapping, load_file(path))


@given(mapping=st.dictionaries(st.text(), any_array, max_size=4))
def test_the_bytes_do_not_depend_on_the_memory_layout(path, mapping):
    save_file(mapping, path)
    right = path.read_bytes()
    scattered = {k: np.repeat(np.asarray(v).T, 2, axis=0)[::2].T if v.ndim else v for k, v in mapping.items()}
    save_file(scattered, path)
    assert path.read_bytes() == right


@pytest.mark.parametrize(
    "array",
    [
        np.arange(12.0).reshape(3, 4).T, np.arange(12.0).reshape(3, 4)[:, ::2], np.arange(6)[::-1],
        np.broadcast_to(np.float32(3), (2, 2)), np.asfortranarray(np.arange(6).reshape(2, 3)), np.zeros((0, 3), "f4"),
        np.array(5.0), np.array(True), np.arange(3, dtype=">f8"), np.arange(3, dtype=">u2"), np.array([[True, False]]),
        np.array([np.nan, -0.0, np.inf, 5e-324]), np.ones(3, np.float16), np.array(2**64 - 1, "u8"),
    ],
    ids=lambda v: f"{v.dtype.str}{v.shape}",
)  # fmt: skip
def test_arrays_of_all_layouts_are_loaded_equal_writable_and_owning_memory(path, array):
    save_file({"a": array, "b": array}, path)
    loaded = load_file(path)
    assert same(array, loaded["a"]) and loaded["a"].flags.writeable and loaded["a"].flags.c_contiguous
    assert not np.shares_memory(loaded["a"], loaded["b"])


@pytest.mark.parametrize("digits", [600, 5000, 100_000])
def test_integers_of_any_length_are_saved_also_as_keys(path, digits):
    number = 10**digits + 1
    mapping = {"plus": number, "nested": [-number, {number: np.ones(1), "x": (number,)}], number: True}
    save_file(mapping, path)
    assert same(mapping, load_file(path))
    assert load_file(path, names=[number]) == {number: True}


def test_numbers_of_numpy_keep_their_type(path):
    mapping = {"a": np.float32(0.1), "b": np.float64(0.1), "c": np.int64(3), "d": np.bool_(True)}
    save_file(mapping, path)
    assert same(mapping, load_file(path))


def test_other_mappings_come_back_as_dicts_and_numpys_text_as_text(path):
    save_file(collections.OrderedDict(a=collections.defaultdict(int, b=1), c=np.str_("text")), path)
    assert same({"a": {"b": 1}, "c": "text"}, load_file(path))


def test_arrays_that_would_get_one_name_are_kept_apart(path):
    mapping = {"a": {"b": np.array([1])}, "a.b": np.array([2]), "a.b#": np.array([3]), "__metadata__": np.array([4])}
    save_file(mapping, path)
    assert same(mapping, load_file(path))


def test_the_path_may_be_a_bare_name_and_a_link(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    dark.save({"a": 1}, "model.safetensors")
    (tmp_path / "link").symlink_to("model.safetensors")
    dark.save({"a": 2}, "link")
    assert dark.load("model.safetensors") == {"a": 2} and (tmp_path / "link").is_symlink()
    assert sorted(os.listdir()) == ["link", "model.safetensors"]


def test_the_new_file_has_the_permissions_of_the_old_one(tmp_path):
    path = tmp_path / "state"
    save_file({}, path)
    path.chmod(0o600)
    save_file({"a": 1}, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


class Thing:
    state_dict = dict


class Leaf:
    requires_grad = True


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({1, 2}, r"a\.b is set, which cannot be saved"), (b"bytes", r"a\.b is bytes"), (1j, "is complex"),
        (Thing(), r"a\.b is Thing[^$]*Try: save its state_dict\(\)"), (len, "is builtin_function"),
        (dark.Parameter(1.0), r"is Parameter[^$]*Try: save its value, x\.value"), (np.complex64(1), "is complex64"),
        (np.array(["text"]), "an array of <U4"), (np.array([1j]), "of complex128"), (np.array([None]), "of object"),
        (np.ones(2, np.longdouble), "an array of"), (np.ma.masked_array([1], [True]), "is MaskedArray"),
        (np.zeros(2, "f4,i4"), "an array of"), (np.datetime64("2020-01-01"), "is datetime64"),
        ({(1, 2): 3}, "the key is tuple"),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_saved_is_refused_with_its_path_and_leaves_the_old_file(tmp_path, value, text):
    path = tmp_path / "state"
    save_file({"old": 1}, path)
    with pytest.raises(StorageError, match=f"save: .*{text}"):
        save_file({"a": {"b": value}}, path)
    assert load_file(path) == {"old": 1} and os.listdir(tmp_path) == ["state"]


def test_only_mappings_are_saved(tmp_path):
    for value in (np.ones(2), [1], Thing()):
        with pytest.raises(
            StorageError, match=rf"save: {'an array of' if type(value) is np.ndarray else type(value).__name__}"
        ):
            save_file(value, tmp_path / "state")
    with pytest.raises(StorageError, match="save: the mapping: the key is tuple"):
        save_file({(1, 2): 3}, tmp_path / "state")
    assert not os.listdir(tmp_path)


def test_a_mapping_that_contains_itself_is_refused(tmp_path):
    mapping = {"a": 1}
    mapping["self"] = [mapping]
    with pytest.raises(StorageError, match=r"save: self\.0\.self\.\.\. is nested deeper than 100 levels"):
        save_file(mapping, tmp_path / "state")


def test_the_file_has_a_json_header_and_no_code(path):
    save_file({"w": np.ones(2, "f4"), "n": math.inf, "k": {3: "x"}}, path)
    raw = path.read_bytes()
    n = int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8 : 8 + n])
    assert n % 8 == 0 and header["w"] == {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}
    assert json.loads(header["__metadata__"]["content"]) == {
        "w": {"$array": "w"}, "n": {"$float": "inf"}, "k": {"$dict": [[3, "x"]]},
    }  # fmt: skip


def network():
    return dark.nn.Sequential(dark.nn.Linear(3, 4), dark.nn.BatchNorm1d(4), dark.nn.Linear(4, 2))


def test_a_training_resumes_from_a_file_bit_for_bit(tmp_path):
    rng = np.random.default_rng(0)
    x, target = rng.normal(size=(8, 3)), rng.integers(0, 2, 8)

    def train(model, optimizer, steps):
        for _ in range(steps):
            optimizer.zero_grad()
            dark.losses.cross_entropy(model(x), target).backward()
            optimizer.step()

    model, other = network(), network()
    optimizer = dark.optim.Adam(model.parameters(), lr=0.1)
    train(model, optimizer, 3)
    dark.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, tmp_path / "state")
    train(model, optimizer, 3)

    state = dark.load(tmp_path / "state")
    again = dark.optim.Adam(other.parameters())
    other.load_state_dict(state["model"])
    again.load_state_dict(state["optimizer"])
    train(other, again, 3)
    for name, right in model.state_dict().items():
        np.testing.assert_array_equal(other.state_dict()[name], right)


def test_the_state_of_another_network_leaves_a_network_as_it_is(tmp_path):
    model, wider = network(), dark.nn.Sequential(dark.nn.Linear(3, 5), dark.nn.BatchNorm1d(5), dark.nn.Linear(5, 2))
    before = model.state_dict()
    dark.save(wider.state_dict(), tmp_path / "state")
    with pytest.raises(ShapeError, match=r"got \(5, 3\), expected \(4, 3\)"):
        model.load_state_dict(dark.load(tmp_path / "state"))
    assert same(before, model.state_dict())


def test_the_state_of_a_random_generator_is_data(path):
    rng = np.random.default_rng(7)
    save_file({"rng": rng.bit_generator.state}, path)
    right = rng.normal(size=5)
    other = np.random.default_rng()
    other.bit_generator.state = load_file(path)["rng"]
    np.testing.assert_array_equal(other.normal(size=5), right)
