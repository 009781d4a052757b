"""One answer put together: the cells that won, cut to what belongs to it, and its helpers."""

import ast

from dark.course.lessons.names import defined_names, definitions, free_names

# These stand only in a notebook; a call of one beside an answer is no part of the answer.
_NOTEBOOK_ONLY = ("check", "hint", "predict", "show_class", "display")


def answers(definition, exercise):
    """Say whether a definition answers an exercise.

    A plain assignment answers only where the course, too, asks for a value: `slope = slope(f, 2)`
    in a scratch cell is no answer to `slope`.
    """
    if definition.name not in exercise.defines:
        return False
    if definition.how != "value":
        return True
    asked = [each.how for each in definitions(exercise.stub) if each.name == definition.name]
    return asked == ["value"]


def assembled(winners, cells, exercise, module):
    """Put an answer together.

    Parameters
    ----------
    winners : list of (Cell, Definition or None)
        Where each name of the exercise is best defined; None for a cell taken whole.
    cells : list of Cell
        All cells of the student's, in which helpers are looked for.
    exercise : Exercise
        What is answered.
    module : Module
        Its module.

    Returns
    -------
    source : str
        The answer, its helpers first.
    places : tuple of int
        The indexes of the cells it came from.
    """
    owners = {cell.index: cell for cell, _ in winners}
    pieces, kept = [], set()
    for index in sorted(owners):
        cell = owners[index]
        if cell.broken:
            return cell.source, (index,)
        chosen = [each for owner, each in winners if owner is cell and each]
        dropped = _dropped(cell, chosen, winners, exercise, module)
        pieces.append(_cut(cell.source, dropped, _methods_to_move(chosen, exercise)))
        body = ast.parse(cell.source).body
        kept |= {(index, each.lineno) for each in body if each.lineno not in dropped}
    source = "\n\n".join(pieces)
    helpers = _helpers(source, cells, kept, _known(exercise, module))
    places = tuple(sorted({*owners, *(cell.index for cell, _ in helpers)}))
    return "\n\n".join([*(_text(cell.source, each) for cell, each in helpers), source]), places


def _known(exercise, module):
    """Name what the rest of the module provides."""
    others = [part.source for part in module.parts if part.exercise != exercise.id]
    names = {name for source in others for name in defined_names(source)}
    return names - {*exercise.defines, *defined_names(exercise.stub)}


def _dropped(cell, chosen, winners, exercise, module):
    """Name the first lines of the statements of a cell that are no part of this answer."""
    others = [each for each in module.exercises.values() if each.id != exercise.id]
    foreign = cell.tag not in (None, exercise.id) and chosen
    here = {each.name for each in chosen}
    elsewhere = {each.name for _, each in winners if each} - here
    wanted = {each.statement.lineno for each in chosen}
    dropped = set()
    for statement in ast.parse(cell.source).body:
        found = [each for each in cell.definitions if each.statement.lineno == statement.lineno]
        own = {each.name for each in found if answers(each, exercise)}
        theirs = any(answers(each, other) for each in found for other in others)
        if (
            (foreign and statement.lineno not in wanted)
            or (own and own <= elsewhere)
            or (theirs and not own)
            or _is_notebook_only(statement)
        ):
            dropped.add(statement.lineno)
    return dropped


def _is_notebook_only(statement):
    match statement:
        case ast.Expr(ast.Call(func=ast.Name(name))):
            return name in _NOTEBOOK_ONLY
    return False


def _methods_to_move(chosen, exercise):
    """Map the first line of a class statement to the methods that are wanted out of it.

    To define the class again would cut it off from its subclasses; the course's class stays, and
    receives the method.
    """
    moves = {}
    for each in chosen:
        if each.how == "method" and each.name.split(".")[0] not in exercise.defines:
            moves.setdefault(each.statement.lineno, []).append(each)
    return moves


def _cut(source, dropped, moves):
    """Leave statements out; lines that stay keep their text, and their place where they can."""
    lines = source.split("\n")
    for statement in reversed(ast.parse(source).body):
        first, last = _span(statement)
        if statement.lineno in dropped:
            lines[first:last] = [""] * (last - first)
        elif statement.lineno in moves:
            methods = moves[statement.lineno]
            lines[first:last] = [line for each in methods for line in _moved(source, each)]
    return "\n".join(lines) if not dropped else "\n".join(lines).strip("\n")


def _moved(source, definition):
    owner, name = definition.name.split(".")
    text = _text(source, definition.node)
    return [f"class _{owner}:", *text.split("\n"), f'{owner}.{name} = _{owner}.__dict__["{name}"]']


def _span(node):
    """Give the lines of a node, decorators included, as a slice."""
    heads = [node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))]
    return min(heads) - 1, node.end_lineno


def _text(source, node):
    first, last = _span(node)
    return "\n".join(source.split("\n")[first:last])


def _helpers(source, cells, kept, known):
    """Find what an answer refers to in the student's other code, and what that refers to.

    Returns a list of (cell, statement) in the order of the notebook.
    """
    found, wanted = {}, [source]
    while wanted:
        text = wanted.pop()
        attributes = {node.attr for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Attribute)}
        for cell, each in _pool(cells, known, free_names(text), attributes):
            place = (cell.index, each.statement.lineno)
            if place not in kept and place not in found:
                found[place] = (cell, each.statement)
                wanted.append(_text(cell.source, each.statement))
    return [found[place] for place in sorted(found)]


def _pool(cells, known, names, attributes):
    """Pick the definition of each name: the last one, but rather one that is written."""
    best = {}
    for cell in cells:
        for each in cell.definitions:
            last = each.name.split(".")[-1]
            attached = each.how == "attach" and last in attributes
            plain = each.how not in ("attach", "method") and each.name in names
            if each.name not in known and (attached or plain):
                blank = is_unwritten(cell, each)
                if each.name not in best or not blank or best[each.name][0]:
                    best[each.name] = (blank, cell, each)
    return [(cell, each) for _, cell, each in best.values()]


def is_unwritten(cell, definition):
    """Say whether a definition still raises NotImplementedError, as a stub does."""
    node = definition.node
    if definition.how == "attach" and isinstance(getattr(node, "value", None), ast.Name):
        named = [each for each in cell.definitions if each.name == node.value.id]
        node = named[-1].node if named else node
    return any(isinstance(inner, ast.Raise) and "NotImplementedError" in ast.dump(inner) for inner in ast.walk(node))
