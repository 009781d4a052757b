"""The parameter vectors of an optimizer, and the state of parameters that are not in a vector yet."""

import numpy as np

from dark.optim.parameter_vector import parameter_vectors


class VectorStore:
    """The parameter vectors of all groups: built on first use, and again when groups, dtypes or shapes change.

    Parameters
    ----------
    states : dict of Parameter to dict
        The state of each parameter, from a checkpoint, for example.
    """

    def __init__(self, states):
        self._detached = dict(states)
        self._members: list = []  # the parameters of each group
        self._vectors: list = []  # pairs of the index of a group, and a vector of some of its parameters

    def vectors(self, groups, initial_state, initial_numbers):
        """Return all vectors, each with the index of its group.

        Parameters
        ----------
        groups : list of dict
        initial_state : callable
            Returns, for a group, the names of the state of each element, with its value before the first step.
        initial_numbers : dict of str to float
            The same of the numbers kept for each parameter.

        Returns
        -------
        list of tuple of (int, ParameterVector)

        Raises
        ------
        ShapeError
            If the shape of a parameter that has state has changed.
        """
        is_up_to_date = len(self._members) == len(groups)
        for group, members in zip(groups, self._members):
            is_up_to_date = is_up_to_date and group["params"] is members
        if not is_up_to_date:
            self._build(groups, initial_state, initial_numbers)
        return self._vectors

    def _build(self, groups, initial_state, initial_numbers):
        self.detach_state()
        built = []
        for i, group in enumerate(groups):
            for vector in parameter_vectors(group["params"]):
                vector.restore(self._detached, initial_state(group), initial_numbers)
                built.append((i, vector))
        self._members, self._vectors, self._detached = [group["params"] for group in groups], built, {}

    def detach_state(self):
        """Keep the states, and discard the vectors."""
        self._detached, self._members, self._vectors = self.states(), [], []

    def states(self):
        """Return the number of steps and the state of each parameter that has been updated, in its shape."""
        states = dict(self._detached)
        for _, vector in self._vectors:
            states.update(vector.states())
        return states

    def copy(self):
        """Return a store that shares no memory with this one."""
        return VectorStore({p: copy_state(state) for p, state in self.states().items()})


def copy_state(state):
    """Copy the state of one parameter."""
    return {name: np.array(v) if isinstance(v, np.ndarray) else v for name, v in state.items()}
