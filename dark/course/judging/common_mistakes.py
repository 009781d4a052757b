"""Slips: mistakes of any exercise, told by the source and by the error, where the bug bank knows none.

Each rule takes a `Mistake` and gives a sentence and the next step, or None; the first that speaks wins.
"""

import ast
import re
from dataclasses import dataclass

from dark.course.judging.verdict import OUT_OF_MEMORY, TIMED_OUT, TOO_MUCH_OUTPUT, Verdict
from dark.course.lessons.names import parsed

IN_PLACE = ("append", "extend", "insert", "reverse", "sort", "remove", "clear")
COPIES = {"reverse": "reversed", "sort": "sorted"}
FIELDS = r"'(int|float|\w*\.?float64)' object has no attribute '(value|grad|op|inputs|backward|zero_grad)'"


@dataclass(frozen=True)
class Mistake:
    """What the rules look at: both sources as trees, and the verdict."""

    tree: ast.Module
    solution: ast.Module | None
    verdict: Verdict

    @property
    def error(self):
        """The error of the first failing question, or None."""
        return self.verdict.failing.error

    def says(self, kind, pattern):
        """Match the error's text if it is of that class; None otherwise."""
        return self.error and self.error.type == kind and re.search(pattern, self.error.message) or None

    @property
    def line(self):
        """The student's own line where the error arose, as it stands; empty where none is known."""
        own = [line for line in self.error.lines if line["where"].startswith("exercise ")]
        return own[-1] if own else {"line": 0, "source": ""}

    @property
    def met_none(self):
        """Whether a None shows, in the error or in the answer."""
        answers = [difference.yours for difference in self.verdict.failing.differences]
        return None in answers or self.error is not None and "NoneType" in self.error.message

    @property
    def place(self):
        """That line's number, in words."""
        return f"line {self.line['line']}" if self.line["line"] else "the code"


def slip_in(source, solution, verdict):
    """Look for a mistake in an answer that is not right.

    Parameters
    ----------
    source : str
        The student's cell.
    solution : str or None
        The right one, where it is printed.
    verdict : Verdict
        What the judge found.

    Returns
    -------
    (str, str) or None
        What is wrong, and the next step.
    """
    tree = parsed(source)
    if tree is None or verdict.failing is None:
        return None
    mistake = Mistake(tree, parsed(solution) if solution else None, verdict)
    return next((found for rule in RULES if (found := rule(mistake))), None)


def _no_power(mistake):
    for node in ast.walk(mistake.tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitXor):
            return f"`^` in line {node.lineno} is not the power; Python means something else by it.", "Write `x**n`."
    return None


def _compared(mistake):
    for node in ast.walk(mistake.tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Compare) and _is_equality(node.value):
            text = ast.unparse(node.value)
            return f"`{text}` in line {node.lineno} only compares, and stores nothing.", "One sign `=` stores."
    return None


def _is_equality(comparison):
    return isinstance(comparison.ops[0], ast.Eq)


def _in_place(mistake):
    """A method that changes its list and gives back None, used as if it gave back the list."""
    if not mistake.met_none:
        return None
    alone = {id(node.value) for node in ast.walk(mistake.tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(mistake.tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=name)) if name in IN_PLACE and id(node) not in alone:
                says = f"`{ast.unparse(node)}` changes the list and gives back None; line {node.lineno} uses that None."
                other = f", or use `{COPIES[name]}(...)`" if name in COPIES else ""
                return says, f"Call it on a line of its own{other}."
    return None


def _no_return(mistake):
    wanted = {name for name, node in _functions(mistake.solution) if _returns(node)}
    for name, node in _functions(mistake.tree):
        if name in wanted and not _returns(node) and not _raises_only(node):
            if _calls(node, "print"):
                return f"`{name}` prints, but returns nothing: what is printed is only shown.", "Return what you print."
            return f"`{name}` returns nothing: a `return` is missing.", "Write `return` in front of the answer."
    return None


def _functions(tree):
    """Give the functions of a cell with their names, `Class.method` included."""
    for node in tree.body if tree else ():
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            methods = (inner for inner in node.body if isinstance(inner, ast.FunctionDef))
            yield from ((f"{node.name}.{method.name}", method) for method in methods)


def _own(node):
    """Walk a function without the functions inside it."""
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
    call = f"`{calls[0]['source']}` (line {calls[0]['line']})" if calls else "A function"
    says = f"{call} calls the function it stands in, and that calls again: Python stops at about 1,000 calls."
    return says, "Does it ever end? If it only goes deep, keep what is still to do in a list, and loop."


def _all_functions(tree):
    return [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def _never_ends(mistake):
    if mistake.verdict.status not in (TIMED_OUT, TOO_MUCH_OUTPUT, OUT_OF_MEMORY):
        return None
    loops = [node for node in ast.walk(mistake.tree) if isinstance(node, ast.While)]
    if loops:
        heads = ", ".join(f"`while {ast.unparse(loop.test)}` (line {loop.lineno})" for loop in loops)
        return f"A loop seems to go on for ever: {heads}.", "Every round must bring its end nearer."
    if mistake.verdict.status == TIMED_OUT:
        return "Something goes on for ever.", "Look for a list that grows while a loop goes through it."
    return None


def _not_yet(mistake):
    found = mistake.says("UnboundLocalError", r"'(\w+)'")
    if not found:
        return None
    return f"In {mistake.place}, `{found[1]}` is used before it was given a value.", "Give it its first value above."


def _none_as_number(mistake):
    if not mistake.says("TypeError", r"^unsupported operand.*'NoneType'"):
        return None
    if ".grad" in mistake.line["source"]:
        says = f"In {mistake.place}, a gradient is None: nothing has arrived there yet, and None is no number."
        return says, "Let it count as 0.0 before the first piece is added."
    return f"In {mistake.place}, something that is None is used as a number.", "Print both sides one line above."


def _none_as_object(mistake):
    found = mistake.says("AttributeError", r"'NoneType' object has no attribute '(\w+)'")
    if not found:
        return None
    says = f"In {mistake.place}, what stands before `.{found[1]}` is None."
    if ".op." in mistake.line["source"]:
        return says, "A leaf has no operation; pass it by."
    return says, "Print it one line above; see where it gets its value."


def _number_as_node(mistake):
    found = mistake.says("AttributeError", FIELDS)
    if not found:
        return None
    says = f"In {mistake.place}, a plain number is asked for `.{found[2]}`; only a node has that."
    return says, "Look at which of the two is in your hand there, the node or its value."


def _node_as_number(mistake):
    if not mistake.says("TypeError", r"^unsupported operand.*'(Node|Parameter|Constant)'"):
        return None
    return "Nodes arrive where plain numbers are wanted.", "Hand over the `.value` of each node."


RULES = (
    _no_power,
    _compared,
    _in_place,
    _calls_itself,
    _never_ends,
    _no_return,
    _not_yet,
    _none_as_number,
    _none_as_object,
    _number_as_node,
    _node_as_number,
)
