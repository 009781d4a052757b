"""Wrong answers to the exercise array_backward of module 03, each with what is wrong and what to do next."""

# %% not_fitted
# says: A piece arrives in the shape of the result; the number that was repeated gets a table of gradients.
# next: Bring the piece into the shape of n's value first: unbroadcast.
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = None
    self.grad = np.ones(np.shape(self.value))
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    n.grad = piece + (0.0 if n.grad is None else n.grad)


Node.backward = backward

# %% replaces
# says: The piece that arrives second replaces the first.
# next: Add the piece to what n has.
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = None
    self.grad = np.ones(np.shape(self.value))
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    piece = unbroadcast(piece, np.shape(n.value))
                    n.grad = piece + 0.0


Node.backward = backward

# %% shares_memory
# says: The first piece is not copied, so two gradients are one array under two names.
# next: Make a new array for the first piece too, for example by adding 0.0 to it.
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = None
    self.grad = np.ones(np.shape(self.value))
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    piece = unbroadcast(piece, np.shape(n.value))
                    n.grad = piece if n.grad is None else n.grad + piece


Node.backward = backward

# %% adds_in_place
# says: `+=` changes the array in place, and the first piece still belongs to another node: a published library did this.
# next: Write n.grad + piece, which makes a new array, and copy the first piece.
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = None
    self.grad = np.ones(np.shape(self.value))
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    piece = unbroadcast(piece, np.shape(n.value))
                    if n.grad is None:
                        n.grad = piece
                    else:
                        n.grad += piece


Node.backward = backward

# %% truth_of_an_array
# says: An array of several numbers is neither true nor false, so `or` cannot choose.
# next: Ask `n.grad is None`.
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = None
    self.grad = np.ones(np.shape(self.value))
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    piece = unbroadcast(piece, np.shape(n.value))
                    n.grad = (n.grad or 0.0) + piece


Node.backward = backward

# %% fits_the_sender
# says: The piece is fitted to the shape of the node that sends it; it must fit the one that receives it.
# next: Use the shape of n.value, not of node.value.
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = None
    self.grad = np.ones(np.shape(self.value))
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    piece = unbroadcast(piece, np.shape(node.value))
                    n.grad = piece + (0.0 if n.grad is None else n.grad)


Node.backward = backward

# %% sums_all
# says: Every piece is summed to one number, also where nothing was repeated.
# next: Sum back to the shape of n's value: unbroadcast.
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = None
    self.grad = np.ones(np.shape(self.value))
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    n.grad = np.sum(piece) + (0.0 if n.grad is None else n.grad)


Node.backward = backward

# %% fits_too_late
# says: The sum is fitted after adding; what n had already is repeated, and counts several times.
# next: Fit the piece first, then add it.
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = None
    self.grad = np.ones(np.shape(self.value))
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    g = piece + (0.0 if n.grad is None else n.grad)
                    n.grad = unbroadcast(g, np.shape(n.value))


Node.backward = backward

# %% adds_to_the_sender
# says: The piece is added to the node that sends it; the inputs get nothing.
# next: The receiver is n.
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = None
    self.grad = np.ones(np.shape(self.value))
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    piece = unbroadcast(piece, np.shape(n.value))
                    node.grad = piece + (0.0 if node.grad is None else node.grad)


Node.backward = backward

# %% keeps_the_first
# says: A node that has a gradient takes no further piece, but every use counts.
# next: Add the piece to what n has.
def backward(self):
    """Send the gradient 1 from this node, which holds one number, back to every node below it.

    Each gradient has the shape of the value, and memory of its own.
    """
    if np.size(self.value) != 1:
        raise ValueError("backward begins at one number: take the sum or the mean first.")
    order = topological_order(self)
    for node in order:
        if node.op is not None:
            node.grad = None
    self.grad = np.ones(np.shape(self.value))
    for node in reversed(order):
        if node.op is not None:
            for n, piece in zip(node.inputs, node.op.differentiate(node)):
                if not isinstance(n, Constant):
                    piece = unbroadcast(piece, np.shape(n.value))
                    if n.grad is None:
                        n.grad = piece + 0.0


Node.backward = backward
