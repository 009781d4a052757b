"""`Module`: what holds parameters, buffers and other modules, and computes something with them."""

import numpy as np

from dark.errors import OperationError
from dark.nn import attribute_checks, state_dict, traversal
from dark.nn.module_repr import brief, show
from dark.nodes import Parameter


class Module:
    """A part of a network: its parameters, its buffers, the parts it is made of, and how it computes.

    A subclass calls ``super().__init__()``, assigns what it consists of to attributes, and defines
    `forward`. A `Parameter` or a `Module` is part of it as long as it stands in an attribute; an array
    becomes a buffer by `register_buffer`. Anything else in an attribute is nobody's business.

    Attributes
    ----------
    training : bool
        Whether it is being trained, which `train` and `eval` set; dropout, for one, asks.

    Raises
    ------
    UsageError
        If a part is assigned before ``super().__init__()``, or holds the module itself.
    ValueTypeError
        If something else is assigned where a `Parameter`, a `Module` or a buffer stands.

    Examples
    --------
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

    training: bool
    _buffers: dict  # for the name of each buffer, whether it is saved

    def __init__(self):
        self._buffers = {}
        self.training = True

    def forward(self, *inputs, **settings):
        """Compute the result; a subclass says how."""
        name = type(self).__name__
        raise OperationError(
            f"{name} has no forward.", "a method forward(self, x) that returns a node.", f"define it in class {name}."
        )

    def __call__(self, *inputs, **settings):
        """Compute the result: what `forward` returns; an error says in which modules it came up."""
        try:
            return self.forward(*inputs, **settings)
        except Exception as error:
            error.add_note(f"in {brief(self)}")
            raise

    def __setattr__(self, name, value):
        here = vars(self).get(name)
        if isinstance(value, (Parameter, Module)):
            attribute_checks.refuse_uninitialised(self, name)
            self._buffers.pop(name, None)
            if isinstance(value, Module):
                attribute_checks.refuse_cycle(self, name, value)
            elif value.name is None:
                value.name = name  # errors and pictures show it
        elif value is not None and name in vars(self).get("_buffers", ()):
            value = attribute_checks.as_buffer(value, f"{type(self).__name__}.{name}")
        elif value is not None and isinstance(here, (Parameter, Module)):
            attribute_checks.refuse_other_kind(self, name, value, Parameter if isinstance(here, Parameter) else Module)
        super().__setattr__(name, value)

    def __delattr__(self, name):
        super().__delattr__(name)
        vars(self).get("_buffers", {}).pop(name, None)

    def register_buffer(self, name, value, persistent=True):
        """Make an array part of the module that is saved and not trained, such as a running mean.

        Parameters
        ----------
        name : str
            The attribute it is to be.
        value : array, number or None
            A copy of it is kept, as an array; None leaves the place empty.
        persistent : bool, default True
            Whether it belongs to the `state_dict`.
        """
        attribute_checks.refuse_uninitialised(self, name)
        attribute_checks.refuse_name(self, name, is_free=name in self._buffers)
        if value is not None:
            value = np.array(attribute_checks.as_buffer(value, f"{type(self).__name__}.{name}"))
        self._buffers[name] = bool(persistent)
        setattr(self, name, value)

    def register_parameter(self, name, parameter):
        """Make a `Parameter` an attribute, under a name that is checked; None leaves the place empty."""
        attribute_checks.refuse_name(self, name, is_free=isinstance(vars(self).get(name), Parameter))
        attribute_checks.refuse_stranger(self, name, parameter, Parameter)
        setattr(self, name, parameter)

    def add_module(self, name, module):
        """Make a `Module` an attribute, under a name that is checked; None leaves the place empty."""
        attribute_checks.refuse_name(self, name, is_free=isinstance(vars(self).get(name), Module))
        attribute_checks.refuse_stranger(self, name, module, Module)
        setattr(self, name, module)

    def _parameters_here(self):
        """Return the parameters that stand in attributes, by name."""
        return {name: value for name, value in vars(self).items() if isinstance(value, Parameter)}

    def _buffers_here(self):
        """Return the buffers, by name; an empty place is none."""
        here = {name: getattr(self, name, None) for name in vars(self).get("_buffers", ())}
        return {name: value for name, value in here.items() if value is not None}

    def named_children(self, remove_duplicate=True):
        """Go through the modules that stand in attributes, with their names."""
        here = {name: value for name, value in vars(self).items() if isinstance(value, Module)}
        return traversal.members([("", self)], lambda module: here, remove_duplicate)

    def children(self):
        """Go through the modules that stand in attributes."""
        return (child for _, child in self.named_children())

    def named_modules(self, remove_duplicate=True):
        """Go through this module and all below it, with dotted names; each before its parts, and once."""
        return traversal.walk(self, remove_duplicate)

    def modules(self):
        """Go through this module and all below it."""
        return (module for _, module in self.named_modules())

    def named_parameters(self, recurse=True, remove_duplicate=True):
        """Go through the parameters, named as ``"0.weight"``; without `recurse`, those of this module alone."""
        if recurse:
            attribute_checks.warn_of_hidden(self, Module)
        modules = self.named_modules(remove_duplicate) if recurse else [("", self)]
        return traversal.members(modules, lambda module: module._parameters_here(), remove_duplicate)

    def parameters(self, recurse=True):
        """Go through the parameters, each once."""
        return (parameter for _, parameter in self.named_parameters(recurse))

    def named_buffers(self, recurse=True, remove_duplicate=True):
        """Go through the buffers with dotted names."""
        modules = self.named_modules(remove_duplicate) if recurse else [("", self)]
        return traversal.members(modules, lambda module: module._buffers_here(), remove_duplicate)

    def buffers(self, recurse=True):
        """Go through the buffers, each once."""
        return (buffer for _, buffer in self.named_buffers(recurse))

    def get_parameter(self, name):
        """Return the parameter with a dotted name, such as ``"0.weight"``."""
        return traversal.find(self.named_parameters(remove_duplicate=False), name, "parameter", type(self).__name__)

    def get_buffer(self, name):
        """Return the buffer with a dotted name."""
        return traversal.find(self.named_buffers(remove_duplicate=False), name, "buffer", type(self).__name__)

    def get_submodule(self, name):
        """Return the module with a dotted name; the empty one means this module."""
        return traversal.find(self.named_modules(remove_duplicate=False), name, "module", type(self).__name__)

    def count_parameters(self, trainable_only=False):
        """Count the numbers in the parameters; those that take a gradient, if `trainable_only`."""
        return sum(p.size for p in self.parameters() if p.requires_grad or not trainable_only)

    def apply(self, function):
        """Call a function with every module below this one and then with it, each once; return the module."""
        for module in reversed(list(self.modules())):
            function(module)
        return self

    def train(self, mode=True):
        """Set `training` here and in every part; return the module. Parameters stay as they are."""
        self.training = bool(mode)
        for child in self.children():
            child.train(mode)
        return self

    def eval(self):
        """Say that the module is used, not trained: ``train(False)``."""
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        """Let every parameter take a gradient, or none; return the module. The mode stays as it is."""
        for parameter in self.parameters():
            parameter.requires_grad = bool(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        """Take the gradient of every parameter away; make it 0 instead, if not `set_to_none`."""
        for parameter in self.parameters():
            parameter.grad = None if set_to_none else 0.0

    def to(self, dtype):
        """Give parameters and buffers of floats another type of float; return the module."""
        return state_dict.cast(self, dtype)

    def float(self):
        """Make it compute in float32."""
        return self.to(np.float32)

    def double(self):
        """Make it compute in float64."""
        return self.to(np.float64)

    def state_dict(self):
        """Copy the numbers of all parameters and saved buffers into a dict of arrays, by dotted names."""
        return state_dict.snapshot(self)

    def load_state_dict(self, mapping, strict=True):
        """Take the numbers out of a mapping, as `state_dict` makes it; if anything is wrong, change nothing.

        Parameters
        ----------
        mapping : mapping of str to array, node or tensor of PyTorch's
            Shapes must be equal; the numbers take the type that stands here.
        strict : bool, default True
            Whether a name that is on one side only is an error.

        Returns
        -------
        LoadReport
            ``missing_keys`` and ``unexpected_keys``.

        Raises
        ------
        ShapeError, UsageError, ValueTypeError
            If a shape, a name or a type does not fit.
        """
        return state_dict.load(self, mapping, strict)

    def extra_repr(self):
        """Return what stands in the brackets of the module's text; a subclass says it."""
        return ""

    def __repr__(self):
        return show(self)
