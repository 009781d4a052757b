"""`SampleSet`: examples whose activations a monitor keeps, chosen by index or by a criterion."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from dark.checks import brief, callable_with, describe, integer
from dark.errors import IndexingError, ShapeError, UsageError, ValueTypeError
from dark.monitor.activations.forward_calls import ForwardCalls, axis_of_examples, number_of_examples
from dark.monitor.foreign.tensors import array_of, is_array, is_tensor
from dark.nodes import Constant, Node, value_of

CHUNK = 256  # examples in each call that computes the criterion
WHO = "register_samples"


class SampleSet:
    """Examples for one model, and which of them are exemplars.

    Arrays and nodes among the arguments of the model are cut along `axis`, which counts examples; others are passed as
    they are. The exemplars are `indices`; or, for a criterion, which returns a number for each example, the `num` with
    the largest; or the first `num`. `chosen` has the exemplars of the last run.
    """

    def __init__(
        self, model: Any, inputs: Sequence[Any], settings: dict[str, Any], axis: int,
        argument: Callable[[Any, Any], Any], *, targets: Any = None,
        indices: Sequence[int] | None = None, criterion: Callable[..., Any] | None = None, num: int = 1,
    ) -> None:  # fmt: skip
        self.model, self.axis, self._argument = model, axis, argument
        self.inputs, self.settings = list(map(_copied, inputs)), {k: _copied(v) for k, v in settings.items()}
        self.size = _number_of_examples([*self.inputs, *self.settings.values()], axis)
        self.targets = (
            targets.detach().clone() if is_tensor(targets) else None if targets is None else np.array(value_of(targets))
        )
        self.criterion, self.num = criterion, integer(num, WHO, "num", 1)
        if criterion is not None:
            callable_with(criterion, WHO, "criterion", ("output", "targets"))
            if indices is not None:
                advice = "num=10, criterion=…"
                raise UsageError(f"{WHO}: indices and a criterion cannot be given together.", "one of them.", advice)
        if self.targets is not None and (self.targets.shape or (1,))[0] != self.size:
            raise ShapeError(
                f"{WHO}: targets must have one entry for each of {self.size} examples, "
                f"got shape {tuple(self.targets.shape)}.",
                f"{self.size} targets, along the first axis.",
                "pass the targets of these inputs.",
            )
        self.indices = None if indices is None else [self._index(index) for index in indices]
        self.chosen: list[int] = []

    def _index(self, index):
        found = integer(index, WHO, "index")
        if not -self.size <= found < self.size:
            wanted = f"an index of one of {self.size} examples."
            raise IndexingError(f"{WHO}: index {found} is out of bounds.", wanted, "indices=[0].")
        return found % self.size

    def exemplars(self, calls: ForwardCalls) -> Iterator[dict[str, np.ndarray]]:
        """Run the model for each exemplar alone, in its present mode; yield the outputs that are kept, by name."""
        self.chosen = self._choose()
        for k in self.chosen:
            calls.begin()
            try:
                self._call(slice(k, k + 1))
            finally:
                calls.end()
            yield {name: self._without_axis(array) for name, (_, array) in calls.found.items()}

    def _choose(self):
        if self.indices is not None:
            return self.indices
        if self.criterion is None:
            return list(range(min(self.num, self.size)))
        found = [self._criterion(self.criterion, slice(k, k + CHUNK)) for k in range(0, self.size, CHUNK)]
        values = np.nan_to_num(np.concatenate(found), nan=np.inf, posinf=np.inf, neginf=-np.inf)
        return np.argsort(-values, kind="stable")[: self.num].tolist()

    def _criterion(self, criterion, rows):
        """Return the criterion of some examples, one number for each."""
        output = self._call(rows)
        count = len(range(*rows.indices(self.size)))
        targets = None if self.targets is None else self.targets[rows]
        found = criterion(output, targets)
        values = np.asarray(array_of(found) if is_tensor(found) else value_of(found), np.float64)
        if values.ndim == 0 or len(values) != count:
            raise ShapeError(
                f"{WHO}: the criterion must return one number for each of {count} examples, got shape {values.shape}.",
                "a number for each example.",
                'a loss with reduction="none".',
            )
        return values.reshape(count, -1).mean(axis=1)

    def _call(self, rows):
        inputs, settings = _cut_all(self.inputs, self.settings, rows, self.axis, self.size)
        placed = {name: self._argument(value, self.model) for name, value in settings.items()}
        return self.model(*(self._argument(value, self.model) for value in inputs), **placed)

    def _without_axis(self, array):
        """Return the output of a single example without the axis of examples."""
        axis = axis_of_examples(array.shape, self.axis, 1) if array.ndim else 0
        return np.squeeze(array, axis).copy() if array.ndim and array.shape[axis] == 1 else array.copy()

    def __repr__(self) -> str:
        return f"SampleSet({self.size} examples, exemplars {brief(self.chosen)})"


def _copied(value):
    """Return a copy of an array, and a node as a constant; anything else as it is."""
    if isinstance(value, Node):
        return Constant(np.array(value_of(value)))
    if is_tensor(value):
        return value.detach().clone()
    return value.copy() if isinstance(value, np.ndarray) else value


def _number_of_examples(arguments, axis):
    count = number_of_examples(arguments, axis)
    if not count:
        advice = "inputs as the model is called with; sample_axis=1 for sequences (time, batch, features)."
        raise UsageError(
            f"{WHO}: the inputs must have at least one example.", f"an array with examples along axis {axis}.", advice
        )
    return count


def _cut_all(args, settings, rows, axis, size):
    cut = [_cut(value, rows, axis, size) for value in args]
    return cut, {name: _cut(value, rows, axis, size) for name, value in settings.items()}


def _cut(value, rows, axis, size):
    """Return some of the examples of an argument, or the argument if it counts none."""
    if number_of_examples([value], axis) != size:
        return value
    index = (slice(None),) * axis + (rows,)
    return Constant(value_of(value)[index]) if isinstance(value, Node) else value[index]


def checked_inputs(inputs: Any) -> list[Any]:
    """Return the inputs of `register_samples` as a list of arguments."""
    if is_array(inputs):
        return [inputs]
    if isinstance(inputs, (tuple, list)) and inputs:
        return list(inputs)
    message = f"{WHO}: inputs must be an array or a tuple of arguments, got {describe(inputs)}."
    wanted = "an array whose first axis counts examples, or a tuple of the arguments of the model."
    raise ValueTypeError(message, wanted, "np.asarray(inputs).")


def first_examples(
    args: Sequence[Any], settings: dict[str, Any], axis: int, num: int
) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments of a call for its first examples."""
    size = _number_of_examples([*args, *settings.values()], axis)
    return _cut_all(args, settings, slice(0, num), axis, size)
