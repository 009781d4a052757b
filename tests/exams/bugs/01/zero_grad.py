"""Wrong answers to the exercise zero_grad of module 01, each with what is wrong and what to do next."""

# %% only_this_node
# says: Only this node is cleared; the nodes below it keep their gradients.
# next: Go through topological_order(self).
def zero_grad(self):
    """Set the gradients at and below this node to 0.0; one that is None stays None."""
    if self.grad is not None:
        self.grad = 0.0


Node.zero_grad = zero_grad

# %% one_level
# says: This node and its inputs are cleared, but not the nodes further down.
# next: Go through topological_order(self).
def zero_grad(self):
    """Set the gradients at and below this node to 0.0; one that is None stays None."""
    for node in (self, *self.inputs):
        if node.grad is not None:
            node.grad = 0.0


Node.zero_grad = zero_grad

# %% sets_none
# says: The gradients become None, which says that nothing ever arrived; they were to become 0.0.
# next: Store 0.0 where a gradient is there.
def zero_grad(self):
    """Set the gradients at and below this node to 0.0; one that is None stays None."""
    for node in topological_order(self):
        node.grad = None


Node.zero_grad = zero_grad

# %% clears_values
# says: The values are cleared, and the computed numbers are lost.
# next: Clear the field grad and leave value alone.
def zero_grad(self):
    """Set the gradients at and below this node to 0.0; one that is None stays None."""
    for node in topological_order(self):
        node.value = 0.0
        if node.grad is not None:
            node.grad = 0.0


Node.zero_grad = zero_grad

# %% recursion
# says: The function calls itself for each level of the graph, and Python allows about 1,000 levels.
# next: Go through topological_order(self); it works at any depth.
def zero_grad(self):
    """Set the gradients at and below this node to 0.0; one that is None stays None."""
    if self.grad is not None:
        self.grad = 0.0
    for n in self.inputs:
        n.zero_grad()


Node.zero_grad = zero_grad

# %% parameters_only
# says: Parameters are cleared, but results keep the gradients of the last pass.
# next: Clear every node of the order, whatever its kind.
def zero_grad(self):
    """Set the gradients at and below this node to 0.0; one that is None stays None."""
    for node in topological_order(self):
        if isinstance(node, Parameter) and node.grad is not None:
            node.grad = 0.0


Node.zero_grad = zero_grad

# %% results_only
# says: Results are cleared, but parameters keep theirs, and those are the ones that add up.
# next: Clear every node of the order, whatever its kind.
def zero_grad(self):
    """Set the gradients at and below this node to 0.0; one that is None stays None."""
    for node in topological_order(self):
        if node.op is not None and node.grad is not None:
            node.grad = 0.0


Node.zero_grad = zero_grad

# %% nothing_becomes_zero
# says: Nodes that never received anything get 0.0; they were to keep None.
# next: Change a gradient only if it is there.
def zero_grad(self):
    """Set the gradients at and below this node to 0.0; one that is None stays None."""
    for node in topological_order(self):
        node.grad = 0.0


Node.zero_grad = zero_grad

# %% root_spared
# says: Everything below is cleared, but this node keeps its own gradient.
# next: The node itself belongs to its topological order; do not leave it out.
def zero_grad(self):
    """Set the gradients at and below this node to 0.0; one that is None stays None."""
    for node in topological_order(self)[:-1]:
        if node.grad is not None:
            node.grad = 0.0


Node.zero_grad = zero_grad
