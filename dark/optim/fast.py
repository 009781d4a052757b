"""Steps of many parameters at once: a group's parameters of one dtype are one vector, their values views of it.

A step then costs a few NumPy calls for all of them together, and computes the same bits as `Optimizer` does for each.
With the environment variable ``DARK_FAST=0``, which is read once, on import, nothing here is used.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from dark.nodes import Parameter
from dark.nodes.fast import ENABLED as ENABLED
from dark.nodes.grad_mode import versions
from dark.optim.parameter_groups import wrong_shape
from dark.optim.parameters import gradient_array
from dark.typing import State, Value

if TYPE_CHECKING:
    from dark.optim.optimizer import Optimizer

Given: TypeAlias = Mapping[Parameter, np.ndarray] | None  # arrays to use instead of the gradients
FLOAT64 = np.dtype(float)
CHUNK_BYTES = 1 << 18  # a few vectors of this size stay in cache from one NumPy call to the next


class Vectors:
    """The parameter vectors of an optimizer: built on first use, and again when groups, dtypes or shapes change."""

    def __init__(self) -> None:
        self._members: list[tuple[Parameter, ...]] = []  # the parameters of each group
        self._vectors: list[tuple[int, ParameterVector]] = []  # with the index of the group

    def update(self, optimizer: Optimizer, given: Given = None) -> None:
        """Update the parameters of an optimizer; what can fail is done before the first one changes."""
        is_current = len(self._members) == len(optimizer.param_groups)
        for group, members in zip(optimizer.param_groups, self._members):
            is_current = is_current and group["params"] is members
        found = [vector.collect(given) for _, vector in self._vectors] if is_current else [None]
        if None in found:  # or a dtype or a shape has changed
            self._build(optimizer)
            found = [vector.collect(given) for _, vector in self._vectors]
        for (i, vector), gradients in zip(self._vectors, found):
            if gradients:
                vector.update(optimizer, optimizer.param_groups[i], gradients)

    def _build(self, optimizer: Optimizer) -> None:
        """Concatenate the parameters of each group: a vector for each dtype, and each type of single numbers."""
        optimizer._states.update(self.states())
        self._members, self._vectors, built = [], [], []
        for i, group in enumerate(optimizer.param_groups):
            for kind in dict.fromkeys(_kind(p._value) for p in group["params"]):
                vector = ParameterVector([p for p in group["params"] if _kind(p._value) == kind], kind)
                vector.restore(optimizer._states, optimizer.initial_state(group), optimizer.initial_numbers)
                built.append((i, vector))
        self._members, self._vectors = [group["params"] for group in optimizer.param_groups], built
        optimizer._states.clear()

    def states(self) -> dict[Parameter, State]:
        """Return the state of each parameter that has been updated, as views in its shape."""
        return {p: state for _, vector in self._vectors for p, state in vector.states().items()}


def _kind(value: Value) -> tuple[np.dtype[Any], type[Any]]:
    """Return the properties that a vector's parameters share: the dtype, and `np.ndarray` or the type of a number."""
    return getattr(value, "dtype", FLOAT64), np.ndarray if isinstance(value, np.ndarray) else type(value)


@dataclass(slots=True)
class Segment:
    """Adjacent parameters of a vector that are updated by the same calls: they have taken the same steps."""

    span: slice  # in the vector
    gradients: slice  # in the list of collected gradients
    first: int  # the index of its first parameter
    numbers: dict[str, float]  # what the optimizer keeps for each parameter besides arrays, equal for all of them
    buffers: list[np.ndarray] = field(default_factory=list)  # views of a joint gradient, shaped like the parameters
    chunks: dict[tuple[str, ...], list[Any]] = field(default_factory=dict)  # by the names of the state


class ParameterVector:
    """Parameters of one dtype in one vector, the small ones first, with the optimizer's state for each element.

    A value that is not the view of this vector any more, since it was set, is copied into it at the next step.
    """

    def __init__(self, parameters: list[Parameter], kind: tuple[np.dtype[Any], type[Any]]) -> None:
        self.kind = self.dtype, self.number_type = kind
        self.chunk = max(1, CHUNK_BYTES // self.dtype.itemsize)
        self.parameters = sorted(parameters, key=lambda p: np.size(p._value) >= self.chunk)
        self.shapes = [np.shape(p._value) for p in self.parameters]
        self._members = [*zip(range(len(parameters)), self.parameters, self.shapes)]
        ends = [0, *accumulate(map(math.prod, self.shapes))]
        self.slices = [*map(slice, ends, ends[1:])]
        self.values = np.empty(ends[-1], self.dtype)
        self.scratch = [np.empty(min(ends[-1], self.chunk), self.dtype) for _ in range(3)]
        self.state: dict[str, np.ndarray] = {}
        self.steps = [0] * len(parameters)  # that each parameter has taken
        self.numbers: list[dict[str, float]] = [{} for _ in parameters]
        self.segments: list[Segment] = []  # of the parameters that were updated last
        self._active: list[int] = []  # the indices of these parameters
        self._current: list[Any] = [None] * len(parameters)  # the value of each node as set here

    def _copy_in(self, k: int) -> bool:
        """Copy a value into the vector and make the node's value a view of it; return False if its kind changed."""
        p, where = self.parameters[k], self.slices[k]
        value = p._value
        if _kind(value) != self.kind or np.shape(value) != self.shapes[k]:
            return False
        self.values[where] = np.reshape(value, -1)
        if self.number_type is np.ndarray:
            p._value = value = self.values[where].reshape(self.shapes[k])
        self._current[k] = value
        return True

    def collect(self, given: Given) -> list[np.ndarray] | None:
        """Return the gradients of the parameters to update; None if the dtype or shape of a value has changed."""
        active, gradients, kind, dtype = [], [], self.number_type, self.dtype
        is_array = kind is np.ndarray
        for k, p, shape in self._members:
            g = p._grad if given is None else given.get(p)
            if g is None or not p.requires_grad:
                continue
            if p._value is not self._current[k] and not self._copy_in(k):
                return None
            if type(g) is not kind or (is_array and (g.shape != shape or g.dtype is not dtype)):
                g = gradient_array(g, p, dtype)
            active.append(k)
            gradients.append(g)
        if active != self._active:  # else the steps within each segment have stayed equal
            self._active, self.segments = active, self._join(active)
        return gradients

    def _join(self, active: list[int]) -> list[Segment]:
        """Join adjacent parameters to segments of at most one chunk of elements; a larger parameter has its own."""
        segments: list[Segment] = []
        for i, k in enumerate(active):
            where, segment = self.slices[k], segments[-1] if segments else None
            if (
                segment is None
                or segment.span.stop != where.start
                or self.steps[segment.first] != self.steps[k]
                or segment.numbers != self.numbers[k]
                or where.stop - segment.span.start > self.chunk
            ):
                segments.append(segment := Segment(where, slice(i, i + 1), k, dict(self.numbers[k])))
            segment.span = slice(segment.span.start, where.stop)
            segment.gradients = slice(segment.gradients.start, i + 1)
            self.numbers[k] = segment.numbers
        for segment in segments:
            members = active[segment.gradients]
            if len(members) > 1 and self.number_type is np.ndarray:
                ends = [self.slices[k].stop - segment.span.start for k in members]
                parts = np.split(self.scratch[2][: ends[-1]], ends[:-1])
                segment.buffers = [part.reshape(self.shapes[k]) for k, part in zip(members, parts)]
        return segments

    def update(self, optimizer: Optimizer, group: dict[str, Any], gradients: list[np.ndarray]) -> None:
        """Update the parameters whose gradients `collect` returned, so that `backward` refuses older graphs."""
        initial_state, now = optimizer.initial_state(group), versions.advance()
        for k in self._active:
            p = self.parameters[k]
            p._version, p._seen = now, None
            if initial_state:
                self.steps[k] += 1
        decay, maximize = optimizer.decay(group), group.get("maximize")
        for segment in self.segments:
            step = self.steps[segment.first] or 1
            if segment.numbers:
                update = optimizer.make_update(group, step, **optimizer.advance(group, step, segment.numbers))
            else:
                update = optimizer.make_update(group, step)
            gathered = self._gather(segment, gradients)
            for where, w, states, a, b in self._chunks(segment, initial_state):
                g = gathered[where]
                if maximize:
                    g = np.negative(g, out=b)
                if decay:
                    g = np.add(g, np.multiply(w, float(decay), out=a), out=b)
                update(w, g, a, *states)
        if self.number_type is not np.ndarray:
            for k in self._active:
                self._current[k] = self.parameters[k]._value = self.number_type(self.values[k])

    def _gather(self, segment: Segment, gradients: list[np.ndarray]) -> np.ndarray:
        """Concatenate the gradients of a segment; the result is read-only, for a single array it is that array."""
        own = gradients[segment.gradients]
        if self.number_type is not np.ndarray:
            return np.array(own, self.dtype)
        for buffer, g in zip(segment.buffers, own):
            buffer[...] = g
        return self.scratch[2] if segment.buffers else own[0].reshape(-1)

    def _chunks(self, segment: Segment, initial_state: State) -> list[Any]:
        """Split a segment into chunks that stay in cache: position, values, states, and two scratch arrays of each."""
        names = tuple(initial_state)
        if names not in segment.chunks:
            begin, end = segment.span.start, segment.span.stop
            states = [self._state_vector(name, start) for name, start in initial_state.items()]
            segment.chunks[names] = []
            for start in range(begin, end, self.chunk):
                stop = min(start + self.chunk, end)
                where, within = slice(start, stop), slice(start - begin, stop - begin)
                a, b, _ = (scratch[: stop - start] for scratch in self.scratch)
                segment.chunks[names].append((within, self.values[where], [s[where] for s in states], a, b))
        return segment.chunks[names]

    def _state_vector(self, name: str, start: float) -> np.ndarray:
        """Return the state of a name for all elements, created with the value `start` on first use."""
        if name not in self.state:
            self.state[name] = np.full(len(self.values), start, self.dtype)
        return self.state[name]

    def states(self) -> dict[Parameter, State]:
        """Return the state of each parameter that has been updated, as views in its shape."""
        found = {}
        for k, p, shape in self._members:
            if self.steps[k]:
                arrays = {name: whole[self.slices[k]].reshape(shape) for name, whole in self.state.items()}
                found[p] = {"step": self.steps[k], **self.numbers[k], **arrays}
        return found

    def restore(self, states: Mapping[Parameter, State], initial_state: State, initial_numbers: Any) -> None:
        """Copy the states of parameters into this vector; raise a ShapeError if the shape of one has changed."""
        for k, p, shape in self._members:
            state = dict(states.get(p, {}))
            self.steps[k] = state.pop("step", 0)
            self.numbers[k] = {name: state.pop(name, start) for name, start in initial_numbers.items()}
            for name, array in state.items():
                if array.shape != shape:
                    raise wrong_shape(p, name, array)
                self._state_vector(name, initial_state.get(name, 0.0))[self.slices[k]] = array.reshape(-1)
