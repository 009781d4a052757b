"""Where the parameters of all groups stand, and what is remembered of those that stand in no vector yet."""

import numpy as np

from dark.optim.flat import flats


class Store:
    """The vectors of an optimiser, made when they are first needed, and made anew when groups or types change.

    Parameters
    ----------
    states : dict of Parameter to dict
        What is remembered from before.
    """

    def __init__(self, states):
        self._parked = dict(states)
        self._built: list = []  # of each group its parameters, and the vectors they stand in

    def vectors(self, groups, memories):
        """List each group with the vectors of its parameters.

        Parameters
        ----------
        groups : list of dict
        memories : callable
            Names for a group what is remembered of each number, and what it is at first.

        Returns
        -------
        list of tuple of (dict, list of Flat)

        Raises
        ------
        ShapeError
            If a parameter that has moved has got another shape since.
        """
        is_up_to_date = len(self._built) == len(groups)
        for (members, _), group in zip(self._built, groups):
            is_up_to_date = is_up_to_date and members is group["params"]
        if not is_up_to_date:
            self._build(groups, memories)
        return [(group, vectors) for group, (_, vectors) in zip(groups, self._built)]

    def _build(self, groups, memories):
        self.park()
        for group in groups:
            vectors = flats(group["params"])
            for flat in vectors:
                flat.restore(self._parked, memories(group))
            self._built.append((group["params"], vectors))
        self._parked = {}

    def park(self):
        """Take what is remembered out of the vectors, and let these go."""
        self._parked, self._built = self.states(), []

    def states(self):
        """Return the steps of each parameter that has moved, and what is remembered of it, in its shape."""
        states = dict(self._parked)
        for _, vectors in self._built:
            for flat in vectors:
                states.update(flat.states())
        return states

    def copied(self):
        """Return a store that shares no memory with this one."""
        return Store({p: copied(state) for p, state in self.states().items()})


def copied(state):
    """Copy what is remembered of one parameter."""
    return {name: np.array(v) if isinstance(v, np.ndarray) else v for name, v in state.items()}
