"""What all optimisers share: groups of parameters, a step through them, and what is remembered between steps."""

from abc import ABC, abstractmethod

import numpy as np

from dark.optim import parameter_groups
from dark.optim import state_dict as saved_state
from dark.optim.options import check_at_least_0
from dark.optim.parameter_vector import forget_gradients
from dark.optim.vector_store import Store


class Optimizer(ABC):
    """Moves parameters along their gradients.

    A parameter that is frozen, or has no gradient, is skipped and keeps what is remembered of it. The
    values are changed in place: an array taken from ``p.value`` changes with the steps, as in
    PyTorch; copy it to keep it. A value that was set between two steps is taken up.

    Parameters
    ----------
    params : iterable of Parameter, of pairs (name, Parameter), or of dict
        What is to be trained. A dictionary is a group: parameters under ``"params"`` (a single one is
        allowed there), beside it the options in which they differ from the rest.
    defaults : dict
        Options for the groups that do not give their own.

    Attributes
    ----------
    param_groups : list of dict
        The groups with all their options, which may be set between steps.
    defaults : dict
    state : dict of Parameter to dict
        What is remembered of each parameter that has moved.

    Raises
    ------
    UsageError
        If there is nothing to train, a parameter comes twice, something is no Parameter, or an option
        has no sensible value.

    Notes
    -----
    A new optimiser says in `initial_state` what it state_names of each number, and gives in `make_update` the
    function that moves a chunk of the vector in which all parameters of a type stand side by side.

    Examples
    --------
    >>> import dark
    >>> class Signs(Optimizer):
    ...     '''Goes a fixed way for every sign of a gradient.'''
    ...     def __init__(self, params, lr=0.1):
    ...         super().__init__(params, {"lr": lr})
    ...     def make_update(self, group, step):
    ...         def update(w, g, a):
    ...             np.multiply(np.sign(g), group["lr"], out=a)
    ...             np.subtract(w, a, out=w)
    ...         return update
    >>> x = dark.Parameter(3.0)
    >>> optimizer = Signs([x], lr=0.5)
    >>> (x**2).backward()
    >>> optimizer.step()
    >>> x.value
    2.5
    """

    state_names: tuple = ()  # all names that `initial_state` can give
    counts_steps = True  # whether `step` is part of the saved state, as in PyTorch

    def __init__(self, params, defaults):
        self.defaults = dict(defaults)
        self.param_groups = []
        self._store = Store({})
        who = type(self).__name__
        for group in parameter_groups.as_groups(params, who):
            self.add_param_group(group)
        parameter_groups.refuse_nothing_to_train(self.param_groups, who)

    @abstractmethod
    def make_update(self, group, step):
        """Return the function that moves one chunk of the parameters of a group.

        Parameters
        ----------
        group : dict
            The options.
        step : int
            Which step of these parameters this is, counted from 1.

        Returns
        -------
        callable
            Called as ``update(w, g, a, *initial_state)`` with arrays of shape ``(m,)``: the values, to be
            changed in place; the gradient, weight decay included, only to be read; room for
            intermediate results; and what is remembered, to be changed in place.
        """

    def initial_state(self, group):
        """Name what is remembered of each number, and what it is before the first step.

        Returns
        -------
        dict of str to float
        """
        return {}

    def check(self, group):
        """Refuse options of a group that make no sense; an optimiser with more of them overrides it."""
        if "lr" in group:
            check_at_least_0(type(self).__name__, group, "lr")

    def decay(self, group):
        """Return the factor of the values that is added to the gradients."""
        return group.get("weight_decay", 0)

    def add_param_group(self, param_group):
        """Take in more parameters, with options of their own.

        Parameters
        ----------
        param_group : dict
            Parameters under ``"params"``, and options.

        Raises
        ------
        UsageError
            If the group breaks the rules that hold for the constructor.
        """
        who = type(self).__name__
        group = parameter_groups.as_group(param_group, who, self.defaults)
        parameter_groups.refuse_what_cannot_join(group, self.param_groups, who)
        self.check(group)
        self.param_groups.append(group)

    def step(self, closure=None):
        """Move every parameter that has a gradient and is not frozen.

        Parameters
        ----------
        closure : callable, optional
            Called first, to compute loss and gradients anew.

        Returns
        -------
        Node or None
            What `closure` returned.

        Raises
        ------
        ShapeError
            If a gradient has not the shape of its parameter; no parameter has moved then.
        """
        loss = None if closure is None else closure()
        for group, vector, gradients in self._collected():
            initial_state = self.initial_state(group)
            is_plain = not (self.decay(group) or group.get("maximize"))
            vector.begin(counts=bool(initial_state))
            for segment in vector.segments:
                update = self.make_update(group, vector.steps[segment.leader] or 1)
                g = vector.gathered(segment, gradients)
                for place, w, remembered, scratch in vector.chunks(segment, initial_state):
                    slope = g[place] if is_plain else self._slope(group, w, g[place], scratch)
                    update(w, slope, scratch[0], *remembered)
            vector.finish()
        return loss

    def _slope(self, group, w, g, scratch):
        """Return the gradient with weight decay, or with its sign changed if the way is up."""
        a, b = scratch
        if group.get("maximize"):
            g = np.negative(g, out=b)
        if self.decay(group):
            np.multiply(w, float(self.decay(group)), out=a)
            g = np.add(g, a, out=b)
        return g

    def _collected(self):
        """List group, vector and gradients for all that is to move; everything that can fail is done by then."""
        work = []
        for i, vector in self._store.vectors(self.param_groups, self.initial_state):
            gradients = vector.collect()
            if gradients is None:  # a value has got another type: sort the parameters anew
                self._store.detach_state()
                return self._collected()
            if gradients:
                work.append((self.param_groups[i], vector, gradients))
        return work

    @property
    def state(self):
        """What is remembered of each parameter that has moved: its steps, and arrays in its shape."""
        return self._store.states()

    def zero_grad(self, set_to_none=True):
        """Forget the gradients of all parameters.

        Parameters
        ----------
        set_to_none : bool, default True
            False makes them 0 instead: such parameters still move, by what is remembered of them.
        """
        for group in self.param_groups:
            if set_to_none:
                forget_gradients(group["params"])
            else:
                for p in group["params"]:
                    p.zero_grad()

    def state_dict(self):
        """Return options and state as plain data, a copy that later steps leave alone.

        Returns
        -------
        dict
            ``"state"``: for each parameter that has moved, by its number in the order of the groups,
            a dictionary of ``"step"`` and arrays; ``"param_groups"``: the options, with the numbers of
            the parameters under ``"params"``. Names and shapes are PyTorch's.
        """
        return saved_state.pack(self)

    def load_state_dict(self, state_dict):
        """Go on from a saved state, one of PyTorch's included.

        Parameters
        ----------
        state_dict : dict
            As `state_dict` gives it.

        Raises
        ------
        UsageError, ShapeError
            If it belongs to other groups, shapes or kinds of optimiser; nothing has changed then.
        """
        loaded, states = saved_state.unpack(self, state_dict)
        self.param_groups[:] = loaded
        self._store = Store(states)

    def __getstate__(self):
        """Copies and pickles keep what is remembered; their parameters come to stand in vectors of their own."""
        return {**vars(self), "_store": self._store.copied()}

    def __repr__(self):
        lines = [f"{type(self).__name__}("]
        for i, group in enumerate(self.param_groups):
            n = len(group["params"])
            options = ", ".join(f"{name}={v}" for name, v in group.items() if name not in ("params", "param_names"))
            numbers = sum(p.size for p in group["params"])
            lines.append(f"  group {i}: {n} parameter{'s' * (n != 1)}, {numbers:,} numbers; {options}")
        return "\n".join([*lines, ")"])
