"""The file of a module in a package: the given cells and the answers, in the order of the notebook."""

import ast
import textwrap
from dataclasses import dataclass

from dark.course.export.cell_text import DRAWING, future_names, text_of
from dark.course.export.chosen import YOURS
from dark.course.export.given_again import given_text
from dark.course.lessons.cells import bound_names
from dark.course.lessons.code import code_of

HELPERS = "_notebooks"
HELPERS_TEXT = '''\
"""The functions that all files of the modules share: they pass the names of a notebook on to later ones."""

import sys
from types import SimpleNamespace


def earlier(names):
    """Return what the modules before have defined as a namespace: `mine`, as a notebook has it."""
    return SimpleNamespace(**{name: value for name, value in names.items() if not name.startswith("__")})


def define_again(names, again, files):
    """Give earlier files the names that a module defines again: their code uses the new meaning, as in a notebook."""
    for file in files:
        vars(sys.modules[f"{names['__package__']}.{file}"]).update({name: names[name] for name in again})
'''
DRAWING_TEXT = '''\
"""An object that replaces the pictures of the course, which are not a part of this package."""


class Nothing:
    """Whatever is called on it, it does nothing."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *arguments, **options):
        return self


nothing = Nothing()
'''


@dataclass(frozen=True)
class ModuleFile:
    """The file of a module: its name, its source, and the names that it defines, without and with its imports."""

    name: str
    text: str
    defined: tuple[str, ...]
    bound: tuple[str, ...]


def module_files(chosen):
    """Return the files of modules, in order."""
    files: dict[str, ModuleFile] = {}
    for each in chosen:
        files[each.module.id] = _file(each, [files[number] for number in each.earlier])
    return files


def helper_files(texts):
    """Return the files that the modules' files need, by name: to share names, and to replace pictures."""
    drawing = {f"{DRAWING}.py": DRAWING_TEXT} if any(f"from .{DRAWING} import" in text for text in texts) else {}
    return {f"{HELPERS}.py": HELPERS_TEXT} | drawing


def _file(each, earlier):
    texts = [(cell, _text(cell)) for cell in each.cells]
    bound = list(dict.fromkeys(name for _, text in texts for name in _bound(text)))
    defined = [name for name in bound if name in {n for _, text in texts for n in _defined(text)}]
    futures = sorted(set().union(*(future_names(cell.source) for cell in each.cells)))
    before = {name for one in earlier for name in one.bound}
    of_course = {name for part in each.module.parts for name in part.names}
    again = [name for name in defined if name in before & of_course]  # a helper of an answer is for its module alone
    text = "\n".join(
        [
            _head(each, futures),
            *(f"from .{one.name} import *  # noqa: F403" for one in earlier),
            *([f"from . import {HELPERS}", "", f"mine = {HELPERS}.earlier(globals())"] if earlier else []),
            "",
            f"__all__ = {_listed(bound)}",
            *(f"\n\n# {_heading(cell)}\n\n{text.strip(chr(10))}" for cell, text in texts if text.strip()),
            *(_ending(again, earlier) if again else []),
            "",
        ]
    )
    return ModuleFile(each.file, text, tuple(defined), tuple(bound))


def _text(cell):
    return text_of(cell.source, cell.exercise) if cell.exercise else text_of(given_text(cell.source))


def _head(each, futures):
    count = sum(cell.whose == YOURS for cell in each.exercises)
    title = f"Module {each.module.id}, {each.module.name.replace('-', ' ')}: {count} of {len(each.exercises)} answers"
    others = [f"{cell.exercise} ({cell.status})" for cell in each.exercises if cell.whose != YOURS]
    lines = [f'"""{title} are yours.']
    if others:
        said = f"The reference answers of the course are used for {', '.join(others)}."
        lines += ["", *textwrap.wrap(said, 118)]
    lines += ['"""' if others else "", ""] if others else []
    head = "\n".join(lines) if others else f'{lines[0]}"""\n'
    return head + (f"\nfrom __future__ import {', '.join(futures)}\n" if futures else "")


def _heading(cell):
    if cell.exercise is None:
        return "given"
    if cell.whose == YOURS:
        return f"{cell.exercise}: yours"
    return f"{cell.exercise}: the reference answer of the course (yours: {cell.status})"


def _listed(names):
    text = ", ".join(f'"{name}"' for name in names)
    return (
        f"[{text}]"
        if len(text) < 100
        else "[\n" + textwrap.indent("\n".join(textwrap.wrap(text, 114)), "    ") + ",\n]"
    )


def _ending(again, earlier):
    files = ", ".join(f'"{one.name}"' for one in earlier)
    names = ", ".join(f'"{name}"' for name in again)
    said = "\n".join(textwrap.wrap(f"defined again here, for earlier code, too: {', '.join(again)}", 117))
    comment = textwrap.indent(said, "# ")
    call = textwrap.wrap(f"again=[{names}], files=[{files}],", 115)
    return [
        f"\n\n{comment}\n",
        f"{HELPERS}.define_again(\n    globals(),\n" + textwrap.indent("\n".join(call), "    ") + "\n)",
    ]


def _bound(text):
    tree = code_of(text).tree
    return [name for node in (tree.body if tree else ()) for name in bound_names(node) if name != "*"]


def _defined(text):
    """Return the names that a source binds by anything but an import."""
    tree = code_of(text).tree
    nodes = [node for node in (tree.body if tree else ()) if not isinstance(node, ast.Import | ast.ImportFrom)]
    return [name for node in nodes for name in bound_names(node)]
