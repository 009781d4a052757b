"""The files of questions, of answers and of known wrong answers: of the course, and of a teacher's private folder.

A private folder has the folders that the course has in `tests/exams`::

    questions/exam_01_*.py       what is asked; hidden from students
    answers/answers_01_*.py      judges and references (optional)
    bank/01/EXERCISE.toml        further known wrong answers (optional)
"""

import hashlib
import re
from pathlib import Path

from dark.course.exams.answers import Answers, join, with_private
from dark.course.exams.reading import read_exam, read_one
from dark.course.lessons.library import load_module, modules, repository_root
from dark.course.lessons.notebook_files import PACKAGE
from dark.errors import CourseError, UsageError, near_misses

NAMES = {"questions": r"exam_(\d\d)_\w+\.py", "answers": r"answers_(\d\d)_\w+\.py"}


def load_exam(module, private=None, *, hidden=False):
    """Load the exam of a module, with a teacher's `private` folder, and with hidden questions only if `hidden`."""
    number = load_module(module).id
    exam, answers = _read(number, _folder("questions"), _folder("answers"))
    if exam is None:
        advice = f"list the files in {_folder('questions').name}."
        raise CourseError(f"module {number} has no questions.", f"a file exam_{number}_*.py.", advice)
    added, judges = _read(number, Path(private, "questions"), Path(private, "answers")) if private else (None, None)
    joined = with_private(exam, answers, added, judges, Path(private, "bank")) if added else join(exam, answers)
    return joined if hidden else joined.without_hidden


def _read(number, questions, answers):
    """Return the exam and the answers of a module in two folders; each is None if it has no file."""
    found, judged = sorted(questions.glob(f"exam_{number}_*.py")), sorted(answers.glob(f"answers_{number}_*.py"))
    return found and read_exam(found[0]) or None, judged and read_one(judged[0], Answers) or None


def question_files():
    """Return the paths of the questions of all modules, in order."""
    return sorted(_folder("questions").glob("*.py"))


def check_private(folder, module=None):
    """Refuse a private folder that adds nothing (to a module), or has files that would not be read."""
    folder, known = Path(folder), [stem[:2] for stem in modules()]
    layout = "a folder with questions/exam_NN_*.py, and optionally answers/answers_NN_*.py and bank/NN/*.toml."
    if not folder.is_dir():
        names = [path.name for path in folder.parent.glob("*/")]
        raise UsageError(f"--exam {folder}: there is no such folder.", layout, near_misses(folder.name, names))
    numbers = {}
    for kind, pattern in NAMES.items():
        for path in sorted(Path(folder, kind).glob("*.py")):
            match = re.fullmatch(pattern, path.name)
            if match is None or match[1] not in known or (kind, match[1]) in numbers:
                shape = pattern.replace(r"(\d\d)", "NN").replace(r"\w+\.", "NAME.")
                says = f"--exam {folder}: the file {kind}/{path.name} would not be read."
                expected = f"{shape}, one for each of the modules {', '.join(known)}."
                raise UsageError(says, expected, "use another name, or one file for all questions of a module")
            numbers[kind, match[1]] = path
            if kind == "answers" and ("questions", match[1]) not in numbers:
                says = f"--exam {folder}: {kind}/{path.name} has no questions beside it."
                expected = "answers to questions of the same folder."
                raise UsageError(says, expected, f"questions/exam_{match[1]}_NAME.py")
    wanted = load_module(module).id if module else None
    asked = [number for kind, number in numbers if kind == "questions"]
    if not asked or wanted not in (None, *asked):
        of = f" of module {wanted}" if wanted else ""
        advice = f"questions/exam_{wanted or '01'}_mine.py"
        raise UsageError(f"--exam {folder}: it has no questions{of}.", layout, advice)


def private_fingerprint(folder):
    """Return a hash of the files of a private folder that are read: twelve hexadecimal digits."""
    total = hashlib.sha256()
    for file in sorted(Path(folder).rglob("*")):
        if file.is_file() and file.suffix in (".py", ".toml"):
            total.update(str(file.relative_to(folder)).encode() + b"\0" + file.read_bytes())
    return total.hexdigest()[:12]


def _folder(name):
    root = repository_root()
    return root / "tests" / "exams" / name if root else PACKAGE / f"_{name}"


def bank_path(module, exercise):
    """Return the path of the known answers to an exercise; None outside the repository."""
    root = repository_root()
    return root / "tests" / "exams" / "bank" / module / f"{exercise}.toml" if root else None
