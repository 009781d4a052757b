"""`NetworkError`: a network that fails while it is drawn; the picture of the calls before is part of the error."""

import sys
import sysconfig
from pathlib import Path
from traceback import extract_tb
from typing import Any

from dark.draw.graph.graph_record import GraphRecord
from dark.draw.labels import one_line, shape_words
from dark.errors import DrawingError

OURS = str(Path(__file__).parents[2])
MOST_INPUTS = 6
LONGEST_REASON = 300


class NetworkError(DrawingError):
    """A network that fails while it is drawn.

    `record` holds its calls up to the one that failed, and `drawing` their picture, which a notebook displays with the
    message. The network's own error is the cause, ``__cause__``.
    """

    drawing: Any = None

    def __init__(self, what: str, expected: str, try_: str, record: GraphRecord) -> None:
        super().__init__(what, expected, try_)
        self.record = record

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        if self.drawing is None:
            return {"text/plain": str(self)}
        return {**self.drawing._repr_mimebundle_(), "text/plain": f"{self}\n{self.drawing.text}"}

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython prints in place of a traceback, after the picture is displayed."""
        from IPython.display import display

        if self.drawing is not None:
            display(self.drawing)
        return [f"{type(self).__name__}: {line}" if k == 0 else line for k, line in enumerate(str(self).split("\n"))]


def network_error(network: Any, error: Exception, record: GraphRecord) -> NetworkError:
    """Return the error for a network, or a function, whose call raised an error; the last node is the one that did."""
    failed, place, taken = record.root, ".".join(record.root.path), _shapes(record)
    words = f"{failed.operation}{f' in {place}' if place else ''}{f' of {taken}' if taken else ''}"
    reason = f"{type(error).__name__}: {one_line(str(error).partition(chr(10))[0], LONGEST_REASON)}"
    inputs = [n for n in record.nodes if n.role == "input"]
    given = _listed([f"{n.name} {n.dtype} {shape_words(n.shape)}" for n in inputs if n.shape is not None])
    made = NetworkError(
        f"draw: {title_of(network)} fails in {words}: {reason}",
        f"a call that runs{f' with {given}' if given else ''}{_source(error)}.",
        'look at the picture of the calls before it: error.drawing, or error.drawing.save("failed.svg")',
        record,
    )
    made.__cause__ = error
    return made


def title_of(network: Any) -> str:
    """Return the name of the class of a network, or of a function."""
    return type(network).__name__ if hasattr(network, "named_modules") else getattr(network, "__name__", "the function")


def _shapes(record: GraphRecord) -> str:
    """Return dtype and shape of each input of the last node, in words."""
    inputs = [record.nodes[i] for i in record.links[-1]]
    words = []
    for node, label in zip(inputs, record.root.labels or [""] * len(inputs)):
        results = {part.name or f"[{k}]": part for k, part in enumerate(node.results)}
        part = results.get(label.partition(" → ")[0], node)
        if part.shape is not None and part.dtype:
            words.append(f"{part.dtype} {shape_words(part.shape)}")
    return _listed(words)


def _listed(words: list[str]) -> str:
    """Return words as a list in a sentence."""
    words = words if len(words) <= MOST_INPUTS else [*words[: MOST_INPUTS - 1], f"{len(words) - MOST_INPUTS + 1} more"]
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def _source(error: BaseException) -> str:
    """Return the file and line of the user's code in which an error arose."""
    homes = [OURS, sysconfig.get_paths()["stdlib"], *(str(Path(m.__file__).parent) for m in _frameworks())]
    for frame in reversed(extract_tb(error.__traceback__)):
        if not any(frame.filename.startswith(home) for home in homes):
            return f"; the error is in {Path(frame.filename).name}, line {frame.lineno}: {frame.line}"
    return ""


def _frameworks():
    return [sys.modules["torch"]] if "torch" in sys.modules else []
