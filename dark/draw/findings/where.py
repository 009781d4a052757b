"""`where`: where in a graph a NaN begins, gradients vanish or explode, memory is kept, and time is spent."""

from typing import Any

import numpy as np

from dark.checks import boolean, number
from dark.draw.adapters.module_paths import with_paths
from dark.draw.adapters.registry import graph_record
from dark.draw.findings.anomalies import find_anomalies, find_flow, flow_rows
from dark.draw.findings.cost_report import CostReport
from dark.draw.findings.facts import facts_of
from dark.draw.findings.found_places import FoundPlaces
from dark.draw.findings.step_costs import bytes_of, known_gradients, times_of
from dark.draw.graph.graph_record import GraphRecord
from dark.draw.labels import one_line
from dark.draw.text_table import Table
from dark.errors import DrawingError, UsageError

ADVICE = {  # what is expected, and what to try, where a graph does not hold something
    "times of its operations": (
        "a graph of dark or PyTorch, or one whose adapter measures.",
        "before backward(), or backward(retain_graph=True)",
    ),
    "bytes that it keeps": (
        "a graph whose saved values are there.",
        "before backward(), or backward(retain_graph=True)",
    ),
    "gradients": ("a graph of dark, or one after backward().", "loss.backward() first"),
}


def where(
    graph: Any,
    *inputs: Any,
    model: Any = None,
    nan: bool = False,
    inf: bool = False,
    vanishing: float | None = None,
    exploding: float | None = None,
    memory: bool = False,
    time: bool = False,
    title: str | None = None,
) -> FoundPlaces | CostReport:
    """Find where a NaN begins, gradients vanish, memory is kept or time is spent, and mark it in a picture.

    Exactly one question is asked; `vanishing` and `exploding` are one.

    Parameters
    ----------
    graph : object
        What `dark.draw` can draw, such as a loss.
    *inputs : object
        Example inputs, where the graph is a function of JAX, a network of PyTorch or a model of ONNX.
    model : Module, optional
        The network that computed it; gives the parameters their names, and the operations their modules.
    nan, inf : bool
        Find the first operation that makes a NaN, or an infinite number, from inputs that are not; if all values are
        finite, the first in the backward pass whose gradient is not.
    vanishing, exploding : float, optional
        Find the nodes whose gradients have a root mean square below (above) this threshold; both can be given.
    memory : bool
        Show the bytes that each operation keeps for the backward pass.
    time : bool
        Show the seconds that each operation takes, forward and backward: a flame graph of one step.
    title : str, optional

    Returns
    -------
    FoundPlaces or CostReport
        It displays itself, and prints as a table. `first` is the node where it begins, None if it is nowhere; of
        costs, the most costly operation.

    Notes
    -----
    Time is measured by applying the operations of dark again to the values of the graph, three times each, and taking
    the shortest; gradients that a graph does not keep are computed again. The graph does not change. PyTorch keeps
    the values that its operations save, until `backward` frees them, and the gradients of leaves; so an answer is for
    the nodes that are known, and names how many are not. Its time is that of one call of a network with inputs, and of
    one backward pass, which leaves the gradients as they are; of a loss only that of the backward pass is known.

    Examples
    --------
    >>> import dark
    >>> x = dark.Parameter(0.0, name="x")
    >>> loss = dark.exp(x) + x * dark.log(x)
    >>> where(loss, nan=True).text.splitlines()[0]
    'NaN: begins at *.'
    """
    given = {"nan": nan, "inf": inf, "vanishing": vanishing, "exploding": exploding, "memory": memory, "time": time}
    question, bounds = _checked(given)
    record = graph_record(graph, *inputs, model=model)
    if not any(node.path and node.operation for node in record.nodes):
        record = GraphRecord(tuple(with_paths(list(record.nodes))), record.modules)
    facts = facts_of(record)
    given_title = str(title) if title is not None and one_line(title) else None
    if question == "memory":
        kept = _known(bytes_of(facts), facts, "bytes that it keeps")
        head = given_title or "Memory kept for the backward pass"
        return CostReport(tuple(facts), {"kept": kept}, "bytes", head, record.modules)
    if question == "time":
        parts = {name: part for name, part in zip(("forward", "backward"), times_of(facts)) if part}
        _known(parts, facts, "times of its operations")
        return CostReport(tuple(facts), parts, "seconds", given_title or "Time of one step", record.modules)
    if question in ("nan", "inf"):
        name = {"nan": "NaN", "inf": "infinite value"}[question]
        found = find_anomalies(facts, question, known_gradients(facts))
        unknown = sum(each.value is None for each in facts)
        return FoundPlaces(tuple(facts), tuple(found), name, unknown, title=given_title or f"Where a {name} begins")
    return _gradients(facts, vanishing, exploding, bounds, given_title)


def _gradients(facts, vanishing, exploding, bounds, title):
    """Find the gradients that vanish or explode."""
    grads = _known(known_gradients(facts), facts, "gradients")
    found = find_flow(facts, grads, *bounds)
    unknown = sum(k not in grads and each.node.role not in ("constant", "input") for k, each in enumerate(facts))
    heading = ("module", "gradient of its result", "of its parameters", "")
    modules = Table(heading, tuple(flow_rows(facts, grads, *bounds)))
    words = {f"below {bounds[0]:.3g}": vanishing, f"above {bounds[1]:.3g}": exploding}
    what = "gradient " + " or ".join(word for word, bound in words.items() if bound is not None)
    verbs = " or ".join(verb for verb, bound in (("vanish", vanishing), ("explode", exploding)) if bound is not None)
    head = title or f"Where gradients {verbs}"
    return FoundPlaces(tuple(facts), tuple(found), what, unknown, "gradients", modules, head)


def _known(found, facts, what):
    """Return the findings, if there are any."""
    if not found:
        kind = type(facts[-1].node.extras.get("node", facts[-1].node)).__name__
        raise DrawingError(f"where: the graph of {kind} does not hold the {what}.", *ADVICE[what])
    return found


def _checked(given):
    """Return the question that is asked, and the bounds of gradients that neither vanish nor explode."""
    for name in ("nan", "inf", "memory", "time"):
        boolean(given[name], "where", name)
    bounds = [
        open_end if given[name] is None else number(given[name], "where", name, least=0)
        for name, open_end in (("vanishing", 0.0), ("exploding", np.inf))
    ]
    asked = [name for name in given if given[name] is not None and given[name] is not False]
    questions = {"gradients" if name in ("vanishing", "exploding") else name for name in asked}
    if len(questions) != 1:
        raise UsageError(
            f"where: exactly one question must be asked, got {' and '.join(asked) or 'none'}.",
            "one of nan, inf, memory and time, or thresholds of vanishing and exploding gradients.",
            "dark.draw.where(loss, nan=True), or vanishing=1e-6",
        )
    return questions.pop(), bounds
