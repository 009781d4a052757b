"""A student's session in one kernel: the cells that have run, and the functions that check them."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from dark.course.cards.card import Card, card, cards_together, source_card
from dark.course.cards.verdict_card import Report, next_hint
from dark.course.exams.plain import encode
from dark.course.judging.implementation import reference
from dark.course.judging.judge import judge_exercise
from dark.course.judging.verdict import NOT_ATTEMPTED
from dark.course.lessons.code import code_of
from dark.course.lessons.lesson import Repair
from dark.course.lessons.library import find_exercise, find_repair, load_module, notebook_path
from dark.course.lessons.which_module import answered_module, named_module
from dark.course.student import predictions
from dark.course.student.cell_history import RESET, CellHistory, ExecutedCell
from dark.course.student.class_source import assembled_class
from dark.course.student.course_map import PROJECT, lines_written, owned_card, rights
from dark.course.student.examination import all_yours, all_yours_card
from dark.course.student.hints import hint_card
from dark.course.student.mine import Mine, mine_before
from dark.course.student.progress import Log
from dark.course.student.pytest_plugin import fails_cells, raises
from dark.course.student.records import record_check, records
from dark.course.student.repairs import card_of_a_change, card_of_a_repair
from dark.course.student.reset import reset_card
from dark.errors import CourseError, UsageError

__all__ = ["ExecutedCell", "StudentKernel"]

NOT_HERE = "Not attempted, or not run in this session"
NOTEBOOK = "JPY_SESSION_NAME"  # environment variable in which Jupyter passes the path of the notebook


class StudentKernel:
    """The cells that a student has run in one kernel, and the functions that use them; see `dark.course`."""

    def __init__(self, folder, warn=print, environment=os.environ):
        self.warn = warn
        self.log = Log(folder, warn=lambda message: self.warn(message))
        self.environment = environment
        self.history = CellHistory()
        self.running, self.file_name = "", ""  # the cell that is running, and the notebook's file if known
        self._fresh = None  # the verdict that the last exercise cell has displayed

    def check(self, *names: str) -> Card:
        """Check exercises by name, such as `check("backward")`; the card's `.ok` tells whether all answers are right.

        Without a name, every exercise that has run is checked: each one separately, then all together. An unknown name
        is a `CourseError`, and so is an answer that is not right if a grader runs the cell.
        """
        exercises = [find_repair(_name(name, "check")) or self._find(name) for name in names]
        brief = len(names) > 1
        result = cards_together([self._check_one(each, brief) for each in exercises] or self._check_all())
        if not result.ok and raises(self.environment):
            raise CourseError(result.text)
        return result

    def check_last_cell(self) -> Card | None:
        """Check the exercise that the last cell answers; None if it answers and repairs nothing, or has only the stub.

        If pytest runs the cell, an answer that is not right, or not attempted, is a `CourseError`.
        """
        module, self._fresh = self.module(), None
        answers = self.history.answers(module)
        if answers.latest is None:
            return card_of_a_change(module, self.history)
        verdict = self._judged(module, answers.latest, answers.sources)
        if fails_cells(self.environment) and not verdict.is_right:
            raise CourseError(self._report(verdict).text)
        if verdict.status == NOT_ATTEMPTED:
            return None
        self._fresh = verdict
        return self._report(verdict).card()

    def explain_name(self, name: str | None) -> Card | None:
        """Explain a name that the kernel does not know, although a cell of the module defines it; None without one."""
        own = set(code_of(self.running).names)
        others = [names for part in self.module().parts if own.isdisjoint(names := code_of(part.source).names)]
        if name is None or not any(name in names for names in others):
            return None
        title = f"· {name} is defined in another cell, which has not run since the kernel started."
        return card(title, "Use the menu Run > Run All Above Selected Cell, then run this cell again.", ok=False)

    def hint(self, name: str, number: int | None = None) -> Card:
        """Show the next hint of an exercise, or the one with a number: from 1, a nudge, to 4, a worked example."""
        exercise = self._find(_name(name, "hint"))
        if number is None:
            number = next_hint(len(exercise.hints), records(self._events())[exercise.id].hints)
        shown = hint_card(exercise, number)
        if number is not None:
            self.log.append("hint", exercise=exercise.id, number=number)
        return shown

    def predict(self, name: str, answer: object = ...) -> Card:
        """Commit to an answer, such as to ``"01.3a"``, then show the result of the reference; `...` is no answer."""
        prediction, exam = predictions.find_prediction(_name(name, "predict"))
        if answer is ...:
            return predictions.unanswered_card(name)
        answer = encode(answer)
        truth = encode(prediction.body(exam.reference or reference()))
        if not predictions.fits(answer, truth):
            return predictions.unfit_card(name, answer, truth)
        fitting = (event for event in self._events() if predictions.fits(event.get("answer"), truth))
        earlier = predictions.first_prediction(fitting, name)
        if earlier is None:
            self.log.append("predict", prediction=name, answer=answer)
        first = earlier["answer"] if earlier else answer
        return predictions.prediction_card(name, first, answer, truth, prediction.why)

    def reset(self, name: str) -> Card:
        """Restore the stub of an exercise in the file of the notebook; the answer is kept in a file.

        The card says where the answer is, and how to see the stub. If a cell that has run differs from the file, the
        notebook is not saved: a `CourseError`.
        """
        exercise = self._find(_name(name, "reset"))
        named = Path(self.environment.get(NOTEBOOK) or self.file_name or "-.-")
        here = named if named.suffix == ".ipynb" and self.module().id == exercise.module else None
        path = here or notebook_path(exercise.module, self.log.path.parents[1])
        return reset_card(exercise, path, self.history.cells.values())

    def show_class(self, name: str | type) -> Card:
        """Show a class that was written in several cells as one source, such as `show_class("Node")`."""
        name = name.__name__ if isinstance(name, type) else _name(name, "show_class")
        return source_card(assembled_class(name, self.history.sources()))

    def cells(self) -> list[str]:
        """Return the sources of the cells that ran without an error, each in its last version, and the running one."""
        return [*self.history.sources(), self.running]

    def mine(self) -> Mine:
        """Return the student's code of the earlier modules, or the reference where theirs is not right."""
        return mine_before(self.module())

    def owned(self) -> Card:
        """Return the student's code in this module, on the map of the course."""
        module = self.module()
        answers = self.history.answers(module).sources
        return owned_card(module, rights(module, answers), lines_written(module, answers))

    def module(self):
        """Return the module that the notebook's file name gives, else the module with the most answered exercises."""
        named = named_module({}, self.environment.get(NOTEBOOK) or self.file_name)
        return named or answered_module(self.history.notebook(self.running))[0]

    def _find(self, name):
        return find_exercise(name, near=self.module())

    def _check_one(self, exercise, brief):
        """Return the card of an exercise or repair; not displayed if its verdict was just before."""
        if isinstance(exercise, Repair):
            return card_of_a_repair(exercise, self.history)
        fresh, self._fresh = self._fresh, None
        module = load_module(exercise.module)
        absence = self.history.absence(module, exercise.id, self._events())
        if absence:
            reload = "Use the menu File > Reload Notebook from Disk. " if absence == RESET else ""
            says = reload + "Run its cell, or use the menu Run > Run All Above Selected Cell, then check again."
            return card(f"· {exercise.id}: {absence}.", says, ok=False)
        verdict = self._judged(module, exercise.id, self.history.answers(module).sources)
        return replace(self._report(verdict).card(brief=brief), is_displayed=verdict == fresh)

    def _check_all(self):
        module = self.module()
        if not module.exercises:
            return [card(f"Module {module.id} has no exercises.", PROJECT)]
        answers = self.history.answers(module).sources
        cards = [self._report(self._judged(module, name, answers)).card(brief=True) for name in answers]
        last = all_yours_card(module, answers, all_yours(module, answers), NOT_HERE)
        return [last] if last.ok and all(each.ok for each in cards) else [*cards, last]

    def _judged(self, module, name, answers):
        verdict = judge_exercise(module, name, answers)
        record_check(self.log, verdict, answers[name])
        return verdict

    def _report(self, verdict):
        return Report.of(verdict, shown=records(self._events())[verdict.exercise].hints)

    def _events(self):
        events, damages = self.log.read()
        for damage in damages:
            if damage.is_new:
                self.warn(f"{self.log.path}: {damage}.")
        return events


def _name(name, function):
    if isinstance(name, str):
        return name
    called = getattr(name, "__name__", None)
    what = f"{function}: the name is the {type(name).__name__} {called or repr(name)[:40]}, not a string."
    example = 'predict("01.0a", 7)' if function == "predict" else f'{function}("{called or "backward"}")'
    raise UsageError(what, "a name in quotes.", example)
