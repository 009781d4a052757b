"""Loading states into objects: all of them, or none."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark.errors import ShapeError, StorageError, UsageError, ValueTypeError
from dark.handlers import Checkpoint
from dark.handlers.checkpoints.loading import states_of
from dark.metrics import Average
from tests.handlers.checkpoints.test_checkpoint import Memory, Thing, idle

shapes = st.recursive(
    st.integers(0, 9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
)


def things(shape, number):
    """Make objects in the structure of nested numbers."""
    if isinstance(shape, dict):
        return {key: things(value, number) for key, value in shape.items()}
    if isinstance(shape, list):
        return [things(value, number) for value in shape]
    return Thing(shape if number is None else number)


@given(st.dictionaries(st.text(max_size=3), shapes, min_size=2, max_size=3))
def test_a_saved_state_is_loaded_wherever_it_is_nested(shape):
    old, new = things(shape, None), things(shape, -1)
    Checkpoint.load_objects(new, states_of(old))
    assert states_of(new) == states_of(old)


@pytest.mark.parametrize("shape", [5, [1, 2], {"a": 1, "b": [2]}], ids=str)
@pytest.mark.parametrize("include_self", [False, True])
def test_a_single_entry_is_loaded_in_the_form_in_which_it_was_saved(shape, include_self, tmp_path):
    old, new = {"x": things(shape, None)}, {"x": things(shape, -1)}
    checkpoint = Checkpoint(old, tmp_path, include_self=include_self)
    checkpoint(idle())
    Checkpoint.load_objects(new, checkpoint.last_checkpoint)
    assert states_of(new) == states_of(old)
    if include_self:
        again = Checkpoint(new, Memory())
        Checkpoint.load_objects({**new, "checkpointer": again}, str(checkpoint.last_checkpoint))
        assert again.state_dict() == checkpoint.state_dict()


def test_one_object_is_loaded_without_a_key_with_its_key_or_among_others():
    for states in ({"number": 3}, {"x": {"number": 3}}, {"x": {"number": 3}, "y": {"number": 4}}):
        thing = Thing()
        Checkpoint.load_objects({"x": thing}, states)
        assert thing.number == 3


@pytest.mark.parametrize(
    ("to_load", "states", "text"),
    [
        (lambda: [Thing(), Thing()], {"b": [{"number": 1}]}, r"Size of y: 1 does not match the size of x: 2.*\['b'\]"),
        (lambda: [Thing(), Thing()], {"b": {"number": 1}}, r"\['b'\] in the checkpoint cannot be loaded from a dict"),
        (lambda: {"c": Thing()}, {"b": [1]}, r"\['b'\] in the checkpoint cannot be loaded from a list"),
        (lambda: {"c": Thing()}, {"b": {"d": 1}}, r"Key 'c' from x is not found in y, .* y is \['b'\] in"),
        (Thing, {}, "Key 'b' from x is not found in y, .* y is the top level in the checkpoint"),
    ],
)  # fmt: skip
def test_a_missing_state_is_found_before_anything_changes(to_load, states, text):
    first = Thing(7)
    with pytest.raises(UsageError, match=text):
        Checkpoint.load_objects({"a": first, "b": to_load()}, {"a": {"number": 8}, **states})
    assert first.number == 7


def test_a_similar_key_is_suggested():
    with pytest.raises(UsageError, match="'optimizer'"):
        Checkpoint.load_objects({"a": Thing(), "optimizr": Thing()}, {"a": {"number": 1}, "optimizer": {"number": 2}})


def test_if_an_object_refuses_its_state_the_objects_before_it_are_restored():
    def make():
        model, thing = dark.nn.Linear(2, 1), Thing(1)
        return {"model": model, "thing": thing, "other": dark.nn.Linear(3, 1)}

    objects = make()
    before = states_of(objects)
    states = states_of(make()) | {"thing": {"number": 2}, "other": {"weight": np.ones((1, 5)), "bias": np.ones(1)}}
    with pytest.raises(ShapeError, match="weight"):
        Checkpoint.load_objects(objects, states)
    after = states_of(objects)
    assert after["thing"] == {"number": 1}
    assert all(np.array_equal(after["model"][name], before["model"][name]) for name in before["model"])


def test_settings_for_modules_go_to_modules_only():
    model, thing = dark.nn.Linear(2, 1), Thing()
    states = {"model": {"weight": np.full((1, 2), 5.0)}, "thing": {"number": 2}}
    Checkpoint.load_objects({"model": model, "thing": thing}, states, strict=False)
    assert model.weight.value.tolist() == [[5.0, 5.0]] and thing.number == 2
    metric = Average()
    Checkpoint.load_objects({"model": model, "metric": metric}, states | {"metric": metric.state_dict()}, strict=False)


def test_objects_that_cannot_be_loaded_are_refused():
    with pytest.raises(ValueTypeError, match="checkpoint should be a string or a dictionary, but given list"):
        Checkpoint.load_objects({"a": Thing()}, [])
    with pytest.raises(ValueTypeError, match="should have `load_state_dict` method; it is at"):
        Checkpoint.load_objects({"a": {"b": None}}, {})


def test_a_damaged_file_is_refused_and_the_error_says_where_to_look(tmp_path):
    checkpoint, thing = Checkpoint({"thing": Thing(1)}, tmp_path), Thing(7)
    checkpoint(idle())
    data = bytearray(checkpoint.last_checkpoint.read_bytes())
    data[-1] ^= 1
    checkpoint.last_checkpoint.write_bytes(data)
    with pytest.raises(StorageError, match="corrupt") as caught:
        Checkpoint.load_objects({"thing": thing}, checkpoint.last_checkpoint)
    assert "last_good()" in caught.value.__notes__[0] and thing.number == 7
