"""The package `dark`: what it offers, when it loads it, and what a wrong name gives."""

import ast
import builtins
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import dark

SOURCE = Path(dark.__file__).read_text(encoding="utf-8")


def loaded_by(statement):
    """Return which of some modules a fresh process has loaded after a statement."""
    asked = ("numpy", "dark.nodes", "dark.nn", "dark.draw", "dark.storage", "graphviz", "dark.trainers")
    code = f"import sys; {statement}; print(*[name for name in {asked} if name in sys.modules])"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


@pytest.mark.parametrize("statement", ["import dark", "import dark.errors", "import dark; dark.__version__"])
def test_importing_dark_loads_nothing_else(statement):
    assert loaded_by(statement) == set()


def test_importing_dark_takes_at_most_150_milliseconds():
    code = "import time; begun = time.process_time(); import dark; print(time.process_time() - begun)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 0.15


def test_the_graph_is_loaded_without_pictures_networks_or_files():
    assert loaded_by("import dark; dark.Parameter(2.0)") == {"numpy", "dark.nodes"}


@pytest.mark.parametrize(
    "line", ["import dark; x = dark.Parameter(3)", "from dark.nodes import Parameter; x = Parameter(3)"]
)
def test_operators_work_in_a_process_that_has_only_used_a_parameter(line):
    code = f"import numpy as np; {line}; print((2 * x - 1).value, np.exp(0 * x).value, (x * np.ones(2)).sum().value)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["5.0", "1.0", "6.0"]


def test_a_package_is_loaded_when_it_is_first_used():
    assert loaded_by("import dark; dark.nn.Linear") >= {"numpy", "dark.nn"}


@pytest.mark.parametrize("name", dark.PACKAGES)
def test_every_package_is_reachable_after_import_dark(name):
    code = f"import dark; print(dark.{name}.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [f"dark.{name}"]


def test_every_name_of_the_list_is_there():
    assert [name for name in dark.__all__ if not hasattr(dark, name)] == []
    assert set(dark.operations.__all__) - set(dir(builtins)) - {"all_operations"} <= set(dark.__all__)


def test_the_list_holds_no_operation_classes_and_no_switches():
    assert {name for name in dark.__all__ if name[0].isupper()} == {"Constant", "Node", "Operation", "Parameter"}
    assert not {"mode", "plateau", "checks"} & set(dark.__all__)


def test_a_star_leaves_pythons_own_names_alone():
    names = {}
    exec("from dark import *", names)
    assert names.keys() - {"__builtins__"} == set(dark.__all__) and not names.keys() & set(dir(builtins))


def test_the_class_of_an_operation_is_found_by_its_name():
    assert dark.Mul.__name__ == "Mul" and dark.Mul._f(2.0, 3.0) == 6.0


def test_a_wrong_name_is_an_attribute_error_that_names_it():
    with pytest.raises(AttributeError, match="module 'dark' has no attribute 'sofmax'"):
        _ = dark.sofmax


def test_type_checkers_and_the_interpreter_see_the_same_names():
    block = next(node for node in ast.parse(SOURCE).body if isinstance(node, ast.If))
    seen = {alias.asname for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names} - {None}
    declared = {node.target.id for node in block.body if isinstance(node, ast.AnnAssign)}
    declared |= {name.id for node in block.body if isinstance(node, ast.Assign) for name in node.targets[0].elts}
    assert seen | declared == {*dark.PACKAGES, *dark._HOME, "is_training"}


def test_completion_offers_no_helper_of_the_package_itself():
    assert {"import_module", "sys", "ModuleType", "TYPE_CHECKING"}.isdisjoint(dir(dark))
    assert {"nn", "grad", "Parameter"} <= set(dir(dark))


def test_the_switch_and_the_seed_are_at_the_top():
    assert {"is_training", "manual_seed"} <= set(dir(dark)) and "record the graph" in type(dark).is_training.__doc__
    dark.manual_seed(3)
    first = np.random.random(), random.random(), dark.nn.Linear(2, 1).weight.value.tolist()
    dark.manual_seed(3)
    assert (np.random.random(), random.random(), dark.nn.Linear(2, 1).weight.value.tolist()) == first
    assert dark.manual_seed is dark.engine.manual_seed
