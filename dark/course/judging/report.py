"""Format a verdict as plain text, as HTML, and as JSON data.

The order is fixed: the exercise and its status; the smallest failing input; the error; printed
output; the actual and the expected values; the student's graph with the first wrong node marked; the
other questions; the diagnosis; the next hint.
"""

from html import escape

from dark.course.exams.plain import show
from dark.course.judging.prose import prose_html
from dark.course.judging.report_blocks import blocks_of, headline
from dark.course.judging.report_comparison import comparison_html
from dark.course.judging.report_graph import drawing_of, graph_lines, graph_note

STYLE = "border-left: 4px solid currentColor; padding: 0.2em 0.8em; margin: 0.4em 0"


def report_text(verdict, *, terminal=False):
    """Format a verdict as plain text.

    Parameters
    ----------
    verdict : Verdict
        The verdict.
    terminal : bool, default False
        Whether to name the command `dark hint` instead of the notebook's `hint`.

    Returns
    -------
    str
        Readable without color.
    """
    lines = [headline(verdict)]
    for block in blocks_of(verdict, terminal):
        lines += [f"  {line}".rstrip() for line in _as_lines(block)]
    return "\n".join(lines)


def report_html(verdict):
    """Format a verdict as HTML; all text of the student is escaped.

    Parameters
    ----------
    verdict : Verdict
        The verdict.

    Returns
    -------
    str
        One HTML element.
    """
    inner = "".join(_as_html(block) for block in blocks_of(verdict))
    return f'<div style="{STYLE}"><p><b>{escape(headline(verdict))}</b></p>{inner}</div>'


def report_data(verdict):
    """Return a verdict as JSON-serializable data.

    Parameters
    ----------
    verdict : Verdict
        The verdict.

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
        "dependencies": list(verdict.dependencies),
        "questions": [_finding_data(finding) for finding in verdict.findings],
    }


def _as_lines(block):
    if block.kind == "line":
        return str(block.content).splitlines()
    if block.kind == "code":
        return [f"  {line}" for line in block.content]
    if block.kind == "gap":
        return [""]
    if block.kind == "table":
        return [f"  {line}" for line in _aligned(block.content)]
    return graph_lines(block.content)


def _aligned(rows):
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return ["  ".join(f.ljust(w) for f, w in zip(row, widths, strict=True)).rstrip() for row in rows]


def _as_html(block):
    if block.kind == "line":
        return f"<p>{prose_html(block.content)}</p>".replace("\n", "<br>")
    if block.kind == "code":
        return f'<pre style="margin-bottom: 0.6em">{escape(chr(10).join(block.content))}</pre>'
    if block.kind == "gap":
        return '<div style="height: 0.6em"></div>'
    if block.kind == "table":
        return _table_html(block.content)
    svg = drawing_of(block.content)
    if svg is None:
        return f"<pre>{escape(chr(10).join(graph_lines(block.content)))}</pre>"
    return f"<p>{prose_html(graph_note(block.content))}</p>{svg}{comparison_html(block.content)}"


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
        "printed": finding.printed,
    }
