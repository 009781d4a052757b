"""The running mean and variance of each channel, for batch and instance normalization."""

import numpy as np

from dark.nodes.values import shape_of
from dark.operations import add, mul, reshape, sub


def add_running_statistics(module, dtype, tracked):
    """Add the buffers `running_mean`, `running_var` and `num_batches_tracked`; None if they are not tracked."""
    n = module.num_features
    module.register_buffer("running_mean", np.zeros(n, dtype) if tracked else None)
    module.register_buffer("running_var", np.ones(n, dtype) if tracked else None)
    module.register_buffer("num_batches_tracked", np.array(0) if tracked else None)


def move_running_statistics(module, mean, var, new):
    """Move the running statistics towards the statistics of a batch, by the fraction `new`."""
    dtype = module.running_mean.dtype
    module.running_mean = ((1 - new) * module.running_mean + new * mean).astype(dtype)
    module.running_var = ((1 - new) * module.running_var + new * var).astype(dtype)


def weight_and_bias(module, dtype):
    """Return weight and bias of each channel, 1 and 0 where the module has none."""
    weight = np.ones(module.num_features, dtype) if module.weight is None else module.weight
    return weight, np.zeros(module.num_features, dtype) if module.bias is None else module.bias


def normalize_by_running_statistics(module, x):
    """Normalize each channel, axis 1, by the running statistics."""
    weight, bias = weight_and_bias(module, module.running_mean.dtype)
    scale = mul(weight, 1 / np.sqrt(module.running_var + module.eps))
    shift = sub(bias, mul(scale, module.running_mean))
    channels = (module.num_features, *(1,) * (len(shape_of(x)) - 2))
    return add(mul(x, reshape(scale, channels)), reshape(shift, channels))


def describe_settings(module):
    """Return the settings as text."""
    return (
        f"{module.num_features}, eps={module.eps}, momentum={module.momentum}, affine={module.affine}, "
        f"bias={module.bias is not None}, track_running_stats={module.track_running_stats}"
    )
