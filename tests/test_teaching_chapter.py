"""The teacher's chapter: its commands and cells run, and print what the prose and the pictures say."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from html import unescape
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
CHAPTER = Path(__file__).parents[1] / "book" / "teaching.md"
COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"!\[([^]]*)\]\(_static/([\w-]+)\.png\)")
LARGEST_BYTES = 60_000  # of a picture
CELL = re.compile(r"^```\{code-cell\} ipython3\n((?::[^\n]*\n)*)\n?(.*?)^```$", re.MULTILINE | re.DOTALL)


def section(title):
    """Return what is below a title of the chapter."""
    return CHAPTER.read_text(encoding="utf-8").partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def cells(title):
    """Return the sources of the cells below a title of the chapter."""
    return [source for _, source in CELL.findall(section(title))]


def in_shell(commands, folder):
    """Run commands of the chapter with bash, which stops at the first that fails; return what they print."""
    script = f'dark() {{ "{sys.executable}" -m dark "$@"; }}\npython() {{ "{sys.executable}" "$@"; }}\n{commands}'
    paths = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    environ = os.environ | {"PYTHONPATH": paths, "XDG_STATE_HOME": str(folder / "state")}
    done = subprocess.run(["bash", "-ec", script], cwd=folder, env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def morning(tmp_path_factory):
    """Return the folder in which the commands of the morning have run, and what each block has printed."""
    folder = tmp_path_factory.mktemp("morning")
    (folder / "examples").symlink_to(ROOT / "examples")
    make, *others = COMMANDS.findall(section("From release to grades in one morning"))
    printed = [in_shell(make, folder)]
    folder = folder / "build" / "morning"
    return folder, printed + [in_shell(each, folder) for each in others]


def printed(source, names, capsys):
    exec(source, names)
    return capsys.readouterr().out


@pytest.mark.long
def test_deadlines_late_days_and_groups(capsys):
    names = {}
    example, errors, *_, graded, canvas, again = [
        printed(each, names, capsys) for each in cells("Deadlines, late days and groups")
    ]
    assert example.startswith("# course.toml: ") and names["exit_code"] == 0
    assert "unknown key 'dealine' in [modules.01]; did you mean 'deadline'?" in errors
    assert "occurs twice in Europe/Vienna" in errors and errors.count("  Try: ") == 2
    points = re.search(r"Cy Dee +0044 +(\d+)/\1 ", graded)[1]
    whole, late = int(points), f"{0.9 * int(points):g}"
    marks = [
        re.search(rf" {number} .*? %  +(?:2 \(1 free\) +)?([\d.]+)$", graded, re.M)[1] for number in ("0042", "0043")
    ]
    assert marks == [points, late]
    assert f"Bob Coe,4712,,,,{late}" in canvas and f"Di Eel,4714,,,,{whole}" in canvas
    assert again.count("(unchanged)") == 4 and re.search(rf"Bob Coe +0043 .* {points}$", again, re.M)


@pytest.mark.long
def test_the_commands_of_the_morning_print_what_the_text_says(morning):
    folder, (made, released, promised, graded, mended, marked, exported) = morning
    assert "12 submissions" in made and "class/release.toml" in released and "limits" in promised
    assert re.search(r"^Ida Ibex .* slope wrong$", graded, re.M)
    assert "12 graded again, 3 marks have changed:\n" in mended
    assert re.search(r"^Ida Ibex +slope +5, wrong +6, right$", mended, re.M)
    assert "backward 10/16 by hand" in marked
    assert exported.count("(unchanged)") == 12
    canvas = (folder / "report" / "canvas.csv").read_text()
    assert "Ann Bee,4701,,,,102" in canvas and "Gus Hen,4707,,,,83.7" in canvas


@pytest.mark.long
def test_the_pictures_show_what_their_alternative_texts_say(morning):
    report = morning[0] / "report"
    said = {name: text for text, name in PICTURE.findall(CHAPTER.read_text(encoding="utf-8"))}
    pages = {"class-page": "class.html", "feedback-page": "pages/eeldi-*.html"}
    shown = {name: plain(next(report.glob(pattern)).read_text(encoding="utf-8")) for name, pattern in pages.items()}
    for name, phrases in {
        "class-page": ["12 students, 102 points. Mean 75 %, median 85 %.", "9 right, 3 not right, 0 open",
                       "5 right, 3 not right, 4 open"],
        "feedback-page": ["Module 01: 87 of 102 points.", "1 of 6 points",
                          "Only the right side is nudged, so the slope leans towards what comes next on a curve",
                          "Hidden tests, curves: 1 of 1 pass"],
    }.items():  # fmt: skip
        for phrase in phrases:
            assert phrase in said[name] and phrase in shown[name], "take the pictures again: examples/one_morning.py"
    data = re.search('id="data">(.*?)</script>', (report / "teacher" / "rubric.html").read_text())[1]
    [mark] = json.loads(data)["marks"]
    assert mark["comment"] in said["marks-by-hand"] and f"stand {mark['points']} and" in said["marks-by-hand"]


def test_the_workflow_of_a_class_installs_the_extra_for_students_and_runs_the_commands_of_the_chapter():
    install, *checks = workflow()
    assert 'pip install -e "course[lab]"' in install
    nbval, questions = (block.strip() for block in COMMANDS.findall(section("Checks on each push")))
    said = [f"python -m {nbval}", f"python -m {questions}".replace("tests/exams", "course/tests/exams")]
    assert [each.replace('"$NOTEBOOK"', "01-scalar-autodiff.ipynb") for each in checks] == said
    assert "examples/class_workflow.yml" in section("Checks on each push")


@pytest.mark.long
@pytest.mark.parametrize("folder", ["solutions", "modules"])
def test_the_workflow_of_a_class_passes_with_a_solution_only(folder, tmp_path):
    shutil.copy(ROOT / folder / "01-scalar-autodiff.ipynb", tmp_path)
    (tmp_path / "course").symlink_to(ROOT)
    for command in workflow()[1:]:
        called = command.replace("$NOTEBOOK", "01-scalar-autodiff.ipynb")
        in_shell(called if folder == "solutions" else f"{called} || [ $? = 1 ]", tmp_path)


def workflow():
    """Return the commands of the workflow for the repository of a class."""
    (job,) = yaml.safe_load((ROOT / "examples" / "class_workflow.yml").read_text(encoding="utf-8"))["jobs"].values()
    return [step["run"] for step in job["steps"] if "run" in step]


def plain(html):
    """Return the text of a page."""
    return " ".join(unescape(re.sub("<[^>]+>", " ", html)).split())


@pytest.mark.long
def test_the_pictures_are_taken_from_the_pages(morning, tmp_path, chromium):  # skips without a browser
    pytest.importorskip("PIL")
    words = ["--out", tmp_path, "--pictures", morning[0] / "report"]  # another process, as this one drives a browser
    subprocess.run([sys.executable, ROOT / "examples" / "one_morning.py", *words], check=True, cwd=ROOT)
    names = [name for _, name in PICTURE.findall(CHAPTER.read_text(encoding="utf-8"))]
    taken = [tmp_path / f"{name}.png" for name in names]
    assert sorted(taken) == sorted(tmp_path.iterdir())
    for path in (*taken, *(ROOT / "book" / "_static" / f"{name}.png" for name in names)):
        assert 10_000 < path.stat().st_size < LARGEST_BYTES


@pytest.mark.long
def test_the_commands_of_the_other_sections_run(morning):
    folder, _ = morning
    [private] = COMMANDS.findall(section("Hidden questions"))
    [query] = re.findall(r'sqlite3 report/gradebook.db "(.*)"', section("The gradebook"))
    [regrade] = COMMANDS.findall(section("When a question was wrong"))
    [rubric] = COMMANDS.findall(section("Points and comments by hand"))
    fewer = "mkdir -p few/submissions; cp submissions/*4703* few/submissions; cp -r my-exam rubric.toml few; cd few\n"
    own = re.search(r"(@exam.question.*?1\.0\)\n)", section("Hidden questions"), re.S)[1]
    path = folder / "my-exam" / "questions" / "exam_01_ours.py"
    path.write_text(path.read_text() + "\n\n" + own)
    printed = in_shell(fewer + private + f"{regrade.rstrip()} --exam my-exam --module 01\n{rubric}", folder)
    assert "1 graded again, no mark has changed" in printed
    with closing(sqlite3.connect(folder / "report" / "gradebook.db")) as connection:
        assert ("node", 77 / 12, 7) in connection.execute(query).fetchall()
