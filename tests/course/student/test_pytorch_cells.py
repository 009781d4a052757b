"""Cells of `%%pytorch`: run with PyTorch, and their recorded output without."""

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

from dark.course import load_ipython_extension, unload_ipython_extension
from dark.course.lessons.library import modules, modules_folder
from dark.course.lessons.notebook_files import read_notebook
from dark.course.student import pytorch_cells
from dark.course.student.pytorch_cells import recorded_outputs
from dark.errors import MissingExtraError

CELLS = {
    f"{stem}, {cell['id']}": cell["source"]
    for stem in modules()
    for cell in read_notebook(modules_folder() / f"{stem}.ipynb")["cells"]
    if cell["source"].startswith("%%pytorch")
}


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """A fresh shell with the extension, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    made = InteractiveShell.instance(config=config)
    load_ipython_extension(made)
    yield made
    InteractiveShell.clear_instance()


@pytest.mark.parametrize("name", CELLS)
def test_without_pytorch_the_recorded_output_stays(shell, monkeypatch, name):
    monkeypatch.setattr(pytorch_cells, "find_spec", lambda name: None)
    with capture_output() as captured:
        assert shell.run_cell(CELLS[name]).success
    assert captured.stdout.startswith("PyTorch is not installed here; this output was recorded with it.")
    recorded = recorded_outputs(CELLS[name].partition("\n")[2])
    printed = "".join("".join(output["text"]) for output in recorded if output["output_type"] == "stream")
    assert printed and printed in captured.stdout
    assert ["yours has" in picture.data["text/plain"] for picture in captured.outputs] == [
        True for output in recorded if output["output_type"] != "stream"
    ]


def test_a_changed_cell_without_pytorch_says_what_is_missing(shell, monkeypatch):
    monkeypatch.setattr(pytorch_cells, "find_spec", lambda name: None)
    with capture_output() as captured:
        result = shell.run_cell("%%pytorch\nprint(1)")
    assert isinstance(result.error_in_exec, MissingExtraError)
    assert "PyTorch is not installed, and this cell differs from the printed one" in str(result.error_in_exec)
    assert "pip install torch" in captured.stdout + captured.stderr


def test_with_pytorch_a_cell_runs_in_the_namespace_of_the_notebook(shell, monkeypatch):
    monkeypatch.setattr(pytorch_cells, "find_spec", lambda name: name)
    shell.run_cell("a = 20")
    with capture_output() as captured:
        result = shell.run_cell("%%pytorch\nb = a + 1\nprint(b)\nb * 2")
    assert result.result == 42 and captured.stdout.startswith("21") and shell.user_ns["b"] == 21
    with capture_output():
        assert shell.run_cell("%%pytorch\nc = 3").result is None


def test_unloading_removes_the_magic(shell):
    unload_ipython_extension(shell)
    assert "pytorch" not in shell.magics_manager.magics["cell"]
