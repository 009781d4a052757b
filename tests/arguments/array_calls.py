"""Calls of the operations, derivatives, layers, losses and optimizers."""

from functools import partial

import numpy as np

import dark
from dark import derivatives, losses, nn, operations, optim
from dark.errors import DarkError
from dark.optim import lr_scheduler

X, IMAGES = np.arange(24.0).reshape(2, 3, 4), np.arange(64.0).reshape(1, 4, 4, 4)
FILTERS = np.ones((4, 4, 1, 1))
LOGITS, LABELS, SIGNS = np.ones((2, 3)), np.array([0, 1]), np.array([1.0, -1.0])
METHODS = ("cumprod", "cumsum", "max", "mean", "min", "prod", "std", "sum", "var")
ON_AN_AXIS = (
    "cumprod", "cumsum", "flip", "log_softmax", "logsumexp", "max", "mean", "min", "prod", "softmax", "sort", "std",
    "sum", "var",
)  # fmt: skip


def optimizer():
    """Return an optimizer with momentum."""
    return optim.SGD([dark.Parameter(1.0)], lr=0.1, momentum=0.9)


def with_gradient(function, **settings):
    """Call a clipping function on a parameter with a gradient."""
    p = dark.Parameter(1.0)
    p.grad = 1.0
    return function([p], **settings)


def layer_list(method, **settings):
    """Call a method of a list of three layers."""
    return getattr(nn.ModuleList([nn.ReLU(), nn.ReLU(), nn.ReLU()]), method)(**settings)


def square(*xs):
    """Return the sum of the squares of three numbers or arrays."""
    return sum((x * x).sum() for x in xs)


def derivative(function, **settings):
    """Compute a derivative of a function of three arguments."""
    return function(square, **settings)(*[np.ones(2)] * 3)


def convolution_weight(kernel_size, **settings):
    """Compute the gradient with respect to the filters of a convolution of suitable size."""
    images, filters = np.ones((1, 2, 5, 5)), np.ones((2, 2 // int(settings["groups"]), 2, 2))
    try:
        y = operations.conv2d(images, filters, **settings).value
    except DarkError:  # to be refused below, too
        y = np.ones((1, 2, 4, 4))
    return operations.conv2d_weight(images, y, kernel_size, **settings)


def axis_calls():
    """Return the calls of what takes an axis alone."""
    calls = {f"nodes.Node.{name}": (partial(getattr(dark.Constant(X), name)), {}) for name in METHODS}
    return calls | {f"operations.{name}": (partial(getattr(operations, name), X), {}) for name in ON_AN_AXIS}


def loss_calls():
    """Return the calls of the loss functions, and of the layers that compute the same."""
    pair, triple = (LOGITS, LOGITS), (LOGITS, LOGITS, LOGITS)
    inputs = {
        "cosine_embedding": (*pair, SIGNS), "cross_entropy": (LOGITS, LABELS), "hinge": (SIGNS, SIGNS),
        "hinge_embedding": (SIGNS, SIGNS), "huber": pair, "multi_margin": (LOGITS, LABELS), "nll": (LOGITS, LABELS),
        "smooth_l1": pair, "triplet_margin": triple,
    }  # fmt: skip
    special = {"triplet_margin": {"p": 2.0}}
    calls = {
        f"losses.{name}": (partial(getattr(losses, name), *xs), special.get(name, {})) for name, xs in inputs.items()
    }
    layers = {
        "CosineEmbeddingLoss": "cosine_embedding", "CrossEntropyLoss": "cross_entropy", "HingeLoss": "hinge",
        "HingeEmbeddingLoss": "hinge_embedding", "HuberLoss": "huber", "MultiMarginLoss": "multi_margin",
        "NLLLoss": "nll", "SmoothL1Loss": "smooth_l1", "TripletMarginLoss": "triplet_margin",
    }  # fmt: skip

    def computed(layer, xs, **settings):
        return layer(**settings)(*xs)

    return calls | {
        f"nn.{layer}": (partial(computed, getattr(nn, layer), inputs[name]), special.get(name, {}))
        for layer, name in layers.items()
    }


IMAGE_POOL = {"kernel_size": 2, "stride": 2, "padding": 1}
OPERATION_CALLS = axis_calls() | {
    **{f"nodes.Node.{name}": (getattr(dark.Constant(X), name), {"axis1": 2, "axis2": 0})
       for name in ("diagonal", "trace")},
    **{f"operations.{name}": (partial(getattr(operations, name), X), {"axis1": 2, "axis2": 0})
       for name in ("diagonal", "trace")},
    **{f"operations.{name}": (partial(getattr(operations, name), X[0]), {}) for name in ("diag", "tril", "triu")},
    **{f"operations.{name}": (partial(getattr(operations, name), X), {})
       for name in ("empty_like", "ones_like", "zeros_like")},
    "nodes.Node.repeat": (partial(dark.Constant(X).repeat, 2), {}),
    "nodes.Node.flatten": (dark.Constant(X).flatten, {"start_dim": 1, "end_dim": 2}),
    "nodes.Node.unsqueeze": (dark.Constant(X).unsqueeze, {"dim": 1}),
    "nodes.Node.squeeze": (dark.Constant(X[..., :1]).squeeze, {}),
    "nodes.Node.swapaxes": (dark.Constant(X).swapaxes, {"axis1": 2, "axis2": 0}),
    "nodes.Node.take": (partial(dark.Constant(X).take, [0]), {}),
    "operations.avg_pool1d": (partial(operations.avg_pool1d, X), IMAGE_POOL),
    "operations.avg_pool2d": (partial(operations.avg_pool2d, IMAGES), IMAGE_POOL | {"padding": 1}),
    "operations.batch_norm": (partial(operations.batch_norm, LOGITS, np.ones(3), np.ones(3)), {}),
    "operations.broadcast_to": (partial(operations.broadcast_to, np.ones(2)), {}),
    "operations.cat": (partial(operations.cat, (X, X)), {}),
    "operations.flatten": (partial(operations.flatten, X), {"start_dim": 1, "end_dim": 2}),
    "operations.concatenate": (partial(operations.concatenate, (X, X)), {}),
    "operations.conv1d": (partial(operations.conv1d, np.ones((1, 4, 4)), np.ones((4, 4, 2))), {"groups": 1}),
    "operations.conv2d": (partial(operations.conv2d, np.ones((1, 4, 4, 4)), np.ones((4, 4, 2, 2))), {"groups": 1}),
    "operations.conv2d_weight": (
        convolution_weight, {"kernel_size": 2, "groups": 1}
    ),
    "operations.conv_transpose1d": (
        partial(operations.conv_transpose1d, IMAGES[0], FILTERS[..., 0]), {"groups": 1, "stride": 3, "padding": 0}
    ),
    "operations.conv_transpose2d": (
        partial(operations.conv_transpose2d, IMAGES, FILTERS), {"groups": 1, "stride": 3, "padding": 0}
    ),
    "operations.diff": (partial(operations.diff, X), {"axis": 2}),
    "operations.elu": (partial(operations.elu, X), {}),
    "operations.expand_dims": (partial(operations.expand_dims, X), {}),
    "operations.full_like": (partial(operations.full_like, X, 3.0), {}),
    "operations.gather": (partial(operations.gather, X, np.zeros((2, 3, 1), int)), {}),
    "operations.glu": (partial(operations.glu, X), {}),
    "operations.group_norm": (partial(operations.group_norm, np.ones((1, 4, 3))), {"num_groups": 2}),
    "operations.interpolate": (partial(operations.interpolate, IMAGES), {}),
    "operations.layer_norm": (partial(operations.layer_norm, LOGITS, np.ones(3), np.ones(3)), {}),
    "operations.leaky_relu": (partial(operations.leaky_relu, X), {}),
    "operations.max_pool1d": (partial(operations.max_pool1d, X), IMAGE_POOL),
    "operations.max_pool2d": (partial(operations.max_pool2d, IMAGES), IMAGE_POOL),
    "operations.moveaxis": (partial(operations.moveaxis, X), {"source": 2, "destination": 0}),
    "operations.nan_to_num": (partial(operations.nan_to_num, np.array([1.0, np.nan, np.inf, -np.inf])), {}),
    "operations.matrix_norm": (partial(operations.matrix_norm, X), {"ord": 2.0}),
    "operations.norm": (partial(operations.norm, X, axis=1), {"ord": 2.0}),
    "operations.pad": (partial(operations.pad, X, 1), {}),
    "operations.rms_norm": (partial(operations.rms_norm, LOGITS, np.ones(3)), {}),
    "operations.repeat": (partial(operations.repeat, X), {"repeats": 2, "axis": 2}),
    "operations.reshape": (partial(operations.reshape, np.ones(2)), {}),
    "operations.roll": (partial(operations.roll, X), {"shift": 2, "axis": 2}),
    "operations.scatter_add": (partial(operations.scatter_add, np.ones(2), np.array([0, 1])), {}),
    "operations.split": (partial(operations.split, X), {"indices_or_sections": 2, "axis": 2}),
    "operations.squeeze": (partial(operations.squeeze, X[..., :1]), {}),
    "operations.stack": (partial(operations.stack, (X, X)), {}),
    "operations.swapaxes": (partial(operations.swapaxes, X), {"axis1": 2, "axis2": 0}),
    "operations.take": (partial(operations.take, X, [0]), {}),
    "operations.tile": (partial(operations.tile, X), {}),
    "operations.transpose": (partial(operations.transpose, X), {"axes": 0, "other": 2}),
    "operations.vector_norm": (partial(operations.vector_norm, X), {"ord": 2.0}),
    "derivatives.grad": (partial(derivative, derivatives.grad), {}),
    "derivatives.gradcheck": (partial(derivatives.gradcheck, square, np.ones(2)), {"nudge": 1e-5}),
    "derivatives.hessian": (partial(derivative, derivatives.hessian), {}),
    "derivatives.jacobian": (partial(derivative, derivatives.jacobian), {}),
    "derivatives.slope": (partial(derivatives.slope, lambda x: x * x), {"x": 0.5, "nudge": 1e-6}),
    "derivatives.value_and_grad": (partial(derivative, derivatives.value_and_grad), {}),
}  # fmt: skip
RECURRENT = {"input_size": 2, "hidden_size": 2}
LAYER_CALLS = loss_calls() | {
    **{f"nn.{name}": (getattr(nn, name), RECURRENT) for name in ("RNN", "RNNCell", "GRUCell", "LSTMCell")},
    **{f"nn.{name}": (getattr(nn, name), RECURRENT | {"num_layers": 2}) for name in ("GRU", "LSTM")},
    "nn.ELU": (nn.ELU, {}),
    "nn.AvgPool1d": (nn.AvgPool1d, {"kernel_size": 2, "padding": 1}),
    "nn.AvgPool2d": (nn.AvgPool2d, {"kernel_size": 2, "padding": 1}),
    "nn.BatchNorm1d": (nn.BatchNorm1d, {"num_features": 2}),
    "nn.BatchNorm2d": (nn.BatchNorm2d, {"num_features": 2}),
    "nn.Conv1d": (nn.Conv1d, {"in_channels": 2, "out_channels": 2, "kernel_size": 3}),
    "nn.Conv2d": (nn.Conv2d, {"in_channels": 2, "out_channels": 2, "kernel_size": 3}),
    "nn.ConvTranspose1d": (
        nn.ConvTranspose1d, {"in_channels": 2, "out_channels": 2, "kernel_size": 3, "stride": 3}
    ),
    "nn.ConvTranspose2d": (
        nn.ConvTranspose2d, {"in_channels": 2, "out_channels": 2, "kernel_size": 3, "stride": 3}
    ),
    "nn.Dropout": (nn.Dropout, {}),
    "nn.Embedding": (nn.Embedding, {"num_embeddings": 3, "embedding_dim": 2}),
    "nn.Embedding.forward": (nn.Embedding(3, 2).forward, {}),
    "nn.Embedding.from_pretrained": (partial(nn.Embedding.from_pretrained, np.ones((3, 2))), {}),
    "nn.Flatten": (nn.Flatten, {}),
    "nn.BatchNorm3d": (nn.BatchNorm3d, {"num_features": 2}),
    "nn.GroupNorm": (nn.GroupNorm, {"num_groups": 2, "num_channels": 4}),
    **{f"nn.{name}": (getattr(nn, name), {"num_features": 2})
       for name in ("InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d")},
    "nn.RMSNorm": (nn.RMSNorm, {"normalized_shape": (3, 2)}),
    "nn.LayerNorm": (nn.LayerNorm, {"normalized_shape": (3, 2)}),
    "nn.LeakyReLU": (nn.LeakyReLU, {}),
    "nn.Linear": (nn.Linear, {"in_features": 2, "out_features": 2}),
    "nn.GLU": (nn.GLU, {}),
    "nn.PReLU": (nn.PReLU, {}),
    "nn.Softmin": (nn.Softmin, {}),
    "nn.LogSoftmax": (nn.LogSoftmax, {}),
    "nn.MaxPool1d": (nn.MaxPool1d, IMAGE_POOL),
    "nn.MaxPool2d": (nn.MaxPool2d, IMAGE_POOL),
    "nn.ModuleList.insert": (partial(layer_list, "insert", module=nn.ReLU()), {}),
    "nn.ModuleList.pop": (partial(layer_list, "pop"), {}),
    "nn.MultiheadAttention": (nn.MultiheadAttention, {"embed_dim": 2, "num_heads": 1}),
    "nn.Softmax": (nn.Softmax, {}),
    "nn.Softplus": (nn.Softplus, {}),
    "nn.TransformerEncoder": (partial(nn.TransformerEncoder, nn.TransformerEncoderLayer(2, 1, 2)), {}),
    "nn.TransformerEncoderLayer": (nn.TransformerEncoderLayer, {"d_model": 4, "nhead": 2, "dim_feedforward": 4}),
    "nn.Upsample": (nn.Upsample, {}),
    **{f"nn.init.{name}": (partial(getattr(nn.init, name), dark.Parameter(np.zeros(2))), {})
       for name in ("constant_", "normal_", "uniform_")},
    **{f"nn.init.{name}_": (partial(getattr(nn.init, f"{name}_"), dark.Parameter(np.zeros((2, 2)))), {})
       for name in ("kaiming_normal", "kaiming_uniform", "orthogonal", "xavier_normal", "xavier_uniform")},
    "nn.init.calculate_gain": (partial(nn.init.calculate_gain, "leaky_relu"), {}),
}  # fmt: skip


def schedule(make, **settings):
    """Make a scheduler of a new optimizer."""
    return make(optimizer(), **settings)


def cycle(max_lr, total_steps=None, epochs=3, steps_per_epoch=3, **settings):
    """Make a one-cycle scheduler, by its number of steps or of epochs."""
    return lr_scheduler.OneCycleLR(optimizer(), max_lr, total_steps, epochs, steps_per_epoch, **settings)


def sequence(**settings):
    """Make a sequence of two schedulers."""
    rates = optimizer()
    parts = [lr_scheduler.StepLR(rates, 2), lr_scheduler.StepLR(rates, 3)]
    return lr_scheduler.SequentialLR(rates, parts, **settings)


OPTIMIZER_CALLS = {
    **{f"optim.{name}": (partial(getattr(optim, name), [dark.Parameter(1.0)]), {})
       for name in ("SGD", "Adagrad", "RMSprop")},
    "optim.Adam": (partial(optim.Adam, [dark.Parameter(1.0)]), {"betas": (0.5, 0.9)}),
    "optim.AdamW": (partial(optim.AdamW, [dark.Parameter(1.0)]), {"betas": (0.5, 0.9)}),
    "optim.NAdam": (partial(optim.NAdam, [dark.Parameter(1.0)]), {"betas": (0.5, 0.9)}),
    "optim.RAdam": (partial(optim.RAdam, [dark.Parameter(1.0)]), {"betas": (0.5, 0.9)}),
    "optim.LBFGS": (partial(optim.LBFGS, [dark.Parameter(1.0)]), {}),
    "optim.clip_grad_norm": (partial(with_gradient, optim.clip_grad_norm), {"max_norm": 0.5, "norm_type": 2.0}),
    "optim.clip_grad_value": (partial(with_gradient, optim.clip_grad_value), {}),
    "optim.minimize": (partial(optim.minimize, lambda x: x * x), {"x": 0.5}),
    **{f"optim.lr_scheduler.{name}": (partial(schedule, getattr(lr_scheduler, name)), settings | {"last_epoch": -1})
       for name, settings in {
           "ConstantLR": {}, "CosineAnnealingLR": {"T_max": 2}, "ExponentialLR": {"gamma": 0.5}, "LinearLR": {},
           "CosineAnnealingWarmRestarts": {"T_0": 2, "T_mult": 2}, "MultiStepLR": {"milestones": [1, 2]},
           "CyclicLR": {"base_lr": 0.1, "max_lr": 0.2}, "PolynomialLR": {}, "StepLR": {"step_size": 2},
           "LambdaLR": {"lr_lambda": float}, "MultiplicativeLR": {"lr_lambda": float},
       }.items()},
    "optim.lr_scheduler.CosineAnnealingWarmRestarts.step": (
        lambda epoch: schedule(lr_scheduler.CosineAnnealingWarmRestarts, T_0=2).step(epoch), {"epoch": 0.5}),
    "optim.lr_scheduler.OneCycleLR": (cycle, {"max_lr": 0.1, "last_epoch": -1}),
    "optim.lr_scheduler.SequentialLR": (sequence, {"milestones": [2], "last_epoch": -1}),
    "optim.lr_scheduler.ReduceLROnPlateau": (partial(schedule, lr_scheduler.ReduceLROnPlateau), {}),
}  # fmt: skip
