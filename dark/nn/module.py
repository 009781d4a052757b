"""`Module`: the base class of layers and networks, which holds parameters, buffers and submodules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from dark.checks import callable_with
from dark.nn import attribute_checks, casting, module_hooks, state_dict, traversal
from dark.nn.module_calls import mark_call, structure
from dark.nn.module_repr import module_repr, one_line_repr
from dark.nodes import Parameter
from dark.spellings import KeywordAdvice, MissingName, describe_missing, keywords_checked, present_names

if TYPE_CHECKING:
    from dark.nn.state_dict import LoadReport
    from dark.typing import Array, ArrayLike, Number


class Module(KeywordAdvice):
    """Base class of layers and networks.

    A subclass calls ``super().__init__()``, assigns its parameters and submodules to attributes, and defines `forward`.
    Every `Parameter` and every `Module` that is assigned to an attribute is registered; an array is registered by
    `register_buffer`. Other attributes are ignored. An attribute that is assigned before ``super().__init__()``,
    contains the module, or replaces another type is an error.

    The attribute `training` tells whether the module is in training mode, set by `train` and `eval`; dropout depends on
    it, for example.

    >>> import dark
    >>> class Scale(Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.factor = dark.Parameter(2.0)
    ...
    ...     def forward(self, x):
    ...         return self.factor * x
    >>> scale = Scale()
    >>> scale(3.0).value, [name for name, p in scale.named_parameters()]
    (6.0, ['factor'])
    """

    __dir__ = present_names
    training: bool
    _buffers: dict[str, bool]  # for the name of each buffer, whether it is saved
    _hooks: module_hooks.ModuleHooks | None = None
    _is_leaf = True  # whether it has never had a submodule
    register_forward_pre_hook = module_hooks.register_forward_pre_hook
    register_forward_hook = module_hooks.register_forward_hook
    register_full_backward_hook = module_hooks.register_full_backward_hook
    get_parameter = traversal.get_parameter
    get_buffer = traversal.get_buffer
    get_submodule = traversal.get_submodule

    def __init__(self) -> None:
        self._buffers = {}
        self.training = True

    def forward(self, *inputs: Any, **settings: Any) -> Any:
        """Compute the result; defined by subclasses."""
        raise attribute_checks.no_forward(self)

    def __call__(self, *inputs: Any, **settings: Any) -> Any:
        """Return the result of `forward`, and call the hooks; an error gets a note that names the module."""
        try:
            if self._hooks is None:
                result = self.forward(*inputs, **settings)
            else:
                result = module_hooks.call(self, self._hooks, inputs, settings)
            mark_call(self, result, inputs, settings)
            return result
        except Exception as error:
            error.add_note(f"in {one_line_repr(self)}")
            raise

    def __setattr__(self, name: str, value: Any) -> None:
        old = vars(self).get(name)
        if isinstance(value, (Parameter, Module)):
            attribute_checks.check_initialized(self, name)
            self._buffers.pop(name, None)
            if isinstance(value, Module):
                attribute_checks.check_acyclic(self, name, value)
                vars(self)["_is_leaf"] = False
            elif value.name is None:
                value.name = name  # shown in errors and pictures
        elif value is not None and name in vars(self).get("_buffers", ()):
            value = attribute_checks.as_buffer(value, f"{type(self).__name__}.{name}")
        elif value is not None and isinstance(old, (Parameter, Module)):
            attribute_checks.check_replacement(self, name, value, Parameter if isinstance(old, Parameter) else Module)
        super().__setattr__(name, value)
        if value is not old:
            structure.advance()

    def __delattr__(self, name: str) -> None:
        super().__delattr__(name)
        vars(self).get("_buffers", {}).pop(name, None)

    def register_buffer(self, name: str, value: Array | Number | None, persistent: bool = True) -> None:
        """Add a buffer: an array that is saved but not trained, such as a running mean.

        The value is copied and converted to an array; with None, the buffer has no value yet. It belongs to the
        `state_dict` only if it is `persistent`.
        """
        attribute_checks.check_initialized(self, name)
        attribute_checks.check_name(self, name, is_free=isinstance(name, str) and name in self._buffers)
        if value is not None:
            value = np.array(attribute_checks.as_buffer(value, f"{type(self).__name__}.{name}"))
        self._buffers[name] = bool(persistent)
        setattr(self, name, value)

    def register_parameter(self, name: str, parameter: Parameter | None) -> None:
        """Add a `Parameter`, or None, as an attribute, after checking the name."""
        attribute_checks.check_registration(self, name, parameter, Parameter)
        setattr(self, name, parameter)

    def add_module(self, name: str, module: Module | None) -> None:
        """Add a submodule, or None, as an attribute, after checking the name."""
        attribute_checks.check_registration(self, name, module, Module)
        setattr(self, name, module)

    def is_persistent(self, name: str) -> bool:
        """Return whether a buffer belongs to the `state_dict`."""
        return self._buffers[name]

    def _parameters_here(self):
        """Return the parameters of this module itself, by name."""
        return {name: value for name, value in vars(self).items() if isinstance(value, Parameter)}

    def _buffers_here(self):
        """Return the buffers of this module itself that have a value, by name."""
        values = {name: getattr(self, name, None) for name in vars(self).get("_buffers", ())}
        return {name: value for name, value in values.items() if value is not None}

    def named_children(self, remove_duplicate: bool = True) -> Iterator[tuple[str, Module]]:
        """Iterate over the direct submodules, with their names."""
        children = {name: value for name, value in vars(self).items() if isinstance(value, Module)}
        return traversal.members([("", self)], lambda module: children, remove_duplicate)

    def children(self) -> Iterator[Module]:
        """Iterate over the direct submodules."""
        return (child for _, child in self.named_children())

    @keywords_checked
    def named_modules(self, remove_duplicate: bool = True) -> Iterator[tuple[str, Module]]:
        """Iterate over this module and all its descendants in pre-order, with dotted names, each once."""
        return traversal.walk(self, remove_duplicate)

    def modules(self) -> Iterator[Module]:
        """Iterate over this module and all its descendants."""
        return (module for _, module in self.named_modules())

    @keywords_checked
    def named_parameters(self, recurse: bool = True, remove_duplicate: bool = True) -> Iterator[tuple[str, Parameter]]:
        """Iterate over the parameters with names such as ``"0.weight"``; without `recurse`, only this module's."""
        if recurse:
            attribute_checks.warn_of_hidden(self, Module)
        modules = self.named_modules(remove_duplicate) if recurse else [("", self)]
        return traversal.members(modules, lambda module: module._parameters_here(), remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """Iterate over the parameters, each once."""
        return (parameter for _, parameter in self.named_parameters(recurse))

    @keywords_checked
    def named_buffers(self, recurse: bool = True, remove_duplicate: bool = True) -> Iterator[tuple[str, Array]]:
        """Iterate over the buffers, with dotted names."""
        modules = self.named_modules(remove_duplicate) if recurse else [("", self)]
        return traversal.members(modules, lambda module: module._buffers_here(), remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Array]:
        """Iterate over the buffers, each once."""
        return (buffer for _, buffer in self.named_buffers(recurse))

    def count_parameters(self, trainable_only: bool = False) -> int:
        """Count the elements of all parameters, or of those that require a gradient."""
        return sum(p.size for p in self.parameters() if p.requires_grad or not trainable_only)

    def apply(self, function: Callable[[Module], Any]) -> Self:
        """Call a function with every descendant and then with this module, each once; return the module."""
        callable_with(function, f"{type(self).__name__}.apply", "function", ("module",))
        for module in reversed(list(self.modules())):
            function(module)
        return self

    def train(self, mode: bool = True) -> Self:
        """Set training mode, or evaluation mode, here and in all submodules; return the module."""
        self.training = bool(mode)
        for child in self.children():
            child.train(mode)
        return self

    def eval(self) -> Self:
        """Set evaluation mode; the same as ``train(False)``."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Set `requires_grad` of all parameters; return the module."""
        for parameter in self.parameters():
            parameter.requires_grad = bool(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Reset all gradients to None, or to zero if ``set_to_none=False``."""
        for parameter in self.parameters():
            parameter.grad = None if set_to_none else 0.0

    def to(self, *target: Any, **settings: Any) -> Self:
        """Convert floating-point parameters and buffers to another float dtype; return the module.

        The device "cpu" is accepted and changes nothing; `dtype` and `device` may be given by name.
        """
        return casting.cast(self, casting.dtype_of(target, settings))

    def float(self) -> Self:
        """Convert to float32; return the module."""
        return self.to(np.float32)

    def double(self) -> Self:
        """Convert to float64; return the module."""
        return self.to(np.float64)

    @keywords_checked
    def state_dict(self) -> dict[str, Array]:
        """Return copies of all parameters and persistent buffers, by dotted names."""
        return state_dict.snapshot(self)

    @keywords_checked
    def load_state_dict(self, mapping: Mapping[str, ArrayLike], strict: bool = True) -> LoadReport:
        """Copy parameters and buffers from a `state_dict`; on a mismatch, raise and change nothing.

        Values are arrays, nodes or PyTorch tensors of equal shape, and are converted to the dtype of the parameter or
        buffer. Missing and unexpected names raise; without `strict`, the `LoadReport` lists them.
        """
        return state_dict.load(self, mapping, strict)

    def extra_repr(self) -> str:
        """Return the extra text of the module's repr; override in subclasses."""
        return ""

    def __repr__(self) -> str:
        return module_repr(self)


describe_missing(Module, "Module", MissingName)
