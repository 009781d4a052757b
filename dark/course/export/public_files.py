"""The public files of a package: each name from where it is defined last, in a file with a good name.

An operation stands in `nodes`, any other name in the file of its module's subject. Of the modules about networks,
optimizers and losses have files of their own: what the framework of the course has in its parts of these names.
"""

import ast
import textwrap

from dark.course.judging.implementation import reference
from dark.course.lessons.code import code_of

__all__ = ["public_files", "public_names"]

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
    "monitor": "Monitors and notes of trainings",
    "sequences": "Networks for sequences",
    "distributed": "Training on many processes",
    "speed": "Faster operations",
}


def public_names(chosen, files):
    """Map each public name to its public file and the file of the module that defines it last.

    Public are functions, classes and the values that exercises ask for; not the functions that became methods of
    a class, and not what begins with an underscore.

    Returns
    -------
    dict of str to (str, str)
    """
    found = {}
    for each in chosen:
        taken = [name for name in _public(each) if name in files[each.module.id].bound]
        for name in taken:
            found[name] = _place(name, each), files[each.module.id].name
    return found


def public_files(names, exercises):
    """Return the texts of the public files and of `__init__`, by file name.

    Parameters
    ----------
    names : dict
        As `public_names` returns it.
    exercises : list of str
        The names of the files of the modules, in order: importing the package runs all of them, so that each class
        has all of its methods.
    """
    texts = {}
    for place in dict.fromkeys(place for place, _ in sorted(names.values())):
        origins = {}
        for name, (where, origin) in sorted(names.items()):
            if where == place:
                origins.setdefault(origin, []).append(name)
        title = TITLES.get(place, f"What module {place.replace('_', ' ')} defines")
        listed = sorted(name for group in origins.values() for name in group)
        imports = [_import(origin, group) for origin, group in sorted(origins.items())]
        texts[f"{place}.py"] = "\n".join([f'"""{title}."""', "", *imports, "", f"__all__ = {_wrapped(listed)}", ""])
    places = sorted(file.removesuffix(".py") for file in texts)
    listed = sorted([*places, *(name for name in names if name not in places)])
    init = ['"""Your framework: every name from where your course defined it last."""', ""]
    init += [f"from . import {file}  # noqa: F401" for file in exercises] + [""]
    init += [_import("", places)] if places else []
    for place in places:
        group = sorted(name for name, (where, _) in names.items() if where == place and name not in places)
        init += [_import(place, group)] if group else []
    texts["__init__.py"] = "\n".join([*init, "", f"__all__ = {_wrapped(listed)}", ""])
    return texts


def _public(each):
    attached = _attached(each)
    for cell in each.cells:
        for definition in code_of(cell.source).definitions:
            name, how = definition.name, definition.how
            if "." in name or name.startswith("_") or how == "import" or name in attached:
                continue
            if how in ("def", "class") or name[0].isupper() or _is_asked_for(name, cell, each):
                yield name


def _is_asked_for(name, cell, each):
    return cell.exercise is not None and name in each.module.exercises[cell.exercise].defines


def _attached(each):
    """Return the functions of a module whose first argument is an instance or a class: they became methods."""
    trees = [code_of(cell.source).tree for cell in each.cells]
    functions = [node for tree in trees if tree for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {node.name for node in functions if node.args.args and node.args.args[0].arg in ("self", "cls")}


def _place(name, each):
    subject = SUBJECTS.get(each.module.name, each.module.name.replace("-", "_"))
    if name in _operations(each):
        return "nodes"
    if subject != "nn":
        return subject
    return next((file for part, file in PARTS.items() if name in getattr(reference(), part).__all__), subject)


def _operations(each):
    """Return the operations that a module defines, and the functions that apply them."""
    trees = [tree for cell in each.cells if (tree := code_of(cell.source).tree)]
    nodes = [node for tree in trees for node in tree.body]
    classes = {
        node.name
        for node in nodes
        if isinstance(node, ast.ClassDef) and "Operation" in {getattr(base, "id", None) for base in node.bases}
    }
    applied = {f"{name}.apply" for name in classes}
    calls = {
        node.name
        for node in nodes
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(inner, ast.Call) and ast.unparse(inner.func) in applied for inner in ast.walk(node))
    }
    return classes | calls


def _import(origin, names):
    line = f"from .{origin} import {', '.join(names)}"
    if len(line) <= 118:
        return line
    return (
        f"from .{origin} import (\n"
        + textwrap.indent("\n".join(textwrap.wrap(", ".join(names) + ",", 114)), "    ")
        + "\n)"
    )


def _wrapped(names):
    text = ", ".join(f'"{name}"' for name in names)
    return (
        f"[{text}]"
        if len(text) < 100
        else "[\n" + textwrap.indent("\n".join(textwrap.wrap(text, 114)), "    ") + ",\n]"
    )
