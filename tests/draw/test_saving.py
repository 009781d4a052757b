"""Saving a drawing: formats, paths, and errors."""

import re

import pytest

from dark.draw import draw
from dark.draw.picture import layout
from dark.errors import DrawingError
from tests.draw.student import shared


@pytest.fixture
def drawing():
    return draw(shared(), title="2a + a")


def test_saving_svg_and_dot_does_not_need_dot(drawing, tmp_path, monkeypatch):
    monkeypatch.setattr(layout, "which", lambda program: None)
    assert drawing.save(tmp_path / "y.svg").read_text("utf-8") == drawing.svg + "\n"
    assert drawing.save(str(tmp_path / "Y.DOT")).read_text("utf-8") == drawing.source
    assert sorted(p.name for p in tmp_path.iterdir()) == ["Y.DOT", "y.svg"]


@pytest.mark.parametrize("kind", ["png", "pdf"])
def test_png_and_pdf_without_dot_raise(drawing, tmp_path, monkeypatch, kind):
    monkeypatch.setattr(layout, "which", lambda program: None)
    with pytest.raises(DrawingError, match=rf"(?s)a {kind.upper()} picture needs.*package graphviz.*save as \.svg"):
        drawing.save(tmp_path / f"y.{kind}")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("kind", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
@pytest.mark.skipif(layout.which("dot") is None, reason="needs the program `dot`")
def test_png_and_pdf_are_reproducible(drawing, tmp_path, kind, start):
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


@pytest.fixture
def asked(monkeypatch):
    """Return a list of the graphs passed to the program `dot`."""
    asked, run = [], layout.run_dot

    def listening(dot, *words, **more):
        asked.append(dot)
        return run(dot, *words, **more)

    monkeypatch.setattr(layout, "run_dot", listening)
    return asked


@pytest.mark.skipif(layout.which("dot") is None, reason="needs the program `dot`")
def test_in_png_gradients_have_their_color(drawing, tmp_path, asked):
    drawing.save(tmp_path / "y.png")
    colored = re.findall(r'"gradient (\d+)" .*label="(.*?)" .*fontcolor="#9a3412"', asked[-1])
    assert colored == [("1", "grad 3"), ("2", "grad 1"), ("3", "grad 1")]
    draw(shared(), gradients=False, depth=1).save(tmp_path / "z.png")
    assert 'fontcolor="#9a3412"' not in asked[-1]


@pytest.mark.skipif(layout.which("dot") is None, reason="needs the program `dot`")
def test_in_png_gradients_are_in_their_boxes_below_a_wide_title(tmp_path, asked):
    def place(name):
        words = re.search(rf"^\s*{name}\s+\[(.*?)\]", asked[-1], re.DOTALL | re.MULTILINE)[1]
        x, y = map(float, re.search(r'pos="([-\d.]+),([-\d.]+)', words).groups())
        return x, y, 72 * float(re.search(r"\bwidth=\"?([\d.]+)", words)[1])

    draw(shared(), title="a title that is much wider than the graph below it, " * 2).save(tmp_path / "y.png")
    for i in (1, 2, 3):
        (x, y, wide), (left, level, narrow) = place(i), place(f'"gradient {i}"')
        assert level == pytest.approx(y, abs=1)
        assert left + narrow / 2 + 6 == pytest.approx(x + wide / 2, abs=1)


def test_saving_replaces_an_existing_file(drawing, tmp_path):
    path = tmp_path / "y.svg"
    path.write_text("old")
    assert "<svg" in drawing.save(path).read_text("utf-8")
