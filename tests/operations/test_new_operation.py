"""Adding an operation: its file and one line, and the tests of all operations find it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dark

FILE = '''"""Cubes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dark.nodes import Operation

if TYPE_CHECKING:
    from dark.nodes import Node
    from dark.typing import ArrayLike


class Cube(Operation):
    """Cube."""

    @staticmethod
    def _f(x):
        return x**3

    @staticmethod
    def _df(dldy, y, x):
        return (dldy * {factor} * x**2,)


def cube(x: ArrayLike) -> Node:
    """Compute the cube."""
    return Cube.apply(x)
'''
LINE = "from dark.operations.elementwise.cube import cube as cube\n"
USE = """
import dark
from dark.operations import all_operations
from tests.operations import cases, test_gradients

x = dark.Parameter(2.0)
dark.cube(x).backward()
assert x.grad == 12.0 and dark.Cube in all_operations() and "cube" in dark.__all__
assert cases.function_of(dark.Cube) is dark.cube and cases.OPERATIONS["Cube"] is dark.Cube
test_gradients.test_the_gradient_equals_finite_differences(dark.Cube)
print("checked")
"""


def added(folder, factor):
    """Copy the package, add an operation as a contributor would, and use it in a process of its own."""
    package = Path(dark.__file__).parent
    tests = package.parent / "tests"
    shutil.copytree(package, folder / "dark", ignore=shutil.ignore_patterns("__pycache__", "course"))
    shutil.copytree(tests / "operations", folder / "tests" / "operations", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "tests" / "__init__.py").touch()
    package = folder / "dark" / "operations"
    (package / "elementwise" / "cube.py").write_text(FILE.format(factor=factor), encoding="utf-8")
    facade = (package / "__init__.py").read_text(encoding="utf-8")
    before, first, after = facade.partition("from dark.operations.elementwise.")
    (package / "__init__.py").write_text(before + LINE + first + after, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-c", USE], cwd=folder, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": "."}
    )


@pytest.mark.parametrize("factor", ["3", "2"])
def test_an_operation_is_one_file_and_one_line_and_its_gradient_is_tested(tmp_path, factor):
    ran = added(tmp_path, factor)
    if factor == "3":
        assert ran.stdout == "checked\n", ran.stderr
    else:
        assert "AssertionError" in ran.stderr
