"""What `dark.engine` offers, and what it does not load for it."""

import subprocess
import sys
from types import ModuleType

import pytest

import dark.engine


def test_the_loop_loads_neither_networks_nor_trainers():
    code = (
        "import sys, types; package = types.ModuleType('dark'); package.__path__ = ['dark'];"
        "sys.modules['dark'] = package; import dark.engine;"
        "print([name for name in ('numpy', 'dark.nodes', 'dark.nn', 'dark.trainers') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_the_trainers_are_found_here_too(monkeypatch):
    trainers = ModuleType("dark.trainers")
    trainers.create_supervised_trainer = object()
    monkeypatch.setitem(sys.modules, "dark.trainers", trainers)
    assert dark.engine.create_supervised_trainer is trainers.create_supervised_trainer
    with pytest.raises(AttributeError, match="module 'dark.engine' has no attribute 'create_a_trainer'"):
        dark.engine.create_a_trainer


def test_a_star_brings_everything_and_nothing_else():
    names = {}
    exec("from dark.engine import *", names)
    assert set(names) - {"__builtins__"} == set(dark.engine.__all__)
    assert {"Engine", "create_supervised_trainer", "Tbptt_Events"} <= set(names)
