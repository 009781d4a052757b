"""A student's first minutes in a real JupyterLab: everything runs, and the stepper steps."""

import shutil
from pathlib import Path

import nbformat
import pytest

from dark.cli.jupyter_notebooks import prepare
from dark.course.lessons import library
from tests.browser import OPEN, complaints, run_notebook

pytestmark = pytest.mark.browser
STEPPER = """
import dark

x = dark.Parameter(10.0, name="x")
fx = dark.add(dark.mul(dark.pow(x, 2), 2), 5)
fx.backward()
dark.draw(fx).widget()
"""
RUN_CELL = """async ([id, source]) => {
    const notebook = window.jupyterapp.shell.currentWidget.content;
    notebook.activeCellIndex = notebook.widgets.findIndex(cell => cell.model.id === id);
    notebook.activeCell.model.sharedModel.setSource(source);
    await window.jupyterapp.commands.execute('notebook:run-cell');
}"""
ANSWERS = {
    "✗ slope: runs, wrong": ("return (f(x + nudge) - f(x)) / nudge", "rgb(207, 34, 46)"),
    "! slope: stopped by an error": ("return f(x) / 0", "rgb(154, 103, 0)"),
    "✓ slope: right": ("return (f(x + nudge) - f(x - nudge)) / (2 * nudge)", "rgb(26, 127, 55)"),
}


@pytest.fixture
def small(lab):
    """Write a notebook of three cells that never loads the extension itself."""
    cells = [nbformat.v4.new_code_cell(source) for source in ("check, hint, predict", STEPPER)]
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    path = lab.folder / "small.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), path)
    return path.name


@pytest.fixture
def solved(lab):
    """Copy the solved first module to where the server looks."""
    source = library.repository_root() / "solutions" / "01-scalar-autodiff.ipynb"
    return Path(shutil.copy(source, lab.folder)).name


def move_the_stepper(page):
    """Press the arrow key on the first stepper; return picture and caption before and after."""
    stepper = page.locator(".dark-stepper").first
    stepper.scroll_into_view_if_needed()
    before = look(stepper)
    slider = stepper.locator("input[type=range]")
    slider.focus()
    slider.press("ArrowRight" if slider.input_value() == "0" else "ArrowLeft")
    changed = "([caption, text]) => caption.textContent !== text"
    caption = stepper.locator("[aria-live]").element_handle()
    page.wait_for_function(changed, arg=[caption, before[1]])
    return before, look(stepper)


def look(stepper):
    """Return what one sees of a stepper: the picture's markup and the caption's text."""
    return stepper.inner_html(), stepper.locator("[aria-live]").inner_text()


def test_the_course_is_loaded_and_the_stepper_steps(page, lab, small):
    cells = run_notebook(page, lab, small)
    assert complaints(cells) == []
    before, after = move_the_stepper(page)
    assert before[0] != after[0] and before[1] != after[1]


def test_the_first_module_runs_as_solved_and_its_stepper_steps(page, lab, solved):
    cells = run_notebook(page, lab, solved)
    assert complaints(cells) == []
    before, after = move_the_stepper(page)
    assert before[0] != after[0] and before[1] != after[1]


def test_the_glossary_opens_beside_the_notebook_as_a_page(page, lab, solved):
    shutil.copy(library.modules_folder() / "glossary.md", lab.folder)
    page.goto(lab.address)
    page.wait_for_function("() => window.jupyterapp")
    page.evaluate(OPEN, solved)
    page.locator(".jp-Notebook a:text-is('glossary')").first.click()
    page.wait_for_selector(".jp-MarkdownViewer h1:has-text('Glossary')")
    assert page.locator(".jp-MarkdownViewer strong:text-is('chain rule')").count() == 1
    labels = "() => Array.from(window.jupyterapp.shell.widgets('main')).map(widget => widget.title.label)"
    assert page.evaluate(labels).count("glossary.md") == page.evaluate(labels).count(solved) == 1


def test_a_new_notebook_is_trusted_and_does_not_count_as_changed(page, lab, solved):
    prepare(lab.folder / solved)
    page.goto(lab.address)
    page.wait_for_function("() => window.jupyterapp")
    page.evaluate(OPEN, solved)
    language = "() => window.jupyterapp.shell.currentWidget.context.model.getMetadata('language_info').version"
    page.wait_for_function(language)
    page.wait_for_timeout(1000)  # what the kernel says about its language may still be on its way
    model = "const model = window.jupyterapp.shell.currentWidget.context.model"
    assert page.evaluate(f"() => {{ {model}; return model.dirty; }}") is False
    trusted = "Array.from(model.cells).every(cell => cell.type !== 'code' || cell.trusted)"
    assert page.evaluate(f"() => {{ {model}; return {trusted}; }}")


def test_a_card_has_the_color_of_its_status_and_folds_what_also_fails(page, lab):
    module = library.load_module("01")
    shutil.copy(library.modules_folder() / f"{module.stem}.ipynb", lab.folder)
    page.goto(lab.address)
    page.wait_for_function("() => window.jupyterapp")
    page.evaluate(OPEN, f"{module.stem}.ipynb")
    card = page.locator(".jp-Cell.jp-mod-active .jp-OutputArea-output")
    for title, (body, color) in ANSWERS.items():
        page.evaluate(RUN_CELL, ["exercise-slope", f"def slope(f, x, nudge=1e-6):\n    {body}"])
        head = card.locator(f"span:text-is('{title}')")
        head.wait_for()
        assert head.evaluate("e => getComputedStyle(e).backgroundColor") == color
        assert head.evaluate("e => getComputedStyle(e).color") == "rgb(255, 255, 255)"
        if title.startswith("✗"):
            folded = card.locator("details:has(summary:text('Also fails')) li").first
            assert not folded.is_visible()
            card.locator("summary:text('Also fails')").click()
            assert folded.is_visible() and card.locator("b:text-is('Diagnosis:')").count() == 1
