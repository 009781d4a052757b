"""Wrong answers to the exercise mean of module 03, each with what is wrong and what to do next."""

# %% not_divided
# says: This is the sum; it is not divided by how many numbers went into it.
# next: Divide y by the count.
def mean(x, axis=None, keepdims=False):
    """Put the mean along an axis, or of all numbers, into a graph."""
    x = x if isinstance(x, Node) else Constant(x)
    return sum_of(x, axis, keepdims)

# %% count_of_all
# says: It divides by the count of all numbers of x, also where only some of them were summed.
# next: Divide by how many numbers of x there are for each one of y.
def mean(x, axis=None, keepdims=False):
    """Put the mean along an axis, or of all numbers, into a graph."""
    x = x if isinstance(x, Node) else Constant(x)
    y = sum_of(x, axis, keepdims)
    return mul(y, 1 / np.size(x.value))

# %% count_of_sums
# says: It divides by how many sums there are, not by how many numbers went into each.
# next: Divide the size of x by the size of y.
def mean(x, axis=None, keepdims=False):
    """Put the mean along an axis, or of all numbers, into a graph."""
    x = x if isinstance(x, Node) else Constant(x)
    y = sum_of(x, axis, keepdims)
    return mul(y, 1 / np.size(y.value))

# %% first_axis_for_none
# says: For axis None the length of the first axis is taken, but all numbers went into the sum.
# next: Count with np.size: that of x over that of y.
def mean(x, axis=None, keepdims=False):
    """Put the mean along an axis, or of all numbers, into a graph."""
    x = x if isinstance(x, Node) else Constant(x)
    y = sum_of(x, axis, keepdims)
    count = np.shape(x.value)[axis or 0]
    return mul(y, 1 / count)

# %% axis_ignored
# says: The mean is always that of all numbers; the axis is not used.
# next: Pass axis and keepdims to sum_of.
def mean(x, axis=None, keepdims=False):
    """Put the mean along an axis, or of all numbers, into a graph."""
    x = x if isinstance(x, Node) else Constant(x)
    y = sum_of(x)
    return mul(y, 1 / np.size(x.value))

# %% keepdims_ignored
# says: With keepdims the axis was to stay, with length 1.
# next: Pass keepdims to sum_of.
def mean(x, axis=None, keepdims=False):
    """Put the mean along an axis, or of all numbers, into a graph."""
    x = x if isinstance(x, Node) else Constant(x)
    y = sum_of(x, axis)
    count = np.size(x.value) / np.size(y.value)
    return mul(y, 1 / count)

# %% multiplies
# says: The sum is multiplied by the count in place of being divided by it.
# next: Divide y by the count.
def mean(x, axis=None, keepdims=False):
    """Put the mean along an axis, or of all numbers, into a graph."""
    x = x if isinstance(x, Node) else Constant(x)
    y = sum_of(x, axis, keepdims)
    count = np.size(x.value) / np.size(y.value)
    return mul(y, count)

# %% cut_off
# says: The mean of the values is right, but as a new constant: no gradient finds its way back to x.
# next: Divide the node that sum_of makes; it remembers its inputs.
def mean(x, axis=None, keepdims=False):
    """Put the mean along an axis, or of all numbers, into a graph."""
    x = x if isinstance(x, Node) else Constant(x)
    return Constant(np.mean(x.value, axis=axis, keepdims=keepdims))

# %% gradient_not_divided
# says: The value is divided, but its gradient goes back undivided.
# next: Divide the node that sum_of makes: that divides its gradient too.
class Mean(Sum):
    """The mean along an axis, with the rule of the sum."""

    @staticmethod
    def _f(x, axis, keepdims):
        return np.mean(x, axis=axis, keepdims=keepdims)


def mean(x, axis=None, keepdims=False):
    """Put the mean along an axis, or of all numbers, into a graph."""
    x = x if isinstance(x, Node) else Constant(x)
    return Mean.apply(x, axis=axis, keepdims=keepdims)
