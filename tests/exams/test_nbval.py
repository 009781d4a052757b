"""nbval and pytest as ways in: blank, half, wrong and solved notebooks of each module, in separate processes."""

import os
import re
import subprocess
import sys
import tomllib
from xml.etree import ElementTree

import pytest

from dark.course.judging.bank import load_bank
from dark.course.lessons.library import load_module, modules, repository_root
from dark.course.lessons.notebook_files import read_notebook, write_notebook

ROOT = repository_root()
KINDS = ("blank", "half", "wrong", "saved", "solved")
SAVED = modules()[:9:4]  # stored outputs change nothing, whatever the module
WHOLE = modules()[::5]  # run to the end, with the milestone; the book runs all of them
ONLY_IN_TESTS = ("hypothesis", "_hypothesis_pytestplugin", "playwright")  # the extra 'test' without 'lab'
HIDES = """
from functools import partial
from importlib.machinery import PathFinder

def visible(find, name, *rest):
    return None if name.partition(".")[0] in {names} else find(name, *rest)

PathFinder.find_spec = partial(visible, PathFinder.find_spec)  # not a function, which a class would bind
"""


@pytest.fixture
def environment(tmp_path_factory):
    """Return the environment of a student with the extra `lab`: the plugin is installed, other packages are missing."""

    def made(*missing):
        site = tmp_path_factory.mktemp("site")
        (site / "sitecustomize.py").write_text(HIDES.format(names=(*missing, *ONLY_IN_TESTS)))
        (site / "installed-1.dist-info").mkdir()
        (site / "installed-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: installed\nVersion: 1\n")
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        points = [f"{name} = {module}\n" for name, module in project["entry-points"]["pytest11"].items()]
        (site / "installed-1.dist-info" / "entry_points.txt").write_text("[pytest11]\n" + "".join(points))
        paths = os.pathsep.join([str(site), str(ROOT)])
        return {**os.environ, "PYTHONPATH": paths, "PYTEST_ADDOPTS": "-p no:hypothesispytest"}

    return made


def run(words, folder, environment):
    """Run pytest in a folder; return the texts of failures by file and test, and how many tests passed."""
    report = folder / "report.xml"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", f"--junitxml={report}", "--color=no", *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=900)
    assert done.returncode in (0, 1) and report.exists(), done.stdout + done.stderr
    cases = list(ElementTree.parse(report).iter("testcase"))
    failed = {(case.get("classname"), case.get("name")): case[0].text for case in cases if len(case)}
    return failed, len(cases) - len(failed)


def notebook(module, answers):
    """Return the blank notebook of a module in which exercises have been answered."""
    cells = [
        cell | {"source": answers.get(cell["metadata"].get("dark", {}).get("exercise"), cell["source"])}
        if cell["id"].startswith("exercise-")
        else cell
        for cell in module.blank["cells"]
    ]
    return {**module.blank, "cells": cells}


def up_to_the_checks(notebook):
    """Return a notebook without the cells after the check of its last exercise, which train for minutes."""
    last = max(k for k, cell in enumerate(notebook["cells"]) if cell["id"].startswith("check-"))
    return {**notebook, "cells": notebook["cells"][: last + 1]}


def kinds(module):
    """Return answers to a module by the name of their notebook."""
    right = {name: each.solution for name, each in module.exercises.items()}
    first = list(right)[: len(right) // 2]
    wrong = {name: load_bank(module, name).bug[0].source for name in right}
    return {"blank": {}, "half": {name: right[name] for name in first}, "wrong": wrong, "saved": wrong, "solved": right}


def written(module, folder, names, whole=()):
    """Write notebooks of a module up to the checks, or whole; a `saved` one has been run first, as in JupyterLab."""
    for name in names:
        answered = notebook(module, kinds(module)[name])
        write_notebook(folder / f"{name}.ipynb", answered if name in whole else up_to_the_checks(answered))
        if name == "saved":
            command = "-m nbconvert --to notebook --execute --allow-errors --inplace saved.ipynb"
            subprocess.run([sys.executable, *command.split()], cwd=folder, check=True, capture_output=True)
    return [f"{name}.ipynb" for name in names]


def cells_of(path, failed):
    """Return what failed in a notebook: the text of the failure, by the id of its cell."""
    code = [cell for cell in read_notebook(path)["cells"] if cell["cell_type"] == "code"]
    ids = {f"Cell {number}": cell["id"] for number, cell in enumerate(code)}
    return {ids.get(name, name): text for (file, name), text in failed.items() if path.stem in file.split(".")}


@pytest.mark.long
@pytest.mark.parametrize(
    ("option", "names", "missing"),
    [("--nbval-lax", ("half", "solved"), ()), ("--nbval", ("blank", "wrong", "saved", "solved"), ("torch",))],
    ids=["lax", "no torch"],
)
@pytest.mark.parametrize("stem", [stem for stem in modules() if load_module(stem).exercises])
def test_nbval_tells_right_from_wrong_answers(stem, option, names, missing, environment, tmp_path):
    module, names = load_module(stem), [name for name in names if name != "saved" or stem in SAVED]
    files = written(module, tmp_path, names, whole=["solved"] if option == "--nbval" and stem in WHOLE else [])
    failed, _ = run([option, *files], tmp_path, environment(*missing))
    found = {name: cells_of(tmp_path / f"{name}.ipynb", failed) for name in names}
    assert not found["solved"]
    says = {"blank": "· {}: not ", "wrong": "[✗!] {}: ", "saved": "[✗!] {}: "}
    for name in module.exercises:
        exercise, check = f"exercise-{name}", f"check-{name}"
        for kind in set(names) & set(says):
            assert exercise in found[kind] and re.search(says[kind].format(name), found[kind][check]), (kind, name)
        if "half" in names:
            is_right = name in kinds(module)["half"]
            assert is_right == (exercise not in found["half"]) == (check not in found["half"])


@pytest.mark.long
@pytest.mark.parametrize(("names", "missing"), [(("solved",), ()), (KINDS, ("torch",))], ids=["solved", "no torch"])
@pytest.mark.parametrize("stem", [stem for stem in modules() if load_module(stem).exercises])
def test_the_questions_tell_right_from_wrong_answers(stem, names, missing, environment, tmp_path):
    module, names = load_module(stem), [name for name in names if name != "saved" or stem in SAVED]
    for file in written(module, tmp_path, names):
        words = [str(ROOT / "tests" / "exams"), "--student", file]
        failed, passed = run(words, tmp_path, environment(*missing))
        wrong = {name.partition("[")[2].partition("/")[0] for _, name in failed}
        right = {"half.ipynb": kinds(module)["half"], "solved.ipynb": module.exercises}.get(file, ())
        assert wrong == set(module.exercises) - set(right)
        assert bool(passed) == (file != "blank.ipynb")
        not_attempted = [text for text in failed.values() if "not attempted" in text]
        assert len(not_attempted) == (len(failed) if file in ("blank.ipynb", "half.ipynb") else 0)


WRONG = "def slope(f, x, nudge=1e-6):\n    return 3.0"
UNCHECKED = WRONG.replace("def", "# NBVAL_SKIP\n# NBVAL_RAISES_EXCEPTION\ndef", 1)
RESULT = {"output_type": "execute_result", "execution_count": 1, "data": {"text/plain": "3"}, "metadata": {}}
OWN_OUTPUT = {"outputs": [RESULT], "execution_count": 1}


def test_a_sample_of_module_01_up_to_its_first_check(environment, tmp_path):
    module = load_module("01")
    answers = {"blank": None, "right": module.exercises["slope"].solution, "wrong": WRONG, "unchecked": UNCHECKED}
    for name, answer in answers.items():
        whole = notebook(module, {"slope": answer} if answer else {})
        last = [cell["id"] for cell in whole["cells"]].index("check-slope")
        cells = whole["cells"][: last + (name != "unchecked")]
        cells = [cell | OWN_OUTPUT if cell["cell_type"] == "code" else cell for cell in cells]
        write_notebook(tmp_path / f"{name}.ipynb", {**whole, "cells": cells})
    other = {"cell_type": "code", "id": "a", "metadata": {}, "source": "x = 1\nx + 1", **OWN_OUTPUT}
    whole = {"cells": [other], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    write_notebook(tmp_path / "01-other.ipynb", whole)  # not of the course: compared with its own output
    failed, _ = run(["--nbval", *(path.name for path in tmp_path.glob("*.ipynb"))], tmp_path, environment("torch"))
    found = {name: cells_of(tmp_path / f"{name}.ipynb", failed) for name in (*answers, "01-other")}
    for text in (found["blank"]["exercise-slope"], found["blank"]["check-slope"]):
        assert "· slope: not attempted" in text and "Traceback (" not in text
    for text in (found["wrong"]["exercise-slope"], found["wrong"]["check-slope"], found["unchecked"]["exercise-slope"]):
        assert "✗ slope: runs, wrong" in text and "Smallest input: " in text and "expected" in text
    (rest,) = found["right"].values()  # of a notebook that ends here: the other exercises, in a cell of their own
    others = [name for name in module.exercises if name != "slope"]
    assert f"check({', '.join(map(repr, others))})" in rest
    assert all(f"· {name}: not run in this session." in rest for name in others)
    (last,) = set(found["unchecked"]) - {"exercise-slope"}
    assert "check('slope', " in found["unchecked"][last]
    assert "Cell outputs differ" in found["01-other"]["a"]


def test_a_picture_of_measured_seconds_is_not_compared(environment, tmp_path):
    cells = load_module("16").blank["cells"]
    measured = next(k for k, cell in enumerate(cells) if "nbval-ignore-output" in cell["metadata"].get("tags", ()))
    assert cells[measured]["outputs"] and "perf_counter" in cells[measured]["source"]
    write_notebook(tmp_path / "16-speed.ipynb", {**load_module("16").blank, "cells": cells[: measured + 1]})
    failed, passed = run(["--nbval", "16-speed.ipynb"], tmp_path, environment())
    (rest,) = failed.values()  # the exercises
    assert "not run in this session" in rest and passed == sum(c["cell_type"] == "code" for c in cells[: measured + 1])


def test_the_lock_file_has_the_packages_of_the_extra_for_students():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    locked = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))["package"]
    (own,) = (package for package in locked if package["name"] == project["name"])
    for extra, requirements in project["optional-dependencies"].items():
        names = {re.split(r"[=>\[]", each)[0] for each in requirements} - {project["name"]}
        assert names <= {each["name"] for each in own["optional-dependencies"][extra]}, extra
    assert {"pytest", "nbval"} <= {each["name"] for each in own["optional-dependencies"]["lab"]}
