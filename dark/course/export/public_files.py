"""The public files of a package: each name from where it is defined last, in a file with a good name.

An operation stands in `nodes`, any other name in the file of its module's subject. Of the modules about networks,
optimizers and losses have files of their own: what the framework of the course has in its parts of these names.
"""

import ast
from dataclasses import dataclass

from dark.course.export.module_file import indented, listed
from dark.course.judging.implementation import reference
from dark.course.lessons.code import code_of

# of the modules about networks: the parts of the framework that have files of their own, the first that has the name
PARTS = {"optim": "optim", "losses": "losses", "nn": "nn", "operations": "nodes"}
SUBJECTS = {  # by the name of the module; a module that is not listed has a file of its own name
    "scalar-autodiff": "nodes",
    "trustworthy-gradients": "nodes",
    "arrays": "nodes",
    "networks": "nn",
    "data": "data",
    "engine": "engine",
    "metrics-and-resume": "engine",
    "convolutions": "nn",
    "contexts-and-executors": "contexts",
    "gans": "gan",
    "encoders-and-conditions": "gan",
    "monitor-and-notes": "monitor",
    "sequences": "sequences",
    "many-processes": "distributed",
    "speed": "speed",
}
TITLES = {
    "nodes": "Nodes, operations on them, and their gradients",
    "nn": "Layers and networks",
    "optim": "Optimizers",
    "losses": "Loss functions",
    "data": "Data sets, samplers and loaders",
    "engine": "The training loop: engines, events, metrics, checkpoints",
    "contexts": "Contexts and executors",
    "gan": "Adversarial networks and encoders",
    "monitor": "Monitors and notes of training runs",
    "sequences": "Networks for sequences",
    "distributed": "Training on many processes",
    "speed": "Faster operations",
}


@dataclass(frozen=True)
class Public:
    """A public name: its public file, and the module and the file that define it last."""

    name: str
    place: str
    module: str
    origin: str


def public_names(chosen, files) -> list[Public]:
    """Return the public names of a package, in order; the package itself has the first of each.

    Public are functions, classes and the values that exercises ask for; not the functions that became methods, and not
    what begins with an underscore. The last definition counts; only where a module that does not build on the other one
    defines a name, too, it means something else, and stands in the file of its own subject.
    """
    found: list[Public] = []
    for each in chosen:
        file = files[each.module.id]
        for name in dict.fromkeys(name for name in _public(each) if name in file.bound):
            others = [one for one in found if one.name == name]
            before = [one for one in others if one.module in each.earlier]
            place = _subject(each) if others and not before else _place(name, each)
            new = Public(name, place, each.module.id, file.name)
            if before:
                found[found.index(before[-1])] = new
            else:
                found.append(new)
    return found


def two_meanings(names):
    """Return the names in two public files, each with the files, the package's own file first."""
    places: dict[str, list[str]] = {}
    for one in names:
        places.setdefault(one.name, []).append(one.place)
    return {name: found for name, found in places.items() if len(found) > 1}


def public_files(names, exercises):
    """Return the texts of the public files and of `__init__`, by file name; importing it runs all module files."""
    texts = {}
    for place in sorted({one.place for one in names}):
        origins: dict[str, list[str]] = {}
        for one in sorted((one for one in names if one.place == place), key=lambda one: one.name):
            origins.setdefault(one.origin, []).append(one.name)
        title = TITLES.get(place, f"What module {place.replace('_', ' ')} defines")
        names_here = sorted({name for group in origins.values() for name in group})
        imports = [_import(origin, group) for origin, group in sorted(origins.items())]
        texts[f"{place}.py"] = "\n".join([f'"""{title}."""', "", *imports, "", f"__all__ = {listed(names_here)}", ""])
    return texts | {"__init__.py": _init(names, exercises)}


def _init(names, exercises):
    places = sorted({one.place for one in names})
    first: dict[str, str] = {}
    for one in names:
        if one.name not in places:
            first.setdefault(one.name, one.place)
    lines = ['"""Your framework: every name from where your course defined it last."""', ""]
    lines += [f"from . import {file}  # noqa: F401" for file in exercises] + [""]
    lines += [_import("", places)] if places else []
    for place in places:
        group = sorted(name for name, where in first.items() if where == place)
        lines += [_import(place, group)] if group else []
    return "\n".join([*lines, "", f"__all__ = {listed(sorted([*places, *first]))}", ""])


def _public(each):
    attached = _attached(each)
    for cell in each.cells:
        for definition in code_of(cell.source).definitions:
            name, how = definition.name, definition.how
            if "." in name or name.startswith("_") or how == "import" or name in attached:
                continue
            asked_for = each.module.exercises[cell.exercise].defines if cell.exercise else ()
            if how in ("def", "class") or name[0].isupper() or name in asked_for:
                yield name


def _attached(each):
    """Return the functions of a module whose first argument is an instance or a class: they became methods."""
    functions = [node for node in _statements(each) if isinstance(node, ast.FunctionDef)]
    return {node.name for node in functions if node.args.args and node.args.args[0].arg in ("self", "cls")}


def _statements(each):
    trees = [code_of(cell.source).tree for cell in each.cells]
    return [node for tree in trees if tree for node in tree.body]


def _place(name, each):
    subject = _subject(each)
    if name in _operations(each):
        return "nodes"
    if subject != "nn":
        return subject
    return next((file for part, file in PARTS.items() if name in getattr(reference(), part).__all__), subject)


def _subject(each):
    return SUBJECTS.get(each.module.name, each.module.name.replace("-", "_"))


def _operations(each):
    """Return the operations that a module defines, and the functions that apply them."""
    classes = [node for node in _statements(each) if isinstance(node, ast.ClassDef)]
    functions = [node for node in _statements(each) if isinstance(node, ast.FunctionDef)]
    found = {node.name for node in classes if "Operation" in {getattr(base, "id", None) for base in node.bases}}
    applied = {f"{name}.apply" for name in found}
    for node in functions:
        calls = [ast.unparse(inner.func) for inner in ast.walk(node) if isinstance(inner, ast.Call)]
        found |= {node.name} if not applied.isdisjoint(calls) else set()
    return found


def _import(origin, names):
    line = f"from .{origin} import {', '.join(names)}"
    if len(line) <= 118:
        return line
    return f"from .{origin} import (\n{indented(', '.join(names) + ',', 114)}\n)"
