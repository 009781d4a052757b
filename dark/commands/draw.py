"""Draw the graph of a node in a Python file, or print it as a table.

`dark draw examples/quadratic.py:fx -o graph.svg` runs the file and draws its variable `fx`.
"""

import runpy
import sys
import traceback
from contextlib import contextmanager
from pathlib import Path

from dark.draw import draw
from dark.draw.boxes import is_node
from dark.errors import DrawingError, UsageError, near_misses


def add_arguments(parser):
    """Declare the arguments of the command."""
    parser.add_argument("target", metavar="FILE:NAME", help="a Python file, and a node in it")
    parser.add_argument("-o", "--output", metavar="PATH", help="picture: .svg .png .pdf .dot")
    parser.add_argument("--depth", type=int, metavar="N", help="go N edges down from the node")
    parser.add_argument("--title", metavar="TEXT", help="stands above the picture")


def run(args):
    """Draw what the arguments name, and return the exit code."""
    drawing = draw(find_node(args.target), depth=args.depth, title=args.title)
    print(drawing.save(args.output) if args.output else drawing.text)
    return 0


def find_node(target):
    """Run a file and return the node that a target such as `examples/quadratic.py:fx` names.

    Raises
    ------
    UsageError
        If the target has no name, or the file or the name is not there, or is no node.
    DrawingError
        If the file fails.
    """
    file, colon, name = target.rpartition(":")
    if not colon or not file or not name.isidentifier():
        raise UsageError(
            f"draw: '{target}' does not name a node in a file.",
            "FILE:NAME.",
            f"dark draw {file if colon and file else target}:fx",
        )
    if not Path(file).is_file():
        raise UsageError(f"draw: there is no file '{file}'.", "a Python file.", _files_near(Path(file)))
    variables = variables_of(file)
    if name not in variables:
        raise UsageError(f"draw: {file} has no '{name}'.", "the name of a node in it.", _nodes_near(name, variables))
    if not is_node(variables[name]):
        raise UsageError(
            f"draw: '{name}' in {file} is no node; it is of type {type(variables[name]).__name__}.",
            "the name of a node.",
            _nodes_near(name, variables),
        )
    return variables[name]


def variables_of(file):
    """Run a file as `python FILE` would, and return its variables."""
    try:
        with _running(file):
            return runpy.run_path(str(file), run_name="__main__")
    except (Exception, SystemExit) as error:
        message = f"{type(error).__name__}: {error}".replace("\n", "\n    ")
        raise DrawingError(
            f"draw: {file} fails{_own_line(error, file)}\n    {message}",
            "a file that runs to its end.",
            f"python {file}",
        ) from None


@contextmanager
def _running(file):
    """Let the file find its neighbours and see only its own name among the arguments."""
    path, argv = sys.path[:], sys.argv[:]
    sys.path.insert(0, str(Path(file).resolve().parent))
    sys.argv[:] = [str(file)]
    try:
        yield
    finally:
        sys.path[:], sys.argv[:] = path, argv


def _own_line(error, file):
    """Say at which line of the file an error came up; nothing of our own frames."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return f" at line {error.lineno}: {(error.text or '').strip()}"
    own = [entry for entry in traceback.extract_tb(error.__traceback__) if entry.filename == file]
    return f" at line {own[-1].lineno}: {own[-1].line}" if own else ""


def _files_near(path):
    folder = path.parent
    there = sorted(str(other) for other in folder.glob("*.py")) if folder.is_dir() else []
    return near_misses(str(path), there) if there else "a path from the folder you are in"


def _nodes_near(name, variables):
    nodes = [key for key, thing in variables.items() if is_node(thing)]
    return near_misses(name, nodes) if nodes else "a file that makes a node, such as fx = dark.add(x, 5)"
