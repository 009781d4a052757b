"""Each of the five questions runs from a real export of the course, repeats, and resumes after a kill."""

import re
import subprocess
import sys

import pytest

from dark.course.capstone.checking import check_project
from dark.course.capstone.page import TO_WRITE
from dark.course.capstone.project import find_package, open_project
from dark.course.capstone.questions import QUESTIONS
from dark.course.capstone.start import start
from dark.course.capstone.static_checks import PARTS
from dark.course.export import export_course
from dark.course.lessons.library import load_module, modules
from dark.course.lessons.notebook_files import notebook_text

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """Return the folder of an export of the whole course, with the reference's answers."""
    root = tmp_path_factory.mktemp("export")
    (root / "work").mkdir()
    for module in map(load_module, modules()):
        (root / "work" / f"{module.stem}.ipynb").write_text(notebook_text(module.blank), encoding="utf-8")
    export_course(root / "mine", work=root / "work")
    return root / "mine"


def test_a_real_export_is_recognized(package):
    assert find_package(package).name == "mine"


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_a_skeleton_runs_repeats_and_resumes(question, package, tmp_path):
    folder, _ = start(question, tmp_path / "project", package)
    program = (folder / "run.py").read_text(encoding="utf-8")
    shortened = re.sub(r"^STEPS, EVERY = .*$", "STEPS, EVERY = 40, 5", program, flags=re.MULTILINE)
    assert shortened != program
    (folder / "run.py").write_text(shortened, encoding="utf-8")
    found, unknown = check_project(open_project(folder), limit=120)
    missing = {each.part for each in found}
    assert unknown == () and missing == set(PARTS) - {"package", "repeats", "resumes"}, [*map(str, found)]


FINISHED = {
    "Claim": """With momentum, the digits are learned to 0.9 in half of the steps.

```python
# claim
2 * steps_to(whole, 0.9) <= steps_to(without_momentum, 0.9)
```
""",
    "Ablation": "Without momentum, `without_momentum` with the same rate, it takes more than twice the steps.\n",
    "Failure": """With momentum *and* a rate ten times as large, `too_fast`, nothing is learned that lasts.

```python
# failure
mean(too_fast) < mean(whole) - 0.1
```
""",
}


def test_the_question_of_a_faster_training_can_be_answered(package, tmp_path):
    question = next(each for each in QUESTIONS if each.name == "faster")
    folder, _ = start(question, tmp_path / "project", package)
    variants = (
        '{"whole": {"momentum": 0.9}, "without_momentum": {}, "too_fast": {"momentum": 0.9, "learning_rate": 3.0}}'
    )
    program = (folder / "run.py").read_text(encoding="utf-8").replace('{"whole": {}}', variants)
    (folder / "run.py").write_text(program.replace("STEPS, EVERY = 600, 20", "STEPS, EVERY = 200, 10"))
    page = (folder / "page.md").read_text(encoding="utf-8")
    page = re.sub(rf"^{TO_WRITE}[^\n]*\n(?:>[^\n]*\n)*", "", page, flags=re.MULTILINE)
    page = re.sub(r"^```python\n# (?:claim|failure)\n\.\.\.\n```\n", "", page, flags=re.MULTILINE)
    for name, text in FINISHED.items():
        page = page.replace(f"## {name}\n", f"## {name}\n\n{text}")
    page = page.replace(
        "## Curve\n", "## Curve\n\nAll five seeds of each variant rise at once; I had expected a later start.\n"
    )
    (folder / "page.md").write_text(page, encoding="utf-8")
    subprocess.run([sys.executable, "run.py"], cwd=folder, check=True, capture_output=True)
    found, unknown = check_project(open_project(folder))
    assert not found and not unknown, "\n".join(map(str, found))
