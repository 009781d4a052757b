"""A law: in a random program of calls, views and changes in place, what an input reaches is below it in the record."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dark.draw import graph_record

torch = pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
pytestmark = pytest.mark.oracle

STEPS = {
    "add": lambda a, b: a.sum() + b,
    "row": lambda a, b: a[0] if a.dim() else a + b.sum(),
    "column": lambda a, b: a[..., -1] if a.dim() else a.exp(),
    "clone": lambda a, b: a.clone(),
    "detach": lambda a, b: a.detach() * 1,
    "in place": lambda a, b: a.mul_(b.sum()),
    "set": lambda a, b: a.__setitem__(..., b.mean()) or a,
    "turn": lambda a, b: a.T if a.dim() == 2 else a,
    "both": lambda a, b: torch.cat([a.reshape(-1), b.reshape(-1)]),
    "several": lambda a, b: a.reshape(-1).sort().values + b.sum(),
    "no gradient": lambda a, b: torch.no_grad()(lambda: a.sum() * b)(),
}
programs = st.lists(st.tuples(st.sampled_from(sorted(STEPS)), st.integers(0, 9), st.integers(0, 9)), max_size=8)


def run(program, *inputs):
    known = [x * 1.0 for x in inputs]
    for name, i, k in program:
        known.append(STEPS[name](known[i % len(known)], known[k % len(known)]))
    return known


def below(record, k):
    """Return the nodes that a node is computed from, with itself."""
    links = dict(zip(range(len(record)), record.links))
    seen, waiting = set(), [k]
    while waiting:
        k = waiting.pop()
        if k not in seen:
            seen.add(k)
            waiting += links[k]
    return {record.nodes[k].name for k in seen if record.nodes[k].role == "input"}


@pytest.mark.filterwarnings("ignore")
@settings(deadline=None)
@given(programs)
def test_what_an_input_changes_is_computed_from_it(program):
    inputs = [torch.arange(6.0).reshape(2, 3) + 1, torch.arange(6.0).reshape(3, 2) + 2, torch.tensor(0.5)]
    record = graph_record(lambda a, b, c: [x.reshape(-1) for x in run(program, a, b, c)], *inputs)
    assert len(record.root.inputs) == len(program) + 3
    reached = [below(record, k) for k in record.links[-1]]
    for k, name in enumerate("abc"):
        changed = [torch.full_like(x, torch.nan) if j == k else x for j, x in enumerate(inputs)]
        for got, names in zip(run(program, *changed), reached):
            assert not got.isnan().any() or name in names
