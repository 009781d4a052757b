"""Wrong answers to the exercise signs of module 02, each with what is wrong and what to do next."""

# %% rsub_not_exchanged
# says: `3 - x` calls `Node.__rsub__(x, 3)`; here the answer is x - 3.
# next: In rsub, other comes first and self second.
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(a, neg(b))

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a, pow(b, -1))

def rsub(self, other):
    """Return other - self."""
    return sub(self, other)

def rtruediv(self, other):
    """Return other / self."""
    return div(other, self)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% rtruediv_not_exchanged
# says: `2 / x` calls `Node.__rtruediv__(x, 2)`; here the answer is x / 2.
# next: In rtruediv, other comes first and self second.
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(a, neg(b))

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a, pow(b, -1))

def rsub(self, other):
    """Return other - self."""
    return sub(other, self)

def rtruediv(self, other):
    """Return other / self."""
    return div(self, other)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% nothing_exchanged
# says: Python calls both methods with the two exchanged: self stands on the right. Here it is taken for the left one.
# next: In both methods, other comes first and self second.
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(a, neg(b))

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a, pow(b, -1))

def rsub(self, other):
    """Return other - self."""
    return sub(self, other)

def rtruediv(self, other):
    """Return other / self."""
    return div(self, other)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% sub_turned_round
# says: The difference is b - a.
# next: Add minus b to a.
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(b, neg(a))

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a, pow(b, -1))

def rsub(self, other):
    """Return other - self."""
    return sub(other, self)

def rtruediv(self, other):
    """Return other / self."""
    return div(other, self)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% div_turned_round
# says: The quotient is b / a.
# next: The power with exponent -1 belongs to b.
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(a, neg(b))

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(b, pow(a, -1))

def rsub(self, other):
    """Return other - self."""
    return sub(other, self)

def rtruediv(self, other):
    """Return other / self."""
    return div(other, self)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% div_by_its_sign
# says: `1 / b` calls div again, and that again `1 / b`: it never ends.
# next: Use pow: b with the exponent -1.
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(a, neg(b))

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a, 1 / b)

def rsub(self, other):
    """Return other - self."""
    return sub(other, self)

def rtruediv(self, other):
    """Return other / self."""
    return div(other, self)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% cut_off
# says: With the value of b alone, the graph ends there, and b receives no gradient.
# next: Hand the node b over, not its value.
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(a, neg(b.value if isinstance(b, Node) else b))

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a, pow(b.value if isinstance(b, Node) else b, -1))

def rsub(self, other):
    """Return other - self."""
    return sub(other, self)

def rtruediv(self, other):
    """Return other / self."""
    return div(other, self)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv

# %% sum_for_difference
# says: b is added; the minus is missing.
# next: Add minus b.
def sub(a, b):
    """Return a - b as a node; each may be a node or a number."""
    return add(a, b)

def div(a, b):
    """Return a / b as a node; each may be a node or a number."""
    return mul(a, pow(b, -1))

def rsub(self, other):
    """Return other - self."""
    return sub(other, self)

def rtruediv(self, other):
    """Return other / self."""
    return div(other, self)

Node.__sub__ = sub
Node.__rsub__ = rsub
Node.__truediv__ = div
Node.__rtruediv__ = rtruediv
