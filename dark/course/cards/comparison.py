"""The student's graph next to the expected one in a card: the same nodes, with what differs in value and gradient."""

from html import escape

from dark.course.cards.graph import kind_in, operation_in, shown, text_in, too_many_edges, within_bytes
from dark.course.judging.outcome import same_shape
from dark.draw import GraphNode, GraphRecord, compare
from dark.draw.svg import as_image

HEADING = "Your graph next to the expected one"
LARGEST = 60  # nodes


def comparison_html(finding):
    """Return the comparison of a finding as HTML that is opened with a click; "" without one.

    Two graphs of different structure are not compared: the expected one would give the answer away.
    """
    yours, expected = finding.yours_graph, finding.expected_graph
    if not yours or not expected or not same_shape(yours, expected) or not 1 < len(yours["nodes"]) <= LARGEST:
        return ""
    theirs = expected["nodes"]
    if too_many_edges(theirs):  # which the picture above has said
        return ""
    records = _record(yours["nodes"], theirs), _record(theirs, theirs)
    comparison = compare(*records, names=("yours", "expected"), rtol=1e-9, atol=1e-9, title=HEADING)
    if comparison.same_values:
        return ""
    picture, left_out = within_bytes(as_image(comparison.svg, comparison.alt))
    return f"<details><summary>{escape(HEADING)}</summary>{picture or escape(left_out)}</details>"


def _record(nodes, theirs):
    """Return nodes as a record; the operations are called alike in both, since their names are not judged."""
    return GraphRecord(
        tuple(
            GraphNode(
                id=k,
                operation=_operation(node, other),
                name=text_in(node.get("name")) or text_in(other.get("name")),
                role=kind_in(node),
                shape=None,
                value=shown(node.get("value")),
                grad=shown(node.get("grad")),
                inputs=tuple(node["inputs"]),
            )
            for k, (node, other) in enumerate(zip(nodes, theirs, strict=True))
        )
    )


def _operation(node, other):
    names = (operation_in(each.get("op")) for each in (other, node))
    return next((name for name in names if name), "result") if node["inputs"] else ""
