"""Formulas of losses: boxes, weights and values, table and alternative text."""

import re
from collections import namedtuple
from types import SimpleNamespace

import numpy as np
import pytest

from dark.contexts import GANContext
from dark.draw import formula
from dark.errors import DrawingError
from dark.executors import GeneratorBCE, GeneratorHingeLoss, GeneratorL1, Pix2PixLoss, linear
from tests.executors.values import Value


@pytest.fixture
def loss():
    """Give a loss with a schedule, a sum with a weight, and a sum with a name."""
    return Pix2PixLoss() - 0.5 * (GeneratorBCE() + GeneratorHingeLoss().named("hinge")) * linear(0, 1, steps=100)


def call(loss):
    """Call the loss at step 25."""
    context = GANContext(discriminator_model=lambda x: x, global_step=25)
    return loss(context, fake=np.full((2, 1, 2, 2), 0.3), real=np.ones((2, 1, 2, 2))).item()


def test_before_the_first_call_the_values_are_dashes(loss):
    rows = formula(loss).table().rows
    assert [row[0] for row in rows] == [
        "sum", "  Pix2PixLoss", "    GeneratorL1", "    GeneratorBCE", "  sum", "    GeneratorBCE", "    hinge",
    ]  # fmt: skip
    assert {row[2] for row in rows} == {"–"} and rows[4][1] == "-0.5 * linear(0, 1, steps=100)"


def test_after_a_call_every_box_has_the_weight_and_the_value_of_that_step(loss):
    total = call(loss)
    drawing = formula(loss)
    rows = drawing.table().rows
    assert rows[0] == ("sum", "1", f"{total:.6g}", f"{total:.6g}")
    assert rows[2] == ("    GeneratorL1", "100", "0.7", "70")
    assert rows[4][1] == "-0.5 * linear(0, 1, steps=100) = -0.125"
    for words in ("value 0.7", "weight 100", "weight * value 70", "hinge", "value -0.3"):
        assert f">{words}</text>" in drawing.svg
    assert float(rows[1][3]) + float(rows[4][3]) == pytest.approx(total, rel=1e-5)


def test_a_box_has_an_edge_to_each_of_its_terms(loss):
    edges = re.findall(r"^\t(\d+) -> (\d+)", formula(loss).source, re.MULTILINE)
    assert edges == [("0", "1"), ("1", "2"), ("1", "3"), ("0", "4"), ("4", "5"), ("4", "6")]


def test_sums_and_terms_differ_in_shape_not_only_in_color(loss):
    source = formula(loss).source
    assert "shape=record" in source and "shape=Mrecord" in source


def test_terms_of_any_classes_are_drawn_by_their_attributes():
    term = namedtuple("Term", "name weight value weight_text parts")
    parts = (term("a", 3.0, 2.0, "3", ()), term("b", None, None, "ramp(step)", ()))
    drawing = formula(SimpleNamespace(tree=lambda: term("SumExecutor", 1.0, 6.0, "1", parts)))
    rows = [("sum", "1", "6", "6"), ("  a", "3", "2", "6"), ("  b", "ramp(step)", "–", "–")]
    assert [tuple(row) for row in drawing.table().rows] == rows
    assert ">weight * value 6</text>" in drawing.svg and "ramp(step)" in drawing.alt


def test_the_picture_has_an_alternative_text(loss):
    call(loss)
    drawing = formula(loss)
    assert drawing.alt.startswith("Formula of a loss as a tree: 100 * GeneratorL1 + GeneratorBCE - 0.5 * linear(0, 1,")
    assert "GeneratorL1: value 0.7, weight 100, weight * value 70." in drawing.alt
    assert formula(loss, title="Generator").alt.startswith("Generator. Formula of a loss")
    assert f"<desc>{drawing.alt}</desc>" in drawing.svg


def test_one_term_is_one_box():
    drawing = formula(2 * GeneratorL1())
    assert drawing.table().rows == (("GeneratorL1", "2", "–", "–"),)


def test_a_name_may_contain_any_character():
    assert "a|b &lt;c&gt; {d}" in formula(Value(1.0, "a|b <c> {d}")).svg


def test_the_picture_is_a_snapshot_and_reproducible(loss):
    call(loss)
    before = formula(loss)
    assert formula(loss).svg == before.svg
    loss(GANContext(discriminator_model=lambda x: x), fake=np.zeros((2, 1)), real=np.zeros((2, 1)))
    assert "value 0.7" in before.source and "value 0.7" not in formula(loss).source


@pytest.mark.parametrize("suffix", [".svg", ".dot"])
def test_it_can_be_saved(loss, tmp_path, suffix):
    assert formula(loss).save(tmp_path / f"loss{suffix}").stat().st_size > 1000


@pytest.mark.parametrize("wrong", [3, None, "a + b", GeneratorL1, np.ones(2)])
def test_what_has_no_terms_is_refused(wrong):
    with pytest.raises(DrawingError, match="formula: .* is not a loss made of terms.\n  Expected: an executor"):
        formula(wrong)


def test_a_longer_text_has_more_space_for_wide_fonts():
    def margin(executor):
        return float(re.findall(r'margin="?([\d.]+),', formula(executor).source)[-1])

    assert margin(Value(1.0, "a long name of a term, in many letters")) > margin(Value(1.0, "short")) > 0.09
