"""Wrong answers to the exercise slope_along of module 02, each with what is wrong and what to do next."""

# %% not_put_back
# says: The parameter keeps the value of the last nudge.
# next: Put the remembered value back before you answer.
def slope_along(f, p, nudge=1e-5):
    """Measure the slope of f() along the parameter p, whose value is the same afterwards.

    f takes nothing and returns a node.
    """
    kept = p.value

    def at(value):
        p.value = value
        return f().value

    measured = slope(at, kept, nudge)
    return measured

# %% put_back_by_sums
# says: The value is put back by adding the nudge again; floats round, and it is not quite the same number.
# next: Put the remembered value itself back.
def slope_along(f, p, nudge=1e-5):
    """Measure the slope of f() along the parameter p, whose value is the same afterwards.

    f takes nothing and returns a node.
    """
    kept = p.value

    def at(value):
        p.value = value
        return f().value

    measured = slope(at, kept, nudge)
    p.value = p.value + nudge
    return measured

# %% own_nudge
# says: The nudge that was asked for is not used; slope takes its own.
# next: Pass nudge to slope.
def slope_along(f, p, nudge=1e-5):
    """Measure the slope of f() along the parameter p, whose value is the same afterwards.

    f takes nothing and returns a node.
    """
    kept = p.value

    def at(value):
        p.value = value
        return f().value

    measured = slope(at, kept)
    p.value = kept
    return measured

# %% one_side
# says: Only the right side is nudged, so the slope leans towards what comes next.
# next: Let your slope of module 01 nudge to both sides.
def slope_along(f, p, nudge=1e-5):
    """Measure the slope of f() along the parameter p, whose value is the same afterwards.

    f takes nothing and returns a node.
    """
    kept = p.value

    def at(value):
        p.value = value
        return f().value

    measured = (at(kept + nudge) - at(kept)) / nudge
    p.value = kept
    return measured

# %% half_the_way
# says: The two places are two nudges apart, but the rise is divided by one.
# next: Let your slope of module 01 do it, or divide by 2 * nudge.
def slope_along(f, p, nudge=1e-5):
    """Measure the slope of f() along the parameter p, whose value is the same afterwards.

    f takes nothing and returns a node.
    """
    kept = p.value

    def at(value):
        p.value = value
        return f().value

    measured = (at(kept + nudge) - at(kept - nudge)) / nudge
    p.value = kept
    return measured

# %% never_nudged
# says: The number that slope tries never reaches p, so f() is always the same and the slope 0.
# next: In the inner function, store the number in p.value before f() is called.
def slope_along(f, p, nudge=1e-5):
    """Measure the slope of f() along the parameter p, whose value is the same afterwards.

    f takes nothing and returns a node.
    """
    kept = p.value

    def at(value):
        return f().value

    measured = slope(at, kept, nudge)
    p.value = kept
    return measured

# %% a_node
# says: The answer is a node: slope was computed with nodes.
# next: The inner function answers the value of f().
def slope_along(f, p, nudge=1e-5):
    """Measure the slope of f() along the parameter p, whose value is the same afterwards.

    f takes nothing and returns a node.
    """
    kept = p.value

    def at(value):
        p.value = value
        return f()

    measured = slope(at, kept, nudge)
    p.value = kept
    return measured

# %% asks_the_rule
# says: This answers what backward says. The point is to measure without any rule.
# next: Compute f() at two places and compare the values.
def slope_along(f, p, nudge=1e-5):
    """Measure the slope of f() along the parameter p, whose value is the same afterwards.

    f takes nothing and returns a node.
    """
    kept = p.value

    def at(value):
        p.value = value
        return f().value

    p.grad = None
    f().backward()
    return p.grad

# %% nudge_in_proportion
# says: The nudge is multiplied by the value; at 0 it vanishes, and elsewhere it is not the one asked for.
# next: Use the nudge as it is.
def slope_along(f, p, nudge=1e-5):
    """Measure the slope of f() along the parameter p, whose value is the same afterwards.

    f takes nothing and returns a node.
    """
    kept = p.value

    def at(value):
        p.value = value
        return f().value

    measured = slope(at, kept, nudge * abs(kept))
    p.value = kept
    return measured
