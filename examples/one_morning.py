"""A class of twelve that has handed in module 01, to try `dark grade` with, and pictures of the report.

    python examples/one_morning.py --out build/morning       # submissions, a roster, a policy, an exam, a rubric
    python examples/one_morning.py --out book/_static --pictures build/morning/report

The chapter for teachers grades this class; its pictures are made with the second command, after the first and the
commands of the chapter (needs `playwright` and chromium). The answers are solutions, blanks, and known mistakes.
"""

import argparse
import json
import os
import shutil
import sys
from datetime import datetime, timedelta
from pathlib import Path

from dark.course.judging.bank import MARKERS, load_bank
from dark.course.lessons.library import load_module

DEADLINE = datetime.fromisoformat("2026-10-04T23:59+02:00")
CLASS = {  # name: hours after the deadline, exercises that are blank, known mistakes
    "Ann Bee": (-30, "", {}),
    "Bob Coe": (-4, "minimize", {"slope": "one_side"}),
    "Cy Dee": (-2, "", {"backward": "overwrites"}),
    "Di Eel": (-50, "", {"slope": "one_side", "minimize": "never_clears"}),
    "Eva Fox": (-1, "", {"add_mul": "product_swapped", "backward": "overwrites"}),
    "Flo Gnu": (-9, "backward zero_grad minimize", {"topological_order": "users_first"}),
    "Gus Hen": (35, "", {"pow": "forgets_the_factor"}),
    "Ida Ibex": (-3, "", {}),
    "Jo Kea": (-20, "topological_order backward zero_grad minimize", {"pow": "keeps_the_power"}),
    "Kim Lark": (-5, "", {"backward": "wrong_direction", "minimize": "uphill"}),
    "Lou Mink": (-8, "", {"minimize": "never_clears"}),
    "Max Newt": (-6, "pow node apply topological_order backward zero_grad minimize", {"slope": "upside_down"}),
}
OWN = {  # an answer that is right, and rounds otherwise than the solution
    "Ida Ibex": {
        "slope": '''
def slope(f, x, nudge=1e-6):
    """Return the slope of f at x."""
    run = 2 * nudge
    return f(x + nudge) / run - f(x - nudge) / run
'''
    }
}
COURSE = """\
[course]
name = "Deep learning from nothing"
timezone = "Europe/Vienna"
roster = "roster.csv"

[late]
free_days = 1
percent_per_day = 10
"""
EXAM = '''\
"""Our own questions about module 01."""

from dark.course.exams import Choice, Exam

exam = Exam("01")


@exam.question("slope", points=2, tolerance=1e-12, hidden=True, category="curves", hint="Try a cubic curve.")
def slope_of_a_cubic(dark, x: Choice(100.0, -20.0)):
    """The slope of a cubic curve grows with the square."""
    return dark.slope(lambda x: x**3, x)
'''
RUBRIC = """\
[[mark]]
student = "4703"
exercise = "backward"
points = 10
comment = "All right but the sum over several paths."
"""
FILES = {
    "course.toml": COURSE,
    "my-exam/questions/exam_01_ours.py": EXAM,
    "rubric.toml": RUBRIC,
}
PICTURES = {  # name: page of the report, width of the window, how the picture ends: below the first of these
    "class-page": ("class.html", 540, "table"),
    "feedback-page": ("pages/eeldi-*.html", 660, "section"),
    "marks-by-hand": ("teacher/rubric.html", 820, "details[open]"),
}
MARGIN, COLORS = 7, 32  # pixels below, and colors of a picture


def answers_of(name, module):
    """Return the answers of a student by exercise; blank ones are left out."""
    _, blank, mistakes = CLASS[name]
    found = {}
    for exercise, lesson in module.exercises.items():
        known = {each.name: each.source for each in load_bank(module, exercise).bug}
        source = known[mistakes[exercise]] if exercise in mistakes else lesson.solution
        if exercise not in blank.split():
            found[exercise] = MARKERS.sub("", source)
    return found | OWN.get(name, {})


def notebook_of(answers, module):
    """Return the blank notebook with some answers, as text."""
    notebook = json.loads(json.dumps(module.blank))
    for cell in notebook["cells"]:
        course = cell["metadata"].get("dark", {})
        if course.get("kind") == "exercise" and course["exercise"] in answers:
            cell["source"] = answers[course["exercise"]]
    return json.dumps(notebook)


def make_class(folder):
    """Write the submissions, named as Canvas names them, the roster, the policy, the exam and the rubric.

    Parameters
    ----------
    folder : path
        A folder; what is missing in it is made.
    """
    folder, module = Path(folder), load_module("01")
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "submissions").mkdir(exist_ok=True)
    rows = ["id,name,canvas"]
    for number, (name, (hours, *_)) in enumerate(CLASS.items(), 1):
        first, last = name.split()
        rows.append(f"00{number:02},{name},{4700 + number}")
        late = "LATE_" * (hours > 0)
        path = folder / "submissions" / f"{last}{first}_{late}{4700 + number}_{98000 + number}_work.ipynb".lower()
        path = path.with_name(path.name.replace("_late_", "_LATE_"))
        path.write_text(notebook_of(answers_of(name, module), module), encoding="utf-8")
        os.utime(path, ((DEADLINE + timedelta(hours=hours)).timestamp(),) * 2)
    (folder / "roster.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")


def take_pictures(report, folder):
    """Take the pictures of the chapter for teachers: three pages of a report, with few colors.

    Parameters
    ----------
    report : path
        What `dark grade` has written.
    folder : path
        For the pictures.

    Returns
    -------
    list of Path
    """
    from PIL import Image
    from playwright.sync_api import sync_playwright

    report, taken = Path(report).resolve(), []
    with sync_playwright() as driver:
        program = shutil.which("chromium") or shutil.which("chromium-headless-shell")
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, (pattern, width, last) in PICTURES.items():
            [path] = report.glob(pattern)
            page = browser.new_page(viewport={"width": width, "height": 600})
            page.goto(path.as_uri())
            end = page.locator(last).first.bounding_box()
            height = end["y"] + end["height"] + MARGIN
            taken.append(Path(folder, f"{name}.png"))
            clip = {"x": 0, "y": 0, "width": width, "height": height}
            page.screenshot(path=taken[-1], full_page=True, clip=clip)
            with Image.open(taken[-1]) as picture:
                few = picture.convert("RGB").quantize(COLORS)
            few.save(taken[-1], optimize=True)
        browser.close()
    return taken


def main(arguments=None):
    """Make the class, or take pictures of its report; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    out_help = "folder of the class, or of the pictures (default build/morning)"
    parser.add_argument("--out", type=Path, default=Path("build/morning"), metavar="FOLDER", help=out_help)
    pictures_help = "take pictures of this report, instead of making the class"
    parser.add_argument("--pictures", type=Path, metavar="REPORT", help=pictures_help)
    options = parser.parse_args(arguments)
    if options.pictures:
        print(*take_pictures(options.pictures, options.out), sep="\n")
    else:
        make_class(options.out)
        print(f"{len(CLASS)} submissions, roster.csv, {', '.join(FILES)}: {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
