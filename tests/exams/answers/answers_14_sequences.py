"""Answers of module 14, sequences: what only the judge reads.

Part of the product: the package ships this file in `dark/_answers`.
"""

import numpy as np

import dark
from dark.course.exams.answers import Answers

answers = Answers("14")

# the reference: parts of `dark` that its facade does not hold, and what has other names or signatures there

answers.reference(dark.nn.Module)


@answers.reference
def sum_of(x, axis=None, keepdims=False):
    """Compute the sum along an axis, or of all."""
    return dark.sum(x, axis, keepdims)


@answers.reference
class Rows:
    """A product with one-hot rows."""

    @staticmethod
    def apply(table, ids):
        """Compare ids with all rows."""
        one_hot = np.equal.outer(np.asarray(ids), np.arange(table.shape[0])).astype(float)
        return dark.matmul(one_hot, table)


@answers.reference
class Embedding(dark.nn.Module):
    """A table."""

    def __init__(self, count, width, rng):
        super().__init__()
        self.weight = dark.Parameter(rng.normal(size=(count, width)))

    def forward(self, ids):
        """Look up."""
        return Rows.apply(self.weight, ids)


@answers.reference
class RNN(dark.nn.Module):
    """Two linear layers, unrolled."""

    def __init__(self, width, hidden, rng):
        super().__init__()
        self.of_input, self.of_state = dark.nn.Linear(width, hidden, seed=rng), dark.nn.Linear(hidden, hidden, seed=rng)

    def forward(self, x, state=None):
        """Go through the positions."""
        pushes = self.of_input(x)
        states = [np.zeros((pushes.shape[0], pushes.shape[2])) if state is None else state]
        for k in range(pushes.shape[1]):
            states.append(dark.tanh(pushes[:, k] + self.of_state(states[-1])))
        return dark.stack(states[1:], 1), states[-1]


@answers.reference
def clip_norm(parameters, largest):
    """Scale what is too long."""
    gradients = [np.ravel(p.grad) for p in parameters if p.grad is not None]
    norm = float(np.linalg.norm(np.concatenate(gradients))) if gradients else 0.0
    for p in parameters:
        if p.grad is not None and norm > largest:
            p.grad = np.multiply(p.grad, largest / norm)
    return norm


@answers.reference
def train_lanes(net, optimizer, ids, size, largest):
    """Cut the lanes where a chunk begins."""
    state, losses = None, []
    for begin in range(0, ids.shape[1] - 1, size):
        chunk = ids[:, begin : begin + size + 1]
        optimizer.zero_grad()
        logits, state = net(chunk[:, :-1], state)
        loss = dark.losses.cross_entropy(dark.reshape(logits, (-1, logits.shape[-1])), chunk[:, 1:].ravel())
        loss.backward()
        clip_norm(optimizer.parameters, largest)
        optimizer.step()
        losses.append(loss.item())
        state = np.array(state.value)
    return losses


@answers.reference
def attention_scores(q, k):
    """Multiply all pairs."""
    return dark.matmul(q, dark.swapaxes(k, -1, -2)) / k.shape[-1] ** 0.5


@answers.reference
def attention(q, k, v):
    """Let the softmax of the scores weigh the values."""
    return dark.matmul(dark.softmax(attention_scores(q, k), -1), v)


@answers.reference
def causal(queries, keys):
    """Cut the last rows off a square."""
    return np.tri(queries, keys, keys - queries, dtype=bool)


@answers.reference
def masked_softmax(x, allowed):
    """Divide exponentials of what is allowed by their sum, if there is any."""
    allowed = np.broadcast_to(allowed, x.shape)
    largest = np.where(allowed, x.value, -np.inf).max(-1, keepdims=True)
    largest = np.where(np.isfinite(largest), largest, 0.0)
    e = dark.exp(dark.where(allowed, x - largest, 0.0)) * allowed
    return e / (dark.sum(e, -1, keepdims=True) + ~allowed.any(-1, keepdims=True))


def masked_attention(q, k, v, allowed):
    """Return answers and weights."""
    weights = masked_softmax(attention_scores(q, k), allowed)
    return dark.matmul(weights, v), weights


@answers.reference
class Cache:
    """Keys and values by layer."""

    def __init__(self):
        self.length, self.kept = 0, {}

    def remember(self, layer, k, v):
        """Append, and return all."""
        old = self.kept.get(layer)
        new = (k.value, v.value)
        self.kept[layer] = new if old is None else tuple(np.concatenate(pair, axis=2) for pair in zip(old, new))
        return tuple(map(dark.Constant, self.kept[layer]))


@answers.reference
def split_heads(x, heads):
    """Cut the last axis, and put the heads in front of the positions."""
    n, t, width = x.shape
    return dark.swapaxes(dark.reshape(x, (n, t, heads, width // heads)), 1, 2)


@answers.reference
def join_heads(x):
    """Go the same way back."""
    return dark.reshape(dark.swapaxes(x, 1, 2), (x.shape[0], x.shape[2], -1))


@answers.reference
class MultiHeadAttention(dark.nn.Module):
    """Heads between linear layers."""

    def __init__(self, width, heads, rng):
        super().__init__()
        self.heads = heads
        for name in ("queries", "keys", "values", "out"):
            setattr(self, name, dark.nn.Linear(width, width, seed=rng))

    def forward(self, x, cache=None):
        """Ask all heads."""
        q, k, v = (split_heads(layer(x), self.heads) for layer in (self.queries, self.keys, self.values))
        if cache is not None:
            k, v = cache.remember(self, k, v)
        y, weights = masked_attention(q, k, v, causal(q.shape[2], k.shape[2]))
        self.weights = weights.value
        return self.out(join_heads(y))


@answers.reference
class LayerNorm(dark.nn.Module):
    """Layer normalization of operations."""

    def __init__(self, width, eps=1e-5):
        super().__init__()
        self.weight, self.bias, self.eps = dark.Parameter(np.ones(width)), dark.Parameter(np.zeros(width)), eps

    def forward(self, x):
        """Normalize the last axis."""
        centered = x - dark.mean(x, -1, keepdims=True)
        variance = dark.mean(centered * centered, -1, keepdims=True)
        return centered / dark.sqrt(variance + self.eps) * self.weight + self.bias


@answers.reference
class Block(dark.nn.Module):
    """Two residual parts."""

    def __init__(self, width, heads, rng):
        super().__init__()
        self.norm1, self.norm2 = LayerNorm(width), LayerNorm(width)
        self.attention = MultiHeadAttention(width, heads, rng)
        self.up, self.down = dark.nn.Linear(width, 4 * width, seed=rng), dark.nn.Linear(4 * width, width, seed=rng)

    def forward(self, x, cache=None):
        """Add both."""
        between = x + self.attention(self.norm1(x), cache)
        return between + self.down(dark.relu(self.up(self.norm2(between))))


@answers.reference
def generate(net, ids, count, rng, temperature=1.0):
    """Write, with the unread ids in a list of their own."""
    text = [int(each) for each in ids]
    cache, unread = Cache(), list(text)
    while count > 0:
        if cache.length + len(unread) > net.context:
            cache, unread = Cache(), text[len(text) - net.context // 2 :]
        logits = net(np.array(unread)[None], cache).value[0][-1]
        scaled = (logits - logits.max()) / temperature
        p = np.exp(scaled) / np.exp(scaled).sum()
        text.append(int(rng.choice(len(p), p=p)))
        unread, count = [text[-1]], count - 1
    return text


# predictions


@answers.prediction("14.0a")
def bits_of_guessing(dark):
    """6: two to the power of 6 is 64. Cross-entropy in bits is the logarithm to the base 2."""
    return 6


@answers.prediction("14.1a")
def two_places(dark):
    """2: the row of "a" is taken at two places, and each sends its gradient of 1."""
    return 2


@answers.prediction("14.2a")
def halved_twice(dark):
    """The state is 1, then 0.5, then 0.25: what is not repeated fades."""
    return 0.25


@answers.prediction("14.2b")
def the_same_direction(dark):
    """The norm is 5, so both are divided by 5: 0.6 and 0.8. Clipped each by itself, both would be 1."""
    return 3 / 5


@answers.prediction("14.3a")
def the_root_of_their_number(dark):
    """The variances of 64 products add up to 64; the root is 8. Divided by it, scores have the size 1."""
    return 8


@answers.prediction("14.3b")
def a_triangle(dark):
    """Position k sees k positions: 1 + 2 + … + 16 = 136."""
    return sum(range(1, 17))


@answers.prediction("14.4a")
def the_same_layers(dark):
    """0: the four layers are the same; only how their numbers are divided is not."""
    return 0


@answers.prediction("14.4b")
def the_way_around(dark):
    """3: both parts add 0, and no norm stands on the way around."""
    return 3


@answers.prediction("14.5a")
def a_bag_of_characters(dark):
    """False: the c asks the same keys and values in either case, and a weighted mean does not know their order."""
    return False


@answers.prediction("14.5b")
def a_squared_ratio(dark):
    """Twice the difference of the logits is the square of the ratio: 9."""
    return 3**2


@answers.prediction("14.6a")
def only_the_first(dark):
    """1: the triangle begins at the upper left, and the only row is its first."""
    return 1


@answers.prediction("14.7a")
def the_old_network(dark):
    """The recurrent network, by a little, on five of six seeds. What attention is for stands below."""
    return "recurrent"


# repairs of "Find the bug"; they earn no points


@answers.reference
def published_causal_attention(q, k, v):
    """Align the triangle with the last key."""
    return masked_attention(q, k, v, causal(q.shape[-2], k.shape[-2]))[0]
