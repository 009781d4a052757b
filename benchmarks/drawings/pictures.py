"""One function for each rival: it draws as its documentation shows, with all that it can show, and returns SVG.

Each takes the factor of the weights and the factor of the gradients, None before the backward pass.
"""

from benchmarks.drawings.models import images, loss_of, neuron, residual_network


def by_dark(scale=1.0, weight=None):
    """dark: the loss, with its modules as frames."""
    import dark

    network = residual_network(scale=scale)
    return dark.draw(loss_of(network, weight), model=network).svg


def by_torchviz(scale=1.0, weight=None):
    """torchviz: the loss, with everything that it offers to show."""
    from torchviz import make_dot

    network = residual_network(scale=scale)
    parameters = dict(network.named_parameters())
    dot = make_dot(loss_of(network, weight), params=parameters, show_attrs=True, show_saved=True)
    return dot.pipe(format="svg").decode()


def by_torchview(scale=1.0, weight=None):
    """torchview: the network, with its modules as frames."""
    from torchview import draw_graph

    network = residual_network(scale=scale)
    loss_of(network, weight)
    drawing = draw_graph(network, input_data=images(), expand_nested=True, depth=5)
    return drawing.visual_graph.pipe(format="svg").decode()


def by_netron(scale=1.0, weight=None):
    """Netron: the ONNX file of the network, on its page."""
    from benchmarks.drawings.netron_page import svg_of

    network = residual_network(scale=scale).eval()
    loss_of(network, weight)
    return svg_of(network, images())


def by_draw_dot(scale=1.0, weight=None):
    """micrograd: records and circles, laid out by the program `dot`, as the notebook of micrograd draws them."""
    from graphviz import Digraph

    dot, waiting, seen = Digraph(format="svg", graph_attr={"rankdir": "LR"}), [neuron(scale, weight)], set()
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        name = str(id(value))
        dot.node(name, f"{{ data {value.data:.4f} | grad {value.grad:.4f} }}", shape="record")
        if value._op:
            dot.node(name + value._op, value._op)
            dot.edge(name + value._op, name)
        for below in value._prev:
            dot.edge(str(id(below)), name + value._op)
            waiting.append(below)
    return dot.pipe(format="svg").decode()


def by_dark_of_micrograd(scale=1.0, weight=None):
    """dark: the same expression of micrograd."""
    import dark

    return dark.draw(neuron(scale, weight)).svg


PICTURES = {
    "dark": by_dark, "torchview": by_torchview, "torchviz": by_torchviz, "Netron": by_netron,
    "dark, of micrograd": by_dark_of_micrograd, "micrograd's draw_dot": by_draw_dot,
}  # fmt: skip
PACKAGES = {"torchview": "torchview", "torchviz": "torchviz", "Netron": "netron", "micrograd's draw_dot": "micrograd"}
