"""Build your own PyTorch: an automatic differentiation framework on NumPy, and the course in which you write it.

Every package below is loaded when it is first used, so that `import dark` costs next to nothing.

The graph and its backward pass, with eleven operations, in at most 1,000 lines:

    nodes/graph.py                      topological order
    nodes/node.py                       a value and its gradient
    nodes/operation.py                  a function and its derivative
    operations/elementwise/arithmetic.py
    operations/elementwise/powers.py
    nodes/backward.py                   the chain rule, node by node
    nodes/gradient.py                   shape, dtype and memory of a gradient

and with these to the first trained network, in at most 2,500:

    nodes/broadcasting.py               arrays
    operations/arrays/reductions.py
    operations/layers/linear.py         one layer
    nn/module.py
    nn/layers/linear.py
    optim/optimizer.py                  one optimizer
    optim/rules.py
    engine/engine.py                    the training loop
    engine/loop.py

The other files that these import check arguments, or compute the same faster (`nodes/fast.py`,
`optim/fast.py`). Then the packages: `dark.nodes`, `dark.operations`, `dark.derivatives` (gradients of
functions, gradient checking), `dark.nn`, `dark.losses`, `dark.optim`, `dark.data`, `dark.storage`; `dark.engine`,
`dark.handlers`, `dark.metrics`, `dark.contexts`, `dark.executors`, `dark.trainers`; `dark.monitor` (what happens inside
a network while it learns); `dark.distributed` (many processes, one result); `dark.draw` (pictures of all that);
`dark.course` (lessons, checks, grading).
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING


if TYPE_CHECKING:  # what type checkers and editors see; `_HOME` is the same list for the interpreter
    from dark import contexts as contexts, course as course, data as data, derivatives as derivatives
    from dark import distributed as distributed, engine as engine, errors as errors, executors as executors
    from dark import handlers as handlers, losses as losses, metrics as metrics, monitor as monitor, nn as nn
    from dark import nodes as nodes, operations as operations, optim as optim, recording as recording
    from dark import storage as storage, trainers as trainers
    from dark.derivatives import grad as grad, hessian as hessian, hvp as hvp, jacobian as jacobian, jvp as jvp
    from dark.derivatives import value_and_grad as value_and_grad
    from dark.derivatives import gradcheck as gradcheck, slope as slope
    from dark.draw import DrawPackage
    from dark.engine import manual_seed as manual_seed
    from dark.nodes import Constant as Constant, Node as Node, Operation as Operation, Parameter as Parameter
    from dark.nodes import anomaly as anomaly, no_grad as no_grad, topological_order as topological_order
    from dark.operations import *
    from dark.optim import minimize as minimize
    from dark.recording import recorded as recorded

    load, save = storage.load_file, storage.save_file
    draw: DrawPackage  # a package that can be called
    is_training: bool

__version__ = "0.1.0"

PACKAGES = (
    "contexts", "course", "data", "derivatives", "distributed", "draw", "engine", "errors", "executors", "handlers",
    "losses", "metrics", "monitor", "nn", "nodes", "operations", "optim", "recording", "storage", "trainers",
)  # fmt: skip
_HOME = {  # name at the top: (package, name there); the functions of `dark.operations` come on top of these
    "Constant": ("nodes", "Constant"), "Node": ("nodes", "Node"), "Operation": ("nodes", "Operation"),
    "Parameter": ("nodes", "Parameter"), "anomaly": ("nodes", "anomaly"), "no_grad": ("nodes", "no_grad"),
    "topological_order": ("nodes", "topological_order"),
    "grad": ("derivatives", "grad"), "hessian": ("derivatives", "hessian"), "hvp": ("derivatives", "hvp"),
    "jacobian": ("derivatives", "jacobian"), "jvp": ("derivatives", "jvp"),
    "value_and_grad": ("derivatives", "value_and_grad"),
    "gradcheck": ("derivatives", "gradcheck"), "slope": ("derivatives", "slope"),
    "recorded": ("recording", "recorded"), "minimize": ("optim", "minimize"), "manual_seed": ("engine", "manual_seed"),
    "load": ("storage", "load_file"), "save": ("storage", "save_file"),
}  # fmt: skip


def _public_names():
    """Return what `from dark import *` binds: Python's own abs, max, min, pow and sum stay as they are."""
    operations = set(import_module("dark.operations").__all__) - set(dir(import_module("builtins")))
    return sorted({*PACKAGES, *_HOME, *operations} - {"all_operations"})


def _find(name):
    """Load the package, function or class of this name; return None if there is none."""
    if name in PACKAGES:
        return import_module(f"dark.{name}")
    if name in _HOME:
        package, attribute = _HOME[name]
        return getattr(import_module(f"dark.{package}"), attribute)
    operations = import_module("dark.operations")
    if name in operations.__all__:
        return getattr(operations, name)
    classes = {op.__name__: op for op in operations.all_operations()}
    if name in classes:  # the class behind a function: `dark.Mul`, for a reader of rules
        return classes[name]
    return None


if not TYPE_CHECKING:  # a type checker reports a name that it does not find above

    def __getattr__(name):
        """Load a package, function or class on first use; in the class of the module it would slow every access."""
        module = sys.modules[__name__]
        if name == "__all__":
            return _public_names()
        if name.startswith("__"):
            raise AttributeError(f"module 'dark' has no attribute {name!r}", name=name, obj=module)
        found = _find(name)
        if found is None:
            raise import_module("dark.spellings").missing_error(__name__, name, sys._getframe(1))
        setattr(module, name, found)
        return found


class _LazyPackage(ModuleType):
    """Lists what can be loaded, and lets `dark.is_training` be read and set as in the tutorial."""

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        if name == "nodes":  # Python has just loaded this package, and the operators of a node are operations
            import_module("dark.operations")

    def __dir__(self):
        hidden = {"ModuleType", "PACKAGES", "TYPE_CHECKING", "import_module", "sys"}
        return sorted({*super().__dir__(), *_public_names(), "is_training"} - hidden)

    @property
    def is_training(self):
        """Whether operations record the graph, in this thread; set to False, as by `no_grad`, they do not."""
        return import_module("dark.nodes").mode.recording

    @is_training.setter
    def is_training(self, recording):
        import_module("dark.nodes").mode.set(recording=bool(recording))


sys.modules[__name__].__class__ = _LazyPackage


class _MissingModuleFinder:
    """The last import finder: it refuses, with advice, a module of PyTorch that `dark` does not have."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """Raise for a module of PyTorch; return None, which leaves the error to Python, for any other."""
        error = import_module("dark.spellings").missing_module(name) if name.startswith("dark.") else None
        if error is not None:
            raise error


if not any(getattr(finder, "__name__", "") == _MissingModuleFinder.__name__ for finder in sys.meta_path):
    sys.meta_path.append(_MissingModuleFinder)
