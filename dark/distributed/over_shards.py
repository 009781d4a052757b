"""Functions of the shards of a global batch: their results added up, in one flat buffer, or gathered."""

from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np

from dark.checks import brief, describe
from dark.distributed.shard_state import ShardState
from dark.errors import GradientError, ShapeError, ValueTypeError


@dataclass(frozen=True)
class Layout:
    """The shapes and dtypes of arrays, and the dtype of a flat buffer that holds them all.

    >>> layout = layout_of([np.ones((2, 2), np.float32), 0.5])
    >>> buffer = layout.pack([np.ones((2, 2)), 0.5])
    >>> buffer
    array([1. , 1. , 1. , 1. , 0.5], dtype=float32)
    >>> layout.unpack(buffer)[1]
    0.5
    """

    shapes: tuple
    dtypes: tuple
    dtype: np.dtype

    def zeros(self):
        """Return a buffer of zeros, for a shard without rows."""
        return np.zeros(sum(map(_size, self.shapes)), self.dtype)

    def pack(self, arrays):
        """Concatenate arrays of the layout's shapes to a new buffer."""
        shapes = tuple(map(np.shape, arrays))
        if shapes != self.shapes:
            raise ShapeError(
                f"sum_over_shards: the arrays of all shards must have the same shapes, got {list(shapes)} "
                f"after {list(self.shapes)}.",
                "arrays of the same shapes for each shard, whatever its number of rows.",
                "return gradients, sums and counts, not predictions.",
            )
        return np.concatenate([np.ravel(array) for array in arrays], dtype=self.dtype, casting="unsafe")

    def unpack(self, buffer):
        """Split a buffer into new arrays; those without axes become numbers."""
        edges = np.cumsum([0, *map(_size, self.shapes)])
        parts = [buffer[start:stop] for start, stop in pairwise(edges)]
        return [
            part.reshape(shape).astype(dtype) if shape else part.astype(dtype).item()
            for part, shape, dtype in zip(parts, self.shapes, self.dtypes)
        ]


def layout_of(arrays):
    """Return the layout of arrays; Python numbers adopt the dtype of the arrays."""
    dtypes = []
    for array in arrays:
        dtype = np.asarray(array).dtype
        if dtype.kind not in "fiub":
            raise ValueTypeError(
                f"sum_over_shards: the function must return arrays or numbers, got a {type(array).__name__}.",
                "arrays of real numbers, and numbers.",
                "node.value or p.grad, for a node or a parameter.",
            )
        dtypes.append(dtype)
    weak = [array if type(array) in (int, float) else dtype for array, dtype in zip(arrays, dtypes)]
    dtype = np.result_type(np.float16, *weak) if arrays else np.dtype(float)
    return Layout(tuple(map(np.shape, arrays)), tuple(dtypes), dtype)


def _size(shape):
    return int(np.prod(shape, dtype=np.int64))


def add_results(strategy, function, batch, modules):
    """Add the arrays that a function returns for each shard; see `Strategy.sum_over_shards`."""
    parts = strategy.split(batch)
    with ShardState(modules) as state:
        results = [_result(function, shard, state, strategy.shards) for shard in parts]
        found = next((result for result in results if result is not None), None)
        layout: Any = None if found is None else layout_of(found)
        if parts[0].total < strategy.shards:  # another process may have no rows; process 0 has some
            layout = strategy.broadcast(layout)
        packed = [layout.zeros() if result is None else layout.pack(result) for result in results]
        sums = layout.unpack(strategy.reduce(packed))
    count = len(sums) - len(state.buffers)
    state.leave(sums[count:])
    return sums[:count]


def _result(function, shard, state, shards):
    """Return the result of the function for a shard, and the changes of the buffers; None if it has no rows."""
    if not shard.size:
        return None
    state.enter(shard.index)
    return [*_called(function, shard, shards), *state.changes(shard.weight)]


def _called(function, shard, shards):
    """Return the result of the function for a shard; an error gets a note with the shard."""
    try:
        return function(shard)
    except Exception as error:
        error.add_note(f"in shard {shard.index} of {shards}, with {shard.size} of the {shard.total} rows of the batch")
        if shard.size == 1:
            error.add_note(
                "  Try: where a layer looks at several rows, such as batch normalization, two rows for each shard: "
                f"batches of {2 * shards} rows or more, or fewer shards."
            )
        raise


def gather_results(strategy, function, batch, modules):
    """Return the results of a function for the shards that have rows; see `Strategy.gather_over_shards`."""
    parts, results = strategy.split(batch), []
    with ShardState(modules) as state:
        for shard in parts:
            if shard.size:
                state.enter(shard.index)
                results.append(_called(function, shard, strategy.shards))
    state.leave()
    return list(chain.from_iterable(strategy.all_gather(results)))


def add_gradients(strategy, loss_of, batch, module):
    """Add the gradient of the loss to the gradients of a module's parameters; return the loss (`Strategy.backward`)."""
    if isinstance(module, type) or not hasattr(module, "parameters"):
        raise ValueTypeError(
            f"backward: module must be a Module, got {describe(module)}.",
            "the Module that the function calls.",
            "backward(loss_of, batch, net), not its parameters.",
        )
    parameters = [p for p in module.parameters() if p.requires_grad]
    before = [p.grad for p in parameters]
    try:
        loss, reached, *gradients = strategy.sum_over_shards(
            lambda shard: _of_shard(loss_of, shard, parameters), batch, module
        )
    finally:
        for p, grad in zip(parameters, before):
            p.grad = grad
    for p, grad, is_reached in zip(parameters, gradients, reached):
        if is_reached:
            p.grad = grad if p.grad is None else p.grad + grad
    return loss


def _of_shard(loss_of, shard, parameters):
    """Return the weighted loss of a shard, which parameters it depends on, and the gradients."""
    for p in parameters:
        p.grad = None
    loss = loss_of(shard.batch)
    if getattr(loss, "requires_grad", False) is not True:
        raise GradientError(
            f"backward: the loss must require grad, got {brief(loss)}.",
            "a scalar node that depends on the parameters of the module.",
            "return the loss itself, not its value; compute it outside of no_grad().",
        )
    loss = loss * shard.weight
    loss.backward()
    reached = np.array([p.grad is not None for p in parameters])
    gradients = [np.zeros(p.shape, p.dtype) if p.grad is None else p.grad for p in parameters]
    return [loss.item(), reached, *gradients]
