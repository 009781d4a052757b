"""Wrong answers to the exercise mlp of module 02, each with what is wrong and what to do next."""

# %% last_one_bent
# says: The last layer has an activation function as well, so no score can leave its range.
# next: The last layer's activation returns what it gets.
class MLP:
    """A sequence of layers; all but the last have an activation function."""

    def __init__(self, sizes, activation, rng):
        """Make `layers`: one from each of the sizes to the next; the last has no activation function."""
        activations = [activation] * (len(sizes) - 1)
        pairs = zip(sizes, sizes[1:], activations)
        self.layers = [Layer(inputs, outputs, f, rng) for inputs, outputs, f in pairs]

    def __call__(self, x):
        """Return the list that the last layer makes of the list x."""
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        """List the parameters, layer by layer."""
        return [p for layer in self.layers for p in layer.parameters()]

# %% never_bent
# says: No layer has an activation function; then many layers compute no more than one.
# next: All layers but the last get the activation.
class MLP:
    """A sequence of layers; all but the last have an activation function."""

    def __init__(self, sizes, activation, rng):
        """Make `layers`: one from each of the sizes to the next; the last has no activation function."""
        activations = [lambda total: total] * (len(sizes) - 1)
        pairs = zip(sizes, sizes[1:], activations)
        self.layers = [Layer(inputs, outputs, f, rng) for inputs, outputs, f in pairs]

    def __call__(self, x):
        """Return the list that the last layer makes of the list x."""
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        """List the parameters, layer by layer."""
        return [p for layer in self.layers for p in layer.parameters()]

# %% only_the_last_bent
# says: Only the last layer has an activation function: the two cases are swapped.
# next: All layers but the last get the activation.
class MLP:
    """A sequence of layers; all but the last have an activation function."""

    def __init__(self, sizes, activation, rng):
        """Make `layers`: one from each of the sizes to the next; the last has no activation function."""
        activations = [lambda total: total] * (len(sizes) - 2) + [activation]
        pairs = zip(sizes, sizes[1:], activations)
        self.layers = [Layer(inputs, outputs, f, rng) for inputs, outputs, f in pairs]

    def __call__(self, x):
        """Return the list that the last layer makes of the list x."""
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        """List the parameters, layer by layer."""
        return [p for layer in self.layers for p in layer.parameters()]

# %% last_layer_missing
# says: One layer is missing at the end.
# next: From n sizes come n - 1 layers.
class MLP:
    """A sequence of layers; all but the last have an activation function."""

    def __init__(self, sizes, activation, rng):
        """Make `layers`: one from each of the sizes to the next; the last has no activation function."""
        activations = [activation] * (len(sizes) - 2) + [lambda total: total]
        pairs = zip(sizes[:-1], sizes[1:-1], activations)
        self.layers = [Layer(inputs, outputs, f, rng) for inputs, outputs, f in pairs]

    def __call__(self, x):
        """Return the list that the last layer makes of the list x."""
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        """List the parameters, layer by layer."""
        return [p for layer in self.layers for p in layer.parameters()]

# %% first_input_for_all
# says: Every layer works on the first input; it is to work on what the layer before it answers.
# next: Let x become what each layer makes of it.
class MLP:
    """A sequence of layers; all but the last have an activation function."""

    def __init__(self, sizes, activation, rng):
        """Make `layers`: one from each of the sizes to the next; the last has no activation function."""
        activations = [activation] * (len(sizes) - 2) + [lambda total: total]
        pairs = zip(sizes, sizes[1:], activations)
        self.layers = [Layer(inputs, outputs, f, rng) for inputs, outputs, f in pairs]

    def __call__(self, x):
        """Return the list that the last layer makes of the list x."""
        for layer in self.layers:
            answers = layer(x)
        return answers

    def parameters(self):
        """List the parameters, layer by layer."""
        return [p for layer in self.layers for p in layer.parameters()]

# %% node_for_list
# says: The answer is the first node of the last layer, not its list.
# next: Answer the whole list.
class MLP:
    """A sequence of layers; all but the last have an activation function."""

    def __init__(self, sizes, activation, rng):
        """Make `layers`: one from each of the sizes to the next; the last has no activation function."""
        activations = [activation] * (len(sizes) - 2) + [lambda total: total]
        pairs = zip(sizes, sizes[1:], activations)
        self.layers = [Layer(inputs, outputs, f, rng) for inputs, outputs, f in pairs]

    def __call__(self, x):
        """Return the list that the last layer makes of the list x."""
        for layer in self.layers:
            x = layer(x)
        return x[0]

    def parameters(self):
        """List the parameters, layer by layer."""
        return [p for layer in self.layers for p in layer.parameters()]

# %% lists_in_a_list
# says: The parameters come as a list of lists.
# next: Make one flat list of them.
class MLP:
    """A sequence of layers; all but the last have an activation function."""

    def __init__(self, sizes, activation, rng):
        """Make `layers`: one from each of the sizes to the next; the last has no activation function."""
        activations = [activation] * (len(sizes) - 2) + [lambda total: total]
        pairs = zip(sizes, sizes[1:], activations)
        self.layers = [Layer(inputs, outputs, f, rng) for inputs, outputs, f in pairs]

    def __call__(self, x):
        """Return the list that the last layer makes of the list x."""
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        """List the parameters, layer by layer."""
        return [layer.parameters() for layer in self.layers]

# %% last_parameters_only
# says: Only the parameters of the last layer are listed, so the others never learn.
# next: Go through all layers.
class MLP:
    """A sequence of layers; all but the last have an activation function."""

    def __init__(self, sizes, activation, rng):
        """Make `layers`: one from each of the sizes to the next; the last has no activation function."""
        activations = [activation] * (len(sizes) - 2) + [lambda total: total]
        pairs = zip(sizes, sizes[1:], activations)
        self.layers = [Layer(inputs, outputs, f, rng) for inputs, outputs, f in pairs]

    def __call__(self, x):
        """Return the list that the last layer makes of the list x."""
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        """List the parameters, layer by layer."""
        return [p for layer in self.layers[-1:] for p in layer.parameters()]

# %% one_layer_used_twice
# says: A layer is made once and used at every place.
# next: Make a new layer for each pair of neighbours.
class MLP:
    """A sequence of layers; all but the last have an activation function."""

    def __init__(self, sizes, activation, rng):
        """Make `layers`: one from each of the sizes to the next; the last has no activation function."""
        activations = [activation] * (len(sizes) - 2) + [lambda total: total]
        pairs = zip(sizes, sizes[1:], activations)
        self.layers = [Layer(sizes[0], sizes[1], activations[0], rng)] * (len(sizes) - 1)

    def __call__(self, x):
        """Return the list that the last layer makes of the list x."""
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        """List the parameters, layer by layer."""
        return [p for layer in self.layers for p in layer.parameters()]

# %% yields_parameters
# says: `yield` makes a generator: it has no length, and is empty after one walk; gradcheck walks twice.
# next: Answer a list.
class MLP:
    """A sequence of layers; all but the last have an activation function."""

    def __init__(self, sizes, activation, rng):
        """Make `layers`: one from each of the sizes to the next; the last has no activation function."""
        activations = [activation] * (len(sizes) - 2) + [lambda total: total]
        pairs = zip(sizes, sizes[1:], activations)
        self.layers = [Layer(inputs, outputs, f, rng) for inputs, outputs, f in pairs]

    def __call__(self, x):
        """Return the list that the last layer makes of the list x."""
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        """List the parameters, layer by layer."""
        for layer in self.layers:
            yield from layer.parameters()
