"""The frameworks that are measured, one file each, all with the same functions.

For each workload it can do, a file has a function named like the workload's family (``A2``) that takes a
dict of arrays, data and first weights, and returns a step and a function that returns the gradients of the
last step, or None. A step trains once and returns its loss as a float. What a framework cannot do stands in
``NA``, with the reason. A file has these functions itself, or as methods of its object ``peer``.

Read `dark` first, then `torch`, `autograd` (a gradient of a function, no nodes to hold), `tape` with
`dezero` and `mygrad` (frameworks that differ only in their primitives), and `micrograd`. The last two are measures:
`least`, what the guarantees of a graph cost when nothing else is asked, and `numpy`, some steps written by hand.
"""

import importlib
import importlib.util
from dataclasses import dataclass


@dataclass(frozen=True)
class Rival:
    """A framework: what it is called in print and on PyPI, and where that is another name, by Python."""

    title: str
    package: str
    module: str = ""


PEERS = {
    "dark": Rival("dark", "dark-course"),
    "torch": Rival("PyTorch", "torch"),
    "autograd": Rival("HIPS autograd", "autograd"),
    "mygrad": Rival("MyGrad", "mygrad"),
    "dezero": Rival("DeZero", "dezero"),
    "micrograd": Rival("micrograd", "micrograd"),
    "least": Rival("least engine", "numpy", "numpy"),
    "numpy": Rival("NumPy by hand", "numpy"),
}


def is_installed(name):
    """Say whether a framework can be imported here, without importing it."""
    return importlib.util.find_spec(PEERS[name].module or name) is not None


def maker(name, family):
    """Find the function of a framework that makes the step of a workload from its arrays.

    Raises
    ------
    NotImplementedError
        If the framework cannot do this; the text says why.
    """
    module = importlib.import_module(f"{__name__}.{name}")
    peer = getattr(module, "peer", module)
    if family in peer.NA:
        raise NotImplementedError(peer.NA[family])
    return getattr(peer, family)
