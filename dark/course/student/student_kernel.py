"""The kernel: what one student has run in this session, and the four functions that look at it."""

import os

from dark.course.exams.plain import encode
from dark.course.judging.implementation import reference
from dark.course.judging.report_blocks import headline
from dark.course.judging.verdict import NOT_ATTEMPTED
from dark.course.lessons.cells import exercise_of
from dark.course.lessons.library import find_exercise, load_module
from dark.course.student.cards import card, cards_together, source_card
from dark.course.student.cell_history import RESET, ExecutedCell, Session
from dark.course.student.class_source import assembled_class
from dark.course.student.examination import all_yours, all_yours_card, examine, exercise_card, note, which_module
from dark.course.student.hints import hint_card, next_hint
from dark.course.student.mine import mine_before
from dark.course.student.predictions import (
    find_prediction,
    first_prediction,
    fits,
    prediction_card,
    unanswered_card,
    unfit_card,
)
from dark.course.student.progress import Log, forgiven
from dark.course.student.records import Record, records
from dark.errors import CourseError, UsageError

__all__ = ["ExecutedCell", "StudentKernel"]

GRADING = ("NBGRADER_EXECUTION", "NBGRADER_VALIDATING")
NOT_HERE = "Not attempted, or not run in this session"
NOTEBOOK = "JPY_SESSION_NAME"  # Jupyter's server tells a kernel the path of its notebook here


class StudentKernel:
    """A student's place in one kernel.

    Parameters
    ----------
    folder : str or Path
        The folder of the notebook; the log lies there.
    warn : callable, optional
        Takes a line that the student should see.
    environment : mapping, optional
        Tells which notebook this is, and whether a grader runs it.
    """

    def __init__(self, folder, warn=print, environment=os.environ):
        self.log = Log(folder)
        self.warn = warn
        self.environment = environment
        self.session = Session()
        self._fresh = None  # the verdict that the last exercise cell has just shown

    def record_cell(self, cell):
        """Remember a cell that has run."""
        self.session.record_cell(cell)

    def check(self, *names):
        """Check exercises by name, such as `check("backward")`.

        Without a name, every exercise seen so far is checked: each for itself, then all together.

        Parameters
        ----------
        *names : str
            The exercises.

        Returns
        -------
        Card
            It shows itself; `.ok` says whether all is right.

        Raises
        ------
        CourseError
            For an unknown name; and for an answer that is not right, where a grader runs the cell.
        """
        exercises = [find_exercise(_text(name, "check")) for name in names]
        brief = len(names) > 1
        result = cards_together([self._check_one(each, brief) for each in exercises] or self._check_all())
        if not result.ok and any(self.environment.get(name) for name in GRADING):
            raise CourseError(result.text)
        return result

    def check_cell(self, source):
        """Check the exercise that one cell answers.

        Parameters
        ----------
        source : str
            The cell that has just run.

        Returns
        -------
        Card or None
            None for a cell that answers no exercise, or holds nothing but the stub.
        """
        module = self.module()
        name = exercise_of(source, module)
        if name is None:
            return None
        (verdict,) = self._judged(module, [name])
        if verdict.status == NOT_ATTEMPTED:
            return None
        self._fresh = verdict
        return exercise_card(verdict)

    def hint(self, name, number=None):
        """Show the next hint of an exercise, or the one of that number.

        Parameters
        ----------
        name : str
            The exercise.
        number : int, optional
            From 1, a nudge, to 4, a worked sibling.

        Returns
        -------
        Card
            It shows itself.
        """
        exercise = find_exercise(_text(name, "hint"))
        if number is None:
            number = next_hint(exercise, self._records().get(exercise.id, Record()).hints_used)
        shown = hint_card(exercise, number)
        if number is not None:
            self._write("hint", exercise=exercise.id, number=number)
        return shown

    def predict(self, name, answer=...):
        """Commit to an answer, then see what the reference does.

        Parameters
        ----------
        name : str
            Such as ``"01.3a"``.
        answer : object
            A number, a text or a list; three dots for none yet.

        Returns
        -------
        Card
            It shows itself; `.ok` says whether the first prediction was right.
        """
        prediction, exam = find_prediction(_text(name, "predict"))
        if answer is ...:
            return unanswered_card(name)
        answer = encode(answer)
        truth = encode(prediction.body(exam.reference or reference()))
        if not fits(answer, truth):
            return unfit_card(name, answer, truth)
        earlier = first_prediction((event for event in self._events() if fits(event.get("answer"), truth)), name)
        if earlier is None:
            self._write("predict", prediction=name, answer=answer)
        first = earlier["answer"] if earlier else answer
        return prediction_card(name, first, answer, truth, prediction.why)

    def show_class(self, name):
        """Show a class that was written over many cells as one source.

        Parameters
        ----------
        name : str
            Such as ``"Node"``; the class itself will do.

        Returns
        -------
        Card
            It shows itself, coloured in a notebook.
        """
        name = name.__name__ if isinstance(name, type) else _text(name, "show_class")
        return source_card(assembled_class(name, self.session.sources()))

    def mine(self):
        """Give the student's own code of the modules before this one, the reference's where theirs is not right.

        Returns
        -------
        Mine
            A namespace; shown, it is a table of what is whose.
        """
        return mine_before(self.module())

    def module(self):
        """Find out which module this session is about.

        Returns
        -------
        Module
            By the notebook's file name where Jupyter tells it, else the one whose exercises
            most of the cells answer.
        """
        return which_module(self.session.notebook(), self.environment.get(NOTEBOOK, ""))

    def _check_one(self, exercise, brief):
        """Make the card of one exercise; one line for what stands above already, asked for again."""
        fresh, self._fresh = self._fresh, None
        module = load_module(exercise.module)
        absence = self.session.absence(module, exercise.id, self._events())
        if absence:
            reload = "In the menu: File, Reload Notebook from Disk. " if absence == RESET else ""
            says = reload + "Run its cell, or in the menu: Run, Run All Above Selected Cell. Then check again."
            return card(f"· {exercise.id}: {absence}.", says, ok=False)
        (verdict,) = self._judged(module, [exercise.id])
        if verdict == fresh:
            return card(f"{headline(verdict)} (as above)", ok=verdict.is_right)
        return exercise_card(verdict, brief=brief)

    def _check_all(self):
        module = self.module()
        answers = self.session.answers(module)
        verdicts = self._judged(module, list(answers))
        cards = [exercise_card(verdict, brief=True) for verdict in verdicts]
        return [*cards, all_yours_card(module, answers, all_yours(module, answers), NOT_HERE)]

    def _judged(self, module, names):
        answers = self.session.answers(module)
        verdicts = list(examine(module, names, answers, self._records()))
        for verdict in verdicts:
            forgiven(self.warn, note, self.log, verdict, answers)
        return verdicts

    def _records(self):
        return records(self._events())

    def _events(self):
        events, damages = forgiven(self.warn, self.log.read) or ((), ())
        for damage in damages:
            if damage.is_new:
                self.warn(f"{self.log.path}: {damage}.")
        return events

    def _write(self, event, **fields):
        forgiven(self.warn, self.log.append, event, **fields)


def _text(name, function):
    """Refuse a name without its quotes."""
    if isinstance(name, str):
        return name
    called = getattr(name, "__name__", None) or "backward"
    raise UsageError(
        f"{function}: {type(name).__name__} {called!r} is not the name of anything.",
        "a name in quotes.",
        f'{function}("{called}")',
    )
