"""The project at the end of the course: list the questions, start a project, check one.

dark capstone                       the five questions
dark capstone start QUESTION [DIR]  write a project: a page, a program and its data
dark capstone check [DIR]           say what is missing; the project is run without dark, killed and continued
"""

import argparse
import sys
from pathlib import Path

from dark.cli.progress_line import ProgressLine
from dark.course.capstone.checking import LIMIT_SECONDS, check_project, told_lines
from dark.course.capstone.finished import mark_finished
from dark.course.capstone.project import open_project
from dark.course.capstone.questions import QUESTIONS, find_question
from dark.course.capstone.start import start
from dark.course.lessons.library import repository_root
from dark.errors import UsageError

EPILOG = """\
A project is complete with: a claim that the current runs prove, curves with five seeds, an ablation, a
failure that is shown; a run in which `import dark` fails, that repeats from its seed and resumes after a kill.

A project has run.py, page.md and capstone.toml. `python run.py --variant NAME --seed N --out FOLDER` writes a line
{"step": N, "value": X} into FOLDER/progress.jsonl whenever it measures and saves, and {"curve": [[N, X], ...]} into
FOLDER/result.json at its end. results.json, the recorded runs, is {"metric": TEXT, "runs": [{"variant": NAME,
"seed": N, "seconds": X, "curve": [[N, X], ...]}, ...]}; curves.py makes the table and the picture of it. The files that
`start` writes do all that. A check runs the code of the project: check only what you would run.
"""


def add_arguments(parser):
    """Add the arguments of `dark capstone`."""
    parser.epilog, parser.formatter_class = EPILOG, argparse.RawDescriptionHelpFormatter
    kinds = parser.add_subparsers(dest="action", metavar="ACTION")
    one = kinds.add_parser("start", help="write a project", description="Write a project for one of the questions.")
    one.add_argument("question", help="such as gpt; `dark capstone` lists them")
    one.add_argument("dir", nargs="?", type=Path, help="a new folder (default: capstone-QUESTION in your folder)")
    one.add_argument("--package", type=Path, metavar="DIR", help="folder of dark export (default: it is looked for)")
    two = kinds.add_parser(
        "check", help="list the faults of a project", description="Run a project without dark; list its faults.",
        epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    two.add_argument("dir", nargs="?", type=Path, default=Path(), help="folder of the project (default: this one)")
    limit_help = f"seconds after which a run is stopped (default: {LIMIT_SECONDS})"
    two.add_argument("--limit", type=float, default=LIMIT_SECONDS, metavar="SECONDS", help=limit_help)


def run(arguments):
    """List, start or check; return 0, or 1 if something is missing."""
    if arguments.action == "start":
        return _start(arguments)
    if arguments.action == "check":
        return _check(arguments)
    print("Choose a question:\n")
    for question in QUESTIONS:
        print(f"  {question.name:<10} {question.title}\n  {'':<10} {question.data}")
    print("\ndark capstone start gpt\n\n" + EPILOG.partition("\n\n")[0])
    return 0


def _start(arguments):
    question = find_question(arguments.question)
    folder, package = start(question, arguments.dir, arguments.package)
    print(f"{folder}: a project for the question: {question.title}")
    print(f"It runs from {package.folder}. Next:")
    print(f"  cd {folder}\n  python run.py --variant whole --seed 1 --out runs/try\n  dark capstone check")
    return 0


def _check(arguments):
    if not arguments.limit > 0:
        raise UsageError(
            f"--limit {arguments.limit:g} is not a positive number of seconds.", "seconds above 0.", "--limit 300"
        )
    project = open_project(arguments.dir)
    line = ProgressLine(1, done="runs done")

    def tell(phrase, done, total):
        line.total = total
        line.tell(f"{done} of {total} runs done; now {phrase}")
        if done:
            line.show(done)

    try:
        findings, unknown = check_project(project, arguments.limit, tell)
    except KeyboardInterrupt:
        line.hide()
        print("Stopped; the runs that are done are kept. The same command continues.", file=sys.stderr)
        raise
    line.hide()
    print("\n".join(told_lines(findings, unknown)))
    if not findings:
        mark_finished(project)
        if repository_root():
            print(
                "In the repository of the course, `make book` puts its page into the book, if the project is in work/."
            )
    return 1 if findings else 0
