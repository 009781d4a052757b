"""The outcome of an observation of the student's code, compared with the observation of the reference."""

import builtins
from dataclasses import dataclass

import numpy as np

from dark.course.exams.plain import ITEMS, Difference, class_name, compare, decode, encode, show
from dark.course.exams.rows import first_rows
from dark.course.exams.trace import NODES
from dark.course.judging.verdict import ERROR, NOT_ATTEMPTED, RIGHT, STOPS, WRONG, Fault, Finding

GRAPH_TOLERANCE = 1e-9
TEXT = 40  # characters of a name in a graph
FORWARD = ("kind", "op", "value")


@dataclass(frozen=True)
class Outcome:
    """The status of an observation, and why."""

    status: str
    differences: tuple = ()
    remark: str | None = None
    error: Fault | None = None
    node: str | None = None  # the name of the node that the remark is about

    @property
    def kind(self):
        """The kind of a failure: the status, and the class of the error."""
        return self.status, self.error and self.error.type

    @property
    def is_visible(self):
        """Whether someone who looks at the two values sees that one is wrong."""
        return not self.differences or any(each.is_visible for each in self.differences)


def compare_observations(question, inputs, seen, expected, exercise):
    """Compare an observation with the reference's, by the question's tolerance or its own judge."""
    if "stopped" in seen:
        status = seen["stopped"] if seen["stopped"] in STOPS else ERROR
        return Outcome(status, error=_fault(status, seen))
    if "not attempted" in seen:
        missing = seen["not attempted"]
        message = "" if missing == exercise else f"It needs `{missing}`, which is not attempted yet."
        return Outcome(NOT_ATTEMPTED, error=Fault(NOT_ATTEMPTED, message))
    if "raised" in seen and "raised" in expected:
        return _compare_errors(seen, expected)
    if "raised" in seen:
        return Outcome(ERROR, error=_fault(seen["raised"], seen))
    if "raised" in expected:
        wanted = {"object": expected["raised"]}
        return Outcome(WRONG, (Difference("error", {"missing": True}, wanted),))
    return _compare_answers(question, inputs, answer_of(seen), answer_of(expected))


def finding_of(asked):
    """Return the finding about an observation of a question."""
    question, failure = asked.question, asked.failure
    if failure is None:
        points = question.points
        return Finding(question.name, question.title, points, points, RIGHT, {}, hidden=question.hidden)
    outcome, yours, expected = failure.outcome, graph_of(failure.seen), graph_of(failure.expected)
    node = first_wrong_node(yours, expected) if outcome.node is None else node_called(outcome.node, yours)
    why = outcome.differences, outcome.remark, outcome.error, yours, expected, node, failure.seen.get("printed")
    rows = None
    if question.judge is None and "returned" in failure.seen and "returned" in failure.expected:
        rows = first_rows(answer_of(failure.seen), answer_of(failure.expected), question.tolerance)
    what = question.name, question.title, question.points, 0, outcome.status, failure.inputs
    return Finding(*what, *why, asked.keeps_state, question.hidden, rows=rows)


def answer_of(observation):
    """Return the judged part of an answer: everything except its graph."""
    data = observation.get("returned")
    if isinstance(data, dict) and "dict" in data:
        return {"dict": {key: value for key, value in data["dict"].items() if key != "graph"}}
    return data


def graph_of(observation):
    """Return the decoded graph of an answer; None if it has no valid graph."""
    data = observation.get("returned")
    if isinstance(data, dict) and isinstance(data.get("dict"), dict):
        return graph_in(data["dict"].get("graph"))
    return None


def graph_in(data):
    """Return the decoded graph in the encoded data of an answer; None if it is not one that `trace` can have made.

    A node has its inputs, all before it; a value and a gradient that are None, a number or an array; and texts.

    >>> node = {"dict": {"kind": "parameter", "value": 3.0, "inputs": []}}
    >>> graph_in({"dict": {"nodes": [node]}})["nodes"][0]["value"], graph_in({"dict": {"nodes": [3.0]}})
    (3.0, None)
    """
    try:
        graph = decode(data)
    except (ValueError, TypeError, OverflowError, RecursionError):  # arrays that cannot be
        return None
    nodes = graph.get("nodes") if isinstance(graph, dict) else None
    if not isinstance(nodes, list) or len(nodes) > NODES:
        return None
    if not all(_is_node(node, k) for k, node in enumerate(nodes)):
        return None
    found = [{name: _field(name, value) for name, value in node.items()} for node in nodes]
    return graph | {"nodes": found} if sum(map(_size, found)) <= ITEMS else None


def _is_node(node, index):
    inputs = node.get("inputs") if isinstance(node, dict) else None
    return isinstance(inputs, list) and all(type(k) is int and 0 <= k < index for k in inputs)


def _field(name, value):
    """Return a field of a node as it is compared and drawn: numbers and arrays unchanged, anything else as a string."""
    is_number = name in ("value", "grad") and class_name(value) in ("int", "float", "ndarray")
    return value if name == "inputs" or value is None or is_number else str(value)[:TEXT]


def _size(node):
    arrays = (node.get("value"), node.get("grad"))
    return len(node["inputs"]) + sum(each.size for each in arrays if class_name(each) == "ndarray")


def first_wrong_node(yours, expected):
    """Return the index of the first node that differs, as computed, gradients last; None for other structures."""
    if not same_shape(yours, expected):
        return None
    pairs = list(enumerate(zip(yours["nodes"], expected["nodes"], strict=True)))
    for keys, order in ((FORWARD, pairs), (("grad",), pairs[::-1]), (("no grad",), pairs[::-1])):
        for k, pair in order:
            if wrong_field(*pair, keys):
                return k
    return None


def wrong_field(mine, theirs, keys=(*FORWARD, "grad", "no grad")):
    """Return the first field in which the student's node differs, or None."""
    return next((key for key in keys if _differs(key, mine, theirs)), None)


def _differs(key, mine, theirs):
    if key == "no grad":
        return theirs.get("grad") is None and mine.get("grad") is not None
    if key == "kind":
        return mine.get(key) != theirs.get(key)
    if key == "op":  # the name of an operation is free
        return (mine.get(key) is None) != (theirs.get(key) is None)
    return theirs.get(key) is not None and not agree(mine.get(key), theirs[key])


def node_called(name, graph):
    """Return the index of a named node in a decoded graph, or None."""
    names = [node.get("name") for node in graph["nodes"]] if graph and name else []
    return names.index(name) if name in names else None


def same_shape(yours, expected):
    """Return whether two graphs have the same structure."""
    if yours is None or expected is None:
        return False
    shapes = [[node["inputs"] for node in graph["nodes"]] for graph in (yours, expected)]
    return shapes[0] == shapes[1]


def agree(mine, theirs):
    """Return whether two numbers, or arrays without axes, or two arrays of a graph are equal within the tolerance."""
    mine, theirs = (v.tolist() if isinstance(v, np.ndarray) and not v.ndim else v for v in (mine, theirs))
    if type(mine) is type(theirs) is np.ndarray:
        pair = encode(mine.tolist()), encode(theirs.tolist())
        return mine.shape == theirs.shape and not compare(*pair, GRAPH_TOLERANCE)
    if type(mine) not in (int, float) or type(theirs) not in (int, float):
        return False
    return mine == theirs or not compare(encode(mine), encode(theirs), GRAPH_TOLERANCE)


def _fault(kind, seen):
    lines = tuple(line for line in seen.get("lines", ()) if isinstance(line, dict))
    return Fault(kind, seen.get("message", ""), lines)


def _compare_errors(seen, expected):
    """Compare errors by their nearest built-in classes: the same class, or one is a subclass of the other."""
    mine, theirs = seen["raised"], expected["raised"]
    one, other = _builtin_error(seen), _builtin_error(expected)
    if mine == theirs or one and other and (issubclass(one, other) or issubclass(other, one)):
        return Outcome(RIGHT)
    difference = Difference("error", {"object": mine}, {"object": theirs})
    return Outcome(WRONG, (difference,), error=_fault(mine, seen))


def _builtin_error(observation):
    """Return the built-in class that an error is one of: the first, since a student's own may derive from many."""
    names = observation.get("kinds", observation["raised"]).split()
    classes = [getattr(builtins, name, None) for name in names]
    return next((each for each in classes if isinstance(each, type) and issubclass(each, Exception)), None)


def _compare_answers(question, inputs, mine, theirs):
    if question.judge is None:
        differences = tuple(compare(mine, theirs, question.tolerance))
        return Outcome(WRONG if differences else RIGHT, differences)
    try:
        remark = question.remark(decode(mine), inputs, decode(theirs))
    except Exception as error:  # the judge did not expect this type of answer
        remark = f"The answer has an unexpected type ({class_name(error)}): {show(mine)[:200]}"
    if remark is None:
        return Outcome(RIGHT)
    remark, node = remark if isinstance(remark, tuple) else (remark, None)
    return Outcome(WRONG, (Difference("", mine, theirs),), str(remark), node=node)
