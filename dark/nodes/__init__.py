"""The graph: nodes, the operations that link them, and the passes that walk them.

Read `node`, then `operation`, `graph`, `backward`; `values` and `mode` hold what those lean on.
"""

from dark.nodes.graph import topological_order
from dark.nodes.mode import anomaly, mode, no_grad
from dark.nodes.node import Constant, Node, Parameter, value_of
from dark.nodes.operation import Operation
from dark.nodes.values import unbroadcast

__all__ = [
    "Constant",
    "Node",
    "Operation",
    "Parameter",
    "anomaly",
    "mode",
    "no_grad",
    "topological_order",
    "unbroadcast",
    "value_of",
]
