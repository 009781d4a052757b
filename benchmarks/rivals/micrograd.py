"""micrograd: scalars only."""

from micrograd.engine import Value

from benchmarks.rivals.tools import hinge_loss, numbers
from benchmarks.workloads import run

NA = dict.fromkeys(["A1", "A2", "A3", "A4r", "A4g", "A5", "A6", "E1"], "scalars only")


def S1(spec):
    """Build a scalar graph and run the backward pass."""
    program = spec["leaves"], spec["prog"]
    return lambda: run(Value, Value.relu, program)[1].data, None


def S2(spec):
    """Train a scalar perceptron on the moons."""
    parameters = [Value(v) for v in numbers(spec)]

    def step():
        loss = hinge_loss(spec, parameters, Value.relu)
        for p in parameters:
            p.grad = 0.0
        loss.backward()
        for p in parameters:
            p.data -= spec["lr"] * p.grad
        return loss.data

    return step, None
