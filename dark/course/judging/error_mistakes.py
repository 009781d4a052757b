"""Common mistakes that the error of an answer gives away: None, numbers, arrays and nodes in place of each other."""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass

OPTIONS = ("axis", "axes", "keepdims", "shape", "index", "dtype")
RETURNED = "Compare what your function returns with its docstring: the type, the shape, the number of items."
NONE_AS_NUMBER = "TypeError", "^unsupported operand.*'NoneType'"
NONE_AS_OBJECT = "AttributeError", r"'NoneType' object has no attribute '(\w+)'"
NUMBER_AS_NODE = (
    "AttributeError",
    r"'(?:int|float|\w*\.?float64)' object has no attribute '(value|grad|op|inputs|backward|zero_grad)'",
)
NUMBER_AS_ARRAY = "AttributeError", r"'(?:int|float|bool)' object has no attribute '(ndim|shape|size|sum|reshape)'"
OF_A_NODE = "'(?:Node|Parameter|Constant)' object has no attribute "
OF_AN_ARRAY = "(shape|ndim|size|dtype|copy|sum|mean|max|argmax|reshape|view|squeeze|astype|tolist|numpy|detach|data)"
NODE_AS_NUMBER = "TypeError", r"^(?:bad|unsupported) operand.* for (.+?): .*'(?:Node|Parameter|Constant)'"


@dataclass(frozen=True)
class Sign:
    """An error that names a mistake; the first sign that fits is used."""

    error: tuple[str, str]  # the class, and a pattern of the message
    says: str  # what is wrong; `{where}` is the line, `{found}` the first group of the pattern
    next: str  # the next step, likewise
    line: str = ""  # a pattern of the student's line, as `number: source`; the number is 0 if the line is unknown
    uses: str = ""  # an attribute that the answer accesses somewhere


OF_VALUES = (
    Sign(
        ("UnboundLocalError", r"'(\w+)'"),
        "In {where}, `{found}` is used before it is assigned.",
        "Assign a first value above.",
    ),
    Sign(
        NONE_AS_NUMBER,
        "Looks like a function of yours returns None where a number is expected.",
        "Check each `return`.",
        line="^0:",
    ),
    Sign(
        NONE_AS_NUMBER,
        "In {where}, a gradient is None: `backward` has not reached that node.",
        "Is the node itself in the graph, and not only its `.value`? Pass the node to the function.",
        line=r"\.grad",
        uses="backward",
    ),
    Sign(
        NONE_AS_NUMBER,
        "In {where}, a gradient is None: no gradient has been added there yet.",
        "Treat None as 0.0 when the first gradient is added.",
        line=r"\.grad",
    ),
    Sign(NONE_AS_NUMBER, "In {where}, something that is None is used as a number.", "Print both sides one line above."),
    Sign(
        NONE_AS_OBJECT,
        "Looks like a function of yours returns None where the test expects an object.",
        "Check each `return`: every way through the function must reach one.",
        line="^0:",
    ),
    Sign(
        NONE_AS_OBJECT,
        "In {where}, the object before `.{found}` is None.",
        "A leaf has no operation; skip it.",
        line=r"\.op\.",
    ),
    Sign(
        NONE_AS_OBJECT,
        "In {where}, the object before `.{found}` is None.",
        "Print it one line above, and find where its value comes from.",
    ),
    Sign(
        NUMBER_AS_NODE,
        "The test reads the `.{found}` of a value that your code returns or keeps: it is a plain number.",
        "Return or keep the node itself; a number has lost its graph.",
        line="^0:",
    ),
    Sign(
        NUMBER_AS_NODE,
        "In {where}, `.{found}` is accessed on a plain number; only a node has that attribute.",
        "Check whether the variable holds the node or its value.",
    ),
    Sign(
        NUMBER_AS_ARRAY,
        "In {where}, `.{found}` is accessed on a plain number; only an array has that attribute.",
        "`np.{found}(...)` takes a number too, as does `np.asarray(...)`.",
    ),
    Sign(
        ("AttributeError", r"'(?:int|float|bool)' object has no attribute 'T'"),
        "In {where}, `.T` is accessed on a plain number; only an array has that attribute.",
        "`np.transpose(...)` takes a number too, as does `np.asarray(...)`.",
    ),
    Sign(
        ("AttributeError", "'(?:int|float|bool)' object has no attribute 'item'"),
        "In {where}, `.item()` is called on a plain number, which has none: tensors of PyTorch and arrays have it.",
        "Leave `.item()` out.",
    ),
    Sign(
        ("ValueError", "can only convert an array of size 1"),
        "In {where}, `.item()` is called on an array of several numbers; it takes the only one out of an array.",
        "Leave `.item()` out: arrays are computed as a whole.",
    ),
    Sign(
        ("AttributeError", f"{OF_A_NODE}'item'"),
        "In {where}, `.item()` is called on a node; your nodes have no `.item`.",
        "Leave it out. Where a number is meant, and not a node of the graph, it is the `.value`.",
    ),
    Sign(
        ("AttributeError", f"{OF_A_NODE}'T'"),
        "In {where}, `.T` is accessed on a node; your nodes have no `.T`.",
        "The operation `transpose` of module 04 exchanges axes in the graph; `.value.T` would cut the gradient off.",
    ),
    Sign(
        ("AttributeError", f"{OF_A_NODE}'{OF_AN_ARRAY}'"),
        "In {where}, `.{found}` is accessed on a node; only its value, an array, may have that.",
        "Ask `.value` for a fact such as a shape; to compute in the graph, call one of its operations.",
    ),
)
OF_NODES = (
    Sign(
        NODE_AS_NUMBER,
        "Nodes are passed where plain numbers are expected.",
        "Pass the `.value` of each node.",
        line=r"\b_d?f\(",
    ),
    Sign(
        NODE_AS_NUMBER,
        "Looks like `{found}` is applied to a node in {where}: a step changes the number in it, its `.value`.",
        "Assign to `.value` of the node; a step of an optimizer is not part of the graph.",
        line=r"[-*]=? .*\.grad\b",
    ),
    Sign(
        NODE_AS_NUMBER,
        "Looks like `{found}` is applied to a node in {where}; nodes do not have this operator here.",
        "Use the functions and operations that build the graph; a `.value` would cut the gradient off.",
    ),
)


def of_class(kind: str, signs: Mapping[str, tuple[str, ...]]) -> list[Sign]:
    """Return the signs of errors of a class, by patterns of the message: what is wrong, the next step, the line."""
    return [Sign((kind, pattern), *texts) for pattern, texts in signs.items()]


def named_by(signs, mistake):
    """Yield the sentences of matching signs about the error of a `Mistake`, each with the next step."""
    line = "{}: {}".format(*mistake.raised_in)
    for sign in signs:
        found = mistake.says(*sign.error)
        if found and re.search(sign.line, line) and (not sign.uses or sign.uses in mistake.attributes):
            where = f"line {mistake.line}" if mistake.line else "the code that uses yours"
            words = {"where": where, "found": (*found.groups(), "")[0]}
            is_elsewhere = not mistake.line and not sign.line
            yield sign.says.format(**words), RETURNED if is_elsewhere else sign.next.format(**words)


def wrong_calls(mistake):
    """Yield the call whose arguments led to a TypeError: an option among the inputs of `apply`, or a missing star."""
    calls = [node for node in mistake.nodes if isinstance(node, ast.Call)] if mistake.says("TypeError", "") else []
    for call in calls:
        match call:
            case ast.Call(func=ast.Attribute(attr="apply"), args=[_, ast.Name(name), *_]) if name in OPTIONS:
                says = f"Looks like `{name}` goes into `apply` as an input (line {call.lineno}), and becomes a node."
                yield says, f"Pass it by name: `{name}={name}`."
    if mistake.says("TypeError", r"missing \d+ required positional argument"):
        packed = {each.vararg.arg for each in mistake.nodes if isinstance(each, ast.arguments) and each.vararg}
        for call in [each for each in calls if each.lineno == mistake.line]:
            match call:
                case ast.Call(args=[ast.Name(name)], keywords=[]) if name in packed:
                    text = ast.unparse(call)
                    says = (
                        f"Looks like a star is missing in line {call.lineno}: `{text}` passes `{name}` as one argument."
                    )
                    yield says, f"`{text.replace(f'({name})', f'(*{name})')}` passes its items one by one."
