"""Common mistakes of any exercise: rules that take a `Mistake`, and yield what is wrong and the next step."""

import ast
import math
import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, partial

from dark.course.judging.error_mistakes import OF_NODES, OF_VALUES, named_by, wrong_calls
from dark.course.judging.kept_state import kept_state
from dark.course.judging.source_mistakes import dropped_result, in_finally, in_loop, in_source, no_return
from dark.course.judging.verdict import OUT_OF_MEMORY, RIGHT, TIMED_OUT, TOO_MUCH_OUTPUT, Verdict
from dark.course.lessons.code import code_of

OPERATORS: dict[type, str] = {
    ast.Add: "__add__",
    ast.Sub: "__sub__",
    ast.Mult: "__mul__",
    ast.Div: "__truediv__",
    ast.Pow: "__pow__",
    ast.MatMult: "__matmul__",
    ast.USub: "__neg__",
}
NEARER = "Every iteration must bring its end nearer."
ONCE = "Visit each item once; `item in a_list` and `a_list.pop(0)` go through the whole list each time."


@dataclass(frozen=True)
class Mistake:
    """The evidence for the rules: an answer and its solution as syntax trees, and the verdict."""

    tree: ast.Module
    solution: ast.Module | None
    verdict: Verdict

    @cached_property
    def nodes(self):
        """All nodes of the answer."""
        return list(ast.walk(self.tree))

    @property
    def attributes(self):
        """The names of all attributes that the answer accesses."""
        nodes = [node for node in self.nodes if isinstance(node, ast.Attribute)]
        return {node.attr for node in nodes if isinstance(node.ctx, ast.Load)}

    @property
    def error(self):
        """The error of the first failing question, or None."""
        return self.verdict.failing.error

    def says(self, kind, pattern):
        """Match the message of the error if it is of that class; None otherwise."""
        return self.error and self.error.type == kind and re.search(pattern, self.error.message) or None

    @cached_property
    def raised_in(self):
        """The number and the source of the student's line that raised the error; (0, "") if unknown."""
        own = [line for line in self.error.lines if line["where"].startswith("exercise ")] if self.error else []
        return (own[-1]["line"], own[-1]["source"]) if own else (0, "")

    @property
    def line(self):
        """The number of that line."""
        return self.raised_in[0]

    @property
    def met_none(self):
        """Whether the error or the answer involves None."""
        answers = [difference.yours for difference in self.verdict.failing.differences]
        texts = [each for each in answers if isinstance(each, str)] + [self.error.message if self.error else ""]
        return None in answers or any("NoneType" in text for text in texts)


def find_mistake(source, solution, verdict, rules=None):
    """Return the first mistake by all, or certain, rules in an answer that is not right, and a next step; or None."""
    tree = code_of(source).tree
    if tree is None or verdict.failing is None:
        return None
    mistake = Mistake(tree, code_of(solution).tree if solution else None, verdict)
    return next((found for rule in rules or RULES for found in rule(mistake)), None)


def _misspelled(mistake):
    """An attribute that is asked for by one name and assigned by a similar one."""
    found = mistake.says("AttributeError", r"object has no attribute '(\w+)'")
    stored, wanted = (
        {each.attr for each in ast.walk(tree) if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store)}
        for tree in (mistake.tree, mistake.solution or ast.Module([], []))
    )
    for name in get_close_matches(found[1], stored - wanted - {found[1]}, n=1) if found else ():
        yield f"`.{found[1]}` is asked for, but it is `.{name}` that your code sets.", "Use one name for both."


def _too_early(mistake):
    """An attribute of a class that the cell asks for while it runs, such as `add = Add.apply`, and a later one sets."""
    found = mistake.says("AttributeError", r"type object '(\w+)' has no attribute '(\w+)'")
    asked = ".".join(found.groups()) if found else ""
    if asked in [ast.unparse(each.value) for each in mistake.tree.body if isinstance(each, ast.Assign)]:
        says = f"`{asked}` is asked for while the cell runs, and nothing has set it yet."
        yield says, f"Ask for it in a function, as in `return {asked}(...)`: that runs when it is called."


def _endless(mistake):
    """A function that calls itself without end, or a loop that does not end, or too late."""
    status, failing = mistake.verdict.status, mistake.verdict.failing
    if mistake.says("RecursionError", ""):
        yield _recursion(mistake)
    if mistake.says("RuntimeError", "once for each path"):
        says = "Looks like a node is visited once for each path to it, and each level may double the paths."
        yield says, "Remember in a set which nodes were met, and skip them."
    if status not in (TIMED_OUT, TOO_MUCH_OUTPUT, OUT_OF_MEMORY):
        return
    is_right_elsewhere = any(finding.status == RIGHT for finding in mistake.verdict.findings)
    size = re.search(r"\d[\d,]* (?:nodes|operations|additions)", failing.title)
    loops = [node for node in mistake.nodes if isinstance(node, ast.While)]
    heads = ", ".join(f"`while {ast.unparse(loop.test)}` (line {loop.lineno})" for loop in loops)
    prints = [node for node in mistake.nodes if getattr(getattr(node, "func", None), "id", "") == "print"]
    if status != OUT_OF_MEMORY and is_right_elsewhere and prints:
        calls = ", ".join(f"`{ast.unparse(call)}` (line {call.lineno})" for call in prints)
        yield f"Looks like too much is printed here, or for too long: {calls}. Other tests pass.", "Remove it first."
    elif status == TIMED_OUT and is_right_elsewhere and size:
        yield f"Looks like it is right but too slow for {size[0]}: it answers the other tests in time.", ONCE
    elif status == TIMED_OUT and is_right_elsewhere and loops:
        yield f"Looks like a loop does not end for this input, or takes too long: {heads}.", f"{NEARER} {ONCE}"
    elif loops:
        yield f"Looks like a loop does not end: {heads}.", NEARER
    elif status == TIMED_OUT:
        yield "Looks like something does not end.", "Look for a list that grows while a loop iterates over it."


def _recursion(mistake):
    """Return which call is without end: also an operator in the function that defines it, as `a - b` in `__sub__`."""
    names = "|".join(node.name for node in mistake.nodes if isinstance(node, ast.FunctionDef))
    lines = [line for line in mistake.error.lines if line["where"] != "check"]
    calls = [line for line in lines if re.search(rf"\b({names})\(", line["source"])]
    for node in mistake.nodes if not calls else ():
        name = OPERATORS.get(type(getattr(node, "op", None)))
        if name and node.lineno == mistake.line and name in ast.unparse(mistake.tree):
            says = f"On a node, `{ast.unparse(node)}` (line {node.lineno}) calls `{name}`, which is this very function."
            return says, "Build the result from other functions, such as `add`, `mul`, `pow` or `neg`."
    call = f"`{calls[0]['source']}` (line {calls[0]['line']})" if calls else "A function"
    says = f"{call} calls its own function again, without end: Python stops at about 1,000 calls."
    called = [name for line in lines for name in re.findall(r"(?<![\w.])(\w+)\(", line["source"])]
    for name in [name for name in called if hasattr(math, name)]:
        return says, f"Is the function of `math` meant? It is `math.{name}`."
    return says, "Does the recursion end? If it is only deep, use a loop and a list of what is left to do."


CERTAIN = (in_source, in_finally, dropped_result, no_return, in_loop)
OF_SOURCE = (in_source, in_finally, dropped_result, kept_state, _endless, _too_early, _misspelled, no_return, in_loop)
RULES = (*OF_SOURCE, partial(named_by, OF_VALUES), wrong_calls, partial(named_by, OF_NODES))
