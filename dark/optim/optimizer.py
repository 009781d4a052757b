"""`Optimizer`: the base class of all optimizers: parameter groups, the update step, and its state."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dark.checks import number
from dark.nodes import Parameter
from dark.optim import fast, parameter_groups, parameters
from dark.optim import state_dict as saved_state
from dark.optim.parameter_groups import Params
from dark.spellings import KeywordAdvice


class Optimizer(KeywordAdvice, ABC):
    """Base class of optimizers, which update parameters by their gradients.

    A parameter that does not require grad, or has no gradient, is skipped and keeps its state. Values are updated in
    place: an array taken from ``p.value`` changes with each step, as in PyTorch; copy it to keep it. Values assigned
    between steps are respected.

    Parameters
    ----------
    params : iterable of Parameter, of pairs (name, Parameter), or of dict
        The parameters to optimize, each once. A dictionary is a group: parameters under ``"params"`` (a single one
        is allowed there), and the options in which the group differs from `defaults`.
    defaults : dict
        The default options of all groups. `param_groups` holds them; they may be changed between steps.
    lr, weight_decay : float
        The learning rate, and the factor of the values that is added to the gradients (L2 regularization).
    maximize : bool
        Maximize the objective instead of minimizing it.
    betas, eps : tuple of two float, float
        Decay rates of the running averages of the gradient and its square; added to the denominator for stability.
    decoupled_weight_decay : bool
        Whether weight decay is applied to the values instead: each step first multiplies them by
        ``1 - lr * weight_decay``, as in `AdamW`.

    Notes
    -----
    A subclass has the options that its signature names. It names the state of each element in `initial_state`, and
    returns in `make_update` the function that updates elements of the parameters.

    Examples
    --------
    >>> import dark
    >>> class SignSGD(Optimizer):
    ...     '''Moves by a fixed amount in the direction of the sign of the gradient.'''
    ...     def __init__(self, params, lr=0.1):
    ...         super().__init__(params, {"lr": lr})
    ...     def make_update(self, group, step):
    ...         def update(w, g, a):
    ...             w -= group["lr"] * np.sign(g)
    ...         return update
    >>> x = dark.Parameter(3.0)
    >>> optimizer = SignSGD([x], lr=0.5)
    >>> (x**2).backward()
    >>> optimizer.step()
    >>> x.value
    2.5
    """

    _rule: Callable[..., None] | None = None  # of `rules`, what `make_update` computes
    not_negative: tuple[str, ...] = ("lr",)
    state_names: tuple[str, ...] = ()  # all names that `initial_state` can return
    counts_steps = True  # whether `step` is part of the saved state, as in PyTorch
    initial_numbers: Mapping[str, float] = {}  # what is kept for each parameter, with its value before the first step

    def __init__(self, params: Params, defaults: dict[str, Any]) -> None:
        self.defaults = dict(defaults)
        self.param_groups: list[dict[str, Any]] = []
        self._states: dict[Parameter, dict[str, Any]] = {}  # of the parameters that are not in a vector
        self._vectors = fast.Vectors()
        who = type(self).__name__
        for group in parameter_groups.as_groups(params, who):
            self.add_param_group(group)
        parameter_groups.check_trainable(self.param_groups, who)

    @abstractmethod
    def make_update(self, group: dict[str, Any], step: int) -> Callable[..., Any]:
        """Return the function that updates elements of the parameters of a group at a step, counted from 1.

        It is called as ``update(w, g, a, *states)`` with arrays of one shape: the values, to be updated in place; the
        gradient with weight decay, read-only; a scratch array; and the states, to be updated in place.
        """

    def initial_state(self, group: dict[str, Any]) -> dict[str, float]:
        """Return the names of the state of each element, with its value before the first step."""
        return {}

    def advance(self, group: dict[str, Any], step: int, numbers: dict[str, float]) -> dict[str, float]:
        """Change the numbers kept for a parameter, in place; return the keyword arguments of `make_update`."""
        return numbers

    def check(self, group: dict[str, Any]) -> None:
        """Check the options of a group: here, that the options named in `not_negative` are 0 or more."""
        for name in self.not_negative:
            if name in group:
                number(group[name], type(self).__name__, name, least=0)

    def decay(self, group: dict[str, Any]) -> float:
        """Return the factor of the values that is added to the gradients (L2 regularization)."""
        return float(group.get("weight_decay", 0))

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group: a dictionary of parameters under ``"params"``, and of the options in which they differ."""
        who = type(self).__name__
        group = parameter_groups.as_group(param_group, who, self.defaults)
        parameter_groups.check_compatible(group, self.param_groups, who)
        self.check(group)
        self.param_groups.append(group)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Perform one optimization step; if a gradient has a wrong shape, a ShapeError, and no parameter changes.

        A closure is called first, to recompute loss and gradients, and its result is returned.
        """
        loss = None if closure is None else closure()
        for group in self.param_groups:
            if type(group["lr"]) is not float:  # it was set after the group was made
                self.check(group)
        self._update()
        return loss

    def _update(self, given: dict[Parameter, np.ndarray] | None = None) -> None:
        """Update each parameter by its gradient, or by an array given instead."""
        if fast.ENABLED:  # the same for many parameters at once
            self._vectors.update(self, given)
            return
        work = []
        for group in self.param_groups:
            for p in group["params"]:
                if (g := parameters.gradient_of(p, given)) is not None:
                    state = parameters.state_of(p, self._states, self.initial_numbers, self.initial_state(group))
                    work.append((group, p, g, state))
        for group, p, g, state in work:  # what is refused has been refused above, before the first update
            w, arrays = parameters.array_of(p), {name: state[name] for name in self.initial_state(group)}
            state["step"] += bool(arrays)
            step, numbers = state["step"] or 1, {name: state[name] for name in self.initial_numbers}
            changed = self.advance(group, step, numbers)
            state.update(numbers)
            if group.get("maximize"):
                g = -g
            if decay := float(self.decay(group)):
                g = g + decay * w
            if self._rule is not None:
                options = parameters.python_numbers({name: group[name] for name in self.defaults})
                self._rule(w, g, **arrays, **changed, **options, step=step)
            else:
                self.make_update(group, step, **changed)(w, g, np.empty_like(w), *arrays.values())
            parameters.set_value(p, w)

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        if "make_update" in vars(cls) and "_rule" not in vars(cls):  # an update of its own
            cls._rule = None

    def _all_states(self) -> dict[Parameter, dict[str, Any]]:
        return {**self._states, **self._vectors.states()}

    @property
    def state(self) -> dict[Parameter, dict[str, Any]]:
        """The state of each parameter that has been updated: its number of steps, and arrays in its shape."""
        return {p: dict(state) for p, state in self._all_states().items() if state["step"]}

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Set the gradients of all parameters to None, or to 0: then they still move by momentum or weight decay."""
        for group in self.param_groups:
            if set_to_none:
                parameters.clear_gradients(group["params"])
            else:
                for p in group["params"]:
                    p.zero_grad()

    def state_dict(self) -> dict[str, Any]:
        """Return options and state as plain data, a copy that later steps do not change, with PyTorch's names.

        ``"state"`` holds for each parameter that has been updated, by its index in the order of the groups, a
        dictionary of ``"step"`` and arrays; ``"param_groups"`` the options, with these indices under ``"params"``.
        """
        return saved_state.pack(self)

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore options and state from a `state_dict`, also PyTorch's; after any error, nothing has changed."""
        loaded, states = saved_state.unpack(self, state_dict, saved_state.check_state)
        self.param_groups[:] = loaded
        self._states, self._vectors = states, fast.Vectors()

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes for a copy or a pickle, which gets vectors of its own."""
        states = {p: saved_state.copy_state(state) for p, state in self._all_states().items()}
        return {**vars(self), "_states": states, "_vectors": fast.Vectors()}

    def __repr__(self) -> str:
        return parameter_groups.describe_groups(self.param_groups, type(self).__name__)
