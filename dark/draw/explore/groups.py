"""What opens and closes in a graph whose modules are not known: groups, by the names of its parameters or by depth."""

from dataclasses import replace

from dark.draw.graph.graph_record import GraphRecord
from dark.draw.graph.grouping import named_groups
from dark.draw.graph.module_folding import box_of_record

MOST_APART = 300  # the largest graph without modules that has no groups


def with_groups(record: GraphRecord) -> GraphRecord:
    """Return a record in which every large graph has something to open: its modules, or groups.

    Examples
    --------
    >>> from dark.draw.graph.graph_record import GraphNode
    >>> chain = [GraphNode(0, role="parameter")] + [GraphNode(k, "exp", inputs=(k - 1,)) for k in range(1, 400)]
    >>> with_groups(GraphRecord(chain)).nodes[0].path
    ('depth 374 to 398',)
    """
    nodes = record.nodes
    if len(nodes) <= MOST_APART or any(node.path and node.operation for node in nodes):
        return record
    outlines = tuple([box_of_record(node, inputs, full=False) for node, inputs in zip(nodes, record.links)])
    names = named_groups(outlines)
    return GraphRecord(tuple([replace(node, path=(name,) if name else ()) for node, name in zip(nodes, names)]))
