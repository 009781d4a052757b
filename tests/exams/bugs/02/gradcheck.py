"""Wrong answers to the exercise gradcheck of module 02, each with what is wrong and what to do next."""

# %% old_gradients_count
# says: Gradients left from before are still there, and the pass adds to them.
# next: Empty every p.grad before the backward pass.
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong

# %% new_gradients_stay
# says: The gradients of this pass stay at the parameters, and what was there is lost.
# next: Put the old gradients back when the new ones are noted.
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong

# %% cleared_for_good
# says: Afterwards every gradient is None: what was there before is lost.
# next: Put the old gradients back when the new ones are noted.
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p in parameters:
        p.grad = None
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong

# %% absolute_only
# says: A slope of ten million is measured to a few digits after the point; one millionth is too much to ask.
# next: Multiply the tolerance by the larger of 1 and the slope's size.
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance:
            wrong.append(p)
    return wrong

# %% relative_only
# says: Where the slope is 0 nothing is allowed at all, though measuring always rounds a little.
# next: Multiply the tolerance by the larger of 1 and the slope's size.
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * abs(measured):
            wrong.append(p)
    return wrong

# %% nan_passes
# says: A gradient that is nan is not listed: every comparison with nan is false, so it is never too far off.
# next: List what is not close enough: `if not ... <= ...`.
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if abs(grad - measured) > tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong

# %% signed_difference
# says: The difference has a sign; a gradient that is far too small passes.
# next: Take the size of the difference.
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not (grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong

# %% right_ones_listed
# says: The parameters that agree are listed, not those that do not.
# next: List a parameter unless it agrees.
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong

# %% none_is_no_number
# says: A parameter that f does not use has the gradient None, and None is not a number.
# next: Let None count as 0.
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p, nudge)
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong

# %% nudge_forgotten
# says: The nudge that was asked for is not handed on.
# next: Give slope_along the nudge.
def gradcheck(f, parameters, nudge=1e-5, tolerance=1e-6):
    """List the parameters whose gradient in f() does not agree with the slope along them.

    f takes nothing and returns a node. Values and gradients are the same afterwards.
    """
    old = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    f().backward()
    new = [p.grad or 0.0 for p in parameters]
    for p, grad in zip(parameters, old):
        p.grad = grad
    wrong = []
    for p, grad in zip(parameters, new):
        measured = slope_along(f, p)
        if not abs(grad - measured) <= tolerance * max(1, abs(measured)):
            wrong.append(p)
    return wrong
