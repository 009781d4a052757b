"""Draw the computational graph of a node in a Python file, or print it as a table.

`dark draw examples/quadratic.py:fx -o graph.svg` runs the file and draws its variable `fx`.
"""

from pathlib import Path

from dark.cli.user_files import find_in_file
from dark.draw import draw
from dark.draw.graph.near_root import checked_depth
from dark.draw.graph.traverse import is_node
from dark.draw.picture.drawing import SUFFIXES
from dark.draw.saving import checked_path


def add_arguments(parser):
    """Add the arguments of `dark draw`."""
    parser.add_argument("target", metavar="FILE:NAME", help="a Python file and the name of a node in it")
    parser.add_argument(
        "-o", "--output", metavar="PATH", help="file of the picture (.svg, .png, .pdf or .dot); default: print a table"
    )
    parser.add_argument("--depth", type=int, metavar="N", help="maximum depth below the node")
    parser.add_argument("--title", metavar="TITLE", help="title of the picture")


def run(args):
    """Draw the graph and return the exit code."""
    if args.depth is not None:
        checked_depth(args.depth)
    if args.output is not None:
        path = Path.cwd() / checked_path(args.output, SUFFIXES)  # the file that is run may change the current folder
    node = find_in_file(args.target, "draw", "a node", is_node, example="fx = dark.add(x, 5)")
    drawing = draw(node, depth=args.depth, title=args.title)
    if args.output is not None:
        drawing.save(path)
    print(drawing.text if args.output is None else args.output)
    return 0
