"""What must hold of the boxes of each folded graph: nothing that is shown is not in the record."""

from dark.draw.graph.module_folding import fold_modules
from dark.draw.graph.quotient import users_of
from dark.draw.graph.repeated_blocks import repeated_blocks


def assert_honest(record, open):
    folded = fold_modules(record, open)
    stand_in = repeated_blocks(record.nodes, record.links).stand_in if open is not True else range(len(record))
    box_of = {i: b for b, inside in enumerate(folded.members) for i in inside}
    assert sorted(box_of) == list(range(len(record))) and all(box_of[i] == box_of[k] for i, k in enumerate(stand_in))
    edges = {(k, b) for b, box in enumerate(folded.boxes) for k in box.inputs}
    known = {(box_of[stand_in[k]], box_of[stand_in[i]]) for i, links in enumerate(record.links) for k in links}
    assert edges <= known
    for i, links in enumerate(record.links):  # of each node that is drawn, all edges
        if stand_in[i] == i:
            assert all(box_of[stand_in[k]] == box_of[i] or (box_of[stand_in[k]], box_of[i]) in edges for k in links)
    ends = {box_of[stand_in[i]] for i, users in enumerate(users_of(record.links)) if not users}
    dead = set(range(len(folded.boxes))) - {k for k, _ in edges}
    assert dead <= ends
    assert folded.folded == len(record) - len(folded.boxes)
