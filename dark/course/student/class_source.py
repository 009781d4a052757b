"""`show_class("Node")`: a class that was written over many cells, put together as one source.

In the notebook a method is written in a cell of its own and attached by `Node.backward = backward`.
Here the class's own body and everything attached to it since are printed as one class.
"""

import ast
import re
import textwrap
from dataclasses import dataclass, field

from dark.course.lessons.blank import BEGIN, END
from dark.course.lessons.names import plain_python
from dark.errors import CourseError, near_misses

__all__ = ["assembled_class", "class_names"]

DECORATORS = ("classmethod", "staticmethod", "property")


@dataclass
class _Class:
    """A class as written, and the blocks of source attached to it since, by name."""

    source: str
    attached: dict = field(default_factory=dict)


@dataclass
class _Scope:
    """What the cells have defined up to here, by name."""

    classes: dict = field(default_factory=dict)
    functions: dict = field(default_factory=dict)


def assembled_class(name, cells):
    """Put a class together from the cells in the order in which they ran.

    Parameters
    ----------
    name : str
        The name of the class.
    cells : iterable of str
        The sources of the cells; what is not Python is passed over.

    Returns
    -------
    str
        The source of one class.

    Raises
    ------
    CourseError
        If no cell writes that class.

    Examples
    --------
    >>> cells = ["class A:\\n    x = 1", "def two(self):\\n    return 2", "A.two = two"]
    >>> print(assembled_class("A", cells), end="")
    class A:
        x = 1
    <BLANKLINE>
        def two(self):
            return 2
    """
    classes = _run(cells).classes
    if name not in classes:
        raise CourseError(
            f"{name}: no cell of this session writes a class of that name.",
            "a class that you have written and run here.",
            near_misses(name, classes) if classes else "run the cell that begins with 'class', then ask again",
        )
    return _printed(classes[name])


def class_names(cells):
    """Name the classes that the cells write.

    Examples
    --------
    >>> class_names(["class A: pass", "x = 1"])
    ('A',)
    """
    return tuple(_run(cells).classes)


def _run(cells):
    """Follow the cells, statement by statement."""
    scope = _Scope()
    for cell in cells:
        plain = plain_python(cell).splitlines()
        source = "\n".join(line for line in plain if line.strip() not in (BEGIN, END))
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError):
            continue
        lines = source.splitlines()
        for statement in tree.body:
            _take(statement, lines, scope)
    return scope


def _take(statement, lines, scope):
    """Note a class, a function, or something attached to a class."""
    match statement:
        case ast.ClassDef(name=name):
            scope.classes[name] = _Class(_text(statement, lines))
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            scope.functions[name] = _text(statement, lines)
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=name)], value=value):
            if owner in scope.classes:
                block = _member(name, value, scope.functions)
                # Out and in again: what was attached last is printed last.
                scope.classes[owner].attached.pop(name, None)
                scope.classes[owner].attached[name] = block


def _text(statement, lines):
    """Give the lines of a statement, its decorators included, without its indentation."""
    first = min([statement.lineno, *(d.lineno for d in statement.decorator_list)])
    return textwrap.dedent("\n".join(lines[first - 1 : statement.end_lineno]))


def _member(name, value, functions):
    """Write `Class.name = value` as it would stand in the body of the class."""
    decorator, inner = "", value
    match value:
        case ast.Call(func=ast.Name(id=wrapper), args=[ast.Name() as inner], keywords=[]):
            decorator = f"@{wrapper}\n" if wrapper in DECORATORS else ""
    bare = inner is value or decorator
    if bare and isinstance(inner, ast.Name) and inner.id in functions:
        source = functions[inner.id]
        return decorator + re.sub(rf"\bdef {inner.id}\b", f"def {name}", source, count=1)
    return f"{name} = {ast.unparse(value)}"


def _printed(written):
    """Print a class: its body without the methods that were replaced, then what was attached."""
    statement = ast.parse(written.source).body[0]
    lines = written.source.splitlines()
    if statement.body[0].lineno == statement.lineno:  # `class A: pass`
        lines = ast.unparse(statement).splitlines()
        statement = ast.parse("\n".join(lines)).body[0]
    for member in reversed(statement.body):
        if getattr(member, "name", None) in written.attached:
            first = min([member.lineno, *(d.lineno for d in member.decorator_list)])
            del lines[first - 1 : member.end_lineno]
    body = "\n".join(lines).rstrip()
    blocks = [textwrap.indent(block, "    ") for block in written.attached.values()]
    return "\n\n".join([body, *blocks]) + "\n"
