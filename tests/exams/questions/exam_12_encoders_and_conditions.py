"""Questions of module 12, encoders and conditions.

Part of the product: the package ships this file in `dark/_questions`; `dark check` and `dark grade` read it.
Its answers stand in a file of their own.

Networks are one matrix product each; in training mode they double what they return, so that a wrong mode shows as a
wrong number. Optimizers and losses of the step write down what is done to them.
"""

from numbers import Real

import numpy as np

from dark.course.exams import Array, Choice, Exam, Float, Integer, ListOf

exam = Exam("12")


def array(numbers):
    """Make an array of floats."""
    return np.array(numbers, dtype=float)


def plain(thing):
    """Return numbers and arrays in one form each: a 0-d array is a number, integers are floats."""
    if isinstance(thing, (np.ndarray, np.generic)):
        return thing.astype(float) if thing.ndim else float(thing)
    return float(thing) if isinstance(thing, Real) and not isinstance(thing, bool) else thing


def value(thing):
    """Return the value of a node, and anything else as it is."""
    return plain(getattr(thing, "value", thing))


def counted(shape, first=1.0):
    """Make an array of numbers that are all different and of both signs: 1, -2, 3 and so on."""
    size = int(np.prod(shape))
    numbers = first + np.arange(size)
    return (numbers * (1 - 2 * (np.arange(size) % 2))).reshape(shape)


def back(dark, y, **leaves):
    """Send a gradient of a different size to each number of y, and look at values and gradients."""
    dark.sum_of(dark.mul(y, counted(np.shape(y.value), 2.0))).backward()
    return {"value": value(y)} | {f"gradient of {name}": plain(leaf.grad) for name, leaf in leaves.items()}


def network(dark, weight, calls=None, forward=None):
    """Make a network: x · weight, twice that in training mode; `calls` gets the mode and the input of each call."""

    def call(self, x):
        if calls is not None:
            calls.append([bool(self.training), value(x)])
        y = dark.matmul(x, self.weight)
        return dark.mul(y, 2.0) if self.training else y

    made = type("Network", (dark.Module,), {"call": call, "forward": forward or (lambda self, x: self.call(x))})()
    made.weight = dark.Parameter(array(weight))
    return made


def outcome(function, *args):
    """Return the value of what a function returns, or "ValueError"."""
    try:
        return value(function(*args))
    except ValueError:
        return "ValueError"


# condition

ROWS = Array([[1, 2], [3, -1]], [[0.5, 0], [-2, 4]], [[-1, 0.25], [2, 2]])
LABELS = ListOf(Integer(0, 3), 2, 2)


def conditional(dark, kind, labels, classes=4, calls=None):
    """Make a conditional network of two numbers and some classes, and what is below it."""
    below = network(dark, counted((2 + classes, 2)), calls)
    return getattr(dark, f"Conditional{kind}")(below, classes), below, np.array(labels)


@exam.question("condition", points=3)
def a_column_for_each_class(dark, labels: ListOf(Integer(0, 3), 1, 6), more: Integer(0, 4)):
    """A row for each label, a column for each class; the 1 is in the column of the label."""
    found = dark.one_hot(np.array(labels), 4 + more)
    return {"one-hot": plain(found), "is an array": isinstance(found, np.ndarray)}


@exam.question("condition", points=2)
def labels_of_no_class(dark, low: Integer(-4, -1), over: Integer(0, 3), label: Integer(0, 2), classes: Choice(3, 5)):
    """A label below 0, or beyond the last class, is refused, also among others."""
    asked = {"below": [label, low], "beyond": [classes + over, label], "beyond alone": [classes]}
    asked |= {"the last": [classes - 1, 0]}
    return {name: outcome(dark.one_hot, np.array(labels), classes) for name, labels in asked.items()}


@exam.question("condition", points=3)
def a_generator_that_is_asked(dark, noise: ROWS, labels: LABELS):
    """The network gets the noise, and right of it the one-hot labels; gradients reach both."""
    model, below, labels = conditional(dark, "Generator", labels)
    noise = dark.Parameter(array(noise))
    return back(dark, model(noise, labels), noise=noise, weight=below.weight)


@exam.question("condition", points=3)
def a_discriminator_that_is_told(dark, x: ROWS, labels: LABELS):
    """The network gets the example, and right of it the one-hot labels; fakes receive their gradient."""
    model, below, labels = conditional(dark, "Discriminator", labels)
    x = dark.Parameter(array(x))
    return back(dark, model(x, labels), x=x, weight=below.weight) | {"array": value(model(array([[1, 2]] * 2), labels))}


@exam.question("condition", points=2)
def one_network_below(dark, x: ROWS, labels: LABELS, kind: Choice("Generator", "Discriminator")):
    """The network's parameter is listed, once; evaluation mode reaches it."""
    model, below, labels = conditional(dark, kind, labels)
    y = [value(model.train(mode)(array(x), labels)) for mode in (True, False)]
    return {"parameters": [p is below.weight for p in model.parameters()], "in both modes": y}


@exam.question("condition")
def in_an_adversarial_loss(dark, x: ROWS, labels: LABELS):
    """The discriminator is one of two inputs, as losses of module 11 call it."""
    model, below, labels = conditional(dark, "Discriminator", labels)
    below.weight.value = below.weight.value / 9
    context = dark.GANContext(generator_model=network(dark, [[1.0]]), discriminator_model=model)
    return value(dark.GeneratorBCE()(context, fake=array(x), condition=labels, training=False))


@exam.question("condition")
def two_conditional_networks(dark, x: ROWS, labels: LABELS):
    """Each has its own number of classes."""
    small, large = (conditional(dark, "Generator", labels, classes) for classes in (4, 6))
    return [value(model(array(x), labels)) for model, _, labels in (small, large, small)]


# joint_inputs

FORWARDS = {
    "x": lambda self, x: x,
    "x, scale=2.0": lambda self, x, scale=2.0: x,
    "x, condition": lambda self, x, condition: x,
    "x, condition=None": lambda self, x, condition=None: x,
    "x, encoding": lambda self, x, encoding: x,
    "x, encoding=None": lambda self, x, encoding=None: x,
    "image, code, scale=2.0": lambda self, image, code, scale=2.0: image,
    "x, encoding, condition": lambda self, x, encoding, condition: x,
    "x, encoding, condition=None": lambda self, x, encoding, condition=None: x,
    "image, code, label": lambda self, image, code, label: image,
    "x, a, b, c": lambda self, x, a, b, c: x,
    "nothing": lambda self: None,
}
ONE, TWO, THREE = (list(FORWARDS)[start:stop] for start, stop in ((0, 2), (2, 7), (7, 10)))
PLAIN = [name for name in FORWARDS if "encoding=None" not in name]  # module 11 does not count such an encoding
CONDITIONS = {"labels": [3, 1], "zeros": [0, 0], "columns": [[0, 1], [1, 0]], "nothing": None}
CODES = {"zeros": [[0.0], [0.0]], "numbers": [[2.5], [-1.0]]}


def joined(dark, forward, first, condition, z=None, training=True, with_encoder=True, is_training=False):
    """Ask for the inputs of a discriminator; return their values and what the encoder was asked, or "ValueError"."""
    calls, x = [], dark.Parameter(array([[first, 2], [3, -1]]))
    encoder = network(dark, [[1.0], [-0.5]], calls)
    encoder.train(is_training)
    models = {"generator_model": network(dark, [[1.0]])}
    models |= {"discriminator_model": network(dark, [[1.0]], forward=FORWARDS[forward])}
    kind = dark.GANEncoderContext if with_encoder else dark.GANContext
    context = kind(**models, **({"encoder_model": encoder} if with_encoder else {}))
    condition = None if condition is None else np.array(condition)
    z = None if z is None else array(z)
    named = {} if z is None else {"z": z}
    named |= {} if condition is None else {"condition": condition}
    try:
        found = dark.joint_inputs(context, x, **named, **({} if training else {"training": False}))
    except ValueError:
        return "ValueError"
    if not isinstance(found, list) or not found:
        return f"of class {type(found).__name__}"
    given = [found[0] is x, z is None or len(found) < 2 or found[1] is z, found[-1] is condition]
    seen = {"inputs": [value(each) for each in found], "number": len(found), "as they were given": given}
    if z is None and with_encoder:
        seen |= {"mode afterwards": bool(encoder.training)} | back(dark, found[1], x=x, weight=encoder.weight)
    return seen | {"modes of the encoder's calls": [mode for mode, _ in calls]}


@exam.question("joint_inputs", points=3, examples=20)
def a_real_example_and_its_code(
    dark, forward: Choice(*TWO[2:]), first: Float(-3, 3), training: Choice(True, False),
    is_training: Choice(True, False),
):  # fmt: skip
    """The code is what the encoder makes of x, with its graph, in the mode; afterwards the mode is that of before."""
    return joined(dark, forward, first, None, None, training, is_training=is_training)


@exam.question("joint_inputs", points=3, examples=20)
def a_fake_and_its_noise(dark, forward: Choice(*TWO[2:], *THREE), first: Float(-3, 3)):
    """A code that is given is passed on as it is, and the encoder is not asked; a code of zeros is one."""
    return {name: joined(dark, forward, first, CONDITIONS["labels"], z) for name, z in CODES.items()}


@exam.question("joint_inputs", points=3, examples=20)
def with_a_condition(
    dark, forward: Choice(*THREE), first: Float(-3, 3), condition: Choice(*CONDITIONS), z: Choice(None, "zeros")
):
    """Three inputs get the condition last, labels of 0 too; without a condition they are refused."""
    return joined(dark, forward, first, CONDITIONS[condition], z and CODES[z])


@exam.question("joint_inputs", points=2, examples=20)
def without_an_encoder(dark, forward: Choice(*PLAIN), first: Float(-3, 3), condition: Choice(*CONDITIONS)):
    """In a GANContext one input gets x, two get x and the condition; a code counts for nothing there."""
    without = {"with_encoder": False}
    seen = {"without z": joined(dark, forward, first, CONDITIONS[condition], **without)}
    return seen | {"with z": joined(dark, forward, first, CONDITIONS[condition], CODES["numbers"], **without)}


@exam.question("joint_inputs", points=2, examples=20)
def cells_that_are_refused(
    dark, forward: Choice(*ONE, "x, a, b, c", "nothing"), first: Float(-3, 3), z: Choice(None, "numbers")
):
    """With an encoder, one input, none and four are refused, with a condition and without; two are served."""
    refused = [joined(dark, forward, first, each, z and CODES[z]) for each in (None, CONDITIONS["labels"])]
    return {"refused": refused, "served": joined(dark, "x, encoding", first, CONDITIONS["labels"])}


# encoder_bce

PAIRS = ([[1, 2], [3, -1]], [[0, 0], [0.5, 2]], [[-2, 1], [4, 0], [1, 1.5]], [[0.25, -3]])
SHIFT = array([[0.3], [-0.7], [1.1]])


def pair_game(dark, conditional=False, is_training=True, calls=None):
    """Make a context whose discriminator adds what it makes of x and of the code, and the condition."""

    def score(self, x, encoding):
        y = dark.add(dark.matmul(x, self.weight), dark.matmul(encoding, self.of_code))
        return dark.mul(y, 2.0) if self.training else y

    def with_condition(self, x, encoding, condition):
        return dark.add(score(self, x, encoding), condition)

    discriminator = network(dark, [[1.0], [-0.5]], forward=with_condition if conditional else score)
    discriminator.of_code = dark.Parameter(array([[0.75], [-2.0]]))
    encoder = network(dark, [[0.5, -1.0], [0.25, 1.0]], calls)
    for model in (discriminator, encoder):
        model.train(is_training)
    context = dark.GANEncoderContext(
        generator_model=network(dark, [[1.0]]), discriminator_model=discriminator, encoder_model=encoder
    )
    return context, discriminator, encoder


def pair_loss(dark, loss, is_training=True, examples=(), **settings):
    """Compute a loss of pairs; return it, the gradients below it, and what the encoder was asked."""
    calls = []
    context, discriminator, encoder = pair_game(dark, "condition" in settings, is_training, calls)
    given = {name: dark.Parameter(array(rows)) for name, rows in dict(examples).items()}
    y = loss(context, **given, **settings)
    leaves = {"weight of D": discriminator.weight, "weight for codes": discriminator.of_code}
    leaves |= {"weight of E": encoder.weight}
    seen = {"shape": list(np.shape(y.value))} | back(dark, y, **leaves, **given)
    modes = [bool(model.training) for model in (discriminator, encoder)]
    asked = {"different calls of E": len({str(call) for call in calls}), "modes of E": sorted({m for m, _ in calls})}
    return seen | {"modes afterwards": modes} | asked


@exam.question("encoder_bce", points=3)
def the_encoders_loss(dark, real: Array(*PAIRS)):
    """Pairs of real examples should be taken for fakes, target 0; gradients reach E, through D."""
    seen = pair_loss(dark, dark.EncoderBCE(), examples={"real": real}, is_training=False)
    evaluated = pair_loss(dark, dark.EncoderBCE(), examples={"real": real}, training=False)
    return seen | {"in evaluation mode": evaluated["value"]}


@exam.question("encoder_bce", points=4)
def the_discriminators_loss(dark, fake: Array(*PAIRS), real: Array(*PAIRS[::-1]), more: Float(-2, 2)):
    """Real pairs have the target 1, pairs of fakes and their noise 0; each kind counts one half."""
    noise = array(fake)[:, ::-1] + more
    return pair_loss(dark, dark.PairDiscriminatorBCE(), examples={"fake": fake, "real": real, "noise": noise})


@exam.question("encoder_bce", points=2)
def pair_losses_in_a_mode(
    dark, rows: Array(*PAIRS[:2]), training: Choice(True, False), is_training: Choice(True, False), k: Integer(0, 1)
):
    """Mode and condition reach both models; afterwards each has its mode of before."""
    settings = {"training": training, "condition": SHIFT[k : k + 2], "is_training": is_training}
    examples = {"fake": rows, "real": rows[::-1], "noise": array(rows) + 1}
    losses = {"encoder": dark.EncoderBCE(), "discriminator": dark.PairDiscriminatorBCE()}
    seen = {name: pair_loss(dark, loss, examples=examples, **settings) for name, loss in losses.items()}
    context, _, _ = pair_game(dark, conditional=True)
    rows = {name: array(each) for name, each in examples.items()}
    return seen | {"without the condition": [outcome(lambda: loss(context, **rows)) for loss in losses.values()]}


@exam.question("encoder_bce")
def pairs_of_any_score(dark, first: Float(-3, 3), far: Choice(-900, 900)):
    """Scores far off on either side give finite losses."""
    examples = {"fake": [[far, first]], "real": [[first, 1], [far, 0]], "noise": [[0, first]]}
    losses = {"encoder": dark.EncoderBCE(), "discriminator": dark.PairDiscriminatorBCE()}
    return {name: pair_loss(dark, loss, examples=examples)["value"] for name, loss in losses.items()}


# encoder_step

PLAYERS = ("discriminator", "generator", "encoder")


class Optimizer:
    """Gradient descent that writes down its steps; the gradients of all steps are remembered, as momentum."""

    def __init__(self, name, network, log, momentum):
        self.name, self.parameters, self.log = name, list(network.parameters()), log
        self.momentum, self.velocities = momentum, [0.0 for _ in self.parameters]

    def zero_grad(self):
        """Set all gradients to None."""
        for p in self.parameters:
            p.grad = None

    def step(self):
        """Update the parameters."""
        self.log.append(f"{self.name} moves")
        for k, p in enumerate(self.parameters):
            if p.grad is not None:
                self.velocities[k] = self.momentum * self.velocities[k] + p.grad
                p.value = p.value - 0.125 * self.velocities[k]


def player(dark, w):
    """Make a network of three parameters: w · x + bias + last, twice w · x in training mode."""
    made = network(dark, [[w]], forward=lambda self, x: dark.add(dark.add(self.call(x), self.bias), self.last))
    made.bias, made.last = dark.Parameter(array([0.5])), dark.Parameter(array([-0.25]))
    return made


class Game:
    """Three models; each loss reaches all of them, and writes down how it is called."""

    def __init__(self, dark, weights, momentum=0.0):
        self.dark, self.log, self.seen = dark, [], {}
        self.models = {name: player(dark, w) for name, w in zip(PLAYERS, weights)}
        losses = {f"{name}_loss": self.loss_of(name) for name in PLAYERS}
        models = {f"{name}_model": model for name, model in self.models.items()}
        self.context = dark.GANEncoderContext(**models, **losses)
        self.optimizers = {name: Optimizer(name, self.models[name], self.log, momentum) for name in PLAYERS}

    def loss_of(self, name):
        """Make the loss of a player: squares of what D makes of both kinds of pairs, and of the way back."""
        dark, factor, target = self.dark, *{"discriminator": (0.5, 1), "generator": (0.25, -1), "encoder": (1, 2)}[name]

        def square(a, b):
            return dark.mul(dark.sub(a, b), dark.sub(a, b))

        def loss(context, *, fake, real, noise, condition, training):
            if context is not self.context:
                raise TypeError("a loss gets the context first")
            is_detached = not isinstance(fake, dark.Node) or isinstance(fake, dark.Constant)
            kind = ", detached fakes" if is_detached else ", fakes with their graph"
            self.log.append(f"{name} loss{kind if name != 'encoder' else ''}")
            given = {"fake": fake, "real": real, "noise": noise, "condition": condition}
            self.seen[name] = [training, *map(value, given.values())]
            discriminator, generator, encoder = (self.in_any_mode(each) for each in PLAYERS)
            code = encoder(dark.Constant(real))
            of_fake = square(dark.add(discriminator(fake), noise), factor)
            of_real = square(dark.sub(discriminator(dark.Constant(real)), code), target)
            return dark.mean(dark.add(dark.add(of_fake, of_real), square(generator(code), real)))

        return loss

    def in_any_mode(self, name):
        """Return a function of the weights of a model that does not depend on its mode."""
        dark, model = self.dark, self.models[name]
        return lambda x: dark.add(dark.add(dark.matmul(x, model.weight), model.bias), model.last)

    def step(self, real, noise, **condition):
        """Do the step; return what it returns."""
        return self.dark.encoder_step(self.context, self.optimizers, array(real), array(noise), **condition)

    def weights(self):
        """Return the values of all parameters."""
        return {name: [value(p) for p in model.parameters()] for name, model in self.models.items()}

    def gradients(self):
        """Return the gradients of all parameters."""
        return {name: [plain(p.grad) for p in model.parameters()] for name, model in self.models.items()}


def told(found):
    """Return the dict of a step, where each float is a number."""
    if not isinstance(found, dict):
        return f"of class {type(found).__name__}"
    kinds = {name: f"of class {type(each).__name__}" for name, each in found.items()}
    return {str(name): each if isinstance(each, float) else kinds[name] for name, each in found.items()}


REAL = Array([[1], [2]], [[3], [0.5]], [[-1], [2]])
NOISE = Array([[1], [-1.5]], [[0.5], [2]], [[2], [0.25]])
START = Choice((0.25, -0.5, 0.5), (-0.5, 0.25, 0.25), (0.5, 0.5, -0.25))


@exam.question("encoder_step", points=4)
def all_three_move_once(dark, start: START, real: REAL, noise: NOISE):
    """The discriminator moves first; the two others move against the one that has moved, at the same time."""
    game = Game(dark, start)
    return {"losses": told(game.step(real, noise)), "weights": game.weights()}


@exam.question("encoder_step", points=4)
def each_has_the_gradients_of_its_loss(dark, start: START, real: REAL, noise: NOISE):
    """After the step, each weight has the gradient of its own model's loss, which its optimizer has used."""
    game = Game(dark, start)
    game.step(real, noise)
    moved = {name: plain((w - game.models[name].weight.value) / 0.125) for name, w in zip(PLAYERS, start)}
    return {"gradients": game.gradients(), "what the optimizers used": moved}


@exam.question("encoder_step", points=3)
def several_steps(dark, start: START, real: REAL, noise: NOISE, steps: Integer(2, 3)):
    """Nothing of the step before is left in the next one, with momentum neither."""
    game = Game(dark, start, momentum=0.5)
    for model in game.models.values():
        for p in model.parameters():
            p.value = p.value / 2
    losses = [game.step(array(real) / 4 + k, array(noise) / 4 - k) for k in range(steps)]
    return {"losses": [told(each) for each in losses], "weights": game.weights(), "gradients": game.gradients()}


@exam.question("encoder_step", points=2)
def gradients_that_were_left(dark, start: START, real: REAL, noise: NOISE, left: Float(1, 9)):
    """Gradients that are there before, from wherever, count for nothing."""
    game = Game(dark, start)
    for model in game.models.values():
        for p in model.parameters():
            p.grad = left + 0.0 * p.value
    return {"losses": told(game.step(real, noise)), "weights": game.weights(), "gradients": game.gradients()}


@exam.question("encoder_step", points=3)
def the_order_of_events(dark, start: START, real: REAL, noise: NOISE):
    """One loss and one step of D, with detached fakes; then the losses of both others; then both their steps."""
    game = Game(dark, start)
    game.step(real, noise)
    log = game.log
    return {"first": log[:2], "then, in any order": sorted(log[2:4]), "at last, in any order": sorted(log[4:])}


@exam.question("encoder_step", points=2)
def after_samples_were_drawn(dark, start: START, real: REAL, noise: NOISE, who: Choice(*PLAYERS)):
    """A generator that was left in evaluation mode, as for drawing samples, is trained in training mode."""
    game = Game(dark, start)
    game.models["generator"].eval()
    game.models[who].eval()
    return {"losses": told(game.step(real, noise)), "weights": game.weights()}


@exam.question("encoder_step", points=2)
def what_the_losses_are_told(
    dark, start: START, real: REAL, noise: NOISE, label: Integer(0, 9), named: Choice(True, False)
):
    """Each gets real examples, noise, fakes, training=True and the condition, which is None if it is not given."""
    game = Game(dark, start)
    game.step(real, noise, **({"condition": np.array([label, 3])} if named else {}))
    return game.seen


@exam.question("encoder_step")
def steps_of_two_games(dark, real: REAL, noise: NOISE, one: Integer(1, 2), other: Integer(1, 2)):
    """Each context counts its own steps, and a step changes nothing of another game."""
    games = [Game(dark, (0.0, 0.0, 0.125)), Game(dark, (0.0, 0.125, 0.0))]
    for game, steps in zip(games, (one, other)):
        for _ in range(steps):
            game.step(array(real) / 4, array(noise) / 4)
        if game is games[0]:
            for optimizer in game.optimizers.values():
                optimizer.zero_grad()
    steps = [value(game.context.global_step) for game in games]
    return {"steps": steps, "gradients": [game.gradients() for game in games]}


# reparameterize

HEADS = Array([[1, -2], [0.5, 3]], [[0, 0.25]], [[-1], [2], [0.75]], [[2, 1, -0.5], [0, 0, 0]])


def sample_of(dark, mu, log_variance, seed, rng=None):
    """Draw a sample, and look at it and its gradients."""
    mu, log_variance = dark.Parameter(array(mu)), dark.Parameter(array(log_variance))
    y = dark.reparameterize(mu, log_variance, np.random.default_rng(seed) if rng is None else rng)
    seen = back(dark, y, mu=mu, **{"log-variance": log_variance})
    return seen | {"mu afterwards": value(mu), "log-variance afterwards": value(log_variance)}


@exam.question("reparameterize", points=4)
def a_sample_with_gradients(dark, mu: HEADS, more: Float(-3, 3), seed: Integer(0, 9)):
    """mean + spread · noise, where the spread is the root of the variance; both heads receive their gradient."""
    return sample_of(dark, mu, counted(np.shape(mu)) / 4 + more, seed)


@exam.question("reparameterize", points=2)
def noise_for_each_number(dark, n: Integer(2, 4), seed: Integer(0, 9), more: Float(-2, 2)):
    """Equal means have different samples, in a batch and in a second draw from the same generator."""
    rng = np.random.default_rng(seed)
    return [sample_of(dark, np.full((n, 2), more), np.zeros((n, 2)), seed, rng)["value"] for _ in range(2)]


@exam.question("reparameterize", points=2)
def spreads_of_any_size(dark, mu: HEADS, ell: Choice(-60.0, -4.0, 4.0), seed: Integer(0, 9), first: Float(-1, 1)):
    """A log-variance far below 0 gives nearly the mean, one above 0 a wide spread."""
    return sample_of(dark, array(mu) + first, np.full(np.shape(mu), ell), seed)


@exam.question("reparameterize", points=2)
def below_two_heads(dark, x: Array([[1, 2]], [[0.5, -1], [2, 3]]), seed: Integer(0, 9), first: Float(-1, 1)):
    """A weight below both heads receives the gradients of both."""
    w = dark.Parameter(array([[first, 0.5], [0.25, -1]]))
    y = dark.matmul(array(x), w)
    return back(dark, dark.reparameterize(y, dark.mul(y, 0.5), np.random.default_rng(seed)), w=w)


# kl_to_normal


def divergence(dark, mu, log_variance):
    """Compute a divergence, and look at it and its gradients."""
    mu, log_variance = dark.Parameter(array(mu)), dark.Parameter(array(log_variance))
    y = dark.kl_to_normal(mu, log_variance)
    return {"shape": list(np.shape(y.value))} | back(dark, y, mu=mu, **{"log-variance": log_variance})


@exam.question("kl_to_normal", points=4)
def the_closed_form(dark, mu: HEADS, more: Float(-2, 2)):
    """The values and gradients of the divergence: summed over a code, averaged over the examples."""
    return divergence(dark, mu, counted(np.shape(mu)) / 4 + more)


@exam.question("kl_to_normal", points=2)
def of_the_normal_itself(dark, n: Integer(1, 4), codes: Integer(1, 4), ell: Float(-1, 1)):
    """A standard normal pays nothing, and feels no pull; any other log-variance pays."""
    zeros = np.zeros((n, codes))
    return {"standard normal": divergence(dark, zeros, zeros), "another": divergence(dark, zeros, zeros + ell)}


@exam.question("kl_to_normal", points=2)
def a_batch_twice_as_large(dark, row: ListOf(Float(-2, 2), 1, 4), n: Integer(1, 4)):
    """Equal examples pay as much as one of them; a number that is added to each code adds what it costs."""
    rows, halves = array([row] * n), array([row] * n) / 2
    more = np.ones((n, 1))
    return [divergence(dark, rows, halves), divergence(dark, np.hstack([rows, more]), np.hstack([halves, more]))]


@exam.question("kl_to_normal", points=2)
def in_a_graph(dark, x: Array([[1, 2]], [[0.5, -1], [2, 3]]), ell: Choice(-40.0, -1.0, 3.0), first: Float(-1, 1)):
    """A weight below both heads receives the gradients of both, whatever the size of the log-variance."""
    w = dark.Parameter(array([[first, 0.5], [0.25, -1]]))
    y = dark.matmul(array(x), w)
    return back(dark, dark.mul(dark.kl_to_normal(y, dark.add(dark.mul(y, 0.5), ell)), 3.0), w=w)


# anomaly_score

IMAGES = Array([[1, 2], [3, -1]], [[0.5, 0], [-2, 4], [1, 1]], [[2, -0.5]])


def way(dark, modes=(True, True), fails=False, calls=None):
    """Make a context with an encoder to one number and a generator of two, in some modes."""

    def failing(self, x):
        raise ZeroDivisionError

    encoder = network(dark, [[0.5], [0.25]], calls)
    generator = network(dark, [[1.5, -1.0]], calls, forward=failing if fails else None)
    models = (encoder.train(modes[0]), generator.train(modes[1]))
    context = dark.GANEncoderContext(
        encoder_model=encoder, generator_model=generator, discriminator_model=network(dark, [[1.0]])
    )
    return context, models


def scores_of(dark, context, x, *features):
    """Return scores with what kind of thing they are."""
    found = dark.anomaly_score(context, x, *features)
    return {"scores": value(found), "is an array": isinstance(found, np.ndarray)}


@exam.question("anomaly_score", points=3)
def distances_in_pixels(dark, x: IMAGES, training: Choice(True, False)):
    """For each example, the squares of its differences to the way back, added up; in evaluation mode."""
    context, _ = way(dark, (training, not training))
    return scores_of(dark, context, array(x)) | {"both in training mode": scores_of(dark, way(dark)[0], array(x))}


@exam.question("anomaly_score", points=2)
def examples_in_company(dark, x: IMAGES, first: Float(-3, 3)):
    """A score is the same alone and in any batch."""
    rows = np.vstack([array(x), [[first, 1.0]]])
    alone = [scores_of(dark, way(dark)[0], row[None])["scores"] for row in rows]
    return {"together": scores_of(dark, way(dark)[0], rows), "alone": alone}


@exam.question("anomaly_score", points=2)
def images_of_any_shape(dark, shape: Choice((2, 3), (3, 1, 2, 2), (2, 2, 2), (4, 1)), c: Float(0.25, 0.75)):
    """Squares are added up over all axes but the first."""
    encoder = network(dark, [[1.0]], forward=lambda self, x: dark.mul(x, 4.0 if self.training else c))
    generator = network(dark, [[1.0]], forward=lambda self, code: dark.mul(code, 3.0 if self.training else 2.0))
    context = dark.GANEncoderContext(
        encoder_model=encoder, generator_model=generator, discriminator_model=network(dark, [[1.0]])
    )
    return scores_of(dark, context, counted(shape) / 2)


@exam.question("anomaly_score", points=3)
def distances_in_features(dark, x: IMAGES, first: Float(-2, 2), is_training: Choice(True, False)):
    """Features see the example and its way back, both with the code of the example; a Module in evaluation mode."""
    asked = []

    def forward(self, x, code):
        asked.append(value(code))
        return dark.add(self.call(x), dark.mul(dark.mul(x, x), dark.matmul(code, array([[1.0, first]]))))

    features = network(dark, [[1.0, first], [0.5, -1.0]], forward=forward)
    features.train(is_training)
    seen = scores_of(dark, way(dark)[0], array(x), features)
    different = {str(code) for code in asked}
    return seen | {"mode afterwards": bool(features.training), "different codes": len(different)}


@exam.question("anomaly_score")
def features_that_are_a_function(dark, x: IMAGES, c: Float(0.5, 2)):
    """A plain function of examples and codes will do; its result may be an array or a node of any shape."""
    nodes = scores_of(dark, way(dark)[0], array(x), lambda x, code: dark.mul(code, dark.mul(x, c)))
    stacked = scores_of(dark, way(dark)[0], array(x), lambda x, code: value(x)[:, :, None] * array([1.0, c, -1.0]))
    return {"nodes": nodes, "arrays of three axes": stacked}


@exam.question("anomaly_score", points=2)
def modes_as_before(
    dark, x: IMAGES, encoders: Choice(True, False), generators: Choice(True, False), fails: Choice(True, False)
):
    """Each model has its own mode of before, also if the generator raises; that exception is the caller's."""
    context, models = way(dark, (encoders, generators), fails)
    try:
        seen = scores_of(dark, context, array(x))
    except ZeroDivisionError:
        seen = "its own exception"
    return {"seen": seen, "modes": [bool(model.training) for model in models]}


# auc

NUMBERS, FEW = ListOf(Float(-3, 3), 1, 5), ListOf(Integer(0, 3), 1, 6)


def area(dark, anomalies, normal, turn=0, kind=int):
    """Compute the area for scores of both kinds, in some order."""
    scores = np.roll(array([*anomalies, *normal]), turn)
    labels = np.roll(np.array([1] * len(anomalies) + [0] * len(normal)), turn)
    given = scores.copy()
    found = value(dark.auc(scores, labels.astype(kind)))
    return {"area": found, "scores are as they were": bool(np.array_equal(given, scores))}


@exam.question("auc", points=3)
def how_often_an_anomaly_is_higher(dark, anomalies: NUMBERS, normal: NUMBERS, turn: Integer(0, 5)):
    """The share of pairs in which the anomaly has the higher score, in whatever order the examples come."""
    return area(dark, anomalies, normal, turn)


@exam.question("auc", points=3)
def ties_count_half(dark, anomalies: FEW, normal: FEW, turn: Integer(0, 5)):
    """Equal scores are won by half."""
    return area(dark, anomalies, normal, turn)


@exam.question("auc", points=2)
def the_ends_of_the_scale(dark, a: Integer(1, 4), n: Integer(1, 4), first: Float(-3, 3)):
    """One score for all is guessing; a perfect order has 1, a perfect disorder 0."""
    low, high = [first], [first + 1]
    found = {"all equal": area(dark, low * a, low * n)}
    return found | {"perfect": area(dark, high * a, low * n), "disorder": area(dark, low * a, high * n)}


@exam.question("auc")
def labels_that_are_bools(dark, anomalies: FEW, normal: FEW, turn: Integer(0, 5), kind: Choice("bool", "int", "float")):
    """Labels may be bools, integers or floats."""
    return area(dark, anomalies, normal, turn, {"bool": bool, "int": int, "float": float}[kind])


@exam.question("auc")
def one_kind_alone(dark, scores: NUMBERS, label: Choice(0, 1)):
    """Without an anomaly, or without a normal example, there is nothing to compare."""
    labels = np.full(len(scores), label)
    return {"one kind": outcome(dark.auc, array(scores), labels), "both": area(dark, scores, [0.5])}


@exam.question("auc")
def only_the_order_counts(dark, anomalies: FEW, normal: FEW, c: Choice(1e-9, 1e6, 100.0), first: Float(-3, 3)):
    """Scores of any size, large ones too, have the area of their order."""
    moved = [c * (array(each) + first) for each in (anomalies, normal)]
    return {"scaled": area(dark, *moved), "with an infinite one": area(dark, [*moved[0], np.inf], moved[1])}


# cycle_loss


def known(dark, number, name):
    """Make an executor of a known value."""
    made = type(name, (dark.Executor,), {"call": lambda self, context, **others: dark.Constant(number)})
    return made()


@exam.question("cycle_loss", points=4)
def the_error_of_the_way_back(dark, real: IMAGES, training: Choice(True, False), is_training: Choice(True, False)):
    """The mean of the squares over all numbers; encoder and generator receive gradients, and keep their modes."""
    context, (encoder, generator) = way(dark, (is_training, not is_training))
    y = dark.CycleLoss()(context, real=array(real), training=training)
    seen = {"shape": list(np.shape(y.value))} | back(dark, y, encoder=encoder.weight, generator=generator.weight)
    return seen | {"modes": [bool(model.training) for model in (encoder, generator)]}


@exam.question("cycle_loss", points=2)
def beside_other_terms(dark, real: IMAGES, c: Float(-2, 2)):
    """Arguments of other losses are ignored, training mode is the default, and the term has a name."""
    context, _ = way(dark, (False, False))
    y = dark.CycleLoss()
    arguments = {"fake": array([[c, 1]]), "noise": array([[c]]), "condition": None}
    return {"value": value(y(context, real=array(real), **arguments)), "name": y.name}


@exam.question("cycle_loss", points=4)
def added_where_it_belongs(dark, real: IMAGES, weight: Choice(20, 0.5, 1.0), numbers: ListOf(Float(-3, 3), 3, 3)):
    """Generator and encoder get the term, the discriminator does not; the given dict stays as it is."""
    context, _ = way(dark)
    given = {name: known(dark, number, name) for name, number in zip(PLAYERS, numbers)}
    losses = dict(given)
    found = dark.with_cycle(losses, weight)
    if not isinstance(found, dict):
        return f"of class {type(found).__name__}"
    arguments = {"real": array(real), "training": True}
    seen = {"values": {name: value(loss(context, **arguments)) for name, loss in sorted(found.items())}}
    seen |= {"values without it": {name: value(loss(context, **arguments)) for name, loss in given.items()}}
    seen |= {"discriminator as it was": found.get("discriminator") is given["discriminator"]}
    return seen | {"a new dict": found is not losses, "the given one as before": losses == given}


@exam.question("cycle_loss", points=2)
def gradients_of_both_sums(dark, real: IMAGES, c: Float(-2, 2), name: Choice("generator", "encoder")):
    """In either sum, the term reaches encoder and generator."""
    context, (encoder, generator) = way(dark)
    found = dark.with_cycle({each: known(dark, c, each) for each in PLAYERS}, 3.0)
    found[name](context, real=array(real), training=True).backward()
    return {"encoder": plain(encoder.weight.grad), "generator": plain(generator.weight.grad)}


# repairs of "Find the bug"; they earn no points


@exam.repair("published_sample")
def both_lines_mean_the_same(dark, mu: HEADS, more: Float(-2, 2), epsilon: Float(-2, 2)):
    """The spread of the sample is the root of the variance that the divergence takes; the divergence is as it was."""
    mu, spread = dark.Parameter(array(mu)), dark.Parameter(counted(np.shape(mu)) / 4 + more)
    z, kl = dark.published_sample(mu, spread, np.full(np.shape(mu.value), epsilon))
    return [value(z), value(kl)]
