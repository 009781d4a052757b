"""Walking a graph: its nodes in topological order, at any depth."""


def topological_order(root):
    """List the nodes below a node, every input before the nodes that use it.

    Depth first, with a list of our own in place of recursion, so that depth is no limit.

    Parameters
    ----------
    root : Node
        The node that everything listed leads to.

    Returns
    -------
    list of Node
        Each node once; `root` is the last.

    References
    ----------
    R. E. Tarjan, "Edge-disjoint spanning trees and depth-first search", Acta Informatica 6, 1976.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(3)
    >>> [node.value for node in dark.topological_order(x * x + x)]
    [3.0, 9.0, 12.0]
    """
    return walk(root, leaves=True)


def walk(root, leaves):
    """List the nodes below a node, inputs first; without leaves it is what a backward pass visits."""
    order, seen, waiting = [], set(), [root] if leaves or root.op is not None else []
    while waiting:
        node = waiting.pop()
        if node is None:  # everything below the node under this mark is listed
            order.append(waiting.pop())
        elif node not in seen:
            seen.add(node)
            waiting += (node, None)
            for n in node.inputs:
                if (leaves or n.op is not None) and n not in seen:
                    waiting.append(n)
    return order
