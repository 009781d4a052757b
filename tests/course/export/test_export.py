"""`dark export`: the answers of a little course as a package, with its exam as tests."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dark.cli.dispatch import main
from dark.course.export import export_course
from dark.course.export.package import package_name
from dark.errors import CourseError, UsageError
from tests.course import little

RIGHT = "def slope(f, x, nudge=1e-6):\n    # the middle\n    return (f(x + nudge) - f(x - nudge)) / nudge / 2"
WRONG = "def slope(f, x, nudge=1e-6):\n    return 1.0"
MINIMIZE = (
    "def minimize(f, x, learning_rate=0.1, steps=100):\n"
    "    path = [x]\n"
    "    for _ in range(steps):\n"
    "        path.append(path[-1] - learning_rate * slope(f, path[-1]))\n"
    "    return path"
)
HELPED = (
    "def _nudged(f, x, nudge):\n    return f(x + nudge) - f(x - nudge)\n\n"
    "def slope(f, x, nudge=1e-6):\n    return _nudged(f, x, nudge) / (2 * nudge)"
)
NO_DARK = "import sys; sys.modules['dark'] = None; sys.path.insert(0, sys.argv[1]); "


@pytest.fixture
def root(tmp_path, monkeypatch):
    """The little course as the only one, with a blank notebook; the current folder is its root."""
    (tmp_path / "course").mkdir()
    root = little.install(tmp_path / "course", monkeypatch)
    monkeypatch.chdir(root)
    monkeypatch.delenv("DARK_SOLUTIONS", raising=False)
    return root


def answered(root, **answers):
    """Write a student's notebook, and export it to a folder `mine`."""
    little.student(root / "work" / f"{little.STEM}.ipynb", **answers)
    return export_course(root / "mine")


def ran(folder, code):
    """Run code in a process that can import the package but not the course; return what it prints."""
    words = [sys.executable, "-c", NO_DARK + code, str(folder)]
    return subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout.strip()


def run_tests(folder, *words):
    """Run the tests of an export in a process that cannot import the course; return its report."""
    code = NO_DARK + "import pytest; sys.exit(pytest.main(sys.argv[2:]))"
    options = [
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:nbval",
        "--rootdir",
        str(folder),
        "-c",
        f"{folder}/pyproject.toml",
    ]
    command = [sys.executable, "-c", code, str(folder), *options, f"{folder}/tests", *words]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environment.pop("PYTEST_XDIST_WORKER", None)
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment, cwd=folder)


def texts(folder):
    """Return the text of each file of an export that is text, by path."""
    files = [path for path in Path(folder).rglob("*") if path.is_file() and path.suffix not in (".gz", ".pyc")]
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in files}


def statuses(exported):
    """Return whose each exercise is."""
    return {cell.exercise: cell.whose for each in exported.chosen for cell in each.exercises}


def test_right_answers_are_in_the_package_as_they_are(root):
    exported = answered(root, slope=RIGHT, minimize=MINIMIZE)
    assert statuses(exported) == {"slope": "yours", "minimize": "yours"}
    text = texts(root / "mine")["mine/_71_little.py"]
    assert text.startswith('"""Module 71, little: 2 of 2 answers are yours."""')
    assert f"# slope: yours\n\n{RIGHT}\n" in text and f"# minimize: yours\n\n{MINIMIZE}\n" in text
    assert "# given\n\nimport math\n" in text
    assert ran(root / "mine", "import mine; print(mine.minimize(lambda x: x * x, 1.0, steps=2)[-1])").startswith("0.6")


def test_a_blank_course_is_the_references_and_says_so(root):
    exported = export_course(root / "mine")
    assert statuses(exported) == {"slope": "reference", "minimize": "reference"}
    found = texts(root / "mine")
    assert "### BEGIN" not in found["mine/_71_little.py"]
    assert "# slope: the reference answer of the course (yours: not attempted)" in found["mine/_71_little.py"]
    assert "| `slope` | the reference's (yours: not attempted) |" in found["README.md"]
    assert "0 of 2 answers are yours" in str(exported) and "71: the reference answers of the course." in str(exported)


def test_a_wrong_answer_is_replaced_and_named(root):
    exported = answered(root, slope=WRONG, minimize=MINIMIZE)
    assert statuses(exported) == {"slope": "reference", "minimize": "yours"}
    assert "71: the reference answers for slope (wrong)." in str(exported)
    assert "| `slope` | the reference's (yours: wrong) |\n| `minimize` | yours |" in texts(root / "mine")["README.md"]
    assert "return 1.0" not in texts(root / "mine")["mine/_71_little.py"]


def test_no_file_imports_the_course(root):
    answered(root, slope=RIGHT)
    for name, text in texts(root / "mine").items():
        assert not re.search(r"\b(?:import|from) dark\b", text), name


def test_its_tests_pass_and_fail_when_an_answer_is_broken(root):
    answered(root, slope=RIGHT, minimize=MINIMIZE)
    report = run_tests(root / "mine")
    assert report.returncode == 0 and "2 passed" in report.stdout, report.stdout + report.stderr
    file = root / "mine" / "mine" / "_71_little.py"
    file.write_text(file.read_text().replace("/ nudge / 2", "/ nudge"))
    report = run_tests(root / "mine")
    assert report.returncode == 1 and "2 failed" in report.stdout
    assert "The slope of a square is twice its side." in report.stdout
    assert re.search(r"slope with x = .*: the answer is .*; expected: ", report.stdout)


def test_its_tests_run_before_it_is_installed_from_the_folder_above(root):
    answered(root, slope=RIGHT, minimize=MINIMIZE)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:nbval", "mine"]
    report = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert report.returncode == 0 and "2 passed" in report.stdout, report.stdout + report.stderr


def test_an_error_in_an_answer_is_shown_with_its_line(root):
    answered(root, slope=RIGHT, minimize=MINIMIZE)
    file = root / "mine" / "mine" / "_71_little.py"
    file.write_text(file.read_text().replace("path = [x]", "path = [x] + 1"))
    report = run_tests(root / "mine", "-k", "minimize")
    assert "it raises TypeError: can only concatenate list" in report.stdout and "path = [x] + 1" in report.stdout


def test_answers_that_are_right_by_themselves_only_are_replaced(root):
    """A student's `slope` may need its nudge as a keyword, which the student's `minimize` does not pass."""
    slope = "def slope(f, x, *, nudge=1e-6):\n    return (f(x + nudge) - f(x - nudge)) / (2 * nudge)"
    minimize = MINIMIZE.replace("slope(f, path[-1])", "slope(f, path[-1], 1e-6)")
    exported = answered(root, slope=slope, minimize=minimize)
    assert statuses(exported) in (
        {"slope": "reference", "minimize": "yours"},
        {"slope": "yours", "minimize": "reference"},
    )
    assert "right by itself, but not with your other answers" in str(exported)
    assert exported.is_right and run_tests(root / "mine").returncode == 0


def test_a_module_after_another_sees_its_names_and_has_mine(root):
    little.second(root / "work")
    export_course(root / "mine")
    text = texts(root / "mine")["mine/_72_more.py"]
    assert "from ._71_little import *" in text and "mine = _notebooks.earlier(globals())" in text
    code = (
        "import mine; print(mine._72_more.mine.slope is mine.slope, round(mine._72_more.steeper(lambda x: x, 1.0), 3))"
    )
    assert ran(root / "mine", code) == "True 2.0"


def test_a_name_that_is_defined_again_is_the_last_one_everywhere(root, monkeypatch):
    monkeypatch.setattr(little, "SECOND", "def slope(f, x):\n    return mine.slope(f, x) + 1000")
    little.second(root / "work")
    export_course(root / "mine")
    code = "import mine; print(round(mine.minimize(lambda x: x, 0.0, steps=1)[-1], 3))"
    assert ran(root / "mine", code) == "-100.1"
    assert "Names that a later module defines again: `slope` (72)" in texts(root / "mine")["README.md"]
    assert run_tests(root / "mine").returncode == 0  # a question sees its module without the later ones


def test_a_name_of_a_module_beside_is_another_thing(root, monkeypatch):
    monkeypatch.setattr(little, "SECOND", "def minimize(path):\n    return min(path)")
    little.second(root / "work", after=())
    export_course(root / "mine")
    code = "import mine; print(mine.minimize is mine.little.minimize, mine.more.minimize([3, 2]))"
    assert ran(root / "mine", code) == "True 2"
    said = "`mine.little.minimize` and `mine.more.minimize` are different things; `mine.minimize` is the first."
    assert said in texts(root / "mine")["README.md"]
    assert "defines again" not in texts(root / "mine")["README.md"]


def test_a_helper_is_in_the_file_of_its_module_and_not_public(root):
    little.student(root / "work" / f"{little.STEM}.ipynb", slope=HELPED)
    exported = export_course(root / "mine")
    assert statuses(exported)["slope"] == "yours"
    text = texts(root / "mine")["mine/_71_little.py"]
    assert "def _nudged(" in text and '"_nudged"' in text
    code = "import mine; print(round(mine.slope(lambda x: x * x, 3.0), 3), hasattr(mine, '_nudged'))"
    assert ran(root / "mine", code) == "6.0 False"


def test_pictures_in_an_answer_are_drawn_by_nothing(root):
    picture = "import dark\n\n" + RIGHT.replace("    # the middle", "    dark.draw(x)")
    exported = answered(root, slope=picture, minimize=MINIMIZE)
    assert statuses(exported)["slope"] == "yours"
    assert "from ._drawing import nothing as dark" in texts(root / "mine")["mine/_71_little.py"]
    assert ran(root / "mine", "import mine; print(round(mine.slope(lambda x: x * x, 3.0), 3))") == "6.0"
    assert run_tests(root / "mine").returncode == 0


def test_a_name_that_an_answer_defines_again_is_for_it_alone(root):
    own = "def slope(f, x):\n    return (f(x + 1e-6) - f(x - 1e-6)) / 2e-6 if x else 0 * f(x)\n\n" + MINIMIZE
    exported = answered(root, slope=RIGHT, minimize=own)
    assert statuses(exported) == {"slope": "yours", "minimize": "yours"}
    text = texts(root / "mine")["mine/_71_little.py"]
    assert "def slope_of_minimize(f, x):" in text and "slope_of_minimize(f, path[-1])" in text
    code = "import mine; print(mine.slope(lambda x: x + 1, 0.0) != 0, hasattr(mine, 'slope_of_minimize'))"
    assert ran(root / "mine", code) == "True False"
    assert run_tests(root / "mine").returncode == 0


def test_a_module_without_code_is_left_out(root):
    made = little.notebook()
    made["cells"] = []
    made["metadata"]["dark"] = {"module": "73", "name": "project", "title": "Project", "after": "71", "exercises": {}}
    for folder in ("modules", "solutions"):
        (root / folder / "73-project.ipynb").write_text(json.dumps(made))
    exported = export_course(root / "mine")
    assert [each.module.id for each in exported.chosen] == ["71"]


def test_an_export_is_renewed_and_edits_are_kept(root):
    answered(root, slope=RIGHT)
    with pytest.raises(UsageError, match="has an export already"):
        export_course(root / "mine")
    file, notes = root / "mine" / "mine" / "_71_little.py", root / "mine" / "notes.txt"
    edited = file.read_text() + "\nmore = 1\n"
    file.write_text(edited)
    notes.write_text("my own")
    little.student(root / "work" / f"{little.STEM}.ipynb", slope=RIGHT, minimize=MINIMIZE)
    exported = export_course(root / "mine", force=True)
    [kept] = exported.kept
    assert kept.read_text() == edited and kept.parent == root / "mine" / "edited" / "mine"
    assert f"You had edited a file; a copy is {kept}." in str(exported)
    assert "more = 1" not in file.read_text() and notes.read_text() == "my own"
    assert export_course(root / "mine", force=True).kept == []


def test_files_of_a_module_that_is_not_exported_any_more_are_removed(root):
    little.second(root / "work")
    export_course(root / "mine")
    export_course(root / "mine", ["71"], force=True)
    assert not (root / "mine" / "mine" / "_72_more.py").exists()
    assert (root / "mine" / "mine" / "_71_little.py").is_file()


def test_an_export_is_the_same_each_time(root):
    one, two = (export_course(root / name, name="same") and root / name for name in ("a", "b"))
    files = {path.relative_to(one): path.read_bytes() for path in one.rglob("*") if path.is_file()}
    assert files == {path.relative_to(two): path.read_bytes() for path in two.rglob("*") if path.is_file()}


def test_other_folders_are_refused(root):
    (root / "full").mkdir()
    (root / "full" / "thesis.txt").write_text("mine")
    (root / "file").write_text("")
    with pytest.raises(UsageError, match=r"full is not empty and not an export \(it has thesis.txt\)"):
        export_course(root / "full", force=True)
    with pytest.raises(UsageError, match="file must be a folder, but is a file"):
        export_course(root / "file")
    assert (root / "full" / "thesis.txt").read_text() == "mine"


@pytest.mark.parametrize("damage", ["", "[]", '{"../outside": "x"}', '{"a": 3}'])
def test_a_damaged_list_of_files_is_refused(root, damage):
    (root / "mine").mkdir()
    (root / "mine" / ".export.json").write_text(damage)
    with pytest.raises(UsageError, match="export.json is damaged"):
        export_course(root / "mine", force=True)


def test_a_folder_without_notebooks_is_refused(root):
    with pytest.raises(UsageError, match="--work nowhere is not a folder"):
        export_course(root / "mine", work=Path("nowhere"))
    with pytest.raises(UsageError, match="--work modules2 has no notebook"):
        (root / "modules2").mkdir()
        export_course(root / "mine", work=Path("modules2"))
    assert not (root / "mine").exists()


def test_a_folder_that_cannot_be_written_is_refused(root, monkeypatch):
    def refuse(path, content):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("dark.course.export.writing.save_file", refuse)
    with pytest.raises(CourseError, match=r"cannot be written \(Permission denied\)"):
        export_course(root / "mine")


def test_a_package_that_cannot_be_imported_is_not_written(root, monkeypatch):
    monkeypatch.setattr(little, "SECOND", "steeper = missing_name")
    little.second(root / "work")
    with pytest.raises(CourseError, match=r"cannot be imported: NameError: name 'missing_name' .*_72_more.py"):
        export_course(root / "mine")
    assert not (root / "mine").exists()


@pytest.mark.parametrize(
    ("folder", "name", "made"),
    [("my-framework", None, "my_framework"), ("My Net 2", None, "my_net_2"), ("x", "other", "other")],
)
def test_the_name_is_that_of_the_folder(folder, name, made):
    assert package_name(folder, name) == made


@pytest.mark.parametrize("name", ["dark", "numpy", "json", "class", "2fast", "größe", "a-b", "tests"])
def test_a_name_that_is_taken_or_no_name_is_refused(name):
    with pytest.raises(UsageError, match=f"the package cannot be called '{name}'"):
        package_name("somewhere", name)


def test_the_command_prints_whose_code_it_is(root, capsys):
    little.student(root / "work" / f"{little.STEM}.ipynb", slope=RIGHT)
    assert main(["export", "mine", "71", "--work", "work", "--name", "own"]) == 0
    printed = capsys.readouterr().out
    assert "mine: the package own; 1 of 2 answers are yours." in printed
    assert "71: the reference answers for minimize (not attempted)." in printed
    assert (root / "mine" / "own" / "__init__.py").is_file()


def test_the_command_refuses_in_three_parts(root, capsys):
    assert main(["export", "mine", "99"]) == 2
    assert "the module '99' does not exist" in capsys.readouterr().err
    assert main(["export", "json"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[1].startswith("  Expected: ") and lines[2].startswith("  Try: ")


def test_help_tells_the_exit_codes(capsys):
    with pytest.raises(SystemExit):
        main(["export", "--help"])
    printed = capsys.readouterr().out
    assert "exit codes:" in printed and "--work FOLDER" in printed and "dark export ../my-framework" in printed


def test_what_fails_with_the_answers_to_earlier_modules_is_named(root, capsys, monkeypatch):
    monkeypatch.setattr("dark.course.export.together._failing", lambda each, earlier: {"minimize"})
    little.student(root / "work" / f"{little.STEM}.ipynb", slope=RIGHT)
    assert main(["export", "mine"]) == 1
    assert "71: some tests of minimize fail with your answers to earlier modules." in capsys.readouterr().out
    readme = texts(root / "mine")["README.md"]
    assert "some of its tests fail:\n\n- 71: minimize\n" in readme.replace("some of\nits", "some of its")
