"""The picture of broadcasting agrees with NumPy in every cell."""

import base64
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra import numpy as arrays

import dark
from dark.draw import broadcasting
from dark.errors import DrawingError, ShapeError

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = arrays.mutually_broadcastable_shapes(num_shapes=2, max_dims=2, max_side=5)


def texts(svg):
    return [text.text for text in ElementTree.fromstring(svg).iter(SVG + "text")]


@given(SHAPES)
def test_cells_are_repeated_as_in_numpy(shapes):
    for operand in broadcasting(*shapes.input_shapes).operands:
        numbers = np.arange(np.prod(operand.shape, dtype=int)).reshape(operand.shape)
        seen = {}
        for index in np.ndindex(operand.result):
            number = np.broadcast_to(numbers, operand.result)[index]
            assert seen.setdefault(operand.label(index), number) == number
            assert operand.is_own(index) == (index == _first(numbers, number, operand.result))
        assert len(seen) == numbers.size


def _first(numbers, number, result):
    return next(index for index in np.ndindex(result) if np.broadcast_to(numbers, result)[index] == number)


@given(SHAPES)
def test_sums_agree_with_the_gradient(shapes):
    picture = broadcasting(*shapes.input_shapes)
    assert texts(picture.svg).count("Σ") == sum(
        int(np.prod(one.shape, dtype=int)) for one in picture.operands if one.repeated
    )
    for one in picture.operands:
        node = dark.Parameter(np.zeros(one.shape))
        y = node + np.zeros(one.result)
        y.backward(np.ones(one.result) if one.result else None)
        assert np.all(np.asarray(node.grad) == one.count)
        assert (f"the sum of {one.count}, along" in picture.text) or not one.repeated


@given(SHAPES)
def test_everything_is_inside_the_picture_and_has_an_alternative_text(shapes):
    picture = broadcasting(*shapes.input_shapes)
    root = ElementTree.fromstring(picture.svg)
    wide, tall = map(float, root.get("viewBox").split()[2:])
    for box in root.findall(SVG + "rect")[1:]:
        x, y, width, height = (float(box.get(key)) for key in ("x", "y", "width", "height"))
        assert 0 < x < x + width < wide and 0 < y < y + height < tall
    assert all(0 < float(t.get("y")) < tall and 0 < float(t.get("x")) < wide for t in root.findall(SVG + "text"))
    assert root.get("role") == "img" and root.get("aria-label") == picture.alt
    assert picture.svg == broadcasting(*shapes.input_shapes).svg


def test_the_repr_describes_the_picture():
    picture = dark.draw.broadcasting((3, 1), (4,))
    assert repr(picture).splitlines() == [
        "a (3, 1): repeated 4 times along axis 1",
        "b (4,), read as (1, 4): repeated 3 times along axis 0",
        "a + b (3, 4)",
        "a.grad (3, 1): each the sum of 4, along axis 1",
        "b.grad (4,): each the sum of 3, along axis 0",
    ]
    assert picture.alt.startswith("Broadcasting (3, 1) and (4,). Forward: a (3, 1): repeated 4 times along axis 1;")
    assert "repeated 6 times along axes 0 and 1" in broadcasting((2, 3), ()).text
    assert "a2+b3" in texts(picture.svg) and "g23" in texts(picture.svg)


def test_the_picture_displays_itself_and_can_be_saved(tmp_path):
    picture = broadcasting((3, 1), (1, 4))
    bundle = picture._repr_mimebundle_()
    assert bundle["image/svg+xml"] == picture.svg == picture._repr_svg_()
    alt, data = re.fullmatch(
        r'<style>.*</style><img alt="(.*?)" class="dark-light" .*base64,(.*)">', bundle["text/html"]
    ).groups()
    assert (alt, base64.b64decode(data).decode()) == (picture.alt, picture.svg)
    assert bundle["text/plain"] == repr(picture)
    assert picture.save(tmp_path / "a.svg").read_text("utf-8") == picture.svg + "\n"
    assert picture.save(tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(DrawingError, match="'a.gif' has the unknown suffix '.gif'"):
        picture.save(tmp_path / "a.gif")


def test_an_integer_is_the_shape_of_a_vector():
    assert broadcasting(3, (2, 1)).operands[0].shape == (3,)


def test_shapes_that_do_not_broadcast_raise():
    with pytest.raises(ShapeError, match=r"shapes \(3,\) and \(4,\) do not broadcast(.|\n)*right-aligned"):
        broadcasting((3,), (4,))


@pytest.mark.parametrize(("a", "b"), [((2, 2, 2), (2,)), ((9, 1), (1,)), ((0,), (1,))])
def test_a_result_that_is_too_large_or_empty_raises(a, b):
    with pytest.raises(DrawingError, match=r"a result of shape .* is too large to draw(.|\n)*at most 2 axes"):
        broadcasting(a, b)


@pytest.mark.parametrize("thing", [None, 2.5, "ab", (1.5,), np.zeros(3)])
def test_an_invalid_shape_raises(thing):
    with pytest.raises(ShapeError, match=r"is not a shape(.|\n)*a\.shape"):
        broadcasting(thing, (3,))


@pytest.mark.parametrize("shape", [None, "ab", 2.5, (2.5,), (-1,), -1, ("4",), np.ones((900, 900)), {3}])
def test_the_error_for_an_invalid_shape_is_short(shape):
    with pytest.raises(ShapeError, match=r"is not a shape(.|\n)*broadcasting\(a\.shape, b\.shape\)") as caught:
        broadcasting(shape, (3,))
    assert len(str(caught.value)) < 250


def test_a_single_length_is_a_shape():
    assert broadcasting(3, np.int64(1)).text == broadcasting((3,), [1]).text
