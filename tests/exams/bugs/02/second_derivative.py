"""Wrong answers to the exercise second_derivative of module 02, each with what is wrong and what to do next."""

# %% numbers_again
# says: The rules get numbers, so the slope has the right value but no graph: its own slope is 0 everywhere.
# next: Hand the nodes to the rule: what has arrived, the node, its inputs.
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    arrived = {y: Constant(1)}
    for node in reversed(topological_order(y)):
        if node.op is not None and node in arrived:
            pieces = node.op._df(arrived[node].value, node.value, *[n.value for n in node.inputs])
            pieces = [Constant(piece) for piece in pieces]
            for n, piece in zip(node.inputs, pieces):
                arrived[n] = arrived[n] + piece if n in arrived else piece
    found = arrived.get(x, 0)
    return found if isinstance(found, Node) else Constant(found)

# %% value_of_y
# says: The rule gets y as a number, so whatever it makes of y has no graph.
# next: Hand the node itself to the rule.
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    arrived = {y: Constant(1)}
    for node in reversed(topological_order(y)):
        if node.op is not None and node in arrived:
            pieces = node.op._df(arrived[node], node.value, *node.inputs)
            for n, piece in zip(node.inputs, pieces):
                arrived[n] = arrived[n] + piece if n in arrived else piece
    found = arrived.get(x, 0)
    return found if isinstance(found, Node) else Constant(found)

# %% values_of_inputs
# says: The rule gets the inputs as numbers, so whatever it makes of them has no graph.
# next: Hand the nodes in node.inputs to the rule.
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    arrived = {y: Constant(1)}
    for node in reversed(topological_order(y)):
        if node.op is not None and node in arrived:
            pieces = node.op._df(arrived[node], node, *[n.value for n in node.inputs])
            for n, piece in zip(node.inputs, pieces):
                arrived[n] = arrived[n] + piece if n in arrived else piece
    found = arrived.get(x, 0)
    return found if isinstance(found, Node) else Constant(found)

# %% overwrites
# says: What arrives second replaces what arrived first.
# next: Add to what the table has; a node used twice receives two pieces.
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    arrived = {y: Constant(1)}
    for node in reversed(topological_order(y)):
        if node.op is not None and node in arrived:
            pieces = node.op._df(arrived[node], node, *node.inputs)
            for n, piece in zip(node.inputs, pieces):
                arrived[n] = piece
    found = arrived.get(x, 0)
    return found if isinstance(found, Node) else Constant(found)

# %% a_number
# says: The answer is a number; only a node can be differentiated again.
# next: Answer the node, not its value.
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    arrived = {y: Constant(1)}
    for node in reversed(topological_order(y)):
        if node.op is not None and node in arrived:
            pieces = node.op._df(arrived[node], node, *node.inputs)
            for n, piece in zip(node.inputs, pieces):
                arrived[n] = arrived[n] + piece if n in arrived else piece
    found = arrived.get(x, 0)
    return found.value if isinstance(found, Node) else found

# %% bare_numbers
# says: Where nothing arrives, or a rule returns a plain number, the result is not a node.
# next: Make a Constant of a number before you answer.
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    arrived = {y: Constant(1)}
    for node in reversed(topological_order(y)):
        if node.op is not None and node in arrived:
            pieces = node.op._df(arrived[node], node, *node.inputs)
            for n, piece in zip(node.inputs, pieces):
                arrived[n] = arrived[n] + piece if n in arrived else piece
    found = arrived.get(x, 0)
    return found

# %% from_the_inputs_on
# says: The order is read from its start, where nothing has arrived yet.
# next: Go from the end of the topological order to its start.
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    arrived = {y: Constant(1)}
    for node in topological_order(y):
        if node.op is not None and node in arrived:
            pieces = node.op._df(arrived[node], node, *node.inputs)
            for n, piece in zip(node.inputs, pieces):
                arrived[n] = arrived[n] + piece if n in arrived else piece
    found = arrived.get(x, 0)
    return found if isinstance(found, Node) else Constant(found)

# %% nothing_arrives
# says: x is asked for in the table, and is not there where y does not use it.
# next: Let nothing count as 0.
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    arrived = {y: Constant(1)}
    for node in reversed(topological_order(y)):
        if node.op is not None and node in arrived:
            pieces = node.op._df(arrived[node], node, *node.inputs)
            for n, piece in zip(node.inputs, pieces):
                arrived[n] = arrived[n] + piece if n in arrived else piece
    found = arrived[x]
    return found if isinstance(found, Node) else Constant(found)

# %% starts_with_y
# says: The pass starts with y itself; y changes once as much as y, so it starts with 1.
# next: Let the table begin with a constant 1 at y.
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    arrived = {y: y}
    for node in reversed(topological_order(y)):
        if node.op is not None and node in arrived:
            pieces = node.op._df(arrived[node], node, *node.inputs)
            for n, piece in zip(node.inputs, pieces):
                arrived[n] = arrived[n] + piece if n in arrived else piece
    found = arrived.get(x, 0)
    return found if isinstance(found, Node) else Constant(found)

# %% backward_instead
# says: backward computes numbers and stores them in the fields; the slope has no graph, and gradients have changed.
# next: Keep what arrives in a table of nodes, and touch no field.
def gradient(y, x):
    """Return the gradient of the node y along the node x, as a node; no field is changed."""
    x.grad = None
    y.backward()
    return Constant(x.grad or 0.0)
