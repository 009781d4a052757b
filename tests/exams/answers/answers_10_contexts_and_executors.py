"""Answers of module 10, contexts and executors: what only the judge reads.

Part of the product: the package ships this file in `dark/_answers`.

The reference of contexts and executors is written once more here: a counter that is an object, factors, and the last
value as a pair are the lesson's own. `tests/exams/test_reference_of_executors.py` compares it with `dark.executors`.
"""

import copy
from functools import wraps
from numbers import Real
from pathlib import Path

import numpy as np

import dark
from dark.course.exams.answers import Answers

answers = Answers("10")


@answers.reference
class Counter:
    """A number of steps."""

    def __init__(self, value=0):
        self.value = value


def is_right(name, value):
    """Return whether a value is possible for a field."""
    return {
        "classifier_model": callable(value),
        "loss": value is None or callable(value),
        "dataset": value is None or hasattr(value, "__iter__"),
        "metrics": isinstance(value, (list, tuple)) and all(hasattr(each, "compute") for each in value),
        "log_eval_mode": value in ("train", "test"),
        "global_step": isinstance(value, Counter),
        "ckpt": value is None or isinstance(value, (str, Path)),
    }[name]


@answers.reference
class Context:
    """A record of a run."""

    exception = global_batch_size = None

    def __init__(self, **given):
        fields = {"dataset": None, "metrics": (), "log_eval_mode": "test", "global_step": Counter(), "ckpt": None}
        fields |= given
        if wrong := [name for name, value in fields.items() if not is_right(name, value)]:
            raise ValueError(" ".join(wrong))
        vars(self).update(fields, metrics=tuple(fields["metrics"]))


@answers.reference
class ClassifierContext(Context):
    """A record of a classifier's run."""

    def __init__(self, **given):
        super().__init__(**{"loss": None, **given})


@answers.reference
class Executor:
    """A loss that is computed from a context."""

    factors, last = (), None
    __array_ufunc__ = None

    def __init__(self, fn=None):
        if not hasattr(type(self), "call"):
            raise TypeError("no call")
        if getattr(self, "name", None) is None:
            self.name = type(self).__name__
        self.fn = fn
        if fn is not None:
            self.fn = copy.copy(fn)
            self.fn.reduction = "none"

    def weight(self, step):
        """Return the product of the factors."""
        product = 1
        for factor in self.factors:
            product = product * (factor if isinstance(factor, Real) else factor(step))
        return product

    def __call__(self, context, **kwargs):
        value, weight = self.call(context, **kwargs), self.weight(context.global_step.value)
        self.last = (weight, getattr(value, "value", value))
        return value * weight

    def __mul__(self, factor):
        if isinstance(factor, Executor) or not (isinstance(factor, Real) or callable(factor)):
            raise TypeError(factor)
        new = copy.copy(self)
        vars(new).update(factors=(*self.factors, factor), last=None)
        return new

    __rmul__ = __mul__

    def __truediv__(self, divisor):
        if isinstance(divisor, Real):
            return self * (1 / divisor)
        if isinstance(divisor, Executor) or not callable(divisor):
            raise TypeError(divisor)
        return self * (lambda step: 1 / divisor(step))

    def __neg__(self):
        return self * -1

    def __add__(self, other):
        if isinstance(other, Executor):
            return SumExecutor((self, other))
        if isinstance(other, Real) and other == 0:
            return self
        raise TypeError(other)

    __radd__ = __add__

    def __sub__(self, other):
        return self + (-other)

    def __repr__(self):
        text = self.name
        if isinstance(self, SumExecutor):
            first, *others = map(repr, self.executors)
            text = first + "".join(f" - {each[1:]}" if each[0] == "-" else f" + {each}" for each in others)
            text = f"({text})" if self.factors else text
        number = float(np.prod([each for each in self.factors if isinstance(each, Real)]))
        texts = [text_of(each) for each in self.factors if not isinstance(each, Real)]
        if number not in (1.0, -1.0):
            texts.insert(0, repr(number))
        return ("-" if number == -1.0 else "") + " * ".join([*texts, text])

    def values(self):
        """Return the last values of the terms by name."""
        found = {}
        for term in terms_of(self):
            if term.last is not None:
                name, k = term.name, 1
                while name in found:
                    k += 1
                    name = f"{term.name} {k}"
                found[name] = term.last[1]
        return found


def text_of(function):
    """Return a function of the step as it stands in a formula."""
    return repr(function) if isinstance(function, Schedule) else f"{function.__name__}(step)"


def terms_of(executor):
    """Return the executors that are not sums."""
    if not isinstance(executor, SumExecutor):
        return [executor]
    return [term for each in executor.executors for term in terms_of(each)]


@answers.reference
class SumExecutor(Executor):
    """A sum."""

    def __init__(self, executors):
        super().__init__()
        self.executors = ()
        for each in executors:
            self.executors += each.executors if isinstance(each, SumExecutor) and each.factors == () else (each,)

    def call(self, context, **kwargs):
        """Return the sum of the weighted terms."""
        total = 0.0
        for each in self.executors:
            total = total + each(context, **kwargs)
        return total


@answers.reference
def reduce_loss(call):
    """Divide the sum of losses by the size of the batch."""

    @wraps(call)
    def reduced(self, context, **kwargs):
        losses = call(self, context, **kwargs)
        shape = np.shape(getattr(losses, "value", losses))
        if len(shape) not in (1, 2) or (len(shape) == 2 and shape[1] > 1):
            raise ValueError(shape)
        size = shape[0] if context.global_batch_size is None else context.global_batch_size
        return dark.sum(losses) / size

    return reduced


@answers.reference
class ClassifierLoss(Executor):
    """A loss of a classifier."""

    @reduce_loss
    def call(self, context, *, features, labels, training, **others):
        """Return the mean over all axes but the first."""
        model = context.classifier_model
        mode = model.training
        try:
            losses = self.fn(model.train(training)(features), labels)
        finally:
            model.train(mode)
        axes = tuple(range(1, losses.ndim))
        return dark.mean(losses, axes) if axes else losses


@answers.reference
class Schedule:
    """A schedule of `dark`, or a warm-up, and how it prints."""

    def __init__(self, function, text):
        self.function, self.text = function, text

    def __call__(self, step):
        return self.function(step)

    def __mul__(self, other):
        if not isinstance(other, Schedule):
            return NotImplemented
        return Schedule(lambda step: self(step) * other(step), f"{self} * {other}")

    def __rmul__(self, number):
        return Schedule(lambda step: number * self(step), f"{number} * {self}")

    def __neg__(self):
        return Schedule(lambda step: -self(step), f"-{self}")

    def __repr__(self):
        return self.text


def of_dark(name):
    """Return a function that makes a schedule of `dark`, also one of no steps."""

    def make(start, end, steps):
        made = getattr(dark.executors, name)(start, end, steps) if steps else lambda step: end
        return Schedule(made, f"{name}({start!r}, {end!r}, {steps!r})")

    make.__name__ = name
    return make


answers.reference(of_dark("linear"))
answers.reference(of_dark("cosine"))


@answers.reference
def warm_up(then, steps):
    """Rise to the first weight of a schedule, then follow it."""
    follow = lambda step: then(step - steps) if step >= steps else then(0) * step / steps
    return Schedule(follow, f"warm_up({then!r}, {steps!r})")


@answers.reference
def measure(context):
    """Return the results of the metrics on the dataset."""
    model = context.classifier_model
    mode = model.training
    try:
        model.train(context.log_eval_mode == "train")
        for metric in context.metrics:
            metric.reset()
        for features, labels in context.dataset or []:
            output = (model(features).value, labels)
            for metric in context.metrics:
                metric.update(output)
    finally:
        model.train(mode)
    return [metric.compute() for metric in context.metrics]


@answers.reference
def fit(context, optimizer, batches, epochs):
    """Train, and keep what ends the training."""
    context.exception, history = None, []
    try:
        for _ in range(epochs):
            for features, labels in batches:
                optimizer.zero_grad()
                context.loss(context, features=features, labels=labels, training=True).backward()
                optimizer.step()
                context.global_step.value += 1
            history.append(measure(context))
    except BaseException as error:
        context.exception = error
        raise
    return history


# predictions


class Value(Executor):
    """An executor of a known value."""

    def __init__(self, value):
        super().__init__()
        self.value = value

    def call(self, context):
        """Return the value."""
        return self.value


@answers.prediction("10.0a")
def mean_of_all(dark):
    """Three examples have the sum 6, the last one 6: 12 / 4 is 3. The mean of the two means would be 4."""
    return (3 * 2 + 6) / 4


@answers.prediction("10.1a")
def one_counter_for_all(dark):
    """Python evaluates a default once, when it reads the signature: both contexts have the same counter, 3 + 2 is 5."""
    counter = Counter()
    for steps in (3, 2):
        counter.value += steps
    return counter.value


@answers.prediction("10.2a")
def summed_in_silence(dark):
    """There are 4 · 3 · 3 = 36 ones. Their sum over 4 is 9: a loss that grows with the image."""
    return float(np.sum(np.ones((4, 3, 3))) / 4)


@answers.prediction("10.3a")
def executors_are_callable(dark):
    """An executor has `__call__`, so it is callable: True. AshPy builds `a * a`, which fails when it is called."""
    return callable(Value(1.0))


@answers.prediction("10.6a")
def one_object_with_both_factors(dark):
    """Both products are the same object, with the factors 2 and 3: 6 + 6 is 12."""
    a = Value(1.0)
    a.factors = (2, 3)
    return a(Context()) + a(Context())


@answers.prediction("10.6b")
def the_weight_of_the_sum_is_lost(dark):
    """The list has a, b and c; the factor 2 belonged to the sum, which is gone: 111 instead of 122."""
    return SumExecutor([Value(1.0), Value(10.0), Value(100.0)])(Context())


@answers.prediction("10.7a")
def what_counts_is_the_end(dark):
    """While decay fades, weights may grow, and the network learns the wrong labels at last: "grow" is better."""
    return "grow"


# repairs of "Find the bug"; they earn no points


@answers.reference
def published_times(executor, factor):
    """The product is a copy with one more factor; the executor itself keeps its own."""
    product = copy.copy(executor)
    product.factors = (*executor.factors, factor)
    return product
