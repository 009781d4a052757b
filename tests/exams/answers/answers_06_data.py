"""Answers of module 06, data: what only the judge reads.

Part of the product: the package ships this file in `dark/_answers`.

The judges return the same sentence for the same mistake, whatever was drawn, so that a diagnosis can name it.
"""

import math
from random import Random

import numpy as np

from dark import data
from dark.course.exams.answers import Answers

answers = Answers("06")

# the reference, where the names or the signatures of `dark` are others

TensorDataset, Standardize, Compose = data.TensorDataset, data.Standardize, data.Compose
for same in (TensorDataset, Standardize, Compose):
    answers.reference(same)


@answers.reference
def collate(items):
    """Collate items."""
    return data.collate(items)


@answers.reference
class DataLoader(data.DataLoader):
    """The loader of `dark`, whose epoch can be set, with the seed 0 by default."""

    def __init__(self, dataset, batch_size=1, shuffle=False, *, drop_last=False, seed=0):
        super().__init__(dataset, batch_size, shuffle, drop_last=drop_last, seed=seed)

    @property
    def epoch(self):
        """The epoch started last."""
        return self._position.epoch

    @epoch.setter
    def epoch(self, number):
        self.load_state_dict(self.state_dict() | {"epoch": number, "position": len(self)})


@answers.reference
def split(labels, fraction, rng):
    """Mark some of each class in a random order of all; that of `dark` returns datasets, and waits for scikit-learn."""
    order, is_test = rng.permutation(len(labels)), np.zeros(len(labels), dtype=bool)
    for label in np.unique(labels):
        members = order[labels[order] == label]
        is_test[members[: int(fraction * len(members) + 0.5)]] = True
    return order[~is_test[order]], order[is_test[order]]


@answers.reference
def random_shift(image, rng):
    """Move an image by -1, 0 or 1 rows and columns."""
    down, right = rng.integers(-1, 2, size=2)
    moved = np.zeros_like(image)
    for row, column in np.ndindex(image.shape):
        if 0 <= row - down < image.shape[0] and 0 <= column - right < image.shape[1]:
            moved[row, column] = image[row - down, column - right]
    return moved


@answers.reference
def leaks(pipeline, x, labels, train, rng, tries=20):
    """Replace the other rows, and compare what is returned for training."""
    is_other = ~np.isin(np.arange(len(x)), train)
    before = [np.array(part) for part in pipeline(x, labels, train)]
    for _ in range(tries):
        rows = np.where(is_other[:, None], rng.uniform(-40, 40, x.shape).astype(x.dtype), x)
        classes = np.where(is_other, rng.permutation(rng.integers(0, 2, len(x))), labels)
        after = [np.array(part) for part in pipeline(rows, classes, train)]
        if any(a.shape != b.shape or np.any(a != b) for a, b in zip(before, after)):
            return True
    return False


# judges: split


def labels_of(sizes, seed):
    """Make the labels that the question made."""
    return np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))


def parts_in(parts, n):
    """Return both parts as lists of indices, or a sentence on what they are instead."""
    if not isinstance(parts, list) or len(parts) != 2:
        return "Two parts are expected: the indices of the training set, and the indices of the test set."
    parts = [np.asarray(part) for part in parts]
    if any(part.ndim != 1 or part.dtype.kind not in "iu" for part in parts if part.size):
        return "A part is not a plain array of indices."
    train, test = (part.tolist() for part in parts)
    if repeated := repeated_in(train, test, n):
        return repeated
    if not set(train + test) <= set(range(n)):
        return "A part has an index that no example has."
    return (train, test) if len(train + test) == n else "Some examples are in neither part."


def repeated_in(train, test, n):
    """Return how indices are repeated in two parts of n examples, or None."""
    if len({*train, *test}) == len(train + test):
        return None
    if len(train + test) == n:
        return "Some indices come twice, and others never."
    if len({*train}) == len(train) and len({*test}) == len(test):
        which = "The whole test set" if set(test) <= set(train) else "An index of the test set"
        return f"{which} is in the training set, too."
    return "Some indices come several times in a part."


def parts_of(answer, labels):
    """Return both parts of examples with these labels, as lists of indices, or a sentence."""
    parts = parts_in(answer["parts"], len(labels))
    if isinstance(parts, str):
        return parts
    is_same = [equal(labels[np.array(part, dtype=int)], found) for part, found in zip(parts, answer["labels"])]
    return parts if is_same == [True, True] else "The labels were changed."


def equal(labels, found):
    """Return whether labels are those that were found."""
    return np.array_equal(labels, np.asarray(found))


def in_order(part, labels):
    """Return which order a part has: as in the data, one class after the other, or None."""
    if sorted(part) == part:
        return "the order of the data"
    return "one class after the other" if np.count_nonzero(np.diff(labels[part])) == labels.max() else None


@answers.judge("everything_goes_to_one_part")
def is_a_partition(answer, inputs):
    """Judge that each index is in one part."""
    parts = parts_of(answer, labels_of(inputs["sizes"], inputs["seed"]))
    return parts if isinstance(parts, str) else None


@answers.judge("classes_keep_their_share")
def is_stratified(answer, inputs):
    """Judge how many of each class are in the test set."""
    labels = labels_of(inputs["sizes"], inputs["seed"])
    parts = parts_of(answer, labels)
    if isinstance(parts, str):
        return parts
    _, test = parts
    for size, found in zip(inputs["sizes"], np.bincount(labels[test], minlength=len(inputs["sizes"]))):
        exact = inputs["fraction"] * size
        if abs(found - exact) > 0.5 + 1e-9:
            right = " or ".join(dict.fromkeys([str(math.ceil(exact - 0.5)), str(math.floor(exact + 0.5))]))
            return f"Of a class of {size}, {found} are in the test set. The fraction is {exact:g}, rounded {right}."
    return None


@answers.judge("parts_are_shuffled")
def is_shuffled(answer, inputs):
    """Judge that neither part is sorted, by index or by class."""
    labels = labels_of([inputs["size"]] * 3, inputs["seed"])
    parts = parts_of(answer, labels)
    if isinstance(parts, str):
        return parts
    for name, part in zip(("training", "test"), parts):
        if order := in_order(part, labels):
            return f"The {name} set has {order}."
    return None


@answers.judge("the_generator_decides")
def is_drawn_from_the_generator(answer, inputs):
    """Judge which generators the parts depend on."""
    labels = labels_of([inputs["size"]] * 2, inputs["seed"])
    parts = {name: parts_of(part, labels) for name, part in answer.items()}
    for part in parts.values():
        if isinstance(part, str):
            return part
    if parts["first"] == parts["other seed"]:
        return "Another seed gives the same split: it is not drawn from the generator that was passed."
    if parts["first"] != parts["another global seed"] or parts["first"] != parts["again"]:
        return "The same seed gives another split: something is drawn from elsewhere."
    if parts["first"] == parts["next"]:
        return "A second split with the same generator is the same."
    if any(sorted(part) == part for pair in parts.values() for part in pair):
        return "A part has the order of the data: it is not drawn."
    is_half = [abs(len(test) - len(train)) <= 2 for train, test in parts.values()]  # rounded for each class
    return None if all(is_half) else "The parts are not the halves that were asked for."


@answers.judge("everyone_can_be_drawn")
def is_fair(answer, inputs):
    """Judge how often each example comes into the test set."""
    labels, parts = labels_of([5, 5], inputs["seed"]), [np.array(part, dtype=int) for part in answer["test sets"]]
    if len(parts) != 100 or any(len({*part} & {*range(10)}) != 4 or len(part) != 4 for part in parts):
        return "The test sets do not have 4 of 10 examples."
    if not all(equal(labels[part], found) for part, found in zip(parts, answer["labels"], strict=True)):
        return "The labels were changed."
    found = np.bincount(np.concatenate(parts), minlength=10)
    if found.min() < 15 or found.max() > 70:
        return "Some examples come into the test set too often."
    return None if len({frozenset(part) for part in parts}) > 25 else "The same few test sets come again and again."


@answers.judge("labels_of_all_kinds")
def is_a_split_of_any_labels(answer, inputs):
    """Judge the parts of labels of another kind."""
    places = labels_of([6, 8], inputs["seed"])
    kinds = {"strings": ["no", "yes"], "bools": ["False", "True"], "floats": ["1.0", "3.0"], "negative": ["-1", "7"]}
    if answer["labels afterwards"] != [kinds[inputs["kind"]][k] for k in places]:
        return "The labels were changed."
    parts = parts_in(answer["parts"], 14)
    if isinstance(parts, str):
        return parts
    found = np.bincount(places[parts[1]], minlength=2).tolist()
    return None if found == [3, 4] else "The test set has not half of each class."


# judges: data_loader


def whole(batches, items, size, drop_last):
    """Return the items of an epoch in order, or a sentence on what is wrong with its batches."""
    sizes, n = [len(batch) for batch in batches], len(items)
    expected = [size] * (n // size) + [n % size] * (n % size > 0 and not drop_last)
    found = [item for batch in batches for item in batch]
    if len(set(found)) < len(found):
        return "An item comes twice in an epoch."
    if not set(found) <= set(items):
        return "An epoch has an item that the dataset does not have."
    return found if sizes == expected else "The batches do not have the sizes that they should have."


def items_of(inputs, n):
    """Return the items of the dataset of a question."""
    return range(inputs["first"], inputs["first"] + n)


def epochs_in(epochs, items, size, drop_last=False):
    """Return the orders of epochs, or a sentence."""
    orders = [whole(batches, items, size, drop_last) for batches in epochs]
    return next((order for order in orders if isinstance(order, str)), orders)


def not_shuffled(orders):
    """Return that an order is not a shuffled one, or None."""
    return "The items are not shuffled." if any(order == sorted(order) for order in orders) else None


@answers.judge("shuffled_batches")
def is_shuffled_anew(answer, inputs):
    """Judge that each epoch has all items, in an order of its own."""
    n, size, drop_last = inputs["n"], inputs["size"], inputs["drop_last"]
    found = epochs_in(answer["epochs"], items_of(inputs, n), size, drop_last)
    if isinstance(found, str):
        return found
    if answer["length"] != (n // size if drop_last else math.ceil(n / size)):
        return "`len` is not the number of batches."
    if wrong := not_shuffled(found):
        return wrong
    return "Two epochs have the same order." if len(set(map(tuple, found))) < 3 else None


@answers.judge("without_settings")
def has_the_usual_settings(answer, inputs):
    """Judge batches with a single item, and the orders of two loaders without a seed."""
    if [np.asarray(batch).tolist() for batch in answer["batches"]] != [[k] for k in items_of(inputs, inputs["n"])]:
        return "Without settings, each batch of a loader is a single item, in order."
    found = epochs_in([*answer["one loader"], *answer["another"]], items_of(inputs, 30), inputs["size"])
    if isinstance(found, str):
        return found
    if found[0] != found[1]:
        return "Two loaders without a seed have different orders."
    return not_shuffled(found)


@answers.judge("seed_and_epoch_decide")
def is_a_function_of_seed_and_epoch(answer, inputs):
    """Judge what the order depends on, and what it draws from."""
    if answer["drawn next"] != {"by NumPy": np.random.RandomState(1).random(), "by Python": Random(1).random()}:
        return "A global generator is seeded or drawn from: what a training draws next is another number."
    items = items_of(inputs, inputs["n"])
    found = {name: epochs_in(epochs, items, 4) for name, epochs in answer.items() if isinstance(epochs, list)}
    for orders in found.values():
        if isinstance(orders, str):
            return orders
    first = found["three epochs"]
    if first == found["another seed"]:
        return "Another seed gives the same orders."
    if found["epochs 2 and 3, epoch 1 left early"] != first[1:]:
        return "Epochs 2 and 3 differ after another epoch 1: their order depends on more than seed and epoch."
    if found["epoch 3, resumed"] != first[2:]:
        return "With `epoch` set to 2, the next epoch is not epoch 3."
    if answer["epoch of the resumed"] != 3:
        return "`epoch` is not the number of the epoch begun last."
    return not_shuffled(first + found["another seed"])


@answers.judge("seeds_share_no_order")
def is_of_one_seed(answer, inputs):
    """Judge that no two epochs of several seeds have the same order."""
    found = epochs_in(answer["epochs"], items_of(inputs, 12), 4)
    if isinstance(found, str):
        return found
    repeated = 60 - len(set(map(tuple, found)))
    return f"{repeated} of 60 epochs of five seeds repeat the order of another." if repeated else None


@answers.judge("every_order_can_come")
def is_any_order(answer, inputs):
    """Judge how often each item comes first."""
    items = items_of(inputs, 5)
    found = epochs_in(answer["epochs"], items, 2)
    if isinstance(found, str):
        return found
    dropped = epochs_in(answer["with drop_last"], items, 2, True)
    if isinstance(dropped, str):
        return dropped
    for name, orders in (("", found), ("With drop_last, ", dropped)):
        first = [sum(order[0] == item for order in orders) for item in items]
        if min(first) < 4 or max(first) > 45:
            return f"{name}some items come first too often, or never.".capitalize()
        if len(set(map(tuple, orders))) < 30:  # of 100 epochs; 68 if all 120 orders are equally likely
            return f"{name}the same few orders come again and again.".capitalize()
    return None


# judges: compose


def positions(image, moved):
    """Return by how many rows and columns each image was moved, or a sentence."""
    rows, columns = image.shape
    padded = np.pad(image, 1)
    windows = {(1 - r, 1 - c): padded[r : r + rows, c : c + columns] for r in range(3) for c in range(3)}
    found = []
    for each in moved:
        if np.shape(each) != image.shape:
            return f"A result has the shape {np.shape(each)}; the image has the shape {image.shape}."
        found.append(next((way for way, window in windows.items() if np.array_equal(each, window)), None))
        if found[-1] is None:
            return unlike(each, image, windows)
    return found


def unlike(each, image, windows):
    """Return what is wrong with an image that is none of the windows."""
    if any(np.array_equal(np.abs(each), np.abs(window)) for window in windows.values()):
        return "The numbers of a result have other signs than the numbers of the image."
    if any(np.array_equal(each, np.roll(image, way, axis=(0, 1))) for way in windows):
        return "What leaves a result on one side comes back in on the other."
    if any(np.array_equal(each[window != 0], window[window != 0]) for window in windows.values() if window.any()):
        return "The gaps of a result have other numbers than 0."
    far = [np.pad(image, 2)[r : r + len(image), c : c + image.shape[1]] for r in range(5) for c in range(5)]
    if any(np.array_equal(each, window) for window in far):
        return "A result is moved by two rows or columns."
    return "A result is not the image, moved by at most one."


def image_of(inputs, columns):
    """Make the image of a question."""
    return inputs["first"] + np.arange(inputs["rows"] * columns, dtype=float).reshape(inputs["rows"], columns)


def always_alike(*moved):
    """Return that all images are moved in the same way, or None."""
    return "The image is always moved in the same way." if any(len(set(ways)) == 1 for ways in moved) else None


@answers.judge("nine_positions")
def is_each_way(answer, inputs):
    """Judge that the image is moved in all nine ways."""
    image = image_of(inputs, inputs["columns"])
    if not np.array_equal(answer["image afterwards"], image):
        return "The image itself was changed."
    found = positions(image, answer["moved"])
    if isinstance(found, str):
        return found
    if wrong := always_alike(found):
        return wrong
    if all(down == right for down, right in found):
        return "The image moves along the diagonal only."
    often = [found.count((down, right)) for down in (-1, 0, 1) for right in (-1, 0, 1)]
    if missing := never(found):
        return f"The image is never moved {' or '.join(missing)}."
    if min(often) == 0:
        return "Some of the nine ways never come."
    return None if max(often) <= 50 else "One of the nine ways comes too often."


def never(found):
    """Return in which directions an image is never moved."""
    names = {(0, -1): "up", (0, 1): "down", (1, -1): "left", (1, 1): "right"}
    return [name for (axis, step), name in names.items() if step not in {way[axis] for way in found}]


@answers.judge("shifts_come_from_the_generator")
def is_drawn_from_rng(answer, inputs):
    """Judge which generators the shifts depend on."""
    image = image_of(inputs, 3)
    found = {name: positions(image, moved) for name, moved in answer.items()}
    for ways in found.values():
        if isinstance(ways, str):
            return ways
    if found["first"] == found["another seed"]:
        return "Another seed gives the same shifts: they are not drawn from the generator that was passed."
    if found["first"] != found["again"]:
        return "The same seed gives other shifts: another generator is used."
    return always_alike(*found.values())


@answers.judge("a_shift_in_a_pipeline")
def is_shifted_in_between(answer, inputs):
    """Judge the shift of a doubled image, turned upside down afterwards."""
    if any(isinstance(each, str) for each in answer["moved"]):
        return "The result is not an array."
    image = -2 * image_of(inputs, inputs["columns"]).astype(int)
    found = positions(image, [np.asarray(each)[::-1] for each in answer["moved"]])
    return found if isinstance(found, str) else always_alike(found)


# predictions


@answers.prediction("06.0a")
def gradient_of_the_bias_of_a_batch(dark):
    """b is used in each of the 8 rows, and receives 1 from each: 8. A mean makes the size of a batch not matter."""
    return 8


@answers.prediction("06.0b")
def score_of_coin_flips(dark):
    """The labels of the test set are coin flips, whatever was learned: 0.5. A higher mean score is a mistake."""
    return 0.5


@answers.prediction("06.1a")
def shape_behind_a_tuple(dark):
    """To NumPy a tuple is one index for each axis: row 3 of image 5, which has 8 pixels."""
    return list(np.zeros((9, 8, 8))[(5, 3)].shape)


@answers.prediction("06.2a")
def splits_without_a_rare_one(dark):
    """9/12 · 8/11 · 7/10 · 6/9 is 0.25: one split in 4. Its score says nothing of the rare class."""
    return 4


@answers.prediction("06.3a")
def shape_of_collated_images(dark):
    """The batch is a new first axis, in front of the 8 rows and 8 columns."""
    return list(dark.collate([(np.zeros((8, 8)), k) for k in range(4)])[0].shape)


@answers.prediction("06.3b")
def numbers_of_batches(dark):
    """4 + 4, and 2 are left: two whole batches, or three with the smaller one."""
    return [len(dark.DataLoader([0] * 10, 4, drop_last=each)) for each in (True, False)]


@answers.prediction("06.4a")
def six_standardized(dark):
    """The mean of 1 and 3 is 2, their standard deviation 1: (6 - 2) / 1 = 4. The 6 has no say in that."""
    return float(dark.Standardize().fit(np.array([[1.0], [3.0]])).transform(np.array([[6.0]]))[0, 0])


@answers.prediction("06.5a")
def pipelines_that_leak(dark):
    """2 scales by all rows, 3 adds rows of the test set, mirrored, and 5 chooses columns by all labels."""
    return [2, 3, 5]


@answers.prediction("06.6a")
def numbers_of_copied_generators(dark):
    """All four copies draw the same first number, and the same second one: only two are different."""
    return 2


@answers.prediction("06.6b")
def items_of_the_first_batch(dark):
    """`iter(loader)` begins a new epoch in each step, and `next` takes its first batch: always the same 50 items."""
    return 50


# judges: leak


def drawn_data(seed, columns=3, n=15):
    """Draw the rows, labels and indices of the training set that the question drew."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, columns)), rng.integers(0, 2, n), rng.permutation(n)[: 2 * n // 3]


@answers.judge("the_generator_is_used")
def draws_from_the_generator(answer, inputs):
    """Judge that the replaced rows depend on the seed of the generator that was passed, and on nothing else."""
    x, labels, train = drawn_data(inputs["seed"])
    found = {}
    for name in ("first", "again", "other seed"):
        found[name] = rows, classes = [np.asarray(part, dtype=float) for part in answer[name]]
        if rows.shape != x.shape or classes.shape != labels.shape:
            return "The pipeline gets rows or labels of another shape than before."
        if not (np.array_equal(rows[train], x[train]) and np.array_equal(classes[train], labels[train])):
            return "The training rows are replaced as well, or their labels."
    first, again, other = found.values()
    if not all(map(np.array_equal, first, again)):
        return "With the same seed, the other rows are replaced by other numbers: not all come from rng."
    if np.array_equal(first[0], other[0]):  # labels alone may be equal by chance
        return "With another seed, the other rows are replaced by the same numbers."
    return None


# repairs of "Find the bug"; they earn no points


@answers.reference
def drawn_by_workers(rng, workers=4, items=8):
    """`rng.spawn` makes independent generators; a copy continues exactly where the original was."""
    each = rng.spawn(workers)
    return [int(each[item % workers].integers(10_000)) for item in range(items)]
