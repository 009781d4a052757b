"""MyGrad, NumPy with gradients, made for teaching; it has no Adam."""

from dataclasses import dataclass

import mygrad as mg
import numpy as np
from mygrad import nnet

from benchmarks.rivals.tape import Tape
from benchmarks.rivals.tools import Adam


@dataclass(frozen=True)
class MyGrad(Tape):
    """MyGrad's primitives, and what needs more of them."""

    def A6(self, spec):
        """Run a transformer block with the norm before each part."""
        names = ("qkv", "o", "f1", "f2", "ln1", "ln2")
        p = {name: self.parameters(spec[name]) for name in names}
        x, target, heads, (b, t, d) = self.constant(spec["x"]), spec["t"], spec["heads"], spec["x"].shape
        scale = np.float32((d // heads) ** -0.5)

        def norm(x, gain, shift):
            x = x - mg.mean(x, axis=-1, keepdims=True)
            return x / mg.sqrt(mg.mean(x * x, axis=-1, keepdims=True) + np.float32(1e-5)) * gain + shift

        def attend(x):
            parts = self.linear(x, *p["qkv"]).reshape(b, t, 3, heads, d // heads)
            q, k, v = mg.transpose(parts, (2, 0, 3, 1, 4))  # each (b, heads, t, d / heads)
            shares = nnet.softmax(mg.matmul(q, mg.swapaxes(k, -1, -2)) * scale)
            y = mg.transpose(mg.matmul(shares, v), (0, 2, 1, 3)).reshape(b, t, d)
            return self.linear(y, *p["o"])

        def forward():
            y = x + attend(norm(x, *p["ln1"]))
            y = y + self.linear(nnet.relu(self.linear(norm(y, *p["ln2"]), *p["f1"])), *p["f2"])
            return mg.mean((y - target) ** 2)

        step, _ = self.measured([a for pair in p.values() for a in pair], forward)
        return step, lambda: [p["qkv"][0].grad, p["f1"][0].grad]


def adam(parameters, lr, betas):
    move = Adam([p.data for p in parameters], lr, betas)
    return lambda: move([p.grad for p in parameters])


peer = MyGrad(
    parameter=mg.tensor,
    constant=lambda array: mg.tensor(array, constant=True, copy=False),
    gradient=lambda p: p.grad,
    clear=lambda parameters: None,  # a gradient is forgotten when its parameter is used again
    adam=adam,
    linear=lambda x, w, b: mg.matmul(x, w) + b,
    convolve=lambda x, w, b: nnet.conv_nd(x, w, stride=1, padding=1) + b.reshape(-1, 1, 1),
    pool=lambda x: nnet.max_pool(x, (2, 2), 2),
    cross_entropy=nnet.softmax_crossentropy,
    bce=lambda x, is_real: mg.mean(mg.logaddexp(np.float32(0), x) - is_real * x),
    relu=nnet.relu,
    tanh=mg.tanh,
    exp=mg.exp,
    sigmoid=nnet.sigmoid,
    leaky_relu=nnet.leaky_relu,
    mean=mg.mean,
)
