"""Tests of reading a large notebook: its outputs are left out, whatever its size and however it comes in."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.grading.uploads import TooLargeError, outputs
from dark.grading.uploads.outputs import Scanner, read_without_outputs

LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9)
NAMES = st.text(max_size=4) | st.sampled_from(["cells", "outputs", "attachments", "metadata", "widgets", "source"])
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3))
CELLS = st.fixed_dictionaries({}, optional=dict.fromkeys(["outputs", "attachments", "metadata", "source"], VALUES))
NOTEBOOKS = st.fixed_dictionaries(
    {"cells": st.lists(CELLS | VALUES, max_size=3) | VALUES, "metadata": VALUES}, optional={"outputs": VALUES}
)


def without(notebook):
    """Return a notebook without its outputs, as the standard library reads it."""
    cells, metadata = notebook["cells"], notebook["metadata"]
    cells = [shortened(cell, "outputs", "attachments") for cell in cells] if isinstance(cells, list) else cells
    return notebook | {"cells": cells, "metadata": shortened(metadata, "widgets")}


def shortened(holder, *names):
    if not isinstance(holder, dict):
        return holder
    empty = {name: type(holder[name])() for name in names if isinstance(holder.get(name), list | dict)}
    if isinstance(empty.get("outputs"), dict):
        empty["outputs"] = []
    if isinstance(empty.get("attachments"), list):
        empty["attachments"] = {}
    if isinstance(empty.get("widgets"), list):
        empty["widgets"] = {}
    return holder | empty


@given(NOTEBOOKS, st.integers(1, 40), st.booleans(), st.sampled_from([None, 1]))
def test_what_is_kept_is_the_notebook_without_its_outputs(notebook, size, is_ascii, indent):
    text = json.dumps(notebook, ensure_ascii=is_ascii, indent=indent).encode("utf-8", "surrogatepass")
    kept = Scanner().scan(text[k : k + size] for k in range(0, len(text), size))
    assert json.loads(kept) == without(notebook)


@given(st.binary(max_size=60) | st.text('"\\\\{}[],: a', max_size=60).map(str.encode), st.integers(1, 9))
def test_no_text_is_an_error(text, size):
    kept = Scanner().scan(text[k : k + size] for k in range(0, len(text), size))
    assert kept == text  # without cells there is nothing to leave out


def large(**entries):
    """Return a notebook with an output of more than 1 MiB, as text."""
    cell = {"cell_type": "code", "source": "x = 1", "outputs": [{"text": "\u00e9" * (1 << 20)}]}
    return json.dumps({"cells": [cell | entries], "nbformat": 4}, ensure_ascii=False)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_the_encodings_of_json_are_understood(encoding):
    kept = read_without_outputs(io.BytesIO(large(source="\u00e9").encode(encoding)))
    assert json.loads(kept)["cells"] == [{"cell_type": "code", "source": "\u00e9", "outputs": []}]


def test_a_small_file_is_kept_as_it_is():
    text = large().encode()[: 1 << 20]
    assert read_without_outputs(io.BytesIO(text)) == text


def test_a_name_with_escapes_or_of_any_length_is_passed():
    text = '{"cells": [{"a\\"b": [1], "' + "n" * 5000 + '": {"outputs": [2]}, "outputs": [[{}]]}]}'
    for size in (1, 7, 10_000):
        kept = Scanner().scan(text[k : k + size].encode() for k in range(0, len(text), size))
        assert kept.decode() == text.replace("[[{}]]", "[]")


def test_an_output_without_end_is_an_unfinished_notebook():
    assert Scanner().scan([b'{"cells": [{"outputs": [{"text": "lo']) == b'{"cells": [{"outputs": []'


@pytest.mark.parametrize(
    ("limit", "value", "text", "message"),
    [
        ("MOST_BYTES", 2 << 20, "x" * (3 << 20), "The file is larger than 2 MiB."),
        (
            *("LARGEST_BYTES", 2 << 20, large(source="x" * (3 << 20))),
            "The file is larger than 2 MiB, also without the outputs of its cells.",
        ),
        ("MOST_STEPS", 2000, "," * (3 << 20), "The file has more than 2,000 lists and entries."),
        ("MOST_STEPS", 2000, large(outputs=[[]] * (1 << 20)), "The file has more than 2,000 lists and entries."),
    ],
    ids=range(4),
)
def test_each_limit_is_a_sentence(limit, value, text, message, monkeypatch):
    monkeypatch.setattr(outputs, limit, value)
    with pytest.raises(TooLargeError) as caught:
        read_without_outputs(io.BytesIO(text.encode()))
    assert str(caught.value) == message
