"""Common mistakes of any exercise, recognized by the source and the error if the bug bank has no match.

Each rule takes a `Mistake` and returns a sentence and the next step, or None; the first match is used.
"""

import ast
import re
from dataclasses import dataclass

from dark.course.judging import type_mistakes
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
IN_PLACE = ("append", "extend", "insert", "reverse", "sort", "remove", "clear")
COPIES = {"reverse": "reversed", "sort": "sorted"}


@dataclass(frozen=True)
class Mistake:
    """The arguments of the rules: both sources as syntax trees, and the verdict."""

    tree: ast.Module
    solution: ast.Module | None
    verdict: Verdict

    @property
    def error(self):
        """The error of the first failing question, or None."""
        return self.verdict.failing.error

    def says(self, kind, pattern):
        """Match the message of the error if it is of that class; None otherwise."""
        return self.error and self.error.type == kind and re.search(pattern, self.error.message) or None

    @property
    def line(self):
        """The line of the student that raised the error; empty if unknown."""
        own = [line for line in self.error.lines if line["where"].startswith("exercise ")]
        return own[-1] if own else {"line": 0, "source": ""}

    @property
    def met_none(self):
        """Whether the error or the answer involves None."""
        answers = [difference.yours for difference in self.verdict.failing.differences]
        return None in answers or self.error is not None and "NoneType" in self.error.message

    @property
    def location(self):
        """The line number of the error, for a sentence."""
        return f"line {self.line['line']}" if self.line["line"] else "the code"


def find_mistake(source, solution, verdict):
    """Find a common mistake in an answer that is not right.

    Parameters
    ----------
    source : str
        The student's cell.
    solution : str or None
        The right answer, if available.
    verdict : Verdict
        What the judge found.

    Returns
    -------
    (str, str) or None
        What is wrong, and the next step.
    """
    tree = code_of(source).tree
    if tree is None or verdict.failing is None:
        return None
    mistake = Mistake(tree, code_of(solution).tree if solution else None, verdict)
    return next((found for rule in RULES if (found := rule(mistake))), None)


def _no_power(mistake):
    for node in ast.walk(mistake.tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitXor):
            return f"`^` in line {node.lineno} is bitwise XOR in Python, not a power.", "Write `x**n`."
    return None


def _compared(mistake):
    for node in ast.walk(mistake.tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Compare) and _is_equality(node.value):
            text = ast.unparse(node.value)
            return f"`{text}` in line {node.lineno} only compares, and assigns nothing.", "Use a single `=` to assign."
    return None


def _is_equality(comparison):
    return isinstance(comparison.ops[0], ast.Eq)


def _in_place(mistake):
    """The result of a method that changes its list in place and returns None is used."""
    if not mistake.met_none:
        return None
    alone = {id(node.value) for node in ast.walk(mistake.tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(mistake.tree):
        match node:
            case ast.Call(func=ast.Attribute(ast.Attribute(attr="add"), "at")) if id(node) not in alone:
                says = f"`np.add.at` changes the array in place and returns None; line {node.lineno} uses that None."
                return says, "Call it on a separate line, then use the array."
            case ast.Call(func=ast.Attribute(attr=name)) if name in IN_PLACE and id(node) not in alone:
                call = ast.unparse(node)
                says = f"`{call}` changes the list in place and returns None; line {node.lineno} uses that None."
                other = f", or use `{COPIES[name]}(...)`" if name in COPIES else ""
                return says, f"Call it on a separate line{other}."
    return None


def _no_return(mistake):
    wanted = {name for name, node in _functions(mistake.solution) if _returns(node)}
    for name, node in _functions(mistake.tree):
        if name in wanted and not _returns(node) and not _raises_only(node):
            if _calls(node, "print"):
                return (
                    f"`{name}` prints, but returns nothing: printed output is only displayed.",
                    "Return the value that you print.",
                )
            return f"`{name}` returns nothing: a `return` is missing.", "Write `return` in front of the result."
    return None


def _functions(tree):
    """Yield the functions and methods of a cell with their names, such as `Class.method`."""
    for node in tree.body if tree else ():
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            methods = (inner for inner in node.body if isinstance(inner, ast.FunctionDef))
            yield from ((f"{node.name}.{method.name}", method) for method in methods)


def _own(node):
    """Walk a function without its nested functions."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            yield child
            yield from _own(child)


def _returns(node):
    return any(isinstance(n, ast.Return) and n.value or isinstance(n, ast.Yield | ast.YieldFrom) for n in _own(node))


def _raises_only(node):
    return any(isinstance(inner, ast.Raise) for inner in _own(node))


def _calls(node, name):
    return any(isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == name for n in _own(node))


def _calls_itself(mistake):
    if not mistake.says("RecursionError", ""):
        return None
    names = "|".join(name.split(".")[-1] for name in _all_functions(mistake.tree))
    lines = [line for line in mistake.error.lines if line["where"] != "check"]
    calls = [line for line in lines if re.search(rf"\b({names})\(", line["source"])]
    if not calls and (special := _operator_of_itself(mistake)):
        return special
    call = f"`{calls[0]['source']}` (line {calls[0]['line']})" if calls else "A function"
    says = f"{call} calls its own function again, without end: Python stops at about 1,000 calls."
    return says, "Does the recursion end? If it is only deep, use a loop and a list of what is left to do."


def _operator_of_itself(mistake):
    """An operator is used in the function that defines it: `a - b` calls `Node.__sub__`."""
    for node in ast.walk(mistake.tree):
        name = OPERATORS.get(type(getattr(node, "op", None)))
        if name and node.lineno == mistake.line["line"] and name in ast.unparse(mistake.tree):
            says = f"On a node, `{ast.unparse(node)}` (line {node.lineno}) calls `{name}`, which is this very function."
            return says, "Build the result from other functions, such as `add`, `mul`, `pow` or `neg`."
    return None


def _all_functions(tree):
    return [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def _never_ends(mistake):
    if mistake.verdict.status not in (TIMED_OUT, TOO_MUCH_OUTPUT, OUT_OF_MEMORY):
        return None
    failing = mistake.verdict.failing
    if failing.status == TIMED_OUT and any(finding.status == RIGHT for finding in mistake.verdict.findings):
        says = "Looks like it is right but too slow for a large input: it answers the other tests in time."
        return says, "Visit each item once; `item in a_list` and `a_list.pop(0)` go through the whole list each time."
    loops = [node for node in ast.walk(mistake.tree) if isinstance(node, ast.While)]
    if loops:
        heads = ", ".join(f"`while {ast.unparse(loop.test)}` (line {loop.lineno})" for loop in loops)
        return f"Looks like a loop does not end: {heads}.", "Every iteration must bring its end nearer."
    if mistake.verdict.status == TIMED_OUT:
        return "Looks like something does not end.", "Look for a list that grows while a loop iterates over it."
    return None


def _not_yet(mistake):
    found = mistake.says("UnboundLocalError", r"'(\w+)'")
    if not found:
        return None
    return f"In {mistake.location}, `{found[1]}` is used before it is assigned.", "Assign a first value above."


RULES = (
    _no_power,
    _compared,
    _in_place,
    _calls_itself,
    _never_ends,
    _no_return,
    _not_yet,
    *type_mistakes.RULES,
)
