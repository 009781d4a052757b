"""Wrong answers to the exercise layer of module 02, each with what is wrong and what to do next."""

# %% one_neuron
# says: There is one neuron only, many times in the list: `[...] * n` repeats the same one.
# next: Make a new neuron for each output.
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, activation, rng)] * outputs

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        return [neuron(x) for neuron in self.neurons]

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return [p for neuron in self.neurons for p in neuron.parameters()]

# %% numbers_exchanged
# says: Inputs and outputs are swapped: there are as many neurons as inputs.
# next: A layer has one neuron for each output; each neuron takes all inputs.
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(outputs, activation, rng) for _ in range(inputs)]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        return [neuron(x) for neuron in self.neurons]

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return [p for neuron in self.neurons for p in neuron.parameters()]

# %% never_bent
# says: The neurons get no activation.
# next: Hand the activation on to each neuron.
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, lambda total: total, rng) for _ in range(outputs)]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        return [neuron(x) for neuron in self.neurons]

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return [p for neuron in self.neurons for p in neuron.parameters()]

# %% one_input_each
# says: Each neuron sees one input only; it is to see them all.
# next: Call every neuron with the whole list x.
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, activation, rng) for _ in range(outputs)]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        return [neuron([value]) for neuron, value in zip(self.neurons, x)]

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return [p for neuron in self.neurons for p in neuron.parameters()]

# %% single_unpacked
# says: A layer of one neuron answers a node, not a list, and the next layer cannot go through it.
# next: Always answer a list.
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, activation, rng) for _ in range(outputs)]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        answers = [neuron(x) for neuron in self.neurons]
        return answers[0] if len(answers) == 1 else answers

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return [p for neuron in self.neurons for p in neuron.parameters()]

# %% added_up
# says: The answers of the neurons are added up; they are to stay a list.
# next: Answer one node for each neuron.
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, activation, rng) for _ in range(outputs)]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        total = 0
        for neuron in self.neurons:
            total = total + neuron(x)
        return total

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return [p for neuron in self.neurons for p in neuron.parameters()]

# %% lists_in_a_list
# says: The parameters come as a list of lists.
# next: Make one flat list of them.
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, activation, rng) for _ in range(outputs)]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        return [neuron(x) for neuron in self.neurons]

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return [neuron.parameters() for neuron in self.neurons]

# %% first_neuron_only
# says: Only the parameters of the first neuron are listed.
# next: Go through all neurons.
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, activation, rng) for _ in range(outputs)]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        return [neuron(x) for neuron in self.neurons]

    def parameters(self):
        """List the parameters, neuron by neuron."""
        for neuron in self.neurons:
            return neuron.parameters()

# %% weights_only
# says: The biases are missing in the list of parameters.
# next: Ask each neuron for its parameters().
class Layer:
    """A row of neurons that see the same inputs."""

    def __init__(self, inputs, outputs, activation, rng):
        """Make `neurons`, one for each of the outputs."""
        self.neurons = [Neuron(inputs, activation, rng) for _ in range(outputs)]

    def __call__(self, x):
        """Return the list of what each neuron makes of the list x."""
        return [neuron(x) for neuron in self.neurons]

    def parameters(self):
        """List the parameters, neuron by neuron."""
        return [p for neuron in self.neurons for p in neuron.weights]
