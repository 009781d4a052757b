"""What the card of a verdict says: its blocks in order, before they are formatted as text or HTML.

The order is fixed: the headline; the diagnosis and the next step; then the evidence, which is the smallest failing
input, the error, printed output, the actual and the expected values, and the student's graph with the first wrong
node marked; then the other questions.
"""

from dataclasses import dataclass
from functools import partial

from dark.course.exams.draws import ARITY, write_expression
from dark.course.exams.plain import show
from dark.course.judging.verdict import ERROR, NOT_ATTEMPTED, PARTLY, RIGHT, STOPS, WRONG, sign_of

ROWS = 6
WIDTH = 60
PHRASES = {WRONG: "runs, wrong", ERROR: "stopped by an error"}


@dataclass(frozen=True)
class Block:
    """A block of a card; its kind is `line`, `command`, `code`, `table`, `graph`, `folded` or `gap`."""

    kind: str
    content: object
    label: str = ""


def headline(verdict):
    """Return the result of an exercise in one line."""
    return f"{title_of(verdict)}, {points_of(verdict)}."


def title_of(verdict):
    """Return the sign, the exercise, and the word of its status."""
    return f"{sign_of(verdict.status)} {verdict.exercise}: {PHRASES.get(verdict.status, verdict.status)}"


def points_of(verdict):
    """Return the points of an exercise."""
    return f"{verdict.earned} of {verdict.points} points"


def blocks_of(verdict, terminal=False):
    """Return the blocks below the headline, in order."""
    if verdict.is_right:
        return [Block("line", line) for line in [_dependencies(verdict), *verdict.why.splitlines()] if line.strip()]
    finding = verdict.failing
    groups = _advice(verdict, finding, terminal), _evidence(finding), _others(verdict, finding)
    filled = [[block for block in group if block.content] for group in groups]
    blocks = [[*group, Block("gap", "")] for group in filled if group]
    return [block for group in blocks for block in group][:-1]


def _dependencies(verdict):
    """Return a sentence on the student's other exercises that this one was judged with."""
    names = " and ".join(f"`{name}`" for name in verdict.dependencies)
    return f"It was tested together with your own {names}, which it depends on." if names else ""


def _advice(verdict, finding, terminal):
    """Return what is wrong, if it is known, and what to do next."""
    is_open = finding.status in (NOT_ATTEMPTED, PARTLY)
    lines = [Block("line", finding.error.message if is_open and finding.error else "")]
    if verdict.diagnosis:
        says, step = verdict.diagnosis
        lines += [Block("line", says, "Diagnosis"), Block("line", step, "Next")]
    ask = partial(asking, verdict.module, verdict.exercise, terminal=terminal)
    if verdict.next_hint:
        lines.append(Block("command", ask(), f"Hint {verdict.next_hint}"))
    if last := verdict.last_hint:
        again = f"{ask(number=last)} shows the worked example again; follow its steps."
        lines.append(Block("line", f"You have seen all {last} hints. {again}"))
    return lines


def _evidence(finding):
    if finding.status in (NOT_ATTEMPTED, PARTLY):
        return []
    error, says = finding.error, ""
    if error is not None:
        says = error.message if error.type in STOPS else f"{error.type}: {error.message}".rstrip(": ")
    return [
        Block("line", finding.title, "Test"),
        Block("line", _inputs(finding.inputs), "Smallest input"),
        Block("line", says),
        Block("code", [_source_line(line) for line in error.lines] if error else []),
        Block("line", finding.printed and "Printed output:"),
        Block("code", finding.printed and finding.printed.splitlines()),
        Block("line", finding.remark),
        Block("table", _rows(finding)),
        Block("graph", finding.yours_graph and finding),
    ]


def _inputs(inputs):
    return ", ".join(_input(k, v) for k, v in inputs.items())


def _input(name, value):
    is_expression = isinstance(value, list) and value and isinstance(value[0], str) and value[0] in ARITY
    if is_expression:
        return write_expression(value, name)
    return f"{name} = {value if isinstance(value, str) else show(value)}"


def _source_line(line):
    if line["where"] == "check":
        return f"the test, where dark is your code:  {line['source']}"
    return f"{line['where']}, line {line['line']}:  {line['source']}"


def _rows(finding):
    if not finding.differences:
        return []
    if finding.remark and any(len(text) >= WIDTH for text in _pair(finding.differences[0])):
        return []  # two truncated answers in a table would add nothing to the remark
    rows = [("where", "yours", "a right answer" if finding.remark else "expected")]
    for difference in finding.differences[:ROWS]:
        rows.append((difference.path or "answer", *_pair(difference)))
    more = len(finding.differences) - ROWS
    return rows + ([(f"and {more} more", "", "")] if more > 0 else [])


def _pair(difference):
    """Format both values with the number of digits that makes them differ."""
    sides = difference.yours, difference.expected
    for digits in (6, 17):
        texts = [show(side, digits) for side in sides]
        if texts[0] != texts[1]:
            break
    return tuple(text if len(text) <= WIDTH else text[: WIDTH - 1] + "…" for text in texts)


def _others(verdict, shown):
    """Return the results of the other questions; nothing if all failed for the same reason."""
    rest = [finding for finding in verdict.findings if finding is not shown]
    wrong = [finding for finding in rest if finding.status != RIGHT]
    together = Block("line", _dependencies(verdict))
    if not rest or all(finding.error == shown.error is not None for finding in rest):
        return [together]
    if shown.status == PARTLY:
        return [together, *[Block("line", each.title, "Already right") for each in rest if each.status == RIGHT]]
    if not wrong:
        passes = "test passes" if len(rest) == 1 else f"{len(rest)} tests pass"
        return [Block("line", f"The other {passes}."), together]
    stubs = dict.fromkeys(finding.error.message for finding in wrong if finding.status == PARTLY)
    titles = [finding.title for finding in wrong if finding.status != PARTLY]
    return [Block("folded", titles, "Also fails"), *[Block("line", each) for each in stubs], together]


def asking(module, exercise, *, terminal, number=None):
    """Return the code or command that shows a hint.

    Parameters
    ----------
    module, exercise : str
        The ids.
    terminal : bool
        Whether the reader is in a terminal instead of a notebook.
    number : int, optional
        The number of the hint; the next one by default.

    Examples
    --------
    >>> asking("01", "slope", terminal=True), asking("01", "slope", terminal=False, number=4)
    ('dark hint 01 slope', 'hint("slope", 4)')
    """
    if terminal:
        return f"dark hint {module} {exercise}" + (f" {number}" if number else "")
    return f'hint("{exercise}"' + (f", {number})" if number else ")")
