"""The questions and judges of a module as files of a package's tests, with the reference's answers as their data."""

import ast
import builtins
import gzip
import json
import re
from collections import defaultdict
from pathlib import Path

from dark.course.exams import build, trace
from dark.course.exams.differences import compare
from dark.course.exams.exam import QUESTIONS_IMPORT
from dark.course.exams.plain import encode
from dark.course.exams.questions import load_exam
from dark.course.export.asking import check
from dark.course.judging.asking.sheet import sheets_of
from dark.course.judging.outcome import answer_of
from dark.course.lessons.code import span

SUPPORT = (check, encode, compare, trace)  # their files
EXAMS = QUESTIONS_IMPORT
FROM = {"trace": "trace", "build": "expressions"}  # names that questions import, and their files here
NOTE = "# From the course; MIT License, the dark contributors."
SEED = 0  # of the inputs, as in `dark check`
ASKED = """\
Each gets the code that is asked, in an argument of the name that the course gives it, and inputs;
it returns plain data, which `asking` compares with what is stored in `expected`."""


def questions_text(exam, module):
    """Return the file of the questions of a module: a function for each, which gets the code under test as `dark`."""
    source = Path(exam.path).read_text(encoding="utf-8")
    said = f"The questions about module {module.id}, {module.name.replace('-', ' ')}.\n\n{ASKED}"
    return _reduced(source, list(exam.questions), said)


def judges_text(exam, module):
    """Return the file of the judges of questions with several right answers, `JUDGES` by question; None without any."""
    judges = {name: each.judge for name, each in exam.questions.items() if getattr(each, "judge", None)}
    if not judges:
        return None
    path = next(iter(judges.values())).__code__.co_filename
    said = f"The judges of the questions about module {module.id} that have several right answers."
    text = _reduced(Path(path).read_text(encoding="utf-8"), [each.__name__ for each in judges.values()], said)
    lines = "".join(f'    "{name}": {each.__name__},\n' for name, each in judges.items())
    return f"{text}\n\nJUDGES = {{\n{lines}}}\n"


def support_files():
    """Return the sources of the files that ask the questions, by name: the course's files, with other imports."""
    texts = {}
    for function in SUPPORT:
        path = Path(function.__code__.co_filename)
        texts[path.name] = re.sub(rf"^from {EXAMS}\.", "from .", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    source = Path(build.__code__.co_filename).read_text(encoding="utf-8")
    texts["expressions.py"] = _reduced(source, ["build"], "Graphs that questions build of expressions.")
    return {name: f"{NOTE}\n{text}" for name, text in texts.items()}


def _reduced(source, wanted, docstring):
    """Return a source with only the statements that some functions use, without the course's decorators and draws."""
    tree, lines = ast.parse(source), source.encode().split(b"\n")
    kept, text, before = _reached(tree, wanted), "", None
    for statement in tree.body:
        if statement in kept:
            text += _gap(before, statement) + _bare(statement, lines)
            before = statement
    end = "\n" if "\n" in docstring else ""
    return f'"""{docstring}{end}"""\n\n{text.strip()}\n'


def _gap(before, statement):
    if any(isinstance(each, ast.FunctionDef | ast.ClassDef) for each in (before, statement)):
        return "\n\n\n"
    is_adjacent = before is not None and before.end_lineno + 1 == statement.lineno
    return "\n" if is_adjacent else "\n\n"


def _reached(tree, wanted):
    """Return the statements that bind these names, and all that they use."""
    places = defaultdict(list)
    for statement in tree.body:
        for name in _bound(statement):
            places[name].append(statement)
    found, waiting = set(), list(wanted)
    while waiting:
        for statement in places.get(waiting.pop(), ()):
            if statement not in found:
                found.add(statement)
                waiting += _used(statement)
    return found


def _bound(statement):
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return [(alias.asname or alias.name).partition(".")[0] for alias in statement.names]
    return [node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]


def _used(statement):
    """Return the names that a statement uses apart from decorators of the course and annotations."""
    left_out = {id(inner) for node in _removed(statement) for inner in ast.walk(node)}
    names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and id(node) not in left_out}
    return [name for name in names if not hasattr(builtins, name)]


def _removed(statement):
    """Yield the decorators and annotations that a file of tests does not have."""
    for node in ast.walk(statement):
        if isinstance(node, ast.FunctionDef):
            for each in node.decorator_list:
                if ast.unparse(each).startswith(("exam.", "answers.")):
                    yield each
            yield from filter(None, [node.returns])
        if isinstance(node, ast.arg) and node.annotation:
            yield node.annotation
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            yield node.annotation


def _bare(statement, lines):
    """Return the text of a kept statement, with the comment right above it."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return "\n".join(_import(statement))
    own, (first, last) = list(lines), span(statement)
    for node in sorted(_removed(statement), key=lambda node: (node.lineno, node.col_offset), reverse=True):
        start, stop = node.lineno - 1, node.end_lineno - 1
        before, after = own[start][: node.col_offset], own[stop][node.end_col_offset :]
        if before.strip() == b"@":
            own[start : stop + 1] = []
        else:
            own[start : stop + 1] = [before.rstrip().removesuffix(b"->").removesuffix(b":").rstrip() + after]
    stop = last + len(own) - len(lines)
    while first and own[first - 1].startswith(b"#"):
        first -= 1
    return b"\n".join(own[first:stop]).decode()


def _import(statement):
    """Return the lines of an import: names of the course's exams come from files beside the questions."""
    if not (isinstance(statement, ast.ImportFrom) and (statement.module or "").startswith(EXAMS)):
        return [ast.unparse(statement)]
    return [
        f"from .{FROM[alias.name]} import {alias.name}" + (f" as {alias.asname}" if alias.asname else "")
        for alias in statement.names
        if alias.name in FROM
    ]


def expected_answers(module) -> dict[str, dict]:
    """Return the stored answers of a module, as data of JSON, by question.

    Each has a list `asked` of inputs and ``{"returned": encoded data}``, or ``{"raised": name, "kinds": names}``.
    """
    exam, found = load_exam(module.id), {}
    for exercise in module.exercises:
        for sheet in sheets_of(exam, exercise, SEED):
            for row in sheet.rows:
                question, asked = row.question, [[drawn.inputs, _stored(drawn.expected)] for drawn in row.drawn]
                facts = {"exercise": exercise, "title": question.title, "tolerance": question.tolerance}
                found[question.name] = {**facts, "asked": asked}
    return found


def _stored(observation):
    if "raised" in observation:
        return {key: observation[key] for key in ("raised", "kinds") if key in observation}
    return {"returned": answer_of(observation)}


def packed(data):
    """Return data of JSON as a compressed file, the same bytes each time."""
    return gzip.compress(json.dumps(data, sort_keys=True, separators=(",", ":")).encode(), mtime=0)
