"""Adapters: one function per framework that yields the nodes of a graph, found by what is handed over.

Reading order: `dark.draw.graph.graph_record` (what an adapter yields); `dark_nodes` (the nodes of `dark`, and of every
class with `inputs` and `value`) with `module_calls`; `registry` (the list of all). Then `micrograd_values`; `pytorch`
with `tensors` and `network_calls`; the packages `jax_graphs` and `onnx_graphs`; `module_paths` (the modules of
operations where only the parameters have names) and `settings`.
"""

from dark.draw.adapters.registry import ADAPTERS, Adapter, comes_from, graph_record
