"""Answers of module 15, many processes: what only the judge reads.

Part of the product: the package ships this file in `dark/_answers`.
"""

import numpy as np

import dark
from dark.course.exams.answers import Answers

answers = Answers("15")

# the reference: what has other names or signatures in `dark`


def bounds(count, parts):
    """Return the boundaries of parts whose sizes differ by one at most, the larger ones first."""
    size, more = divmod(count, parts)
    return [k * size + min(k, more) for k in range(parts + 1)]


@answers.reference
def shard(batch, shards):
    """Slice each array at the same boundaries."""
    edges = bounds(len(batch[0]), shards)
    return [tuple(array[edges[k] : edges[k + 1]] for array in batch) for k in range(shards)]


@answers.reference
def owned(rank, ranks, shards):
    """List the numbers between two boundaries."""
    edges = bounds(shards, ranks)
    return list(range(edges[rank], edges[rank + 1]))


@answers.reference
def local_loss(loss_of, part, total):
    """Scale the mean."""
    count = part[0].shape[0]
    return dark.Constant(0.0) if count == 0 else loss_of(*part) * count / total


@answers.reference
def flat_gradients(parameters):
    """Fill a buffer of zeros."""
    buffer, start = np.zeros(sum(np.size(p.value) for p in parameters)), 0
    for p in parameters:
        stop = start + np.size(p.value)
        if p.grad is not None:
            buffer[start:stop] = np.ravel(p.grad)
        start = stop
    return buffer


@answers.reference
def set_gradients(parameters, flat):
    """Cut a buffer into pieces."""
    edges = np.cumsum([0, *(np.size(p.value) for p in parameters)])
    if edges[-1] != len(flat):
        raise ValueError(len(flat))
    for p, start, stop in zip(parameters, edges, edges[1:]):
        p.grad = np.array(flat[start:stop]).reshape(np.shape(p.value))


@answers.reference
def tree_sum(sums, shards):
    """Merge as the framework does."""
    return dict(dark.distributed.tree.merge(sums, shards))


@answers.reference
def accumulate(parameters, loss_of, parts, total, shards):
    """Make one buffer for each shard."""

    def buffer(part):
        for p in parameters:
            p.grad = None
        share = local_loss(loss_of, part, total)
        if part[0].shape[0]:
            share.backward()
        return np.append(share.value, flat_gradients(parameters))

    return tree_sum({(k, k + 1): buffer(part) for k, part in parts.items()}, shards)


@answers.reference
def ring_all_reduce(rank, ranks, buffer):
    """Add in the first half of the rounds, replace in the second."""
    pieces = [np.array(piece) for piece in np.array_split(buffer, ranks)]
    for k in range(2 * ranks - 2):
        received = yield pieces[(rank - k) % ranks]
        place = (rank - k - 1) % ranks
        pieces[place] = received + pieces[place] if k < ranks - 1 else received
    return np.concatenate(pieces)


def order_of_epoch(count, seed, epoch):
    """Shuffle as module 08 does."""
    return np.random.default_rng([seed, epoch]).permutation(count)


@answers.reference
class ShardedSampler:
    """The shards of a rank of each global batch."""

    def __init__(self, count, batch_size, shards, rank, ranks, seed=0):
        self.sizes, self.place, self.seed, self.epoch = (count, batch_size, shards), (rank, ranks), seed, 0

    def __iter__(self):
        self.epoch += 1
        count, batch_size, shards = self.sizes
        order = order_of_epoch(count, self.seed, self.epoch)
        for batch in np.split(order, range(batch_size, count, batch_size)):
            parts = shard((batch,), shards)
            yield len(batch), {k: parts[k][0] for k in owned(*self.place, shards)}


@answers.reference
class LostRank(Exception):
    """A rank that is lost."""

    def __init__(self, rank, what="has ended"):
        super().__init__(f"rank {rank} {what}")
        self.rank = rank


@answers.reference
def receive_all(connections, timeout, clock=None):
    """Poll one after the other until a common end."""
    end = clock() + timeout if clock else None

    def one(rank, connection):
        try:
            if connection.poll(max(0.0, end - clock()) if clock else timeout):
                return connection.recv()
        except (EOFError, OSError):
            pass
        raise LostRank(rank)

    return {rank: one(rank, connection) for rank, connection in connections.items()}


@answers.reference
def supervise(start, plan):
    """Try one number after the other."""
    lost = []
    for k, ranks in enumerate(plan, start=1):
        try:
            return start(ranks), lost
        except LostRank as error:
            if k == len(plan):
                raise
            lost.append(error.rank)
    return None


# predictions


@answers.prediction("15.0a")
def a_mean_of_means(dark):
    """(2 + 6) / 2 is 4; the mean of all four is 3. The single example has the weight of three."""
    return (2 + 6) / 2


@answers.prediction("15.1a")
def two_rows_left(dark):
    """2: the sizes are 3, 3, 2 and 2."""
    return 2


@answers.prediction("15.2a")
def numbers_of_a_network(dark):
    """64 · 32 + 32 for the first layer and 32 · 10 + 10 for the second make 2,410."""
    return 64 * 32 + 32 + 32 * 10 + 10


@answers.prediction("15.2b")
def both_ones_are_lost(dark):
    """0: each 1 is rounded away beside a large number. One after the other, the last 1 would be left."""
    return 0


@answers.prediction("15.2c")
def other_operands(dark):
    """No: one piece is added up by a single matrix product, eight by eight products and a tree."""
    return False


@answers.prediction("15.3a")
def nearly_twice_the_buffer(dark):
    """2 · 999 messages of 0.1 MB are 199.8 MB: nearly twice the buffer, as it would be for ten ranks."""
    return 2 * 999 * 100 / 1000


@answers.prediction("15.3b")
def latency_and_bandwidth(dark):
    """A round takes 20 µs and 0.1 MB / 10 GB/s = 10 µs; 1,998 rounds take 0.06 s, two thirds of it latency."""
    return 2 * 999 * (20e-6 + 1e5 / 10e9)


@answers.prediction("15.3c")
def another_order(dark):
    """No: each piece begins its way at another rank, and is added up in the order of the ring."""
    return False


@answers.prediction("15.4a")
def always_epoch_0(dark):
    """1: without set_epoch it is always epoch 0, on all processes. Nothing fails, and nothing is shuffled again."""
    return 1


@answers.prediction("15.5a")
def one_limit_for_each(dark):
    """10 s, and 70 s: limits of their own add up. With one for all together, nobody waits longer than 10 s."""
    return [10, 70]


@answers.prediction("15.6a")
def a_token_of_a_short_text(dark):
    """Each part counts one half: the short one's token 1/2, each of the others 1/198. That is 99 times as much."""
    return 99


# repairs of "Find the bug"; they earn no points


@answers.reference
def published_accumulation(loss_of, parts):
    """Each part counts by its tokens: line 1 multiplies its mean by them and divides by the tokens of all parts."""
    total = sum(part[0].shape[0] for part in parts)
    for part in parts:
        (loss_of(*part) * part[0].shape[0] / total).backward()
