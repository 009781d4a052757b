"""Scalar graphs to build and differentiate: wide random graphs and deep chains."""

import random

ADD, MUL, RELU = range(3)


def wide(size, leaves=32, seed=0):
    """Make about `size` operations on random earlier entries, and a tree of sums over the unused results.

    Returns
    -------
    values : list of float
        The leaves.
    steps : list of (int, int, int)
        Operation and the positions of its operands; leaves come first.
    """
    rng = random.Random(seed)
    values = [rng.uniform(-1, 1) for _ in range(leaves)]
    reached, steps, loose = list(values), [], set()
    while len(steps) < 0.7 * size:
        i, j, operation = rng.randrange(len(reached)), rng.randrange(len(reached)), rng.randrange(3)
        y = (reached[i] + reached[j], reached[i] * reached[j], max(reached[i], 0.0))[operation]
        if abs(y) > 4:
            continue
        steps.append((operation, i, j))
        loose -= {i, j} if operation != RELU else {i}
        loose.add(len(reached))
        reached.append(y)
    ends = sorted(loose)
    while len(ends) > 1:
        steps += [(ADD, a, b) for a, b in zip(ends[::2], ends[1::2])]
        first = leaves + len(steps) - len(ends) // 2
        ends = ends[len(ends) - len(ends) % 2 :] + list(range(first, leaves + len(steps)))
    return values, steps


def chain(size):
    """Make one chain of `size` operations, alternating products and sums."""
    return [0.5, 0.999, 0.001], [(MUL if k % 2 == 0 else ADD, 0 if k == 0 else 2 + k, 1 + k % 2) for k in range(size)]


def run(leaf, relu, program):
    """Run a program on `leaf` nodes, then the backward pass; return the leaves and the root."""
    values, steps = program
    made = [leaf(v) for v in values]
    for operation, i, j in steps:
        if operation == ADD:
            made.append(made[i] + made[j])
        elif operation == MUL:
            made.append(made[i] * made[j])
        else:
            made.append(relu(made[i]))
    made[-1].backward()
    return made[: len(values)], made[-1]
