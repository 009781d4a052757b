"""The map of the course: its modules, what each needs, what runs at its end, and what a student owns."""

from collections import Counter, defaultdict
from textwrap import wrap
from typing import Any

from dark.course.capstone.finished import finished_projects
from dark.course.cards.card import card
from dark.course.judging.verdict import RIGHT
from dark.course.lessons.library import load_module, modules, notebook_path, pick
from dark.course.student.judged import Judged
from dark.course.student.mine import answers_in
from dark.draw.diagram.diagram import STYLES, Diagram, DiagramEdge, DiagramNode
from dark.draw.picture.drawing import DiagramDrawing
from dark.draw.text_table import Table

__all__ = ["course_map", "end_of_course", "lines_written", "owned_card", "rights", "summary_lines"]

TITLE = "Map of the course"
HEADING = ("module", "needs", "minutes", "at its end", "")
READ_NEXT = (
    "What to read next: `dark` itself, from the folder dark/nodes on, which has your parts and more; "
    "then torch/nn/modules/module.py and torch/optim/sgd.py of PyTorch, whose names you know."
)
HERE, YOURS, TO_COME = "you are here", "yours", ""
STYLE_OF = {HERE: "parameter", YOURS: "group", TO_COME: "result"}
LINE = 30  # characters in a box
COLUMNS = 2
ROOM = {"height": "0.3", "margin": "0.23,0.06"}  # of a box
CLOSE = {"rankdir": "TB", "ordering": "", "ranksep": "0.25", "nodesep": "0.1"}
AFTER_ALL = "after all others"
PROJECT = "`dark capstone check`, in a terminal, says what your project lacks."
BAR = 10  # characters of a bar in the terminal


def course_map(here=None, right=None):
    """Draw the modules of the course, in order, with arrows from a module to those that build on it.

    The module `here`, a number or a name, is marked, and the only one that shows what runs at its end; by default each
    does. `right`, the number of right answers by module, marks those that are finished. A module without exercises
    comes after all others: its box says so, and one arrow leads to it.

    Examples
    --------
    >>> course_map("01").contents.rows[0][0]
    '01 Scalar autodiff'
    """
    all_modules = [load_module(name) for name in modules()]
    here = pick(here, modules())[:2] if here is not None else None
    rows = [(module, _status(module, here, right or {})) for module in all_modules]
    nodes, edges = [], []
    for module, status in rows:
        lines = [*_heading(module, status), *([] if here not in (None, module.id) else _wrapped(module.milestone))]
        look = STYLES[STYLE_OF[status]] | {"shape": "Mrecord" if status == HERE else "record"} | ROOM
        nodes.append(DiagramNode(module.id, (tuple(lines),), look))
        needed = module.after if module.exercises else module.after[-1:]
        edges += [DiagramEdge(before, module.id) for before in needed]
    diagram = Diagram(tuple(nodes), tuple(edges), look=CLOSE, rows=_in_rows(all_modules))
    contents = [
        (f"{module.id} {module.title}", " ".join(module.after), str(module.minutes or "–"), module.milestone, status)
        for module, status in rows
    ]
    alt = f"{TITLE}. " + " ".join(_sentence(module, status) for module, status in rows)
    return DiagramDrawing(diagram, TITLE, alt, Table(HEADING, tuple(contents)))


def _in_rows(all_modules):
    """Return the modules in two columns, each below the ones that it needs, so that the map is as wide as a page."""
    row_of: dict[str, int] = {}
    column_of: dict[str, int] = {}
    rows: defaultdict[int, list[Any]] = defaultdict(list)
    for module in all_modules:
        row = 1 + max((row_of[before] for before in module.after), default=-1)
        while len(rows[row]) == COLUMNS:
            row += 1
        row_of[module.id] = row
        rows[row].append(module)
    named = []
    for row in sorted(rows):
        members = [module.id for module in sorted(rows[row], key=lambda each: sum(column_of[b] for b in each.after))]
        column_of |= {name: column for column, name in enumerate(members)}
        named.append(tuple(members))
    return tuple(named)


def _is_finished(module, right):
    """Return whether all exercises are right; of a module without exercises, whether a project is finished."""
    return right.get(module.id, 0) >= max(1, len(module.exercises))


def _status(module, here, right):
    if _is_finished(module, right):
        return YOURS
    return HERE if module.id == here else TO_COME


def _wrapped(text):
    return wrap(text, LINE) if text else []


def _heading(module, status):
    minutes = f"{module.minutes} minutes" if module.minutes else ""
    place = "" if module.exercises else AFTER_ALL
    second = " · ".join(
        filter(None, (minutes, place, status))
    )  # a line of its own, or two modules in a row would be too wide
    return [f"{module.id} · {module.title}", *filter(None, [second])]


def _sentence(module, status):
    needs = f" needs {', '.join(module.after)} and" if module.after else ""
    state = f" ({status})" if status else ""
    return f"{module.id}, {module.title}{state},{needs} ends with {module.milestone or 'its own milestone'}."


def rights(current, answers):
    """Count the right answers by module, judging only what has changed; without exercises, the finished projects.

    `answers` are those to the module of the open notebook, in this session; others are read from their notebooks.
    """
    found = {}
    for stem in modules():
        module = load_module(stem)
        if not module.exercises:
            found[module.id] = len(finished_projects(notebook_path(module.id).parent))
            continue
        given = answers if module.id == current.id else answers_in(module)
        judged = Judged(notebook_path(module.id).parent, module, given)
        found[module.id] = sum(judged.status(name) == RIGHT for name in module.exercises)
    return found


def lines_written(current=None, answers=()):
    """Count the lines that the student has written, without empty lines and lines of the stubs; as in `rights`.

    Without `current`, all answers are read from their notebooks.
    """
    count = 0
    for module in map(load_module, modules()):
        given = answers if current and module.id == current.id else answers_in(module)
        for name, source in given.items():
            left = Counter(_lines_of(source)) - Counter(_lines_of(module.exercises[name].stub))
            count += left.total()
    return count


def _lines_of(source):
    return [line.strip() for line in source.splitlines() if line.strip()]


def owned_card(current, right, lines=0):
    """Return the card at the end of a module: what the student owns now, on the map of the course.

    At the end of the last one, when all are finished, it tells how many `lines` the student has written, of how many
    exercises, and what to read next.
    """
    done, total = right.get(current.id, 0), len(current.exercises)
    picture = course_map(current.id, right)
    if not total:
        return _project_card(current, done, end_of_course(right, lines), picture)
    if done < total:
        title = f"{done} of {total} exercises of module {current.id} are right."
        return card(title, "dark progress, in a terminal, lists the others.", picture=picture)
    following = _following(current, right)
    end = end_of_course(right, lines)
    onward = f"\nNext: module {following.id}, {following.title}." if following else end and f"\n{end}"
    title = f"✓ Module {current.id} is yours: all {total} exercises."
    return card(title, f"You have written {current.yours}.{onward}", picture=picture, ok=True)


def _project_card(current, done, end, picture):
    """Return the card of a module without exercises, some of whose projects are done."""
    title = f"Module {current.id} ends with {current.milestone}."
    if done:
        title = f"✓ Module {current.id} is yours: {done} project{'s' if done > 1 else ''} finished."
    body = [f"You have written {current.yours}." if done else PROJECT, end]
    return card(title, "\n".join(filter(None, body)), picture=picture, ok=True if done else None)


def end_of_course(right, lines):
    """Return how much the student has written, and what to read next; empty until all modules are right."""
    sizes = {module.id: len(module.exercises) for module in map(load_module, modules()) if module.exercises}
    if not sizes.items() <= right.items():
        return ""
    return f"You have written PyTorch: {sum(sizes.values())} exercises, {lines:,} lines of your own.\n{READ_NEXT}"


def _following(current, right):
    """Return the next module that is not finished and needs only finished ones, else simply the next one, or None."""
    known = [load_module(name) for name in modules()]
    done = {module.id for module in known if _is_finished(module, right)}
    later = [module for module in known if module.id > current.id]
    ready = [module for module in later if module.id not in done and done.issuperset(module.after)]
    return next(iter(ready or later), None)


def summary_lines(counts):
    """Return one line for each module: how much of it is right, if it was begun, and what runs at its end."""
    lines = []
    for module in map(load_module, modules()):
        done, total = counts.get(module.id, 0), len(module.exercises)
        if not total:
            ends = f"✓ yours: {module.yours}" if done else module.milestone
            lines.append(f"{module.id}  {'a project'.ljust(BAR)}  {'':<8} {ends}".rstrip())
            continue
        bar = ("█" * (BAR * done // total if total else 0)).ljust(BAR, "·")
        ends = f"✓ yours: {module.yours}" if done == total else module.milestone
        lines.append(f"{module.id}  {bar}  {done:>2} of {total:<2} {ends}".rstrip())
    return lines
