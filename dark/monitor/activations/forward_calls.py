"""`ForwardCalls`: the outputs of modules in the calls of a step, under names that no two of them share."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from dark.monitor.activations.kind import Kind
from dark.monitor.activations.leaves import array_of, leaves
from dark.nn.observing import ForwardObserver
from dark.nodes import mode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dark.monitor.activations.rules import Rules
    from dark.nn import Module
    from dark.typing import Array

ROOT = "(root)"  # the path of a model itself, which has no name in `named_modules`


class ForwardCalls:
    """Observes the calls of modules while it is attached, and holds what a rule keeps.

    Parameters
    ----------
    models : dict of str to Module
        The networks by name; the name of a single one is empty.
    rules : Rules
    kind : Kind
        What to hold.
    in_training : bool, default True
        Whether to hold calls that record a graph, and no others, so that measurements in between do not count.

    Attributes
    ----------
    found : dict of str to (module, array)
        The outputs by name: the dotted path of the module; with ``#2``, ``#3``, … from its second call on; and with the
        place of the output, such as ``[0]``, if there are several.
    inputs : dict of str to (args, kwargs)
        The inputs of the first call of each model.
    """

    def __init__(self, models: Mapping[str, Module], rules: Rules, kind: Kind, in_training: bool = True) -> None:
        self.models, self.rules, self.kind, self.in_training = models, rules, kind, in_training
        self.found: dict[str, tuple[Module, Array]] = {}
        self.inputs: dict[str, tuple[Any, Any]] = {}
        self._calls: Counter[str] = Counter()
        self._paths: dict[int, str] = {}
        self._roots: dict[int, str] = {}
        self._observer = ForwardObserver(self._observe)

    def begin(self) -> None:
        """Observe from now on, and forget what was found before."""
        self.end()
        self.clear()
        named = self.paths()
        self._paths = {id(module): path for path, module in named.items()}
        self._roots = {id(model): name for name, model in self.models.items()}
        self._observer.attach(
            module for path, module in named.items() if id(module) in self._roots or self._is_wanted(path, module)
        )

    def end(self) -> None:
        """Observe no longer; what was found is still there."""
        self._observer.remove()

    def paths(self) -> dict[str, Module]:
        """Return all modules by their dotted paths."""
        return paths_of(self.models)

    def clear(self) -> None:
        """Forget what was found; the next call of a module is its first again."""
        self.found, self.inputs, self._calls = {}, {}, Counter()

    def _is_wanted(self, path, module):
        return self.rules.may_keep(path, module, self.kind)

    def _observe(self, module, args, kwargs, output):
        if mode.recording is not self.in_training:
            return
        if id(module) in self._roots:
            self.inputs.setdefault(self._roots[id(module)], (args, kwargs))
        path = self._paths[id(module)]
        self._calls[path] += 1
        name = path if self._calls[path] == 1 else f"{path}#{self._calls[path]}"
        for place, leaf in leaves(output):
            if self.rules.kind(name + place, path, module, leaf) is self.kind:
                array = array_of(leaf)
                if array is not None:
                    self.found[name + place] = module, array


def paths_of(models: Mapping[str, Module]) -> dict[str, Module]:
    """Return all modules of some models by their dotted paths, each once.

    Examples
    --------
    >>> from dark import nn
    >>> list(paths_of({"": nn.Sequential(nn.ReLU())})), list(paths_of({"g": nn.Sequential(nn.ReLU())}))
    (['(root)', '0'], ['g', 'g.0'])
    """
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
