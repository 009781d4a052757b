"""Wrong answers to the exercise apply of module 01, each with what is wrong and what to do next."""

# %% plain_numbers
# says: A plain number has no value field; it was not packed into a Constant first.
# next: Make a Constant of every input that is not a Node.
def apply(cls, *inputs):
    """Compute a node with this operation, and let it remember the operation and its inputs."""
    y = cls._f(*[n.value for n in inputs])
    if all(isinstance(n, Constant) for n in inputs):
        return Constant(y)
    node = Node(y)
    node.op, node.inputs = cls, inputs
    return node


Operation.apply = classmethod(apply)

# %% parameters_of_numbers
# says: Plain numbers become Parameters, so fixed numbers of the formula would be trained.
# next: Pack plain numbers into Constant.
def apply(cls, *inputs):
    """Compute a node with this operation, and let it remember the operation and its inputs."""
    inputs = tuple(n if isinstance(n, Node) else Parameter(n) for n in inputs)
    y = cls._f(*[n.value for n in inputs])
    if all(isinstance(n, Constant) for n in inputs):
        return Constant(y)
    node = Node(y)
    node.op, node.inputs = cls, inputs
    return node


Operation.apply = classmethod(apply)

# %% copies
# says: Nodes are packed again, so the graph is cut: the new node does not know the node that went in.
# next: Leave an input alone if it is a Node already.
def apply(cls, *inputs):
    """Compute a node with this operation, and let it remember the operation and its inputs."""
    nodes = tuple(Parameter(n.value) if isinstance(n, Parameter) else Node(n.value) if isinstance(n, Node) else Constant(n) for n in inputs)
    y = cls._f(*[n.value for n in nodes])
    node = Constant(y) if all(isinstance(n, Constant) for n in inputs) else Node(y)
    if not isinstance(node, Constant):
        node.op, node.inputs = cls, nodes
    return node


Operation.apply = classmethod(apply)

# %% forgets_inputs
# says: The node remembers its operation but not what went in.
# next: Store the tuple of nodes as `inputs`.
def apply(cls, *inputs):
    """Compute a node with this operation, and let it remember the operation and its inputs."""
    inputs = tuple(n if isinstance(n, Node) else Constant(n) for n in inputs)
    y = cls._f(*[n.value for n in inputs])
    if all(isinstance(n, Constant) for n in inputs):
        return Constant(y)
    node = Node(y)
    node.op = cls
    return node


Operation.apply = classmethod(apply)

# %% forgets_operation
# says: The node remembers what went in, but not the operation.
# next: Store cls as `op`.
def apply(cls, *inputs):
    """Compute a node with this operation, and let it remember the operation and its inputs."""
    inputs = tuple(n if isinstance(n, Node) else Constant(n) for n in inputs)
    y = cls._f(*[n.value for n in inputs])
    if all(isinstance(n, Constant) for n in inputs):
        return Constant(y)
    node = Node(y)
    node.inputs = inputs
    return node


Operation.apply = classmethod(apply)

# %% reversed_inputs
# says: The inputs are remembered in the wrong order, so each would get the gradient of another.
# next: Keep the order in which they came.
def apply(cls, *inputs):
    """Compute a node with this operation, and let it remember the operation and its inputs."""
    inputs = tuple(n if isinstance(n, Node) else Constant(n) for n in inputs)
    y = cls._f(*[n.value for n in inputs])
    if all(isinstance(n, Constant) for n in inputs):
        return Constant(y)
    node = Node(y)
    node.op, node.inputs = cls, inputs[::-1]
    return node


Operation.apply = classmethod(apply)

# %% only_two
# says: It works for exactly two inputs; an operation may have one, or three.
# next: Treat the inputs as a tuple of any length.
def apply(cls, *inputs):
    """Compute a node with this operation, and let it remember the operation and its inputs."""
    inputs = tuple(n if isinstance(n, Node) else Constant(n) for n in inputs)
    y = cls._f(inputs[0].value, inputs[1].value)
    if all(isinstance(n, Constant) for n in inputs):
        return Constant(y)
    node = Node(y)
    node.op, node.inputs = cls, inputs
    return node


Operation.apply = classmethod(apply)

# %% hands_over_nodes
# says: `_f` gets nodes, but it wants their values.
# next: Take the value of each node before you call `_f`.
def apply(cls, *inputs):
    """Compute a node with this operation, and let it remember the operation and its inputs."""
    inputs = tuple(n if isinstance(n, Node) else Constant(n) for n in inputs)
    y = cls._f(*inputs)
    if all(isinstance(n, Constant) for n in inputs):
        return Constant(y)
    node = Node(y)
    node.op, node.inputs = cls, inputs
    return node


Operation.apply = classmethod(apply)

# %% remembers_constants
# says: A result of constants alone is remembered as a result, though nothing in it can be improved.
# next: If every input is a Constant, return a Constant.
def apply(cls, *inputs):
    """Compute a node with this operation, and let it remember the operation and its inputs."""
    inputs = tuple(n if isinstance(n, Node) else Constant(n) for n in inputs)
    y = cls._f(*[n.value for n in inputs])
    node = Node(y)
    node.op, node.inputs = cls, inputs
    return node


Operation.apply = classmethod(apply)

# %% one_constant_is_enough
# says: One Constant among the inputs turns the result into a Constant, and its Parameters are forgotten.
# next: Return a Constant only if all inputs are Constants.
def apply(cls, *inputs):
    """Compute a node with this operation, and let it remember the operation and its inputs."""
    inputs = tuple(n if isinstance(n, Node) else Constant(n) for n in inputs)
    y = cls._f(*[n.value for n in inputs])
    if any(isinstance(n, Constant) for n in inputs):
        return Constant(y)
    node = Node(y)
    node.op, node.inputs = cls, inputs
    return node


Operation.apply = classmethod(apply)
