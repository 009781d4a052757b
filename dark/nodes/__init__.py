"""The graph: nodes, the operations that compute them, and the passes that traverse it.

Reading order: `graph`, `node`, `operation`, `backward`, `gradient`; these five are the idea. They rest on `values`
(what a node holds), `broadcasting`, `grad_mode` (`no_grad`), and on `node_checks`, `operation_checks` and
`graph_checks` for errors and conversions. `operators`, `comparisons`, `array_methods` and `protocols` connect nodes to
Python's operators and to NumPy; `changes` detects values that were written into, `gradient_hooks` calls functions of
users with gradients, `leaves` makes constants without a copy and promotes dtypes; `fast` holds all shortcuts, `memory`
what keeps large arrays cheap.
"""

from dark.nodes.backward import gradients
from dark.nodes.broadcasting import unbroadcast
from dark.nodes.grad_mode import anomaly, mode, no_grad
from dark.nodes.memory import keeps_grad
from dark.nodes.graph import topological_order
from dark.nodes.changes import changed_inputs, changed_since, version
from dark.nodes.memory import keep_memory
from dark.nodes.node import Constant, Node, Parameter
from dark.nodes.operation import Operation
from dark.nodes.values import value_of

keep_memory()

__all__ = [
    "Constant", "Node", "Operation", "Parameter", "anomaly", "changed_inputs", "changed_since", "gradients",
    "keeps_grad", "mode", "no_grad", "topological_order", "unbroadcast", "value_of", "version",
]  # fmt: skip
