"""`show_class("Node")`: a class with all methods that cells have attached to it by `Node.backward = backward`."""

import ast
import re
import textwrap
from dataclasses import dataclass, field

from dark.course.lessons.blank import BEGIN, END
from dark.course.lessons.code import code_of, span
from dark.errors import CourseError, near_misses

DECORATORS = ("classmethod", "staticmethod", "property")


@dataclass
class _Class:
    """The source of a class, and the source of its attached members by name."""

    source: str
    attached: dict[str, str] = field(default_factory=dict)


def assembled_class(name, cells):
    """Assemble a class from the sources of cells, in the order in which they ran; at least one must define it."""
    classes = _classes(cells)
    if name not in classes:
        says = f"{name}: no cell of this session defines a class with that name."
        advice = near_misses(name, classes) if classes else "run the cell that defines the class first"
        raise CourseError(says, "a class whose cell you have run in this session.", advice)
    return _printed(classes[name])


def class_names(cells):
    """Return the names of the classes that the cells define."""
    return tuple(_classes(cells))


def _classes(cells):
    """Return the classes by name, after all statements of the cells."""
    classes: dict[str, _Class] = {}
    functions: dict[str, str] = {}
    for cell in cells:
        code = code_of("\n".join(line for line in cell.splitlines() if line.strip() not in (BEGIN, END)))
        for statement in code.tree.body if code.tree else ():
            first, last = span(statement)
            text = textwrap.dedent("\n".join(code.plain.splitlines()[first:last]))
            match statement:
                case ast.ClassDef(name=name):
                    classes[name] = _Class(text)
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    functions[name] = text
                case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=name)], value=value):
                    if owner in classes:
                        classes[owner].attached.pop(name, None)  # the member attached last is printed last
                        classes[owner].attached[name] = _member(name, value, functions)
    return classes


def _member(name, value, functions):
    """Convert `Class.name = value` to a member in the body of the class."""
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
    """Return the source of a class: its body without replaced methods, then the attached members."""
    statement = ast.parse(written.source).body[0]
    lines = written.source.splitlines()
    if statement.body[0].lineno == statement.lineno:  # `class A: pass`
        lines = ast.unparse(statement).splitlines()
        statement = ast.parse("\n".join(lines)).body[0]
    for member in reversed(statement.body):
        if getattr(member, "name", None) in written.attached:
            first, last = span(member)
            del lines[first:last]
    body = "\n".join(lines).rstrip()
    blocks = [textwrap.indent(block, "    ") for block in written.attached.values()]
    return "\n\n".join([body, *blocks]) + "\n"
