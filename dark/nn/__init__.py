"""Neural networks: modules, which hold parameters, and the layers to build networks from.

Reading order: `module` with `attribute_checks` (what may be assigned), `traversal` (iteration over submodules),
`state_dict` (saving and loading) and `module_repr`; `init` (initialization of parameters); then the layers,
starting with `linear` and `containers`; `losses` has the loss functions of `dark.losses` as modules.
"""

from dark.nn import init
from dark.nn.activations import (
    ELU, GELU, LeakyReLU, LogSoftmax, ReLU, Sigmoid, SiLU, Softmax, Softplus, Tanh,
)  # fmt: skip
from dark.nn.attention import MultiheadAttention
from dark.nn.batch_norm import BatchNorm1d, BatchNorm2d
from dark.nn.containers import ModuleList, Sequential
from dark.nn.convolution import Conv2d, ConvTranspose2d
from dark.nn.dropout import Dropout
from dark.nn.embedding import Embedding
from dark.nn.flatten import Flatten
from dark.nn.function import Function
from dark.nn.layer_norm import LayerNorm
from dark.nn.linear import Identity, Linear
from dark.nn.losses import (
    BCELoss, BCEWithLogitsLoss, CosineEmbeddingLoss, CrossEntropyLoss, HingeEmbeddingLoss, HingeLoss, HuberLoss,
    KLDivLoss, L1Loss, Loss, MSELoss, MultiMarginLoss, NLLLoss, SmoothL1Loss, TripletMarginLoss,
)  # fmt: skip
from dark.nn.module import Module
from dark.nn.module_dict import ModuleDict
from dark.nn.pooling import AvgPool2d, MaxPool2d, Upsample
from dark.nn.random_state import load_random_state, random_state
from dark.nn.recurrent import GRU, LSTM, RNN
from dark.nn.recurrent_cells import GRUCell, LSTMCell, RNNCell
from dark.nn.state_dict import LoadReport

__all__ = [
    "ELU", "GELU", "GRU", "LSTM", "RNN", "AvgPool2d", "BCELoss", "BCEWithLogitsLoss", "BatchNorm1d", "BatchNorm2d",
    "Conv2d", "ConvTranspose2d", "CosineEmbeddingLoss", "CrossEntropyLoss", "Dropout", "Embedding", "Flatten",
    "Function", "GRUCell", "HingeEmbeddingLoss", "HingeLoss", "HuberLoss", "Identity", "KLDivLoss", "L1Loss",
    "LSTMCell", "LayerNorm", "LeakyReLU", "Linear", "LoadReport", "LogSoftmax", "Loss", "MSELoss", "MaxPool2d",
    "Module", "ModuleDict", "ModuleList", "MultiMarginLoss", "MultiheadAttention", "NLLLoss", "RNNCell", "ReLU",
    "Sequential", "SiLU", "Sigmoid", "SmoothL1Loss", "Softmax", "Softplus", "Tanh", "TripletMarginLoss", "Upsample",
    "init", "load_random_state", "random_state",
]  # fmt: skip
