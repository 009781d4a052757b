"""Saving a drawing: formats, paths, and errors."""

import re
import sys

import pytest

from dark.draw import draw, png
from dark.draw.diagram import graphviz_layout as layout
from dark.errors import DrawingError, MissingExtraError
from tests.draw.files import colors_of, content_of, size_of
from tests.draw.student import shared


@pytest.fixture
def drawing():
    return draw(shared(), title="2a + a")


def test_saving_svg_and_dot_does_not_need_dot(drawing, tmp_path, monkeypatch):
    monkeypatch.setattr(layout, "which", lambda program: None)
    assert drawing.save(tmp_path / "y.svg").read_text("utf-8") == drawing.svg + "\n"
    assert drawing.save(str(tmp_path / "Y.DOT")).read_text("utf-8") == drawing.source
    assert sorted(p.name for p in tmp_path.iterdir()) == ["Y.DOT", "y.svg"]


@pytest.mark.parametrize(("kind", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_png_and_pdf_are_reproducible_and_need_no_program(drawing, tmp_path, monkeypatch, kind, start):
    monkeypatch.setenv("PATH", "")
    first = drawing.save(tmp_path / f"a.{kind}").read_bytes()
    assert first.startswith(start)
    assert first == drawing.save(tmp_path / f"b.{kind}").read_bytes()


def test_an_unknown_suffix_raises(drawing, tmp_path):
    with pytest.raises(
        DrawingError, match=r"'y.jpg' has the unknown suffix '.jpg'(.|\n)*\.svg, \.png, \.pdf, \.dot(.|\n)*y\.svg"
    ):
        drawing.save(tmp_path / "y.jpg")
    with pytest.raises(DrawingError, match=r"'y' has no suffix"):
        drawing.save(tmp_path / "y")


def test_a_missing_folder_raises(drawing, tmp_path):
    with pytest.raises(DrawingError, match=r"the folder '.*nowhere' does not exist(.|\n)*mkdir"):
        drawing.save(tmp_path / "nowhere" / "y.svg")


def test_a_folder_that_is_a_file_raises(drawing, tmp_path):
    (tmp_path / "a").write_text("")
    with pytest.raises(DrawingError, match=r"a' is a file, not a folder"):
        drawing.save(tmp_path / "a" / "y.svg")


def test_a_tilde_is_expanded(drawing, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert drawing.save("~/y.svg") == tmp_path / "y.svg"


def test_a_path_that_cannot_be_written_raises_and_leaves_no_file(drawing, tmp_path):
    (tmp_path / "y.svg").mkdir()
    with pytest.raises(DrawingError, match=r"y\.svg' cannot be written: "):
        drawing.save(tmp_path / "y.svg")
    assert [p.name for p in tmp_path.iterdir()] == ["y.svg"]


@pytest.mark.parametrize("path", ["a\0.svg", None, 3, b"a.svg"])
def test_an_invalid_path_raises(drawing, path):
    with pytest.raises(DrawingError, match=r'is not a path\.(.|\n)*Try: \.save\("graph\.svg"\)'):
        drawing.save(path)


@pytest.mark.parametrize(
    ("name", "right"),
    [("", "graph.svg"), (".svg", "graph.svg"), (".", "graph.svg"), ("..", "graph.svg"), ("a.b", "a.svg")],
)
def test_the_error_suggests_a_name_with_a_suffix(drawing, name, right):
    with pytest.raises(DrawingError, match=rf"suffix(.|\n)*Try: {re.escape(right)}$"):
        drawing.save(name)


def test_a_name_may_be_as_long_as_the_file_system_allows(drawing, tmp_path):
    path = tmp_path / ("a" * 251 + ".svg")
    assert drawing.save(path).is_file()
    with pytest.raises(DrawingError, match="cannot be written: File name too long"):
        drawing.save(tmp_path / ("a" * 252 + ".svg"))
    assert list(tmp_path.iterdir()) == [path]


def test_the_target_of_a_symbolic_link_is_replaced(drawing, tmp_path):
    (tmp_path / "far").mkdir()
    link, target = tmp_path / "y.svg", tmp_path / "far" / "real.svg"
    link.symlink_to(target)
    for _ in range(2):
        assert drawing.save(link) == link
        assert link.is_symlink() and target.read_text("utf-8") == drawing.svg + "\n"


def test_in_png_and_pdf_gradients_have_their_color(tmp_path):
    color = (0x9A, 0x34, 0x12)
    for gradients in (True, False):
        drawing = draw(shared(), gradients=gradients, depth=1)
        assert (color in colors_of(drawing.save(tmp_path / "y.png"))) == gradients
        assert ("0.604 0.204 0.0706 rg" in content_of(drawing.save(tmp_path / "y.pdf"))) == gradients


def test_a_pdf_contains_its_texts_and_its_title(tmp_path):
    data = draw(shared(), title="2a + a → ∞").save(tmp_path / "y.pdf")
    content = content_of(data)
    assert f"<{b'grad 3'.hex()}> Tj" in content
    assert "/S 15 Tf <ae> Tj" in content and "/S 15 Tf <a5> Tj" in content
    assert "2a + a → ∞".encode("utf-16-be").hex().encode() in data.read_bytes()


def test_a_pdf_lists_where_its_objects_are(drawing, tmp_path):
    data = drawing.save(tmp_path / "y.pdf").read_bytes()
    table = int(re.search(rb"startxref\n(\d+)", data)[1])
    assert data[table : table + 4] == b"xref"
    for k, place in enumerate(re.findall(rb"(\d{10}) 00000 n", data), 1):
        assert data[int(place) :].startswith(b"%d 0 obj" % k)


def test_png_without_resvg_raises(drawing, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtraError, match=r"resvg-py is not installed(.|\n)*the extra 'lab'"):
        drawing.save(tmp_path / "y.png")
    assert not list(tmp_path.iterdir())


def test_png_without_a_font_raises(drawing, tmp_path, monkeypatch):
    monkeypatch.setattr(png, "_draws_text", lambda render: False)
    with pytest.raises(DrawingError, match=r"no font is installed for the texts of a PNG(.|\n)*pip install matplotlib"):
        drawing.save(tmp_path / "y.png")
    assert not list(tmp_path.iterdir())


def test_a_png_has_two_pixels_per_point_but_is_never_too_large(drawing, tmp_path, monkeypatch):
    width, height = map(float, re.search(r'viewBox="0 0 (\S+) (\S+)"', drawing.svg).groups())
    assert size_of(drawing.save(tmp_path / "a.png")) == pytest.approx((2 * width, 2 * height), abs=2)
    monkeypatch.setattr(png, "MOST_PIXELS", 100)
    assert max(size_of(drawing.save(tmp_path / "b.png"))) <= 101


def test_saving_replaces_an_existing_file(drawing, tmp_path):
    path = tmp_path / "y.svg"
    path.write_text("old")
    assert "<svg" in drawing.save(path).read_text("utf-8")
