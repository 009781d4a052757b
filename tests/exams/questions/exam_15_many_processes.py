"""Questions of module 15, many processes.

Part of the product: the package ships this file in `dark/_questions`; `dark check` and `dark grade` read it.
Its answers stand in a file of their own.

No process is started: ranks are generators, connections and clocks are played. Numbers that cancel each other make the
order of a sum visible: a 1 added to 10**16 is lost.
"""

from itertools import pairwise
from numbers import Real

import numpy as np

from dark.course.exams import Choice, Exam, Float, Integer, ListOf

exam = Exam("15")


def array(numbers):
    """Make an array of floats."""
    return np.array(numbers, dtype=float)


def plain(thing):
    """Return numbers and arrays in one form each: a 0-d array is a number, numbers are floats."""
    if isinstance(thing, (np.ndarray, np.generic)):
        return thing.astype(float) if thing.ndim else float(thing)
    return float(thing) if isinstance(thing, Real) and not isinstance(thing, bool) else thing


def value(thing):
    """Return the value of a node, and anything else as it is."""
    return plain(getattr(thing, "value", thing))


def cancelling(count, seed, columns=24):
    """Make rows of numbers whose sum depends on the order: large ones of both signs, and small ones."""
    rng = np.random.default_rng([seed, count])
    return rng.choice([1e16, -1e16, 1e16, -1e16, 1.0, 2.0, 3.0, -5.0], size=(count, columns))


def outcome(function, *args):
    """Return what a function returns, or "ValueError"."""
    try:
        return function(*args)
    except ValueError:
        return "ValueError"


# shard

PAIRS = ((10, 4), (3, 5), (13, 3), (8, 8), (9, 2), (1, 1), (14, 6))  # of things and parts


@exam.question("shard", points=3)
def rows_of_each_shard(dark, rows: Integer(1, 30), shards: Integer(1, 9)):
    """Always as many shards as asked for, in order, the larger ones first."""
    seen = {}
    for n, k in (*PAIRS, (rows, shards)):
        parts = dark.shard((np.arange(n),), k)
        seen[f"{n} rows, {k} shards"] = [len(parts)] + [plain(parts[i][0]) for i in range(len(parts))]
    return seen


@exam.question("shard", points=2)
def the_same_rows_of_each_array(dark, rows: Integer(2, 12), shards: Integer(1, 5), first: Float(-3, 3)):
    """Each shard is a tuple with its rows of every array, whatever their shapes and dtypes."""
    x, y = first + np.arange(3.0 * rows).reshape(rows, 3), np.arange(rows) % 3
    images = np.arange(4.0 * rows).reshape(rows, 2, 2)
    parts = dark.shard((x, y, images), shards)
    kinds = [isinstance(part, tuple) and all(isinstance(each, np.ndarray) for each in part) for part in parts]
    dtypes = sorted({each.dtype.kind for part in parts for each in part})
    return {"tuples of arrays": kinds, "shards": [[plain(each) for each in part] for part in parts], "dtypes": dtypes}


@exam.question("shard", points=3)
def shards_of_each_rank(dark, shards: Integer(1, 20), ranks: Integer(1, 9)):
    """Neighbors, the larger shares first; a rank for which nothing is left has none."""
    asked = (*PAIRS, (shards, ranks))
    return {f"{n} shards, {k} ranks": [[int(i) for i in dark.owned(r, k, n)] for r in range(k)] for n, k in asked}


@exam.question("shard", points=2)
def a_batch_on_any_number_of_ranks(dark, rows: Integer(1, 30), shards: Integer(1, 8)):
    """The ranks together have each row once, in shards that do not depend on their number."""
    parts, seen = dark.shard((np.arange(rows),), shards), {}
    for ranks in (1, 2, 3, 9):
        own = [[plain(parts[k][0]) for k in dark.owned(rank, ranks, shards)] for rank in range(ranks)]
        seen[f"{ranks} ranks"] = [each for rank in own for each in rank]
    return seen


# local_loss

ROWS = ListOf(Float(-3, 3), 1, 5)


def game(dark, w=2.0):
    """Make a parameter, and a loss: the mean of x · w, written down call by call."""
    weight, calls = dark.Parameter(array([[w]])), []

    def loss_of(*arrays):
        calls.append([plain(each) for each in arrays])
        return dark.mean(dark.mul(dark.matmul(arrays[0], weight), array(len(arrays))))

    return weight, loss_of, calls


def column(numbers):
    """Make an array with a single column."""
    return array(numbers).reshape(-1, 1)


@exam.question("local_loss", points=3)
def the_share_of_a_shard(dark, numbers: ROWS, others: Integer(0, 9), w: Float(0.5, 3)):
    """The mean over the shard counts by its rows; so does the gradient."""
    weight, loss_of, _ = game(dark, w)
    y = dark.local_loss(loss_of, (column(numbers),), len(numbers) + others)
    y.backward()
    return {"share": value(y), "shape": list(np.shape(y.value)), "gradient": plain(weight.grad)}


@exam.question("local_loss", points=2)
def shares_of_all_shards(dark, numbers: ROWS, more: ROWS, last: Float(-3, 3)):
    """Of unequal shards, one of them empty, the shares add up to the mean of all rows, and so do their gradients."""
    weight, loss_of, _ = game(dark)
    parts = [numbers, [], more, [last, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0]]
    shares = [dark.local_loss(loss_of, (column(each),), sum(map(len, parts))) for each in parts]
    for share, part in zip(shares, parts):
        if part:
            share.backward()
    return {"sum": sum(map(value, shares)), "gradient": plain(weight.grad)}


@exam.question("local_loss", points=2)
def a_shard_without_rows(dark, total: Integer(1, 40), arrays: Integer(1, 3), w: Float(0.5, 3)):
    """Its share is a node with the value 0; the loss is not asked. Others are asked once."""
    weight, loss_of, calls = game(dark, w)
    y = dark.local_loss(loss_of, (np.zeros((0, 1)),) * arrays, total)
    seen = {"share": value(y), "a node": isinstance(y, dark.Node), "calls": len(calls)}
    y = dark.local_loss(loss_of, (np.ones((2, 1)),) * arrays, total)
    return seen | {"of two rows": value(y), "calls then": len(calls)}


@exam.question("local_loss", points=2)
def all_arrays_of_a_shard(dark, numbers: ROWS, total: Integer(5, 20)):
    """The loss gets every array of the shard; rows are counted along the first axis."""
    seen = {}
    for arrays in (1, 2, 3):
        _, loss_of, calls = game(dark)
        part = (np.tile(array(numbers)[:, None], (1, 1)), *(column(numbers) + k for k in range(1, arrays)))
        seen[f"{arrays} arrays"] = [value(dark.local_loss(loss_of, part, total)), calls]
    wide = dark.Parameter(np.ones((4, 1)))
    part = (np.tile(array(numbers)[:, None], (1, 4)),)
    return seen | {"wide": value(dark.local_loss(lambda x: dark.mean(dark.matmul(x, wide)), part, total))}


# flat

SHAPES = ((2, 3), (3,), (1, 1), (2, 1, 2))


def parameters_of(dark, first=1.0, shapes=SHAPES, without=()):
    """Make parameters whose gradients are counted numbers; some have none."""
    found = []
    for k, shape in enumerate(shapes):
        p = dark.Parameter(np.zeros(shape))
        size = int(np.prod(shape))
        p.grad = None if k in without else (first + 100 * k + np.arange(size)).reshape(shape)
        found.append(p)
    return found


def gradients(parameters):
    """Return the gradients with their shapes."""
    return [[list(np.shape(p.grad)), plain(p.grad)] if p.grad is not None else "None" for p in parameters]


@exam.question("flat", points=3)
def gradients_in_a_row(dark, first: Float(-3, 3), without: Choice((), (1,), (0,), (3,), (0, 2), (0, 1, 2, 3))):
    """One axis, parameter by parameter and row by row; zeros where a gradient is None."""
    flat = dark.flat_gradients(parameters_of(dark, first, without=without))
    return {"flat": plain(flat), "axes": np.ndim(flat), "alone": plain(dark.flat_gradients(parameters_of(dark, 5)[:1]))}


@exam.question("flat", points=2)
def a_buffer_of_its_own(dark, first: Float(-3, 3)):
    """A change of the buffer, or later of the gradients, does not reach the other; None stays None."""
    seen = {}
    for name, chosen in (("several", slice(None)), ("one", slice(0, 1)), ("one axis", slice(1, 2))):
        parameters = parameters_of(dark, first, without=(3,))[chosen]
        flat = dark.flat_gradients(parameters)
        flat += 1000
        seen[name] = gradients(parameters)
        parameters[0].grad = parameters[0].grad + 1
        seen[f"{name}, buffer"] = plain(flat)
    return seen


@exam.question("flat", points=3)
def a_buffer_cut_again(dark, first: Float(-3, 3), without: Choice((), (1,), (0, 1, 2, 3))):
    """Each parameter receives its numbers, in the shape of its value, whether it had a gradient or not."""
    parameters = parameters_of(dark, without=without)
    dark.set_gradients(parameters, first + np.arange(14.0) ** 2)
    return gradients(parameters) + [plain(p.value) for p in parameters]


@exam.question("flat", points=2)
def copies(dark, first: Float(-3, 3), one: Choice(False, True)):
    """A buffer that is used again changes no gradient, also if there is only one parameter; nor the reverse."""
    parameters = parameters_of(dark)[1 : 2 if one else None]
    flat = first + np.arange(3.0 if one else 8.0)
    dark.set_gradients(parameters, flat)
    flat += 50
    seen = gradients(parameters)
    for p in parameters:
        p.grad += 7
    return [seen, plain(flat)]


@exam.question("flat", points=2)
def of_another_network(dark, first: Float(-3, 3), length: Integer(0, 30)):
    """Too short or too long is a ValueError, and no gradient has changed; the right length is accepted."""
    seen = {}
    for n in (13, 15, 6, 9, 0, 28, length):
        parameters = parameters_of(dark, first, without=(2,))
        result = outcome(dark.set_gradients, parameters, np.arange(float(n)))
        seen[f"{n} numbers"] = [result, *gradients(parameters)]
    [large] = parameters_of(dark, first, ((300,),))
    seen["300 numbers"] = [outcome(dark.set_gradients, [large], first + np.arange(300.0)), plain(large.grad)[[0, 299]]]
    return seen


@exam.question("flat")
def there_and_back(dark, first: Float(-3, 3)):
    """Of a graph: what comes back is what was there, zeros for None."""
    x, w, rest = dark.Parameter(array([first])), dark.Parameter(array([[1, 2], [3, 4]])), dark.Parameter(array([5, 6]))
    dark.mean(dark.mul(dark.mul(w, w), x)).backward()
    parameters = [rest, x, w]
    flat = dark.flat_gradients(parameters)
    dark.set_gradients(parameters, 2 * flat)
    return [plain(flat), *(plain(p.grad) for p in parameters)]


# tree_sum


def tidy(sums):
    """Return sums as a list of keys and values, in the order of the keys."""
    return [[[int(k) for k in key], plain(sums[key])] for key in sorted(sums)]


def leaves(shards, seed, chosen=None):
    """Make the sums of single shards."""
    rows = cancelling(shards, seed)
    return {(k, k + 1): rows[k].copy() for k in (range(shards) if chosen is None else chosen)}


@exam.question("tree_sum", points=4)
def all_shards(dark, seed: Integer(0, 999), more: Integer(10, 20)):
    """Any number of shards: partners first, then partners of the sums; one that has none waits."""
    return {f"{n} shards": tidy(dark.tree_sum(leaves(n, seed), n)) for n in (1, 2, 3, 4, 5, 6, 7, 8, more)}


@exam.question("tree_sum", points=2)
def in_any_order(dark, seed: Integer(0, 999), shards: Integer(3, 9)):
    """The order of the dict does not matter."""
    sums, rng = leaves(shards, seed), np.random.default_rng(seed)
    orders = {"backward": sorted(sums)[::-1], "shuffled": [sorted(sums)[k] for k in rng.permutation(shards)]}
    return {name: tidy(dark.tree_sum({key: sums[key] for key in keys}, shards)) for name, keys in orders.items()}


@exam.question("tree_sum", points=3)
def some_are_missing(dark, seed: Integer(0, 999), chosen: ListOf(Integer(0, 10), 1, 8)):
    """Neighbors that are no partners stay, as does what has no partner here."""
    asked = {"1 and 2 of 4": ((1, 2), 4), "3 and 4 of 6": ((3, 4), 6), "2 to 5 of 8": ((2, 3, 4, 5), 8)}
    asked |= {"0, 1 and 4 of 5": ((0, 1, 4), 5), "all but 3 of 7": ((0, 1, 2, 4, 5, 6), 7)}
    asked |= {"all but 0 of 6": ((1, 2, 3, 4, 5), 6), "drawn of 11": (sorted(set(chosen)), 11), "none of 4": ((), 4)}
    return {name: tidy(dark.tree_sum(leaves(n, seed, keys), n)) for name, (keys, n) in asked.items()}


@exam.question("tree_sum", points=4)
def in_several_places(dark, seed: Integer(0, 999), shards: Integer(4, 12), cuts: ListOf(Integer(0, 12), 1, 4)):
    """Sums that several ranks have computed alone are added further, in any order, with the bits of a single rank."""
    seen = {}
    ways = {"two": [shards // 2], "uneven": [1, shards - 1], "each": list(range(shards)), "drawn": cuts}
    for name, edges in ways.items():
        edges, sums = sorted({0, shards, *(min(edge, shards) for edge in edges)}), {}
        pairs = list(pairwise(edges))
        for start, stop in pairs[::-1]:
            sums = {**sums, **dark.tree_sum(leaves(shards, seed, range(start, stop)), shards)}
        seen[name] = tidy(dark.tree_sum(sums, shards))
    return seen


@exam.question("tree_sum", points=2)
def what_was_given_stays(dark, seed: Integer(0, 999), shards: Integer(2, 9)):
    """The given dict has the same keys afterwards, with arrays that have not changed; the result is another dict."""
    sums = leaves(shards, seed)
    first, again = dark.tree_sum(sums, shards), dark.tree_sum(sums, shards)
    single = leaves(1, seed)
    added = dark.tree_sum(single, 1)
    added[7, 8] = 1.0
    return {"given": tidy(sums), "first": tidy(first), "again": tidy(again), "a single one": tidy(single)}


@exam.question("tree_sum", points=2)
def numbers_and_arrays(dark, a: Float(-9, 9), b: Float(-9, 9), shards: Integer(3, 6)):
    """Sums may be numbers, zeros too, or arrays of any shape."""
    numbers = {(k, k + 1): a + b * k for k in range(shards)} | {(1, 2): 0.0}
    tables = {(k, k + 1): np.full((2, 2), a) + k * np.eye(2) for k in range(shards)}
    pair = dark.tree_sum({(0, 1): 0.0, (1, 2): 0.0, (3, 4): b}, 4)
    return [tidy(dark.tree_sum(numbers, shards)), tidy(dark.tree_sum(tables, shards)), tidy(pair)]


# accumulate


def linear(dark):
    """Make a weight and a bias, and a loss: the mean of (x · w + b) · y."""
    w, b = dark.Parameter(array([[1.0], [-2.0]])), dark.Parameter(array([0.5]))

    def loss_of(x, y):
        return dark.mean(dark.mul(dark.add(dark.matmul(x, w), b), y))

    return [w, b], loss_of


def batch_of(rows, first=1.0):
    """Make a batch of counted numbers."""
    return first + np.arange(2.0 * rows).reshape(rows, 2), (1.5 + np.arange(rows)).reshape(rows, 1)


def parts_of(batch, shards):
    """Cut a batch into shards by number."""
    pieces = [np.array_split(each, shards) for each in batch]
    return {k: tuple(piece[k] for piece in pieces) for k in range(shards)}


@exam.question("accumulate", points=4)
def a_buffer_for_each_shard(dark, rows: Integer(4, 9), first: Float(-3, 3), more: Integer(0, 9)):
    """The share of the loss, then the gradients, of each shard alone."""
    parameters, loss_of = linear(dark)
    parts = parts_of(batch_of(rows, first), 4)
    chosen = {k: parts[k] for k in (3, 1)}
    return tidy(dark.accumulate(parameters, loss_of, chosen, rows + more, 4))


@exam.question("accumulate", points=3)
def all_shards_together(dark, rows: Integer(5, 9), first: Float(-3, 3), shards: Integer(1, 5)):
    """Loss and gradients of the whole batch, whatever the order of the dict; with one shard, too."""
    parameters, loss_of = linear(dark)
    parts = parts_of(batch_of(rows, first), shards)
    backward = {k: parts[k] for k in reversed(parts)}
    whole = {0: batch_of(rows, first)}
    asked = ((backward, shards), (whole, 1))
    return [tidy(dark.accumulate(parameters, loss_of, each, rows, count)) for each, count in asked]


@exam.question("accumulate", points=2)
def along_the_tree(dark, seed: Integer(0, 999), shards: Integer(4, 8)):
    """The buffers are added along the tree, not one after the other; some stay apart."""
    w, x = dark.Parameter(np.ones((24, 1))), cancelling(shards, seed)
    parts = {k: (x[k : k + 1],) for k in range(shards)}
    some = {k: parts[k] for k in range(1, shards)}

    def loss_of(x):
        return dark.mean(dark.matmul(x, w))

    sums = [dark.accumulate([w], loss_of, each, 1, shards) for each in (parts, some)]
    return [[[key, buffer[1:]] for key, buffer in tidy(each)] for each in sums]


@exam.question("accumulate", points=2)
def gradients_from_before(dark, rows: Integer(4, 9), old: Float(1, 9), first: Float(-3, 3)):
    """Old gradients, and gradients of an earlier call, do not count."""
    parameters, loss_of = linear(dark)
    for p in parameters:
        p.grad = np.full(p.value.shape, old)
    parts = parts_of(batch_of(rows, first), 2)
    calls = (parts, parts, {1: parts[1]})
    return [tidy(dark.accumulate(parameters, loss_of, each, rows, 2)) for each in calls]


@exam.question("accumulate", points=2)
def parameters_of_some_shards(dark, first: Float(1, 3), reversed_order: Choice(False, True)):
    """A parameter on which a shard does not depend has zeros there, not what another shard has left."""
    a, b, rest = dark.Parameter(array([1, 2])), dark.Parameter(array([3.0])), dark.Parameter(np.ones((2, 2)))

    def loss_of(x):
        y = dark.mean(dark.mul(a if x[0] > 0 else b, x[0]))
        return dark.add(y, dark.mean(rest)) if x[0] < first else y

    parts = {0: (array([first]),), 1: (array([-first]),), 2: (array([2 * first]),)}
    chosen = {k: parts[k] for k in sorted(parts, reverse=reversed_order)}
    apart = {k: parts[k] for k in (2, 1)}
    return [tidy(dark.accumulate([a, b, rest], loss_of, each, 3, 3)) for each in (chosen, apart)]


@exam.question("accumulate")
def shards_without_rows(dark, rows: Integer(1, 3), first: Float(-3, 3)):
    """An empty shard has a buffer of zeros; so a rank with nothing to do sends one."""
    parameters, loss_of = linear(dark)
    parts = parts_of(batch_of(rows, first), 6)
    seen = [tidy(dark.accumulate(parameters, loss_of, {5: parts[5], 0: parts[0], 3: parts[3]}, rows, 6))]
    seen += [tidy(dark.accumulate(parameters, loss_of, parts, rows, 6))]
    return seen + [tidy(dark.accumulate(parameters, loss_of, {}, rows, 6))]


# ring_all_reduce

LIMIT = 60  # rounds


def ring(dark, buffers):
    """Run the ranks of a ring in step; return what each returns, and the sizes of the messages of each round."""
    ranks = [dark.ring_all_reduce(rank, len(buffers), buffer) for rank, buffer in enumerate(buffers)]
    results, received, sizes = ["still running"] * len(ranks), [None] * len(ranks), []
    for _ in range(LIMIT):
        messages = {}
        for rank, each in enumerate(ranks):
            try:
                messages[rank] = np.array(each.send(received[rank]))
            except StopIteration as end:
                results[rank] = end.value
        if len(messages) < len(ranks):
            break
        sizes.append([messages[rank].size for rank in range(len(ranks))])
        received = [messages[rank - 1 if rank else len(ranks) - 1].copy() for rank in range(len(ranks))]
    return results, sizes


def buffers_of(ranks, length, first=1.0):
    """Make a buffer of integers for each rank; a sum shows which ones are in it."""
    return [(round(first) + np.arange(length)) * 10.0**rank for rank in range(ranks)]


@exam.question("ring_all_reduce", points=6)
def sums_on_all_ranks(dark, length: Integer(1, 20), first: Integer(-9, 9)):
    """Each rank returns the sum of all buffers, in order, whatever the number of ranks and of numbers."""
    return {
        f"{ranks} ranks, {n} numbers": [plain(each) for each in ring(dark, buffers_of(ranks, n, first))[0]]
        for ranks, n in ((2, 4), (3, 3), (4, 8), (5, 13), (3, 7), (4, length))
    }


@exam.question("ring_all_reduce", points=5)
def messages_are_counted(dark, times: Integer(1, 5), first: Integer(-9, 9)):
    """2 (ranks - 1) messages each, with one piece; so each rank sends less than twice its buffer."""
    seen = {}
    for ranks in (2, 3, 4, 5):
        results, sizes = ring(dark, buffers_of(ranks, ranks * times, first))
        seen[f"{ranks} ranks"] = [sizes, plain(results[-1])]
        _, uneven = ring(dark, buffers_of(ranks, ranks * times + 1, first))
        seen[f"{ranks} ranks, uneven"] = [len(uneven), max(map(max, uneven))]
    return seen


@exam.question("ring_all_reduce", points=2)
def buffers_that_stay(dark, length: Integer(2, 9), ranks: Integer(1, 4)):
    """The buffer has not changed, and what is returned is another array."""
    buffers = buffers_of(ranks, length)
    results, _ = ring(dark, buffers)
    seen = [plain(each) for each in buffers]
    for each in results:
        each += 1
    return [seen, [plain(each) for each in buffers]]


@exam.question("ring_all_reduce", points=2)
def fewer_numbers_than_ranks(dark, first: Integer(1, 9), length: Integer(1, 3)):
    """Some pieces are empty; they are sent all the same."""
    results, sizes = ring(dark, buffers_of(5, length, first))
    return {"sums": [plain(each) for each in results], "rounds": len(sizes)}


@exam.question("ring_all_reduce")
def one_rank_alone(dark, numbers: ListOf(Float(-9, 9), 1, 4)):
    """Without others nothing is sent; the sum is the buffer."""
    results, sizes = ring(dark, [array(numbers)])
    return {"sum": plain(results[0]), "messages": len(sizes)}


@exam.question("ring_all_reduce", points=2)
def the_same_bits_everywhere(dark, seed: Integer(0, 999), ranks: Integer(2, 5)):
    """Each piece is added up once, so all ranks have the same bits, also where the order matters."""
    results, sizes = ring(dark, list(cancelling(ranks, seed)))
    same = [bool(np.array_equal(each, results[0])) for each in results]
    count = sum(float(np.abs(row).max()) == 1e16 for row in cancelling(ranks, seed).T)
    return {"equal to rank 0": same, "rounds": len(sizes), "columns with large numbers": count}


# sharded_sampler


def rows_of(batches):
    """Return batches as lists of the total and the shards, each with its rows."""
    return [[int(total), [[int(k), [int(row) for row in own[k]]] for k in sorted(own)]] for total, own in batches]


@exam.question("sharded_sampler", points=4)
def rows_of_a_rank(
    dark, count: Integer(1, 30), batch_size: Integer(1, 9), shards: Integer(1, 6), ranks: Integer(1, 4),
    seed: Integer(0, 99),
):  # fmt: skip
    """For each global batch its number of rows, and this rank's shards of it."""
    seen = {}
    for n, size, k, r in ((10, 6, 3, 2), (13, 4, 4, 3), (8, 8, 2, 2), (9, 3, 5, 2), (count, batch_size, shards, ranks)):
        sampler = [dark.ShardedSampler(n, size, k, rank, r, seed) for rank in range(r)]
        seen[f"{n} rows by {size}, {k} shards, {r} ranks"] = [rows_of(each) for each in sampler]
    return seen


@exam.question("sharded_sampler", points=3)
def each_row_once(dark, count: Integer(5, 30), batch_size: Integer(3, 9), ranks: Integer(1, 5), seed: Integer(0, 99)):
    """Over all ranks no row is missed or repeated in an epoch; all ranks have the same number of batches."""
    samplers = [dark.ShardedSampler(count, batch_size, 4, rank, ranks, seed) for rank in range(ranks)]
    seen = {}
    for epoch in (1, 2):
        batches = [rows_of(each) for each in samplers]
        rows = [row for rank in batches for _, own in rank for _, part in own for row in part]
        seen[f"epoch {epoch}"] = [sorted(rows), [[total for total, _ in rank] for rank in batches]]
    return seen


@exam.question("sharded_sampler", points=3)
def epochs_of_a_sampler(dark, count: Integer(6, 20), begun: Integer(2, 40), seed: Integer(0, 99)):
    """Each loop is the next epoch, counted when it begins; one that is resumed goes on from its number."""
    sampler = dark.ShardedSampler(count, 5, 2, 1, 2, seed)
    seen = {"before": sampler.epoch, "epochs": [rows_of(sampler) for _ in range(3)], "after": sampler.epoch}
    sampler.epoch = begun
    first = next(iter(sampler))
    seen |= {"resumed": rows_of([first]), "count": sampler.epoch}
    return seen | {"then": rows_of(sampler), "at last": sampler.epoch}


@exam.question("sharded_sampler", points=2)
def the_same_shards_for_all(dark, count: Integer(6, 20), seed: Integer(0, 99), shards: Integer(2, 6)):
    """A shard has the same rows whoever owns it, in the same batch."""
    seen = {}
    for ranks in (1, 2, 3):
        batches = [list(dark.ShardedSampler(count, 7, shards, rank, ranks, seed)) for rank in range(ranks)]
        whole = [(each[0][0], {k: v for _, own in each for k, v in own.items()}) for each in zip(*batches)]
        seen[f"{ranks} ranks"] = rows_of(whole)
    return seen


@exam.question("sharded_sampler", points=2)
def seeds_and_other_generators(dark, count: Integer(8, 20), seed: Integer(0, 9), other: Integer(10, 99)):
    """Another seed has other orders, without a seed it is 0; two loops do not disturb each other, nor anybody else."""
    made = [dark.ShardedSampler(count, 4, 2, 0, 1, *more) for more in ((seed,), (other,), ())]
    np.random.seed(3)
    loops = [iter(made[0]), iter(made[1])]
    pairs = [rows_of(pair) for pair in zip(*loops)]
    return {"two loops": pairs, "default": rows_of(made[2]), "drawn afterwards": float(np.random.random())}


@exam.question("sharded_sampler", points=2)
def shards_that_are_empty(dark, shards: Integer(4, 7), seed: Integer(0, 99), rank: Integer(0, 2)):
    """The last batch is smaller: some of its shards have no rows, and are there; a rank without shards has none."""
    few = dark.ShardedSampler(7, 6, shards, rank, 3, seed)
    none = dark.ShardedSampler(5, 2, 2, rank, 3, seed)
    return [rows_of(few), rows_of(none)]


# lost_rank


class Forever(Exception):
    """Somebody waits for ever."""


class Clock:
    """A clock that moves on a little whenever it is read, so that a loop which looks at it ends."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        """Return the time in seconds."""
        self.now += 0.001
        return self.now


class Connection:
    """A connection on which a message arrives at a time, never, or an error instead of it."""

    def __init__(self, clock, arrives, message=None, error=None, at="recv"):
        self.clock, self.arrives, self.message, self.error, self.at = clock, arrives, message, error, at

    def poll(self, timeout=0.0):
        """Wait, at most for a time, and tell whether something can be received."""
        if self.arrives is None and timeout is None:
            raise Forever
        until = np.inf if timeout is None else self.clock.now + max(0.0, timeout)
        if self.arrives is None or 100.0 + self.arrives > until:
            self.clock.now = until
            return False
        self.clock.now = max(self.clock.now, 100.0 + self.arrives)
        if self.error and self.at == "poll":
            raise self.error
        return True

    def recv(self):
        """Wait for the message, for ever if need be."""
        if self.arrives is None:
            raise Forever
        self.clock.now = max(self.clock.now, 100.0 + self.arrives)
        if self.error:
            raise self.error
        return self.message


def received(dark, arrivals, timeout, errors=None, at="recv", messages=None):
    """Ask for all messages; return them or the lost rank, and the whole seconds that went by."""
    clock, errors, messages = Clock(), errors or {}, messages or {}
    connections = {
        rank: Connection(clock, arrives, messages.get(rank, [rank, 10.0 * rank]), errors.get(rank), at)
        for rank, arrives in arrivals.items()
    }
    try:
        found = dark.receive_all(connections, timeout, clock=clock)
        seen = {"received": [[int(rank), plain(found[rank])] for rank in sorted(found)]}
    except dark.LostRank as lost:
        seen = {"lost": lost.rank}
    except (EOFError, OSError, Forever) as error:
        seen = {"raised": type(error).__name__}
    return seen | {"seconds": int(clock.now - 100.0)}


ERRORS = {each.__name__: each for each in (EOFError, ConnectionResetError, BrokenPipeError, OSError)}


@exam.question("lost_rank", points=3)
def all_have_answered(dark, late: Float(0, 4), number: Float(-9, 9), ranks: Integer(1, 4)):
    """A message of each rank, by its number, whatever arrives first and whatever it is."""
    arrivals = {rank: late / rank for rank in range(1, ranks + 1)}
    odd = {1: 0.0, 2: None, 3: {}, 4: [number], 5: False}
    return [
        received(dark, arrivals, 5.5),
        received(dark, {5: 0.0, 2: 3.25, 7: 1.0}, 5.5, messages={5: array([number, 1])}),
        received(dark, dict.fromkeys(odd, 0.0), 5.5, messages=odd),
        received(dark, {}, 5.5),
    ]


@exam.question("lost_rank", points=4)
def one_that_does_not_answer(dark, rank: Integer(1, 3), late: Integer(1, 4)):
    """It is named when the time is up, which is the same for all: who was late has used some of it."""
    frozen = {k: None if k == rank else 0.0 for k in (1, 2, 3)}
    after_late = {1: late + 0.25, 2: late + 0.75, 5: None, 4: 0.0}
    too_late = {rank: 6.0, rank + 1: 1.0}
    return [received(dark, arrivals, 5.5) for arrivals in (frozen, after_late, too_late, {rank: None})]


@exam.question("lost_rank", points=3)
def one_that_has_ended(dark, rank: Integer(1, 3), name: Choice(*ERRORS), dies: Float(0, 3)):
    """Its connection raises, when it is asked or when it is read: this rank is lost, at once."""
    arrivals, seen = {1: 0.0, 2: 0.0, 3: 0.0} | {rank: dies}, {}
    for at in ("recv", "poll"):
        for kind in dict.fromkeys((name, *ERRORS)):
            seen[f"{kind} in {at}"] = received(dark, arrivals, 9.5, {rank: ERRORS[kind]()}, at)
    return seen


@exam.question("lost_rank", points=2)
def already_there(dark, number: Float(-9, 9), late: Float(0, 5)):
    """A message that has arrived is received, also if no time is left; a dead rank is noticed then, too."""
    used = {1: 5.499, 2: late, 3: 0.0}
    return [
        received(dark, used, 5.5, messages={3: number}),
        received(dark, {1: 0.0, 2: 0.0}, 0.0, messages={2: number}),
        received(dark, {1: 5.499, 2: late}, 5.5, {2: EOFError()}),
        received(dark, {1: 5.499, 2: None}, 5.5),
    ]


@exam.question("lost_rank")
def by_the_real_clock(dark, number: Float(-9, 9)):
    """Without a clock, the computer's clock is used."""
    connection = Connection(Clock(), 0.0, number)
    return [plain(each) for each in dark.receive_all({3: connection, 4: connection}, 5.0).values()]


def supervised(dark, plan, outcomes):
    """Supervise attempts with these outcomes; return what comes of it, and the numbers of ranks that were tried."""
    calls = []

    def start(ranks):
        calls.append(ranks)
        result = outcomes[min(len(calls), len(outcomes)) - 1]
        if isinstance(result, BaseException):
            raise result
        return result

    try:
        result, lost = dark.supervise(start, plan)
        seen = [result, [int(rank) for rank in lost]]
        lost.append(-1)  # a list of its own
    except dark.LostRank as error:
        seen = ["lost", error.rank]
    except (ZeroDivisionError, OSError, KeyboardInterrupt) as error:
        seen = [type(error).__name__, str(error)]
    return [seen, calls]


@exam.question("lost_rank", points=3)
def started_again(dark, plan: ListOf(Integer(1, 9), 4, 6), result: Float(-9, 9), rank: Integer(0, 9)):
    """The first attempt that succeeds gives the result; it can be 0 or None. Those after it are not made."""
    lost = [dark.LostRank(rank), dark.LostRank(3), dark.LostRank(2)]
    return [supervised(dark, plan, [*lost[:k], each]) for k in range(4) for each in (result, 0, None)]


@exam.question("lost_rank", points=2)
def nothing_left_to_try(dark, plan: ListOf(Integer(1, 9), 1, 4), rank: Integer(4, 9)):
    """The LostRank of the last attempt is raised."""
    lost = [dark.LostRank(k) for k in range(len(plan) - 1)] + [dark.LostRank(rank)]
    return [supervised(dark, plan, lost), supervised(dark, (2,), [dark.LostRank(rank)])]


@exam.question("lost_rank", points=2)
def errors_of_a_program(dark, number: Integer(0, 9), before: Integer(0, 2)):
    """Any other error is raised at once; there is no second try."""
    found = []
    for kind in (ZeroDivisionError, OSError, KeyboardInterrupt):
        found.append(supervised(dark, [4, 3, 2, 1], [dark.LostRank(1)] * before + [kind(str(number)), 5.0]))
    return found


# repairs


@exam.repair("published_accumulation")
def texts_of_unequal_length(dark, numbers: ListOf(Float(-3, 3), 1, 6), more: ListOf(Float(-3, 3), 1, 3)):
    """Every token counts the same, in long parts and in short ones."""
    seen = {}
    for name, parts in (("two", (numbers, more)), ("one", (more,)), ("three", ([4.0] * 9, numbers, more))):
        weight, loss_of, _ = game(dark)
        dark.published_accumulation(loss_of, [(column(each),) for each in parts])
        seen[name] = plain(weight.grad)
    return seen
