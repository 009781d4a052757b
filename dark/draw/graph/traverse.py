"""A graph as it is read: every field with care, each node once, inputs before what uses them."""

from math import inf

from dark.draw.labels import plain
from dark.errors import DrawingError

UNFINISHED = NOT_LISTED = -1
MISSING = object()


def is_node(thing):
    """Say whether a thing can be drawn: it has inputs and a value.

    Examples
    --------
    >>> is_node(3.0)
    False
    """
    return not isinstance(thing, type) and _has(thing, "inputs") and _has(thing, "value")


def field_of(node, field, default=None):
    """Return a field of a node, which may be a student's own and fail in any way.

    Raises
    ------
    DrawingError
        If a property raises, or a method stands where a value should.
    """
    try:
        found = getattr(node, field, default)
    except Exception as error:
        raise unreadable(node, field, error) from None
    if found is node and callable(node):
        raise DrawingError(
            f"draw: a thing of type {type(node).__name__} stands among the inputs of a node.",
            "nodes or numbers.",
            "look where `inputs` is set; is a call missing its ()?",
        )
    if callable(found) and field in ("inputs", "value", "grad"):
        raise DrawingError(
            f"draw: {field} of {type(node).__name__} is a method.",
            f"a field, such as self.{field}, that is set.",
            f"write @property above the method {field}",
        )
    return found


def inputs_of(node):
    """Return the inputs of a node; a bare number has none, and an input that is None is none.

    Raises
    ------
    DrawingError
        If `inputs` is no list of nodes.
    """
    inputs = field_of(node, "inputs")
    if type(inputs) not in (tuple, list):
        inputs = () if inputs is None else _listed(node, inputs)
    return tuple([n for n in inputs if n is not None])


def order_of(root, most=inf, keep=None, read=inputs_of):
    """List the nodes below `root` in topological order, without recursion.

    Parameters
    ----------
    root : object
        The node that comes last.
    most : int, optional
        With more nodes than these the reading stops.
    keep : function, optional
        Takes a node and one of its inputs; says whether the input is listed. All inputs are, if not given.
    read : function
        Returns the inputs of a node.

    Returns
    -------
    nodes : list of object
        Each node once. A number that stands where a node should be is one each time.
    links : list of tuple of int
        For each node, the positions of its inputs; -1 for one that is not listed.
    None
        In place of both, if there are more than `most` nodes.

    Raises
    ------
    DrawingError
        If `root` is no node, if the graph runs in a circle, or if a field cannot be read.

    Examples
    --------
    >>> from types import SimpleNamespace as Thing
    >>> x = Thing(inputs=(), value=3.0)
    >>> order_of(Thing(inputs=[x, 2, 2, x], value=10.0))[1]
    [(), (), (), (0, 1, 2, 0)]
    """
    refuse_no_node(root)
    nodes, links, place, count = [], [], {id(root): UNFINISHED}, 1
    stack = [(root, iter(read(root)), [])]
    while stack:
        node, rest, found = stack[-1]
        for below in rest:
            known = place.get(id(below)) if is_node(below) else MISSING
            if keep is not None and not keep(node, below):
                found.append(NOT_LISTED)
                continue
            count += known is None or known is MISSING
            if count > most:
                return None
            if known is MISSING:
                found.append(len(nodes))
                nodes.append(below)
                links.append(())
            elif known is None:
                place[id(below)] = UNFINISHED
                stack.append((below, iter(read(below)), []))
                break
            elif known == UNFINISHED:
                raise _circle(below)
            else:
                found.append(known)
        else:
            stack.pop()
            place[id(node)] = len(nodes)
            if stack:
                stack[-1][2].append(len(nodes))
            nodes.append(node)
            links.append(tuple(found))
    return nodes, links


def refuse_no_node(root):
    """Raise the error for a root that cannot be drawn."""
    if not is_node(root):
        raise DrawingError(
            f"draw: {type(root).__name__} is no node of a graph.",
            "an object with `inputs` and `value`, such as the result of dark.add(x, 2).",
            "draw the node itself, not its value",
        )


def unreadable(node, field, error):
    """Make the error for a field that raises an error of its own."""
    said = plain(f"{type(error).__name__}: {_words(error)}", 200)
    return DrawingError(
        f"draw: {field} of {type(node).__name__} cannot be read: {said}",
        "a field that can be read and written as text.",
        f"print({field}) of this node; look at the property or the __repr__ behind it",
    )


def _has(thing, field):
    try:
        return hasattr(thing, field)
    except Exception:  # it is there, and fails; whoever reads it says how
        return True


def _listed(node, inputs):
    single = isinstance(inputs, (str, bytes, dict)) or is_node(inputs)
    try:
        if not single and iter(inputs) is not inputs:  # what can be read only once is no list
            return tuple(inputs)
    except Exception:
        pass
    raise DrawingError(
        f"draw: inputs of {type(node).__name__} is of type {type(inputs).__name__}.",
        "a tuple or a list of nodes.",
        "self.inputs = (x, y), or (x,) for a single one",
    )


def _circle(node):
    value = field_of(node, "value")
    try:
        text = plain(repr(value))
    except Exception as error:
        raise unreadable(node, "value", error) from None
    return DrawingError(
        f"draw: the graph runs in a circle through a node with value {text}.",
        "a graph in which no node is an input of itself.",
        "look where `inputs` is set; apply() makes a new node for each result",
    )


def _words(error):
    try:
        return str(error)
    except Exception:
        return ""
