"""Report: a verdict as text, as HTML, and as data for machines.

Always in this order: the exercise and what is wrong; the smallest input; yours beside expected;
the student's own graph with the first wrong node marked; the diagnosis; which hint is next.
"""

from dataclasses import dataclass
from html import escape

from dark.course.exams.draws import ARITY, write_expression
from dark.course.exams.plain import show
from dark.course.judging.report_graph import drawing_of, graph_lines, graph_note
from dark.course.judging.verdict import ERROR, NOT_ATTEMPTED, RIGHT, STOPS, WRONG, sign_of

ROWS = 6
WIDTH = 60
STYLE = "border-left: 4px solid currentColor; padding: 0.2em 0.8em; margin: 0.4em 0"
PHRASES = {WRONG: "runs, wrong", ERROR: "stopped by an error"}


@dataclass(frozen=True)
class Block:
    """A piece of a report: a `line`, some `code`, a `table`, or a `graph`."""

    kind: str
    content: object


def report_text(verdict):
    """Write a verdict for a terminal.

    Parameters
    ----------
    verdict : Verdict
        What the judge found.

    Returns
    -------
    str
        Readable without colour.
    """
    lines = [headline(verdict)]
    for block in blocks_of(verdict):
        lines += [f"  {line}".rstrip() for line in _as_lines(block)]
    return "\n".join(lines)


def report_html(verdict):
    """Write a verdict for a notebook or a page; everything of the student's is escaped.

    Parameters
    ----------
    verdict : Verdict
        What the judge found.

    Returns
    -------
    str
        One HTML element.
    """
    inner = "".join(_as_html(block) for block in blocks_of(verdict))
    return f'<div style="{STYLE}"><p><b>{escape(headline(verdict))}</b></p>{inner}</div>'


def report_data(verdict):
    """Give a verdict as plain data, for JSON.

    Parameters
    ----------
    verdict : Verdict
        What the judge found.

    Returns
    -------
    dict
    """
    says, step = verdict.diagnosis or (None, None)
    return {
        "module": verdict.module,
        "exercise": verdict.exercise,
        "status": verdict.status,
        "earned": verdict.earned,
        "points": verdict.points,
        "diagnosis": says,
        "next_step": step,
        "next_hint": verdict.next_hint,
        "questions": [_finding_data(finding) for finding in verdict.findings],
    }


def headline(verdict):
    """Say in one line what came of an exercise."""
    points = f"{verdict.earned} of {verdict.points} points"
    words = PHRASES.get(verdict.status, verdict.status)
    return f"{sign_of(verdict.status)} {verdict.exercise}: {words}, {points}."


def blocks_of(verdict):
    """Put a report together, a list of `Block`, in its order."""
    if verdict.is_right:
        return [Block("line", line) for line in verdict.why.splitlines() if line.strip()]
    finding = verdict.failing
    blocks = [] if verdict.status == NOT_ATTEMPTED and finding.error is None else _wrong(finding)
    blocks += _others(verdict, finding) + _advice(verdict)
    return [block for block in blocks if block.content]


def _wrong(finding):
    if finding.status == NOT_ATTEMPTED:
        return [Block("line", finding.error.message)]
    blocks = [Block("line", f"Asked: {finding.title}"), Block("line", _inputs(finding.inputs))]
    blocks += _fault(finding.error)
    blocks.append(Block("line", finding.remark))
    blocks.append(Block("table", _rows(finding)))
    if finding.yours_graph:
        blocks.append(Block("graph", finding))
    return blocks


def _inputs(inputs):
    return "Smallest input: " + ", ".join(f"{k} = {_input(v)}" for k, v in inputs.items()) if inputs else ""


def _input(value):
    is_expression = isinstance(value, list) and value and value[0] in ARITY
    return write_expression(value) if is_expression else show(value)


def _fault(error):
    if error is None:
        return []
    says = error.message if error.type in STOPS else f"{error.type}: {error.message}".rstrip(": ")
    return [Block("line", says), Block("code", [_source_line(line) for line in error.lines])]


def _source_line(line):
    if line["where"] == "check":
        return f"the check:  {line['source']}"
    return f"{line['where']}, line {line['line']}:  {line['source']}"


def _rows(finding):
    if not finding.differences:
        return []
    if finding.remark and any(len(text) >= WIDTH for text in _pair(finding.differences[0])):
        return []  # the remark says it; a table of two cut answers says nothing
    rows = [("where", "yours", "a right answer" if finding.remark else "expected")]
    for difference in finding.differences[:ROWS]:
        rows.append((difference.path or "answer", *_pair(difference)))
    more = len(finding.differences) - ROWS
    return rows + ([(f"and {more} more", "", "")] if more > 0 else [])


def _pair(difference):
    """Both sides as text, with as many digits as it takes to tell them apart."""
    sides = difference.yours, difference.expected
    for digits in (6, 17):
        texts = [show(side, digits) for side in sides]
        if texts[0] != texts[1]:
            break
    return tuple(text if len(text) <= WIDTH else text[: WIDTH - 1] + "…" for text in texts)


def _others(verdict, shown):
    """Say how the questions went that are not shown; nothing where all failed for one reason."""
    rest = [finding for finding in verdict.findings if finding is not shown]
    wrong = [finding for finding in rest if finding.status != RIGHT]
    if not rest or all(finding.error == shown.error is not None for finding in rest):
        return []
    if wrong:
        share = "the" if len(wrong) == len(rest) else f"{len(wrong)} of the"
        also = wrong[0].title if len(rest) == 1 else f"{share} other {len(rest)} questions."
        return [Block("line", f"Not right either: {also}")]
    are = "question is" if len(rest) == 1 else f"{len(rest)} questions are"
    return [Block("line", f"The other {are} right.")]


def _advice(verdict):
    blocks = []
    if verdict.diagnosis:
        says, step = verdict.diagnosis
        blocks += [Block("line", f"Diagnosis: {says}"), Block("line", f"Next: {step}")]
    if verdict.next_hint:
        blocks.append(Block("line", f'Hint {verdict.next_hint}: hint("{verdict.exercise}")'))
    return blocks


def _as_lines(block):
    if block.kind == "line":
        return str(block.content).splitlines()
    if block.kind == "code":
        return [f"  {line}" for line in block.content]
    if block.kind == "table":
        return [f"  {line}" for line in _aligned(block.content)]
    return graph_lines(block.content)


def _aligned(rows):
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return ["  ".join(f.ljust(w) for f, w in zip(row, widths, strict=True)).rstrip() for row in rows]


def _as_html(block):
    if block.kind == "line":
        return f"<p>{escape(str(block.content))}</p>"
    if block.kind == "code":
        return f"<pre>{escape(chr(10).join(block.content))}</pre>"
    if block.kind == "table":
        return _table_html(block.content)
    svg = drawing_of(block.content)
    if svg is None:
        return f"<pre>{escape(chr(10).join(graph_lines(block.content)))}</pre>"
    return f"<p>{escape(graph_note(block.content))}</p>{svg}"


def _table_html(rows):
    head = "".join(f'<th scope="col">{escape(field)}</th>' for field in rows[0])
    body = "".join("<tr>" + "".join(f"<td>{escape(f)}</td>" for f in row) + "</tr>" for row in rows[1:])
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _finding_data(finding):
    error = finding.error
    return {
        "question": finding.question,
        "title": finding.title,
        "status": finding.status,
        "earned": finding.earned,
        "points": finding.points,
        "inputs": finding.inputs,
        "differences": [
            {"path": d.path, "yours": show(d.yours, 17)[:400], "expected": show(d.expected, 17)[:400]}
            for d in finding.differences[:100]
        ],
        "remark": finding.remark,
        "error": error
        and {"type": error.type, "message": error.message, "lines": [dict(line) for line in error.lines]},
        "wrong_node": finding.wrong_node,
    }
