"""The compared and measured facts of a node: its value and gradient as arrays, and the name of its operation."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dark.draw.adapters.module_paths import snake_case
from dark.draw.graph.graph_record import GraphNode, GraphRecord
from dark.draw.labels import value_in, value_text

# The names that frameworks have for one operation; the first of each line is used.
SAME = (
    ("add", "+"), ("sub", "-", "rsub"), ("mul", "*", "multiply"), ("div", "/", "divide", "true_divide"),
    ("pow", "**", "power", "integer_pow"), ("neg", "negative"),
    ("matmul", "mat_mul", "@", "mm", "bmm", "dot", "dot_general"),
    ("linear", "addmm", "gemm"), ("sum", "reduce_sum"), ("mean", "reduce_mean"), ("max", "reduce_max", "amax"),
    ("min", "reduce_min", "amin"), ("reshape", "view", "flatten", "unsafe_view"), ("sigmoid", "logistic"),
    ("transpose", "t", "permute", "moveaxis", "swapaxes"), ("conv", "convolution", "conv1d", "conv2d", "conv3d",
    "conv_general_dilated"), ("batch_norm", "batchnorm", "native_batch_norm", "batch_normalization"),
    ("layer_norm", "layernorm", "native_layer_norm", "layer_normalization"), ("maximum", "elementwise_max"),
    ("concatenate", "cat", "concat"), ("abs", "absolute"), ("leaky_relu", "leakyrelu"), ("square",),
    ("log_softmax", "logsoftmax"), ("cross_entropy", "crossentropy", "nll_loss"), ("mse_loss", "mse"),
)  # fmt: skip
NAMES = {other: names[0] for names in SAME for other in names}


@dataclass(frozen=True)
class Facts:
    """A node of a graph, with its value and gradient as arrays of numbers, and the positions of its inputs."""

    node: GraphNode
    inputs: tuple[int, ...]

    @cached_property
    def value(self):
        """The value as an array of numbers, or None if it is unknown."""
        return numbers_in(self.node.read("value"))

    @cached_property
    def grad(self):
        """The gradient as an array of numbers, or None if it is missing or unknown."""
        return numbers_in(self.node.read("grad"))

    @cached_property
    def grad_is_unknown(self):
        """Whether a gradient was computed, but is not kept."""
        return isinstance(self.node.read("grad"), str)

    @cached_property
    def operation(self):
        """The name of the operation that all frameworks share; "" for a leaf."""
        return common_name(self.node.operation)

    @cached_property
    def shape(self):
        """The shape, or None if it is unknown."""
        return self.node.shape if self.value is None else self.value.shape

    @cached_property
    def title(self):
        """The name of the node, else its operation, else its role."""
        return self.node.name or self.node.operation or self.node.role

    @cached_property
    def lines(self):
        """The two lines of its box: name and operation, value and gradient."""
        head = " ".join(filter(None, (self.node.name, self.node.operation))) or self.node.role
        texts = [short(self.value) if self.value is not None else str(self.shape or "")]
        if self.grad is not None:
            texts.append(f"grad {short(self.grad).rpartition(') ')[2]}")
        return head, ", ".join(filter(None, texts))


@dataclass(frozen=True)
class Finding:
    """A node, by its position, and what was found there, or begins there, in its value or in its gradient."""

    place: int
    kind: str  # "value" or "gradient", which gives the color
    sign: str
    words: str
    begins: bool = True


def facts_of(record: GraphRecord) -> list[Facts]:
    """Return the facts of each node of a record; their lines do not change when the graph does."""
    found = [Facts(node, inputs) for node, inputs in zip(record.nodes, record.links)]
    for facts in found:
        _ = facts.lines
    return found


def common_name(operation):
    """Return the name that an operation has in all frameworks."""
    name = snake_case(operation)
    return "pow" if name.startswith("**") else NAMES.get(name, name)


def numbers_in(thing):
    """Return a value as an array of numbers; None for anything else, such as a string that says why it is missing."""
    thing = value_in(thing)
    if thing is None or isinstance(thing, (str, bytes)):
        return None
    try:
        array = np.asarray(thing)
    except Exception:  # an array of another library may fail in any way
        return None
    return array if array.dtype.kind in "fiubc" else None


def short(array):
    """Return a number, or the shape and the root mean square of an array, in a few characters."""
    if array is None:
        return "–"
    if array.ndim == 0 or array.size == 0:
        return value_text(array[()] if array.ndim == 0 else array)
    return f"{array.shape} rms {root_mean_square(array):.4g}".replace(",)", ")")


def root_mean_square(array):
    """Return the root mean square of the elements; of a large one without overflow."""
    if array.size == 0:
        return 0.0
    with np.errstate(all="ignore"):
        size = np.abs(array).astype(float)
        largest = float(size.max())
        return largest * float(np.sqrt(np.mean((size / largest) ** 2))) if 0 < largest < np.inf else largest
