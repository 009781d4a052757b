"""Where the parameters of all groups stand, and what is remembered of those that stand in no vector yet."""

import numpy as np

from dark.optim.parameter_vector import parameter_vectors


class Store:
    """The vectors of an optimiser, made when they are first needed, and made anew when groups or types change.

    Parameters
    ----------
    states : dict of Parameter to dict
        What is remembered from before.
    """

    def __init__(self, states):
        self._detached = dict(states)
        self._members: list = []  # of each group its parameters
        self._vectors: list = []  # the number of a group, and a vector in which some of its parameters stand

    def vectors(self, groups, initial_state):
        """List the vectors in which the parameters stand, each with the number of its group.

        Parameters
        ----------
        groups : list of dict
        initial_state : callable
            Names for a group what is remembered of each number, and what it is at first.

        Returns
        -------
        list of tuple of (int, ParameterVector)

        Raises
        ------
        ShapeError
            If a parameter that has moved has got another shape since.
        """
        is_up_to_date = len(self._members) == len(groups)
        for group, members in zip(groups, self._members):
            is_up_to_date = is_up_to_date and group["params"] is members
        if not is_up_to_date:
            self._build(groups, initial_state)
        return self._vectors

    def _build(self, groups, initial_state):
        self.detach_state()
        built = []
        for i, group in enumerate(groups):
            for vector in parameter_vectors(group["params"]):
                vector.restore(self._detached, initial_state(group))
                built.append((i, vector))
        self._members, self._vectors, self._detached = [group["params"] for group in groups], built, {}

    def detach_state(self):
        """Take what is remembered out of the vectors, and let these go."""
        self._detached, self._members, self._vectors = self.states(), [], []

    def states(self):
        """Return the steps of each parameter that has moved, and what is remembered of it, in its shape."""
        states = dict(self._detached)
        for _, vector in self._vectors:
            states.update(vector.states())
        return states

    def copied(self):
        """Return a store that shares no memory with this one."""
        return Store({p: copied(state) for p, state in self.states().items()})


def copied(state):
    """Copy what is remembered of one parameter."""
    return {name: np.array(v) if isinstance(v, np.ndarray) else v for name, v in state.items()}
