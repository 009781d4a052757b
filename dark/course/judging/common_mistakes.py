"""Common mistakes of any exercise, recognized by the source and the error if the bug bank has no match.

Each rule takes a `Mistake` and yields what is wrong and the next step; the first one of the first rule is used.
"""

import ast
import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, partial

from dark.course.judging.error_mistakes import OF_NODES, OF_VALUES, named_by, wrong_calls
from dark.course.judging.kept_state import IN_PLACE, kept_state
from dark.course.judging.verdict import OUT_OF_MEMORY, RIGHT, TIMED_OUT, TOO_MUCH_OUTPUT, Verdict
from dark.course.lessons.code import code_of

OPERATORS = {
    ast.Add: "__add__",
    ast.Sub: "__sub__",
    ast.Mult: "__mul__",
    ast.Div: "__truediv__",
    ast.Pow: "__pow__",
    ast.MatMult: "__matmul__",
    ast.USub: "__neg__",
}
COPIES = {"reverse": "reversed", "sort": "sorted"}


@dataclass(frozen=True)
class Mistake:
    """What the rules see: an answer and its solution as syntax trees, and the verdict."""

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
    def _last(self):
        own = [line for line in self.error.lines if line["where"].startswith("exercise ")] if self.error else []
        return own[-1] if own else {"line": 0, "source": ""}

    @property
    def line(self):
        """The number of the student's line that raised the error; 0 if unknown."""
        return self._last["line"]

    @property
    def line_source(self):
        """The source of that line; empty if unknown."""
        return self._last["source"]

    @property
    def met_none(self):
        """Whether the error or the answer involves None."""
        answers = [difference.yours for difference in self.verdict.failing.differences]
        return None in answers or self.error is not None and "NoneType" in self.error.message


def find_mistake(source, solution, verdict):
    """Return the first common mistake in an answer that is not right, as (what is wrong, the next step), or None."""
    tree = code_of(source).tree
    if tree is None or verdict.failing is None:
        return None
    mistake = Mistake(tree, code_of(solution).tree if solution else None, verdict)
    return next((found for rule in RULES for found in rule(mistake)), None)


def _in_source(mistake):
    """A power, a comparison, a comma and a change in place that are not what they look like."""
    for node in mistake.nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitXor):
            yield f"`^` in line {node.lineno} is bitwise XOR in Python, not a power.", "Write `x**n`."
    for node in mistake.nodes:
        match node:
            case ast.Expr(ast.Compare(ops=[ast.Eq(), *_]) as value):
                says = f"`{ast.unparse(value)}` in line {node.lineno} only compares, and assigns nothing."
                yield says, "Use a single `=` to assign."
            case ast.Assign([ast.Name() | ast.Attribute()], ast.Tuple([only]) as value) if (
                (value.lineno, value.col_offset) == (only.lineno, only.col_offset)  # without parentheses
            ):
                text = ast.unparse(only)
                yield f"The comma behind `{text}` in line {node.lineno} makes a tuple of it.", "Remove that comma."
    alone = {id(node.value) for node in mistake.nodes if isinstance(node, ast.Expr)}
    for node in mistake.nodes if mistake.met_none else ():
        match node:
            case ast.Call(func=ast.Attribute(ast.Attribute(attr="add"), "at")) if id(node) not in alone:
                says = f"`np.add.at` changes the array in place and returns None; line {node.lineno} uses that None."
                yield says, "Call it on a separate line, then use the array."
            case ast.Call(func=ast.Attribute(attr=name)) if name in IN_PLACE and id(node) not in alone:
                call = ast.unparse(node)
                says = f"`{call}` changes the list in place and returns None; line {node.lineno} uses that None."
                other = f", or use `{COPIES[name]}(...)`" if name in COPIES else ""
                yield says, f"Call it on a separate line{other}."


def _misspelled(mistake):
    """An attribute that is asked for by one name and assigned by a similar one."""
    found = mistake.says("AttributeError", r"object has no attribute '(\w+)'")
    stored, wanted = map(_stored, (mistake.tree, mistake.solution))
    for name in get_close_matches(found[1], stored - wanted, n=1) if found else ():
        yield f"`.{found[1]}` is asked for, but it is `.{name}` that your code sets.", "Use one name for both."


def _stored(tree):
    """Return the names of all attributes that a cell assigns."""
    nodes = ast.walk(tree) if tree else ()
    return {each.attr for each in nodes if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store)}


def _endless(mistake):
    """A function that calls itself without end, or a loop that does not end."""
    status, failing = mistake.verdict.status, mistake.verdict.failing
    if mistake.says("RecursionError", ""):
        yield _recursion(mistake)
    elif failing.status == TIMED_OUT and any(finding.status == RIGHT for finding in mistake.verdict.findings):
        size = re.search(r"\d[\d,]* (?:nodes|operations|additions)", failing.title)
        large = size[0] if size else "a large input"
        yield (
            f"Looks like it is right but too slow for {large}: it answers the other tests in time.",
            "Visit each item once; `item in a_list` and `a_list.pop(0)` go through the whole list each time.",
        )
    elif status in (TIMED_OUT, TOO_MUCH_OUTPUT, OUT_OF_MEMORY):
        loops = [node for node in mistake.nodes if isinstance(node, ast.While)]
        heads = ", ".join(f"`while {ast.unparse(loop.test)}` (line {loop.lineno})" for loop in loops)
        if loops:
            yield f"Looks like a loop does not end: {heads}.", "Every iteration must bring its end nearer."
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
    return says, "Does the recursion end? If it is only deep, use a loop and a list of what is left to do."


def _no_return(mistake):
    wanted = {name for name, nodes in _functions(mistake.solution) if any(map(_is_return, nodes))}
    for name, nodes in _functions(mistake.tree):
        if name in wanted and not any(_is_return(node) or isinstance(node, ast.Raise) for node in nodes):
            if any(isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print" for node in nodes):
                says = f"`{name}` prints, but returns nothing: printed output is only displayed."
                yield says, "Return the value that you print."
            yield f"`{name}` returns nothing: a `return` is missing.", "Write `return` in front of the result."


def _functions(tree):
    """Yield the functions and methods of a cell: the name, such as `Class.method`, and the nodes of each."""
    for node in tree.body if tree else ():
        prefix = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for function in node.body if prefix else [node]:
            if isinstance(function, ast.FunctionDef):
                yield f"{prefix}{function.name}", list(_own(function))


def _own(node):
    """Walk a function without its nested functions."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            yield child
            yield from _own(child)


def _is_return(node):
    return isinstance(node, ast.Return) and bool(node.value) or isinstance(node, ast.Yield | ast.YieldFrom)


RULES = (
    kept_state,
    _in_source,
    _endless,
    _misspelled,
    _no_return,
    partial(named_by, OF_VALUES),
    wrong_calls,
    partial(named_by, OF_NODES),
)
