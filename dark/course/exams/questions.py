"""The files of questions, of answers and of known wrong answers, found in the repository or in the package."""

from dark.course.exams.answers import Answers, join
from dark.course.exams.exam import read_exam, read_one
from dark.course.lessons.library import load_module, repository_root
from dark.course.lessons.notebook_files import PACKAGE
from dark.errors import CourseError


def load_exam(module):
    """Load the questions and answers of a module.

    Parameters
    ----------
    module : str
        Its number, its name or both, such as `01-scalar-autodiff`.

    Returns
    -------
    JudgedExam

    Raises
    ------
    CourseError
        If the module has no questions.
    """
    number = load_module(module).id
    found = sorted(_folder("questions").glob(f"exam_{number}_*.py"))
    if not found:
        raise CourseError(
            f"module {number} has no questions.",
            f"a file exam_{number}_*.py.",
            f"list the files in {_folder('questions').name}.",
        )
    answers = sorted(_folder("answers").glob(f"answers_{number}_*.py"))
    return join(read_exam(found[0]), read_one(answers[0], Answers) if answers else None)


def question_files():
    """Return the paths of the questions of all modules, in order."""
    return sorted(_folder("questions").glob("*.py"))


def _folder(name):
    root = repository_root()
    if root:
        return root / "tests" / "exams" / name
    return PACKAGE / f"_{name}"


def bank_path(module, exercise):
    """Return the path of the known answers to an exercise; None outside the repository."""
    root = repository_root()
    return root / "tests" / "exams" / "bank" / module / f"{exercise}.toml" if root else None
