"""The body of a question as code for another process, with the helpers that it uses, but not its name and docstring."""

import ast
import builtins
import marshal
from copy import deepcopy
from functools import lru_cache
from pathlib import Path

from dark.course.exams.exam import QUESTIONS_IMPORT
from dark.errors import CourseError

NAME = "question"  # of each body, in place of its own
FILENAME = "<question>"  # in a traceback; the line numbers refer to the file of questions
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def body_code(question):
    """Compile the body of a question, and all that it uses of its file, into a code object that defines `question`."""
    path = Path(question.body.__code__.co_filename)
    if "<locals>" in question.body.__qualname__ or not path.is_file():
        says = f"the question {question.name} is not at the top level of a file."
        expected = "a function of a file of questions, which can be sent to another process."
        raise CourseError(says, expected, "move it to tests/exams/questions.")
    return _code(path, question.body.__name__, path.stat().st_mtime_ns)


@lru_cache(maxsize=1024)
def _code(path, name, changed):
    statements, users = _statements(path, changed)
    needed, names = set(), [name]
    while names:
        for place in users.get(names.pop(), ()):
            if place not in needed:
                needed.add(place)
                used = {node.id for node in ast.walk(statements[place]) if isinstance(node, ast.Name)}
                names += [name for name in used if not hasattr(builtins, name)]
    chosen = [_Nameless(name).visit(deepcopy(statements[place])) for place in sorted(needed)]
    tree = ast.fix_missing_locations(ast.Module(chosen, []))
    return marshal.dumps(compile(tree, FILENAME, "exec", dont_inherit=True, optimize=0))


@lru_cache(maxsize=32)
def _statements(path, _changed):
    """Return the statements of a file, bare, and for each name the places that bind it."""
    found: list[ast.AST] = []
    places: dict[str, list[int]] = {}
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        bare = _Bare().visit(statement)
        for name in _bound(bare) if bare else ():
            places.setdefault(name, []).append(len(found))
        if bare:
            found.append(bare)
    return found, places


class _Bare(ast.NodeTransformer):
    """Removes decorators of questions, draws and other annotations, and the import of the building blocks."""

    def visit_FunctionDef(self, node):
        node.decorator_list = [each for each in node.decorator_list if "exam.question" not in ast.unparse(each)]
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node):
        node.annotation = None
        return node

    def visit_ImportFrom(self, node):
        if node.module != QUESTIONS_IMPORT:
            return node
        renamed = [alias for alias in node.names if alias.asname]
        lines = [ast.parse(f"{alias.asname} = {alias.name}").body[0] for alias in renamed]
        return ast.If(ast.Constant(True), lines, []) if lines else None


class _Nameless(ast.NodeTransformer):
    """Gives the body of a question the name `question`, and removes all docstrings."""

    def __init__(self, name):
        self._name = name

    def visit_FunctionDef(self, node):
        node.name = NAME if node.name == self._name else node.name
        return self.visit_ClassDef(node)

    def visit_ClassDef(self, node):
        if ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        return self.generic_visit(node)

    visit_AsyncFunctionDef = visit_ClassDef

    def visit_Name(self, node):
        node.id = NAME if node.id == self._name else node.id
        return node


def _bound(statement):
    """Return the names that a statement binds at the top level."""
    if isinstance(statement, FUNCTIONS):
        return [statement.name]
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return [(alias.asname or alias.name).partition(".")[0] for alias in statement.names]
    inner = [node for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    return [node.id for node in inner]
