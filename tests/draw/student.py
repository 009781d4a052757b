"""Graph classes as a student writes them, independent of `dark.nodes`, and random boxes."""

from hypothesis import strategies as st

from dark.draw import Box


class Node:
    """A value, the operation that computed it, and its gradient."""

    def __init__(self, value, op=None, inputs=(), grad=None, name=None):
        self.value, self.op, self.inputs, self.grad, self.name = value, op, inputs, grad, name


class Constant(Node):
    """A node without a gradient."""


class Parameter(Node):
    """A trainable node."""


class Add:
    """The sum of two nodes, without a sign."""

    def differentiate(self, node):
        """Send the gradient to both inputs."""
        return [node.grad, node.grad]


class Mul:
    """The product of two nodes, with a sign."""

    sign = "×"

    def differentiate(self, node):
        """Send the gradient times the other input to each input."""
        left, right = node.inputs
        return [node.grad * right.value, node.grad * left.value]


class OneNumber:
    """An operation that sends a scalar to an array."""

    @staticmethod
    def differentiate(node):
        """Send 1, regardless of the shape."""
        return [1.0]


def shared(grad=3.0):
    """Return 2a + a at a = 1 after its backward pass, as a student's graph."""
    a = Parameter(1.0, grad=grad, name="a")
    double = Node(2.0, Mul(), (Constant(2), a), grad=1.0)
    return Node(3.0, Add(), (double, a), grad=1.0, name="y")


def chain(length):
    """Return the last of `length` results, each computed from the previous one."""
    node = Parameter(1.0)
    for _ in range(length):
        node = Node(1.0, Add(), (node,))
    return node


@st.composite
def random_boxes(draw):
    """Generate boxes in topological order with any names, operations, numbers and inputs."""
    number = st.none() | st.floats() | st.integers() | st.text()
    boxes = []
    for i in range(draw(st.integers(1, 8))):
        inputs = draw(st.lists(st.integers(0, i - 1), max_size=3)) if i else []
        kind = "result" if inputs else draw(st.sampled_from(["parameter", "constant"]))
        operation = draw(st.text()) if inputs else None
        name = draw(st.none() | st.text())
        mark = draw(st.sampled_from([None, "wrong", "now"]))
        boxes.append(Box(kind, operation, draw(number), draw(number), name, tuple(inputs), mark))
    return tuple(boxes)
