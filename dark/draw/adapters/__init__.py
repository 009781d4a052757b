"""Adapters: one function per framework that yields the nodes of a graph, found by what is handed over.

Reading order: `dark.draw.graph.graph_record`, what an adapter yields; `dark_nodes`, the adapter of `dark`, and of every
class with `inputs` and `value`; `registry`, the list of all.
"""

from dark.draw.adapters.registry import ADAPTERS, Adapter, graph_record
