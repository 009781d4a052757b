"""Questions of module 11, adversarial networks.

Part of the product: the package ships this file in `dark/_questions`; `dark check` and `dark grade` read it.
Its answers stand in a file of their own.

Networks are one matrix product each, so that a logit and its gradient can be computed by hand; in training mode they
double what they return. Optimizers and losses of the step write down what is done to them.
"""

import weakref
from numbers import Real

import numpy as np

from dark.course.exams import Array, Choice, Exam, Float, Integer, ListOf

exam = Exam("11")


def array(numbers):
    """Make an array of floats."""
    return np.array(numbers, dtype=float)


def plain(thing):
    """Return numbers and arrays in one form each: a 0-d array is a number, integers are floats."""
    if isinstance(thing, np.ndarray):
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


def network(dark, weight, modes=None, forward=None):
    """Make a network: x · weight, twice that in training mode; `modes` gets the mode of each call."""

    def call(self, x):
        if modes is not None:
            modes.append(bool(self.training))
        y = dark.matmul(x, self.weight)
        return dark.mul(y, 2.0) if self.training else y

    made = type("Network", (dark.Module,), {"call": call, "forward": forward or (lambda self, x: self.call(x))})()
    made.weight = dark.Parameter(array(weight))
    return made


# discriminator_inputs

FORWARDS = {
    "x": lambda self, x: x,
    "x, condition": lambda self, x, condition: x,
    "images, labels": lambda self, images, labels: images,
    "x, condition=None": lambda self, x, condition=None: x,
    "x, scale=2.0": lambda self, x, scale=2.0: x,
    "x, scale=2.0, condition=None": lambda self, x, scale=2.0, condition=None: x,
    "condition": lambda self, condition: condition,
    "nothing": lambda self: None,
    "x=None": lambda self, x=None: x,
    "x, encoding, condition": lambda self, x, encoding, condition: x,
    "x, y, z": lambda self, x, y, z: x,
    "x, encoding, condition=None": lambda self, x, encoding, condition=None: x,
}
ACCEPTED, REFUSED = list(FORWARDS)[:7], list(FORWARDS)[7:]
LABELS = {"labels": [3, 1], "zeros": [0, 0], "one zero": [0], "columns": [[0, 1], [1, 0]], "nothing": None}


def inputs_for(dark, forward, first, labels):
    """Ask for the inputs of a discriminator; return what is raised, and their values."""
    x, condition = dark.Parameter(array([[first, 2], [3, -1]])), LABELS[labels]
    condition = None if condition is None else np.array(condition)
    discriminator = network(dark, [[1.0]], forward=FORWARDS[forward])
    context = dark.GANContext(generator_model=network(dark, [[1.0]]), discriminator_model=discriminator)
    try:
        found = dark.get_discriminator_inputs(context, x, *([] if condition is None else [condition]))
    except ValueError:
        return {"raised": "a ValueError"}
    if not isinstance(found, list):
        return {"raised": "nothing", "inputs": f"of class {type(found).__name__}"}
    is_given = [found[0] is x if found else False, len(found) < 2 or found[1] is condition]
    seen = {"raised": "nothing", "inputs": [value(each) for each in found], "number": len(found)}
    return seen | {"as they were given": is_given}


@exam.question("discriminator_inputs", points=3, examples=80)
def as_many_as_forward_declares(dark, forward: Choice(*ACCEPTED), first: Float(-3, 3), labels: Choice(*LABELS)):
    """One input gets x; two get x and the condition, and are refused without it; others have a default."""
    return inputs_for(dark, forward, first, labels)


@exam.question("discriminator_inputs", points=2, examples=60)
def another_number_of_inputs(dark, forward: Choice(*REFUSED), first: Float(-3, 3), labels: Choice(*LABELS)):
    """None, three or more are refused, with a condition and without one; so is nothing of what fits."""
    return {forward: inputs_for(dark, forward, first, labels), "x": inputs_for(dark, "x", first, labels)}


@exam.question("discriminator_inputs", points=2)
def a_condition_of_zeros(dark, first: Float(-3, 3), labels: Choice("zeros", "one zero", "columns")):
    """Labels that are 0, and one label alone, are a condition."""
    return inputs_for(dark, "x, condition", first, labels)


@exam.question("discriminator_inputs")
def two_contexts(dark, first: Float(-3, 3), one: Choice(*ACCEPTED[:3]), other: Choice(*ACCEPTED[1:])):
    """Each context has a discriminator of its own."""
    return [inputs_for(dark, forward, first + k, "labels") for k, forward in enumerate((one, other, one))]


# losses

WEIGHT = [[1.0], [-0.5]]
ROWS = ([[1, 2], [3, -1]], [[0, 0], [0.5, 2]], [[-2, 1], [4, 0], [1, 1.5]], [[0.25, -3]])
SHIFT = array([[0.3], [-0.7], [1.1]])


def game(dark, conditional=False, is_training=True, modes=None):
    """Make a context with a discriminator, in a mode; a conditional one adds the condition to the logit."""

    def forward(self, x, condition):
        return dark.add(self.call(x), condition)

    discriminator = network(dark, WEIGHT, modes, forward if conditional else None)
    discriminator.train(is_training)
    generator = network(dark, [[1.0]])
    return dark.GANContext(generator_model=generator, discriminator_model=discriminator), discriminator


def loss_and_gradients(dark, loss, fake, real=None, is_training=True, **settings):
    """Compute a loss; return it, the gradients of all that is below it, and the modes of the discriminator."""
    modes = []
    context, discriminator = game(dark, "condition" in settings, is_training, modes)
    fake = dark.Parameter(array(fake))
    examples = {"fake": fake} | ({} if real is None else {"real": dark.Parameter(array(real))})
    y = loss(context, **examples, **settings)
    leaves = {"weight": discriminator.weight} | examples
    seen = {"shape": list(np.shape(y.value))} | back(dark, y, **leaves)
    return seen | {"modes of the calls": sorted(set(modes)), "mode afterwards": bool(discriminator.training)}


def without_the_condition(dark, loss, **examples):
    """Ask a loss about a conditional discriminator, and give no condition."""
    context, _ = game(dark, conditional=True)
    try:
        loss(context, **{name: dark.Constant(array(rows)) for name, rows in examples.items()})
    except ValueError:
        return "ValueError"
    return "accepted"


# generator_bce

FAR = [800.0, -800.0, 40.0, -3.0, 0.0]


@exam.question("generator_bce", points=3)
def softplus_and_its_slope(dark, x: Array([0, 1, -2], [0.5, 3, 0], [-7, 7, 0], [[0.1, -0.1], [0, 2]])):
    """The values and slopes of log(1 + exp(x)); at 0 the slope is 0.5."""
    x = dark.Parameter(array(x))
    return back(dark, dark.softplus(x), x=x) | {"x afterwards": value(x)}


@exam.question("generator_bce", points=2)
def softplus_of_large_numbers(dark, first: Float(-3, 3), turn: Integer(0, 4)):
    """Numbers of any size: about x where x is large, about 0 where it is far below 0."""
    x = dark.Parameter(np.roll(array(FAR), turn) + first)
    number = dark.Parameter(first)
    return {"array": back(dark, dark.softplus(x), x=x), "number": back(dark, dark.softplus(number), x=number)}


@exam.question("generator_bce", points=3)
def loss_of_fakes(dark, fake: Array(*ROWS)):
    """The mean of -log of the probability of real, and the gradients of fakes and discriminator."""
    seen = loss_and_gradients(dark, dark.GeneratorBCE(), fake, is_training=False)
    evaluated = loss_and_gradients(dark, dark.GeneratorBCE(), fake, fake, training=False)
    return seen | {"in evaluation mode": evaluated["value"]}


@exam.question("generator_bce", points=2)
def fakes_that_are_far_off(dark, first: Float(-3, 3), far: Choice(-900, 900, -2000)):
    """A discriminator that is sure gives a large loss, or nearly none, and never nan."""
    return loss_and_gradients(dark, dark.GeneratorBCE(), [[far + first, 0], [first, 1], [0, 0]])


@exam.question("generator_bce", points=2)
def the_generator_asks_in_a_mode(
    dark, fake: Array(*ROWS[:2]), training: Choice(True, False), is_training: Choice(True, False), k: Integer(0, 1)
):
    """The condition and the mode reach the discriminator; afterwards it has its mode of before."""
    settings = {"training": training, "condition": SHIFT[k : k + 2], "is_training": is_training}
    seen = loss_and_gradients(dark, dark.GeneratorBCE(), fake, **settings)
    return seen | {"without the condition": without_the_condition(dark, dark.GeneratorBCE(), fake=fake)}


# discriminator_min_max

SMOOTHING = Choice(0.0, 0.2, 0.5, 0.1)


@exam.question("discriminator_min_max", points=3)
def loss_of_both_kinds(dark, fake: Array(*ROWS), real: Array(*ROWS[::-1])):
    """Real examples have the target 1, fakes 0; each kind counts one half, whatever the number of its examples."""
    return loss_and_gradients(dark, dark.DiscriminatorMinMax(), fake, real, is_training=False)


@exam.question("discriminator_min_max", points=3)
def smoothed_targets(dark, fake: Array(*ROWS), real: Array(*ROWS[1:]), label_smoothing: SMOOTHING):
    """The target of real examples is 1 - label_smoothing; that of fakes stays 0."""
    return loss_and_gradients(dark, dark.DiscriminatorMinMax(label_smoothing=label_smoothing), fake, real)


@exam.question("discriminator_min_max", points=2)
def scores_of_any_size(dark, first: Float(-3, 3), far: Choice(-900, 900), label_smoothing: SMOOTHING):
    """Scores far off on either side give finite losses and gradients."""
    loss = dark.DiscriminatorMinMax(label_smoothing)
    return loss_and_gradients(dark, loss, [[far, first], [first, 2]], [[first, 1], [-far, 0.5], [far, first]])


@exam.question("discriminator_min_max")
def each_with_its_smoothing(dark, fake: Array(*ROWS), real: Array(*ROWS), one: SMOOTHING, other: SMOOTHING):
    """Two losses have two smoothings; a loss called again gives the same."""
    made = [dark.DiscriminatorMinMax(one), dark.DiscriminatorMinMax(other)]
    losses = [loss_and_gradients(dark, made[k], fake, real)["value"] for k in (0, 1, 0)]
    return {"losses": losses, "name of the term": made[0].name}


@exam.question("discriminator_min_max", points=2)
def the_discriminator_in_a_mode(
    dark, fake: Array(*ROWS[:2]), real: Array(*ROWS[:2]), training: Choice(True, False),
    is_training: Choice(True, False),
):  # fmt: skip
    """Condition and mode hold for real examples and fakes; afterwards the mode is that of before."""
    settings = {"training": training, "condition": SHIFT[:2], "is_training": is_training}
    seen = loss_and_gradients(dark, dark.DiscriminatorMinMax(0.2), fake, real, **settings)
    refused = without_the_condition(dark, dark.DiscriminatorMinMax(), fake=fake, real=real)
    return seen | {"without the condition": refused}


# hinge

HINGED = (  # no score is exactly at its margin, whatever is added
    [[1, 0.5007], [3, -0.4993]], [[-0.6, 1.0003], [2.25, 0.5009]], [[0.2, 0.1007], [-1, 0.4003], [0.3, 1.2009]],
    [[1.4, -2.1007]],
)  # fmt: skip


@exam.question("hinge", points=3)
def what_lacks_to_the_margin(dark, fake: Array(*HINGED), real: Array(*HINGED[::-1]), far: Choice(0, 2.3, -2.7)):
    """Each example counts by what it lacks to its margin; beyond it, there is no loss and no gradient."""
    real = array(real) + far * array([1, 0])
    return loss_and_gradients(dark, dark.DiscriminatorHinge(), fake, real, is_training=False)


@exam.question("hinge", points=2)
def one_that_is_very_good(dark, good: Float(2, 9), bad: Float(-3, -1.1), n: Integer(1, 3)):
    """A score far beyond its margin does not pay for a bad one."""
    rows = array([[good, 0], [bad, 0]] + [[0.3, 0]] * n)
    seen = {"real": loss_and_gradients(dark, dark.DiscriminatorHinge(), [[0.1, 0]], rows)}
    return seen | {"fake": loss_and_gradients(dark, dark.DiscriminatorHinge(), -rows, [[0.1, 0]])}


@exam.question("hinge", points=2)
def the_generators_side(dark, fake: Array(*HINGED, *ROWS)):
    """The generator's loss falls with the mean score of the fakes, without a margin."""
    return loss_and_gradients(dark, dark.GeneratorHinge(), fake, is_training=False)


@exam.question("hinge", points=2)
def hinge_losses_in_a_mode(
    dark, fake: Array(*HINGED[:2]), real: Array(*HINGED[:2]), training: Choice(True, False),
    is_training: Choice(True, False),
):  # fmt: skip
    """Condition and mode reach the discriminator in all calls; afterwards the mode is that of before."""
    settings = {"training": training, "condition": SHIFT[1:], "is_training": is_training}
    found = {"discriminator": loss_and_gradients(dark, dark.DiscriminatorHinge(), fake, real, **settings)}
    found |= {"generator": loss_and_gradients(dark, dark.GeneratorHinge(), fake, **settings)}
    losses = {"discriminator": dark.DiscriminatorHinge(), "generator": dark.GeneratorHinge()}
    asked = {name: without_the_condition(dark, loss, fake=fake, real=real) for name, loss in losses.items()}
    return found | {"without the condition": asked}


# detach

NUMBERS = Array([1, 2, 3], [[0.5, -1], [2, 0]], [-4.0], [[1, 0, -2]])


def class_of(dark, y):
    """Return what kind of node something is."""
    kinds = {"a constant": dark.Constant, "a parameter": dark.Parameter, "a node": dark.Node}
    return next((name for name, kind in kinds.items() if isinstance(y, kind)), f"of class {type(y).__name__}")


@exam.question("detach", points=2)
def the_value_alone(dark, x: NUMBERS, c: Float(-2, 2)):
    """A constant with the same numbers, of a result, of a parameter, of an array and of a number."""
    made = {
        "result": dark.mul(dark.Parameter(array(x)), c), "parameter": dark.Parameter(array(x)), "array": array(x),
        "constant": dark.Constant(array(x)), "number": c,
    }  # fmt: skip
    found = {name: dark.detach(each) for name, each in made.items()}
    return {name: [class_of(dark, y), value(y)] for name, y in found.items()}


@exam.question("detach", points=3)
def no_gradient_gets_through(dark, x: NUMBERS, c: Float(0.5, 2)):
    """A detached node sends nothing back; a gradient of 0 is more than nothing."""
    p = dark.Parameter(array(x))
    one, both = dark.Parameter(c), dark.Parameter(array(x))
    first = back(dark, dark.mul(dark.detach(dark.mul(p, 3)), one), factor=one)
    twice = dark.mul(both, 2)
    second = back(dark, dark.mul(twice, dark.detach(twice)), x=both)
    return {"detached only": first, "gradient of x": plain(p.grad), "detached once of two": second}


@exam.question("detach", points=2)
def the_graph_is_as_it_was(dark, x: NUMBERS, c: Float(0.5, 2)):
    """x stays a part of its graph, with its gradient: the next backward pass reaches its inputs and adds to it."""
    p = dark.Parameter(array(x))
    p.grad = c + 0.0 * p.value
    y = dark.mul(dark.mul(p, p), c)
    detached = dark.detach(y)
    seen = {"detached": [value(detached), value(dark.detach(p))], "p": value(p), "class": class_of(dark, y)}
    seen["class of what was detached"] = class_of(dark, detached)
    return seen | {"gradient that p has": plain(p.grad)} | back(dark, dark.mul(y, y), p=p)


@exam.question("detach", points=2)
def numbers_of_its_own(dark, x: NUMBERS, more: Float(1, 3)):
    """A later change of x, in place, does not change what was detached, nor the other way round."""
    p, c, given = dark.Parameter(array(x)), dark.Constant(array(x)), array(x)
    made = {"parameter": dark.detach(p), "constant": dark.detach(c), "array": dark.detach(given)}
    seen = {"before": {name: value(y) for name, y in made.items()}}
    p.value += more
    c.value += more
    given += more
    seen["after x has changed"] = {name: value(y) for name, y in made.items()}
    made["parameter"].value[...] = 0.0
    return seen | {"x": value(p)}


@exam.question("detach")
def nothing_is_kept_alive(dark, x: NUMBERS, c: Float(0.5, 2)):
    """Whoever keeps what was detached does not keep the graph of x."""
    y = dark.mul(dark.Parameter(array(x)), c)
    graph, kept = reference_to(y), dark.detach(y)
    del y
    return {"kept": value(kept), "the graph is free": graph() is None}


def reference_to(thing):
    """Return a function that gives an object as long as it is there; None for one that cannot be watched."""
    try:
        return weakref.ref(thing)
    except TypeError:
        return lambda: None


# adversarial_step

PLAYERS = ("discriminator", "generator")


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
                p.value = p.value - 0.25 * self.velocities[k]


def player(dark, w):
    """Make a network of three parameters: w · x + bias + last, twice that in training mode."""

    def forward(self, x):
        return dark.add(dark.add(self.call(x), self.bias), self.last)

    made = network(dark, [[w]], forward=forward)
    made.bias, made.last = dark.Parameter(array([0.25])), dark.Parameter(array([-0.5]))
    return made


class Game:
    """A generator and a discriminator, with losses that write down how they are called."""

    def __init__(self, dark, g, d, momentum=0.0):
        self.dark, self.log, self.seen = dark, [], []
        self.models = {"discriminator": player(dark, d), "generator": player(dark, g)}
        losses = {f"{name}_loss": self.loss_of(name) for name in PLAYERS}
        models = {f"{name}_model": model for name, model in self.models.items()}
        self.context = dark.GANContext(**models, **losses)
        self.optimizers = {name: Optimizer(name, self.models[name], self.log, momentum) for name in PLAYERS}

    def loss_of(self, name):
        """Make the loss of a player: a square of what the discriminator makes of fakes, and of real examples."""
        dark = self.dark

        def loss(context=None, *others, **given):
            if context is not self.context or others:
                raise TypeError("a loss gets the context first, and all else by name")
            if missing := {"fake", "real", "condition", "training"} - set(given):
                raise TypeError(f"a loss also gets {' and '.join(sorted(missing))}, by name")
            fake, real, condition, training = (given[key] for key in ("fake", "real", "condition", "training"))
            is_detached = not isinstance(fake, dark.Node) or isinstance(fake, dark.Constant)
            self.log.append(f"{name} loss, {'detached fakes' if is_detached else 'fakes with their graph'}")
            self.seen.append([training, value(fake), value(real), value(condition)])
            discriminator = self.models["discriminator"]
            f = dark.mul(discriminator(fake), 0.5)
            if name == "generator":
                return dark.mean(dark.mul(dark.sub(f, 1.0), dark.sub(f, 1.0)))
            r = dark.mul(discriminator(dark.Constant(real)), 0.5)
            return dark.mean(dark.add(dark.mul(f, f), dark.mul(dark.sub(r, 1.0), dark.sub(r, 1.0))))

        return loss

    def step(self, real, noise, **condition):
        """Do the adversarial step; return what it returns."""
        return self.dark.adversarial_step(self.context, self.optimizers, array(real), array(noise), **condition)

    def weights(self):
        """Return the values of all parameters."""
        return {name: [value(p) for p in model.parameters()] for name, model in self.models.items()}

    def gradients(self):
        """Return the gradients of all parameters."""
        return {name: [plain(p.grad) for p in model.parameters()] for name, model in self.models.items()}


REAL = Array([[1], [2]], [[3], [0.5]], [[-1], [2]])
NOISE = Array([[1], [-1.5]], [[0.5], [2]], [[2], [0.25]])
WEIGHTS = Choice(0.5, -0.75, 1.25)


def told(dark, found):
    """Return the dict of an adversarial step, where each float is a number."""
    if not isinstance(found, dict):
        return f"of class {type(found).__name__}"
    return {str(name): each if isinstance(each, float) else class_of(dark, each) for name, each in found.items()}


@exam.question("adversarial_step", points=4)
def both_move_once(dark, g: WEIGHTS, d: WEIGHTS, real: REAL, noise: NOISE):
    """The discriminator moves first; the generator moves against the one that has moved."""
    game = Game(dark, g, d)
    return {"losses": told(dark, game.step(real, noise)), "weights": game.weights()}


@exam.question("adversarial_step", points=3)
def each_has_its_own_gradients(dark, g: WEIGHTS, d: WEIGHTS, real: REAL, noise: NOISE):
    """After the step, each weight has the gradient of its own loss, which its optimizer has used."""
    game = Game(dark, g, d)
    game.step(real, noise)
    moved = {name: plain((w - game.models[name].weight.value) / 0.25) for name, w in zip(PLAYERS, (d, g))}
    return {"gradients": game.gradients(), "what the optimizers used": moved}


@exam.question("adversarial_step", points=3)
def several_steps(dark, g: WEIGHTS, d: WEIGHTS, real: REAL, noise: NOISE, steps: Integer(2, 3)):
    """Nothing of the step before is left in the next one, with momentum neither."""
    game = Game(dark, g, d, momentum=0.5)
    losses = [game.step(array(real) + k, array(noise) - k) for k in range(steps)]
    losses = [told(dark, found) for found in losses]
    return {"losses": losses, "weights": game.weights(), "gradients": game.gradients()}


@exam.question("adversarial_step", points=2)
def gradients_that_were_left(dark, g: WEIGHTS, d: WEIGHTS, real: REAL, noise: NOISE, left: Float(1, 9)):
    """Gradients that are there before, from wherever, count for nothing."""
    game = Game(dark, g, d)
    for model in game.models.values():
        for p in model.parameters():
            p.grad = left + 0.0 * p.value
    return {"losses": told(dark, game.step(real, noise)), "weights": game.weights(), "gradients": game.gradients()}


@exam.question("adversarial_step", points=2)
def the_order_of_events(dark, g: WEIGHTS, d: WEIGHTS, real: REAL, noise: NOISE):
    """Each loss is called once, with training=True, right before its model moves, the first one with detached fakes."""
    game = Game(dark, g, d)
    game.step(real, noise)
    return {"events": game.log, "arguments": game.seen}


@exam.question("adversarial_step", points=2)
def after_samples_were_drawn(dark, g: WEIGHTS, d: WEIGHTS, real: REAL, noise: NOISE, who: Choice(*PLAYERS[::-1])):
    """A generator that was left in evaluation mode, as for drawing samples, is trained in training mode."""
    game = Game(dark, g, d)
    game.models["generator"].eval()
    game.models[who].eval()
    game.models["discriminator"].train()
    return {"losses": told(dark, game.step(real, noise)), "weights": game.weights()}


@exam.question("adversarial_step")
def a_condition_for_both(dark, g: WEIGHTS, real: REAL, noise: NOISE, label: Integer(0, 9), named: Choice(True, False)):
    """The condition reaches both losses; without one it is None."""
    game = Game(dark, g, 0.5)
    game.step(real, noise, **({"condition": np.array([label, 3])} if named else {}))
    return [seen[-1] for seen in game.seen]


@exam.question("adversarial_step")
def steps_of_two_games(dark, real: REAL, noise: NOISE, one: Integer(1, 3), other: Integer(1, 3)):
    """Each context counts its own steps, and a step changes nothing of another game."""
    games = [Game(dark, 0.5, 0.5), Game(dark, 0.5, -0.75)]
    for game, steps in zip(games, (one, other)):
        for _ in range(steps):
            game.step(real, noise)
        if game is games[0]:
            for optimizer in game.optimizers.values():
                optimizer.zero_grad()
    gradients = [game.gradients() for game in games]
    return {"steps": [value(game.context.global_step) for game in games], "gradients": gradients}


# spread

FEATURES = (
    [[1, 2, 3], [3, 2, 7]], [[0, 1], [2, -1], [4, 6]], [[-1, 0.3, 0, 5], [3, -2, 1, 5], [2, 2, 2, 5]], [[1], [4]]
)  # fmt: skip


def spread_of(dark, features, **settings):
    """Compute a spread with its gradients."""
    x = dark.Parameter(array(features))
    y = dark.batch_spread(x, **settings)
    seen = {"shape": list(np.shape(y.value))} | back(dark, y, features=x)
    return seen | {"features afterwards": value(x)}


@exam.question("spread", points=3)
def over_the_batch(dark, features: Array(*FEATURES)):
    """The standard deviation of each feature over the batch, then the mean over the features."""
    return spread_of(dark, features)


@exam.question("spread", points=3)
def equal_examples(dark, row: ListOf(Integer(-3, 3), 1, 4), n: Integer(1, 5)):
    """Examples that are all equal have a small spread, and finite gradients."""
    seen = {"equal": spread_of(dark, [row] * n)}
    return seen | {"one differs": spread_of(dark, [*[row] * n, [each + 1 for each in row]])}


@exam.question("spread", tolerance=1e-6)
def far_from_zero(dark, level: Choice(2.0**26, -(2.0**27), 3 * 2.0**26), step: Choice(1, 0.5, 2)):
    """Large numbers that differ little have a little spread: the digits that differ are not lost."""
    return spread_of(dark, level + step * array([[0, 1], [1, 5], [2, 1], [9, 1]]))


@exam.question("spread", points=2)
def with_another_eps(dark, features: Array(*FEATURES), eps: Choice(1e-6, 0.5, 1e-2, 1e-4)):
    """eps is added to each variance, under the root."""
    return spread_of(dark, features, eps=eps)


@exam.question("spread", points=2)
def in_a_graph(dark, w: Float(0.5, 2), features: Array(*FEATURES)):
    """The weight below the features receives the gradient; a batch moved as a whole has the same spread."""
    w = dark.Parameter(w)
    y = dark.batch_spread(dark.add(dark.mul(w, array(features)), 7.0))
    return back(dark, dark.mul(y, 3), w=w)


# coverage


def reader(dark, classes, fails=False):
    """Make a classifier whose logits are the columns of x; in training mode, of it or its part, in another order."""

    def forward(self, x):
        if fails:
            raise ZeroDivisionError
        order = np.arange(classes)
        if self.training:
            order = order[::-1]
        elif self.part.training:
            order = np.roll(order, 1)
        return dark.matmul(x, np.eye(classes)[:, order])

    net = network(dark, [[1.0]], forward=forward)
    net.part = network(dark, [[1.0]])
    return net


def logits(read, classes, first):
    """Make rows of logits; the class has the largest."""
    rows = first - 3.0 + 0.25 * np.arange(classes) * np.ones((len(read), 1))
    rows[np.arange(len(read)), read] += 9.0
    return rows


def counts(answer):
    """Return an array of integers of any size in one form; anything else as it is."""
    return answer.astype(int) if isinstance(answer, np.ndarray) and answer.dtype.kind in "iu" else answer


READ = ListOf(Integer(0, 2), 1, 8)


@exam.question("coverage", points=3, examples=20)
def how_often_each_class(dark, read: READ, more: Integer(0, 4), first: Float(-3, 9)):
    """A count for each class of the classifier, in order; a class that is not drawn has 0."""
    x = logits(read, 3 + more, first)
    return {"counts": counts(dark.coverage(reader(dark, 3 + more).eval(), x)), "samples": x}


@exam.question("coverage", points=2)
def in_evaluation_mode(dark, read: READ, is_training: Choice(True, False)):
    """The classifier reads in evaluation mode, all its parts, too; afterwards its mode is as before."""
    net = reader(dark, 4).train(is_training)
    found = counts(dark.coverage(net, logits(read, 4, 0.0)))
    return {"counts": found, "mode": bool(net.training), "mode of its part": bool(net.part.training)}


@exam.question("coverage")
def a_classifier_that_raises(dark, read: READ, is_training: Choice(True, False), first: Float(4, 7)):
    """If the classifier raises, the exception propagates, and the mode is as before."""
    net, raised = reader(dark, 3, fails=True).train(is_training), "nothing"
    try:
        dark.coverage(net, logits(read, 3, first))
    except ZeroDivisionError:
        raised = "its own exception"
    seen = {"raised": raised, "mode": bool(net.training), "mode of its part": bool(net.part.training)}
    return seen | {"another": counts(dark.coverage(reader(dark, 3), logits(read, 3, first)))}


@exam.question("coverage", points=2)
def samples_in_a_graph(dark, read: ListOf(Integer(0, 2), 2, 8), c: Float(0.5, 2)):
    """Samples may be a node, as the generator returns it; counts are integers, whatever the logits are."""
    x = dark.mul(dark.Parameter(logits(read, 5, -20.0)), c)
    return {"counts": counts(dark.coverage(reader(dark, 5), x))}


# repairs of "Find the bug"; they earn no points


@exam.repair("published_step")
def the_generator_moves(dark, g: WEIGHTS, d: WEIGHTS, real: REAL, noise: NOISE):
    """Both weights move, each by the gradient of its own loss, and both losses are returned."""
    models = [network(dark, [[g]]), network(dark, [[d]])]
    optimizers = [Optimizer(name, model, [], 0.0) for name, model in zip(("G", "D"), models)]
    losses = dark.published_step(*models, *optimizers, array(real), array(noise))
    return {"losses": list(losses), "weights": [value(model.weight) for model in models]}
