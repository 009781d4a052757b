"""Wrong answers to the exercise minimize of module 01, each with what is wrong and what to do next."""

# %% uphill
# says: The step follows the slope, and the slope points uphill.
# next: Subtract the learning rate times the gradient.
def minimize(f, x, learning_rate=0.1, steps=100):
    """Follow the slope of f downhill from the number x.

    f takes a node and returns a node. Return the list of values: the start, then one for each step.
    """
    x = Parameter(x)
    path = [x.value]
    for _ in range(steps):
        fx = f(x)
        fx.backward()
        x.value += learning_rate * x.grad
        fx.zero_grad()
        path.append(x.value)
    return path

# %% never_clears
# says: The gradients are never cleared, so each step uses the sum of all slopes so far.
# next: Call zero_grad() once in every step.
def minimize(f, x, learning_rate=0.1, steps=100):
    """Follow the slope of f downhill from the number x.

    f takes a node and returns a node. Return the list of values: the start, then one for each step.
    """
    x = Parameter(x)
    path = [x.value]
    for _ in range(steps):
        fx = f(x)
        fx.backward()
        x.value -= learning_rate * x.grad
        path.append(x.value)
    return path

# %% start_missing
# says: The path begins after the first step; the start is missing.
# next: Put the starting value into the path before the loop.
def minimize(f, x, learning_rate=0.1, steps=100):
    """Follow the slope of f downhill from the number x.

    f takes a node and returns a node. Return the list of values: the start, then one for each step.
    """
    x = Parameter(x)
    path = []
    for _ in range(steps):
        fx = f(x)
        fx.backward()
        x.value -= learning_rate * x.grad
        fx.zero_grad()
        path.append(x.value)
    return path

# %% end_missing
# says: The value is noted before the step, so the last value is missing.
# next: Start the path with the start, and note each value after its step.
def minimize(f, x, learning_rate=0.1, steps=100):
    """Follow the slope of f downhill from the number x.

    f takes a node and returns a node. Return the list of values: the start, then one for each step.
    """
    x = Parameter(x)
    path = []
    for _ in range(steps):
        path.append(x.value)
        fx = f(x)
        fx.backward()
        x.value -= learning_rate * x.grad
        fx.zero_grad()
    return path

# %% one_step_more
# says: The loop takes one step too many.
# next: Take exactly `steps` steps; the path has one value more than that.
def minimize(f, x, learning_rate=0.1, steps=100):
    """Follow the slope of f downhill from the number x.

    f takes a node and returns a node. Return the list of values: the start, then one for each step.
    """
    x = Parameter(x)
    path = [x.value]
    for _ in range(steps + 1):
        fx = f(x)
        fx.backward()
        x.value -= learning_rate * x.grad
        fx.zero_grad()
        path.append(x.value)
    return path

# %% old_graph
# says: The graph is built once, before the loop, and holds the values of the start forever.
# next: Compute f(x) anew in every step.
def minimize(f, x, learning_rate=0.1, steps=100):
    """Follow the slope of f downhill from the number x.

    f takes a node and returns a node. Return the list of values: the start, then one for each step.
    """
    x = Parameter(x)
    path = [x.value]
    fx = f(x)
    for _ in range(steps):
        fx.backward()
        x.value -= learning_rate * x.grad
        fx.zero_grad()
        path.append(x.value)
    return path

# %% own_learning_rate
# says: The learning rate that was asked for is not used.
# next: Multiply the gradient by the argument learning_rate.
def minimize(f, x, learning_rate=0.1, steps=100):
    """Follow the slope of f downhill from the number x.

    f takes a node and returns a node. Return the list of values: the start, then one for each step.
    """
    x = Parameter(x)
    path = [x.value]
    for _ in range(steps):
        fx = f(x)
        fx.backward()
        x.value -= 0.1 * x.grad
        fx.zero_grad()
        path.append(x.value)
    return path

# %% only_the_end
# says: Only the last value is returned; the whole path was asked for.
# next: Return the list of all values.
def minimize(f, x, learning_rate=0.1, steps=100):
    """Follow the slope of f downhill from the number x.

    f takes a node and returns a node. Return the list of values: the start, then one for each step.
    """
    x = Parameter(x)
    path = [x.value]
    for _ in range(steps):
        fx = f(x)
        fx.backward()
        x.value -= learning_rate * x.grad
        fx.zero_grad()
        path.append(x.value)
    return x.value

# %% path_of_heights
# says: The path holds the values of f; it should hold the values of x.
# next: Append x.value, not the value of f(x).
def minimize(f, x, learning_rate=0.1, steps=100):
    """Follow the slope of f downhill from the number x.

    f takes a node and returns a node. Return the list of values: the start, then one for each step.
    """
    x = Parameter(x)
    path = [x.value]
    for _ in range(steps):
        fx = f(x)
        fx.backward()
        x.value -= learning_rate * x.grad
        fx.zero_grad()
        path.append(fx.value)
    return path

# %% path_of_slopes
# says: The path holds the slopes; it should hold the values of x.
# next: Append x.value, not x.grad.
def minimize(f, x, learning_rate=0.1, steps=100):
    """Follow the slope of f downhill from the number x.

    f takes a node and returns a node. Return the list of values: the start, then one for each step.
    """
    x = Parameter(x)
    path = [x.value]
    for _ in range(steps):
        fx = f(x)
        fx.backward()
        x.value -= learning_rate * x.grad
        path.append(x.grad)
        fx.zero_grad()
    return path
