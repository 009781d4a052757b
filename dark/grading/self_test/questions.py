"""Questions of the module that the answers of the self-test belong to."""

# mypy: ignore-errors

from dark.course.exams import Exam, Float

exam = Exam("00")


@exam.question("double", points=2)
def twice(dark, x: Float(1, 9)):
    """Twice the number."""
    return {"value": dark.double(x)}


@exam.question("double", hidden=True, category="large numbers")
def twice_a_large_number(dark, x: Float(1e6, 2e6)):
    """Twice a large number."""
    return {"value": dark.double(x)}


@exam.question("square")
def times_itself(dark, x: Float(2, 9)):
    """The number times itself."""
    return {"value": dark.square(x)}
