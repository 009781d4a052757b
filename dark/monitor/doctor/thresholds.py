"""The thresholds of the doctor, in one table, each with its reason.

"Healthy at most" and "sick at least" are the extremes that `python -m benchmarks.doctor` measured over its runs; a
threshold lies between them, nearer to the sick ones, so that a healthy run is left alone.
"""

from typing import NamedTuple


class Threshold(NamedTuple):
    """A number, and where it comes from."""

    value: float
    reason: str


_TABLE = {
    "notes": (5, "with fewer values of a series, a median of its end is too uncertain"),
    "saturated": (0.5, "share of saturated outputs of a hidden layer; healthy at most 0.26, sick at least 0.76"),
    "dead": (0.5, "share of units that are never active; healthy at most 0.34, sick at least 0.69"),
    "growth": (100, "norm of all gradients over its beginning; healthy at most 19, sick at least 460"),
    "learned well": (0.9, "share of the loss that is gained though single gradients were large"),
    "depth growth": (100, "gradient of the first layer over the last, per element; healthy at most 5"),
    "depth decay": (0.001, "gradient of a layer over the largest of a later one, per element; healthy at least 0.03"),
    "large update": (0.25, "second largest |step| / |weights|, median over layers; about 1e-3 is usual, healthy 0.14"),
    "huge update": (1, "largest |step| / |weights|, median over layers; a first step of RMSprop has up to 0.5"),
    "small update": (0.0001, "90 % quantile of |step| / |weights|; healthy at least 1e-3, sick at most 2e-5"),
    "weight scale": (
        10,
        "root mean square of the weights times sqrt(inputs), median over layers; healthy at most 3.3, sick at least 19",
    ),
    "weight growth": (1.04, "the same over its beginning: scales that are initial, not grown, have 1.00"),
    "undisturbed": (1.1, "highest loss over the first one, of a run whose large steps do no harm, as of LBFGS"),
    "hardly up": (0.05, "sum of all rises of the loss over its fall, for the same where much noise remains"),
    "rise": (3, "loss over its beginning; healthy at most 2"),
    "small gain": (0.15, "share of the loss that a training with a sufficient learning rate gains at least"),
    "no gain": (0.03, "share of the loss; healthy runs gained at least 0.1"),
    "validation end": (0.94, "validation loss at the end over the first one; shuffled labels at least 0.95"),
    "validation gain": (0.9, "lowest validation loss over the first one; with shuffled labels about 1"),
    "good accuracy": (0.9, "validation accuracy that is not reached without learning, but for rare classes"),
    "validation level": (0.75, "lowest validation loss over the loss at the beginning; shuffled labels at least 0.78"),
    "accuracy gap": (0.145, "training accuracy minus validation accuracy; healthy at most 0.13, sick at least 0.15"),
    "memorized accuracy gap": (0.12, "the same, where the training set is known by heart; healthy at most 0.05"),
    "validation rise": (
        0.22,
        "validation loss minus its minimum, over the loss at the beginning; healthy at most 0.18",
    ),
    "loss gap": (3, "validation loss over training loss, for the same"),
    "validation share": (
        0.3,
        "lowest validation loss over the loss at the beginning; far below it, a rise is of no consequence",
    ),
    "validation factor": (1.3, "validation loss over its minimum, where that share is exceeded; healthy at most 1.27"),
    "mild loss gap": (2, "validation loss over training loss, for the same; healthy at most 1.7"),
    "memorized gap": (
        50,
        "validation loss over training loss, where that share is exceeded; healthy at most 15, sick at least 126",
    ),
    "perfect": (0.99, "accuracy that real data seldom allows; healthy digits at most 0.987"),
    "nearly perfect": (0.975, "accuracy for which an input must stand out still more"),
    "errors left": (0.25, "share of the errors of a constant answer; a rare class that is half found is no leak"),
    "zero gradient": (0.5, "share of the units of a layer whose gradients are exactly 0; as of units seen to be dead"),
    "no loss": (0.001, "loss over its beginning: then gradients may be 0 because nothing is left to learn"),
    "noise level": (5, "difference of two medians, in standard deviations of the notes around their trend"),
    "higher": (0.05, "rise of the loss from its beginning to its end, of its size: less is not worth a word"),
    "swing": (0.5, "range of the late loss, from its 10 % to its 90 % quantile, over its level; healthy at most 0.4"),
    "one rhythm": (0.001, "probability with which noise has so much of its variance in two neighboring frequencies"),
    "better validation": (
        0.25,
        "validation accuracy minus training accuracy; dropout of one half, measured in training mode, has up to 0.15",
    ),
    "fewer errors": (2, "share of errors in the training set over that in the validation set, for the same"),
    "training mode": (1.15, "late training loss over the first validation loss, while the latter falls"),
    "prior answer": (
        0.75,
        "mean probability of the favorite class over the accuracy; informed ones of equal classes 0.5",
    ),
    "no information": (0.02, "Kullback-Leibler divergence, in nats, below which a code has no information"),
    "one-hot code": (5, "alignment in standard deviations: by chance, once in a million"),
    "lone token": (1.5, "change of a token of each class over the largest change of another; as of lone inputs"),
    "own class": (0.5, "cosine of the changes of two tokens: those of different classes move apart"),
    "silent batches": (0.2, "share of the late notes in which no gradient passes a layer, though others pass"),
    "known already": (0.85, "first loss over log(number of outputs), of a network that begins; fresh ones 0.9 to 1.5"),
    "dominant input": (2.2, "change of the weights of an input over the median input; healthy at most 2.2"),
    "very dominant input": (2.75, "the same, where the result is good, but not perfect on validation data"),
    "influential input": (4.5, "weights times gradients of an input, over the median; healthy at most 3.7"),
    "very influential input": (6, "the same, where the result is good, but not perfect; healthy at most 5.1"),
    "input": (4.2, "product of the two signs of an input, where accuracy and loss are perfect; healthy at most 2.9"),
    "clear input": (8.5, "the same, where the result is good, but not perfect; healthy at most 8"),
    "lone input": (
        1.5,
        "effect of an input on the outputs over the next largest; labels at least 1.56, healthy rarely above 1.5",
    ),
    "far alone": (2, "the same, above which a clear input need not be so clear; healthy digits at most 1.5"),
    "lone coefficient": (4, "the same for regressions and linear models; healthy at most 2.1, targets at least 6.5"),
    "tiny loss": (0.03, "lowest validation loss over the first one, for the same; leaks reach 0.02"),
    "shrunk": (0.1, "norm of all weights over its beginning; healthy at least 0.7"),
    "shrunk while stuck": (0.6, "the same, where the loss falls little"),
    "gain under decay": (0.2, "share of the loss that is gained at most, for the same"),
    "tiny gradient": (1e-5, "norm over the largest; 1e-8, by rounding, for a bias before batch normalization"),
    "equal units": (0.05, "largest difference of two rows of a weight over its largest element; random ones about 1"),
    "constant accuracy": (0.8, "share of the last half of the measurements within an example of the same accuracy"),
    "won": (0.17, "loss of a discriminator over its beginning; healthy at least 0.6"),
    "lost": (3, "loss of a generator over its beginning; healthy at most 2"),
    "prior loss": (0.9, "loss over the entropy of the class shares, which the best constant answer reaches"),
    "loss spread": (
        0.7,
        "spread of the late loss over its beginning; healthy at most 0.5, batches of 1 example at least 0.9",
    ),
    "same output": (0.001, "largest difference of the outputs for different samples over the largest output"),
}
THRESHOLDS = {name: Threshold(*pair) for name, pair in _TABLE.items()}


def limit(name: str) -> float:
    """Return a threshold."""
    return THRESHOLDS[name].value


def confidence(value: float, name: str) -> str:
    """Return the confidence of a finding by how far a value lies beyond its threshold, on either side.

    >>> confidence(0.1, "shrunk"), confidence(0.07, "shrunk"), confidence(7, "rise")
    ('low', 'medium', 'high')
    """
    ratio = max(abs(value), 1e-300) / limit(name)
    beyond = max(ratio, 1 / ratio)
    return "high" if beyond >= 2 else "medium" if beyond >= 1.25 else "low"


def share_confidence(value: float, name: str) -> str:
    """Return the confidence by how far a share lies beyond its threshold, on the way to 1.

    >>> share_confidence(0.9, "dead"), share_confidence(0.65, "dead"), share_confidence(0.52, "dead")
    ('high', 'medium', 'low')
    """
    beyond = (value - limit(name)) / (1 - limit(name))
    return "high" if beyond >= 0.5 else "medium" if beyond >= 0.2 else "low"
