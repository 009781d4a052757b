"""A student's answers: of each exercise the definitions it asks for, and the statements that they depend on."""

import ast
from dataclasses import dataclass, field, replace

from dark.course.lessons.cells import is_unwritten, student_cells
from dark.course.lessons.code import code_of, span
from dark.course.lessons.dependency_search import Pool, Search
from dark.course.lessons.redefined import with_redefined

COMPLETE = 2  # the worth of a definition that is neither a stub nor an alias, see `_worth`


@dataclass(frozen=True)
class Answers:
    """The answers in a notebook: the source of each exercise found, and the indexes of its cells."""

    sources: dict[str, str]
    cells: dict[str, tuple[int, ...]]
    latest: str | None = None  # the exercise that the last cell of the notebook answers
    copies: dict[str, tuple[int, ...]] = field(default_factory=dict)  # of several, the one that counts last


def collect(notebook, module) -> Answers:
    """Find the source of each exercise in a validated notebook: helpers, then its cell without other statements."""
    cells = student_cells(notebook, module)
    pool = Pool(each for cell in cells for each in cell.statements)
    sources, copies = {}, {}
    indexes: dict[str, tuple[int, ...]] = {}
    options = {name: _options(cells, exercise, module) for name, exercise in module.exercises.items()}
    choices = {name: _chosen(each, cells, module.exercises[name]) for name, each in options.items()}
    for name, exercise in module.exercises.items():
        chosen = choices[name]
        if several := _copies(options[name]):
            copies[name] = several
        if any(cell.broken for cell, _ in chosen):
            sources[name], indexes[name] = chosen[-1][0].source, (chosen[-1][0].index,)
        elif chosen:
            others = {id(found) for other, each in choices.items() if other != name for _, found in each}
            sources[name], indexes[name] = _assembled(chosen, cells, exercise, module, pool, others)
    last = [cell.exercise for cell in cells if cell.index == len(notebook["cells"]) - 1]
    return Answers(sources, indexes, last[0] if last else None, copies)


def _options(cells, exercise, module):
    """List for each name the cells that define it, as (cell, definition); the definition is None for a whole cell."""
    options = []
    for cell in cells:
        marked = cell.exercise if cell.is_marked else None
        other = module.exercises[marked or exercise.id]  # whose cell it is, which may ask for the same name
        if cell.broken and cell.exercise == exercise.id:
            options.append((cell, None))
        elif other is exercise or not set(other.defines) & set(exercise.defines):
            options += [(cell, each) for each in cell.definitions if exercise.is_answered_by(each)]
    named = ([each for each in options if each[1] is None or each[1].name == name] for name in exercise.defines)
    return [each for each in named if each]


def _chosen(options, cells, exercise):
    """Choose for each name the last cell that defines it by more than a stub, else the last one."""

    def is_at_home(cell):  # and not in another exercise's cell, where a definition may be a helper
        return not cell.is_marked or cell.exercise in (exercise.id, None)

    best = [max(reversed(each), key=lambda option: (_worth(option), is_at_home(option[0]))) for each in options]
    broken = [each for each in best if each[0].broken]
    marked = [(cell, None) for cell in cells if cell.is_marked and cell.exercise == exercise.id]
    return broken[-1:] or best or marked[-1:]


def _copies(options):
    """Return the indexes of the cells that answer an exercise as a whole, if there are several; the last counts."""
    for each in options:
        found = [option[0].index for option in each if len(each) > 1 and _worth(option) == COMPLETE]
        if len(indexes := dict.fromkeys(found)) > 1:
            return tuple(indexes)
    return ()


def _worth(option):
    """Rank a definition: a stub is the last choice, before it a broken cell or an alias of the reference."""
    cell, definition = option
    if definition is None:
        return COMPLETE if cell.is_marked else 1
    node = definition.node
    if definition.how == "attach" and isinstance(getattr(node, "value", None), ast.Name):
        node = ([node] + [each.node for each in cell.definitions if each.name == node.value.id])[-1]
    if is_unwritten(node, cell.source):
        return 0
    own = [each for each in cell.statements if definition in each.definitions]
    return 1 if any(each.only_renames_reference for each in own) else COMPLETE


def _assembled(chosen, cells, exercise, module, pool, others):
    """Return the source of an answer and its cells; `others` are the ids of definitions that answer other exercises."""
    owners = {cell.index: cell for cell, _ in chosen}
    taken = {name for each in module.exercises.values() if each is not exercise for name in each.defines}
    found = [definition for _, definition in chosen if definition]
    missing = set(exercise.defines) - {each.name for each in found} if found else exercise.own_names
    seeds = []
    for statement in (each for cell in owners.values() for each in cell.statements):
        if here := [each for each in statement.definitions if each in found]:
            is_foreign = here[0].how == "method" and here[0].name.split(".")[0] not in exercise.defines
            seeds.append(_moved(statement, here, taken) if is_foreign and len(statement.nodes) == 1 else statement)
        elif missing & statement.names:
            seeds.append(statement)
    if not seeds:  # a marked cell that defines nothing
        whole = chosen[-1][0]
        return _source_of(whole, [each for each in whole.statements if not each.is_notebook_only]), (whole.index,)
    known = set().union(*(part.names for part in module.parts if part.exercise != exercise.id)) - exercise.own_names
    statements = [each for cell in cells for each in cell.statements]
    left_out = {each for each in statements if _is_left_out(each, seeds, exercise, taken, others)}
    search = Search(pool, set(owners), known, exercise.own_names, left_out, seeds)
    before = [(each, node) for each in statements if each.cell <= max(owners) for node in each.nodes]
    future = {each for each, node in before if isinstance(node, ast.ImportFrom) and node.module == "__future__"}
    needed = sorted(search.needed() | future, key=lambda each: (each.cell, each.first))
    helpers = [each for each in needed if each.cell not in owners]
    pieces = [each.text for each in helpers]
    pieces += [_source_of(owners[index], [each for each in needed if each.cell == index]) for index in sorted(owners)]
    redefined = {name for each in needed for name in each.binds} & known - _imported(module)
    return with_redefined("\n\n".join(pieces), redefined), tuple(sorted({*owners, *(each.cell for each in helpers)}))


def _imported(module):
    """Return the names that the code of a module imports, such as `np`: an answer that imports them changes nothing."""
    found = [each for part in module.parts for each in code_of(part.source).definitions]
    return {each.name for each in found if each.how == "import"} - {each.name for each in found if each.how != "import"}


def _is_left_out(statement, seeds, exercise, taken, others):
    here = [each for each in seeds if each.cell == statement.cell]
    if any(each.first == statement.first for each in here):
        return statement not in here  # methods were taken out of it
    if set(exercise.defines) & statement.names:
        return not here or statement.first > max(each.first for each in here)
    is_helper = here and not any(each.how == "attach" or id(each) in others for each in statement.definitions)
    return bool(taken & statement.names) and not is_helper or statement.is_notebook_only


def _moved(statement, chosen, taken):
    """Extract the methods of an answer, and the helpers that they use, from another exercise's class statement.

    Defining the class again would detach it from its subclasses. Instead, the existing class receives the methods.
    """
    owner = chosen[0].name.split(".")[0]
    lines, moved = [f"class _{owner}:"], _with_helpers(statement, chosen, taken)
    for each in moved:
        first, last = span(each.node)
        lines += statement.text.split("\n")[first - statement.first : last - statement.first]
    lines += [f'{each.name} = _{owner}.__dict__["{each.name.split(".")[1]}"]' for each in moved]
    text = "\n".join(lines)
    tree = code_of(text).tree
    return replace(statement, text=text, nodes=tuple(tree.body)) if tree else statement


def _with_helpers(statement, chosen, taken):
    """Return methods and the other methods of their class that they use, in class order."""
    wanted, waiting = [], list(chosen)
    while waiting:
        each = waiting.pop()
        wanted.append(each)
        asked = {getattr(inner, "attr", getattr(inner, "id", None)) for inner in ast.walk(each.node)}
        methods = [other for other in statement.definitions if other.how == "method" and other.name not in taken]
        used = [other for other in methods if other.name.split(".")[1] in asked]
        waiting += [other for other in used if other not in [*wanted, *waiting]]
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
