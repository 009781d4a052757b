"""The card of a verdict as plain text, as HTML, and as JSON data."""

from html import escape

from dark.course.cards.blocks import blocks_of, headline, points_of, title_of
from dark.course.cards.card import Card, card, framed, prose_html
from dark.course.cards.comparison import comparison_html
from dark.course.cards.graph import drawing_of, graph_lines, graph_note
from dark.course.exams.plain import show
from dark.course.judging.verdict import NOT_ATTEMPTED
from dark.draw.svg import as_image

__all__ = ["verdict_card", "verdict_data", "verdict_html", "verdict_text"]

TITLES = 2  # of other questions that are not right, in plain text


def verdict_card(verdict, *, brief=False):
    """Return the card of a verdict for a notebook.

    Parameters
    ----------
    verdict : Verdict
        The verdict.
    brief : bool, default False
        Use one line if nothing is wrong, for a list of several.

    Returns
    -------
    Card
    """
    if brief and (verdict.is_right or verdict.status == NOT_ATTEMPTED):
        return card(headline(verdict), ok=verdict.is_right)
    return Card(verdict_text(verdict), verdict_html(verdict), verdict.is_right)


def verdict_text(verdict, *, terminal=False):
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


def verdict_html(verdict):
    """Format a verdict as HTML; all text of the student is escaped.

    Parameters
    ----------
    verdict : Verdict
        The verdict.

    Returns
    -------
    str
        One HTML element, which a notebook that is not trusted shows completely.
    """
    return framed(title_of(verdict), "".join(map(_as_html, blocks_of(verdict))), points_of(verdict))


def verdict_data(verdict):
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
    if block.kind == "code":
        return [f"  {line}" for line in block.content]
    if block.kind == "table":
        return [f"  {line}" for line in _aligned(block.content)]
    if block.kind == "graph":
        return graph_lines(block.content)
    if block.kind == "folded":
        lines = [f"{block.label}: {title}" for title in block.content[:TITLES]]
        more = len(block.content) - TITLES
        return [*lines[:-1], f"{lines[-1]} And {more} more."] if more > 0 else lines
    return f"{block.label}: {block.content}".removeprefix(": ").splitlines() or [""]


def _aligned(rows):
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return ["  ".join(f.ljust(w) for f, w in zip(row, widths, strict=True)).rstrip() for row in rows]


def _as_html(block):
    label = f"<b>{escape(block.label)}:</b> " if block.label else ""
    match block.kind:
        case "line":
            return f'<div style="margin: 4px 0px">{label}{prose_html(block.content)}</div>'.replace("\n", "<br>")
        case "command":
            return f'<div style="margin: 4px 0px">{label}<code>{escape(block.content)}</code></div>'
        case "code":
            return f'<pre style="margin-bottom: 10px">{escape(chr(10).join(block.content))}</pre>'
        case "gap":
            return '<div style="height: 10px"></div>'
        case "table":
            return _table_html(block.content)
        case "folded":
            items = "".join(f"<li>{prose_html(title)}</li>" for title in block.content)
            return f"<details><summary>{escape(block.label)} ({len(block.content)})</summary><ul>{items}</ul></details>"
    picture = drawing_of(block.content)
    if picture is None:
        return f"<pre>{escape(chr(10).join(graph_lines(block.content)))}</pre>"
    note, image = prose_html(graph_note(block.content)), as_image(picture.svg, picture.alt)
    return f'<div style="margin: 4px 0px">{note}</div>{image}{comparison_html(block.content)}'


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
