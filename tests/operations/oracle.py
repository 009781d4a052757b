"""PyTorch's function for each operation: found by name, or listed here where its arguments differ."""

import numpy as np
import pytest

from tests.operations import sequences
from tests.operations.cases import NAMES, joins

RENAMED = {"axis": "dim", "keepdims": "keepdim", "ddof": "correction"}
ALIASES = {"Norm": "vector_norm", "VectorNorm": "vector_norm", "Repeat": "repeat_interleave"}


def functions(torch):
    """Return the functions whose arguments differ from those of dark in more than the names of the axes."""
    t, F = torch, torch.nn.functional
    return {
        "Prelu": lambda x, slope: t.where(x > 0, x, slope * x),  # PReLU's own slopes are one for each channel
        "LeakyRelu": lambda x, slope: F.leaky_relu(x, slope),
        "Gelu": F.gelu,
        "Cbrt": lambda x: t.where(x >= 0, x, -x) ** (1 / 3) * t.where(x >= 0, 1.0, -1.0),
        "Clip": lambda *x: t.clamp(*t.broadcast_tensors(*x)),  # alone it cannot broadcast its gradients
        "Where": lambda a, b, condition: t.where(t.as_tensor(condition), a, b),
        # its own rule rounds a / b, which gives 10 for 1 and 0.1, where fmod subtracts 0.1 nine times
        "Fmod": lambda a, b: a - b * ((a - t.fmod(a, b)) / b).round().detach(),
        "GetItem": lambda x, index: x.reshape(-1)[places(torch, x.shape, index)],
        "ScatterAdd": lambda g, index, shape: scattered(torch, g, index, shape),
        "Reshape": t.reshape,
        "Transpose": lambda x, axes: x.permute(axes if axes is not None else tuple(range(x.ndim))[::-1]),
        "SwapAxes": lambda x, axis1, axis2: x.swapaxes(axis1, axis2),
        "ExpandDims": lambda x, axis: t.as_tensor(x).reshape(np.expand_dims(x.detach().numpy(), axis).shape),
        "Squeeze": lambda x, axis: x.squeeze() if axis is None else x.squeeze(axis),
        "BroadcastTo": lambda x, shape: x.broadcast_to(shape),
        "Flip": lambda x, axis: x.flip(tuple(range(x.ndim)) if axis is None else axis),
        "Pad": lambda x, pad_width, constant_values: F.pad(
            x, np.broadcast_to(pad_width, (x.ndim, 2))[::-1].reshape(-1).tolist(), value=constant_values
        ),
        "Repeat": lambda x, repeats, axis: t.repeat_interleave(x, t.as_tensor(repeats), dim=axis),
        "Tile": lambda x, reps: x.tile(reps),
        "CumSum": lambda x, axis: x.reshape(-1).cumsum(0) if axis is None else x.cumsum(axis),
        "CumProd": lambda x, axis: x.reshape(-1).cumprod(0) if axis is None else x.cumprod(axis),
        "Diag": lambda x, k: t.diag(x, k),
        "Diagonal": lambda x, offset, axis1, axis2: t.diagonal(x, offset, axis1, axis2),
        "Tril": lambda x, k: t.tril(square(x), k),
        "Triu": lambda x, k: t.triu(square(x), k),
        "Roll": lambda x, shift, axis: (
            x.reshape(-1).roll(shift).reshape(x.shape) if axis is None else x.roll(shift, axis)
        ),
        "Sort": lambda x, axis: t.sort(x, dim=axis, stable=True).values,
        "Prod": lambda x, axis, keepdims: product(x, axis, keepdims),
        "Max": lambda x, axis, keepdims: t.amax(x, axes(x, axis), keepdims),
        "Min": lambda x, axis, keepdims: t.amin(x, axes(x, axis), keepdims),
        "LogSumExp": lambda x, axis, keepdims: t.logsumexp(x, axes(x, axis), keepdims),
        "Softmax": lambda x, axis: t.exp(x - t.logsumexp(x, axes(x, axis), True)),
        "LogSoftmax": lambda x, axis: x - t.logsumexp(x, axes(x, axis), True),
        "Dot": t.matmul,
        "Outer": lambda a, b: t.outer(a.reshape(-1), b.reshape(-1)),
        "TensorDot": lambda a, b, axes: t.tensordot(a, b, axes),
        "EinSum": lambda *x, subscripts: t.einsum(subscripts, *x),
        "Linear": F.linear,
        "LayerNorm": lambda x, g, b, eps: F.layer_norm(x, g.shape, g, b, eps),
        "BatchNorm": lambda x, g, b, eps: F.batch_norm(x, None, None, g, b, training=True, eps=eps),
        "GroupNorm": lambda x, g, b, num_groups, eps: F.group_norm(x, num_groups, g, b, eps),
        "RMSNorm": lambda x, g, eps: F.rms_norm(x, g.shape, g, eps),
        "CrossEntropy": lambda x, labels, **s: weighted(torch, F.cross_entropy, x, labels, **s),
        "BCEWithLogits": lambda x, target, **s: weighted(torch, F.binary_cross_entropy_with_logits, x, target, **s),
        "BinaryCrossEntropy": lambda x, y: F.binary_cross_entropy(x, y, reduction="none"),
        "Huber": lambda a, b, delta: F.huber_loss(*t.broadcast_tensors(a, b), reduction="none", delta=delta),
        **sequences.functions(torch),
        "Conv2dWeight": lambda x, y, kernel_size, groups, **settings: t.nn.grad.conv2d_weight(
            x, (y.shape[1], x.shape[1] // groups, *kernel_size), y, groups=groups, **settings
        ),
        "Interpolate": lambda x, size, scale_factor, **settings: F.interpolate(
            x, None if scale_factor else size, scale_factor, **settings
        ),
        "LogAbsDet": lambda x: t.linalg.slogdet(x)[1],
        "Eigh": lambda x, UPLO: same_signs(t, x, UPLO, *t.linalg.eigh((x + x.mT) / 2)),
        "SVD": lambda x: packed(t, x, *same_signs_of_pairs(t, x, *t.linalg.svd(x, full_matrices=False))),
        "QR": lambda x: packed(t, x, *t.linalg.qr(x)),
    }


def packed(torch, x, *factors):
    """Join the factors of a factorization, as dark's operations return them."""
    batch = x.ndim - 2
    return torch.cat([y.reshape(*y.shape[:batch], y.shape[batch:].numel()) for y in factors], -1)


def same_signs(torch, x, UPLO, w, v):
    """Return packed eigenvalues and eigenvectors, the latter with NumPy's signs, which are arbitrary."""
    right = np.linalg.eigh(((x + x.mT) / 2).detach().numpy(), UPLO)[1]
    return packed(torch, x, w, v * torch.sign((torch.as_tensor(right) * v.detach()).sum(-2, keepdim=True)))


def same_signs_of_pairs(torch, x, u, s, vh):
    """Return singular vectors with NumPy's signs, which are arbitrary for each pair."""
    right = torch.as_tensor(np.linalg.svd(x.detach().numpy(), full_matrices=False)[0])
    signs = torch.sign((right * u.detach()).sum(-2, keepdim=True))
    return u * signs, s, vh * signs.mT


def axes(x, axis):
    return tuple(range(x.ndim)) if axis is None else axis


def square(x):
    """Broadcast a vector to a square matrix, as NumPy's `tril` does; leave others as they are."""
    return x.expand(len(x), len(x)) if x.ndim == 1 else x


def product(x, axis, keepdims):
    """Compute the product along axes sequentially: PyTorch accepts one axis."""
    for k in sorted(np.arange(x.ndim) if axis is None else np.mod(np.atleast_1d(axis), x.ndim), reverse=True):
        x = x.prod(int(k), keepdim=keepdims)
    return x


def places(torch, shape, index):
    """Return flat indices, since PyTorch does not support negative steps."""
    return torch.tensor(np.array(np.arange(np.prod(shape, dtype=int)).reshape(shape)[index]))


def scattered(torch, g, index, shape):
    flat = torch.zeros(int(np.prod(shape)), dtype=g.dtype)
    return flat.index_add(0, places(torch, shape, index).reshape(-1), g.reshape(-1)).reshape(shape)


def weighted(torch, loss, x, target, weights, ignored=None, each=False, **settings):
    """Compute a loss for each element, and weight, mask and sum it as in the settings."""
    target, weights = torch.as_tensor(target), torch.as_tensor(weights, dtype=x.dtype)
    if target.is_floating_point():
        target = target.to(x.dtype)
    settings = {name: torch.as_tensor(v, dtype=x.dtype) for name, v in settings.items()}
    losses = loss(x, target, reduction="none", **settings) * weights
    losses = losses if ignored is None else torch.where(torch.as_tensor(ignored), 0.0, losses)
    return losses if each else losses.sum()


def torch_function(torch, op):
    """Return PyTorch's function for an operation, called like that of dark, or None."""
    special = functions(torch)
    if op.__name__ in special:
        return special[op.__name__]
    name = ALIASES.get(op.__name__, NAMES[op.label().replace("_", "")])
    for place in (torch.linalg, torch, torch.nn.functional, torch.special):
        found = getattr(place, name, None)
        if callable(found):
            break
    else:
        return None

    def function(*x, **settings):
        settings = {RENAMED.get(key, key): value for key, value in settings.items()}
        return found(x, **settings) if joins(op) else found(*x, **settings)

    return function


def beside(torch, case, x, gradient):
    """Compute value and gradients in PyTorch; skip a case that it does not support."""
    function = torch_function(torch, case.op)
    if function is None:
        pytest.skip(f"PyTorch has no {case.op.label()}")
    leaves = [torch.tensor(v, requires_grad=True) for v in x]
    y = function(*leaves, **case.settings)
    y.backward(torch.as_tensor(gradient, dtype=y.dtype).reshape(y.shape))
    return y.detach().numpy(), [np.zeros(np.shape(v)) if t.grad is None else t.grad.numpy() for v, t in zip(x, leaves)]
