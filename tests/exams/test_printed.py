"""The printed notebooks in the repository: up to date, and right when they are executed again."""

import subprocess
import sys

import pytest

from dark.course.lessons.blank import printed_hash
from dark.course.lessons.library import modules, repository_root
from dark.course.lessons.notebook_files import read_notebook
from dark.course.printing.build import first_difference, manuscripts, print_module

ROOT = repository_root()


def is_worked_in(notebook):
    """Return whether a student has changed or added a cell of the notebook."""
    cells = (cell for cell in notebook["cells"])
    return any(
        cell["metadata"].get("dark", {}).get("printed") != printed_hash("".join(cell["source"])) for cell in cells
    )


@pytest.mark.long
@pytest.mark.parametrize("path", manuscripts(ROOT), ids=lambda path: path.stem)
def test_printing_again_gives_the_same_notebooks(path):
    printed = print_module(path)
    assert first_difference(read_notebook(ROOT / "solutions" / f"{path.stem}.ipynb"), printed.solved) is None
    blank = read_notebook(ROOT / "modules" / f"{path.stem}.ipynb")
    if is_worked_in(blank):
        pytest.skip(f"modules/{path.stem}.ipynb holds a student's work")
    assert first_difference(blank, printed.blank) is None


def test_the_options_of_nbval_are_known_in_the_repository():
    command = [sys.executable, "-m", "pytest", "--nbval-lax", "--collect-only", "-q", "-p", "no:cacheprovider"]
    solution = ROOT / "solutions" / f"{modules()[0]}.ipynb"
    done = subprocess.run([*command, str(solution)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and f"{solution.name}::Cell 0" in done.stdout, done.stdout + done.stderr


@pytest.mark.long
def test_a_solution_runs_under_nbval_with_the_outputs_it_was_printed_with():
    """All outputs of all modules are compared above; this is nbval's own command, in the repository."""
    command = [sys.executable, "-m", "pytest", "--nbval-lax", "-q", "-p", "no:cacheprovider"]
    solution = ROOT / "solutions" / f"{modules()[1]}.ipynb"  # the quickest
    done = subprocess.run([*command, str(solution)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.parametrize("stem", modules())
def test_no_check_fails_in_a_solution(stem):
    solved = read_notebook(ROOT / "solutions" / f"{stem}.ipynb")
    shown = [
        "".join(output["data"].get("text/plain", ""))
        for cell in solved["cells"]
        for output in cell.get("outputs", ())
        if "data" in output
    ]
    verdicts = [text for text in shown if text[:1] in "✓✗!·"]
    assert verdicts and all(text.startswith("✓") for text in verdicts)
