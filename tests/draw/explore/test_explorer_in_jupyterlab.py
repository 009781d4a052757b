"""The explorer in a real JupyterLab."""

import nbformat
import pytest

from tests.browser import complaints, run_notebook

pytestmark = pytest.mark.browser
CELL = """
import dark

x = dark.Parameter(2.0, name="x")
y = dark.exp(x * 3.0)
y.backward()
dark.draw(y).explore()
"""


def test_the_widget_explores_a_graph(page, lab):
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CELL)], metadata={"kernelspec": kernel})
    nbformat.write(notebook, lab.folder / "explore.ipynb")
    cells = run_notebook(page, lab, "explore.ipynb")
    assert complaints(cells) == []
    page.wait_for_selector(".dark-explorer .graph")
    page.locator(".dark-explorer .graph").focus()
    page.keyboard.press("ArrowUp")
    page.wait_for_function(
        "() => document.querySelector('.dark-explorer .live').textContent.startsWith('result of exp')"
    )
    page.keyboard.press("b")  # the letter belongs to the explorer, not to the notebook
    assert page.inner_text(".dark-explorer .caption").startswith("The pass starts at")
