"""Wrong answers to the exercise slope of module 01, each with what is wrong and what to do next."""

# %% one_side
# says: Only the right side is nudged, so the slope leans towards what comes next on a curve.
# next: Ask f on both sides of x, at x + nudge and at x - nudge.
def slope(f, x, nudge=1e-6):
    """Return the slope of f at x, from one nudge to each side.

    f takes a number and returns a number.
    """
    return (f(x + nudge) - f(x)) / nudge

# %% left_side
# says: Only the left side is nudged, so the slope leans towards what came before on a curve.
# next: Ask f on both sides of x, at x + nudge and at x - nudge.
def slope(f, x, nudge=1e-6):
    """Return the slope of f at x, from one nudge to each side.

    f takes a number and returns a number.
    """
    return (f(x) - f(x - nudge)) / nudge

# %% one_nudge_wide
# says: The two places are two nudges apart, but the rise is divided by one: the slope is twice too steep.
# next: Divide by the whole distance between the two places.
def slope(f, x, nudge=1e-6):
    """Return the slope of f at x, from one nudge to each side.

    f takes a number and returns a number.
    """
    return (f(x + nudge) - f(x - nudge)) / nudge

# %% only_the_rise
# says: This is the rise between the two places; a slope is rise over run.
# next: Divide the rise by the distance between the two places.
def slope(f, x, nudge=1e-6):
    """Return the slope of f at x, from one nudge to each side.

    f takes a number and returns a number.
    """
    return f(x + nudge) - f(x - nudge)

# %% upside_down
# says: Left and right are swapped: where f climbs, this slope says that it falls.
# next: Take the right side minus the left side.
def slope(f, x, nudge=1e-6):
    """Return the slope of f at x, from one nudge to each side.

    f takes a number and returns a number.
    """
    return (f(x - nudge) - f(x + nudge)) / (2 * nudge)

# %% own_nudge
# says: The nudge that was asked for is not used; the function works with one of its own.
# next: Use the argument `nudge` everywhere.
def slope(f, x, nudge=1e-6):
    """Return the slope of f at x, from one nudge to each side.

    f takes a number and returns a number.
    """
    h = 1e-6
    return (f(x + h) - f(x - h)) / (2 * h)

# %% precedence
# says: Without brackets Python divides by 2 and then multiplies by the nudge.
# next: Put brackets around the whole distance below the line.
def slope(f, x, nudge=1e-6):
    """Return the slope of f at x, from one nudge to each side.

    f takes a number and returns a number.
    """
    return (f(x + nudge) - f(x - nudge)) / 2 * nudge

# %% adds_the_sides
# says: The two sides are added, which gives a height and not a difference of heights.
# next: Subtract the left side from the right side.
def slope(f, x, nudge=1e-6):
    """Return the slope of f at x, from one nudge to each side.

    f takes a number and returns a number.
    """
    return (f(x + nudge) + f(x - nudge)) / (2 * nudge)

# %% no_brackets
# says: Without brackets around the rise, only the second height is divided by something.
# next: Put brackets around the whole rise, and around the whole distance.
def slope(f, x, nudge=1e-6):
    """Return the slope of f at x, from one nudge to each side.

    f takes a number and returns a number.
    """
    return f(x + nudge) - f(x - nudge) / 2 * nudge

# %% rise_without_brackets
# says: Without brackets around the rise, only the second height is divided by the distance.
# next: Put brackets around the whole rise.
def slope(f, x, nudge=1e-6):
    """Return the slope of f at x, from one nudge to each side.

    f takes a number and returns a number.
    """
    return f(x + nudge) - f(x - nudge) / (2 * nudge)
