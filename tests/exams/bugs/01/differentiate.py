"""Wrong answers to the exercise differentiate of module 01, each with what is wrong and what to do next."""

# %% always_one
# says: The rule is told that 1 arrived, whatever the node has received.
# next: Hand node.grad to the rule.
def differentiate(cls, node):
    """Return what node sends to each of its inputs, from the gradient it has received."""
    values = [n.value for n in node.inputs]
    return cls._df(1.0, node.value, *values)


Operation.differentiate = classmethod(differentiate)

# %% value_for_gradient
# says: Gradient and value are swapped: the rule takes the value for what arrived.
# next: The order is dldy, y, then the inputs.
def differentiate(cls, node):
    """Return what node sends to each of its inputs, from the gradient it has received."""
    values = [n.value for n in node.inputs]
    return cls._df(node.value, node.grad, *values)


Operation.differentiate = classmethod(differentiate)

# %% value_twice
# says: The value of the node stands where its gradient belongs.
# next: The first argument is the node's gradient.
def differentiate(cls, node):
    """Return what node sends to each of its inputs, from the gradient it has received."""
    values = [n.value for n in node.inputs]
    return cls._df(node.value, node.value, *values)


Operation.differentiate = classmethod(differentiate)

# %% gradient_twice
# says: The gradient of the node stands where its value belongs, so rules that use y go wrong.
# next: The second argument is the node's value.
def differentiate(cls, node):
    """Return what node sends to each of its inputs, from the gradient it has received."""
    values = [n.value for n in node.inputs]
    return cls._df(node.grad, node.grad, *values)


Operation.differentiate = classmethod(differentiate)

# %% hands_over_nodes
# says: The rule gets nodes, but it wants their values.
# next: Take the value of each input.
def differentiate(cls, node):
    """Return what node sends to each of its inputs, from the gradient it has received."""
    return cls._df(node.grad, node.value, *node.inputs)


Operation.differentiate = classmethod(differentiate)

# %% reversed_inputs
# says: The values of the inputs come in the wrong order.
# next: Keep the order of node.inputs.
def differentiate(cls, node):
    """Return what node sends to each of its inputs, from the gradient it has received."""
    values = [n.value for n in node.inputs]
    return cls._df(node.grad, node.value, *reversed(values))


Operation.differentiate = classmethod(differentiate)

# %% chain_twice
# says: What arrived is multiplied in twice: the rule has done it already.
# next: Return what the rule returns.
def differentiate(cls, node):
    """Return what node sends to each of its inputs, from the gradient it has received."""
    values = [n.value for n in node.inputs]
    return [node.grad * g for g in cls._df(node.grad, node.value, *values)]


Operation.differentiate = classmethod(differentiate)

# %% one_packet
# says: The values are handed over as one list; the rule wants one argument for each.
# next: Put a star in front of the list.
def differentiate(cls, node):
    """Return what node sends to each of its inputs, from the gradient it has received."""
    values = [n.value for n in node.inputs]
    return cls._df(node.grad, node.value, values)


Operation.differentiate = classmethod(differentiate)

# %% gradients_of_inputs
# says: The gradients of the inputs are handed over in place of their values.
# next: The rule wants the value of each input.
def differentiate(cls, node):
    """Return what node sends to each of its inputs, from the gradient it has received."""
    return cls._df(node.grad, node.value, *[n.grad for n in node.inputs])


Operation.differentiate = classmethod(differentiate)

# %% calls_f
# says: This is the value again: `_f` is called in place of `_df`.
# next: Call the rule, `_df`.
def differentiate(cls, node):
    """Return what node sends to each of its inputs, from the gradient it has received."""
    values = [n.value for n in node.inputs]
    return cls._f(*values)


Operation.differentiate = classmethod(differentiate)
