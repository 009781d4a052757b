"""Questions of module 10, contexts and executors.

Part of the product: the package ships this file in `dark/_questions`; `dark check` and `dark grade` read it.
Its answers stand in a file of their own.

Executors of known values show what an expression of them computes. Expressions are text, such as "2 * (a + b) + c",
and are evaluated with the executors a, b and c, so that each operator of an answer is called as Python calls it.
"""

import ast
import math
import re
from functools import partial
from itertools import product
from types import SimpleNamespace

import numpy as np

from dark.course.exams import Choice, Exam, Float, Integer, ListOf

exam = Exam("10")


def outcome(action, *kinds):
    """Return what the action returned, or the name of the expected error that it raised."""
    try:
        return action()
    except NotImplementedError:
        raise
    except kinds as error:
        return next(kind.__name__ for kind in kinds if isinstance(error, kind))


def at(step, size=None):
    """Make what an executor needs of a context: a counter, and the size of the whole batch."""
    return SimpleNamespace(global_step=SimpleNamespace(value=step), global_batch_size=size)


def number(result):
    """Return a node or a number as a number."""
    return float(getattr(result, "value", result))


def gradient_of(parameter):
    """Return a copy of the gradient; None if there is none."""
    return None if parameter.grad is None else np.array(parameter.grad)


def last_of(executor):
    """Return the last weight and value, plain; of what is not a number the class."""
    if not isinstance(executor.last, tuple):
        return executor.last
    return [x if isinstance(x, (int, float)) else f"of class {type(x).__name__}" for x in executor.last]


def value_class(dark):
    """Make a class of executors with a known value."""

    class Value(dark.Executor):
        calls = 0

        def __init__(self, name, value):
            self.name = name
            super().__init__()
            self.known = value

        def call(self, context, **others):
            return self.known

    return Value


def abc(dark, a, b, c):
    """Make three executors of known values, by their names."""
    make = value_class(dark)
    return {"a": make("a", a), "b": make("b", b), "c": make("c", c)}


# context

FIELDS = ("classifier_model", "loss", "dataset", "metrics", "log_eval_mode", "global_step", "ckpt")
WRONG = {
    "classifier_model": (3, "a network"), "loss": ("mean", 0), "dataset": (5, 0), "metrics": ([3], ["accuracy"]),
    "log_eval_mode": ("eval", ""), "global_step": (5, 0), "ckpt": (7, 0),
}  # fmt: skip
OF_CONTEXT = FIELDS[2:]


def metric(result):
    """Make a metric that computes a known result."""
    return SimpleNamespace(reset=lambda: None, update=lambda output: None, compute=lambda: result)


@exam.question("context", points=3)
def fields_are_attributes(
    dark, dataset: ListOf(Integer(0, 9), 0, 3), results: ListOf(Integer(0, 9), 0, 3), mode: Choice("test", "train"),
    step: Integer(0, 99), ckpt: Choice(None, "runs", "runs/1"),
):  # fmt: skip
    """Each field is an attribute, with what was given, or with its default."""
    given = {"dataset": dataset, "metrics": [metric(k) for k in results], "log_eval_mode": mode, "ckpt": ckpt}
    seen = {}
    for name, make, more in (
        ("Context", dark.Context, {}),
        ("ClassifierContext", dark.ClassifierContext, {"classifier_model": lambda x: step * x, "loss": lambda c: mode}),
    ):
        made = make(global_step=dark.Counter(step), **given, **more)
        seen[name] = {
            "dataset": made.dataset, "metrics": [each.compute() for each in made.metrics], "ckpt": made.ckpt,
            "log_eval_mode": made.log_eval_mode, "global_step": made.global_step.value, "exception": made.exception,
            "global_batch_size": made.global_batch_size,
        }  # fmt: skip
    seen["classifier_model"], seen["loss"] = made.classifier_model(2), made.loss(made)
    bare = dark.ClassifierContext(classifier_model=abs)
    seen["defaults"] = [bare.loss, bare.dataset, list(bare.metrics), bare.log_eval_mode, bare.ckpt]
    return seen | {"step by default": bare.global_step.value}


@exam.question("context", points=3)
def counters(dark, first: Integer(1, 9), second: Integer(1, 9), start: Integer(0, 9), kind: Choice("one", "two")):
    """Without a counter each context has its own, which begins at 0; a given one is shared."""
    make = dark.Context if kind == "one" else lambda **fields: dark.ClassifierContext(classifier_model=abs, **fields)
    own, other = make(), make()
    own.global_step.value += first
    other.global_step.value += second
    seen = {"own": own.global_step.value, "of another context": other.global_step.value}
    counter = dark.Counter(start)
    sharing = make(global_step=counter)
    counter.value += first
    later = make()
    return seen | {"given": sharing.global_step.value, "of a later context": later.global_step.value}


@exam.question("context", points=3)
def the_list_of_the_caller(dark, results: ListOf(Integer(0, 9), 0, 3), more: Integer(0, 9)):
    """Whatever happens to the list of metrics afterwards, the context has those that it was given."""
    metrics = [metric(k) for k in results]
    contexts = {"Context": dark.Context(metrics=metrics)}
    contexts["ClassifierContext"] = dark.ClassifierContext(classifier_model=abs, metrics=metrics)
    seen = {"of the caller": len(metrics)}
    metrics.append(metric(more))
    for name, made in contexts.items():
        seen[name] = [each.compute() for each in made.metrics]
    return seen


@exam.question("context", points=5, examples=40)
def all_wrong_fields(dark, names: ListOf(Choice(*FIELDS), 1, 4), falsy: Integer(0, 1), ckpt: Choice("a", "b/c")):
    """One ValueError names all wrong fields, of both classes, and no other."""
    wrong = {name: WRONG[name][falsy] for name in names}
    given = {"classifier_model": abs, "ckpt": ckpt} | wrong
    seen = {"ClassifierContext": named(lambda: dark.ClassifierContext(**given))}
    of_context = {name: value for name, value in ({"ckpt": ckpt} | wrong).items() if name in OF_CONTEXT}
    return seen | {"Context": named(lambda: dark.Context(**of_context))}


def named(build):
    """Return which fields the text of a ValueError names."""
    try:
        made = build()
    except ValueError as error:
        return [name for name in FIELDS if re.search(rf"\b{name}\b", str(error))]
    return f"accepted, ckpt {made.ckpt}"


# executor


@exam.question("executor", points=4, examples=20)
def weight_times_call(
    dark, value: Float(-3, 3), factors: ListOf(Float(-3, 3), 0, 3), steps: ListOf(Integer(0, 9), 1, 3)
):
    """A call is the weight of the step times what call returns; last is the pair of both. The step stays."""
    make = value_class(dark)
    executor, other = make("a", value), make("b", 1.0)
    executor.factors = (*factors, lambda step: step + 0.5)
    context, seen = at(0), {"before": [last_of(executor), last_of(other)]}
    for step in steps:
        context.global_step.value = step
        seen[f"step {step}"] = [number(executor(context)), executor.weight(step), last_of(executor)]
        seen["step afterwards"] = context.global_step.value
    return seen | {"weight without factors": other.weight(steps[0]), "never called": last_of(other)}


@exam.question("executor", points=2)
def of_a_node(dark, x: Float(-3, 3), factor: Float(-3, 3)):
    """The result is a node with its graph; last holds the value alone, a number."""

    class Square(dark.Executor):
        def call(self, context):
            return dark.mul(p, p)

    p, executor = dark.Parameter(x), Square()
    executor.factors = (factor,)
    result = executor(at(0))
    result.backward()
    return {"value": number(result), "gradient": p.grad, "last": last_of(executor)}


@exam.question("executor")
def what_call_gets(dark, step: Integer(0, 9), x: Integer(-9, 9), y: Integer(-9, 9)):
    """call gets the context and all keyword arguments, once."""
    got = []

    class Seen(dark.Executor):
        def call(self, context, *, x, **others):
            got.append([context.global_step.value, x, others])
            return float(x)

    return {"value": number(Seen()(at(step), x=x, y=y)), "got": got}


class Squares:
    """A loss with a reduction: (factor * prediction - labels) squared. It can be copied deeply, too."""

    def __init__(self, dark, factor, reduction="mean"):
        self.sub, self.mul, self.mean, self.reshape = dark.sub, dark.mul, dark.mean, dark.reshape
        self.factor, self.reduction = factor, reduction

    def __call__(self, prediction, labels):
        distance = self.sub(self.mul(self.factor, prediction), labels)
        losses = self.mul(distance, distance)
        return self.mean(losses) if self.reduction == "mean" else losses


@exam.question("executor", points=3)
def a_copy_of_fn(dark, factor: Float(-3, 3), reduction: Choice("mean", "none"), x: Integer(-3, 3)):
    """fn is a copy without a mean of its own; the one that was given stays as it is."""

    class Loss(dark.Executor):
        def call(self, context):
            return 0.0

    given = Squares(dark, factor, reduction)
    first, second = Loss(given), Loss(given)
    losses = np.array(first.fn(dark.Parameter(np.array([1.0, 2.0])), np.array([x, 0.0])).value)
    seen = {"losses": losses, "reduction": [first.fn.reduction, second.fn.reduction]}
    given.factor = 7.0
    names = [first.name, Loss().name]
    return seen | {"of the caller": given.reduction, "factor": first.fn.factor, "without": Loss().fn, "names": names}


@exam.question("executor", points=2)
def names(dark, name: Choice("GeneratorBCE", "Loss", "my term"), kind: Choice("class", "before", "attribute")):
    """The name is the name of the class, unless the object or the class has set one before."""

    class Loss(dark.Executor):
        def __init__(self):
            if kind == "before":
                self.name = name
            super().__init__()

        def call(self, context):
            return 0.0

    Loss.__name__ = Loss.__qualname__ = name if kind == "class" else "Other"
    if kind == "attribute":
        Loss.name = name
    plain = type(name.replace(" ", "_"), (dark.Executor,), {"call": lambda self, context: 0.0})
    return {"name": Loss().name, "of a class": plain().name}


@exam.question("executor", points=2)
def a_class_without_call(dark, value: Integer(-9, 9), kind: Choice("no call", "call", "inherited", "other name")):
    """Without call, an executor cannot be built: a TypeError."""
    methods = {"call": {"call": lambda self, context: value}, "other name": {"compute": lambda self, context: value}}
    cls = type("Loss", (dark.Executor,), methods.get(kind, {}))
    if kind == "inherited":
        cls = type("Derived", (type("Loss", (dark.Executor,), methods["call"]),), {})
    good = type("Good", (dark.Executor,), methods["call"])
    built, seen = outcome(cls, TypeError), {"one with call": number(good()(at(0)))}
    if isinstance(built, str):
        return seen | {"built": built}
    return seen | {"built": "yes", "called": outcome(lambda: number(built(at(0))), TypeError)}


# reduce_loss

LOSSES = ListOf(Float(-3, 3), 2, 6)


def reducing(dark, losses=None):
    """Make an executor that returns the losses it is called with, and is reduced."""

    class Losses(dark.Executor):
        def call(self, context, *, losses):
            return losses

    Losses.call = dark.reduce_loss(Losses.call)
    return Losses()


@exam.question("reduce_loss", points=4, examples=20)
def parts_add_up(dark, losses: LOSSES, cut: Integer(1, 5), more: Integer(0, 3)):
    """The results of the parts of a batch, each over the size of the whole, add up."""
    executor, cut, size = reducing(dark), min(cut, len(losses) - 1), len(losses) + more
    parts = [np.array(losses[:cut]), np.array(losses[cut:])]
    seen = {"parts": [number(executor(at(0, size), losses=part)) for part in parts]}
    return seen | {"column": number(executor(at(0, size), losses=parts[1][:, None]))}


@exam.question("reduce_loss", points=2)
def without_a_size(dark, losses: LOSSES, sizes: ListOf(Integer(1, 6), 1, 3), column: Choice(False, True)):
    """Where the context has no size, the result is the mean of the losses, also of a short last batch."""
    executor, context, found = reducing(dark), at(0), []
    for size in [*sizes, 1, len(losses)]:
        batch = np.array(losses[:size])
        found.append(number(executor(context, losses=batch[:, None] if column else batch)))
    return {"means": found, "size of the context": context.global_batch_size}


SHAPES = {
    "(n,)": lambda n: (n,), "(n, 1)": lambda n: (n, 1), "()": lambda n: (), "(n, 2)": lambda n: (n, 2),
    "(1, n)": lambda n: (1, n), "(n, 2, 2)": lambda n: (n, 2, 2), "(n, 1, 1)": lambda n: (n, 1, 1),
    "(n, 1, 2)": lambda n: (n, 1, 2),
}  # fmt: skip


@exam.question("reduce_loss", points=4, examples=30)
def one_loss_for_each_example(
    dark, shape: Choice(*SHAPES), n: Integer(2, 4), first: Float(-3, 3), kind: Choice("array", "node"),
    size: Choice(None, 4, 9),
):  # fmt: skip
    """Losses of shape (n,) or (n, 1) are accepted, any other shape is a ValueError: it would be summed in silence."""
    losses = np.ones(SHAPES[shape](n)) + first
    losses = dark.Parameter(losses) if kind == "node" and np.ndim(losses) else losses  # a single number has a shape
    executor = reducing(dark)
    seen = outcome(lambda: number(executor(at(0, size), losses=losses)), ValueError)
    return {"losses": seen, "of a column": number(executor(at(0, size), losses=np.full((n, 1), first)))}


@exam.question("reduce_loss", points=2)
def gradients_of_parts(dark, losses: LOSSES, size: Choice(None, 3, 8), factor: Float(-3, 3)):
    """The result is a node; its gradient is the gradient of the sum over the size."""
    p = dark.Parameter(np.array(losses))
    reducing(dark)(at(0, size), losses=dark.mul(factor, p)).backward()
    return {"gradient": gradient_of(p)}


@exam.question("reduce_loss", points=2)
def name_and_docstring(
    dark, name: Choice("call", "losses"), text: Choice("Return squares.", "One for each."), x: Integer(0, 9)
):
    """The decorated method has the name and the docstring of the method, and passes self and the arguments on."""

    def call(self, context, *, x, y):
        return np.array([self.known + x, context.global_step.value + y])

    call.__name__, call.__doc__ = name, text
    reduced = dark.reduce_loss(call)
    value = number(reduced(SimpleNamespace(known=3.0), at(5), x=x, y=2 * x))
    return {"name": reduced.__name__, "docstring": reduced.__doc__, "value": value}


# classifier_loss


class Net:
    """A network with a single matrix product, which a part doubles in training mode; it raises at a call if told to."""

    def __init__(self, dark, weight, fails=False):
        self.dark, self.fails, self.training, self.part = dark, fails, True, SimpleNamespace(training=True)
        self.weight, self.modes = dark.Parameter(np.array(weight, dtype=float)), []

    @property
    def mode(self):
        """Whether the network and its part are in training mode, or that they differ."""
        return self.training if self.training == self.part.training else "the network and its part differ"

    def train(self, mode=True):
        self.training = self.part.training = mode
        return self

    def eval(self):
        return self.train(False)

    def __call__(self, x):
        self.modes.append(self.mode)
        if self.fails:
            raise ZeroDivisionError
        y = self.dark.matmul(x, self.weight)
        return self.dark.mul(y, 2.0) if self.part.training else y


class Pixels(Squares):
    """Squares whose losses have a further shape; they raise at a call if told to."""

    shape, fails = None, False

    def __call__(self, prediction, labels):
        if self.fails:
            raise ZeroDivisionError
        losses = super().__call__(prediction, labels)
        return losses if self.shape is None else self.reshape(losses, (-1, *self.shape))


KINDS = {"(n, 4)": None, "(n,)": (), "(n, 2, 2)": (2, 2), "(n, 1)": (1,), "(n, 2, 1, 2)": (2, 1, 2)}


def classifying(dark, net, size=None):
    """Make a context with a network."""
    context = dark.ClassifierContext(classifier_model=net)
    context.global_batch_size = size
    return context


@exam.question("classifier_loss", points=4, examples=20)
def the_mean_for_each_example(
    dark, features: ListOf(Integer(-3, 3), 2, 4), kind: Choice(*KINDS), factor: Float(-3, 3), size: Choice(3, 8, None)
):
    """fn gets the prediction, then the labels; the mean over all axes but the first is the loss of an example."""
    shape = KINDS[kind]
    columns = 4 if shape is None else math.prod(shape)
    fn, n = Pixels(dark, factor), len(features)
    fn.shape = shape
    x = np.stack([np.array(features), np.arange(n)], axis=1).astype(float)
    net = Net(dark, np.arange(2 * columns).reshape(2, columns) / 4)
    labels = np.arange(n * columns).reshape(n, columns) % 3
    context = classifying(dark, net, size)
    loss = dark.ClassifierLoss(fn)(context, features=x, labels=labels, training=True, noise=None)
    loss.backward()
    return {"loss": number(loss), "gradient": gradient_of(net.weight)}


@exam.question("classifier_loss", points=3, examples=60)
def modes_of_the_classifier(
    dark, before: Choice(True, False), training: Choice(True, False), x: Float(-3, 3), fails: Choice("no", "net", "fn")
):
    """The classifier predicts in the asked mode, and is in the old one afterwards, also if something raised."""
    net = Net(dark, [[1.0]], fails == "net").train(before)
    fn = Pixels(dark, 1.0)
    fn.fails = fails == "fn"
    arguments = {"features": np.array([[x], [1.0]]), "labels": np.array([[2.0], [0.0]]), "training": training}
    good = Net(dark, [[2.0]]).train(before)
    seen = {"good": number(dark.ClassifierLoss(Squares(dark, 1.0))(classifying(dark, good), **arguments))}
    try:
        seen["loss"] = number(dark.ClassifierLoss(fn)(classifying(dark, net), **arguments))
    except NotImplementedError:
        raise
    except Exception:
        seen["loss"] = "an error"
    return seen | {"mode of the call": [*good.modes, *net.modes], "mode afterwards": [good.mode, net.mode]}


@exam.question("classifier_loss", points=2)
def the_mode_of_now(
    dark, modes: ListOf(Choice(True, False), 1, 4), asked: ListOf(Choice(True, False), 4, 4), x: Float(1, 3)
):
    """Each call restores the mode that the classifier had before that call; the context tells which classifier."""
    net, other = Net(dark, [[1.0]]), Net(dark, [[3.0]]).eval()
    loss, context, seen = dark.ClassifierLoss(Squares(dark, 1.0)), classifying(dark, net), []
    for mode, training in (*zip(modes, asked), (True, False), (False, True)):
        net.train(mode)
        value = loss(context, features=np.array([[x]]), labels=np.array([[1.0]]), training=training)
        seen.append([number(value), net.mode])
    arguments = {"features": np.array([[x]]), "labels": np.array([[1.0]]), "training": True}
    another = number(loss(classifying(dark, other), **arguments))
    return {"losses and modes": seen, "modes of the calls": net.modes, "of another classifier": [another, other.mode]}


# scale


def doubling(step):
    """A function of the step that is never 0; it and one over it are exact in each precision."""
    return 2.0 ** (step - 1)


NUMBERS = {"float": float, "int": int, "float64": np.float64, "int64": np.int64, "float32": np.float32}
SCALINGS = {
    "2 * a": lambda e, k: k * e, "a * 2": lambda e, k: e * k, "a / 2": lambda e, k: e / k, "-a": lambda e, k: -e,
    "a * f": lambda e, k: e * doubling, "f * a": lambda e, k: doubling * e, "a / f": lambda e, k: e / doubling,
}  # fmt: skip


@exam.question("scale", points=3, examples=40)
def scaled_again_and_again(
    dark, value: Float(-3, 3), scalings: ListOf(Choice(*SCALINGS), 1, 4), k: Integer(1, 5), kind: Choice(*NUMBERS),
    step: Integer(0, 9),
):  # fmt: skip
    """Numbers, also those of NumPy, and functions of the step multiply and divide; the sign turns."""
    executor = value_class(dark)("a", round(8 * value) / 8)
    k = 2**k if kind == "float32" else k  # whose products are exact
    for each in scalings:
        executor = SCALINGS[each](executor, NUMBERS[kind](k))
    values = [number(executor(at(each))) for each in (step, step + 1)]
    return {"values": values, "weight": float(executor.weight(step))}


@exam.question("scale", points=3, examples=30)
def the_operand_stays(
    dark, value: Float(-3, 3), scaling: Choice(*SCALINGS), other: Choice(*SCALINGS), k: Integer(2, 5)
):
    """Each operator makes a new executor; the old one has its weight, and each a last value of its own."""
    executor, context = value_class(dark)("a", value), at(3)
    number(executor(context))
    first, second = SCALINGS[scaling](executor, k), SCALINGS[other](executor, k + 1)
    seen = {"not called yet": [last_of(first), last_of(second)], "last of the old one": last_of(executor)}
    seen["new"] = first is not executor is not second
    seen["values"] = [number(each(context)) for each in (first, second, executor, first)]
    return seen | {"weights": [float(each.weight(3)) for each in (executor, first, second)], "last": last_of(executor)}


@exam.question("scale", points=2, examples=60)
def attributes_of_a_subclass(
    dark, value: Integer(-9, 9), scaling: Choice(*SCALINGS), k: Integer(2, 5), name: Choice("x", "y")
):
    """The new executor has the class and all attributes of the old one, the same objects: gradients reach them."""

    class Loss(dark.Executor):
        def __init__(self, known, *, name):
            super().__init__(SimpleNamespace(reduction="mean", factor=3.0))
            self.known, self.name, self.p = known, name, p

        def call(self, context):
            return dark.mul(self.p, self.known * self.fn.factor)

    p = dark.Parameter(2.0)
    scaled = SCALINGS[scaling](Loss(value, name=name), k)
    result = scaled(at(1))
    result.backward()
    seen = [type(scaled).__name__, scaled.name, scaled.known, scaled.fn.factor]
    return {"class and attributes": seen, "value": number(result), "gradient": p.grad}


REVERSED = {"*": lambda e, f: e * f, "reversed *": lambda e, f: f * e, "/": lambda e, f: e / f}


@exam.question("scale", points=3)
def what_is_no_factor(dark, value: Integer(-9, 9)):
    """A factor that is neither a number nor a function, such as an executor, is a TypeError where it is written."""
    make = value_class(dark)
    executor = make("a", float(value))
    wrong = {
        "executor": make("b", 2.0), "text": "2", "None": None, "list": [2.0], "node": dark.Parameter(2.0),
        "array": np.array([1.0, 2.0]),
    }  # fmt: skip
    seen = {}
    for factor, operator in product(wrong, REVERSED):
        if (factor, operator) != ("node", "reversed *"):  # a node has an operator, too
            built = partial(REVERSED[operator], executor, wrong[factor])
            seen[f"{operator} {factor}"] = outcome(lambda built=built: f"{built().name} is built", TypeError)
    return seen | {"right factor": number((executor * 2)(at(0))), "divided": number((executor / 2)(at(0)))}


# add

EXPRESSIONS = (
    "a + b", "a - b", "sum([a, b])", "a + b + c", "a + (b + c)", "2 * (a + b) + c", "c + 2 * (a + b)",
    "(a + b) * 2 + (b + c) * 3", "a - (b - c)", "a - (b + c)", "a - 2 * (b + c) / 4", "-(a + b) - c", "-a + b",
    "2 * a + 3 * a", "a + a", "a - a", "2 * (3 * (a + b) + c) - b", "(a - b) * ramp + c", "a * ramp - b / 4",
    "sum([a, 2 * (a + b), c])", "sum([c])", "-(a - b)", "(a + b) + (b + c)", "(a + b) - (b - c) / 2",
)  # fmt: skip


def ramp(step):
    """A function of the step."""
    return 0.25 * step


def evaluated(expression, executors):
    """Return what an expression gives."""
    return eval(expression, {"ramp": ramp, "sum": sum, "__builtins__": {}}, executors)


@exam.question("add", points=5, examples=60)
def as_with_numbers(
    dark, expression: Choice(*EXPRESSIONS), a: Integer(1, 3), b: Integer(10, 13), c: Integer(100, 103),
    step: Integer(0, 9),
):  # fmt: skip
    """The value of an expression is what arithmetic makes of the values, now and later; a, b and c stay."""
    executors = abc(dark, float(a), float(b), float(c))
    loss = evaluated(expression, executors)
    values = [number(loss(at(each))) for each in (step, step + 1)]
    return {"values": values, "of a, b and c": [number(each(at(step))) for each in executors.values()]}


@exam.question("add", points=3, examples=40)
def the_terms_of_a_sum(dark, expression: Choice(*EXPRESSIONS), a: Integer(1, 3), step: Integer(1, 9)):
    """Terms stand in order, each with its weight; a sum without a weight is replaced by its terms."""
    loss = evaluated(f"{expression} + c", abc(dark, float(a), 10.0, 100.0))
    return {"terms": [[each.name, float(each.weight(step)) * a] for each in loss.executors]}


@exam.question("add", points=2)
def sums_stay(dark, a: Integer(-9, 9), b: Integer(10, 19), c: Integer(100, 109)):
    """A sum is not changed by a later one, by the list that it was made of, by what it hands out, or by +=."""
    first, second, third = abc(dark, float(a), float(b), float(c)).values()
    given = [first, second]
    made, total = dark.SumExecutor(given), first + second
    given.append(third)
    later, grown = total + third, total
    grown += third
    seen = {"terms": [len(each.executors) for each in (made, total, later, grown)]}
    if hasattr(made.executors, "append"):
        made.executors.append(third)
    twice = dark.SumExecutor([total, third, 2 * total])
    seen["of a list"] = [len(twice.executors), number(twice(at(0)))]
    return seen | {"values": [number(each(at(0))) for each in (made, total, later, grown)]}


NO_TERMS = {"1": 1, "text": "b", "None": None, "list": [], "0.5": 0.5, "node": None}
SUMS = {"a + x": lambda e, x: e + x, "x + a": lambda e, x: x + e, "a - x": lambda e, x: e - x}


@exam.question("add", points=3)
def what_is_no_term(dark, a: Integer(-9, 9)):
    """The number 0, with which sum() begins, is accepted; any other number or object is a TypeError."""
    executor, wrong, seen = value_class(dark)("a", float(a)), NO_TERMS | {"node": dark.Parameter(3.0)}, {}
    for term, operator in product(wrong, SUMS):
        if (term, operator) != ("node", "x + a"):  # a node has an operator, too
            built = partial(SUMS[operator], executor, wrong[term])
            seen[f"{operator}, x is {term}"] = outcome(lambda built=built: f"{built().name} is built", TypeError)
    same = [0 + executor, executor + 0]
    return seen | {"0 added": [[each.name, number(each(at(0)))] for each in same]}


@exam.question("add", points=2)
def each_term_once(dark, x: Float(-3, 3), y: Float(-3, 3), factor: Integer(2, 5)):
    """A call of the sum calls each term once, with the context and all arguments; gradients reach each term."""
    calls, p = [], dark.Parameter(x)

    class Product(dark.Executor):
        def __init__(self, name):
            super().__init__()
            self.name = name

        def call(self, context, *, y):
            calls.append([self.name, context.global_step.value, y])
            return dark.mul(p, y)

    result = (Product("a") + factor * Product("b") - Product("c"))(at(4), y=y)
    result.backward()
    return {"calls": calls, "value": number(result), "gradient": p.grad}


# schedules

LAST = 14


def weights(schedule):
    """Return the weights of the first steps."""
    return [float(schedule(step)) for step in range(LAST)]


@exam.question("schedules", points=3)
def linear_changes(dark, start: Float(-3, 3), end: Float(-3, 3), steps: Integer(1, 12)):
    """From start at step 0 in equal changes to end, where it stays."""
    return weights(dark.linear(start, end, steps)) + weights(dark.linear(end, start, steps=steps + 1))


@exam.question("schedules", points=3)
def half_a_wave(dark, start: Float(-3, 3), end: Float(-3, 3), steps: Integer(1, 12)):
    """From start at step 0 as half a wave to end, where it stays."""
    return weights(dark.cosine(start, end, steps)) + weights(dark.cosine(end, start, steps=steps + 1))


@exam.question("schedules", points=3)
def warmed_up(dark, start: Float(-3, 3), end: Float(-3, 3), length: Integer(1, 5), steps: Integer(1, 6)):
    """From 0 to what the schedule begins with, which then begins: a linear one, a function, a warm-up."""
    inner = dark.warm_up(lambda step: start + step * end, steps)
    return {
        "linear": weights(dark.warm_up(dark.linear(start, end, length), steps)),
        "a function": weights(inner), "a warm-up": weights(dark.warm_up(inner, length)),
    }  # fmt: skip


@exam.question("schedules", points=2)
def no_steps(dark, start: Float(-3, 3), end: Float(-3, 3), kind: Choice("linear", "cosine", "warm_up")):
    """A change within 0 steps has happened at step 0; a warm-up of 0 steps is the schedule itself."""
    if kind == "warm_up":
        return weights(dark.warm_up(dark.linear(start, end, 3), 0))
    return weights(getattr(dark, kind)(start, end, 0))


# formula

FORMULAS = (
    *EXPRESSIONS, "a", "-a", "2 * a", "0 * a", "a * ramp", "-(a * ramp)", "2 * (3 * a)", "0.5 * (2 * a)",
    "2 * a * ramp * 3", "2 * (a * ramp) * ramp",
    "-(2 * (a - b)) + c", "a - (b - (c - a))", "-(a + b) * ramp", "c - (a - b) * ramp", "2 * (-a + b)", "a - (-b + c)",
    "-1 * (a * ramp) + b",
)  # fmt: skip


@exam.question("formula", points=5, examples=80)
def as_code_writes_it(dark, expression: Choice(*FORMULAS), scale: Integer(1, 5)):
    """One number first, left out if it is 1; - in place of + -; parentheses around a sum that has factors."""
    made = evaluated(f"({expression}) * {scale}", abc(dark, 1.0, 10.0, 100.0))
    return {"formula": without_layout(repr(made)), "without the scale": without_layout(repr(made / scale))}


def without_layout(text):
    """Return a formula without needless spaces and parentheses, its numbers as floats."""
    try:
        tree = ast.parse(text.replace("ramp(step)", "ramp"), mode="eval")
    except SyntaxError:
        return text
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            node.value = float(node.value)
    return ast.unparse(tree)


@exam.question("formula", points=4, examples=60)
def the_same_loss_again(
    dark, expression: Choice(*FORMULAS), weight: Float(-3, 3), small: Choice(1e-4, 1.0, 1 + 1e-7, 123456789.0),
    steps: Integer(1, 4),
):  # fmt: skip
    """Read as Python, the formula is an executor with the same value at every step."""
    executors = abc(dark, 1.0, 10.0, 100.0)
    schedules = {"fade": dark.linear(1, 0, steps), "wave": dark.warm_up(dark.cosine(2, weight, steps=3), 2)}
    text = f"({expression}) * fade * {weight} - b * {small} / 2 + {small} * (c * wave - a)"
    made = eval(text, {"ramp": ramp, **schedules, "sum": sum}, executors)
    names = {"linear": dark.linear, "cosine": dark.cosine, "warm_up": dark.warm_up}
    names["ramp"] = dark.Schedule(ramp, "ramp(step)")
    text = repr(made)
    try:
        again = eval(text.replace("ramp(step)", "ramp"), names, executors)
    except (SyntaxError, NameError, TypeError):
        return {"formula": f"{text} cannot be read as Python"}
    return {"values": [number(again(at(step))) for step in range(4)]}


@exam.question("formula", points=4, examples=40)
def values_of_the_terms(
    dark, expression: Choice(*FORMULAS), a: Integer(1, 9), step: Integer(1, 9), repeated: Choice("c", "a", "a 2")
):
    """Each term's last value without its weight, by name; a name that occurs again is numbered."""
    executors = abc(dark, float(a), 10.0, 100.0)
    executors["c"].name = repeated
    made = evaluated(expression, executors)
    before = made.values()
    made(at(step))
    first = dict(made.values())
    for each in executors.values():
        each.known += 1.0
    wide = 2 * made + executors["a"] + value_class(dark)("nothing", 0.0)
    wide(at(step))
    partly = value_class(dark)("new", 1.0) + executors["a"] + value_class(dark)("newer", 1.0)
    seen = {"before": before, "values": first, "of a wider sum": wide.values()}
    return seen | {"of a sum that was not called": partly.values()}


# fit


class Linear:
    """A network with a single weight; it adds 1 in training mode. It notes modes, and raises at a call if told to."""

    def __init__(self, dark, weight, fails_at=None, error=ZeroDivisionError):
        self.dark, self.weight, self.training = dark, dark.Parameter(float(weight)), True
        self.modes, self.fails_at, self.error = [], fails_at, error

    def train(self, mode=True):
        self.training = mode
        return self

    def eval(self):
        return self.train(False)

    def __call__(self, x):
        self.modes.append(self.training)
        if len(self.modes) == self.fails_at:
            raise self.error("at a call")
        y = self.dark.mul(self.weight, x)
        return self.dark.add(y, 1.0) if self.training else y


class Descent:
    """An optimizer of the weight, which notes each step, and which number the counter has then."""

    def __init__(self, context, notes):
        self.context, self.net, self.notes = context, context.classifier_model, notes

    def zero_grad(self):
        self.net.weight.grad = None

    def step(self):
        self.notes.append(["step", self.context.global_step.value])
        self.net.weight.value = self.net.weight.value - 0.25 * self.net.weight.grad


class Total:
    """A metric: the sum of all scores and labels, times a factor."""

    def __init__(self, factor=1.0):
        self.total, self.factor = 100.0, factor

    def reset(self):
        self.total = 0.0

    def update(self, output):
        scores, labels = output
        self.total += float(np.sum(scores) + 10 * np.sum(labels))

    def compute(self):
        return self.factor * self.total


def trained(dark, net, notes, **fields):
    """Make a context with a loss that notes the step and the mode that it is called with."""

    def loss(context, *, features, labels, training):
        notes.append([context.global_step.value, training])
        net.train(training)
        distance = dark.sub(net(features), labels)
        return dark.mean(dark.mul(distance, distance))

    return dark.ClassifierContext(classifier_model=net, loss=loss, **fields)


def batches_of(numbers):
    """Make batches with a feature and a label each."""
    return [(np.array([float(x)]), np.array([1.0])) for x in numbers]


@exam.question("fit", points=5, examples=20)
def steps_of_a_training(
    dark, numbers: ListOf(Integer(-2, 2), 1, 3), epochs: Integer(0, 3), weight: Integer(-3, 3), start: Integer(0, 5)
):
    """No gradients, the loss in training mode, a step, then the counter counts: for each batch of each epoch."""
    net, notes = Linear(dark, weight), []
    context = trained(dark, net, notes, global_step=dark.Counter(start))
    history = dark.fit(context, Descent(context, notes), batches_of(numbers), epochs)
    seen = {"notes": notes, "weight": float(net.weight.value), "step": context.global_step.value}
    return seen | {"history": history, "exception": context.exception}


@exam.question("fit", points=4, examples=20)
def measured_after_each_epoch(
    dark, unseen: ListOf(Integer(-2, 2), 1, 3), mode: Choice("test", "train"), before: Choice(True, False),
    epochs: Integer(1, 3), metrics: Integer(0, 3),
):  # fmt: skip
    """After each epoch the metrics begin anew, on the dataset, in the mode of log_eval_mode; the old one comes back."""
    net, notes = Linear(dark, 2), []
    fields = {"dataset": batches_of(unseen), "metrics": [Total(k + 1.0) for k in range(metrics)], "log_eval_mode": mode}
    context = trained(dark, net, notes, **fields)
    net.train(before)
    seen = {"measured": dark.measure(context), "again": dark.measure(context), "mode afterwards": net.training}
    context.log_eval_mode = "train" if mode == "test" else "test"
    seen["in the other mode"], context.log_eval_mode = dark.measure(context), mode
    modes, net.modes = net.modes, []
    seen["history"] = dark.fit(context, Descent(context, notes), batches_of([1, -1]), epochs)
    bare = trained(dark, net, notes)
    return seen | {"modes": modes + net.modes, "without a dataset": dark.measure(bare)}


ERRORS = {"error": ZeroDivisionError, "Ctrl-C": KeyboardInterrupt, "exit": SystemExit}


@exam.question("fit", points=5, examples=30)
def what_ends_a_training(
    dark, kind: Choice(*ERRORS), fails_at: Integer(1, 7), mode: Choice("test", "train"), weight: Integer(-2, 2)
):
    """An exception, also Ctrl-C, is kept in the context, and propagates; the next training begins without it."""
    error = ERRORS[kind]
    net, notes = Linear(dark, weight, fails_at, error), []
    context = trained(dark, net, notes, dataset=batches_of([1, 2]), metrics=[Total()], log_eval_mode=mode)
    try:
        dark.fit(context, Descent(context, notes), batches_of([1, -1]), 2)
        seen = {"ended": "without an exception"}
    except error as raised:
        seen = {"ended": type(raised).__name__, "the same is kept": context.exception is raised}
    seen |= {"kept": type(context.exception).__name__, "step": context.global_step.value, "mode": net.training}
    history = dark.fit(context, Descent(context, notes), batches_of([1]), 1)
    kept = None if context.exception is None else type(context.exception).__name__
    return seen | {"a new one": history, "kept then": kept}


# repairs of "Find the bug"; they earn no points


@exam.repair("published_times")
def the_operand_of_the_published_product(dark, value: Float(-3, 3), first: Integer(2, 5), second: Integer(2, 5)):
    """Two products of the same executor are two executors, and the executor itself keeps its weight."""
    executor = value_class(dark)("a", value)
    one, two = dark.published_times(executor, first), dark.published_times(executor, second)
    values = [number(each(at(0))) for each in (one, two, executor)]
    return {"values": values, "weights": [float(each.weight(0)) for each in (one, two, executor)]}
