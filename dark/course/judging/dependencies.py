"""The dependencies of an answer: the student's other exercises that it cannot run without.

With the reference's code it may fail, if it uses an additional method or another parameter of the student's.
"""

import ast
from functools import lru_cache
from typing import Any

from dark.course.lessons.code import code_of


def dependencies_of(module, exercise, sources):
    """Return the exercises that an answer uses, directly or not, and that the student defines differently, in order."""
    differing: dict[str, set[str]] = {}
    for name, each in module.exercises.items():
        if name != exercise and each.solution is not None and sources.get(name):
            mine, theirs = _interfaces(sources[name]), _interfaces(each.solution)
            differing[name] = {key for key in mine if mine[key] != theirs.get(key)}
    found, waiting = set(), [exercise]
    while waiting:
        tree = code_of(sources[waiting.pop()]).tree
        used = {getattr(node, "attr", getattr(node, "id", "")) for node in ast.walk(tree)} if tree else set()
        new = {name for name, names in differing.items() if name not in found and used & names}
        found |= new
        waiting += new
    return [name for name in module.exercises if name in found]


@lru_cache(maxsize=256)
def _interfaces(source):
    """Map each name that other code can use to its signature or value, without function bodies."""
    tree = code_of(source).tree
    interfaces: dict[str, list[Any]] = {}
    for name, form in _forms(tree) if tree else ():
        interfaces.setdefault(name, []).append(form)
    return interfaces


def _forms(tree):
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name, arguments):
                yield name, ast.dump(arguments)
            case ast.ClassDef(name, bases):
                yield name, [ast.dump(base) for base in bases] + [ast.dump(each) for each in node.decorator_list]
                methods = [each for each in node.body if isinstance(each, ast.FunctionDef)]
                yield name, [ast.dump(each.args) for each in methods if each.name == "__init__"]
                yield from _fields(node)
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield name, ""
    for node in tree.body:
        if isinstance(node, ast.Assign):
            yield from ((target.id, ast.dump(node.value)) for target in node.targets if isinstance(target, ast.Name))


def _fields(owner):
    """Yield the attributes of a class and of its instances, with their assigned values."""
    direct = {id(node) for node in owner.body}
    for node in ast.walk(owner):
        if isinstance(node, ast.Assign | ast.AnnAssign):
            form = ast.dump(node.value) if node.value else ""
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Attribute):
                    yield target.attr, form
                elif isinstance(target, ast.Name) and id(node) in direct:
                    yield target.id, form
