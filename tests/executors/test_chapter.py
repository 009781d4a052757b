"""The chapter of the book: its cells run, and its tables of formulas have the values of the losses."""

import re
from pathlib import Path

import numpy as np
import pytest

from dark import executors, nn
from dark.contexts import GANContext, GANEncoderContext

BOOK = Path(__file__).parents[2] / "book"
CHAPTER = (BOOK / "executors.md").read_text(encoding="utf-8")
CELLS = re.findall(r"^```\{code-cell\} ipython3\n(.*?)^```$", CHAPTER, re.M | re.S)
ROWS = dict(re.findall(r"^\| `(\w+)\(.*?\)` \| `(.+?)`", CHAPTER, re.M))
NUMPY = {"log": np.log, "exp": np.exp, "abs": np.abs, "max": np.maximum, "fn": lambda x, y: (x - y) ** 2}


def of_fakes(d_r, d_f, kind, *arguments):
    """Compute a loss from scores of real and of fake examples."""
    context = GANContext(discriminator_model=lambda x: x)
    return kind(*arguments)(context, real=d_r, fake=d_f, condition=None, training=True)


def of_encodings(d_r, d_f, kind):
    """Compute a loss from scores of real examples."""
    context = GANEncoderContext(discriminator_model=lambda x, encoding: x, encoder_model=lambda x: x)
    return kind()(context, real=d_r)


SCORES = [name for name in ROWS if re.search("d_[rf]", ROWS[name])]


@pytest.mark.parametrize("name", SCORES)
def test_a_formula_of_the_table_has_the_value_of_the_loss(name):
    d_r, d_f = np.random.default_rng(0).normal(size=(2, 5, 1))
    expected = np.mean(eval(ROWS[name], NUMPY | {"d_r": d_r, "d_f": d_f}))
    kind = getattr(executors, name)
    compute = of_encodings if name == "EncoderBCE" else of_fakes
    arguments = [nn.MSELoss()] if name.endswith("AdversarialLoss") else []
    assert compute(d_r, d_f, kind, *arguments).item() == pytest.approx(expected)


def test_the_table_has_every_loss():
    kinds = [kind for kind in vars(executors).values() if isinstance(kind, type)]
    losses = {kind.__name__ for kind in kinds if issubclass(kind, executors.Executor)}
    assert losses - {"Executor", "GANExecutor", "SumExecutor"} == ROWS.keys() and len(SCORES) == 9


@pytest.mark.parametrize("name", ["Pix2PixLoss", "Pix2PixLossSemantic"])
def test_a_sum_of_the_table_prints_like_the_loss(name):
    assert repr(getattr(executors, name)()) == ROWS[name]


@pytest.mark.parametrize("name", ["digits", "samples", "maps", "restored", "roc"])
def test_a_stored_picture_of_an_example_says_what_it_shows(name):
    (alt,) = re.findall(rf"^!\[(.*)\]\(_static/examples/{name}\.svg\)$", CHAPTER, re.M)
    text = (BOOK / "_static" / "examples" / f"{name}.svg").read_text(encoding="utf-8")
    assert re.search(r"<desc[^>]*>(.*?)</desc>", text)[1] == alt


def test_each_command_of_the_chapter_is_an_example_that_a_test_runs():
    names = re.findall(r"^python examples/(\w+)\.py$", CHAPTER, re.M)
    tests = "".join(
        (BOOK.parent / "tests" / f"test_{k}.py").read_text() for k in ("adversarial_examples", "gan_digits")
    )
    assert len(names) == 5 and all(f'"{name}"' in tests for name in names)


@pytest.mark.long
def test_the_cells_run_and_the_generator_learns(capsys, monkeypatch):
    for package in ("sklearn", "tqdm", "matplotlib"):
        pytest.importorskip(package, reason="the extra 'lab' is not installed")
    monkeypatch.setenv("TQDM_DISABLE", "1")  # a cell sets it
    monkeypatch.syspath_prepend(BOOK.parent / "examples")
    namespace = {}
    for cell in CELLS:
        exec(cell, namespace)
    printed = capsys.readouterr().out
    assert printed.startswith("GANContext(") and "True\nFalse\n" in printed
    assert re.search(
        r"a \+ b - 3 \* c +-289\n.*\n.*\n2 \* a \+ 3 \* a +5\n2 \* \(a \+ b\) \+ c +122\na - a +0\n", printed
    )
    mean, deviation = map(float, re.search(r"mean ([\d.]+), standard deviation ([\d.]+)", printed).groups())
    assert abs(mean - 3) < 0.3 and abs(deviation - 0.5) < 0.2
    assert float(re.search(r"largest error: ([\d.]+)", printed)[1]) < 0.1
