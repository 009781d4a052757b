"""Points in the plane that a straight line cannot part, made by a seed."""

from numbers import Real

import numpy as np

from dark.data.dataset_checks import whole
from dark.data.datasets.labeled_data import LabeledData
from dark.errors import UsageError

OURS = "made by dark.data.datasets.{}, seed {}"


def two_moons(samples=200, noise=0.1, seed=0):
    """Two half circles, one inside the bend of the other.

    Parameters
    ----------
    samples : int, default 200
        How many points, 2 or more; the two classes have as many, or one differs by one.
    noise : float, default 0.1
        Standard deviation of what is added to each coordinate.
    seed : int, default 0
        The same seed gives the same points.

    Returns
    -------
    LabeledData
        Inputs of shape (samples, 2), targets 0 and 1, in random order.

    Raises
    ------
    UsageError
        If there are too few points or `noise` is negative.

    Notes
    -----
    With an angle t from 0 to π in even steps, class 0 lies at (cos t, sin t), class 1 at (1 − cos t, 1/2 − sin t);
    scikit-learn's `make_moons` draws the same curves.

    Examples
    --------
    >>> two_moons(4, noise=0.0).inputs[two_moons(4, noise=0.0).targets == 0].round(3)
    array([[ 1.,  0.],
           [-1.,  0.]])
    """

    def curve(t, moon):
        x, y = np.cos(np.pi * t), np.sin(np.pi * t)
        return (x, y) if moon == 0 else (1 - x, 0.5 - y)

    return _made("two_moons", curve, ("upper", "lower"), (samples, noise, seed), "Two half circles with noise.")


def spirals(samples=300, noise=0.02, seed=0, *, arms=2, turns=1.5):
    """Spiral arms wound into each other.

    Parameters
    ----------
    samples : int, default 300
        How many points, at least one an arm; shared evenly.
    noise : float, default 0.02
        Standard deviation of what is added to each coordinate.
    seed : int, default 0
        The same seed gives the same points.
    arms : int, default 2
        How many classes, 2 or more.
    turns : float, default 1.5
        How often an arm winds around the middle, above 0.

    Returns
    -------
    LabeledData
        Inputs of shape (samples, 2) within the unit circle but for noise, targets from 0 to arms − 1, in random
        order.

    Raises
    ------
    UsageError
        If there are too few points, fewer than 2 arms, no turn, or `noise` is negative.

    Notes
    -----
    Arm k lies at radius r and angle 2π (turns · r + k / arms), with r from 0.1 to 1 in even steps.

    Examples
    --------
    >>> np.bincount(spirals(90, arms=3).targets)
    array([30, 30, 30])
    """
    arms = whole(arms, "spirals", "arms", 2)
    if not isinstance(turns, Real) or not 0 < turns < np.inf:
        raise UsageError(f"spirals: turns is {turns!r}.", "a number above 0.", "turns=1.5")

    def curve(t, arm):
        r = 0.1 + 0.9 * t
        angle = 2 * np.pi * (turns * r + arm / arms)
        return r * np.cos(angle), r * np.sin(angle)

    names = tuple(f"arm {k}" for k in range(arms))
    return _made("spirals", curve, names, (samples, noise, seed), f"{arms} spiral arms of {turns} turns, with noise.")


def _made(name, curve, target_names, settings, description):
    """Put points on the curve of each class, shake them, and mix them."""
    samples, noise, seed = settings
    classes = len(target_names)
    samples, seed = whole(samples, name, "samples", classes), whole(seed, name, "seed")
    if not isinstance(noise, Real) or not 0 <= noise < np.inf:
        raise UsageError(f"{name}: noise is {noise!r}.", "a number, 0 or more.", "noise=0.1")
    generator = np.random.default_rng(seed)
    sizes = [samples // classes + (k < samples % classes) for k in range(classes)]
    points = np.concatenate([np.stack(curve(np.linspace(0, 1, n), k), axis=-1) for k, n in enumerate(sizes)])
    points = points + generator.normal(0, noise, points.shape)
    mixed = generator.permutation(samples)
    targets = np.repeat(np.arange(classes), sizes)
    source = OURS.format(name, seed)
    return LabeledData(name, points[mixed], targets[mixed], ("x", "y"), target_names, description, source, "MIT")
