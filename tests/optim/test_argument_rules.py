"""One rule for integers and one for numbers, in all layers, losses, optimizers and schedulers."""

import numpy as np
import pytest

import dark
from dark import losses, nn
from dark.errors import DarkError
from dark.optim import SGD, Adagrad, Adam, RMSprop, clip_grad_norm, clip_grad_value
from dark.optim.lr_scheduler import (
    CosineAnnealingLR,
    ExponentialLR,
    LinearLR,
    MultiStepLR,
    OneCycleLR,
    ReduceLROnPlateau,
    StepLR,
)  # fmt: skip

LOGITS, LABELS = np.zeros((2, 3)), np.array([0, 1])


def optimizer():
    return SGD([dark.Parameter(1.0)], lr=0.1, momentum=0.9)


def with_gradient():
    p = dark.Parameter(1.0)
    p.grad = 1.0
    return [p]


INTEGERS = {
    "Linear in": lambda n: nn.Linear(n, 3),
    "Linear out": lambda n: nn.Linear(3, n),
    "Embedding count": lambda n: nn.Embedding(n, 3),
    "Embedding size": lambda n: nn.Embedding(3, n),
    "Embedding padding": lambda n: nn.Embedding(3, 4, padding_idx=n),
    "Conv2d in": lambda n: nn.Conv2d(n, 2, 3),
    "Conv2d out": lambda n: nn.Conv2d(2, n, 3),
    "Conv2d kernel": lambda n: nn.Conv2d(2, 2, n),
    "Conv2d stride": lambda n: nn.Conv2d(2, 2, 3, stride=(n, 1)),
    "Conv2d groups": lambda n: nn.Conv2d(2, 2, 3, groups=n),
    "ConvTranspose2d padding": lambda n: nn.ConvTranspose2d(2, 2, 3, output_padding=n),
    "MultiheadAttention size": lambda n: nn.MultiheadAttention(n, 1),
    "MultiheadAttention heads": lambda n: nn.MultiheadAttention(4, n),
    "MultiheadAttention keys": lambda n: nn.MultiheadAttention(4, 1, kdim=n),
    "RNN in": lambda n: nn.RNN(n, 3),
    "GRU hidden": lambda n: nn.GRU(3, n),
    "LSTM layers": lambda n: nn.LSTM(3, 3, n),
    "RNNCell in": lambda n: nn.RNNCell(n, 3),
    "LayerNorm": lambda n: nn.LayerNorm(n),
    "LayerNorm tuple": lambda n: nn.LayerNorm((3, n)),
    "BatchNorm1d": lambda n: nn.BatchNorm1d(n),
    "Flatten": lambda n: nn.Flatten(n),
    "StepLR": lambda n: StepLR(optimizer(), n),
    "MultiStepLR": lambda n: MultiStepLR(optimizer(), [n]),
    "LinearLR": lambda n: LinearLR(optimizer(), total_iters=n),
    "CosineAnnealingLR": lambda n: CosineAnnealingLR(optimizer(), n),
    "OneCycleLR": lambda n: OneCycleLR(optimizer(), 0.1, n),
    "ReduceLROnPlateau patience": lambda n: ReduceLROnPlateau(optimizer(), patience=n),
    "ReduceLROnPlateau cooldown": lambda n: ReduceLROnPlateau(optimizer(), cooldown=n),
    "minimize": lambda n: dark.minimize(lambda x: x * x, 1.0, steps=n),
    "cross_entropy": lambda n: losses.cross_entropy(LOGITS, LABELS, ignore_index=n),
    "nll": lambda n: losses.nll(LOGITS, LABELS, ignore_index=n),
}
NUMBERS = {
    "Dropout": lambda x: nn.Dropout(x),
    "LeakyReLU": lambda x: nn.LeakyReLU(x),
    "ELU": lambda x: nn.ELU(x),
    "Softplus": lambda x: nn.Softplus(x),
    "LayerNorm eps": lambda x: nn.LayerNorm(3, eps=x),
    "BatchNorm1d momentum": lambda x: nn.BatchNorm1d(3, momentum=x),
    "GRU dropout": lambda x: nn.GRU(3, 3, 2, dropout=x),
    "MultiheadAttention dropout": lambda x: nn.MultiheadAttention(4, 1, dropout=x),
    "uniform_": lambda x: nn.init.uniform_(dark.Parameter(np.zeros(2)), x),
    "normal_": lambda x: nn.init.normal_(dark.Parameter(np.zeros(2)), 0, x),
    "SGD lr": lambda x: SGD([dark.Parameter(1.0)], lr=x),
    "SGD momentum": lambda x: SGD([dark.Parameter(1.0)], momentum=x),
    "Adam betas": lambda x: Adam([dark.Parameter(1.0)], betas=(x, 0.9)),
    "RMSprop alpha": lambda x: RMSprop([dark.Parameter(1.0)], alpha=x),
    "Adagrad lr_decay": lambda x: Adagrad([dark.Parameter(1.0)], lr_decay=x),
    "StepLR gamma": lambda x: StepLR(optimizer(), 1, gamma=x),
    "ExponentialLR": lambda x: ExponentialLR(optimizer(), x),
    "LinearLR": lambda x: LinearLR(optimizer(), x),
    "CosineAnnealingLR eta_min": lambda x: CosineAnnealingLR(optimizer(), 2, eta_min=x),
    "OneCycleLR max_lr": lambda x: OneCycleLR(optimizer(), x, 10),
    "OneCycleLR pct_start": lambda x: OneCycleLR(optimizer(), 0.1, 10, pct_start=x),
    "ReduceLROnPlateau factor": lambda x: ReduceLROnPlateau(optimizer(), factor=x),
    "ReduceLROnPlateau eps": lambda x: ReduceLROnPlateau(optimizer(), eps=x),
    "clip_grad_norm": lambda x: clip_grad_norm(with_gradient(), x),
    "clip_grad_value": lambda x: clip_grad_value(with_gradient(), x),
    "huber": lambda x: losses.huber(LOGITS, LOGITS, delta=x),
    "smooth_l1": lambda x: losses.smooth_l1(LOGITS, LOGITS, beta=x),
    "triplet_margin": lambda x: losses.triplet_margin(LOGITS, LOGITS, LOGITS, margin=x),
    "cross_entropy": lambda x: losses.cross_entropy(LOGITS, LABELS, label_smoothing=x),
}


@pytest.mark.parametrize("name", INTEGERS)
def test_an_integer_is_a_python_or_numpy_integer(name):
    for n in (2, np.int64(2), np.uint8(2)):
        INTEGERS[name](n)
    for wrong in (True, np.True_, 2.0, np.float64(2), "2"):
        with pytest.raises(DarkError):
            INTEGERS[name](wrong)


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_is_real_and_neither_a_bool_nor_nan(name):
    for x in (0.5, np.float32(0.5), np.float64(0.5)):
        NUMBERS[name](x)
    for wrong in (True, np.True_, "0.5", 0.5j, np.nan, np.float32(np.nan)):
        with pytest.raises(DarkError):
            NUMBERS[name](wrong)
