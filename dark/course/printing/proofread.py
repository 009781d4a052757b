"""The rules of manuscripts; each error names file, line and cell."""

import ast
import re
from functools import partial

from dark.course.lessons.blank import BEGIN, END, blank, predictions
from dark.course.lessons.code import code_of, plain_python
from dark.errors import CourseError, near_misses

ID = re.compile(r"[A-Za-z0-9_-]{1,40}")  # part of the cell ids, which have at most 64 characters
NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)?")
HINTS = ("a nudge", "the concept with a picture", "pseudocode", "a worked example")
EXERCISE_KEYS = ("exercise", "defines", "minutes", "difficulty", "hints", "why", "tags")
MINUTES, DIFFICULTY = range(1, 61), range(1, 4)


def refuse(path, cell, what, expected, try_):
    """Raise an error about one cell."""
    about = f" ({cell.kind} {cell.about})" if cell.about else ""
    raise CourseError(f"{path.name}, line {cell.line}{about}: {what}", expected, try_)


def proofread(manuscript, before=()):
    """Check every rule, cell by cell, and return the manuscript; `before` holds the names of earlier modules."""
    known = set(before)
    seen: set[tuple[str, str | None]] = set()
    for cell in manuscript.cells:
        complain = partial(refuse, manuscript.path, cell)
        if cell.cell_type == "code":
            _check_code(cell, complain)
        if cell.kind == "exercise":
            _check_data(cell, complain)
            _check_defines(cell, known, complain)
            _check_docstrings(cell, complain)
        elif cell.kind == "predict":
            _check_prediction(cell, manuscript.module, seen, complain)
        elif cell.kind == "repair":
            _check_repair(cell, manuscript, complain)
        elif cell.kind == "check":
            if cell.about is not None and ("exercise", cell.about) not in seen:
                known = manuscript.exercises
                advice = near_misses(cell.about, known) if known else "move the cell down."
                complain(f"the exercise {cell.about!r} is not defined above.", "the id of an exercise above.", advice)
        seen.add((cell.kind, cell.about))
        if cell.kind in ("given", "exercise"):
            known.update(code_of(cell.source).names)
    for cell in manuscript.cells:
        if cell.kind == "exercise" and ("check", cell.about) not in seen:
            expected, advice = "a cell with the tag check below it.", f'check("{cell.about}")'
            refuse(manuscript.path, cell, "no cell checks this exercise.", expected, advice)
    return manuscript


def _check_code(cell, complain):
    try:
        ast.parse(plain_python(cell.source))
    except SyntaxError as error:
        says = f"line {error.lineno} of the cell is not valid Python ({error.msg})."
        complain(says, "Python, magics or shell commands.", "run the cell.")
    try:
        blank(cell.source)
    except CourseError as error:
        complain(str(error).splitlines()[0], f"`{BEGIN}` and `{END}` in pairs.", "add the missing marker.")
    if (BEGIN in cell.source or END in cell.source) != (cell.kind == "exercise"):
        says = "an exercise without a solution, or a solution outside an exercise."
        expected = f"`{BEGIN}` and `{END}` in each exercise cell, and nowhere else."
        complain(says, expected, "add the markers, or the metadata of the exercise.")
    if predictions(cell.source) and cell.kind != "predict":
        complain("the cell calls predict, but lacks the tag.", "the tag predict.", ":tags: [predict]")


def _check_data(cell, complain):
    data = cell.metadata
    for key in data:
        if key not in EXERCISE_KEYS:
            complain(f"invalid key {key!r} of an exercise.", ", ".join(EXERCISE_KEYS), near_misses(key, EXERCISE_KEYS))
    if not ID.fullmatch(cell.about):
        complain(f"invalid id {cell.about!r}.", "letters, digits, - and _, at most 40 characters.", "rename it.")
    for key, allowed in (("minutes", MINUTES), ("difficulty", DIFFICULTY)):
        value = data.get(key)
        if type(value) is not int or value not in allowed:
            expected = f"an integer from {allowed[0]} to {allowed[-1]}."
            complain(f"{key} is {value!r}.", expected, f"{key}: {allowed[-1] // 3}")
    if not isinstance(data.get("why"), str) or not data["why"].strip():
        complain("`why` is missing.", "why the answer works, and where it is used next.", "why: |")
    _check_hints(data.get("hints"), complain)


def _check_hints(hints, complain):
    number = len(hints) if isinstance(hints, list) else 0
    if number != len(HINTS):
        complain(f"the exercise has {number} hints.", "four: " + "; ".join(HINTS) + ".", "hints:")
    for number, hint in enumerate(hints, 1):
        data = {"text": hint} if isinstance(hint, str) else hint
        if not isinstance(data, dict) or not _is_hint(data):
            expected = "a string, or `text:` and `draw:` with code whose last line is an expression."
            complain(f"hint {number} is invalid.", expected, "quote a string that contains a colon.")


def _is_hint(data):
    if set(data) - {"text", "draw"} or not isinstance(data.get("text"), str) or not data["text"].strip():
        return False
    try:
        body = ast.parse(data.get("draw", "0")).body
    except (SyntaxError, TypeError):
        return False
    return bool(body) and isinstance(body[-1], ast.Expr)


def _check_defines(cell, known, complain):
    defines = cell.metadata.get("defines")
    if not isinstance(defines, list) or not defines:
        complain(f"defines is {defines!r}.", "a list of names.", "defines: [slope, Node.backward]")
    here = code_of(cell.source).names
    for name in defines:
        if not isinstance(name, str) or not NAME.fullmatch(name):
            complain(f"`defines` contains {name!r}.", "a name, or Class.method.", "slope, Node.backward")
        owner = name.split(".")[0]
        if owner not in known and owner not in here:
            says = f"`defines` contains {name}, but {owner} is not defined yet."
            expected = "a name defined in this cell, in a given or exercise cell above, or in an earlier module."
            complain(says, expected, near_misses(owner, {*known, *here}))
        if name not in here:
            complain(f"the solution does not define {name}.", "the names in `defines`.", near_misses(name, here))


def _check_docstrings(cell, complain):
    """Check that every function and class that the student completes has a docstring in its stub."""
    found = code_of(blank(cell.source)).definitions
    functions = {each.name: each.node for each in found if each.how in ("def", "class")}
    for name in cell.metadata["defines"]:
        own = [each for each in found if each.name == name]
        if not own:
            expected = "the signature and the docstring above the solution."
            complain(f"the stub does not contain {name}.", expected, f"put {BEGIN} below them.")
        nodes = [own[-1].node]
        if own[-1].how == "attach":
            used = {node.id for node in ast.walk(own[-1].node) if isinstance(node, ast.Name)}
            nodes = [functions[each] for each in used & set(functions)]
        for node in nodes:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not ast.get_docstring(node):
                complain(f"{name} has no docstring.", "a docstring above the solution.", '"""Return the slope."""')


def _check_prediction(cell, module, seen, complain):
    if len(predictions(cell.source)) != 1 or not str(cell.about).startswith(f"{module}."):
        advice = f"one call of predict, with an id that starts with {module}."
        complain("the cell contains no valid prediction.", f'one line `predict("{module}.1a", answer)`.', advice)
    if not ID.fullmatch(cell.about.replace(".", "-")):
        complain(f"invalid id {cell.about!r}.", "letters, digits, . - and _, at most 40 characters.", "rename it.")
    if ("predict", cell.about) in seen:
        complain("duplicate prediction.", "a unique id.", "rename one of the two.")


def _check_repair(cell, manuscript, complain):
    here = code_of(cell.source).names
    if cell.about not in here:
        says = f"the cell does not define {cell.about!r}."
        complain(says, "the name of what is wrong.", near_misses(cell.about, here))
    same = [each.kind for each in manuscript.cells if each.about == cell.about and each.kind in ("exercise", "repair")]
    if len(same) > 1:
        complain("duplicate name.", "a name of its own for each exercise and repair.", "rename one of the two.")
