"""`compare`: two graphs next to each other, matched, with their differences in structure, values and gradients."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dark.checks import number
from dark.draw.adapters.registry import graph_record
from dark.draw.displayed import Displayed
from dark.draw.findings.differences import KINDS, Pair, pairs_of
from dark.draw.findings.facts import facts_of
from dark.draw.findings.ladder import Row, ladder_svg
from dark.draw.labels import one_line
from dark.draw.text_table import Table
from dark.errors import UsageError, ValueTypeError

SIGNS = {"structure": "±", "value": "≠", "gradient": "∇"}
MOST_NAMES = 4  # of operations in a box
MOST_LISTED = 8  # differences in the alternative text


@dataclass(frozen=True, repr=False)
class Comparison(Displayed):
    """Two graphs next to each other, with their differences marked, as pairs of nodes in topological order.

    It displays itself in a notebook, and prints as a table of the differences. Saved as .txt, it lists all pairs.
    """

    pairs: tuple[Pair, ...]
    names: tuple[str, str]
    title: str

    @property
    def equal(self) -> bool:
        """Whether the graphs agree in structure, values and gradients, as far as both are known."""
        return not any(pair.differences or any(pair.parts) for pair in self.pairs)

    @property
    def same_values(self) -> bool:
        """Whether all values and gradients in both graphs agree; operations may be written differently."""
        return not any(kind != "structure" for pair in self.pairs for kind in pair.kinds)

    @property
    def first(self) -> Pair | None:
        """The pair at which the values begin to differ, else the gradients, else the structure; None if equal."""
        for kind in ("value", "gradient"):
            beginning = [pair for pair in self.pairs if kind in pair.begins]
            if beginning:
                return beginning[0 if kind == "value" else -1]
        return next((pair for pair in self.pairs if pair.differences), None)

    @property
    def summary(self) -> str:
        """The numbers of nodes and of differences, in a sentence."""
        counts = Counter(kind for pair in self.pairs for kind in set(pair.kinds))
        matched = sum(None not in pair.places for pair in self.pairs)
        sizes = [sum((pair.places[k] is not None) + len(pair.parts[k]) for pair in self.pairs) for k in (0, 1)]
        written = sum(any(pair.parts) for pair in self.pairs)
        nodes = [f"{size} node{'s' * (size != 1)}" for size in sizes]
        head = f"{self.names[0]} has {nodes[0]}, {self.names[1]} {nodes[1]}; {matched} are matched."
        if not counts:
            others = f", and write {written} result{'s' * (written != 1)} with other operations"
            return f"{head} They agree{others if written else ''}."
        kinds = ", ".join(f"{counts[kind]} in {kind}" for kind in KINDS if counts[kind])
        return f"{head} Differences: {kinds}."

    @property
    def alt(self) -> str:
        """The alternative text: the summary, where the differences begin, and the first of them."""
        sentences = [f"{self.title}. {self.summary}"]
        if self.first is not None:
            sentences.append(f"First: {self._sentence(self.first)}.")
        others = [pair for pair in self.pairs if pair.differences and pair is not self.first]
        sentences += [self._sentence(pair) + "." for pair in others[:MOST_LISTED]]
        return " ".join(sentences + [f"And {len(others) - MOST_LISTED} more."] * (len(others) > MOST_LISTED))

    def table(self, all: bool = False) -> Table:
        """Return the pairs that differ or are written differently as a table, or with `all` every pair."""
        shown = [pair for pair in self.pairs if all or pair.differences or any(pair.parts)]
        rows = []
        for pair in shown:
            sides = ("" if lines is None else " ".join(lines) for lines in _sides(pair))
            rows.append((_signs(pair), *sides, _words(pair) + ("; begins here" if pair.begins else "")))
        return Table(("", *self.names, "difference"), tuple(rows))

    @property
    def text(self) -> str:
        """The summary, and the differences as a table."""
        return self.summary + ("" if self.equal else f"\n{self.table()!r}")

    @cached_property
    def svg(self) -> str:
        """The picture as SVG; equal parts are folded."""
        rows = []
        for pair in self.pairs:
            heading = _signs(pair) + ("  begins here" if pair.begins else "")
            first, second = _sides(pair)
            rows.append(Row(first, second, heading, _words(pair), pair.kinds[0] if pair.kinds else ""))
        links = [[(), ()] for _ in rows]
        for side in (0, 1):
            row_of = {pair.places[side]: k for k, pair in enumerate(self.pairs)}
            for k, pair in enumerate(self.pairs):
                facts = [(pair.first, pair.second)[side] or (), *pair.parts[side]]
                links[k][side] = tuple([row_of[i] for each in facts if each for i in each.inputs if i in row_of])
        return ladder_svg(rows, links, self.names, self.title, self.alt, self.summary)

    def _writers(self) -> dict[str, Callable[[], str | bytes]]:
        return {**super()._writers(), ".txt": lambda: f"{self.summary}\n{self.table(all=True)!r}\n"}

    def _sentence(self, pair):
        a, b = pair.first, pair.second
        title = one_line((a or b).title)
        where = ".".join((a or b).node.path)
        return f"{title}{f' in {where}' if where else ''}: {_words(pair)}" + ("; it begins here" if pair.begins else "")


def compare(
    first: Any,
    second: Any,
    *inputs: Any,
    models: tuple[Any, Any] | None = None,
    names: tuple[str, str] = ("first", "second"),
    rtol: float = 1e-4,
    atol: float = 1e-8,
    title: str | None = None,
) -> Comparison:
    """Compare two graphs, of one framework or of two: their structure, values and gradients.

    Parameters
    ----------
    first, second : object
        What `dark.draw` can draw: results of `dark`, PyTorch or micrograd, models of ONNX, a student's nodes, or
        records, such as one from before a change: ``before = dark.draw.graph_record(loss).snapshot()``. With inputs
        two networks or functions.
    *inputs : object
        The arguments with which a copy of each network is called once.
    models : tuple of Module, optional
        The networks that computed them; they give the parameters their names.
    names : tuple of str, default ("first", "second")
        How the graphs are called.
    rtol, atol : float
        Arrays agree if no difference is larger than ``atol + rtol * m``, with `m` the largest magnitude in both.
    title : str, optional

    Returns
    -------
    Comparison
        It displays itself, prints as a table of the differences, and tells whether the graphs are `equal`, which
        pair is the `first` that differs, and all `pairs`.

    Notes
    -----
    Parameters are matched by name, else by value and gradient; results by operation, shape, module, value and the
    parameters that they use, in topological order. A value that one of the graphs does not know is not compared. Where
    one graph has `addmm` and the other a matrix product and a sum, with the same numbers, both are one pair.

    Examples
    --------
    >>> import dark
    >>> def graph(power):
    ...     x = dark.Parameter(3.0, name="x")
    ...     y = dark.add(dark.pow(x, power), 5)
    ...     y.backward()
    ...     return y
    >>> compare(graph(2), graph(3), names=("mine", "theirs"))
    mine has 5 nodes, theirs 5 nodes; 5 are matched. Differences: 3 in value, 1 in gradient.
       mine          theirs         difference
    ∇  x 3, grad 6   x 3, grad 27   gradient 6 and 27
    ≠  constant 2    constant 3     value 2 and 3; begins here
    ≠  ** 9, grad 1  ** 27, grad 1  value 9 and 27
    ≠  + 14, grad 1  + 32, grad 1   value 14 and 32
    """
    rtol, atol = (number(value, "compare", name, least=0) for value, name in ((rtol, "rtol"), (atol, "atol")))
    models = (None, None) if models is None else _pair(models, "models", "(network, other_network)")
    names = _pair(names, "names", '("mine", "PyTorch")')
    names = tuple(one_line(str(name)) for name in names)
    for graph in (first, second):
        if hasattr(graph, "named_parameters") and not inputs:
            raise UsageError(
                f"compare: {type(graph).__name__} is a network, which requires an input.",
                "two graphs, or two networks with the inputs of both.",
                "compare(network, other, x)",
            )
    sides = [facts_of(graph_record(graph, *inputs, model=model)) for graph, model in zip((first, second), models)]
    title = str(title) if title is not None and one_line(title) else f"{names[0]} and {names[1]}"
    return Comparison(pairs_of(sides[0], sides[1], names, rtol, atol), names, title)


def _pair(thing, name, example):
    if not isinstance(thing, (tuple, list)) or len(thing) != 2:
        raise ValueTypeError(
            f"compare: {name} must be a tuple of two, got {type(thing).__name__}.",
            "a tuple of two.",
            f"{name}={example}",
        )
    return tuple(thing)


def _sides(pair):
    """Return the two lines of the box on each side: with the operations of its parts, in their order, in front."""
    for facts, parts in zip((pair.first, pair.second), pair.parts):
        names = [each.node.operation for each in parts if each.node.operation]
        names = names if len(names) < MOST_NAMES else [*names[:2], "…", names[-1]]
        yield facts and (", ".join([*names, facts.lines[0]]), facts.lines[1])


def _signs(pair):
    if not pair.differences:
        return "="
    if None in pair.places:
        return "−" if pair.places[1] is None else "+"
    return "".join(dict.fromkeys(SIGNS[kind] for kind in pair.kinds))


def _words(pair):
    return "; ".join(words if kind == "structure" else f"{kind} {words}" for kind, words in pair.differences)
