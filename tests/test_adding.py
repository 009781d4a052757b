"""Adding a loss, layer, optimizer, metric or handler: its file and its name in the `__init__.py`, in a copy of dark."""

import filecmp
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dark

PACKAGE = Path(dark.__file__).parent
LOSS = '''"""Log-cosh loss."""

import numpy as np


def log_cosh(input, target, *, scale: float = 1.0):
    """Compute the mean of log(cosh(input - target))."""
    return np.log(np.cosh(scale * (input - target))).mean()
'''
LAYER = '''"""A layer that scales its input."""

from dark.nn.module import Module
from dark.nodes import Parameter


class Scale(Module):
    """Multiply the input by a learnable factor."""

    def __init__(self, factor: float = 1.0):
        super().__init__()
        self.factor = Parameter(factor)

    def forward(self, x):
        """Return the scaled input."""
        return self.factor * x
'''
OPTIMIZER = '''"""Gradient descent by the sign of the gradient."""

import numpy as np

from dark.optim.optimizer import Optimizer


class SignSGD(Optimizer):
    """Change each parameter by the learning rate, against the sign of its gradient."""

    counts_steps = False

    def __init__(self, params, lr: float = 0.1):
        super().__init__(params, {"lr": lr})

    def make_update(self, group, step):
        """Return the update of one chunk."""

        def update(values, gradients, *more):
            values -= group["lr"] * np.sign(gradients)

        return update
'''
METRIC = '''"""The largest prediction."""

from dark.metrics.metric import Metric


class Largest(Metric):
    """The largest prediction."""

    def __init__(self, least: float = 0.0, **options):
        self._least = least
        super().__init__(**options)

    def reset(self):
        """Start again."""
        self._largest = self._least

    def update(self, output):
        """Add a batch."""
        self._largest = max(self._largest, *output)

    def compute(self):
        """Return the largest prediction so far."""
        return self._largest
'''
HANDLER = '''"""A handler that counts its calls."""


class Counter:
    """Count the calls."""

    def __init__(self, start: int = 0):
        self.count = start

    def __call__(self, engine):
        """Count one call."""
        self.count += 1
'''
PIECES = {  # kind: (package, module, its source, name, how it is used)
    "loss": (
        "losses", "log_cosh", LOSS, "log_cosh", "assert abs(piece(dark.Constant(1.0), 0.0).item() - 0.4338) < 1e-3"
    ),
    "layer": ("nn", "layers.scale", LAYER, "Scale", "assert dark.nn.Sequential(piece(3.0))(2.0).item() == 6.0"),
    "optimizer": (
        "optim", "sign_sgd", OPTIMIZER, "SignSGD",
        "p = dark.Parameter(3.0); (p * p).backward(); piece([p], lr=0.5).step(); assert p.value == 2.5",
    ),
    "metric": (
        "metrics", "largest", METRIC, "Largest",
        "engine = dark.engine.Engine(lambda engine, batch: batch); piece().attach(engine, 'largest')\n"
        "assert engine.run([[1.0, 5.0], [2.0, 3.0]]).metrics == {'largest': 5.0}",
    ),
    "handler": (
        "handlers", "counter", HANDLER, "Counter",
        "engine = dark.engine.Engine(lambda engine, batch: None); counter = piece()\n"
        "engine.add_event_handler(dark.engine.Events.ITERATION_COMPLETED, counter)\n"
        "engine.run([1, 2, 3]); assert counter.count == 3",
    ),
}  # fmt: skip
USE = """
import dark
from dark.{package} import {name} as piece
from tests.arguments.parameters import checked_parameters

{use}
assert "{package}.{name}" in checked_parameters()
print("used")
"""


def add(folder, package, module, source, name):
    """Copy dark and add a piece to it, as a contributor would."""
    shutil.copytree(PACKAGE, folder / "dark", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(PACKAGE.parent / "tests" / "arguments", folder / "tests" / "arguments")
    (folder / "tests" / "__init__.py").touch()
    room = folder / "dark" / package
    (room / f"{module.replace('.', '/')}.py").write_text(source, encoding="utf-8")
    facade = room / "__init__.py"
    before, opening, after = facade.read_text(encoding="utf-8").partition("__all__ = [")
    line = f"from dark.{package}.{module} import {name}\n\n"
    facade.write_text(f'{before}{line}{opening}"{name}", {after}', encoding="utf-8")


def changed_files(copy):
    """Return the files of a copy of dark that are new or differ from the original."""
    files = [path.relative_to(copy) for path in copy.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return [
        str(path)
        for path in files
        if not (PACKAGE / path).exists() or not filecmp.cmp(copy / path, PACKAGE / path, shallow=False)
    ]


@pytest.mark.long
@pytest.mark.parametrize("kind", PIECES)
def test_a_piece_is_one_file_and_its_name_in_the_facade(kind, tmp_path):
    package, module, source, name, use = PIECES[kind]
    add(tmp_path, package, module, source, name)
    files = {f"{package}/{module.replace('.', '/')}.py", f"{package}/__init__.py"}
    assert set(changed_files(tmp_path / "dark")) == files
    ran = subprocess.run(
        [sys.executable, "-c", USE.format(package=package, name=name, use=use)],
        cwd=tmp_path, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": "."},
    )  # fmt: skip
    assert ran.stdout == "used\n", ran.stderr
