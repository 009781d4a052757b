"""Neural networks: modules, which hold parameters, and the layers to build networks from.

Reading order: `module` with `attribute_checks` (what may be assigned), `traversal` (iteration over submodules),
`state_dict` (saving and loading), `module_repr`, `module_calls`, and `module_hooks` with `module_gradients` and
`observing`; `init` (initialization of parameters) and `casting` (`Module.to`, and the argument `dtype` of all layers);
`layers`, starting with ``layers/linear.py``, `normalization` and `images`; `containers`, `module_dict` and `function`
(modules made of modules and functions); `losses` has the loss functions of `dark.losses` as modules; `random_state`
saves the random generators of a network. `functional` and `utils` hold functions under PyTorch's names.
"""

from typing import TYPE_CHECKING

from dark.nn import functional, init, utils
from dark.nn.containers import ModuleList, Sequential
from dark.nn.function import Function
from dark.nn.images.convolution import Conv1d, Conv2d
from dark.nn.images.pooling import AvgPool1d, AvgPool2d, MaxPool1d, MaxPool2d
from dark.nn.images.convolution import ConvTranspose1d, ConvTranspose2d
from dark.nn.images.pooling import Upsample
from dark.nn.layers.activations import ELU, GELU, LeakyReLU, LogSigmoid, Mish, ReLU, Sigmoid, SiLU, Softplus, Tanh
from dark.nn.layers.attention import MultiheadAttention
from dark.nn.layers.axis_activations import GLU, LogSoftmax, Softmax, Softmin
from dark.nn.layers.dropout import Dropout
from dark.nn.layers.embedding import Embedding
from dark.nn.layers.flatten import Flatten
from dark.nn.layers.linear import Identity, Linear
from dark.nn.layers.activations import PReLU
from dark.nn.layers.recurrent import GRU, LSTM, RNN
from dark.nn.layers.recurrent_cells import GRUCell, LSTMCell, RNNCell
from dark.nn.layers.transformer import TransformerEncoder, TransformerEncoderLayer
from dark.nn.losses import (
    BCELoss, BCEWithLogitsLoss, CosineEmbeddingLoss, CrossEntropyLoss, HingeEmbeddingLoss, HingeLoss, HuberLoss,
    KLDivLoss, L1Loss, Loss, MSELoss, MultiMarginLoss, NLLLoss, SmoothL1Loss, TripletMarginLoss,
)  # fmt: skip
from dark.nn.module import Module
from dark.nn.module_dict import ModuleDict
from dark.nn.normalization.batch_norm import BatchNorm1d, BatchNorm2d, BatchNorm3d
from dark.nn.normalization.layer_norm import GroupNorm
from dark.nn.normalization.batch_norm import InstanceNorm1d, InstanceNorm2d, InstanceNorm3d
from dark.nn.normalization.layer_norm import LayerNorm
from dark.nn.normalization.layer_norm import RMSNorm
from dark.nn.random_state import load_random_state, random_state
from dark.nn.state_dict import LoadReport
from dark.errors import module_getattr

__all__ = [
    "ELU", "GELU", "GLU", "GRU", "LSTM", "RNN", "AvgPool1d", "AvgPool2d", "BCELoss", "BCEWithLogitsLoss", "BatchNorm1d",
    "BatchNorm2d", "BatchNorm3d", "Conv1d", "Conv2d", "ConvTranspose1d", "ConvTranspose2d", "CosineEmbeddingLoss",
    "CrossEntropyLoss", "Dropout", "Embedding", "Flatten", "Function", "GRUCell", "GroupNorm", "HingeEmbeddingLoss",
    "HingeLoss", "HuberLoss", "Identity", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "KLDivLoss", "L1Loss",
    "LSTMCell", "LayerNorm", "LeakyReLU", "Linear", "LoadReport", "LogSigmoid", "LogSoftmax", "Loss", "MSELoss",
    "MaxPool1d", "MaxPool2d", "Mish", "Module", "ModuleDict", "ModuleList", "MultiMarginLoss", "MultiheadAttention",
    "NLLLoss", "PReLU", "RMSNorm", "RNNCell", "ReLU", "Sequential", "SiLU", "Sigmoid", "SmoothL1Loss", "Softmax",
    "Softmin", "Softplus", "Tanh", "TransformerEncoder", "TransformerEncoderLayer", "TripletMarginLoss", "Upsample",
    "functional", "init", "load_random_state", "random_state", "utils",
]  # fmt: skip

if not TYPE_CHECKING:  # a type checker reports a name that is not there
    __getattr__ = module_getattr(__name__)
