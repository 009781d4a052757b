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


def module_files(chosen) -> dict[str, ModuleFile]:
    """Return the files of modules, in order, by the number of the module."""
    files: dict[str, ModuleFile] = {}
    for each in chosen:
        files[each.module.id] = _file(each, [files[number] for number in each.earlier])
    return files


def helper_files(texts):
    """Return the files that the modules' files need, by name: to share names, and to replace pictures."""
    drawing = {f"{DRAWING}.py": DRAWING_TEXT} if any(f"from .{DRAWING} import" in text for text in texts) else {}
    return {f"{HELPERS}.py": HELPERS_TEXT} | drawing


def _file(each, earlier):
    sources = [cell.source if cell.exercise else given_text(cell.source) for cell in each.cells]
    texts = [(cell, text_of(source, cell.exercise)) for cell, source in zip(each.cells, sources)]
    nodes = [node for _, text in texts for node in (code_of(text).tree or ast.Module([], [])).body]
    bound = list(dict.fromkeys(name for node in nodes for name in bound_names(node) if name != "*"))
    made = [node for node in nodes if not isinstance(node, ast.Import | ast.ImportFrom)]
    defined = [name for name in bound if name in {each for node in made for each in bound_names(node)}]
    futures = sorted(set().union(*(future_names(cell.source) for cell in each.cells)))
    before = {name for one in earlier for name in one.bound}
    of_course = {name for part in each.module.parts for name in part.names}
    again = [name for name in defined if name in before & of_course]  # a helper of an answer is for its module alone
    lines = [_head(each, futures), *(f"from .{one.name} import *  # noqa: F403" for one in earlier)]
    lines += [f"from . import {HELPERS}", "", f"mine = {HELPERS}.earlier(globals())"] if earlier else []
    lines += ["", f"__all__ = {listed(bound)}"]
    lines += [f"\n\n# {_heading(cell)}\n\n{text.strip(chr(10))}" for cell, text in texts if text.strip()]
    lines += [*(_ending(again, earlier) if again else []), ""]
    return ModuleFile(each.file, "\n".join(lines), tuple(defined), tuple(bound))


def _head(each, futures):
    count = sum(cell.whose == YOURS for cell in each.exercises)
    title = f"Module {each.module.id}, {each.module.name.replace('-', ' ')}: {count} of {len(each.exercises)} answers"
    others = [f"{cell.exercise} ({cell.status})" for cell in each.exercises if cell.whose != YOURS]
    head = f'"""{title} are yours.'
    if others:
        said = f"The reference answers of the course are used for {', '.join(others)}."
        head = "\n".join([head, "", *textwrap.wrap(said, 118), ""])
    return f'{head}"""\n' + (f"\nfrom __future__ import {', '.join(futures)}\n" if futures else "")


def _heading(cell):
    if cell.exercise is None:
        return "given"
    if cell.whose == YOURS:
        return f"{cell.exercise}: yours"
    return f"{cell.exercise}: the reference answer of the course (yours: {cell.status})"


def listed(names):
    """Return names as a list in Python."""
    text = ", ".join(f'"{name}"' for name in names)
    return f"[{text}]" if len(text) < 100 else f"[\n{indented(text, 114)},\n]"


def indented(text, width):
    """Return a text in indented lines."""
    return textwrap.indent("\n".join(textwrap.wrap(text, width)), "    ")


def _ending(again, earlier):
    files = ", ".join(f'"{one.name}"' for one in earlier)
    names = ", ".join(f'"{name}"' for name in again)
    said = "\n".join(textwrap.wrap(f"defined again here, for earlier code, too: {', '.join(again)}", 117))
    call = indented(f"again=[{names}], files=[{files}],", 115)
    return [f"\n\n{textwrap.indent(said, '# ')}\n", f"{HELPERS}.define_again(\n    globals(),\n{call}\n)"]
