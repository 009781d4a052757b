"""The pad of the book's first page: its script computes what `dark` computes, and its network reads what hands draw."""

import importlib.util
import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import dark
from tests import drawn_digits

ROOT = Path(__file__).parents[1]
STATIC = ROOT / "book" / "_static"
NODE = shutil.which("node")
LEAST = 0.9  # of the drawings
READ = """\
const { probabilities, scanned, shrunk, unpacked } = require("./digit_pad.js");
const network = unpacked(require("./digit_network.js").DIGIT_NETWORK);
const { images, drawings } = JSON.parse(require("fs").readFileSync(0));
const pixels = [...images, ...drawings.map((strokes) => shrunk(scanned(strokes)))];
console.log(JSON.stringify(pixels.map((each) => [each, probabilities(network, each)])));
"""
needs_node = pytest.mark.skipif(NODE is None, reason="no node on the path (Debian: apt-get install nodejs)")


@pytest.fixture(scope="module")
def digit_pad():
    """Return book/digit_pad.py, which is in no package."""
    spec = importlib.util.spec_from_file_location("digit_pad", ROOT / "book" / "digit_pad.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def by_script(images=(), drawings=()):
    """Return the pixels and the probabilities that the script of the page computes, for images and for drawings."""
    asked = json.dumps({"images": np.array(images).tolist(), "drawings": list(drawings)})
    done = subprocess.run([NODE, "-e", READ], cwd=STATIC, input=asked, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    pixels, shares = zip(*json.loads(done.stdout), strict=True)
    return np.array(pixels), np.array(shares)


def by_dark(network, pixels):
    """Return the probabilities that the network has in `dark`."""
    with dark.no_grad():
        return dark.softmax(network(pixels / 16), axis=1).value


@needs_node
def test_the_script_computes_what_dark_computes_on_the_held_out_digits(digit_pad):
    data, (images, labels) = digit_pad.read_script(), digit_pad.parts()[1]
    shares = by_script(images)[1]
    np.testing.assert_allclose(shares, by_dark(digit_pad.unpacked(data), images), rtol=1e-9, atol=1e-12)
    right = int((shares.argmax(axis=1) == labels).sum())
    assert len(labels) == data["held_out"] and right == data["read"] >= 0.97 * len(labels)


@needs_node
@pytest.mark.parametrize("drawn", [drawn_digits.DRAWINGS, drawn_digits.LATER], ids=["drawn", "later"])
def test_nine_of_ten_drawings_are_read_as_they_are_and_by_other_hands(digit_pad, drawn):
    digits = [digit for digit, drawings in drawn.items() for _ in drawings]
    drawings = [drawing for each in drawn.values() for drawing in each]
    rng = np.random.default_rng(0)
    versions = [version for drawing in drawings for version in drawn_digits.by_other_hands(drawing, 4, rng)]
    pixels, shares = by_script(drawings=drawings + versions)
    right = shares.argmax(axis=1) == np.concatenate([digits, np.repeat(digits, 4)])
    assert right[: len(digits)].mean() >= LEAST and right[len(digits) :].mean() >= LEAST
    np.testing.assert_allclose(shares, by_dark(digit_pad.unpacked(digit_pad.read_script()), pixels), atol=1e-9)


@needs_node
def test_a_drawing_is_read_the_same_wherever_and_however_large_it_is_drawn():
    drawing = drawn_digits.DRAWINGS[5][0]
    smaller = [(0.3 * np.array(stroke) + [0.6, 0.1]).tolist() for stroke in drawing]
    pixels, _ = by_script(drawings=[drawing, smaller])
    assert np.array_equal(*pixels) and pixels.min() == 0 and pixels.max() == 16
    assert pixels[0].reshape(8, 8).any(axis=1).all()  # as scikit-learn's digits, it is as high as the image


@needs_node
def test_a_drawing_has_as_much_ink_as_a_scan_and_a_dot_breaks_nothing(digit_pad):
    pixels, shares = by_script(drawings=[drawn_digits.DRAWINGS[8][0], [[[0.5, 0.5]]]])
    assert pixels[0].sum() == pytest.approx(digit_pad.INK, abs=8)
    assert pixels[1].sum() > 0 and np.isfinite(shares).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1)


def test_the_script_is_short_and_asks_nobody(digit_pad):
    text = (STATIC / "digit_pad.js").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 250 and digit_pad.NETWORK.stat().st_size < 50_000
    assert not re.search(r"https?:|fetch\(|\bimport\b|XMLHttp|localStorage", text)
    for name, value in re.findall(r"\b(SIDE|BLOCK|INK|WIDEST) = (\d+)", text):
        assert getattr(digit_pad, name) == int(value)


def test_what_is_drawn_anew_fits_as_drawings_do(digit_pad):
    (images, labels), _ = digit_pad.parts()
    anew = digit_pad.drawn_anew(images[:200], labels[:200], np.random.default_rng(0)).reshape(-1, 8, 8)
    assert anew.min() == 0 and anew.max() == 16 and not np.array_equal(anew.reshape(200, 64), images[:200])
    assert (anew.any(axis=2).sum(axis=1) >= 7).mean() > 0.95
    assert anew.sum(axis=(1, 2)).mean() == pytest.approx(digit_pad.INK, abs=30)


@pytest.mark.long
def test_the_network_of_the_page_is_what_its_program_trains(digit_pad):
    images, _ = digit_pad.parts()[1]
    trained = digit_pad.unpacked(digit_pad.packed(digit_pad.train()))
    kept = digit_pad.unpacked(digit_pad.read_script())
    answers, expected = (by_dark(net, images).argmax(axis=1) for net in (trained, kept))
    assert (answers == expected).mean() > 0.98  # on another machine, sums may be rounded otherwise
