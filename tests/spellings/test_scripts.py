"""Six training scripts, as written for PyTorch and as changed for `dark`: equal losses, and the lines that change."""

import difflib
import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import dark

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "book" / "from_pytorch.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| ([^|]+) \| (\d+) \| (\d+) \| [^|]+ \|$", re.M)
TITLES = {
    "perceptron": "perceptron", "dcgan": "DCGAN", "char_rnn": "character RNN", "vae": "variational autoencoder",
    "gpt": "GPT", "unet": "U-Net",
}  # fmt: skip


def batches(name, steps=5):
    """Draw the batches of a script, as tuples of arrays."""
    rng = np.random.default_rng(3)
    draw = {
        "perceptron": lambda: (rng.normal(size=(6, 4, 4)), rng.integers(0, 4, 6)),
        "dcgan": lambda: (rng.normal(size=(4, 1, 8, 8)),),
        "char_rnn": lambda: (rng.integers(0, 7, (2, 5)), rng.integers(0, 7, (2, 5))),
        "vae": lambda: (rng.random((5, 4, 4)),),
        "gpt": lambda: (rng.integers(0, 11, (3, 6)), rng.integers(0, 11, (3, 6))),
        "unet": lambda: (rng.normal(size=(2, 1, 8, 8)), (rng.random((2, 1, 8, 8)) > 0.5) * 1.0),
    }[name]
    return [draw() for _ in range(steps)]


def trained(script, models, name, convert):
    """Train with a script, and return its losses."""
    return np.array(script.train(models, [tuple(map(convert, batch)) for batch in batches(name)]))


def changed_lines(name):
    """Count the lines that differ between the two versions of a script, apart from imports and empty lines."""
    folders = ("pytorch_scripts", "dark_scripts")
    versions = [(HERE / folder / f"{name}.py").read_text().splitlines() for folder in folders]
    theirs, own = ([line for line in lines if line and not re.match("import |from ", line)] for lines in versions)
    opcodes = difflib.SequenceMatcher(a=theirs, b=own, autojunk=False).get_opcodes()
    return len(versions[0]), sum(max(i - h, k - j) for kind, h, i, j, k in opcodes if kind != "equal")


@pytest.mark.parametrize("name", TITLES)
def test_a_changed_script_trains(name):
    script = import_module(f"tests.spellings.dark_scripts.{name}")
    losses = trained(script, script.make(), name, dark.Constant)
    assert len(losses) >= 5 and np.isfinite(losses).all()


@pytest.mark.oracle
@pytest.mark.parametrize("name", TITLES)
def test_both_versions_of_a_script_have_equal_losses_from_equal_weights(name, monkeypatch):
    torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    theirs, own = (import_module(f"tests.spellings.{folder}.{name}") for folder in ("pytorch_scripts", "dark_scripts"))
    draws = np.random.default_rng(5)  # both draw the same numbers
    monkeypatch.setattr(torch, "randn", lambda *shape: torch.tensor(draws.normal(size=shape)))
    monkeypatch.setattr(torch, "randn_like", lambda x: torch.tensor(draws.normal(size=tuple(x.shape))))
    monkeypatch.setattr(torch, "multinomial", lambda p, n: torch.tensor([draws.choice(len(p), p=p.numpy())]))
    monkeypatch.setattr(own, "rng", np.random.default_rng(5), raising=False)
    their_models, own_models = [model.double() for model in theirs.make()], own.make()
    for a, b in zip(their_models, own_models, strict=True):
        assert b.load_state_dict(a.state_dict()).missing_keys == []
    right = trained(theirs, their_models, name, torch.tensor)
    np.testing.assert_allclose(trained(own, own_models, name, dark.Constant), right, rtol=1e-12, atol=1e-14)


def test_the_page_counts_the_lines_that_change():
    rows = {title: (int(lines), int(changed)) for title, lines, changed in ROW.findall(PAGE)}
    counted = {TITLES[name]: changed_lines(name) for name in TITLES}
    assert rows == counted
    lines, changed = map(sum, zip(*counted.values()))
    assert changed <= 0.05 * lines
