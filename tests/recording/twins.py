"""A function called eagerly, and a twin of it that is recorded: both must compute the same bits."""

import warnings

import numpy as np

import dark
from dark.nodes.leaves import constant


def bits(value):
    """Return a value as comparable bytes; all NaNs count as equal, whatever their payload."""
    if value is None:
        return None
    array = np.array(value)
    if array.dtype.kind == "f":
        array[np.isnan(array)] = np.nan
    return array.dtype.str, array.shape, array.tobytes()


def as_constants(arguments):
    """Return what a recorded function gives to the function itself."""
    is_array = (np.ndarray, float, np.floating)
    return [constant(x) if isinstance(x, is_array) and np.ndim(x) else x for x in arguments]


def run(make, batches, optimizer=None, change=None, is_recorded=False):
    """Train for some steps; return all losses, gradients, parameters and buffers as bytes, and the function.

    `make` returns the module, and a function of a batch that returns the loss; `change(module, k)` is called before
    step k.
    """
    module, f = make()
    parameters = list(module.parameters())
    steps = optimizer(parameters) if optimizer else None
    f = dark.recorded(f) if is_recorded else f
    seen = []
    for k, batch in enumerate(batches):
        if change is not None:
            change(module, k)
        for p in parameters:
            p.grad = None
        loss = f(*batch) if is_recorded else f(*as_constants(batch))
        loss.backward()
        seen.append(("loss", k, bits(loss._value)))
        seen += [("gradient", k, name, bits(p.grad)) for name, p in module.named_parameters()]
        if steps is not None:
            steps.step()
        seen += [("state", k, name, bits(v)) for name, v in module.state_dict().items()]
    return seen, f


def compare(make, batches, optimizer=None, change=None, replayed=True):
    """Check that a recorded twin computes the same bits, and that it is replayed (or not, with a warning)."""
    expected, _ = run(make, batches, optimizer, change)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found, f = run(make, batches, optimizer, change, is_recorded=True)
    assert [x[:-1] for x in found] == [x[:-1] for x in expected]
    different = [x[:-1] for x, y in zip(found, expected) if x != y]
    assert different == [], different[:5]
    refused = [w for w in caught if issubclass(w.category, dark.recording.RecordingWarning)]
    assert len(refused) == len(f.refused)
    if replayed is not None:
        assert bool(f.source and not f.refused) == replayed, f.refused
    return f
