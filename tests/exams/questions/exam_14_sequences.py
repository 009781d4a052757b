"""Questions of module 14, sequences.

Part of the product: the package ships this file in `dark/_questions`; `dark check` and `dark grade` read it.
Its answers stand in a file of their own.

All weights are set to numbers that are all different, so that parts that are exchanged show. Texts, lanes and positions
differ in number. Nets of the training and of the writing keep what they are asked.
"""

from numbers import Real

import numpy as np

from dark.course.exams import Choice, Exam, Float, Integer, ListOf

exam = Exam("14")


def array(numbers):
    """Make an array of floats."""
    return np.array(numbers, dtype=float)


def plain(thing):
    """Return numbers and arrays in one form each: a 0-d array is a number, integers are floats."""
    if isinstance(thing, (np.ndarray, np.generic)):
        return thing.astype(float) if thing.ndim else float(thing)
    return float(thing) if isinstance(thing, Real) and not isinstance(thing, bool) else thing


def value(thing):
    """Return the value of a node, and anything else as it is."""
    return plain(getattr(thing, "value", thing))


def waves(shape, first=0.0, size=1.0):
    """Make an array of numbers from -size to size that are all different, in no order."""
    return (size * np.sin(first + 1 + 1.7 * np.arange(int(np.prod(shape))))).reshape(shape)


def back(dark, y, *more, **leaves):
    """Send a gradient of a different size to each number of some nodes, and look at values and gradients."""
    total = dark.sum_of(dark.mul(y, waves(np.shape(y.value), 0.3)))
    for k, each in enumerate(more, 1):
        total = dark.add(total, dark.sum_of(dark.mul(each, waves(np.shape(each.value), 0.3 + k))))
    total.backward()
    seen = {"value": value(y)} | {f"value {k}": value(each) for k, each in enumerate(more, 2)}
    return seen | {f"gradient of {name}": plain(leaf.grad) for name, leaf in leaves.items()}


def filled(module, first=0.0, size=0.8):
    """Set each parameter of a module to numbers of its own; return the module."""
    for k, (_, p) in enumerate(sorted(module.named_parameters())):
        p.value = waves(np.shape(p.value), first + 2.3 * k, size)
    return module


def leaves_of(module):
    """Return the parameters of a module by name."""
    return dict(module.named_parameters())


# embedding

IDS = ([0, 2, 2], [[1, 1, 4], [4, 0, 1]], [4], [[[3], [3]], [[0], [3]]], [2, 0, 1, 3], [[0, 0, 0, 0]])


def table_of(first, width=3):
    """Make a table of five rows."""
    return waves((5, width), first, 2.0)


def embedding(dark, first, width=3):
    """Make an embedding whose table is known."""
    made = dark.Embedding(5, width, np.random.default_rng(0))
    made.weight.value = table_of(first, width)
    return made


@exam.question("embedding", points=3)
def rows_by_their_ids(dark, ids: Choice(*IDS), first: Float(-3, 3)):
    """Each id becomes its row; the gradients of all places of an id are added in its row."""
    made = embedding(dark, first)
    seen = back(dark, made(np.array(ids)), weight=made.weight)
    return seen | {"weight afterwards": value(made.weight)}


@exam.question("embedding", points=2)
def a_row_that_occurs_often(dark, row: Integer(0, 4), times: Integer(2, 6), width: Integer(1, 4), first: Float(-3, 3)):
    """A row receives the gradient of each place; a row that does not occur receives 0."""
    made = embedding(dark, first, width)
    return back(dark, made(np.array([[row] * times, [0] * times])), weight=made.weight)


@exam.question("embedding", points=2)
def the_operation_itself(dark, ids: Choice(*IDS), first: Float(-3, 3)):
    """The operation takes ids as a setting, for any table."""
    table = dark.Parameter(table_of(first, 2))
    return back(dark, dark.Rows.apply(table, ids=np.array(ids)), table=table)


@exam.question("embedding")
def ids_in_a_list(dark, ids: ListOf(Integer(0, 4), 1, 5), first: Float(-3, 3)):
    """A list of integers will do, too."""
    made = embedding(dark, first)
    return back(dark, made(ids), weight=made.weight)


@exam.question("embedding")
def two_look_ups(dark, one: ListOf(Integer(0, 4), 1, 4), other: ListOf(Integer(0, 4), 1, 4), first: Float(-3, 3)):
    """A table that is used twice receives both gradients; another table is not touched."""
    made, another = embedding(dark, first), embedding(dark, first + 1)
    seen = back(dark, made(np.array(one)), made(np.array([other])), weight=made.weight, another=another.weight)
    return seen | {"another": value(another(np.array(one)))}


# rnn


def recurrent(dark, first=0.0, hidden=3):
    """Make a recurrent layer of two inputs whose weights are known."""
    return filled(dark.RNN(2, hidden, np.random.default_rng(0)), first)


@exam.question("rnn", points=4)
def the_states_of_all_positions(dark, n: Integer(1, 3), t: Integer(1, 5), first: Float(-3, 3)):
    """From zeros on, each state comes of the input and the state before it; gradients pass all steps."""
    layer, x = recurrent(dark, first), dark.Parameter(waves((n, t, 2), 0.7))
    return back(dark, *layer(x), x=x, **leaves_of(layer))


@exam.question("rnn", points=3)
def a_state_that_is_given(dark, n: Integer(1, 3), t: Integer(1, 4), first: Float(-3, 3), is_node: Choice(True, False)):
    """The state before the first position may be a node, which receives its gradient, or an array."""
    layer, x, before = recurrent(dark, first), dark.Parameter(waves((n, t, 2))), waves((n, 3), first + 0.5)
    before = dark.Parameter(before) if is_node else before
    return back(dark, *layer(x, before), x=x, **({"state": before} if is_node else {}), **leaves_of(layer))


@exam.question("rnn", points=2)
def another_text_begins_anew(dark, n: Integer(1, 3), more: Integer(0, 2), t: Integer(2, 4), first: Float(-3, 3)):
    """Without a state, a text begins with zeros, whatever was read before."""
    layer = recurrent(dark, first)
    texts = waves((n, t, 2)), waves((n + more, t + 1, 2), 0.4), waves((n, t, 2))
    return [[value(each) for each in layer(dark.Constant(text))] for text in texts]


@exam.question("rnn", points=2)
def going_on_from_a_state(dark, n: Integer(1, 2), cut: Integer(1, 3), first: Float(-3, 3)):
    """A text in two parts, the last state handed on with its graph, is the text."""
    layer, x = recurrent(dark, first), dark.Parameter(waves((n, 4, 2)))
    early, state = layer(x[:, :cut])
    late, last = layer(x[:, cut:], state)
    return back(dark, early, late, last, x=x, **leaves_of(layer))


@exam.question("rnn")
def inputs_in_an_array(dark, t: Integer(1, 4), hidden: Integer(1, 4), first: Float(-3, 3)):
    """An array of inputs will do, and any number of hidden ones."""
    layer = recurrent(dark, first, hidden)
    return back(dark, *layer(waves((2, t, 2), first)), **leaves_of(layer))


# truncated_bptt

GRADIENTS = (
    [[3.0], [4.0]], [[[1.0, -2.0], [2.0, 4.0]], [5.0, -1.0, 2.0]], [[0.3, 0.4], None], [None, [[6.0], [8.0]], 2.0],
    [-2.5, [0.0, 1.0]], [[[30.0, 40.0]], [0.1], None],
)  # fmt: skip


def with_gradients(dark, gradients):
    """Make a parameter for each gradient."""
    made = [dark.Parameter(np.zeros(np.shape(1.0 if each is None else each))) for each in gradients]
    for p, each in zip(made, gradients):
        p.grad = None if each is None else array(each) if np.ndim(each) else each
    return made


@exam.question("truncated_bptt", points=3)
def one_factor_for_all(dark, gradients: Choice(*GRADIENTS), largest: Choice(1.0, 0.5, 7.0, 100.0), c: Float(0.5, 2)):
    """The norm of all gradients together is shortened, never lengthened; the old norm comes back."""
    scaled = [None if each is None else (c * array(each)).tolist() for each in gradients]
    parameters = with_gradients(dark, scaled)
    norm = value(dark.clip_norm(parameters, largest))
    return {"norm": norm, "gradients": [plain(p.grad) for p in parameters]}


@exam.question("truncated_bptt")
def an_array_under_two_names(dark, numbers: ListOf(Float(1, 5), 1, 3), largest: Choice(0.5, 1.0)):
    """Two parameters may have one array as gradient; it is not changed itself."""
    parameters, shared = with_gradients(dark, [[1.0] * len(numbers)] * 2), array(numbers)
    for p in parameters:
        p.grad = shared
    norm = value(dark.clip_norm(parameters, largest))
    return {"norm": norm, "gradients": [plain(p.grad) for p in parameters], "the array": shared}


@exam.question("truncated_bptt")
def nothing_to_clip(dark, n: Integer(1, 3), largest: Float(0.5, 2)):
    """Gradients of 0, and no gradients at all, have the norm 0."""
    zeros, none = with_gradients(dark, [[0.0] * n, [[0.0]]]), with_gradients(dark, [None] * n)
    norms = [value(dark.clip_norm(each, largest)) for each in (zeros, none, [])]
    beside = with_gradients(dark, [[2.0 * largest]])
    norms.append(value(dark.clip_norm(beside, largest)))
    return {"norms": norms, "gradients": [plain(p.grad) for p in (*zeros, *none, *beside)]}


CHARACTERS = 3


class Reader:
    """A net with a state that writes down what it is asked; `optimizer` moves it."""

    def __init__(self, dark, first):
        """Make three parameters, with gradients that are left from something else."""
        self.dark, self.chunks, self.states = dark, [], []
        shapes = ((CHARACTERS, CHARACTERS), (1,), (CHARACTERS, CHARACTERS))
        self.weights = [dark.Parameter(waves(shape, first + k, 1.5)) for k, shape in enumerate(shapes)]
        for p in self.weights:
            p.grad = np.full(p.value.shape, 7.0)
        self.optimizer = Steps(self.weights)

    def __call__(self, ids, state=None):
        """Return logits, which look at the character and at the state, and the state after the chunk."""
        dark, (w, u, v) = self.dark, self.weights
        self.chunks.append(np.array(ids).tolist())
        self.states.append(None if state is None else value(state))
        x = np.eye(CHARACTERS)[ids]
        before = np.zeros((len(ids), CHARACTERS)) if state is None else state
        state = dark.tanh(dark.add(dark.mul(before, u), dark.matmul(x.mean(axis=1), v)))
        shared = dark.reshape(state, (len(ids), 1, CHARACTERS))
        return dark.add(dark.matmul(x, w), shared), state


class Steps:
    """An optimizer that writes down the gradients of its steps."""

    def __init__(self, parameters, lr=0.5):
        """Keep the parameters and the learning rate."""
        self.parameters, self.lr, self.seen = parameters, lr, []

    def zero_grad(self):
        """Forget all gradients."""
        for p in self.parameters:
            p.grad = None

    def step(self):
        """Write the gradients down, and move."""
        self.seen.append([plain(p.grad) for p in self.parameters])
        for p in self.parameters:
            p.value = p.value - self.lr * p.grad


def lane_ids(lanes, length, first):
    """Make ids (lanes, length) of three characters."""
    return (np.arange(lanes * length) * 5 // 3 + np.arange(lanes * length) // 4 + first).reshape(lanes, length) % 3


def trained(dark, lanes, length, size, largest, first):
    """Train a net; return its losses, what it was asked, and the gradients of each step."""
    reader = Reader(dark, first)
    losses = dark.train_lanes(reader, reader.optimizer, lane_ids(lanes, length, int(abs(first))), size, largest)
    kinds = sorted({type(each).__name__ for each in losses}) if isinstance(losses, list) else type(losses).__name__
    if not isinstance(losses, list) or not set(kinds) <= {"float", "float64"}:
        return {"losses": f"of class {type(losses).__name__}, of {kinds}"}
    seen = {"losses": array(losses)}
    asked = {"chunks": reader.chunks, "states": reader.states, "steps": reader.optimizer.seen}
    return seen | asked | {"weights": [value(p) for p in reader.weights]}


@exam.question("truncated_bptt", points=4)
def chunk_by_chunk(dark, lanes: Integer(1, 3), chunks: Integer(2, 4), size: Integer(1, 3), first: Float(-3, 3)):
    """Each chunk is one step; the state goes on as a value, and no gradient reaches an earlier chunk."""
    return trained(dark, lanes, chunks * size + 1, size, 1000.0, first)


@exam.question("truncated_bptt", points=2)
def a_last_chunk_that_is_shorter(dark, lanes: Integer(1, 2), length: Choice(6, 8, 3), first: Float(-3, 3)):
    """Each id but the last is read, each but the first is predicted, once."""
    return trained(dark, lanes, length, 4, 1000.0, first)


@exam.question("truncated_bptt", points=3)
def clipped_before_the_step(dark, largest: Choice(0.05, 0.2), chunks: Integer(2, 3), first: Float(-3, 3)):
    """The gradient of all parameters together is clipped, after backward and before the step."""
    return trained(dark, 2, chunks * 2 + 1, 2, largest, first)


@exam.question("truncated_bptt")
def another_text(dark, first: Float(-3, 3), size: Integer(2, 3)):
    """A second training begins without a state, and leaves the ids as they are."""
    reader, ids = Reader(dark, first), lane_ids(2, 7, 1)
    for _ in range(2):
        dark.train_lanes(reader, reader.optimizer, ids, size, 1.0)
    return {"states": reader.states, "ids": ids.tolist(), "weights": [value(p) for p in reader.weights]}


# attention

FRONTS = ([], [2], [2, 3], [1, 2])


def questions_and_answers(dark, front, queries, keys, first, d=4, m=3):
    """Make a query, key and value for some positions."""
    shapes = ((*front, queries, d), (*front, keys, d), (*front, keys, m))
    return [dark.Parameter(waves(shape, first + k, 1.5)) for k, shape in enumerate(shapes)]


@exam.question("attention", points=3)
def scaled_scores(
    dark, front: Choice(*FRONTS), queries: Integer(1, 4), keys: Integer(1, 4), d: Integer(1, 5), first: Float(-3, 3)
):
    """A score for each query and key: their product over the root of the length of a key."""
    q, k, _ = questions_and_answers(dark, front, queries, keys, first, d)
    return back(dark, dark.attention_scores(q, k), q=q, k=k)


@exam.question("attention", points=4)
def a_mean_of_values(dark, front: Choice(*FRONTS), queries: Integer(1, 4), keys: Integer(1, 4), first: Float(-3, 3)):
    """The answer to a query is the mean of the values, weighted by a softmax over the keys."""
    q, k, v = questions_and_answers(dark, front, queries, keys, first)
    return back(dark, dark.attention(q, k, v), q=q, k=k, v=v)


@exam.question("attention")
def as_many_queries_as_keys(dark, n: Integer(2, 4), m: Integer(1, 4), first: Float(-3, 3)):
    """Queries and keys are not exchanged where their number is the same."""
    q, k, v = questions_and_answers(dark, [2], n, n, first, m=m)
    return back(dark, dark.attention(q, k, v), q=q, k=k, v=v)


@exam.question("attention")
def scores_of_any_size(dark, c: Choice(1e4, -1e4, 1e-6), first: Float(-3, 3)):
    """Large scores choose one value; small ones give the plain mean."""
    q, k, v = (dark.Parameter(waves(shape, first + j)) for j, shape in enumerate(((2, 2), (3, 2), (3, 2))))
    return value(dark.attention(dark.mul(q, c), k, v))


@exam.question("attention")
def keys_in_arrays(dark, front: Choice(*FRONTS), first: Float(-3, 3)):
    """Arrays will do; the query receives its gradient."""
    q, k, v = questions_and_answers(dark, front, 2, 3, first)
    return back(dark, dark.attention(q, k.value, v.value), dark.attention_scores(q, k.value), q=q)


# causal_mask

SIZES = ([4, 4], [1, 5], [2, 5], [1, 1], [3, 4], [5, 2], [3, 1], [2, 2], [1, 7])


@exam.question("causal_mask", points=3)
def who_may_see_whom(dark, sizes: Choice(*SIZES), more: Integer(0, 3)):
    """A query sees its own position and those before; queries are the last of the positions."""
    found = [dark.causal(queries, keys + more) for queries, keys in (sizes, [1, 2], [2, 3])]
    are_bools = [isinstance(each, np.ndarray) and each.dtype == bool for each in found]
    return {"allowed": [np.array(each, dtype=float) for each in found], "are arrays of bools": are_bools}


ALLOWED = (
    [[1, 0, 0], [1, 1, 0]], [[0, 1, 1], [1, 0, 1]], [[0, 0, 1], [1, 1, 1]], [[1, 0, 1], [0, 1, 0]],
    [[0, 1, 0], [0, 0, 1]],
)  # fmt: skip


def masked(dark, x, allowed):
    """Compute a masked softmax of numbers, with the gradients."""
    x = dark.Parameter(x)
    return back(dark, dark.masked_softmax(x, np.array(allowed, dtype=bool)), x=x)


@exam.question("causal_mask", points=3)
def shares_of_what_is_allowed(dark, allowed: Choice(*ALLOWED), first: Float(-3, 3), size: Choice(1.0, 5.0)):
    """Weights of what is allowed add up to 1; what is not has the weight 0, and receives nothing."""
    return masked(dark, waves((2, 3), first, size), allowed)


@exam.question("causal_mask", points=3)
def a_row_without_anything(dark, first: Float(-3, 3), which: Integer(0, 2), size: Choice(1.0, 300.0)):
    """A row that allows nothing becomes zeros, without nan; the others stay what they are."""
    allowed = np.array([[1, 0, 1, 0], [0, 1, 1, 1], [1, 1, 1, 1]], dtype=bool)
    allowed[which] = False
    return [masked(dark, waves((3, 4), first, size), each) for each in (allowed, np.zeros((3, 4)))]


@exam.question("causal_mask")
def a_mask_for_all_examples(dark, allowed: Choice(*ALLOWED), front: Choice([2], [2, 3]), first: Float(-3, 3)):
    """The mask is broadcast over the axes in front, and over queries."""
    x = waves((*front, 2, 3), first)
    return [masked(dark, x, allowed), masked(dark, x, allowed[:1]), masked(dark, x[..., :1, :], allowed[1])]


@exam.question("causal_mask")
def large_scores_that_are_not_allowed(dark, allowed: Choice(*ALLOWED), c: Choice(1e3, -1e3, 1e6), first: Float(-3, 3)):
    """However large a score is, it counts only where it is allowed."""
    off = ~np.array(allowed, dtype=bool)
    return masked(dark, waves((2, 3), first) + c * off, allowed)


# multi_head

HEADS = ([2, 4], [1, 3], [3, 6], [2, 6], [4, 4])  # heads and width


@exam.question("multi_head", points=2)
def cut_into_heads(dark, heads: Choice(*HEADS), n: Integer(1, 2), t: Integer(1, 3), first: Float(-3, 3)):
    """The first numbers of each position belong to head 0, the next ones to head 1."""
    number, width = heads
    x = dark.Parameter(waves((n, t, width), first))
    return back(dark, dark.split_heads(x, number), x=x)


@exam.question("multi_head", points=2)
def joined_again(dark, heads: Choice(*HEADS), n: Integer(1, 2), t: Integer(1, 3), first: Float(-3, 3)):
    """The numbers of all heads lie side by side again, position by position."""
    number, width = heads
    x = dark.Parameter(waves((n, number, t, width // number), first))
    return back(dark, dark.join_heads(x), x=x)


def heads_of(dark, heads, width, first=0.0):
    """Make a layer whose weights are known."""
    return filled(dark.MultiHeadAttention(width, heads, np.random.default_rng(0)), first)


@exam.question("multi_head", points=4)
def attention_of_all_heads(dark, heads: Choice(*HEADS), n: Integer(1, 2), t: Integer(2, 4), first: Float(-3, 3)):
    """All heads' answers pass the last layer; no position sees a later one; the weights are kept."""
    layer, x = heads_of(dark, *heads, first), dark.Parameter(waves((n, t, heads[1]), 0.4, 2.0))
    seen = back(dark, layer(x), x=x, **leaves_of(layer))
    return seen | {"weights": value(layer.weights), "are an array": isinstance(layer.weights, np.ndarray)}


@exam.question("multi_head", points=3)
def in_pieces_with_a_cache(dark, heads: Choice(*HEADS), cut: Integer(1, 3), n: Integer(1, 2), first: Float(-3, 3)):
    """New positions see the positions in the cache; a second text has a cache of its own."""
    layer, x = heads_of(dark, *heads, first), waves((n, 4, heads[1]), first, 2.0)
    seen = []
    for text in (x, x[:, ::-1]):
        cache = dark.Cache()
        for part in (text[:, :cut], text[:, cut:]):
            seen += [value(layer(dark.Constant(part), cache)), value(layer.weights)]
    return seen


@exam.question("multi_head")
def two_layers_and_one_cache(dark, heads: Choice(*HEADS), first: Float(-3, 3)):
    """Each layer has its own place in a cache; without one, nothing is remembered."""
    layers, cache = [heads_of(dark, *heads, first + k) for k in range(2)], dark.Cache()
    parts = [dark.Constant(waves((1, 2, heads[1]), first + k)) for k in range(2)]
    seen = [value(layer(part, cache)) for part in parts for layer in layers]
    return [*seen, *(value(layers[0](part)) for part in parts)]


# layer_norm


def norm_of(dark, width, eps, first):
    """Make a layer whose weight and bias are known."""
    return filled(dark.LayerNorm(width) if eps is None else dark.LayerNorm(width, eps), first, 1.5)


@exam.question("layer_norm", points=3)
def each_position_by_itself(
    dark, n: Integer(1, 3), t: Integer(1, 3), width: Integer(2, 5), eps: Choice(0.5, 1e-5, 2.0), first: Float(-3, 3)
):
    """Mean and variance are computed over a position's features, with eps below the root; then weight and bias."""
    layer, x = norm_of(dark, width, eps, first), dark.Parameter(waves((n, t, width), first, 3.0))
    return back(dark, layer(x), x=x, **leaves_of(layer))


@exam.question("layer_norm")
def axes_in_front(dark, shape: Choice([3], [2, 3], [2, 3, 2, 3]), first: Float(-3, 3)):
    """A position may be alone, or have any axes in front."""
    layer, x = norm_of(dark, 3, 0.25, first), dark.Parameter(waves(shape, first, 2.0))
    return back(dark, layer(x), x=x, **leaves_of(layer))


@exam.question("layer_norm")
def at_the_beginning(dark, width: Integer(2, 5), first: Float(-3, 3)):
    """The weight is 1 and the bias 0, a number for each feature; eps is small if it is not given."""
    layer = dark.LayerNorm(width)
    seen = {name: value(p) for name, p in sorted(layer.named_parameters())}
    tiny = waves((2, width), first, 1e-3)
    return seen | {"value": value(layer(dark.Constant(tiny)))}


@exam.question("layer_norm", points=2)
def the_same_in_any_company(dark, t: Integer(1, 3), first: Float(-3, 3)):
    """Alone or among others, in training mode or not, before and after other calls: the same result."""
    layer, x = norm_of(dark, 3, 1e-3, first), waves((2, t, 3), first, 2.0)
    together = value(layer(dark.Constant(x)))
    alone = [value(layer(dark.Constant(x[:1, k : k + 1]))) for k in range(t)]
    layer.train(False)
    return {"together": together, "alone": alone, "evaluation": value(layer(dark.Constant(x)))}


# block


def block_of(dark, first, heads=2, width=4):
    """Make a block whose weights are known."""
    return filled(dark.Block(width, heads, np.random.default_rng(0)), first, 0.6)


@exam.question("block", points=4)
def both_parts_and_ways_around(dark, n: Integer(1, 2), t: Integer(1, 3), first: Float(-3, 3)):
    """Attention of the normalized input is added to it, then the perceptron of the normalized sum."""
    block, x = block_of(dark, first), dark.Parameter(waves((n, t, 4), first, 2.0))
    return back(dark, block(x), x=x, **leaves_of(block))


@exam.question("block", points=2)
def parts_that_say_nothing(dark, part: Choice("attention", "perceptron", "both"), first: Float(-3, 3)):
    """Where a part adds 0, its input goes on as it is, unnormalized; the gradient comes back as it is."""
    block, x = block_of(dark, first), dark.Parameter(waves((2, 2, 4), first, 2.0))
    quiet = {"attention": [block.attention.out], "perceptron": [block.down]}
    for layer in quiet.get(part, [*quiet["attention"], *quiet["perceptron"]]):
        layer.weight.value, layer.bias.value = 0 * layer.weight.value, 0 * layer.bias.value
    return back(dark, block(x), x=x)


@exam.question("block", points=2)
def what_the_attention_is_asked(dark, t: Integer(1, 3), first: Float(-3, 3), with_cache: Choice(True, False)):
    """The attention gets the first norm's result, and the cache; the result is used once."""
    block, asked, given = block_of(dark, first), [], object()

    def forward(self, x, cache=None):
        asked.append([value(x), cache is given])
        return dark.mul(x, 0.5)

    block.attention = type("Spy", (dark.Module,), {"forward": forward})()
    x = dark.Parameter(waves((1, t, 4), first, 2.0))
    y = block(x, given) if with_cache else block(x)
    return {"asked": asked} | back(dark, y, x=x)


@exam.question("block")
def a_block_with_a_cache(dark, cut: Integer(1, 3), first: Float(-3, 3)):
    """In pieces with a cache, a text has the same result as at once."""
    block, x, cache = block_of(dark, first), waves((1, 4, 4), first, 2.0), dark.Cache()
    return [value(block(dark.Constant(part), cache)) for part in (x[:, :cut], x[:, cut:])]


# generate


class Writer:
    """A net whose logits depend on all ids that a cache has seen; it keeps them, a list for each cache."""

    def __init__(self, dark, first, context=6, size=2.0):
        """Keep the settings; nothing is read yet."""
        self.dark, self.first, self.context, self.size, self.read = dark, first, context, size, []

    def __call__(self, ids, cache):
        """Return logits (1, t, 11) for new ids (1, t)."""
        ids = np.array(ids)
        if "ids" not in cache.kept:
            cache.kept["ids"] = []
            self.read.append(cache.kept["ids"])
        seen, rows = cache.kept["ids"], []
        for each in ids[0]:
            seen.append(int(each))
            code = self.first + sum((k + 1.3) * (c + 1) for k, c in enumerate(seen))
            rows.append(self.size * np.cos(code * np.arange(1, 12)))
        cache.length += ids.shape[1]
        return self.dark.Constant(array([rows]))


def written(dark, writer, given, count, seed, *temperature):
    """Generate a text; return it, and what was read by which cache."""
    writer.read = []
    found = dark.generate(writer, given, count, np.random.default_rng(seed), *temperature)
    is_list = isinstance(found, list)
    ids = [int(each) for each in found] if is_list else type(found).__name__
    return {"ids": ids, "read": [list(each) for each in writer.read]}


GIVEN = ListOf(Integer(0, 10), 3, 5)


@exam.question("generate", points=4)
def a_text_within_the_context(dark, given: GIVEN, count: Integer(3, 6), seed: Integer(0, 99), first: Float(-3, 3)):
    """Each id is drawn after all before it, and read once; the last one is not read."""
    return written(dark, Writer(dark, first, context=12), given, count, seed)


@exam.question("generate", points=4)
def colder_and_warmer(
    dark, given: GIVEN, temperature: Choice(0.5, 2.0, 0.001, 5.0), seed: Integer(0, 99), first: Float(-3, 3)
):
    """Logits are divided by the temperature; a low one takes the largest, without overflow."""
    return written(dark, Writer(dark, first, context=12), given, 6, seed, temperature)


@exam.question("generate", points=4)
def beyond_the_context(
    dark, given: ListOf(Integer(0, 10), 1, 9), context: Choice(4, 5, 6), count: Integer(5, 12), seed: Integer(0, 99),
    first: Float(-3, 3),
):  # fmt: skip
    """When the next reading would not fit, a new cache reads the last half of a context, and no sooner."""
    return written(dark, Writer(dark, first, context), given, count, seed)


@exam.question("generate", points=2)
def one_text_after_another(dark, given: GIVEN, other: GIVEN, seed: Integer(0, 99), first: Float(-3, 3)):
    """A second text knows nothing of the first; what was given stays as it was."""
    writer, before = Writer(dark, first), list(given)
    texts = [written(dark, writer, each, 4, seed) for each in (before, other, np.array(given))]
    return {"texts": texts, "given": before}


@exam.question("generate")
def one_generator_for_two_texts(dark, given: GIVEN, seed: Integer(0, 99), first: Float(-3, 3)):
    """Draws come from the given generator, one for each id; none for no id."""
    rng, writer = np.random.default_rng(seed), Writer(dark, first, 12)
    texts = [[int(each) for each in dark.generate(writer, given, count, rng)] for count in (3, 0, 3)]
    return {"texts": texts, "next": float(rng.random())}


# repairs of "Find the bug"; they earn no points


@exam.repair("published_causal_attention")
def the_newest_sees_all(dark, queries: Integer(1, 4), more: Integer(0, 4), front: Choice(*FRONTS), first: Float(-3, 3)):
    """Queries are the last of the positions: the newest sees all keys, in training and with a cache."""
    q, k, v = questions_and_answers(dark, front, queries, queries + more, first)
    return value(dark.published_causal_attention(q, k, v))
