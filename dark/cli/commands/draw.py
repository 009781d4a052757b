"""Draw a graph in a Python file or an ONNX model, or print it as a table.

`dark draw examples/quadratic.py:fx -o graph.svg` runs the file and draws its variable `fx`, which may also be a tensor
of PyTorch, a `Value` of micrograd, a jaxpr, or a network. `dark draw model.onnx` draws a model of ONNX.
"""

from argparse import RawDescriptionHelpFormatter
from pathlib import Path

from dark.cli.user_files import find_in_file
from dark.draw import GraphRecord, draw
from dark.draw.adapters.registry import adapter_of, is_of_onnx
from dark.draw.draw_graph import is_network
from dark.draw.graph.near_root import checked_depth
from dark.draw.graph.traverse import is_node
from dark.draw.picture.drawing import SUFFIXES
from dark.draw.saving import checked_path

EXAMPLES = """examples:
  dark draw examples/quadratic.py:fx                  print the graph of fx as a table
  dark draw examples/quadratic.py:fx -o graph.svg     draw it
  dark draw train.py:loss -o loss.svg                 a loss of dark, PyTorch or micrograd
  dark draw train.py:network                          the modules of a network
  dark draw train.py:loss --open all -o loss.svg      with all modules open
  dark draw model.onnx -o model.svg                   a model of ONNX
  dark draw train.py:loss -o loss.html                a page on which the graph is explored
"""


def add_arguments(parser):
    """Add the arguments of `dark draw`."""
    parser.epilog, parser.formatter_class = EXAMPLES, RawDescriptionHelpFormatter
    parser.add_argument(
        "target", metavar="FILE:NAME", help="a Python file and the name of a graph in it, or an ONNX file"
    )
    parser.add_argument(
        "-o", "--output", metavar="PATH", help="file (.svg, .png, .pdf, .dot or .html); default: print a table"
    )
    parser.add_argument("--depth", type=int, metavar="N", help="maximum depth below the node")
    parser.add_argument(
        "--open", metavar="WHICH", help="modules that are open: all, none, a number of levels, or names with commas"
    )
    parser.add_argument("--title", metavar="TITLE", help="title of the picture")


def run(args):
    """Draw the graph and return the exit code."""
    if args.depth is not None:
        checked_depth(args.depth)
    if args.output is not None:
        path = Path.cwd() / checked_path(args.output, SUFFIXES)  # the file that is run may change the current folder
    graph = args.target
    if not is_of_onnx(graph):
        graph = find_in_file(graph, "draw", "a node", can_be_drawn, example="fx = dark.add(x, 5)")
    drawing = draw(graph, depth=args.depth, title=args.title, open=which_open(args.open))
    if args.output is not None:
        drawing.save(path)
    print(drawing.text if args.output is None else args.output)
    return 0


def which_open(text):
    """Return the argument `open` of `draw` that is written as a word.

    Examples
    --------
    >>> which_open("all"), which_open("2"), which_open("features.0,head"), which_open(None)
    (True, 2, ('features.0', 'head'), None)
    """
    if text in (None, "all", "none"):
        return {None: None, "all": True, "none": False}[text]
    return int(text) if text.isdecimal() else tuple(text.split(","))


def can_be_drawn(thing):
    """Return whether an object of a file is a graph of any framework, or a network.

    Examples
    --------
    >>> import dark
    >>> can_be_drawn(dark.Parameter(2.0)), can_be_drawn(3.0), can_be_drawn("model.onnx")
    (True, False, True)
    """
    is_graph = is_node(thing) or is_network(thing) or isinstance(thing, GraphRecord)
    return is_graph or (not isinstance(thing, type) and adapter_of(thing) is not None)
