"""The source of one answer: the definitions of the exercise's names and their dependencies."""

import ast
from dataclasses import replace

from dark.course.lessons.dependency_search import Search
from dark.course.lessons.names import defined_names, definitions, parsed, span

# Functions of a notebook; a call of one next to an answer is not part of the answer.
_NOTEBOOK_ONLY = ("check", "hint", "predict", "show_class", "display")


def answers(definition, exercise):
    """Return whether a definition answers an exercise.

    A plain assignment is an answer only if the exercise asks for a value: `slope = slope(f, 2)`
    in a scratch cell does not answer `slope`.
    """
    if definition.name not in exercise.defines:
        return False
    if definition.how != "value":
        return True
    asked = [each.how for each in definitions(exercise.stub) if each.name == definition.name]
    return asked == ["value"]


def assembled(winners, cells, exercise, module, pool):
    """Return the source of an answer.

    Parameters
    ----------
    winners : list of (Cell, Definition or None)
        The chosen definition of each name of the exercise; None for a whole cell.
    cells : list of Cell
        All cells of the student, which may define helpers.
    exercise : Exercise
        The exercise.
    module : Module
        Its module.
    pool : Pool
        The statements of all cells.

    Returns
    -------
    source : str
        The answer, its helpers first; lines of its cell that are not part of it are empty.
    indexes : tuple of int
        The indexes of the cells it came from.
    """
    owners = {cell.index: cell for cell, _ in winners}
    whole = next((cell for cell in owners.values() if cell.broken), None)
    if whole:
        return whole.source, (whole.index,)
    taken = {name for each in module.exercises.values() if each.id != exercise.id for name in each.defines}
    seeds = [seed for cell in owners.values() for seed in _seeds(cell, winners, exercise, taken)]
    if not seeds:
        cell = winners[-1][0]
        return _source_of(cell, [each for each in cell.statements if not _is_notebook_only(each)]), (cell.index,)
    left_out = {each for cell in cells for each in _left_out(cell, seeds, exercise, taken)}
    search = Search(pool, set(owners), _known(exercise, module), _own_names(exercise), left_out)
    needed = sorted(search.needed(seeds), key=lambda each: (each.cell, each.first))
    helpers = [each for each in needed if each.cell not in owners]
    pieces = [each.text for each in helpers]
    pieces += [_source_of(owners[index], [each for each in needed if each.cell == index]) for index in sorted(owners)]
    return "\n\n".join(pieces), tuple(sorted({*owners, *(each.cell for each in helpers)}))


def _own_names(exercise):
    return {*exercise.defines, *defined_names(exercise.stub)}


def _known(exercise, module):
    """Return the names that the rest of the module provides."""
    others = [part.source for part in module.parts if part.exercise != exercise.id]
    return {name for source in others for name in defined_names(source)} - _own_names(exercise)


def _seeds(cell, winners, exercise, taken):
    """Return the statements of a cell that define the names of the exercise."""
    chosen = [each for owner, each in winners if owner is cell and each]
    found = {each.name for _, each in winners if each}
    missing = set(exercise.defines) - found if found else _own_names(exercise)
    seeds = []
    for statement in cell.statements:
        here = [each for each in statement.definitions if each in chosen]
        if here:
            seeds.append(_moved(statement, here, exercise, taken))
        elif missing & _names(statement):
            seeds.append(statement)
    return seeds


def _names(statement):
    return statement.binds | {each.name for each in statement.definitions}


def _left_out(cell, seeds, exercise, taken):
    """Yield the statements of a cell that the answer must not contain."""
    last = max((each.first for each in seeds if each.cell == cell.index), default=-1)
    kept = {(each.cell, each.first) for each in seeds}
    for statement in cell.statements:
        is_own = set(exercise.defines) & _names(statement)
        if (statement.cell, statement.first) in kept:
            is_other = statement not in seeds  # methods were taken out of it
        else:
            is_other = not is_own and taken & _names(statement)
        if is_other or is_own and statement.first > last or _is_notebook_only(statement):
            yield statement


def _is_notebook_only(statement):
    match statement.nodes:
        case (ast.Expr(ast.Call(func=ast.Name(name))),):
            return name in _NOTEBOOK_ONLY
    return False


def _moved(statement, chosen, exercise, taken):
    """Extract the methods of an answer from a class statement that belongs to another exercise.

    Defining the class again would detach it from its subclasses. Instead, the existing class receives
    the methods, and the student's helper methods that they use.
    """
    owner = chosen[0].name.split(".")[0]
    if chosen[0].how != "method" or owner in exercise.defines or len(statement.nodes) > 1:
        return statement
    lines, moved = [f"class _{owner}:"], _with_helpers(statement, chosen, taken)
    for each in moved:
        first, last = span(each.node)
        lines += statement.text.split("\n")[first - statement.first : last - statement.first]
    lines += [f'{each.name} = _{owner}.__dict__["{each.name.split(".")[1]}"]' for each in moved]
    text = "\n".join(lines)
    tree = parsed(text)
    return replace(statement, text=text, nodes=tuple(tree.body)) if tree else statement


def _with_helpers(statement, chosen, taken):
    """Return methods and the other methods of their class that they use, in class order."""
    wanted, waiting = [], list(chosen)
    while waiting:
        each = waiting.pop()
        wanted.append(each)
        asked = {getattr(inner, "attr", getattr(inner, "id", None)) for inner in ast.walk(each.node)}
        waiting += [
            other
            for other in statement.definitions
            if other.how == "method"
            and other.name.split(".")[1] in asked
            and other not in [*wanted, *waiting]
            and other.name not in taken
        ]
    return sorted(wanted, key=lambda each: each.node.lineno)


def _source_of(cell, kept):
    """Remove statements from a cell; the remaining lines keep their line numbers where possible."""
    lines, texts = cell.source.split("\n"), {each.first: each.text for each in kept}
    for statement in reversed(cell.statements):
        first, last = statement.first, statement.last
        if first not in texts:
            lines[first:last] = [""] * (last - first)
        elif texts[first] != statement.text:
            lines[first:last] = texts[first].split("\n")
    return "\n".join(lines) if len(texts) == len(cell.statements) else "\n".join(lines).rstrip("\n")
