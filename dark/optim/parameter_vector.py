"""All parameters of a group that have one type, side by side in one vector of which each value is a view.

A step then costs a few NumPy calls for all of them together. This is the only file of `dark.optim`
that touches the private fields of a node.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from dark.errors import ShapeError
from dark.nodes import value_of
from dark.nodes.mode import clock
from dark.nodes.values import shape_of

CHUNK_BYTES = 1 << 18  # a few vectors of so many bytes stay in cache from one pass to the next


@dataclass(slots=True)
class Segment:
    """Neighbours in the vector that move, and have taken equally many steps."""

    place: slice  # in the vector
    moving: slice  # among the parameters that move
    leader: int  # the number of its first parameter
    gradient_buffers: list = field(
        default_factory=list
    )  # for the gradients of several arrays, side by side as the values are
    chunks: dict = field(default_factory=dict)  # of names of initial_state to what `ParameterVector.chunks` returns


def parameter_vectors(parameters):
    """Put parameters into vectors: one for each type of array, one for each type of number.

    Parameters
    ----------
    parameters : sequence of Parameter

    Returns
    -------
    list of ParameterVector
    """
    kinds: dict = {}
    for p in parameters:
        kinds.setdefault(_kind(p._value), []).append(p)
    return [ParameterVector(members, kind) for kind, members in kinds.items()]


def forget_gradients(parameters):
    """Set the gradients of parameters to None."""
    for p in parameters:
        p._grad = None


def _kind(value):
    """Say what vector a value belongs to: the type of the numbers, and of a single number its class."""
    if isinstance(value, np.ndarray):
        return value.dtype, np.ndarray
    return getattr(value, "dtype", np.dtype(float)), type(value)


class ParameterVector:
    """Parameters of one type in one vector, with what an optimiser state_names of each number beside it.

    The user stays free to set the value of a parameter, or to give it to another optimiser: a value
    that is no longer the one put there is noticed at the next step, and taken in again.

    Parameters
    ----------
    parameters : list of Parameter
        All of one kind; the small ones come to stand first, so that they are neighbours.
    kind : tuple of (dtype, type)
        The type of the numbers; and `np.ndarray`, or the class of single numbers.

    Attributes
    ----------
    values : array of shape (n,)
        All numbers of all parameters.
    initial_state : dict of str to array of shape (n,)
        What is remembered of each number, such as the mean of its gradients.
    steps : list of int
        How many steps each parameter has taken.
    """

    def __init__(self, parameters, kind):
        self.kind = kind
        self.dtype, self.number = kind
        self.chunk = max(1, CHUNK_BYTES // self.dtype.itemsize)
        self.parameters = sorted(parameters, key=lambda p: p.size >= self.chunk)
        self.shapes = [p.shape for p in self.parameters]
        self.places, end = [], 0
        for shape in self.shapes:
            self.places.append(slice(end, end + math.prod(shape)))
            end = self.places[-1].stop
        self.values = np.empty(end, self.dtype)
        self.scratch = [np.empty(min(end, self.chunk), self.dtype) for _ in range(3)]
        self.initial_state: dict = {}
        self.steps = [0] * len(parameters)
        self.segments: list = []  # of those that moved last
        self._moving: list = []
        self._shown: list = [None] * len(parameters)  # what stands in each node
        for k in range(len(parameters)):
            self._take_in(k)

    def _take_in(self, k):
        """Copy a value into the vector and put the view of it into the node; False if it has another kind by now."""
        p, place = self.parameters[k], self.places[k]
        value = p._value
        if _kind(value) != self.kind or shape_of(value) != self.shapes[k]:
            return False
        if self.number is np.ndarray:
            view = self.values[place].reshape(self.shapes[k])
            view[...] = value
            p._value = value = view
        else:
            self.values[place] = value
        self._shown[k] = value
        return True

    def collect(self):
        """List the gradients of the parameters that have one and are not frozen; nothing moves yet.

        Returns
        -------
        list of array, or None
            None if a value has got another type or shape than the vector was made for.

        Raises
        ------
        ShapeError
            If a gradient has not the shape of its parameter.
        """
        moving, gradients = [], []
        for k, (p, shape) in enumerate(zip(self.parameters, self.shapes)):
            g = p._grad
            if g is None or not p.requires_grad:
                continue
            if p._value is not self._shown[k] and not self._take_in(k):
                return None
            if type(g) is not np.ndarray or g.shape != shape or g.dtype is not self.dtype:
                g = self._fitted(g, k)
            moving.append(k)
            gradients.append(g)
        if moving != self._moving:  # else the steps of each segment have stayed equal
            self._moving, self.segments = moving, self._joined(moving)
        return gradients

    def _joined(self, moving):
        """Join parameters to segments; a segment holds at most a chunk of numbers, or one large parameter."""
        segments: list = []
        for i, k in enumerate(moving):
            place, segment = self.places[k], segments[-1] if segments else None
            if (
                segment is None
                or segment.place.stop != place.start
                or self.steps[segment.leader] != self.steps[k]
                or place.stop - segment.place.start > self.chunk
            ):
                segments.append(Segment(place, slice(i, i + 1), k))
            else:
                segment.place, segment.moving = (
                    slice(segment.place.start, place.stop),
                    slice(segment.moving.start, i + 1),
                )
        for segment in segments:
            members, start = moving[segment.moving], segment.place.start
            if len(members) > 1 and self.number is np.ndarray:
                within = [slice(self.places[k].start - start, self.places[k].stop - start) for k in members]
                segment.gradient_buffers = [
                    self.scratch[2][place].reshape(self.shapes[k]) for k, place in zip(members, within)
                ]
        return segments

    def _fitted(self, g, k):
        """Return a gradient, which may be a node or one number for all, in type and shape of its parameter."""
        g, shape = value_of(g), self.shapes[k]
        if type(g) is float and not shape:
            return g
        if shape_of(g) not in ((), shape):
            raise ShapeError(
                f"step: {self.parameters[k]} has a gradient of shape {shape_of(g)}, its value has {shape}.",
                "two equal shapes.",
                "p.grad = None after giving it another value, and let backward() make the gradient.",
            )
        return np.broadcast_to(np.asarray(g, self.dtype), shape)

    def begin(self, counts):
        """Mark the values that move as changed: graphs computed from the old ones are refused from here on.

        The step of each parameter is counted if `counts`.
        """
        now = clock.tick()
        for k in self._moving:
            self.parameters[k]._stamp = now
            self.steps[k] += counts

    def chunks(self, segment, initial_state):
        """Cut a segment into chunks that stay in cache.

        Parameters
        ----------
        segment : Segment
        initial_state : dict of str to float
            Names of what is remembered of each number, and what it is at first.

        Returns
        -------
        list of tuple of (slice, array, list of array, pair of array)
            Where the chunk is in the segment; its values and what is remembered of them, of shape (m,), to be
            changed; and room for intermediate results.
        """
        names = tuple(initial_state)
        if names not in segment.chunks:
            remembered = [self.memory(name, start) for name, start in initial_state.items()]
            a, b, _ = self.scratch
            segment.chunks[names] = []
            for start in range(segment.place.start, segment.place.stop, self.chunk):
                stop = min(start + self.chunk, segment.place.stop)
                place, n = slice(start, stop), stop - start
                within = slice(start - segment.place.start, stop - segment.place.start)
                chunk = within, self.values[place], [m[place] for m in remembered], (a[:n], b[:n])
                segment.chunks[names].append(chunk)
        return segment.chunks[names]

    def gathered(self, segment, gradients):
        """Join the gradients of a segment to one vector, which is only to be read; a single array serves as it is."""
        own = gradients[segment.moving]
        if self.number is not np.ndarray:
            return np.array(own, self.dtype)
        if not segment.gradient_buffers:
            return own[0].reshape(-1)
        for room, g in zip(segment.gradient_buffers, own):
            room[...] = g
        return self.scratch[2][: segment.place.stop - segment.place.start]

    def finish(self):
        """Give single numbers back to their nodes; arrays are there already."""
        if self.number is not np.ndarray:
            for k in self._moving:
                self._shown[k] = self.parameters[k]._value = self.number(self.values[k])

    def memory(self, name, start=0.0):
        """Return the vector of what is remembered under a name, made of `start` when first asked for."""
        if name not in self.initial_state:
            self.initial_state[name] = np.full(len(self.values), start, self.dtype)
        return self.initial_state[name]

    def states(self):
        """Return the step and what is remembered of each parameter that has moved, as views in its shape."""
        return {
            p: {"step": step, **{name: m[place].reshape(shape) for name, m in self.initial_state.items()}}
            for p, step, place, shape in zip(self.parameters, self.steps, self.places, self.shapes)
            if step
        }

    def restore(self, states, starts):
        """Take over what another vector remembered of some parameters.

        Parameters
        ----------
        states : dict of Parameter to dict
        starts : dict of str to float
            What the numbers of each memory begin with.

        Raises
        ------
        ShapeError
            If a parameter has got another shape since.
        """
        for k, p in enumerate(self.parameters):
            state = dict(states.get(p, {}))
            self.steps[k] = state.pop("step", 0)
            for name, array in state.items():
                if array.shape != self.shapes[k]:
                    raise wrong_shape(p, name, array)
                self.memory(name, starts.get(name, 0.0))[self.places[k]] = array.reshape(-1)


def wrong_shape(p, name, array):
    """Make the error for a memory that does not fit its parameter."""
    return ShapeError(
        f"{name} of {p} has shape {array.shape}, its value {p.shape}.",
        "the same shape.",
        "give the value its old shape, or make a new optimiser for the new one.",
    )
