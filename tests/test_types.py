"""Type hints: a user's program passes two type checkers, and wrong calls do not."""

import inspect
import json
import subprocess
import sys
import typing
from importlib import import_module
from pathlib import Path

import pytest

import dark

mypy = pytest.importorskip("mypy.api", reason="mypy is in the extra 'test'")

ROOT = Path(__file__).parents[1]
PROGRAMS = [str(ROOT / "tests" / name) for name in ("typed_user.py", "typed_observer.py")]
CONFIG = ["--config-file", str(ROOT / "pyproject.toml")]
OPTIONS = ["--follow-imports=silent", "--no-implicit-reexport", "--no-error-summary", *CONFIG]  # one cache for both


def errors_in(*paths):
    """Return what mypy prints about some files."""
    return mypy.run([*OPTIONS, *map(str, paths)])[0]


@pytest.mark.long
def test_users_programs_pass_mypy():
    assert errors_in(*PROGRAMS) == ""


@pytest.mark.long
def test_wrong_calls_are_found(tmp_path):
    path = tmp_path / "wrong.py"
    path.write_text(
        "import dark\ndark.exp('x')\ndark.Parameter(2).backwards()\ndark.sofmax(1.0)\ndark.draw(1, title=3)\n"
    )
    found = errors_in(path)
    assert [f"wrong.py:{line}:" in found for line in (2, 3, 4, 5)] == [True] * 4, found


@pytest.mark.long
def test_users_programs_pass_pyright():
    pytest.importorskip("basedpyright", reason="basedpyright is in the extra 'oracle'")
    options = ["--outputjson", "--level", "error", "--pythonpath", sys.executable]
    checker = [sys.executable, "-m", "basedpyright", *options, *PROGRAMS]
    ran = subprocess.run(checker, capture_output=True, text=True, timeout=300, cwd=ROOT)
    found = json.loads(ran.stdout)
    assert found["summary"]["filesAnalyzed"] == len(PROGRAMS)
    assert [(f["range"]["start"]["line"] + 1, f["message"]) for f in found["generalDiagnostics"]] == []


def public_functions():
    """Yield the name and the function of all that the packages offer: functions, constructors, methods."""
    for package in dark.PACKAGES:
        offered = import_module(f"dark.{package}")
        names = getattr(offered, "__all__", [name for name in vars(offered) if not name.startswith("_")])
        for name, thing in [(name, getattr(offered, name)) for name in names]:
            if not getattr(thing, "__module__", "").startswith("dark."):
                continue
            if inspect.isfunction(thing):
                yield f"{package}.{name}", thing
            for key, member in vars(thing).items() if inspect.isclass(thing) else ():
                method = getattr(member, "__func__", getattr(member, "fget", member))
                is_public = not key.startswith("_") or key in ("__init__", "__call__")
                if inspect.isfunction(method) and is_public and method.__module__.startswith("dark."):
                    yield f"{package}.{name}.{key}", method


def test_everything_that_a_package_offers_has_type_hints():
    missing = []
    for name, function in public_functions():
        overloads = typing.get_overloads(function)
        hints = function.__annotations__ | (overloads[0].__annotations__ if overloads else {})
        parameters = [p for p in inspect.signature(function).parameters if p not in ("self", "cls", "op")]
        missing += [f"{name}: {p}" for p in [*parameters, "return"] if p not in hints]
    assert missing == []
