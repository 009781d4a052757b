"""Modules that repeat: siblings with the same operations, shapes and connections, of which one is drawn."""

FEWEST = 3  # a shorter run is drawn as it is


def repeated_blocks(nodes, links, spared=()):
    """Find runs of siblings that repeat.

    Parameters
    ----------
    nodes : sequence of GraphNode
        In topological order.
    links : sequence of tuple of int
        The inputs of each node.
    spared : collection of tuple of str
        The paths of modules that are drawn in any case; their runs do not count.

    Returns
    -------
    stand_in : list of int
        For each node the one that is drawn for it: itself, or that of the first block of its run.
    runs : dict of tuple of str to tuple of str
        For the path of each first block, the names of all blocks of its run.

    Examples
    --------
    >>> from dark.draw.graph.graph_record import GraphNode
    >>> nodes = [GraphNode(0, role="input")]
    >>> nodes += [GraphNode(k, "relu", inputs=(k - 1,), path=("layers", str(k))) for k in range(1, 5)]
    >>> repeated_blocks(nodes, [node.inputs for node in nodes])
    ([0, 1, 1, 1, 1], {('layers', '1'): ('1', '2', '3', '4')})
    """
    stand_in, runs = list(range(len(nodes))), {}
    waiting = [((), range(len(nodes)))]
    while waiting:
        prefix, inside = waiting.pop()
        children = _children(nodes, prefix, inside)
        signs = {name: _signature(nodes, links, inside, len(prefix) + 1) for name, inside in children.items()}
        for run in _runs(signs):
            paths = [(*prefix, name) for name in run]
            if len(run) >= FEWEST and not any(path[: len(prefix) + 1] in paths for path in spared):
                runs[paths[0]] = tuple(run)
                for name in run[1:]:
                    for i, k in zip(children[name], children[run[0]]):
                        stand_in[i] = k
                run = run[:1]
            waiting += [((*prefix, name), children[name]) for name in run]
    return stand_in, runs


def _children(nodes, prefix, inside):
    """Return the nodes of each child module, in the order in which the modules compute their first results."""
    depth = len(prefix)
    children = {nodes[i].path[depth]: [] for i in inside if len(nodes[i].path) > depth and nodes[i].operation}
    for i in inside:
        if len(nodes[i].path) > depth:
            children.setdefault(nodes[i].path[depth], []).append(i)
    return children


def _signature(nodes, links, inside, depth):
    place = {i: k for k, i in enumerate(inside)}
    return tuple(
        (
            nodes[i].operation,
            nodes[i].role,
            nodes[i].shape,
            nodes[i].path[depth:],
            *(place.get(k, -1) for k in links[i]),
        )
        for i in inside
    )


def _runs(signs):
    """Yield the runs of consecutive names with equal signatures."""
    run = []
    for name, sign in signs.items():
        if run and sign != signs[run[0]]:
            yield run
            run = []
        run.append(name)
    if run:
        yield run
