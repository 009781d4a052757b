"""The course: lessons printed from manuscripts, exams that observe and judge, and the ways in.

Reading order: `lessons` (modules, exercises, a student's answers in a notebook), `exams` (questions),
`judging` (an answer observed and held against the reference), `student` (what a student calls),
`grading` (many submissions, each in a process that nobody trusts), `printing` (how the notebooks
are made).

In a notebook, `%load_ext dark.course`. Importing this package is fast: what checks an answer is
loaded when it is first needed, for a worker process needs none of it.
"""

from importlib import import_module

from dark.course.exams import Exam

__all__ = ["Exam", "check", "hint", "load_ipython_extension", "mine", "predict", "show_class"]


def check(*names):
    """Check the exercises of these names, or all that were seen; see `StudentKernel.check`."""
    return _notebook().here()["check"](*names)


def hint(name, number=None):
    """Show the next hint of an exercise, or the one of that number; see `StudentKernel.hint`."""
    return _notebook().here()["hint"](name, number)


def mine():
    """Give your own code of the modules before, the reference's where yours is not right; see `StudentKernel.mine`."""
    return _notebook().here()["mine"]()


def predict(name, answer=...):
    """Commit to an answer, then see what the reference does; see `StudentKernel.predict`."""
    return _notebook().here()["predict"](name, answer)


def show_class(name):
    """Show a class that was written over many cells as one source; see `StudentKernel.show_class`."""
    return _notebook().here()["show_class"](name)


def load_ipython_extension(shell):
    """Answer `%load_ext dark.course`: give the four functions, and check each exercise that runs."""
    _notebook().load(shell)


def unload_ipython_extension(shell):
    """Answer `%unload_ext dark.course`: take back what loading gave."""
    _notebook().unload(shell)


def _notebook():
    # By name, so that a worker process can read exams without the tools that draw their inputs.
    return import_module("dark.course.student.ipython_extension")
