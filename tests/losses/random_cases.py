"""Every loss with random inputs, and the settings it is tested with."""

from dataclasses import dataclass

import numpy as np

from dark import losses

CLASS_WEIGHTS = np.array([0.5, 2.0, 1.0, 0.0])
COLUMN_WEIGHTS = np.array([[0.5], [2.0], [0.0]])


@dataclass(frozen=True)
class Case:
    """A loss, and a function `(rng) -> arrays` that returns inputs; integers do not require gradients."""

    function: object
    draw: object
    settings: tuple = ({},)
    reductions: tuple = ("mean", "sum", "none")
    fixed: tuple = ()  # the indices of float arrays that do not require gradients
    twice: bool = True  # whether PyTorch differentiates it twice

    def each(self):
        """List the settings with all reductions."""
        return [{**settings, "reduction": r} for settings in self.settings for r in self.reductions]

    def inputs(self, dtype=float, seed=0):
        """Draw the arrays."""
        arrays = self.draw(np.random.default_rng(seed))
        return [v.astype(dtype) if v.dtype.kind == "f" else v for v in arrays]

    def takes_gradient(self, k, v):
        """Say whether a gradient is to reach an array."""
        return v.dtype.kind == "f" and k not in self.fixed


def normal(*shape, count=1):
    return lambda rng: [rng.normal(size=shape) * 2 for _ in range(count)]


def logits_and_classes(*shape, classes=None):
    """Draw logits, and class indices."""
    axis = 0 if len(shape) == 1 else 1
    k, others = shape[axis], shape[:axis] + shape[axis + 1 :]
    return lambda rng: [rng.normal(size=shape) * 3, rng.integers(0, classes or k, others)]


def logits_and_probabilities(*shape, share=0.05):
    """Draw logits, and probabilities."""
    return lambda rng: [rng.normal(size=shape) * 4, rng.uniform(share, 1 - share, shape)]


def probabilities(*shape):
    return lambda rng: [rng.uniform(0.05, 0.95, shape), rng.uniform(0.05, 0.95, shape)]


def shares(*shape):
    """Draw logits, and class probabilities along axis 1."""

    def draw(rng):
        p = rng.uniform(0.1, 1, shape)
        return [rng.normal(size=shape), p / p.sum(min(1, len(shape) - 1), keepdims=True)]

    return draw


def vectors_and_signs(*shape):
    return lambda rng: [rng.normal(size=shape), rng.normal(size=shape), np.asarray(rng.choice((1, -1), shape[:-1]))]


def scores_and_signs(*shape):
    return lambda rng: [rng.normal(size=shape), np.asarray(rng.choice((1.0, -1.0), shape))]


def product(name, values, *others):
    """Return all combinations of settings."""
    return tuple({name: v, **rest} for v in values for rest in (others or ({},)))


OF_CLASSES = (
    {}, {"weight": CLASS_WEIGHTS}, {"ignore_index": 1}, {"ignore_index": 2, "weight": CLASS_WEIGHTS},
    {"ignore_index": -1},
)  # fmt: skip
SMOOTHED = tuple({**s, "label_smoothing": share} for s in OF_CLASSES for share in (0.1, 1.0))
WEIGHED = ({}, {"weight": np.array(0.3)}, {"weight": COLUMN_WEIGHTS}, {"weight": np.array([1.0, 0.5])})
POSITIVE = tuple({**s, "pos_weight": w} for s in WEIGHED for w in (np.array([3.0, 0.5]), np.array(2.0)))
PER_PLACE = ({}, {"weight": np.arange(6.0).reshape(3, 2)})
OF_PROBABILITIES = ({}, {"weight": CLASS_WEIGHTS}, {"label_smoothing": 0.2, "weight": CLASS_WEIGHTS})
TRIPLETS = (
    {}, {"margin": 0.3}, {"swap": True}, {"p": 1}, {"p": 3.0, "swap": True}, {"p": 1.5}, {"p": np.inf}, {"eps": 0.1},
)  # fmt: skip

CASES = [
    *(
        Case(losses.cross_entropy, logits_and_classes(*shape), OF_CLASSES + SMOOTHED)
        for shape in ((4,), (5, 4), (3, 4, 2), (2, 4, 3, 2))
    ),
    *(Case(losses.cross_entropy, shares(*shape), OF_PROBABILITIES) for shape in ((4,), (5, 4), (3, 4, 2))),
    *(Case(losses.nll, logits_and_classes(*shape), OF_CLASSES) for shape in ((4,), (5, 4), (3, 4, 2), (2, 4, 3, 2))),
    Case(
        losses.binary_cross_entropy_with_logits,
        logits_and_probabilities(3, 2),
        WEIGHED + POSITIVE,
        fixed=(1,),
    ),
    Case(
        losses.binary_cross_entropy_with_logits,
        logits_and_probabilities(3, 2),
        WEIGHED + POSITIVE,
    ),
    Case(losses.binary_cross_entropy_with_logits, logits_and_probabilities()),
    Case(losses.binary_cross_entropy, probabilities(3, 2), WEIGHED),
    Case(losses.binary_cross_entropy, probabilities(3, 2), WEIGHED, fixed=(1,)),
    Case(losses.mse, normal(3, 2, count=2), PER_PLACE),
    Case(losses.mse, normal(count=2)),
    Case(losses.l1, normal(3, 2, count=2), PER_PLACE),
    Case(losses.huber, normal(3, 2, count=2), PER_PLACE + ({"delta": 0.5}, {"delta": 3})),
    Case(losses.smooth_l1, normal(3, 2, count=2), product("beta", (1.0, 0.5, 2, 0))),
    *(
        Case(
            losses.kl_div,
            shares(*shape),
            product("log_target", (False, True)),
            ("batchmean", "mean", "sum", "none"),
            fixed=fixed,
        )
        for shape in ((3, 4), (4,))
        for fixed in ((), (1,))
    ),
    *(
        Case(losses.cosine_embedding, vectors_and_signs(*shape), product("margin", (0, 0.4)))
        for shape in ((6, 3), (3,))
    ),
    *(Case(losses.triplet_margin, normal(*shape, count=3), TRIPLETS) for shape in ((5, 3), (3,))),
    *(
        Case(
            losses.hinge_embedding,
            scores_and_signs(*shape),
            product("margin", (1.0, 0.3)),
            fixed=(1,),
        )
        for shape in ((6,), (3, 2), ())
    ),
    *(
        Case(
            losses.multi_margin,
            logits_and_classes(*shape),
            product("p", (1, 2), {}, {"weight": CLASS_WEIGHTS}, {"margin": 0.5}),
            twice=False,
        )
        for shape in ((5, 4), (4,))
    ),
]


def name_of(case):
    """Return the test id of a case."""
    return f"{case.function.__name__}-{'x'.join(str(v.shape) for v in case.inputs())}-{len(case.fixed)}"
