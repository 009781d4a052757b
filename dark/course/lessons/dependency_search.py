"""The dependencies of an answer: the statements it refers to, in its own and in other cells; all others are trials."""

import ast
import builtins
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property

from dark.course.lessons.cells import Statement

MOST_CHANGES = 200  # largest number of statements examined because they may modify a dependency


class Pool:
    """An index of all statements of a student's notebook, in its order, by name."""

    def __init__(self, statements):
        self.binding, self.changing, self.attaching = (defaultdict(list) for _ in range(3))
        self.classes: set[str] = set()
        for each in statements:
            for found in each.definitions:
                if found.how == "class":
                    self.classes.add(found.name)
                elif found.how == "attach":
                    self.attaching[found.name.split(".")[1]].append((found.name, each))
            for name in each.binds:
                self.binding[name].append(each)
            for name in each.changes:
                self.changing[name].append(each)


@dataclass
class Search:
    """The search for the dependencies of an answer."""

    pool: Pool
    home: set  # the cells of the answer; these are searched first
    known: set  # names that the rest of the module provides
    answered: set  # names that the answer itself defines
    left_out: set = field(default_factory=set)  # statements that must not be part of the answer
    seeds: list = field(default_factory=list)  # the statements that define the names of the exercise

    def needed(self):
        """Return the statements that define the names of the exercise, all they refer to, and all that modifies it."""
        found: set[Statement] = set()
        examined: set[Statement] = set()
        more = list(self.seeds)
        while more:
            found |= self._reached(more, found)
            changes = sorted(set(self._changes(found)) - examined, key=lambda each: (each.cell, each.first))
            changes = changes[:MOST_CHANGES]
            examined.update(changes)
            more = [each for each in changes if len(examined) <= MOST_CHANGES and self._can_run(each, found)]
        return found

    def _reached(self, seeds, found):
        reached, waiting = set(), list(seeds)
        while waiting:
            each = waiting.pop()
            if each not in found and each not in reached:
                reached.add(each)
                waiting += [other for name in each.refers for other in self._bindings(name)]
                attached = [name for name in self.pool.attaching if name in each.text and name in each.attributes]
                waiting += [other for name in attached for other in self._attachments(name)]
        return reached

    def _bindings(self, name):
        """Return the statements that bind a name: all in the answer's cells, else the last one elsewhere."""
        options = [each for each in self.pool.binding.get(name, ()) if each not in self.left_out]
        home = [each for each in options if each.cell in self.home]
        if name in self.known:
            return [each for each in home if self._redefines(each, name)]
        if home or options or hasattr(builtins, name):
            return home or _last_written(options)
        return self._stars

    def _redefines(self, statement, name):
        """Return whether a statement in the answer's cell defines a name of other code again, for the answer.

        A value counts only above the answer: below, `mean = mean(x)` is a trial. A class that receives methods of the
        exercise stays the one that all code uses.
        """
        defined = {each.how for each in statement.definitions if each.name == name}
        owners = {each.split(".")[0] for each in self.answered if "." in each}
        if not defined or name in owners or statement.is_unwritten:
            return False
        if statement.imports_reference or statement.only_renames_reference:
            return False
        is_above = any(each.cell == statement.cell and statement.first < each.first for each in self.seeds)
        return "value" not in defined or is_above

    @cached_property
    def _stars(self):
        return [each for each in self.pool.binding.get("*", ()) if not each.imports_reference]

    def _attachments(self, attribute):
        """Return the statements that attach a helper method of that name to a class."""
        names = self.known | self.answered
        options = [
            each
            for name, each in self.pool.attaching.get(attribute, ())
            if name not in names and name.split(".")[0] in names | self.pool.classes and each not in self.left_out
        ]
        return [each for each in options if each.cell in self.home] or _last_written(options)

    def _changes(self, found):
        """Yield later statements that may modify a dependency, or a class of the answer."""
        for each in found:
            for other in (other for name in each.binds for other in self.pool.changing.get(name, ())):
                is_below = (other.cell, other.first) > (each.cell, each.first)
                is_helper_of_answer = each.cell in self.home and other.cell not in self.home
                is_import = all(isinstance(node, ast.Import | ast.ImportFrom) for node in each.nodes)
                is_lookup = is_import and not isinstance(other.nodes[0], ast.Expr)  # `y = math.log(2)`
                if is_below and not is_helper_of_answer and not is_lookup:
                    yield other
        for owner in {name.split(".")[0] for name in self.answered if "." in name}:
            yield from (other for other in self.pool.changing.get(owner, ()) if other.cell in self.home)

    def _can_run(self, statement, found):
        """Return whether all names that a statement refers to are defined; the names of a trial may not be."""
        if statement in self.left_out:
            return False
        reached = self._reached([statement], found)
        if any(each.imports_reference for each in reached):
            return False
        there = self.known.union(*(each.binds for each in found | reached))
        wanted = {name for each in reached for name in each.refers}
        return "*" in there or all(name in there or hasattr(builtins, name) for name in wanted)


def _last_written(options):
    """Return the last statement, preferably one that is not a stub."""
    written = [each for each in options if not each.is_unwritten]
    return (written or options)[-1:]
