"""`ForwardCalls`: the outputs of modules in the calls of a step, under names that no two of them share."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from dark.monitor.activations.leaves import array_of, leaves
from dark.monitor.activations.rules import Kind, Rules
from dark.nn import Module
from dark.nn.observing import ForwardObserver
from dark.nodes import Node, mode

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
