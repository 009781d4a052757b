"""The viewer in a real JupyterLab: while a cell trains, and afterwards."""

import nbformat
import pytest

from tests.browser import OPEN, complaints

pytestmark = pytest.mark.browser
WRITE = """
import numpy as np
from dark.monitor import Note, view

note = Note("live")
note.take_down_scalars_and_tensors(0, {"loss": 1.0}, {"weights/w": np.ones((2, 3)), "weights/b": np.ones(4)})
view(note)
"""
TRAIN = """
import time

for step in range(1, 25):
    tensors = {"weights/w": np.full((2, 3), step), "weights/b": np.ones(4)}
    note.take_down_scalars_and_tensors(step, {"loss": 1 / step}, tensors)
    time.sleep(0.5)
note.close()
"""
RUN = """() => {
    window.hasRun = false;
    jupyterapp.commands.execute('notebook:run-all-cells').then(() => { window.hasRun = true; });
}"""


@pytest.fixture
def notebook(lab):
    cells = [nbformat.v4.new_code_cell(source) for source in (WRITE, TRAIN)]
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    path = lab.folder / "viewer.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), path)
    return path.name


def test_a_training_is_followed_and_can_be_looked_at_afterwards(page, lab, notebook):
    page.goto(lab.address)
    page.wait_for_function("() => window.jupyterapp")
    page.evaluate(OPEN, notebook)
    page.evaluate(RUN)
    page.wait_for_selector(".dark-viewer .picture")
    steps = ".dark-viewer .time input"
    page.wait_for_function("s => Number(document.querySelector(s).max) >= 2", arg=steps)
    assert not page.evaluate("() => window.hasRun")  # the cell that trains is still running
    page.wait_for_function("() => window.hasRun")
    page.wait_for_function("s => document.querySelector(s).max === '24'", arg=steps)
    page.locator(".dark-viewer .picture").focus()
    page.keyboard.press("j")  # the letter belongs to the viewer, not to the notebook
    page.wait_for_function("() => document.querySelector('.dark-viewer .picture')?.ariaLabel.includes('weights/b')")
    page.keyboard.press("k")
    page.keyboard.press("H")
    page.wait_for_function("() => document.querySelector('.dark-viewer .picture')?.ariaLabel.includes('all 1;')")
    assert page.inner_text(".dark-viewer .values td") == "1"
    cells = page.evaluate("() => jupyterapp.shell.currentWidget.context.model.toJSON().cells")
    assert complaints(cells) == []
