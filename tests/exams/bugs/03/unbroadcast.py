"""Wrong answers to the exercise unbroadcast of module 03, each with what is wrong and what to do next."""

# %% only_added
# says: Axes that were added are summed, but an axis of length 1 keeps the length that it was stretched to.
# next: After the first sum, add up along every axis whose length in the shape is 1, with keepdims=True.
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    if np.shape(g) == shape:
        return g
    added = np.ndim(g) - len(shape)
    return np.sum(g, axis=tuple(range(added)))

# %% only_stretched
# says: Axes of length 1 are summed, but the axes that g has more than the shape stay.
# next: First sum over as many leading axes as g has too many.
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    if np.shape(g) == shape:
        return g
    added = np.ndim(g) - len(shape)
    stretched = tuple(k for k, length in enumerate(shape) if length == 1)
    return np.sum(g, axis=stretched, keepdims=True)

# %% axis_lost
# says: An axis of length 1 is summed and goes, but the input has it.
# next: Keep it there: keepdims=True in the second sum.
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    if np.shape(g) == shape:
        return g
    added = np.ndim(g) - len(shape)
    g = np.sum(g, axis=tuple(range(added)))
    stretched = tuple(k for k, length in enumerate(shape) if length == 1)
    return np.sum(g, axis=stretched)

# %% added_axes_stay
# says: The axes that were added stay, with length 1; the input does not have them.
# next: Omit keepdims in the first sum; it belongs into the second.
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    if np.shape(g) == shape:
        return g
    added = np.ndim(g) - len(shape)
    stretched = tuple(added + k for k, length in enumerate(shape) if length == 1)
    return np.sum(g, axis=tuple(range(added)) + stretched, keepdims=True)

# %% last_axes
# says: The last axes are summed, but broadcasting adds axes in front.
# next: Sum over the first axes, range(added).
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    if np.shape(g) == shape:
        return g
    added = np.ndim(g) - len(shape)
    g = np.sum(g, axis=tuple(range(np.ndim(g) - added, np.ndim(g))))
    stretched = tuple(k for k, length in enumerate(shape) if length == 1)
    return np.sum(g, axis=stretched, keepdims=True)

# %% averages
# says: The gradients of repeated numbers are averaged; every use counts fully, so they add up.
# next: Use np.sum in place of np.mean.
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    if np.shape(g) == shape:
        return g
    added = np.ndim(g) - len(shape)
    g = np.mean(g, axis=tuple(range(added)))
    stretched = tuple(k for k, length in enumerate(shape) if length == 1)
    return np.mean(g, axis=stretched, keepdims=True)

# %% first_copy
# says: Only the gradient of the first copy is kept; the others are thrown away.
# next: Add up along the repeated axes instead of taking index 0.
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    if np.shape(g) == shape:
        return g
    added = np.ndim(g) - len(shape)
    for _ in range(added):
        g = g[0]
    for k, length in enumerate(shape):
        if length == 1:
            g = np.take(g, [0], axis=k)
    return g

# %% adds_in_place
# says: The sum is collected in g's own first row, so g is changed, and who sent it still needs it.
# next: Let np.sum make a new array.
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    if np.shape(g) == shape:
        return g
    added = np.ndim(g) - len(shape)
    for _ in range(added):
        total = g[0]
        for other in g[1:]:
            total += other
        g = total
    stretched = tuple(k for k, length in enumerate(shape) if length == 1)
    return np.sum(g, axis=stretched, keepdims=True)

# %% total_everywhere
# says: Everything is summed, and every element is the total; only copies of the same number belong together.
# next: Sum along the axes that were repeated, and no others.
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    if np.shape(g) == shape:
        return g
    added = np.ndim(g) - len(shape)
    return np.sum(g) * np.ones(shape)

# %% aligned_left
# says: The shapes are compared from the first axis on, but broadcasting aligns them at the last.
# next: Sum the added axes in front away first; then both have as many axes.
def unbroadcast(g, shape):
    """Sum the gradient g until it has the given shape, which was broadcast to the shape of g.

    Where nothing was repeated, g comes back as it is. g itself is not changed.
    """
    if np.shape(g) == shape:
        return g
    added = np.ndim(g) - len(shape)
    differing = tuple(k for k, n in enumerate(np.shape(g)) if k >= len(shape) or shape[k] != n)
    return np.reshape(np.sum(g, axis=differing, keepdims=True), shape)
