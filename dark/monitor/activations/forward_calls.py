"""`ForwardCalls`: the outputs of modules in the calls of a step, under names that no two of them share."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from dark.monitor.activations.rules import Kind, Rules
from dark.nn import Module
from dark.nn.observing import ForwardObserver
from dark.nodes import Node, mode, value_of


def leaves(output: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the nodes and arrays of an output with their places: "" for a single one, else "[0]", "[1][key]", …."""
    if isinstance(output, (Node, np.ndarray)):
        yield place, output
    elif isinstance(output, Mapping):
        for key, item in output.items():
            yield from leaves(item, f"{place}[{key}]")
    elif isinstance(output, (list, tuple)):
        for k, item in enumerate(output):
            yield from leaves(item, f"{place}[{k}]")


def array_of(leaf: Any) -> np.ndarray | None:
    """Return a leaf as an array; None if it does not hold real numbers."""
    value = value_of(leaf)
    array = value if type(value) is np.ndarray else np.asarray(value)
    return array if array.dtype.kind in "biuf" else None


def axis_of_examples(shape: tuple[int, ...], axis: int, count: int | None) -> int:
    """Return the axis of an output that counts examples.

    It is `axis` or 0, whichever is as long as there are examples (`count`, if it is known). If both are, 0 for an
    output with two axes, as (batch, features). If `axis` is 0, it may be 1: for final states of recurrent layers that a
    module of the user's own returns, of shape (layers, batch, features).

    >>> axis_of_examples((5, 2, 3), 1, 2), axis_of_examples((2, 3), 1, 2), axis_of_examples((4,), 1, 2)
    (1, 0, 0)
    >>> axis_of_examples((2, 3), 0, 2), axis_of_examples((1, 2, 3), 0, 2)
    (0, 1)
    """
    if axis == 0:
        return 1 if len(shape) == 3 and shape[0] != count and shape[1] == count else 0
    order = (0, axis) if len(shape) < 3 else (axis, 0)
    order = [k for k in order if k < len(shape)]
    return next((k for k in order if shape[k] == count), order[0] if count is None else 0)


def number_of_examples(arguments: Iterable[Any], axis: int) -> int | None:
    """Return the length of the first argument that has an axis of examples along it; None if none has."""
    shapes = (np.shape(value_of(value)) for value in arguments if isinstance(value, (Node, np.ndarray)))
    return next((shape[axis] for shape in shapes if len(shape) > axis), None)


def examples_first(array: np.ndarray, axis: int, count: int | None, has_layers_first: bool = False) -> np.ndarray:
    """Return an array with the axis of examples first, see `axis_of_examples`; a number as an example of its own.

    A final state of a recurrent layer has its layers first, then the examples, whatever their number.
    """
    if not array.ndim:
        return array[None]
    found = 1 if has_layers_first and array.ndim == 3 else axis_of_examples(array.shape, axis, count)
    return array if found == 0 else np.moveaxis(array, found, 0)


ROOT = "(root)"  # the path of a model itself, which has no name in `named_modules`


class ForwardCalls:
    """Observes the calls of modules while it is attached, and holds the outputs that a rule keeps.

    `found` has the outputs by name: the dotted path of the module; with ``#2``, ``#3``, … from its second call on; and
    with the place of the output, such as ``[0]``, if there are several. `inputs` has the arguments of the first call of
    each model. If `in_training`, only calls that record a graph are held, and otherwise only the others, so that
    measurements in between do not count.
    """

    def __init__(self, models: Mapping[str, Module], rules: Rules, kind: Kind, in_training: bool = True) -> None:
        self.rules, self.kind, self.in_training = rules, kind, in_training
        self.found: dict[str, tuple[Module, np.ndarray]] = {}
        self.inputs: dict[str, tuple[Any, Any]] = {}
        self._calls: dict[str, int] = {}
        self._modules = paths_of(models)
        self._paths = {id(module): path for path, module in self._modules.items()}
        self._roots = {id(model): name for name, model in models.items()}
        self._observed: list[Module] = []
        self._version: int | None = None  # of the rules for which they are observed
        self._has_outputs = False
        self._observer = ForwardObserver(self._observe)

    def begin(self) -> None:
        """Observe from now on, and forget earlier outputs."""
        self.end()
        self.clear()
        if self._version != self.rules.version:
            self._find_modules()
        self._observer.attach(self._observed)

    def end(self) -> None:
        """Stop observing; the outputs are kept."""
        self._observer.remove()

    def has_outputs(self) -> bool:
        """Return whether an output of a module may be kept."""
        if self._version != self.rules.version:
            self._find_modules()
        return self._has_outputs

    def _find_modules(self):
        """Find the modules whose outputs may be kept; observe the models, too, for the number of examples."""
        kept = {path for path, m in self._modules.items() if self.rules.may_keep(path, m, self.kind)}
        self._observed = [m for path, m in self._modules.items() if path in kept or id(m) in self._roots]
        self._has_outputs, self._version = bool(kept), self.rules.version

    def clear(self) -> None:
        """Forget the outputs; the next call of a module is its first again."""
        self.found, self.inputs, self._calls = {}, {}, {}

    def _observe(self, module, args, kwargs, output):
        if mode.recording is not self.in_training:
            return
        if id(module) in self._roots:
            self.inputs.setdefault(self._roots[id(module)], (args, kwargs))
        path = self._paths[id(module)]
        self._calls[path] = call = self._calls.get(path, 0) + 1
        name = path if call == 1 else f"{path}#{call}"
        for place, leaf in [("", output)] if isinstance(output, Node) else leaves(output):
            if self.rules.kind(name + place, path, module, leaf) is self.kind:
                array = array_of(leaf)
                if array is not None:
                    self.found[name + place] = module, array


def paths_of(models: Mapping[str, Module]) -> dict[str, Module]:
    """Return all modules of some models by their dotted paths, each once."""
    found, seen = {}, set()
    for name, model in models.items():
        for path, module in model.named_modules():
            if id(module) not in seen:
                seen.add(id(module))
                found[".".join(filter(None, (name, path))) or ROOT] = module
    return found


def weights_of(models: Mapping[str, Module]) -> dict[str, Any]:
    """Return all parameters of some models by their dotted names, each once."""
    found, seen = {}, set()
    for name, model in models.items():
        for path, parameter in model.named_parameters():
            if id(parameter) not in seen:
                seen.add(id(parameter))
                found[".".join(filter(None, (name, path)))] = parameter
    return found
