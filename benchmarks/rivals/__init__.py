"""The frameworks that are measured, one file each, all with the same functions.

For each workload that it supports, a file has a function named like the workload's family (``A2``). It takes a dict of
arrays (data and initial weights) and returns a step function and a function that returns the gradients of the last
step, or None. A step trains once and returns its loss as a float. ``NA`` maps unsupported workloads to the reason. The
functions are at the top level of the file, or methods of its object ``peer``.

Reading order: `dark` and `recorded` (dark with recorded losses), `torch`, `autograd` (gradients of functions, without
nodes), `tape` with `dezero` and `mygrad` (frameworks that differ only in their primitives), and `micrograd`. The last
two give lower bounds: `least`, a minimal engine with dark's guarantees, and `numpy`, some steps written without a
framework.
"""

import importlib
import importlib.util
from dataclasses import dataclass


@dataclass(frozen=True)
class Rival:
    """A framework: its printed title, its name on PyPI, and the name of its module if that differs."""

    title: str
    package: str
    module: str = ""


PEERS = {
    "dark": Rival("dark", "dark-course"),
    "recorded": Rival("dark, recorded", "dark-course", "dark"),
    "torch": Rival("PyTorch", "torch"),
    "autograd": Rival("HIPS autograd", "autograd"),
    "mygrad": Rival("MyGrad", "mygrad"),
    "dezero": Rival("DeZero", "dezero"),
    "micrograd": Rival("micrograd", "micrograd"),
    "least": Rival("least engine", "numpy", "numpy"),
    "numpy": Rival("plain NumPy", "numpy"),
}


def is_installed(name):
    """Return whether a framework can be imported, without importing it."""
    return importlib.util.find_spec(PEERS[name].module or name) is not None


def maker(name, family):
    """Return a framework's function that makes the step of a workload from its arrays.

    Raises
    ------
    NotImplementedError
        If the framework does not support the workload; the message gives the reason.
    """
    module = importlib.import_module(f"{__name__}.{name}")
    peer = getattr(module, "peer", module)
    if family in peer.NA:
        raise NotImplementedError(peer.NA[family])
    return getattr(peer, family)
