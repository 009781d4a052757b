"""`Rules`: the outputs of modules that a monitor records, each as a `Kind`."""

import re
from collections.abc import Callable
from enum import IntEnum
from fnmatch import fnmatchcase
from typing import Any, TypeAlias

from dark.checks import callable_with, describe, is_bool, is_integer
from dark.errors import ValueTypeError

Rule: TypeAlias = str | re.Pattern[str] | Callable[[str, Any, Any], Any]


class Kind(IntEnum):
    """How a monitor records an output of a module.

    ========  ================================================================================================
    IGNORE    0: nothing
    TYPE_I    1: keeps statistics of its values in training, over examples; they need no data
    TYPE_II   2: keeps its values for the examples of sample sets, computed in evaluation mode
    ========  ================================================================================================
    """

    IGNORE = 0
    TYPE_I = 1
    TYPE_II = 2


def kind_of(answer: Any, who: str) -> Kind:
    """Return the kind in the answer of a rule: a `Kind`, or its code 0, 1 or 2; also False for 0 and True for 1."""
    if is_bool(answer) or (is_integer(answer) and 0 <= answer <= 2):
        return Kind(int(answer))
    wanted = "Kind.IGNORE, Kind.TYPE_I or Kind.TYPE_II; or 0, 1 or 2."
    advice = "Kind.TYPE_I, for statistics; a function that decides must return one of them in every case."
    raise ValueTypeError(f"{who}: {describe(answer)} is not a kind of recording.", wanted, advice)


class Rules:
    """Rules in the order in which they were added; for each output, the first one that matches decides.

    Without rules, the outputs of modules without submodules are `Kind.TYPE_I`, but for those that repeat their inputs
    (`repeating`): dropout, flatten and identity. An output that no rule matches is ignored. A decision is made when a
    name appears first, and kept.
    """

    def __init__(self, repeating: tuple[type, ...] = (), who: str = "register_activation_filter") -> None:
        self._repeating, self._who = repeating, who
        self._rules: list[tuple[Rule, Kind]] = []
        self._decided: dict[str, Kind] = {}
        self.version = 0  # the number of rules, which tells whether one was added

    def add(self, rule: Rule, kind: Any = Kind.TYPE_I) -> None:
        """Add a rule after all others, see `Monitor.register_activation_filter`."""
        who = self._who
        if isinstance(rule, (str, re.Pattern)):
            if isinstance(rule, re.Pattern) and not isinstance(rule.pattern, str):
                raise _not_a_rule(rule, who)
        elif callable(rule):
            callable_with(rule, who, "rule", ("path", "module", "output"))
        else:
            raise _not_a_rule(rule, who)
        self._rules.append((rule, kind_of(kind, who)))
        self._decided.clear()
        self.version += 1

    def add_all(self, given: Any) -> None:
        """Add the rules of an argument: True for none, False for one that ignores all, a rule, or a list of them.

        In a list, each may be a pair of a rule and a kind.
        """
        if given is False:
            self.add("*", 0)
        for rule in given if isinstance(given, (list, tuple)) else () if isinstance(given, bool) else [given]:
            if isinstance(rule, (tuple, list)) and len(rule) == 2:
                self.add(*rule)
            else:
                self.add(rule)

    def kind(self, name: str, path: str, module: Any, output: Any) -> Kind:
        """Return the kind of recording of an output.

        `name` is the path of the module with the number of its call and the place of the output, if there are several.
        """
        key = name or path
        found = self._decided.get(key)
        if found is None:
            found = self._decided[key] = self.decide(name, path, module, output)
        return found

    def decide(self, name: str, path: str, module: Any, output: Any) -> Kind:
        """Return the answer of the first rule that matches, asked anew each time."""
        for rule, kind in self._rules:
            if isinstance(rule, str):
                if fnmatchcase(path, rule) or fnmatchcase(name, rule):
                    return kind
            elif isinstance(rule, re.Pattern):
                if rule.search(path) or rule.search(name):
                    return kind
            else:
                return kind_of(rule(path, module, output), f"the activation filter, for {path}")
        if self._rules or isinstance(module, self._repeating) or any(True for _ in module.children()):
            return Kind.IGNORE
        return Kind.TYPE_I

    def may_keep(self, path: str, module: Any, kind: Kind) -> bool:
        """Return whether an output of a module may be of this kind."""
        if not self._rules:
            return self.decide(path, path, module, None) is kind
        return any(found is kind or callable(rule) for rule, found in self._rules)


def _not_a_rule(rule, who):
    wanted = "a glob such as 'encoder.*', a compiled regular expression of strings, or a function."
    advice = "lambda path, module, output: Kind.TYPE_I."
    return ValueTypeError(f"{who}: {describe(rule)} is not a rule.", wanted, advice)
