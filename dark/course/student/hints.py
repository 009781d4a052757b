"""`hint("backward")`: four hints for each exercise, from a nudge to a worked example."""

import ast

from dark.checks import integer
from dark.course.cards.card import card
from dark.course.cards.verdict_card import asking
from dark.course.judging.implementation import reference
from dark.course.lessons.library import repository_root
from dark.draw import draw
from dark.errors import DarkError

KINDS = ("a nudge", "the idea", "the steps in words", "a worked example")


def hint_card(exercise, number, *, terminal=False):
    """Return the card of a hint, by its number from 1, or of None after the last; a `terminal` has a command for it."""
    count = len(exercise.hints)
    if number is None:
        again = asking(exercise.module, exercise.id, terminal=terminal, number=count)
        says = f"{again} shows the worked example again: follow its steps with your own names."
        place = f"The solution is in the notebook of module {exercise.module} in solutions/"
        place += ": " if repository_root() else " of the repository: "
        says += f"\n{place}read it, close it, and write the answer from memory." * (exercise.solution is not None)
        return card(f"{exercise.id}: you have seen all {count} hints.", says)
    advice = f"{asking(exercise.module, exercise.id, terminal=terminal)} for the next hint"
    number = integer(number, f"hint {exercise.id}", "number", 1, count, advice)
    hint = exercise.hints[number - 1]
    kind = f", {KINDS[number - 1]}" if number <= len(KINDS) else ""
    picture = picture_of(hint.draw) if hint.draw else None
    return card(f"{exercise.id}, hint {number} of {count}{kind}", hint.text.strip(), picture=picture)


def picture_of(source):
    """Run the drawing code of a hint on the reference, as `dark`; return its picture, None if it cannot be drawn."""
    tree = ast.parse(source)
    last = ast.Expression(tree.body.pop().value)
    names = {"dark": reference()}
    try:
        exec(compile(tree, "<picture of a hint>", "exec"), names)
        value = eval(compile(last, "<picture of a hint>", "eval"), names)
        return value if hasattr(value, "svg") else draw(value)
    except DarkError:
        return None
