"""Wrong answers to the exercise backward of module 01, each with what is wrong and what to do next."""

# %% overwrites
# says: The gradient that arrives second replaces the first, even at parameters.
# next: Add to what is there; a node that is used twice receives two gradients.
def backward(self):
    """Send the gradient 1 from this node back to every node it was made from."""
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = 0.0
    self.grad = 1.0
    for node in reversed(order):
        if node.op is not None:
            for n, g in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    n.grad = g


Node.backward = backward

# %% results_overwrite
# says: A result keeps only what arrived last. This is the published mistake: only parameters add up.
# next: Let every input add, results too.
def backward(self):
    """Send the gradient 1 from this node back to every node it was made from."""
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = 0.0
    self.grad = 1.0
    for node in reversed(order):
        if node.op is not None:
            for n, g in zip(node.inputs, node.op.differentiate(node)):
                if isinstance(n, Parameter):
                    n.grad = (n.grad or 0.0) + g
                elif not isinstance(n, Constant):
                    n.grad = g


Node.backward = backward

# %% published_walk
# says: Each input is visited at once, before its other users have sent; and results overwrite.
# next: Go through topological_order(self) from its end, and add.
def backward(self):
    """Send the gradient 1 from this node back to every node it was made from."""
    self.grad = 1.0

    def walk(node):
        if node.op is None:
            return
        for n, g in zip(node.inputs, node.op.differentiate(node)):
            if isinstance(n, Parameter):
                n.grad = (n.grad or 0.0) + g
            elif not isinstance(n, Constant):
                n.grad = g
        for n in node.inputs:
            walk(n)

    walk(self)


Node.backward = backward

# %% adds_but_walks
# says: Gradients are added, but a shared node is visited once for each user and sends again what it sent before.
# next: Visit each node once, after all its users: use topological_order(self) from its end.
def backward(self):
    """Send the gradient 1 from this node back to every node it was made from."""
    for node in topological_order(self):
        if node.op is not None:
            node.grad = 0.0
    self.grad = 1.0
    waiting = [self]
    while waiting:
        node = waiting.pop()
        if node.op is not None:
            for n, g in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    n.grad = (n.grad or 0.0) + g
            waiting.extend(node.inputs)


Node.backward = backward

# %% results_pile_up
# says: Results still hold the gradient of the pass before, and send it on again: 40, then 160 in place of 80.
# next: Clear the gradient of every result before the pass.
def backward(self):
    """Send the gradient 1 from this node back to every node it was made from."""
    order = topological_order(self)
    for node in order:
        if node.grad is None and node.op is not None:
            node.grad = 0.0
    self.grad = 1.0
    for node in reversed(order):
        if node.op is not None:
            for n, g in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    n.grad = (n.grad or 0.0) + g


Node.backward = backward

# %% parameters_forget
# says: Parameters lose what earlier passes brought: 40, 40, 40 in place of 40, 80, 120.
# next: Clear results only; a parameter keeps what it has.
def backward(self):
    """Send the gradient 1 from this node back to every node it was made from."""
    order = topological_order(self)
    for node in order:
        if not isinstance(node, Constant):
            node.grad = 0.0
    self.grad = 1.0
    for node in reversed(order):
        if node.op is not None:
            for n, g in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    n.grad = (n.grad or 0.0) + g


Node.backward = backward

# %% wrong_direction
# says: The list is read from the start, so nodes send before anything has arrived.
# next: Read the topological order from its end.
def backward(self):
    """Send the gradient 1 from this node back to every node it was made from."""
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = 0.0
    self.grad = 1.0
    for node in order:
        if node.op is not None:
            for n, g in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    n.grad = (n.grad or 0.0) + g


Node.backward = backward

# %% no_start
# says: The root never gets its 1, so only zeros travel down.
# next: Give the root the gradient 1 before the loop.
def backward(self):
    """Send the gradient 1 from this node back to every node it was made from."""
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = 0.0
    for node in reversed(order):
        if node.op is not None:
            for n, g in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    n.grad = (n.grad or 0.0) + g


Node.backward = backward

# %% asks_itself
# says: Every node asks `self`, the root, what to send; each must ask for itself.
# next: Pass the node of the loop to differentiate.
def backward(self):
    """Send the gradient 1 from this node back to every node it was made from."""
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = 0.0
    self.grad = 1.0
    for node in reversed(order):
        if node.op is not None:
            for n, g in zip(node.inputs, node.op.differentiate(self)):
                if not isinstance(n, Constant):
                    n.grad = (n.grad or 0.0) + g


Node.backward = backward

# %% constants_receive
# says: Constants get gradients, though nothing will ever improve them.
# next: Skip an input that is a Constant.
def backward(self):
    """Send the gradient 1 from this node back to every node it was made from."""
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = 0.0
    self.grad = 1.0
    for node in reversed(order):
        if node.op is not None:
            for n, g in zip(node.inputs, node.op.differentiate(node)):
                n.grad = (n.grad or 0.0) + g


Node.backward = backward
