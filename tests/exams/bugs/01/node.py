"""Wrong answers to the exercise node of module 01, each with what is wrong and what to do next."""

# %% keeps_it_as_given
# says: An integer stays an integer; the field must be a float.
# next: Store float(value).
class Node:
    """A number in a graph, and how it was made."""

    def __init__(self, value):
        """Make a leaf: a float value, no gradient yet, no operation, no inputs."""
        self.value = value
        self.grad = None
        self.op = None
        self.inputs = ()

    def __repr__(self):
        return f"{type(self).__name__}(value={self.value}, grad={self.grad})"


class Constant(Node):
    """A fixed number; it does not require a gradient."""


class Parameter(Node):
    """A trainable number; its gradient accumulates until it is cleared."""

# %% gradient_starts_at_zero
# says: The gradient starts as 0, which claims that something arrived and that it was 0.
# next: Nothing has arrived yet: start with None.
class Node:
    """A number in a graph, and how it was made."""

    def __init__(self, value):
        """Make a leaf: a float value, no gradient yet, no operation, no inputs."""
        self.value = float(value)
        self.grad = 0.0
        self.op = None
        self.inputs = ()

    def __repr__(self):
        return f"{type(self).__name__}(value={self.value}, grad={self.grad})"


class Constant(Node):
    """A fixed number; it does not require a gradient."""


class Parameter(Node):
    """A trainable number; its gradient accumulates until it is cleared."""

# %% operation_is_text
# says: The operation of a leaf is a string; a leaf has no operation.
# next: Store None. The dot is only how the picture shows it.
class Node:
    """A number in a graph, and how it was made."""

    def __init__(self, value):
        """Make a leaf: a float value, no gradient yet, no operation, no inputs."""
        self.value = float(value)
        self.grad = None
        self.op = "."
        self.inputs = ()

    def __repr__(self):
        return f"{type(self).__name__}(value={self.value}, grad={self.grad})"


class Constant(Node):
    """A fixed number; it does not require a gradient."""


class Parameter(Node):
    """A trainable number; its gradient accumulates until it is cleared."""

# %% inputs_are_none
# says: A leaf has an empty tuple of inputs, so that loops over them simply do nothing; here it has None.
# next: Store () as the inputs.
class Node:
    """A number in a graph, and how it was made."""

    def __init__(self, value):
        """Make a leaf: a float value, no gradient yet, no operation, no inputs."""
        self.value = float(value)
        self.grad = None
        self.op = None
        self.inputs = None

    def __repr__(self):
        return f"{type(self).__name__}(value={self.value}, grad={self.grad})"


class Constant(Node):
    """A fixed number; it does not require a gradient."""


class Parameter(Node):
    """A trainable number; its gradient accumulates until it is cleared."""

# %% field_forgotten
# says: The node has no field `op`, so accessing it on a leaf raises an error.
# next: Set all four fields in __init__.
class Node:
    """A number in a graph, and how it was made."""

    def __init__(self, value):
        """Make a leaf: a float value, no gradient yet, no operation, no inputs."""
        self.value = float(value)
        self.grad = None
        self.inputs = ()

    def __repr__(self):
        return f"{type(self).__name__}(value={self.value}, grad={self.grad})"


class Constant(Node):
    """A fixed number; it does not require a gradient."""


class Parameter(Node):
    """A trainable number; its gradient accumulates until it is cleared."""

# %% local_names
# says: The names are local to __init__ and gone when it ends; the node keeps nothing.
# next: Write self. in front of each field.
class Node:
    """A number in a graph, and how it was made."""

    def __init__(self, value):
        """Make a leaf: a float value, no gradient yet, no operation, no inputs."""
        value = float(value)
        grad = None
        op = None
        inputs = ()

    def __repr__(self):
        return f"{type(self).__name__}(value={self.value}, grad={self.grad})"


class Constant(Node):
    """A fixed number; it does not require a gradient."""


class Parameter(Node):
    """A trainable number; its gradient accumulates until it is cleared."""

# %% integers
# says: int() cuts the decimals off.
# next: Use float() in place of int().
class Node:
    """A number in a graph, and how it was made."""

    def __init__(self, value):
        """Make a leaf: a float value, no gradient yet, no operation, no inputs."""
        self.value = float(int(value))
        self.grad = None
        self.op = None
        self.inputs = ()

    def __repr__(self):
        return f"{type(self).__name__}(value={self.value}, grad={self.grad})"


class Constant(Node):
    """A fixed number; it does not require a gradient."""


class Parameter(Node):
    """A trainable number; its gradient accumulates until it is cleared."""

# %% value_on_the_class
# says: The value is stored on the class, so a new node changes the value of all the others.
# next: Store it on self.
class Node:
    """A number in a graph, and how it was made."""

    def __init__(self, value):
        """Make a leaf: a float value, no gradient yet, no operation, no inputs."""
        Node.value = float(value)
        self.grad = None
        self.op = None
        self.inputs = ()

    def __repr__(self):
        return f"{type(self).__name__}(value={self.value}, grad={self.grad})"


class Constant(Node):
    """A fixed number; it does not require a gradient."""


class Parameter(Node):
    """A trainable number; its gradient accumulates until it is cleared."""

# %% shared_list
# says: One list of inputs belongs to the class, so all nodes share it: what is put into one appears in all.
# next: Set the fields in __init__, on self, and use a tuple.
class Node:
    """A number in a graph, and how it was made."""

    op = None
    inputs = []
    grad = None

    def __init__(self, value):
        """Make a leaf: a float value, no gradient yet, no operation, no inputs."""
        self.value = float(value)

    def __repr__(self):
        return f"{type(self).__name__}(value={self.value}, grad={self.grad})"


class Constant(Node):
    """A fixed number; it does not require a gradient."""


class Parameter(Node):
    """A trainable number; its gradient accumulates until it is cleared."""

# %% inputs_forgotten
# says: The node has no field `inputs`, so walking the graph raises an error at its leaves.
# next: Set all four fields in __init__.
class Node:
    """A number in a graph, and how it was made."""

    def __init__(self, value):
        """Make a leaf: a float value, no gradient yet, no operation, no inputs."""
        self.value = float(value)
        self.grad = None
        self.op = None

    def __repr__(self):
        return f"{type(self).__name__}(value={self.value}, grad={self.grad})"


class Constant(Node):
    """A fixed number; it does not require a gradient."""


class Parameter(Node):
    """A trainable number; its gradient accumulates until it is cleared."""
