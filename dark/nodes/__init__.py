"""The graph: nodes, the operations that compute them, and the passes that traverse it.

Reading order: `graph`, `node`, `operation`, `backward`, `gradient`; these five are the idea. They rest on `values`
(what a node holds), `broadcasting`, `grad_mode` (`no_grad`), and on `node_checks`, `operation_checks` and
`graph_checks` for errors. `operators`, `array_methods` and `protocols` connect nodes to Python's operators and to
NumPy; `casting` changes dtypes, `gradient_hooks` calls functions of users with gradients; `fast` holds all shortcuts,
`malloc` lets the process reuse large blocks of memory.
"""

from dark.nodes.backward import gradients
from dark.nodes.broadcasting import unbroadcast
from dark.nodes.casting import Cast
from dark.nodes.grad_mode import anomaly, mode, no_grad
from dark.nodes.gradient import keeps_grad
from dark.nodes.graph import topological_order
from dark.nodes.graph_checks import changed_inputs
from dark.nodes.malloc import keep_large_blocks
from dark.nodes.node import Constant, Node, Parameter
from dark.nodes.operation import Operation
from dark.nodes.values import value_of

keep_large_blocks()

__all__ = [
    "Cast",
    "Constant",
    "Node",
    "Operation",
    "Parameter",
    "anomaly",
    "changed_inputs",
    "gradients",
    "keeps_grad",
    "mode",
    "no_grad",
    "topological_order",
    "unbroadcast",
    "value_of",
]
