"""Common mistakes with the types of a graph: None, numbers, arrays and nodes, where another of them is expected.

Each rule takes a `Mistake` of `common_mistakes` and returns a sentence and the next step, or None.
"""

import ast
import re

FIELDS = r"'(int|float|\w*\.?float64)' object has no attribute '(value|grad|op|inputs|backward|zero_grad)'"
OF_ARRAYS = r"'(?:int|float|bool)' object has no attribute '(ndim|shape|size|T|sum|reshape)'"
OPTIONS = ("axis", "axes", "keepdims", "shape", "index", "dtype")


def _none_as_number(mistake):
    if not mistake.says("TypeError", r"^unsupported operand.*'NoneType'"):
        return None
    if not mistake.line["line"]:
        return "Looks like a function of yours returns None where a number is expected.", "Check each `return`."
    if ".grad" in mistake.line["source"]:
        if any(isinstance(node, ast.Attribute) and node.attr == "backward" for node in ast.walk(mistake.tree)):
            says = f"In {mistake.location}, a gradient is None: `backward` has not reached that node."
            return says, "Is the node itself in the graph, and not only its `.value`? Pass the node to the function."
        says = f"In {mistake.location}, a gradient is None: no gradient has been added there yet."
        return says, "Treat None as 0.0 when the first gradient is added."
    return f"In {mistake.location}, something that is None is used as a number.", "Print both sides one line above."


def _none_as_object(mistake):
    found = mistake.says("AttributeError", r"'NoneType' object has no attribute '(\w+)'")
    if not found:
        return None
    says = f"In {mistake.location}, the object before `.{found[1]}` is None."
    if ".op." in mistake.line["source"]:
        return says, "A leaf has no operation; skip it."
    return says, "Print it one line above, and find where its value comes from."


def _number_as_node(mistake):
    found = mistake.says("AttributeError", FIELDS)
    if not found:
        return None
    if not mistake.line["line"]:
        says = f"The test asks for the `.{found[2]}` of what your code returns or keeps, and finds a plain number."
        return says, "Return or keep the node itself; a number has lost its graph."
    says = f"In {mistake.location}, `.{found[2]}` is accessed on a plain number; only a node has that attribute."
    return says, "Check whether the variable holds the node or its value."


def _number_as_array(mistake):
    found = mistake.says(
        "AttributeError", r"'(?:int|float|bool)' object has no attribute '(ndim|shape|size|T|sum|reshape)'"
    )
    if not found:
        return None
    says = f"In {mistake.location}, `.{found[1]}` is accessed on a plain number; only an array has that attribute."
    instead = {"T": "transpose"}.get(found[1], found[1])
    return says, f"`np.{instead}(...)` takes a number too, as does `np.asarray(...)`."


def _node_as_number(mistake):
    found = mistake.says("TypeError", r"^(?:bad|unsupported) operand.* for (.+?): .*'(?:Node|Parameter|Constant)'")
    if not found:
        return None
    if re.search(r"\b_d?f\(", mistake.line["source"]):
        return "Nodes are passed where plain numbers are expected.", "Pass the `.value` of each node."
    says = f"Looks like `{found[1]}` is applied to a node in {mistake.location}; nodes do not have this operator here."
    return says, "Use the functions and operations that build the graph; a `.value` would cut the gradient off."


def _no_star(mistake):
    """`_f(inputs)`, where `inputs` is a tuple of what `_f` takes."""
    if not mistake.says("TypeError", r"missing \d+ required positional argument"):
        return None
    given = {each.arg for each in ast.walk(mistake.tree) if isinstance(each, ast.arg)}
    for node in ast.walk(mistake.tree):
        match node:
            case ast.Call(args=[ast.Name(name)], keywords=[]) if name in given and node.lineno == mistake.line["line"]:
                call = ast.unparse(node)
                says = f"Looks like a star is missing in line {node.lineno}: `{call}` passes `{name}` as one argument."
                return says, f"`{call.replace(f'({name})', f'(*{name})')}` passes its items one by one."
    return None


def _option_as_input(mistake):
    """`Sum.apply(x, axis)`: each positional argument of `apply` becomes a node."""
    for node in ast.walk(mistake.tree) if mistake.says("TypeError", "") else ():
        match node:
            case ast.Call(func=ast.Attribute(attr="apply"), args=[_, ast.Name(name), *_]) if name in OPTIONS:
                says = f"Looks like `{name}` goes into `apply` as an input (line {node.lineno}), and becomes a node."
                return says, f"Pass it by name: `{name}={name}`."
    return None


RULES = (
    _none_as_number,
    _none_as_object,
    _number_as_node,
    _number_as_array,
    _option_as_input,
    _node_as_number,
    _no_star,
)
