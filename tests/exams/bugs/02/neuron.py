"""Wrong answers to the exercise neuron of module 02, each with what is wrong and what to do next."""

# %% no_bias
# says: The bias is not part of the sum.
# next: Begin the sum with the bias.
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = 0
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% one_weight
# says: There is one weight only, many times in the list: `[...] * n` repeats the same node.
# next: Make a new parameter for each input.
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1))] * inputs
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% constant_weights
# says: The weights are constants; they receive no gradient and cannot learn.
# next: Make each weight a Parameter.
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Constant(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% never_bent
# says: The activation is not applied.
# next: Answer the activation of the sum.
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return total

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% each_term_bent
# says: The activation function is applied to every product; it belongs to the whole sum.
# next: Add everything up first, then apply the activation function once.
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + self.activation(weight * value)
        return total

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% bias_not_listed
# says: The bias is missing in the list of parameters, so it is not trained.
# next: List the weights, then the bias.
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights]

# %% bias_first
# says: The bias stands before the weights.
# next: List the weights, then the bias.
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [self.bias, *self.weights]

# %% bias_drawn
# says: The bias is drawn too; it begins at 0.
# next: Make the bias a Parameter of 0.
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(rng.uniform(-1, 1))
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% never_negative
# says: The weights are drawn from 0 to 1, none below 0.
# next: Draw with rng.uniform(-1, 1).
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.random()) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        total = self.bias
        for weight, value in zip(self.weights, x):
            total = total + weight * value
        return self.activation(total)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]

# %% bias_grows
# says: The sum is stored as the new bias, so every call begins where the last one ended.
# next: Add up in a variable of the call, and leave self.bias alone.
class Neuron:
    """An activation function applied to a weighted sum of inputs plus a bias."""

    def __init__(self, inputs, activation, rng):
        """Make `weights`, drawn from -1 to 1, one for each of the inputs, and a `bias` of 0."""
        self.weights = [Parameter(rng.uniform(-1, 1)) for _ in range(inputs)]
        self.bias = Parameter(0)
        self.activation = activation

    def __call__(self, x):
        """Return activation(bias + the sum of weight times input) for the list x."""
        for weight, value in zip(self.weights, x):
            self.bias = self.bias + weight * value
        return self.activation(self.bias)

    def parameters(self):
        """List the weights, then the bias."""
        return [*self.weights, self.bias]
