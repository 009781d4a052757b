"""Where the files of questions and the bug banks are."""

from dark.course.exams.exam import read_exam
from dark.course.lessons.library import load_module, repository_root
from dark.course.lessons.notebook_files import PACKAGE
from dark.errors import CourseError


def load_exam(module):
    """Load the exam of a module.

    Parameters
    ----------
    module : str
        Its number, its name or both.

    Returns
    -------
    Exam

    Raises
    ------
    CourseError
        Where the module has no questions.
    """
    number = load_module(module).id
    found = sorted(_questions_folder().glob(f"exam_{number}_*.py"))
    if not found:
        raise CourseError(
            f"module {number} has no questions.",
            f"a file exam_{number}_*.py.",
            f"look into {_questions_folder().name}.",
        )
    return read_exam(found[0])


def _questions_folder():
    root = repository_root()
    if root:
        return root / "tests" / "exams" / "questions"
    return PACKAGE / "_questions"


def bank_path(module, exercise):
    """Give the file of an exercise's bugs; None outside the repository, which alone holds them."""
    root = repository_root()
    return root / "tests" / "exams" / "bugs" / module / f"{exercise}.py" if root else None
