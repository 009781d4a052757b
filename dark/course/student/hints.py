"""`hint("backward")`: four hints an exercise, from a nudge to a worked sibling, with their pictures."""

import ast

from dark.course.judging.implementation import reference
from dark.course.judging.report_blocks import asking
from dark.course.student.cards import card
from dark.draw import draw
from dark.errors import DarkError, UsageError

__all__ = ["hint_card", "next_hint", "picture_of"]

KINDS = ("a nudge", "the idea", "the steps in words", "a worked sibling")


def next_hint(exercise, given):
    """Give the number of the hint that comes next, or None after the last.

    Parameters
    ----------
    exercise : Exercise
        With its hints.
    given : int
        The highest hint given so far, 0 for none.

    Returns
    -------
    int or None
    """
    return given + 1 if given < len(exercise.hints) else None


def hint_card(exercise, number, *, terminal=False):
    """Make the card of one hint; without a number, of the fact that there is none left.

    Parameters
    ----------
    exercise : Exercise
        With its hints.
    number : int or None
        From 1, as `next_hint` gives it.
    terminal : bool, default False
        Whether the reader asks by `dark hint`, not in a notebook.

    Returns
    -------
    Card

    Raises
    ------
    UsageError
        If there is no hint of that number.
    """
    count = len(exercise.hints)
    if number is None:
        return card(f"{exercise.id}: all {count} hints have been given.", _after_the_last(exercise, terminal))
    if type(number) is not int or not 1 <= number <= count:
        raise UsageError(
            f"{exercise.id}: there is no hint {number!r}.",
            f"a number from 1 to {count}.",
            f"{asking(exercise.module, exercise.id, terminal=terminal)} for the next one",
        )
    hint = exercise.hints[number - 1]
    kind = f", {KINDS[number - 1]}" if number <= len(KINDS) else ""
    picture = picture_of(hint.draw) if hint.draw else None
    return card(f"{exercise.id}, hint {number} of {count}{kind}", hint.text.strip(), picture=picture)


def _after_the_last(exercise, terminal):
    """Say what is left to do when there is no further hint."""
    again = asking(exercise.module, exercise.id, terminal=terminal, number=len(exercise.hints))
    lines = [f"{again} shows the worked sibling again: " + "do the same steps with your own names."]
    if exercise.solution is not None:
        lines.append(
            f"The solution stands in the notebook of module {exercise.module} in solutions/; "
            "read it, close it, and write the answer from memory."
        )
    return "\n".join(lines)


def picture_of(source):
    """Run the drawing code of a hint on the reference and draw the value of its last line.

    Parameters
    ----------
    source : str
        Python; the reference is called `dark` in it.

    Returns
    -------
    Drawing or None
        None if the picture cannot be drawn here; the hint's text stands without it.
    """
    tree = ast.parse(source)
    last = ast.Expression(tree.body.pop().value)
    names = {"dark": reference()}
    try:
        exec(compile(tree, "<picture of a hint>", "exec"), names)
        value = eval(compile(last, "<picture of a hint>", "eval"), names)
        return value if hasattr(value, "svg") else draw(value)
    except DarkError:
        return None
