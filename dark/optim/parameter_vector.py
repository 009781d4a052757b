"""All parameters of a group that have one dtype, concatenated into one vector of which each value is a view.

An optimization step then costs a few NumPy calls for all of them together. This is the only file of
`dark.optim` that accesses private fields of nodes: `_value`, `_grad` and `_version`.
"""

import math

import numpy as np

from dark.nodes.grad_mode import versions
from dark.nodes.values import shape_of
from dark.optim.gradients import gradient_array
from dark.optim.parameter_groups import wrong_shape
from dark.optim.segments import join_segments

CHUNK_BYTES = 1 << 18  # a few vectors of this size stay in cache from one NumPy call to the next


def parameter_vectors(parameters):
    """Concatenate parameters into vectors: one for each dtype of arrays, one for each type of single numbers."""
    kinds: dict = {}
    for p in parameters:
        kinds.setdefault(_kind(p._value), []).append(p)
    return [ParameterVector(members, kind) for kind, members in kinds.items()]


def clear_gradients(parameters):
    """Set the gradients of parameters to None."""
    for p in parameters:
        p._grad = None


def _kind(value):
    """Return what a vector's parameters have in common: the dtype, and `np.ndarray` or the type of a number."""
    if isinstance(value, np.ndarray):
        return value.dtype, np.ndarray
    return getattr(value, "dtype", np.dtype(float)), type(value)


class ParameterVector:
    """Parameters of one kind in one vector, with the optimizer's state for each element.

    The value of a parameter may be set at any time, and another optimizer may update it: a value that is not
    the view of this vector any more is detected at the next step, and copied into the vector.

    Parameters
    ----------
    parameters : list of Parameter
        All of one kind; they are reordered, the small ones first, so that these are adjacent.
    kind : tuple of (dtype, type)
        The dtype; and `np.ndarray`, or the type of single numbers.

    Attributes
    ----------
    values : array of shape (n,)
        The elements of all parameters.
    state : dict of str to array of shape (n,)
        The state of each element, such as the running average of its gradient.
    steps : list of int
        The number of steps each parameter has taken.
    numbers : list of dict of str to float
        What else the optimizer keeps for each parameter, besides arrays.
    """

    def __init__(self, parameters, kind):
        self.kind = kind
        self.dtype, self.number_type = kind
        self.chunk = max(1, CHUNK_BYTES // self.dtype.itemsize)
        self.parameters = sorted(parameters, key=lambda p: p.size >= self.chunk)
        self.shapes = [p.shape for p in self.parameters]
        self._members = [*zip(range(len(parameters)), self.parameters, self.shapes)]
        self.slices, end = [], 0
        for shape in self.shapes:
            self.slices.append(slice(end, end + math.prod(shape)))
            end = self.slices[-1].stop
        self.values = np.empty(end, self.dtype)
        self.scratch = [np.empty(min(end, self.chunk), self.dtype) for _ in range(3)]
        self.state: dict = {}
        self.steps = [0] * len(parameters)
        self.numbers: list = [{} for _ in parameters]
        self.segments: list = []  # of the parameters that were updated last
        self._active: list = []  # the indices of these parameters
        self._current: list = [None] * len(parameters)  # the value of each node as set here
        for k in range(len(parameters)):
            self._copy_in(k)

    def _copy_in(self, k):
        """Copy a value into the vector and make the node's value a view of it; return False if its kind changed."""
        p, where = self.parameters[k], self.slices[k]
        value = p._value
        if _kind(value) != self.kind or shape_of(value) != self.shapes[k]:
            return False
        if self.number_type is np.ndarray:
            view = self.values[where].reshape(self.shapes[k])
            view[...] = value
            p._value = value = view
        else:
            self.values[where] = value
        self._current[k] = value
        return True

    def collect(self, given=None):
        """Return the gradients of all parameters that have one and require it; no parameter changes yet.

        Parameters
        ----------
        given : dict of Parameter to array, optional
            Arrays to use instead of the gradients.

        Returns
        -------
        list of array, or None
            None if the dtype or the shape of a value has changed.

        Raises
        ------
        ShapeError
            If the shape of a gradient differs from that of its parameter.
        """
        active, gradients = [], []
        for k, p, shape in self._members:
            g = p._grad if given is None else given.get(p)
            if g is None or not p.requires_grad:
                continue
            if p._value is not self._current[k] and not self._copy_in(k):
                return None
            if type(g) is not np.ndarray or g.shape != shape or g.dtype is not self.dtype:
                g = gradient_array(g, p, self.dtype)
            active.append(k)
            gradients.append(g)
        if active != self._active:  # else the steps within each segment have stayed equal
            self._active, self.segments = active, self._segments(active)
        return gradients

    def _segments(self, active):
        """Join parameters to segments, and create the buffers for their gradients."""
        segments = join_segments(active, self.slices, self.steps, self.numbers, self.chunk)
        for segment in segments:
            members, start = active[segment.gradients], segment.span.start
            if len(members) > 1 and self.number_type is np.ndarray:
                within = [slice(self.slices[k].start - start, self.slices[k].stop - start) for k in members]
                segment.gradient_buffers = [self.scratch[2][w].reshape(self.shapes[k]) for k, w in zip(members, within)]
        return segments

    def mark_changed(self, counts):
        """Mark the values as changed, so that `backward` refuses older graphs; count the steps if `counts`."""
        now = versions.advance()
        for k in self._active:
            self.parameters[k]._version = now
            self.steps[k] += counts

    def chunks(self, segment, initial_state):
        """Split a segment into chunks that stay in cache.

        Parameters
        ----------
        segment : Segment
        initial_state : dict of str to float
            The names of the state of each element, with its value before the first step.

        Returns
        -------
        list of tuple of (slice, array, list of array, pair of array)
            The position of the chunk in the segment; its values and states, of shape (m,), to be updated in
            place; and scratch arrays.
        """
        names = tuple(initial_state)
        if names not in segment.chunks:
            states = [self.state_vector(name, start) for name, start in initial_state.items()]
            a, b, _ = self.scratch
            segment.chunks[names] = []
            for start in range(segment.span.start, segment.span.stop, self.chunk):
                stop = min(start + self.chunk, segment.span.stop)
                where, n = slice(start, stop), stop - start
                within = slice(start - segment.span.start, stop - segment.span.start)
                chunk = within, self.values[where], [s[where] for s in states], (a[:n], b[:n])
                segment.chunks[names].append(chunk)
        return segment.chunks[names]

    def gather_gradients(self, segment, gradients):
        """Concatenate the gradients of a segment; the result is read-only, for a single array it is that array."""
        own = gradients[segment.gradients]
        if self.number_type is not np.ndarray:
            return np.array(own, self.dtype)
        if not segment.gradient_buffers:
            return own[0].reshape(-1)
        for buffer, g in zip(segment.gradient_buffers, own):
            buffer[...] = g
        return self.scratch[2][: segment.span.stop - segment.span.start]

    def write_back(self):
        """Set the values of nodes that hold single numbers; arrays are views of the vector already."""
        if self.number_type is not np.ndarray:
            for k in self._active:
                self._current[k] = self.parameters[k]._value = self.number_type(self.values[k])

    def state_vector(self, name, start=0.0):
        """Return the state of a name for all elements, created with the value `start` on first use."""
        if name not in self.state:
            self.state[name] = np.full(len(self.values), start, self.dtype)
        return self.state[name]

    def states(self):
        """Return the number of steps and the state of each parameter that has been updated, as views in its shape."""
        return {
            p: {"step": step, **numbers, **{name: s[where].reshape(shape) for name, s in self.state.items()}}
            for p, step, numbers, where, shape in zip(
                self.parameters, self.steps, self.numbers, self.slices, self.shapes
            )
            if step
        }

    def restore(self, states, initial_state, initial_numbers):
        """Copy the states of parameters into this vector.

        Parameters
        ----------
        states : dict of Parameter to dict
        initial_state : dict of str to float
            The value of each state for parameters that are not in `states`.
        initial_numbers : dict of str to float
            The same of the numbers kept for each parameter.

        Raises
        ------
        ShapeError
            If the shape of a parameter has changed.
        """
        for k, p in enumerate(self.parameters):
            state = dict(states.get(p, {}))
            self.steps[k] = state.pop("step", 0)
            self.numbers[k] = {name: state.pop(name, start) for name, start in initial_numbers.items()}
            for name, array in state.items():
                if array.shape != self.shapes[k]:
                    raise wrong_shape(p, name, array)
                self.state_vector(name, initial_state.get(name, 0.0))[self.slices[k]] = array.reshape(-1)
