"""Single nodes of an ONNX model, run by ONNX's reference implementation; one that it cannot run is no error."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from dark.draw.labels import one_line


def run_node(onnx: Any, node: Any, feeds: dict[str, Any], opsets: Iterable[Any], functions: Iterable[Any]) -> list[Any]:
    """Return the results of a node; `feeds` are its inputs, and the values that its bodies use, by name."""
    from onnx.reference import ReferenceEvaluator

    if node.op_type == "Loop" and not node.input[1]:  # the reference takes a condition that is left out for false
        node, feeds = onnx.NodeProto.FromString(node.SerializeToString()), feeds | {"no condition": np.array(True)}
        node.input[1] = "no condition"
    ends = [[onnx.ValueInfoProto(name=name) for name in names if name] for names in (feeds, node.output)]
    graph = onnx.helper.make_graph([node], "node", *ends)
    model = onnx.helper.make_model(graph, opset_imports=opsets, functions=functions)
    with np.errstate(all="ignore"):
        found = iter(ReferenceEvaluator(model).run(None, feeds))
    return [next(found) if name else None for name in node.output]


def why_not(error: Exception) -> tuple[str, str]:
    """Return a few words, and a line, about a node that could not be run."""
    is_unknown = isinstance(error, NotImplementedError) or "is unknown" in str(error)
    words = "no implementation" if is_unknown else type(error).__name__
    return f"not run: {words}", one_line(f"{type(error).__name__}: {error}", 200)


@contextmanager
def kept_random_state() -> Iterator[None]:
    """Give NumPy's global generator back its state, which the reference uses."""
    state = np.random.get_state()
    try:
        yield
    finally:
        np.random.set_state(state)
