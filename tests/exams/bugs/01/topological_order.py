"""Wrong answers to the exercise topological_order of module 01, each with what is wrong and what to do next."""

# %% recursion
# says: The function calls itself for each level of the graph, and Python allows about 1,000 levels.
# next: Keep waiting nodes in a list of your own; hint 3 shows how.
def topological_order(root):
    """List every node below root once, inputs before the nodes that use them, root last."""
    order, met = [], set()

    def visit(node):
        if node not in met:
            met.add(node)
            for n in node.inputs:
                visit(n)
            order.append(node)

    visit(root)
    return order

# %% users_first
# says: The order runs the wrong way: the root is first and the inputs come after their users.
# next: Inputs come first and the root last.
def topological_order(root):
    """List every node below root once, inputs before the nodes that use them, root last."""
    order, met, waiting = [], set(), [(root, False)]
    while waiting:
        node, done = waiting.pop()
        if done:
            order.append(node)
        elif node not in met:
            met.add(node)
            waiting.append((node, True))
            waiting.extend((n, False) for n in node.inputs)
    return order[::-1]

# %% repeats
# says: A node that is used twice is listed twice.
# next: Remember in a set which nodes you have met, and skip them.
def topological_order(root):
    """List every node below root once, inputs before the nodes that use them, root last."""
    order, waiting = [], [(root, False)]
    while waiting:
        node, done = waiting.pop()
        if done:
            order.append(node)
        else:
            waiting.append((node, True))
            waiting.extend((n, False) for n in node.inputs)
    return order

# %% level_by_level
# says: The graph is read level by level, but a node can be an input on one level and be used again further down.
# next: Write a node down only when all its inputs are written down.
def topological_order(root):
    """List every node below root once, inputs before the nodes that use them, root last."""
    order, met, waiting = [], {root}, [root]
    while waiting:
        node = waiting.pop(0)
        order.append(node)
        for n in node.inputs:
            if n not in met:
                met.add(n)
                waiting.append(n)
    return order[::-1]

# %% written_when_met
# says: A node is written down when it is met, and the list is reversed at the end: a node used early and late comes out after one of its users.
# next: Write a node down only when all its inputs are written down.
def topological_order(root):
    """List every node below root once, inputs before the nodes that use them, root last."""
    order, met, waiting = [], set(), [root]
    while waiting:
        node = waiting.pop()
        if node not in met:
            met.add(node)
            order.append(node)
            waiting.extend(node.inputs)
    return order[::-1]

# %% met_too_early
# says: A node counts as met as soon as it waits, so another user that needs it sooner skips it.
# next: Mark a node as met when you take it from the waiting list, not when you put it there.
def topological_order(root):
    """List every node below root once, inputs before the nodes that use them, root last."""
    order, met, waiting = [], {root}, [(root, False)]
    while waiting:
        node, done = waiting.pop()
        if done:
            order.append(node)
            continue
        waiting.append((node, True))
        for n in node.inputs:
            if n not in met:
                met.add(n)
                waiting.append((n, False))
    return order

# %% root_forgotten
# says: The root itself is missing from the list.
# next: The root comes last, after everything below it.
def topological_order(root):
    """List every node below root once, inputs before the nodes that use them, root last."""
    order, met, waiting = [], set(), [(root, False)]
    while waiting:
        node, done = waiting.pop()
        if done:
            order.append(node)
        elif node not in met:
            met.add(node)
            waiting.append((node, True))
            waiting.extend((n, False) for n in node.inputs)
    return order[:-1]

# %% leaves_forgotten
# says: Only results are listed; leaves belong to the graph too.
# next: List every node below the root, whatever its kind.
def topological_order(root):
    """List every node below root once, inputs before the nodes that use them, root last."""
    order, met, waiting = [], set(), [(root, False)]
    while waiting:
        node, done = waiting.pop()
        if done:
            order.append(node)
        elif node not in met and node.op is not None:
            met.add(node)
            waiting.append((node, True))
            waiting.extend((n, False) for n in node.inputs)
    return order

# %% equal_values_merged
# says: Two different nodes with equal values are taken for one.
# next: Remember the nodes themselves, not their values.
def topological_order(root):
    """List every node below root once, inputs before the nodes that use them, root last."""
    order, met, waiting = [], set(), [(root, False)]
    while waiting:
        node, done = waiting.pop()
        if done:
            order.append(node)
        elif node.value not in met:
            met.add(node.value)
            waiting.append((node, True))
            waiting.extend((n, False) for n in node.inputs)
    return order
