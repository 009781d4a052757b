"""Draw a graph in a Python file or an ONNX model, or print it as a table.

`dark draw examples/quadratic.py:fx -o graph.svg` runs the file and draws its variable `fx`, which may also be a tensor
of PyTorch, a `Value` of micrograd, a jaxpr, or a network. `dark draw model.onnx` draws a model of ONNX.
"""

from argparse import RawDescriptionHelpFormatter
from pathlib import Path

from dark.cli.user_files import find_in_file, variables_of
from dark.draw import GraphRecord, draw
from dark.draw.adapters.registry import adapter_of, is_of_onnx
from dark.draw.draw_graph import is_network
from dark.draw.findings.comparison import compare
from dark.draw.graph.near_root import checked_depth
from dark.draw.graph.traverse import is_node
from dark.draw.picture.drawing import SUFFIXES
from dark.draw.saving import checked_path
from dark.errors import DarkError, UsageError, near_misses

EXAMPLES = """examples:
  dark draw examples/quadratic.py:fx                  print the graph of fx as a table
  dark draw examples/quadratic.py:fx -o graph.svg     draw it
  dark draw train.py:loss -o loss.svg                 a loss of dark, PyTorch or micrograd
  dark draw train.py:network                          the modules of a network
  dark draw train.py:network --input x -o net.svg     the network as it runs with the variable x of the file
  dark draw train.py:loss --open all -o loss.svg      with all modules open
  dark draw model.onnx -o model.svg                   a model of ONNX
  dark draw train.py:loss -o loss.html                a page on which the graph is explored
  dark draw mine.py:loss --compare torch_loss.py:loss two graphs next to each other, and where they differ
"""
COMPARED = (".svg", ".png", ".pdf", ".txt")  # files of a comparison


def add_arguments(parser):
    """Add the arguments of `dark draw`."""
    add = parser.add_argument
    parser.epilog, parser.formatter_class = EXAMPLES, RawDescriptionHelpFormatter
    add("target", metavar="FILE:NAME", help="a Python file and the name of a graph in it, or an ONNX file")
    add("-o", "--output", metavar="PATH", help="file (.svg, .png, .pdf, .dot or .html); default: print a table")
    add("--input", action="append", metavar="NAME", help="a variable that the network is called with; can be repeated")
    add("--depth", type=int, metavar="N", help="maximum depth below the node")
    add("--open", metavar="WHICH", help="modules that are open: all, none, a number of levels, or names with commas")
    add("--title", metavar="TITLE", help="title of the picture")
    add(
        "--compare",
        metavar="FILE:NAME",
        help="a second graph, which is compared with the first (.svg, .png, .pdf, .txt)",
    )


def run(args):
    """Draw the graph, or compare two, and return the exit code."""
    if args.depth is not None:
        checked_depth(args.depth)
    if args.compare is not None and (args.depth, args.open, args.input) != (None, None, None):
        raise UsageError(
            "draw: --compare cannot be combined with --depth, --open or --input.",
            "--compare without --depth, --open and --input.",
            "dark draw A --compare B",
        )
    if args.output is not None:
        suffixes = SUFFIXES if args.compare is None else COMPARED
        path = Path.cwd() / checked_path(args.output, suffixes)  # the file that is run may change the current folder
    targets = [target for target in (args.target, args.compare) if target is not None]
    try:
        if args.compare is None:
            graphs = network_and_inputs(args.target, args.input) if args.input else [graph_of(args.target)]
            picture = draw(*graphs, depth=args.depth, title=args.title, open=which_open(args.open))
        else:
            picture = compare(*map(graph_of, targets), names=names_of(*targets), title=args.title)
    except DarkError as error:
        failed = getattr(error, "drawing", None) or getattr(error.__context__, "drawing", None)
        if failed is not None and args.output is not None:  # a network that fails: the calls before it
            failed.save(path)
            print(args.output)
        raise
    if args.output is not None:
        picture.save(path)
    print(picture.text if args.output is None else args.output)
    return 0


def graph_of(target):
    """Return the graph that a target names: a file of ONNX, or the value of a variable of a Python file."""
    if is_of_onnx(target):
        return target
    return find_in_file(target, "draw", "a node", can_be_drawn, example="fx = dark.add(x, 5)")


def network_and_inputs(target, names):
    """Return a network and the variables of its file that it is called with."""
    file, _, network = target.rpartition(":")
    if not Path(file).is_file():
        return [graph_of(target)]  # which says what is wrong
    variables = variables_of(file, "draw")
    for name in (network, *names):
        if name not in variables:
            raise UsageError(
                f"draw: {file} has no {name!r}.", "the names of a network and its inputs.", near_misses(name, variables)
            )
    return [variables[name] for name in (network, *names)]


def names_of(*targets):
    """Return how two targets are called in a comparison: by their variables, else also by their files or paths.

    >>> names_of("a.py:f", "b.py:g"), names_of("mine/a.py:f", "b.py:f"), names_of("mine/a.py:f", "a.py:f")
    (['f', 'g'], ['a.py:f', 'b.py:f'], ['mine/a.py:f', 'a.py:f'])
    """
    variables = [target.rpartition(":")[2] for target in targets]
    files = [Path(target).name for target in targets]
    return next((names for names in (variables, files) if len(set(names)) > 1), list(targets))


def which_open(text):
    """Return the argument `open` of `draw` that is written as a word.

    >>> which_open("all"), which_open("2"), which_open("features.0,head"), which_open(None)
    (True, 2, ('features.0', 'head'), None)
    """
    if text in (None, "all", "none"):
        return {None: None, "all": True, "none": False}[text]
    return int(text) if text.isdecimal() else tuple(text.split(","))


def can_be_drawn(thing):
    """Return whether an object of a file is a graph of any framework, or a network.

    >>> import dark
    >>> can_be_drawn(dark.Parameter(2.0)), can_be_drawn(3.0), can_be_drawn("model.onnx")
    (True, False, True)
    """
    is_graph = is_node(thing) or is_network(thing) or isinstance(thing, GraphRecord)
    return is_graph or (not isinstance(thing, type) and adapter_of(thing) is not None)
