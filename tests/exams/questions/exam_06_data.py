"""Questions of module 06, data.

Part of the product: the package ships this file in `dark/_questions`; `dark check` and `dark grade` read it.

Random draws have many right answers: there the body returns several draws, and the judge tests what holds
of all of them. Inputs are small tables of numbers that are all different, so that a wrong row or column shows.
"""

import random
from numbers import Number

import numpy as np

from dark.course.exams import Array, Choice, Exam, Float, Integer, ListOf

exam = Exam("06")

MANY = 4000  # items: copying the batch so far for each of them takes many seconds
KINDS = {"b": "bools", "i": "integers", "u": "integers", "f": "floats"}  # of arrays
WIDE = 1024  # numbers of each of those items
DRAWS = 200  # shifts of an image: none of the nine is missing but once in a thousand million times


def array(numbers):
    """Make an array of floats."""
    return np.array(numbers, dtype=float)


def refused(action):
    """Return what an action returns, or that it raises a ValueError."""
    try:
        return action()
    except ValueError:
        return "a ValueError"


def counted(rows, columns, first=1.0):
    """Make a table of numbers that are all different."""
    return first + np.arange(rows * columns, dtype=float).reshape(rows, columns)


def written(batch):
    """Write down the kind and the content of tuples, lists, dicts, arrays, numbers and strings."""
    if isinstance(batch, tuple | list):
        return {"kind": f"a {type(batch).__name__} of {len(batch)}", "content": [written(part) for part in batch]}
    if isinstance(batch, dict):
        return {"kind": "a dict", "content": {key: written(part) for key, part in batch.items()}}
    if isinstance(batch, np.ndarray):
        kind = KINDS.get(batch.dtype.kind, batch.dtype.name)
        content = batch.astype(float) if kind in KINDS.values() else None
        return {"kind": f"an array of {kind}", "content": content}
    is_plain = isinstance(batch, str | Number | np.generic)
    kind = "a string" if isinstance(batch, str) else "a number" if is_plain else f"a {type(batch).__name__}"
    return {"kind": kind, "content": batch if is_plain else None}


class Numbers:
    """A dataset of the numbers first, first + 1, ... that writes down which indices are read."""

    def __init__(self, size, first=10):
        self.size, self.first, self.reads = size, first, []

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        if not 0 <= index < self.size:
            raise IndexError(index)
        self.reads.append(int(index))
        return self.first + int(index)


class Table(Numbers):
    """The same numbers, which can also be read as a whole batch."""

    def batch(self, indices):
        """Return the numbers at these indices as an array."""
        self.reads.append(["batch", *np.asarray(indices).tolist()])
        return self.first + np.asarray(indices)


# dataset

TABLES = ([[1, 2], [3, 4], [5, 6]], [[0, -1], [2.5, 2], [7, 8]], [[9], [8], [7]])


@exam.question("dataset", points=2, examples=20)
def rows_are_items(dark, x: Array(*TABLES), index: Choice(0, 1, 2, -1)):
    """An item is a tuple: the row of each array at its index."""
    data = dark.TensorDataset(array(x), np.array([4, 5, 6]), np.array([7.5, 8.5, 9.5]))
    return {"item": written(data[index]), "length": len(data)}


@exam.question("dataset", examples=20)
def any_number_of_arrays(dark, arrays: Integer(1, 4), rows: Choice(2, 1, 3, 300), index: Choice(0, -1)):
    """Of one array, or of four, items are tuples with one part for each; another dataset changes nothing."""
    data = dark.TensorDataset(*(counted(rows, k + 1, 100.0 * k) for k in range(arrays)))
    other = dark.TensorDataset(np.zeros((6, 2)))
    return {"item": written(data[index]), "length": len(data), "length of another": len(other)}


@exam.question("dataset", points=2, examples=20)
def several_rows_at_once(dark, x: Array(*TABLES), indices: Choice([0], [2, 0], [1, 1, 2], [-1, 0], [0, 1, 2])):
    """`batch` returns the rows at its indices, in their order, as often as they are named."""
    data = dark.TensorDataset(array(x), np.array([4, 5, 6]), np.array([7.5, 8.5, 9.5]))
    seen = {"batch": written(data.batch(np.array(indices)))}
    return seen | {"batch of one array": written(dark.TensorDataset(array(x)).batch(np.array(indices)))}


@exam.question("dataset", points=2, examples=20)
def indices_in_a_list_or_tuple(
    dark, x: Array(*TABLES), indices: Choice([2, 0], [1, 1, 2], [-1, 0], [0, 1, 2]), kind: Choice("tuple", "list")
):
    """A tuple or a list of indices names rows, as an array does: it is not a row and a column."""
    indices = {"tuple": tuple, "list": list}[kind](indices)
    return {"batch": written(dark.TensorDataset(array(x), np.array([4, 5, 6])).batch(indices))}


@exam.question("dataset", examples=60)
def lengths_that_differ(dark, lengths: ListOf(Integer(1, 4), 2, 4)):
    """Arrays of different lengths are refused with a ValueError, whichever of them is longer."""
    return refused(lambda: len(dark.TensorDataset(*(np.zeros((n, 2)) for n in lengths))))


@exam.question("dataset", examples=20)
def a_loop_comes_to_an_end(dark, x: Array(*TABLES)):
    """A `for` loop gets every item and ends: after the last one there is an IndexError."""
    return {"list of items": [written(item) for item, _ in zip(dark.TensorDataset(array(x)), range(9))]}


@exam.question("dataset", examples=20)
def arrays_are_not_copied(dark, x: Array(*TABLES), new: Float(50, 60)):
    """The dataset keeps the arrays themselves, not copies; a batch is a copy."""
    x = array(x)
    data = dark.TensorDataset(x)
    batch = data.batch(np.array([0, 1]))
    batch[0][...] = -1
    seen = {"x after a batch was changed": x.copy()}
    x[0] = new
    return seen | {"item 0 after x was changed": written(data[0])}


# split


def labels_of(sizes, seed):
    """Make labels 0, 1, 2, ..., as many of each as the sizes say, in random order."""
    return np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))


def parts_of(dark, labels, fraction, rng):
    """Split, and return both parts as plain data, with the labels that they have afterwards."""
    parts = [np.asarray(part) for part in dark.split(labels, fraction, rng)]
    return {"parts": parts, "labels": [labels_in(labels, part) for part in parts]}


def labels_in(labels, part):
    """Return the labels of a part, or that its indices are not those of examples."""
    is_empty, is_index = part.size == 0, part.ndim == 1 and part.dtype.kind in "iu"
    if not is_empty and not (is_index and np.all((part >= 0) & (part < len(labels)))):
        return "not a part of the examples"
    return labels[part.astype(int)]


SIZES = ListOf(Integer(4, 12), 2, 4)
PARTS = Choice(0.5, 0.25, 0.3, 0.75)


@exam.question("split", points=2)
def everything_goes_to_one_part(dark, sizes: SIZES, fraction: PARTS, seed: Integer(1, 99)):
    """Every index is in one of the two parts, once."""
    return parts_of(dark, labels_of(sizes, seed), fraction, np.random.default_rng(seed))


@exam.question("split", points=3, examples=40)
def classes_keep_their_share(dark, sizes: ListOf(Integer(1, 12), 2, 4), fraction: PARTS, seed: Integer(1, 99)):
    """Of each class, the fraction, rounded, goes to the test set, the second part; of a small one perhaps nothing."""
    return parts_of(dark, labels_of(sizes, seed), fraction, np.random.default_rng(seed))


@exam.question("split", points=2)
def parts_are_shuffled(dark, size: Integer(20, 30), seed: Integer(1, 99)):
    """Both parts are in random order: not as in the data, nor one class after the other."""
    return parts_of(dark, labels_of([size, size, size], seed), 0.5, np.random.default_rng(seed))


@exam.question("split", points=3)
def the_generator_decides(dark, size: Integer(10, 20), seed: Integer(1, 99)):
    """One seed gives one split, another seed another; a second split with the same generator differs."""
    labels, before = labels_of([size, size], seed), np.random.get_state()
    rng = np.random.default_rng(seed)
    generators = {"first": rng, "next": rng, "again": np.random.default_rng(seed)}
    generators["other seed"] = np.random.default_rng(seed + 100)
    seen = {}
    for name, generator in generators.items():
        np.random.seed(1)
        seen[name] = parts_of(dark, labels, 0.5, generator)
    np.random.seed(2)
    seen["another global seed"] = parts_of(dark, labels, 0.5, np.random.default_rng(seed))
    np.random.set_state(before)
    return seen


@exam.question("split", points=2, examples=5)
def everyone_can_be_drawn(dark, seed: Integer(1, 99)):
    """Over 100 seeds every example comes into the test set about as often as the fraction says."""
    labels = labels_of([5, 5], seed)
    drawn = [parts_of(dark, labels, 0.4, np.random.default_rng(100 * seed + k)) for k in range(100)]
    return {"test sets": [each["parts"][1] for each in drawn], "labels": [each["labels"][1] for each in drawn]}


@exam.question("split")
def labels_of_all_kinds(dark, kind: Choice("strings", "bools", "floats", "negative"), seed: Integer(1, 99)):
    """Labels may be strings, bools, or any numbers; they are not changed."""
    kinds = {"strings": ["no", "yes"], "bools": [False, True], "floats": [1.0, 3.0], "negative": [-1, 7]}
    labels = np.array(kinds[kind])[labels_of([6, 8], seed)]
    parts = parts_of(dark, labels, 0.5, np.random.default_rng(seed))["parts"]
    return {"parts": parts, "labels afterwards": [str(label) for label in labels]}


# collate


@exam.question("collate", examples=20)
def numbers_become_an_array(dark, items: ListOf(Float(-9, 9), 1, 5)):
    """Numbers become an array; integers stay integers."""
    return {"batch": written(dark.collate(items)), "of integers": written(dark.collate([int(n) for n in items]))}


@exam.question("collate", points=2, examples=20)
def arrays_are_stacked(dark, items: ListOf(Choice([1, 2], [3, -4], [0, 7]), 1, 4), more: Float(0, 9)):
    """Arrays are stacked along a new first axis, also arrays of two numbers, or of one."""
    arrays = [array(item) + more for item in items]
    seen = {"batch": written(dark.collate(arrays))}
    seen |= {"of one number each": written(dark.collate([a[:1] for a in arrays]))}
    return seen | {"of tables": written(dark.collate([np.outer(a, [1, 2, 3]) for a in arrays]))}


@exam.question("collate", points=3, examples=20)
def tuples_are_taken_apart(dark, labels: ListOf(Integer(0, 9), 1, 4), first: Float(1, 9)):
    """Items of an image and a label become a tuple of all images and all labels."""
    items = [(counted(2, 3, first + k), label) for k, label in enumerate(labels)]
    seen = {"batch": written(dark.collate(items)), "of three": written(dark.collate([(k, 2, 3.5) for k in labels]))}
    return seen | {"of one": written(dark.collate([(k,) for k in labels]))}


@exam.question("collate", points=2, examples=20)
def dicts_are_collated_by_key(dark, labels: ListOf(Integer(0, 9), 1, 4), x: Float(-9, 9)):
    """Dicts with the same keys become one dict; parts may be tuples or dicts again."""
    items = [{"x": array([x, k]), "pair": (k, {"name": f"item {label}"}), "y": label} for k, label in enumerate(labels)]
    return {"batch": written(dark.collate(items)), "keys afterwards": [list(item) for item in items]}


@exam.question("collate", examples=20)
def strings_become_a_list(dark, items: ListOf(Choice("a", "bc", "", "xyz"), 1, 4), number: Integer(0, 9)):
    """Strings become a list of them, also as parts of tuples."""
    pairs = [(text, number) for text in items]
    return {"batch": written(dark.collate(items)), "of pairs": written(dark.collate(pairs))}


@exam.question("collate", points=2, examples=20)
def what_differs_is_refused(
    dark, what: Choice("shapes", "lengths of tuples", "a shape to repeat", "nothing"), k: Integer(1, 3),
    more: Integer(1, 2),
):  # fmt: skip
    """Arrays of different shapes, and tuples of different lengths, are refused with a ValueError."""
    items = {
        "shapes": [np.zeros(k), np.ones(k), np.zeros(k + more)],
        "lengths of tuples": [tuple(range(k + more * (n == k % 3))) for n in range(3)],
        "a shape to repeat": [np.zeros(k + more), np.zeros(1)],
        "nothing": [np.zeros(k), np.ones(k)],
    }[what]
    return refused(lambda: written(dark.collate(items)))


@exam.question("collate", examples=20)
def items_stay_as_they_are(dark, x: Float(-9, 9)):
    """Neither the list nor its items are changed; the batch has memory of its own."""
    items = [array([x, 1]), array([2, x])]
    batch = dark.collate(items)
    seen = {"batch": written(batch)}
    if isinstance(batch, np.ndarray):
        batch[...] = 70
    return seen | {"items afterwards": [item.copy() for item in items]}


@exam.question("collate", examples=2)
def thousands_of_items(dark, first: Float(1, 9)):
    """4,000 items of 1,024 numbers are collated at once: no item copies the batch so far."""
    table = counted(MANY, WIDE, first)
    batch = dark.collate([(row, k) for k, row in enumerate(table)])
    return {
        "list of sums of the parts": [float(np.sum(part)) for part in batch],
        "shape of the rows": list(np.shape(batch[0])),
    }


# data_loader


def orders(loader, epochs):
    """Return the batches of several epochs as lists."""
    return [[np.asarray(batch).tolist() for batch in loader] for _ in range(epochs)]


@exam.question("data_loader", points=3, examples=40)
def batches_in_order(dark, size: Integer(1, 5), more: Integer(0, 9), drop_last: Choice(False, True)):
    """Batches have the items in order; the last may be smaller, or is left out. `len` counts the batches."""
    loader = dark.DataLoader(Numbers(size + more), size, drop_last=drop_last)
    seen = {"length": len(loader), "batches": [batch for batch, _ in zip(loader, range(20))]}
    return seen | {"length afterwards": len(loader), "epoch": loader.epoch}


@exam.question("data_loader")
def without_settings(dark, n: Integer(1, 4), size: Integer(2, 5), first: Integer(10, 60)):
    """By default, each batch is a single item, in order; without a seed, two loaders have the same orders."""
    seen = {"batches": [batch for batch, _ in zip(dark.DataLoader(Numbers(n, first)), range(9))]}
    shuffled = [orders(dark.DataLoader(Numbers(30, first), size, shuffle=True), 1) for _ in range(2)]
    return seen | {"one loader": shuffled[0], "another": shuffled[1]}


@exam.question("data_loader")
def items_of_two_parts(dark, n: Integer(2, 7), size: Integer(1, 4)):
    """Items that are tuples become batches that are tuples; a dataset of arrays is read in the same way."""
    x, labels = counted(n, 2), 100 + np.arange(n)
    loaders = {
        "a dataset of arrays": dark.DataLoader(dark.TensorDataset(x, labels), size),
        "a list of tuples": dark.DataLoader([(row, int(label)) for row, label in zip(x, labels)], size),
    }
    return {name: [written(batch) for batch, _ in zip(loader, range(20))] for name, loader in loaders.items()}


@exam.question("data_loader")
def batches_are_read_when_asked_for(dark, size: Integer(1, 4), kind: Choice("item by item", "as a batch")):
    """A batch is read when it is asked for, and not before: as a whole where the dataset has `batch`."""
    dataset = Numbers(9) if kind == "item by item" else Table(9)
    batches = iter(dark.DataLoader(dataset, size))
    next(batches)
    seen = {"read for the first batch": list(dataset.reads)}
    next(batches)
    return seen | {"read for two batches": dataset.reads}


@exam.question("data_loader", points=2)
def an_iterator_goes_on(dark, size: Integer(1, 4), more: Integer(1, 6)):
    """`iter` of an iterator is that iterator: a loop over it continues after the first batch."""
    batches = iter(dark.DataLoader(Numbers(size + more), size))
    seen = {"first batch": next(batches)}
    return seen | {"list of the other batches": [batch for batch, _ in zip(iter(batches), range(20))]}


@exam.question("data_loader", points=2)
def loops_in_loops(dark, n: Integer(3, 6), size: Integer(1, 3)):
    """Two loops over one loader, one inside the other, each see all batches."""
    loader, seen = dark.DataLoader(Numbers(n), size), []
    for outer, _ in zip(loader, range(9)):
        seen.append({"outer": outer, "inner": [batch for batch, _ in zip(loader, range(9))]})
    shuffled = dark.DataLoader(Numbers(n + 6), size, shuffle=True)  # three batches at least
    first, items = iter(shuffled), []
    for batch in first:
        items += np.asarray(batch).tolist()
        orders(shuffled, 1)
    return {"batches": seen, "items of a shuffled outer loop, sorted": sorted(items)}


@exam.question("data_loader", points=2)
def shuffled_batches(
    dark, n: Integer(20, 40), size: Integer(2, 7), drop_last: Choice(False, True), seed: Integer(0, 99),
    first: Integer(10, 60),
):  # fmt: skip
    """Shuffled, each epoch has every item once, in an order of its own, in batches of the same sizes."""
    loader = dark.DataLoader(Numbers(n, first), size, shuffle=True, drop_last=drop_last, seed=seed)
    return {"length": len(loader), "epochs": orders(loader, 3)}


@exam.question("data_loader", points=4)
def seed_and_epoch_decide(dark, n: Integer(20, 30), seed: Integer(0, 99), first: Integer(10, 60)):
    """Seed and epoch give the order: not the global generator, not whether an epoch was left early."""
    before, python = np.random.get_state(), random.getstate()
    made = lambda seed: dark.DataLoader(Numbers(n, first), 4, shuffle=True, seed=seed)
    np.random.seed(1)
    random.seed(1)
    seen = {"three epochs": orders(made(seed), 3)}
    seen["drawn next"] = {"by NumPy": np.random.random(), "by Python": random.random()}
    np.random.seed(1)
    seen["another seed"] = orders(made(seed + 1), 3)
    np.random.seed(2)
    left_early, resumed = made(seed), made(seed)
    next(iter(left_early))
    seen["epochs 2 and 3, epoch 1 left early"] = orders(left_early, 2)
    np.random.set_state(before)
    random.setstate(python)
    resumed.epoch = 2
    return seen | {"epoch 3, resumed": orders(resumed, 1), "epoch of the resumed": resumed.epoch}


@exam.question("data_loader", examples=1)
def seeds_share_no_order(dark, first: Integer(10, 60)):
    """No epoch has the order of an epoch with another seed, as it would with the sum of seed and epoch."""
    loaders = [dark.DataLoader(Numbers(12, first), 4, shuffle=True, seed=seed) for seed in (0, 1, 2, 3, 11)]
    return {"epochs": [epoch for loader in loaders for epoch in orders(loader, 12)]}


@exam.question("data_loader", examples=5)
def every_order_can_come(dark, seed: Integer(0, 99), first: Integer(10, 60)):
    """Over 100 epochs of five items, each item comes first about as often as the others, also with drop_last."""
    made = lambda drop: dark.DataLoader(Numbers(5, first), 2, shuffle=True, drop_last=drop, seed=seed)
    loaders = made(False), made(True)
    return {"epochs": orders(loaders[0], 100), "with drop_last": orders(loaders[1], 100)}


@exam.question("data_loader")
def loaders_share_nothing(dark, n: Integer(3, 9), size: Integer(1, 3)):
    """Two loaders count their epochs by themselves, and batches that were returned stay as they are."""
    one, other = dark.DataLoader(Numbers(n), size), dark.DataLoader(Numbers(n + 1), size + 1)
    first = [batch for batch, _ in zip(one, range(20))]
    orders(one, 2)
    orders(other, 1)
    return {"batches of the first epoch": first, "epoch of the first": one.epoch, "epoch of the second": other.epoch}


# standardize

COLUMNS = ([[1, 5], [3, 9]], [[0, 2], [4, 2.5], [8, -3]], [[1, 10], [2, 20], [4, 0], [9, 30]])


@exam.question("standardize", points=2)
def rows_of_the_training_set(dark, x: Array(*COLUMNS)):
    """Standardized, the training set has mean 0 and standard deviation 1 in each column."""
    x = array(x)
    return {"rows": dark.Standardize().fit(x).transform(x), "x afterwards": x}


@exam.question("standardize", points=2)
def rows_of_the_test_set(dark, x: Array(*COLUMNS), y: Array([[6, 7]], [[0, 0], [1, -1], [2, 5]])):
    """Other rows are standardized by mean and standard deviation of the training set; nothing is learned from them."""
    scale = dark.Standardize().fit(array(x))
    first = scale.transform(array(y))
    return {
        "rows": first,
        "rows, a second time": scale.transform(array(y)),
        "first row alone": scale.transform(array(y)[:1]),
    }


@exam.question("standardize")
def what_was_learned(dark, x: Array(*COLUMNS), again: Array([[1, 1], [5, 2]], [[3, 1], [3, 2]])):
    """`fit` keeps `mean` and `scale` of each column; fitted again, it forgets; two objects share nothing."""
    scale, other = dark.Standardize(), dark.Standardize()
    other.fit(array(again) * 3)
    scale.fit(array(x))
    seen = {"mean": np.array(scale.mean), "scale": np.array(scale.scale)}
    scale.fit(array(again))
    return seen | {
        "mean, fitted again": scale.mean,
        "scale, fitted again": scale.scale,
        "mean of another object": other.mean,
    }


@exam.question("standardize", points=2)
def constant_columns(dark, value: Choice(2.0, 0.0, -7.0), first: Float(-9, 9), row: Float(-9, 9), column: Choice(0, 1)):
    """A constant column, at any place, is only shifted by its value: in the training set it becomes 0."""
    x = array([[value, first], [value, first + 2], [value, first + 3]])[:, :: 1 - 2 * column]
    scale = dark.Standardize().fit(x)
    return {"rows": scale.transform(x), "another row": scale.transform(array([[row, row]])), "scale": scale.scale}


@exam.question("standardize")
def constant_columns_with_rounding(dark, value: Choice(0.1, 0.3, 1.1, -0.7), n: Choice(3, 6, 7), row: Float(-9, 9)):
    """A column of 0.1 is constant, although the computed standard deviation is not quite 0."""
    x = np.stack([np.full(n, value), np.arange(n)], axis=1)
    scale = dark.Standardize().fit(x)
    return {"rows": scale.transform(x), "another row": scale.transform(array([[row, row]])), "scale": scale.scale}


@exam.question("standardize", tolerance=1e-6)
def far_from_zero(dark, x: Array(*COLUMNS), far: Choice(0.0, 1e6, -1e6)):
    """Columns far from 0 lose nothing: differences are squared, not the numbers themselves."""
    x = array(x) / 7 + far  # no mean has few digits
    return {"rows": dark.Standardize().fit(x).transform(x)}


@exam.question("standardize")
def small_numbers(dark, x: Array([[1, 5], [3, 9]], [[0, 2], [4, 2.5], [8, -3]]), unit: Choice(1e-9, 1e-3, 1e5)):
    """The unit does not matter: a column of small numbers is not constant, and nothing is added to the scale."""
    x = array(x) * unit
    return {"rows": dark.Standardize().fit(x).transform(x)}


@exam.question("standardize")
def integers_and_more_columns(dark, n: Integer(2, 6), columns: Integer(1, 4), first: Integer(-5, 5)):
    """Integers are fine, and so are any numbers of rows and columns, squares among them."""
    x = (np.arange(n * columns) ** 2 % 11 + first).reshape(n, columns)
    return {"rows": dark.Standardize().fit(x).transform(x[::-1])}


# compose

STEPS = {
    "double": lambda item, rng: 2 * item,
    "add 3": lambda item, rng: item + 3,
    "square": lambda item, rng: item * item,
    "add a draw": lambda item, rng: item + rng.integers(100),
    "times a draw": lambda item, rng: item * rng.random(),
}


@exam.question("compose", points=2)
def one_after_the_other(dark, steps: ListOf(Choice("double", "add 3", "square"), 1, 4), item: Float(-3, 3)):
    """Each transform is applied to the result of the one before, in the order of the list."""
    composed = dark.Compose([STEPS[name] for name in steps])
    seen = {"result": composed(item, np.random.default_rng(0))}
    return seen | {"result for another item": composed(item + 1, np.random.default_rng(0))}


@exam.question("compose", points=2)
def all_draw_from_one_generator(
    dark, steps: ListOf(Choice("add a draw", "times a draw", "double"), 1, 4), item: Float(1, 3), seed: Integer(0, 99)
):
    """All transforms draw from the generator of the call, one after the other; so does a second call."""
    composed, rng = dark.Compose([STEPS[name] for name in steps]), np.random.default_rng(seed)
    seen = {"result": composed(item, rng), "result of a second call": composed(item, rng)}
    nested = dark.Compose([composed, dark.Compose([STEPS["add a draw"]])])
    return seen | {
        "result, composed once more": nested(item, np.random.default_rng(seed)),
        "number drawn next": rng.random(),
    }


@exam.question("compose")
def composed_of_different_lists(dark, item: Float(1, 3)):
    """Two of them keep their own transforms; items of any kind pass through."""
    one, other = dark.Compose([STEPS["double"]]), dark.Compose([STEPS["add 3"], STEPS["square"]])
    pair = dark.Compose([lambda item, rng: (item[0] * 2, item[1])])
    rng = np.random.default_rng(0)
    seen = {"result of the first": one(item, rng), "result of the second": other(item, rng)}
    return seen | {"result for a tuple": list(pair((item, "a"), rng))}


@exam.question("compose", points=4, examples=5)
def nine_positions(dark, rows: Integer(2, 5), columns: Integer(2, 5), seed: Integer(0, 99), first: Integer(1, 99)):
    """The image is moved by -1, 0 or 1 rows and columns, all nine ways equally often; zeros move in."""
    image, rng = counted(rows, columns, first), np.random.default_rng(seed)
    moved = [np.array(dark.random_shift(image, rng)) for _ in range(DRAWS)]
    return {"image afterwards": image, "moved": moved}


@exam.question("compose", points=4, examples=6)
def shifts_come_from_the_generator(dark, rows: Integer(3, 5), seed: Integer(0, 99), first: Integer(1, 99)):
    """One seed gives the same shifts again, another seed others; nothing else is drawn from."""
    image, before = counted(rows, 3, first), np.random.get_state()

    def shifts(seed, global_seed):
        np.random.seed(global_seed)
        rng = np.random.default_rng(seed)
        return [np.array(dark.random_shift(image, rng)) for _ in range(20)]

    seen = {"first": shifts(seed, 1), "another seed": shifts(seed + 100, 1), "again": shifts(seed, 2)}
    np.random.set_state(before)
    return seen


@exam.question("compose")
def a_shift_in_a_pipeline(dark, rows: Integer(2, 5), columns: Integer(2, 5), first: Integer(1, 99)):
    """Composed with others, the shift takes its place; numbers of an image may be negative."""
    image = -counted(rows, columns, first).astype(int)
    composed = dark.Compose([STEPS["double"], dark.random_shift, lambda item, rng: item[::-1]])
    moved = [composed(image, np.random.default_rng(k)) for k in range(20)]
    arrays = all(isinstance(each, np.ndarray) for each in moved)
    return {"moved": [np.array(each) if arrays else "not an array" for each in moved]}


# leak


def statistic(name, x, labels):
    """Compute something of rows and labels."""
    return {
        "mean": lambda: x.mean(axis=0),
        "a billionth of the mean": lambda: 1e-9 * x.mean(axis=0),
        "largest": lambda: x.max(axis=0),
        "mean label": lambda: np.mean(labels) * np.ones(x.shape[1]),
        "mean of class 1": lambda: (labels @ x) / (1 + np.sum(labels)),
        "best column": lambda: np.eye(x.shape[1])[_best(x, labels)],
    }[name]()


def _best(x, labels):
    """Return the column that correlates most with the labels."""
    z, sides = x - x.mean(axis=0), labels - np.mean(labels)
    return int(np.argmax(np.abs(sides @ z) / np.sqrt(np.sum(z * z, axis=0) + 1e-12)))


def drawn_data(seed, columns=3, n=15):
    """Draw rows, labels and the indices of the training set."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, columns)), rng.integers(0, 2, n), rng.permutation(n)[: 2 * n // 3]


def shifted_by(name, from_all):
    """Make a pipeline that adds a statistic, of all rows or of the training set, to the training rows."""

    def pipeline(x, labels, train):
        rows = np.arange(len(x)) if from_all else train
        return x[train] + statistic(name, x[rows], labels[rows]), labels[train]

    return pipeline


def told(dark, pipeline, x, labels, train, seed, leaky):
    """Return what `leaks` says; of twelve answers, if something leaks, the first that denies it: not luck decides."""
    seeds = range(100 * seed, 100 * seed + (12 if leaky else 1))
    answers = [dark.leaks(pipeline, x, labels, train, np.random.default_rng(each)) for each in seeds]
    return next((each for each in answers if isinstance(each, bool | np.bool_) and not each), answers[0])


STATISTICS = Choice("mean", "largest", "mean label", "mean of class 1", "a billionth of the mean")


@exam.question("leak", points=3, examples=40)
def statistics_of_all_rows(dark, name: STATISTICS, seed: Integer(1, 99)):
    """A statistic of all rows leaks, be it of inputs or of labels; a statistic of the training set does not."""
    x, labels, train = drawn_data(seed)
    others = np.setdiff1d(np.arange(len(x)), train)
    labels[others] = np.arange(len(others)) % 2
    x[train] += 3 * (name == "largest")  # only a large number in another row shows that one
    return {
        "leaks, computed from all rows": told(dark, shifted_by(name, True), x, labels, train, seed, True),
        "leaks, computed from the training set": told(dark, shifted_by(name, False), x, labels, train, seed, False),
    }


@exam.question("leak", points=3, examples=40)
def choices_by_all_labels(dark, from_all: Choice(True, False), columns: Choice(2, 3), seed: Integer(1, 99)):
    """Choosing the best column by all rows leaks, also where the choice stays the same most of the time."""

    def pipeline(x, labels, train):
        rows = np.arange(len(x)) if from_all else train
        best = _best(x[rows], labels[rows])
        return x[train][:, [best]], labels[train]

    x, labels, train = drawn_data(seed, columns, n=30)
    return {"leaks": told(dark, pipeline, x, labels, train, seed, from_all)}


@exam.question("leak", examples=20)
def largest_column_of_all_rows(dark, from_all: Choice(True, False), columns: Choice(2, 3), seed: Integer(1, 99)):
    """Choosing the column with the largest mean leaks if it is a mean of all rows: only numbers that vary show it."""

    def pipeline(x, labels, train):
        largest = np.argmax(x[np.arange(len(x)) if from_all else train].mean(axis=0))
        return x[train][:, [largest]], labels[train]

    x, labels, train = drawn_data(seed, columns)
    x *= 0.01  # so that any new numbers may change which is largest
    return {"leaks": told(dark, pipeline, x, labels, train, seed, from_all)}


@exam.question("leak", points=2, examples=20)
def labels_that_are_returned(dark, how: Choice("all labels", "smoothed by all", "smoothed"), seed: Integer(1, 99)):
    """The returned labels count, too: they may have been computed from all labels."""

    def pipeline(x, labels, train):
        ways = {"all labels": labels, "smoothed by all": labels[train] + labels.mean()}
        return x[train], ways.get(how, labels[train] + labels[train].mean())

    x, labels, train = drawn_data(seed)
    return {"leaks": told(dark, pipeline, x, labels, train, seed, how != "smoothed")}


@exam.question("leak", examples=20)
def both_parts_at_once(dark, from_all: Choice(True, False), seed: Integer(1, 99)):
    """Inputs and labels may both have been shifted by means of all rows: the shapes do not show it."""

    def pipeline(x, labels, train):
        rows = np.arange(len(x)) if from_all else train
        return x[train] - x[rows].mean(axis=0), labels[train] - np.mean(labels[rows]) - np.mean(x[rows])

    x, labels, train = drawn_data(seed)
    return {"leaks": told(dark, pipeline, x, labels, train, seed, from_all)}


@exam.question("leak", examples=20)
def others_of_one_class(dark, label: Choice(1, 0), from_all: Choice(True, False), seed: Integer(1, 99)):
    """The other rows may all have the same label, or half of them: both labels are tried, and any mixture."""
    x, labels, train = drawn_data(seed, n=18)
    others = np.setdiff1d(np.arange(len(x)), train)
    labels[others] = label

    def by_mixture(x, labels, train):
        return x[train] + (np.ptp(labels[others]) if from_all else np.ptp(labels[train])), labels[train]

    def by_label_of(row):
        return lambda x, labels, train: (x[train], labels[train] + labels[row])

    halves = labels.copy()
    halves[others] = np.arange(len(others)) % 2
    found = lambda pipeline, labels: told(dark, pipeline, x, labels, train, seed, from_all)
    return {
        "leaks by the mean label": found(shifted_by("mean label", from_all), labels),
        "leaks by whether labels are mixed": found(by_mixture, labels),
        "leaks by the mean label, three of each": found(shifted_by("mean label", from_all), halves),
        "leaks by one label": [found(by_label_of(row), labels) for row in (others if from_all else train[:6])],
    }


@exam.question("leak", examples=12)
def as_many_trials_as_asked_for(dark, tries: Choice(20, 1, 3, 40), seed: Integer(1, 99)):
    """Where nothing leaks, the other rows are drawn anew `tries` times, by default 20 times."""
    x, labels, train = drawn_data(seed)
    others, met = np.setdiff1d(np.arange(len(x)), train), {}

    def pipeline(x, labels, train):
        met[x[others].tobytes()] = True
        return x[train], labels[train]

    options = {} if tries == 20 else {"tries": tries}
    answer = dark.leaks(pipeline, x, labels, train, np.random.default_rng(seed), **options)
    met.pop(x[others].tobytes(), None)
    return {"leaks": answer, "times that other rows were drawn": len(met)}


@exam.question("leak", points=2, examples=20)
def rows_that_are_added(dark, added: Choice("all", "train", "one other"), seed: Integer(1, 99)):
    """Copies of rows leak if they are copies of rows that are not for training, be it only one."""
    x, labels, train = drawn_data(seed)
    other = int(np.setdiff1d(np.arange(len(x)), train)[seed % 3])
    rows = {"all": np.arange(len(x)), "train": train, "one other": np.array([other])}[added]

    def pipeline(x, labels, train):
        return np.concatenate([x[train], x[rows][:, ::-1]]), np.concatenate([labels[train], labels[train[: len(rows)]]])

    return {"leaks": told(dark, pipeline, x, labels, train, seed, added != "train")}


@exam.question("leak", examples=20)
def shapes_that_depend(dark, what: Choice("rows", "columns", "labels", "none"), seed: Integer(1, 99)):
    """Where only the number of rows, of columns or of labels depends on other rows, it leaks as well."""

    def pipeline(x, labels, train):
        counts = {name: 1 + int(np.sum(labels)) if what == name else 5 for name in ("rows", "columns", "labels")}
        return np.zeros((counts["rows"], counts["columns"])), np.zeros(counts["labels"])

    x, labels, train = drawn_data(seed)
    labels[np.setdiff1d(np.arange(len(x)), train)] = 1
    return {"leaks": told(dark, pipeline, x, labels, train, seed, what != "none")}


@exam.question("leak", points=2, examples=20)
def data_stay_as_they_are(dark, from_all: Choice(False, True), seed: Integer(1, 99)):
    """x, labels and train are not changed, and the training rows stay the same in every call of the pipeline."""
    x, labels, train = drawn_data(seed)
    calls, known = [], set()

    def pipeline(x, labels, train):
        known.update(np.asarray(labels).tolist())
        calls.append([x[train].copy(), labels[train].copy(), train.copy()])
        return (x if from_all else x[train]).sum(axis=0), labels[train]

    answer = dark.leaks(pipeline, x, labels, train, np.random.default_rng(seed))
    seen = {"leaks": answer, "x afterwards": x, "labels afterwards": labels, "train afterwards": train}
    seen |= {"training rows, first call": calls[0], "training rows, last call": calls[-1]}
    return seen | {"labels are 0 or 1": known <= {0, 1}}


@exam.question("leak", examples=20)
def the_generator_is_used(dark, seed: Integer(1, 99)):
    """One seed replaces the other rows in one way, another seed in another; the global generator is left alone."""
    x, labels, train = drawn_data(seed)
    before, seen = np.random.get_state(), {}
    for name, own, everyones in (("first", seed, 1), ("again", seed, 2), ("other seed", seed + 100, 1)):
        calls = []

        def pipeline(x, labels, train, calls=calls):
            calls.append([x.copy(), labels.copy()])
            return x[train], labels[train]

        np.random.seed(everyones)
        dark.leaks(pipeline, x, labels, train, np.random.default_rng(own))
        seen[name] = calls[1]
    np.random.set_state(before)
    return seen


@exam.question("leak", examples=20)
def any_rows_and_columns(
    dark, from_all: Choice(True, False), columns: Integer(1, 4), rows: Choice("first", "last"), seed: Integer(1, 99)
):
    """Any number of columns, integers among them, and any part of the rows may be for training."""
    x, labels, _ = drawn_data(seed, columns, n=12)
    train = {"first": np.arange(8), "last": np.arange(4, 12)}[rows]
    pipeline = shifted_by("mean", from_all)
    x = np.round(1000 * x).astype(int)
    return {"leaks": told(dark, pipeline, x, labels, train, seed, from_all)}


# repairs of "Find the bug"; they earn no points


@exam.repair("drawn_by_workers")
def each_worker_draws_its_own(dark, seed: Integer(0, 99), workers: Integer(2, 4)):
    """No two workers draw the same numbers, and each continues with new ones."""
    drawn = dark.drawn_by_workers(np.random.default_rng(seed), workers, 3 * workers)
    rows = [tuple(drawn[worker::workers]) for worker in range(workers)]
    return {"items": len(drawn), "different workers": len(set(rows)), "continues": len(set(rows[0])) > 1}
