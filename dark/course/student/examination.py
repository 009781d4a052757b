"""All answers of a student together."""

from dataclasses import replace

from dark.course.cards.card import card
from dark.course.cards.verdict_card import Report
from dark.course.judging.judge import judge_exercise
from dark.course.judging.observe import LocalObserver
from dark.course.judging.unfinished import is_attempted
from dark.course.judging.verdict import STOPS, Verdict


def all_yours(module, sources, *, observer=LocalObserver, seed=0) -> tuple[Verdict, ...]:
    """Judge every exercise on the student's code alone, up to one that is stopped; none if one is not attempted."""
    verdicts = []
    for name in module.exercises if not missing(module, sources) else ():
        verdicts.append(judge_exercise(module, name, sources, observer=observer, seed=seed, all_yours=True))
        if verdicts[-1].status in STOPS:
            break
    return tuple(verdicts)


def missing(module, sources):
    """Return the exercises of a module that are not attempted."""
    exercises = module.exercises.items()
    return [name for name, each in exercises if not is_attempted(sources.get(name), each.stub)]


def at_fault(module, sources, verdicts, *, observer=LocalObserver, seed=0):
    """Return the exercise with whose solution the first that fails is right, lines of its error first; None if none."""
    failing = next(verdict for verdict in verdicts if not verdict.is_right)
    if failing.status in STOPS:
        return None
    error = failing.failing and failing.failing.error
    lines = [line["where"] for line in error.lines] if error else []
    found = [where.removeprefix("exercise ") for where in lines if where.startswith("exercise ")]
    suspects = dict.fromkeys([*found[::-1], *module.exercises])
    for name in [name for name in suspects if name in module.exercises and module.exercises[name].solution]:
        mended = {**sources, name: module.exercises[name].solution}
        if judge_exercise(module, failing.exercise, mended, observer=observer, seed=seed, all_yours=True).is_right:
            return name
    return None


def all_yours_card(module, sources, verdicts, absent="Not attempted", **options):
    """Return the card of the verdicts of `all_yours`; `options` are passed to `at_fault`."""
    if not verdicts:
        names = ", ".join(missing(module, sources))
        return card("· All yours: not yet.", f"{absent}: {names}.", ok=False)
    failing = [verdict for verdict in verdicts if not verdict.is_right]
    if not failing:
        said = f"{len(verdicts)} exercises work together, without any reference code."
        return card("✓ All yours: right.", said, ok=True)
    first, *others = (replace(verdict, hints=0) for verdict in failing)
    name = at_fault(module, sources, verdicts, **options)
    proof = f": with the reference in its place, `{first.exercise}` is right" if name != first.exercise else ""
    fault = [f"The fault is in `{name}`{proof}."] if name else []
    body = "\n".join([*fault, Report.of(first).text, *(each.headline for each in others)])
    if failing[-1].status in STOPS:
        waiting = ", ".join(list(module.exercises)[len(verdicts) :])
        said = f"{body}\nNot asked until then: {waiting}." if waiting else body
        return card(f"✗ All yours: stopped at {failing[-1].exercise}.", said, ok=False)
    return card(f"✗ All yours: {len(failing)} of {len(verdicts)} exercises fail together.", body, ok=False)
