"""The graph: nodes, the operations that link them, and the passes that walk them.

Read `node`, then `operation`, `graph`, `backward`; `values` and `mode` hold what those
lean on, `casting` fits gradients that are nodes to theirs.
Importing the package lets the process keep large blocks of memory for the next array; `memory` says
why, and how to switch it off.
"""

from dark.nodes.backward import gradients
from dark.nodes.casting import Cast
from dark.nodes.graph import topological_order
from dark.nodes.memory import keep_large_blocks
from dark.nodes.mode import anomaly, mode, no_grad
from dark.nodes.node import Constant, Node, Parameter
from dark.nodes.protocols import value_of
from dark.nodes.operation import Operation
from dark.nodes.values import unbroadcast

keep_large_blocks()

__all__ = [
    "Cast",
    "Constant",
    "Node",
    "Operation",
    "Parameter",
    "anomaly",
    "gradients",
    "mode",
    "no_grad",
    "topological_order",
    "unbroadcast",
    "value_of",
]
