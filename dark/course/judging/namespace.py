"""Namespaces built from the code cells of a module, also in the process of a student's code.

The label of a part tells whose code it is, and is its file name in tracebacks: ``exercise backward`` is the student's;
``reference backward``, ``given 3``, ``earlier 7`` (from an earlier module) and ``bug overwrites`` are the course's.
"""

import __future__

import ast
import linecache
from contextlib import suppress
from functools import lru_cache
from types import CodeType, ModuleType

from dark.course.judging.reference_use import binds_names, is_example, mentions, refuse_reference_use
from dark.course.lessons.imports import bind_stand_ins, stand_in
from dark.course.lessons.magics import plain_python
from dark.course.lessons.redefined import redefined_in

TRIALS = (ast.Expr, ast.If, ast.For, ast.While, ast.With, ast.Try, ast.Assert, ast.Match, ast.AugAssign, ast.Delete)


def assemble(labeled, extra=()) -> ModuleType:
    """Execute labeled sources, or code objects of the course, in one new namespace, extra ones last; raise errors."""
    implementation = ModuleType("implementation")
    namespace, earlier = vars(implementation), ModuleType("mine")
    namespace["__name__"] = "__main__"  # as in a notebook
    apart = []  # the namespaces of answers that define a name again for themselves, with these names
    for label, source in (*labeled, *extra):
        if label.startswith("exercise ") and (own := redefined_in(source)):
            space = dict(namespace)
            _execute_yours(label, source, space)
            namespace.update({name: value for name, value in space.items() if name not in own})
            apart.append((space, own))
        elif label.startswith("exercise "):
            _execute_yours(label, source, namespace)
        else:
            exec(source if isinstance(source, CodeType) else _compiled(label, source), namespace)
        for space, own in apart:
            space.update({name: value for name, value in namespace.items() if name not in own})
        if label.startswith("earlier "):  # what a notebook has as `mine`
            vars(earlier).update(namespace, __name__="mine")
            namespace["mine"] = earlier
    return implementation


@lru_cache(maxsize=512)
def _compiled(label, source):
    return compile(source, _register_lines(label, source), "exec")


def _register_lines(label, source):
    """Register a source that is not in a file, so that tracebacks can show its lines; return its name."""
    name = f"<{label}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    return name


def _execute_yours(label, source, namespace):
    """Execute a student's cell statement by statement; errors of trial statements are ignored.

    They define nothing, and may use names of other cells, which are not run here.
    """
    name = _register_lines(label, source)
    try:
        tree = ast.parse(source, name)
    except SyntaxError:
        tree = ast.parse(plain_python(source), name)
    defining = [each for each in tree.body if not isinstance(each, TRIALS) and not is_example(each, tree.body)]
    refuse_reference_use(defining)
    flags = _future_flags(tree)

    def execute(statement):
        made = ast.Module(body=[statement], type_ignores=[])
        exec(compile(made, name, "exec", flags, dont_inherit=True), namespace)

    namespace.setdefault("dark", stand_in("dark"))
    for statement in tree.body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            if left := bind_stand_ins(statement, namespace):
                execute(left)
        elif isinstance(statement, TRIALS):
            if not mentions(statement):
                with suppress(Exception):  # an error of a trial statement is not one of the exercise
                    execute(statement)
        elif isinstance(statement, ast.Assign) and binds_names(statement):
            if statement in defining:
                with suppress(NameError):
                    execute(statement)
        else:
            execute(statement)


def _future_flags(tree):
    """Return the compiler flags of the future statements of a cell, which hold for all of it."""
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    names = [alias.name for node in imports for alias in node.names]
    return sum({getattr(__future__, name).compiler_flag for name in names if hasattr(__future__, name)})
