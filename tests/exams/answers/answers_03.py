# ruff: noqa
"""Right answers to module 03, written differently from the solutions: none of them may fail a check."""

# %% unbroadcast
def unbroadcast(g, shape):
    while np.ndim(g) > len(shape):
        g = np.add.reduce(g, axis=0)
    for axis in range(len(shape)):
        if shape[axis] == 1 and g.shape[axis] != 1:
            g = np.expand_dims(g.sum(axis), axis)
    return g

# %% sum_of
class Sum(Operation):
    def _f(x, axis=None, keepdims=False):
        return np.asarray(x).sum(axis=axis, keepdims=keepdims)

    def _df(dldy, y, x, axis=None, keepdims=False):
        shape = list(np.shape(x))
        if axis is None:
            shape = [1] * len(shape)
        else:
            shape[axis] = 1
        return [np.broadcast_to(np.reshape(dldy, shape), np.shape(x))]


def sum_of(x, axis=None, keepdims=False):
    return Sum.apply(x, keepdims=keepdims, axis=axis)

# %% array_backward
def backward(self):
    arrived = {self: np.ones_like(self.value)}
    for node in topological_order(self)[::-1]:
        if node.op is None or node not in arrived:
            continue
        node.grad = arrived[node]
        for n, piece in zip(node.inputs, node.op.differentiate(node)):
            if not isinstance(n, Constant):
                total = arrived.setdefault(n, np.zeros(np.shape(n.value)))
                arrived[n] = total + unbroadcast(piece, np.shape(n.value))
    for node, gradient in arrived.items():
        if node.op is None:
            node.grad = gradient if node.grad is None else node.grad + gradient


Node.backward = backward

# %% mean
class Mean(Operation):
    @staticmethod
    def _f(x, axis, keepdims):
        return np.mean(x, axis=axis, keepdims=keepdims)

    @staticmethod
    def _df(dldy, y, x, axis, keepdims):
        (spread,) = Sum._df(dldy, y, x, axis=axis, keepdims=keepdims)
        return (spread / (np.size(x) / np.size(y)),)


def mean(x, axis=None, keepdims=False):
    return Mean.apply(x, axis=axis, keepdims=keepdims)

# %% matmul
class MatMul(Operation):
    _f = staticmethod(lambda a, b: np.einsum("ik,kj->ij", a, b))

    @staticmethod
    def _df(dldy, y, a, b):
        along_a = np.dot(b, np.transpose(dldy)).T
        along_b = np.einsum("ik,ij->kj", a, dldy)
        return [along_a, along_b]


def matmul(a, b):
    return MatMul.apply(a, b)

# %% reshape
class Reshape(Operation):
    _f = staticmethod(lambda x, shape: np.asarray(x).copy().reshape(shape))

    @staticmethod
    def _df(dldy, y, x, shape):
        gradient = np.empty(np.shape(x))
        gradient.ravel()[:] = np.ravel(dldy)
        return [gradient]


def reshape(x, shape):
    return Reshape.apply(x, shape=shape)

# %% transpose
class Transpose(Operation):
    @staticmethod
    def _f(x, axes):
        return np.asarray(x).transpose(axes)

    @staticmethod
    def _df(dldy, y, x, axes):
        axes = axes or range(np.ndim(x))[::-1]
        return (np.moveaxis(dldy, range(np.ndim(x)), axes),)


def transpose(x, axes=None):
    return Transpose.apply(x, axes=axes)

# %% take
class Take(Operation):
    @staticmethod
    def _f(x, rows):
        return np.take(x, rows, axis=0)

    @staticmethod
    def _df(dldy, y, x, rows):
        dldx = np.zeros_like(x)
        for place in np.ndindex(*rows.shape):
            dldx[rows[place]] += dldy[place]
        return [dldx]


def take(x, rows):
    return Take.apply(x, rows=np.array(rows, dtype=int).copy())

# %% log_sum_exp
class LogSumExp(Operation):
    @staticmethod
    def _f(x, axis):
        if axis is None:
            return np.logaddexp.reduce(np.ravel(x))
        return np.logaddexp.reduce(x, axis=axis)

    @staticmethod
    def _df(dldy, y, x, axis):
        chances = np.exp(x - np.max(x, axis=axis, keepdims=True))
        chances = chances / chances.sum(axis=axis, keepdims=True)
        return [chances * (dldy if axis is None else np.expand_dims(dldy, axis))]


def log_sum_exp(x, axis=None):
    return LogSumExp.apply(x, axis=axis)
