"""Adapters: one function per framework that yields the nodes of a graph, chosen by the object that is drawn.

Reading order: `dark.draw.graph.graph_record` (what an adapter yields); `dark_nodes` (the nodes of this package, and of
every class that is similar) with `module_calls`; `registry` (the list of all). Then `micrograd_values`; the packages
`jax_graphs` and `onnx_graphs`, and `settings`. `pytorch` reads autograd's graph with `tensors` and `module_paths` (the
modules of operations where only the parameters have names), and networks as they run with `network_calls`: of copies
(`torch_copies`, `tensor_parts`), whose calls are recorded (`recorded_calls`, `recorded_items`, `call_names`,
`shared_memory`) and become nodes (`call_graph`). `dark_networks` calls those of this package. `failed_network` and
`torch_files` are the errors.
"""

from dark.draw.adapters.registry import ADAPTERS, Adapter, comes_from, graph_record
