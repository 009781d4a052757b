"""The content of a report: its blocks in order, before they are formatted as text or HTML."""

from dataclasses import dataclass
from functools import partial

from dark.course.exams.draws import ARITY, write_expression
from dark.course.exams.plain import show
from dark.course.judging.verdict import ERROR, NOT_ATTEMPTED, PARTLY, RIGHT, STOPS, WRONG, sign_of

ROWS = 6
TITLES = 2  # of other questions that are not right
WIDTH = 60
PHRASES = {WRONG: "runs, wrong", ERROR: "stopped by an error"}


@dataclass(frozen=True)
class Block:
    """A block of a report; its kind is `line`, `code`, `table`, `graph` or `gap`."""

    kind: str
    content: object


def headline(verdict):
    """Return the result of an exercise in one line."""
    points = f"{verdict.earned} of {verdict.points} points"
    words = PHRASES.get(verdict.status, verdict.status)
    return f"{sign_of(verdict.status)} {verdict.exercise}: {words}, {points}."


def blocks_of(verdict, terminal=False):
    """Return the blocks of a report in order."""
    if verdict.is_right:
        return [Block("line", line) for line in [_dependencies(verdict), *verdict.why.splitlines()] if line.strip()]
    finding = verdict.failing
    shown = [block for block in _wrong(finding) if block.content]
    said = [*_others(verdict, finding), Block("line", _dependencies(verdict)), *_advice(verdict, terminal)]
    rest = [block for block in said if block.content]
    gap = [Block("gap", "")] if rest and shown and shown[-1].kind != "line" else []
    return shown + gap + rest


def _dependencies(verdict):
    """Return a sentence on the student's other exercises that this one was judged with."""
    names = " and ".join(f"`{name}`" for name in verdict.dependencies)
    return f"It was tested together with your own {names}, which it depends on." if names else ""


def _wrong(finding):
    if finding.status in (NOT_ATTEMPTED, PARTLY):
        return [Block("line", finding.error and finding.error.message)]
    blocks = [Block("line", f"Test: {finding.title}"), Block("line", _inputs(finding.inputs))]
    blocks += _fault(finding.error) + _printed(finding.printed)
    blocks.append(Block("line", finding.remark))
    blocks.append(Block("table", _rows(finding)))
    if finding.yours_graph:
        blocks.append(Block("graph", finding))
    return blocks


def _inputs(inputs):
    return "Smallest input: " + ", ".join(_input(k, v) for k, v in inputs.items()) if inputs else ""


def _input(name, value):
    is_expression = isinstance(value, list) and value and isinstance(value[0], str) and value[0] in ARITY
    if is_expression:
        return write_expression(value, name)
    return f"{name} = {value if isinstance(value, str) else show(value)}"


def _fault(error):
    if error is None:
        return []
    says = error.message if error.type in STOPS else f"{error.type}: {error.message}".rstrip(": ")
    return [Block("line", says), Block("code", [_source_line(line) for line in error.lines])]


def _printed(text):
    return [Block("line", "Printed output:"), Block("code", text.splitlines())] if text else []


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
    if not rest or all(finding.error == shown.error is not None for finding in rest):
        return []
    if shown.status == PARTLY:
        right = [finding.title for finding in rest if finding.status == RIGHT]
        return [Block("line", f"Already right: {title}") for title in right]
    if wrong:
        stubs = list(dict.fromkeys(finding.error.message for finding in wrong if finding.status == PARTLY))
        titles = [finding.title for finding in wrong if finding.status != PARTLY]
        also = [f"Also fails: {title}" for title in titles[:TITLES]]
        if len(titles) > TITLES:
            also[-1] += f" And {len(titles) - TITLES} more."
        return [Block("line", line) for line in [*also, *stubs]]
    passes = "test passes" if len(rest) == 1 else f"{len(rest)} tests pass"
    return [Block("line", f"The other {passes}.")]


def _advice(verdict, terminal):
    lines = []
    if verdict.diagnosis:
        says, step = verdict.diagnosis
        lines += [f"Diagnosis: {says}", f"Next: {step}"]
    ask, last = partial(asking, verdict.module, verdict.exercise, terminal=terminal), verdict.last_hint
    if verdict.next_hint:
        lines.append(f"Hint {verdict.next_hint}: {ask()}")
    if last:
        lines.append(
            f"You have seen all {last} hints. {ask(number=last)} shows the worked example again; follow its steps."
        )
    return [Block("line", line) for line in lines]


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
