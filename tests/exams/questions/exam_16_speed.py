"""Questions of module 16, speed.

Part of the product: the package ships this file in `dark/_questions`; `dark check` and `dark grade` read it.
Its answers stand in a file of their own.

No clock decides. Clocks are played, arrays are compared by identity and by the memory that they share, bytes are
counted by tracemalloc, and the steps of Python by a trace.
"""

import gc
import sys
import tracemalloc
import weakref
from numbers import Real

import numpy as np

from dark.course.exams import Choice, Exam, Float, Integer, ListOf

exam = Exam("16")


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


def waves(shape, first=0.0, size=1.0):
    """Make an array of numbers from -size to size that are all different, in no order."""
    return (size * np.sin(first + 1 + 1.7 * np.arange(int(np.prod(shape))))).reshape(shape)


def operation(dark, name, f, df):
    """Make an operation with a name."""
    return type(name, (dark.Operation,), {"_f": staticmethod(f), "_df": staticmethod(df)})


def outcome(function, *args):
    """Return what a function returns, or the name of its error."""
    try:
        return function(*args)
    except (ValueError, ArithmeticError) as error:
        return type(error).__name__


# profile


class Watch:
    """A clock that goes on only when it is told to."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def slow(dark, watch, name, forward, backward=0.0):
    """Make a product that takes its time."""

    def f(a, b, factor=1.0):
        watch.now += forward
        return factor * a * b

    def df(dldy, y, a, b, factor=1.0):
        watch.now += backward
        return dldy * b * factor, dldy * a * factor

    return operation(dark, name, f, df)


def table(profile):
    """Return the rows of a profile as a table: without bytes, which have questions of their own."""
    return {" ".join(key): [plain(each) for each in list(row)[:2]] for key, row in sorted(profile.rows.items())}


def bytes_of(profile):
    """Return the bytes of each row of a profile."""
    return {" ".join(key): int(row[2]) for key, row in sorted(profile.rows.items())}


@exam.question("profile", points=3)
def calls_and_seconds(dark, first: Float(0.5, 4), second: Float(0.5, 4), calls: Integer(1, 4)):
    """The calls of each operation, and their seconds, in two phases."""
    watch = Watch()
    one, other = slow(dark, watch, "One", first, second), slow(dark, watch, "Other", 2 * second, 8 * first)
    x, profile = dark.Parameter(array([1, 2])), dark.Profile(watch)
    with profile:
        y = x
        for _ in range(calls):
            watch.now += 64
            y = one.apply(y, 2.0)
        forward = table(profile)
        dark.sum_of(other.apply(y, other.apply(x, x))).backward()
    seen = table(profile)
    return {"forward": forward, "all": {key: row for key, row in seen.items() if not key.startswith("Sum")}}


@exam.question("profile", points=2)
def nothing_else_changes(dark, numbers: ListOf(Float(-3, 3), 1, 4), factor: Float(2, 5)):
    """Under a profile, values, inputs, settings and gradients are the same; constants too."""
    watch = Watch()
    one = slow(dark, watch, "One", 1.0, 2.0)
    x, c = dark.Parameter(array(numbers)), dark.Constant(array(numbers))
    with dark.Profile(watch) as profile:
        y = one.apply(x, c, factor=factor)
        fixed = one.apply(c, 2.0, factor=factor)
        dark.sum_of(y).backward()
    seen = {"value": value(y), "gradient": plain(x.grad), "constant": value(fixed)}
    seen |= {"kinds": [isinstance(fixed, dark.Constant), y.inputs[0] is x, y.inputs[1] is c, y.op is one]}
    return seen | {"settings": plain(y.settings["factor"]), "rows": table(profile)["One forward"]}


@exam.question("profile", points=2)
def memory_that_is_new(dark, n: Integer(2, 9), m: Integer(2, 9)):
    """Of several results, the arrays that share no memory with others count, once, by their bytes."""
    x, small = waves((n, m)), np.ones(n, dtype=np.float32)
    y, z = x + 1, x * 2
    asked = {"none": ([], [x]), "a new one": ([y], [x]), "float32": ([small + 1], [small]), "two": ([y, z], [x])}
    asked |= {
        "the same": ([x], [x]),
        "a transpose": ([x.T], [x]),
        "a part": ([x[1:]], [x]),
        "of a part": ([x], [x[1:]]),
    }
    asked |= {"one twice": ([y, y], [x]), "a new one and its view": ([y, y.T], [x]), "no arrays": ([None, 2.0, y], [])}
    asked |= {"among others": ([z, x.T, z.T, y], [None, 3.0, small, x]), "equal numbers": ([x + 0], [x])}
    seen = {name: int(dark.new_bytes(*lists)) for name, lists in asked.items()}
    return seen | {"lists stay": [[len(results), len(known)] for results, known in asked.values()]}


@exam.question("profile", points=3)
def bytes_by_operation(dark, n: Integer(2, 9), m: Integer(2, 9), calls: Integer(1, 3)):
    """Views cost nothing, forward and backward; nor does a piece that is the received gradient, or comes twice."""
    turn = operation(dark, "Turn", lambda x: x.T, lambda dldy, y, x: (dldy.T,))
    both = operation(dark, "Both", lambda a, b: a + b, lambda dldy, y, a, b: (dldy, dldy))
    half = operation(dark, "Half", lambda a, b: (a + b) / 2, lambda dldy, y, a, b: (dldy / 2,) * 2)
    keep = operation(dark, "Keep", lambda x, c: x * c, lambda dldy, y, x, c: (dldy * c, None))
    two = operation(dark, "Two", lambda a, b: a + 2 * b, lambda dldy, y, a, b: (dldy + 1, 2 * dldy))
    total = operation(dark, "Total", lambda x: np.sum(x), lambda dldy, y, x: (dldy * np.ones(x.shape),))
    known = operation(dark, "Known", lambda x, w: x + w, lambda dldy, y, x, w: (y, w))
    x, w = dark.Parameter(waves((n, m))), dark.Parameter(waves((n, m), 2.0))
    with dark.Profile(Watch()) as profile:
        y = turn.apply(both.apply(two.apply(x, w), w))
        for _ in range(calls):
            y = half.apply(y, turn.apply(known.apply(x, w)))
        total.apply(keep.apply(y, np.ones((m, n)))).backward()
    return bytes_of(profile)


@exam.question("profile", points=2)
def it_takes_itself_away(dark, seconds: Float(0.5, 4), calls: Integer(1, 3)):
    """After the end, or an error, nothing is measured; the error passes, and the call that failed is not noted."""
    watch, kept = Watch(), [vars(dark.Operation)[name] for name in ("apply", "differentiate")]
    one = slow(dark, watch, "One", seconds)

    def fails(x):
        watch.now += 1
        raise ArithmeticError

    bad, profile = operation(dark, "Bad", fails, lambda dldy, y, x: (dldy,)), dark.Profile(watch)

    def run():
        with profile:
            for _ in range(calls):
                one.apply(2.0, 3.0)
            bad.apply(1.0)

    seen = {"error": outcome(run), "rows": table(profile)}
    one.apply(2.0, 3.0)
    restored = [vars(dark.Operation)[name] is each for name, each in zip(("apply", "differentiate"), kept)]
    return seen | {"after": table(profile), "restored": restored}


@exam.question("profile", points=2)
def operations_in_operations(dark, outer: Float(0.5, 4), inner: Float(0.5, 4)):
    """An operation that applies another one takes its own time and the other's; both have their rows."""
    watch = Watch()
    one = slow(dark, watch, "Inner", inner)

    def f(x):
        watch.now += outer
        return one.apply(one.apply(x, 2.0), 2.0).value

    other = operation(dark, "Outer", f, lambda dldy, y, x: (4 * dldy,))
    with dark.Profile(watch) as profile:
        y = other.apply(dark.Parameter(array([1, 2])))
        one.apply(1.0, 1.0)
    return {"rows": table(profile), "value": value(y)}


@exam.question("profile")
def two_profiles(dark, seconds: Float(0.5, 4), first: Integer(1, 3), second: Integer(1, 3)):
    """Each profile has its rows; one inside the other measures as well, and one may go on later."""
    watch = Watch()
    one, outer, inner = slow(dark, watch, "One", seconds), dark.Profile(watch), dark.Profile(watch)
    with outer:
        for _ in range(first):
            one.apply(1.0, 1.0)
        with inner:
            one.apply(1.0, 1.0)
    before = table(outer)
    with outer:
        for _ in range(second):
            one.apply(1.0, 1.0)
    return {"inner": table(inner), "before": before, "outer": table(outer)}


# fused


def back(dark, y, *leaves):
    """Send a gradient of a different size to each number of y; return its value and the gradients."""
    dark.sum_of(dark.mul(y, waves(np.shape(y.value), 0.3, 2.0))).backward()
    return [value(y)] + [plain(leaf.grad) for leaf in leaves]


def task(rows, columns, first, seed=0):
    """Make logits and classes."""
    classes = np.random.default_rng([seed, rows, columns]).integers(0, columns, rows)
    return waves((rows, columns), first, 3.0), classes


@exam.question("fused", points=2)
def loss_of_rows(dark, rows: Integer(1, 6), columns: Integer(2, 5), first: Float(-3, 3)):
    """The mean over the rows of minus the logarithm of the softmax at the class."""
    tables = {"one row": ([[0.0, 0.0]], [1]), "unequal": ([[1.0, 2.0, 4.0], [0.0, 3.0, 0.0]], [2, 0])}
    seen = {name: value(dark.fused_cross_entropy(array(x), np.array(k))) for name, (x, k) in tables.items()}
    return seen | {"drawn": value(dark.fused_cross_entropy(*task(rows, columns, first)))}


@exam.question("fused", points=3)
def gradient_of_logits(dark, rows: Integer(1, 6), columns: Integer(2, 5), first: Float(-3, 3), factor: Float(2, 5)):
    """Probabilities, less 1 at the class, over the rows; times the gradient that arrives."""
    seen = {}
    for name, scale in (("alone", 1.0), ("times a factor", factor)):
        x, classes = task(rows, columns, first)
        logits = dark.Parameter(x)
        y = dark.fused_cross_entropy(logits, classes)
        (y if scale == 1.0 else dark.mul(y, scale)).backward()
        seen[name] = plain(logits.grad)
    return seen


@exam.question("fused", points=2)
def large_logits(dark, first: Float(-3, 3), size: Choice(1e3, -1e3, 1e4)):
    """No number is too large or too small."""
    logits = dark.Parameter(array([[size, 0.0, first], [-size, size + first, 0.0], [size, size, size + first]]))
    y = dark.fused_cross_entropy(logits, np.array([1, 0, 2]))
    y.backward()
    return {"loss": value(y), "gradient": plain(logits.grad)}


@exam.question("fused", points=2)
def one_node_each(dark, rows: Integer(2, 5), columns: Integer(2, 4), first: Float(-3, 3)):
    """One node, with the classes as an input and no settings; a constant that is given is the very input."""
    x, classes = task(rows, columns, first)
    logits, given = dark.Parameter(x), dark.Constant(classes)
    w, b = dark.Parameter(waves((3, columns), first)), dark.Parameter(waves(3, first))
    seen = {}
    made = {"loss": dark.fused_cross_entropy(logits, classes), "again": dark.fused_cross_entropy(logits, given)}
    made["affine"] = dark.affine(logits, w, b)
    for name, node in made.items():
        seen[name] = [
            value(node),
            len(node.inputs),
            node.inputs[0] is logits,
            len(node.settings),
            value(node.inputs[1]),
        ]
    integers = made["loss"].inputs[1].value
    seen["classes"] = [isinstance(made["loss"].inputs[1], dark.Constant), np.asarray(integers).dtype.kind]
    return seen | {"the very ones": [made["again"].inputs[1] is given, made["affine"].inputs[2] is b]}


@exam.question("fused", points=2)
def other_classes(dark, rows: Integer(2, 5), first: Float(-3, 3), seed: Integer(0, 99)):
    """The rules look at the classes that they are given, each time: the classes of a recorded step may be others."""
    x, classes = task(rows, 4, first)
    _, others = task(rows, 4, first, seed + 1)
    node = dark.fused_cross_entropy(dark.Parameter(x), classes)
    y = node.op._f(x, others)
    pieces = node.op._df(2.0, y, x, others)
    node.inputs[1].value = (others + 1) % 4
    node.grad = 1.0
    again = node.op.differentiate(node)
    return {"loss": value(y), "pieces": [plain(each) for each in pieces], "again": [plain(each) for each in again]}


@exam.question("fused", points=3)
def affine_rule(dark, rows: Integer(1, 5), columns: Integer(1, 4), outputs: Integer(1, 4), first: Float(-3, 3)):
    """x wᵀ + b, and its three gradients, in their shapes."""
    seen = []
    for n, k, m in ((2, 3, 4), (3, 3, 3), (rows, columns, outputs)):
        x, w = dark.Parameter(waves((n, k), first)), dark.Parameter(waves((m, k), first + 1))
        b = dark.Parameter(waves(m, first + 2))
        seen.append(back(dark, dark.affine(x, w, b), x, w, b))
    return seen


@exam.question("fused", points=2)
def nothing_is_overwritten(dark, rows: Integer(2, 5), first: Float(-3, 3), gradient: Float(1, 3)):
    """Rules write into none of the arrays that they receive, and their pieces are no views of these."""
    x, classes = task(rows, 3, first)
    w, b, dldy = waves((2, 3), first), waves(2, first), waves((rows, 2), first, gradient)
    loss, line = dark.fused_cross_entropy(dark.Parameter(x), classes).op, dark.affine(dark.Parameter(x), w, b).op
    received = [x, classes, w, b, dldy]
    before = [each.copy() for each in received]
    loss._f(x, classes)
    y = line._f(x, w, b)
    forward = [plain(each - old) for each, old in zip(received, before)]
    pieces = [*loss._df(array(gradient), 1.0, x, classes), *line._df(dldy, y, x, w, b)]
    shared = [
        np.may_share_memory(each, other) for each in [y, *pieces] for other in received if isinstance(each, np.ndarray)
    ]
    changes = {"forward": forward, "backward": [plain(each - old) for each, old in zip(received, before)]}
    return changes | {"shared": sum(shared), "y": plain(y), "shapes": [list(np.shape(each)) for each in pieces]}


@exam.question("fused")
def a_network_of_both(dark, seed: Integer(0, 99), first: Float(-3, 3)):
    """A network of two affine rules, relu, and the loss: its gradients."""
    x, classes = task(5, 4, first, seed)
    shapes = ((6, 4), (6,), (4, 6), (4,))
    w, b, v, c = (dark.Parameter(waves(shape, first + k)) for k, shape in enumerate(shapes))
    y = dark.fused_cross_entropy(dark.affine(dark.relu(dark.affine(x, w, b)), v, c), classes)
    y.backward()
    return [value(y), *(plain(each.grad) for each in (w, b, v, c))]


# vectorized

MOVES = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (2, -1)]


def pictures(n, height, width, first=0.0):
    """Make images whose pixels are all different."""
    return first + 1 + np.arange(float(n * height * width)).reshape(n, height, width)


def steps_of(function, *args):
    """Count the lines and calls of Python that a call takes; a loop takes a line or a call each time."""
    steps, before, collects = 0, sys.gettrace(), gc.isenabled()

    def trace(frame, event, _):
        nonlocal steps
        steps += event in ("call", "line")
        return trace

    gc.disable()  # what it deletes may take steps of its own
    sys.settrace(trace)
    try:
        function(*args)
    finally:
        sys.settrace(before)
        if collects:
            gc.enable()
    return steps


@exam.question("vectorized", points=3)
def one_image(dark, first: Float(-3, 3), down: Integer(-2, 2), right: Integer(-2, 2)):
    """An image moves down by the first number and to the right by the second; negative ones go up and left."""
    seen = {}
    for move in (*MOVES, (down, right)):
        seen[f"moved by {move[0]} and {move[1]}"] = plain(dark.moved(pictures(1, 3, 3, first), np.array([move])))
    return seen


@exam.question("vectorized", points=3)
def each_by_its_own(dark, first: Float(-3, 3), down: ListOf(Integer(-3, 3), 2, 5), right: Integer(-3, 3)):
    """Each image has its move; the order of the images stays."""
    moves = np.array([(each, right - k) for k, each in enumerate(down)])
    known = dark.moved(pictures(3, 3, 3, first), np.array([(0, 1), (0, 0), (-1, 0)]))
    return {"three": plain(known), "drawn": plain(dark.moved(pictures(len(moves), 3, 4, first), moves))}


@exam.question("vectorized", points=2)
def any_shape(dark, height: Integer(1, 5), width: Integer(1, 5), first: Float(-3, 3), down: Integer(-1, 1)):
    """Images that are not square, a single one, a single pixel, and none."""
    shapes = ((2, 2, 5), (2, 5, 2), (1, 1, 1), (0, 3, 3), (2, height, width))
    seen = {}
    for n, h, w in shapes:
        moves = np.array([(down, 1), (0, -1)][:n], dtype=int).reshape(n, 2)
        seen[f"{n} of {h} times {w}"] = plain(dark.moved(pictures(n, h, w, first), moves))
    return seen


@exam.question("vectorized", points=2)
def out_of_sight(dark, first: Float(-3, 3), far: Integer(3, 9)):
    """An image that moves by its length, or more, is gone: all 0."""
    moves = [(3, 0), (-3, 0), (0, 4), (0, -4), (far, 0), (0, -far - 1), (-far, far), (20, -1), (2, 3)]
    moves += [(-20, 1), (1, 20), (-1, -20), (-far, 0), (0, far + 1)]
    tall = dark.moved(pictures(4, 5, 2, first), np.array([(3, 0), (-4, 1), (2, 0), (0, 2)]))
    return {"gone": plain(dark.moved(pictures(len(moves), 3, 4, first), np.array(moves))), "tall": plain(tall)}


@exam.question("vectorized", points=3, examples=4)
def no_loop_over_images(dark, first: Float(-3, 3), height: Integer(3, 6)):
    """For 96 images, Python takes no more steps than for 24: not one for each."""
    batches = [(pictures(n, height, 4, first), np.tile(np.array(MOVES), (n // 6, 1))) for n in (24, 96)]
    dark.moved(*batches[0])
    few, many = (steps_of(dark.moved, *each) for each in batches)
    return {"more steps": many >= few + 72, "sum": plain(np.sum(dark.moved(*batches[1]) * waves((96, height, 4))))}


@exam.question("vectorized", points=2)
def what_was_given(dark, first: Float(-3, 3), down: Integer(-2, 2)):
    """Images and moves stay as they were, and the result has memory of its own."""
    images, moves = pictures(3, 3, 3, first), np.array([(0, 0), (down, 1), (1, down)])
    found = dark.moved(images, moves)
    still = dark.moved(images, np.zeros((3, 2), dtype=int))
    shared = [bool(np.may_share_memory(each, images)) for each in (found, still)]
    return {"images": plain(images), "moves": plain(moves), "shared": shared, "again": plain(dark.moved(images, moves))}


# accumulate_in_place


class Sent:
    """An operation whose pieces are kept, and that looks at the gradient of a node before it sends them."""

    def __init__(self, dark, watched=None):
        self.pieces, self.held, self.watched = [], [], watched

        def df(dldy, y, *values):
            self.held.append(None if watched is None else watched[0].grad)
            found = [dldy * (k + 2.0) for k in range(len(values))]
            self.pieces += found
            return tuple(found)

        self.op = operation(dark, "Sent", lambda *values: sum(k * each for k, each in enumerate(values, 2)), df)

    def __call__(self, *nodes):
        return self.op.apply(*nodes)


def held_arrays(arrays, pieces):
    """Say of arrays that a node held one after another: none, a piece, a new one, or the one before."""
    told = []
    for k, each in enumerate(arrays):
        if each is None:
            told.append("None")
        elif k and each is arrays[k - 1]:
            told.append("the same array")
        else:
            told.append("a piece" if any(each is piece for piece in pieces) else "a new array")
    return told


@exam.question("accumulate_in_place", points=2)
def the_first_piece(dark, numbers: ListOf(Float(-3, 3), 2, 4), is_result: Choice(False, True)):
    """The first piece is the gradient, without a copy: of a parameter and of a result."""
    leaf, send = dark.Parameter(array(numbers)), Sent(dark)
    x = dark.mul(leaf, 3.0) if is_result else leaf
    dark.sum_of(dark.mul(send(x), array(numbers))).backward()
    return {"the piece": x.grad is send.pieces[0], "gradient": plain(x.grad), "leaf": plain(leaf.grad)}


@exam.question("accumulate_in_place", points=3)
def one_new_array(dark, numbers: ListOf(Float(1, 3), 2, 4), uses: Integer(3, 6), is_result: Choice(False, True)):
    """However often a node is used, one new array is made, to which all later pieces are added."""
    leaf, z = dark.Parameter(array(numbers)), dark.Parameter(array(numbers))
    x = dark.mul(leaf, 3.0) if is_result else leaf
    nodes = {"x": x, "another": z}
    sends = {name: Sent(dark, [each]) for name, each in nodes.items()}
    y = array(numbers)
    for _ in range(uses):
        for name, send in sends.items():  # by turns
            y = dark.add(y, send(nodes[name]))
    dark.sum_of(dark.mul(y, array(numbers))).backward()
    held = {name: held_arrays([*send.held, nodes[name].grad], send.pieces) for name, send in sends.items()}
    return held | {"gradients": [plain(each.grad) for each in (x, z, leaf)]}


@exam.question("accumulate_in_place", points=3)
def pieces_stay(dark, numbers: ListOf(Float(1, 3), 2, 4), uses: Integer(2, 5)):
    """No piece is written into: neither one that two nodes have, nor a view of it, nor the gradient of a sum."""
    a, b = dark.Parameter(array(numbers)), dark.Parameter(array(numbers))
    both = dark.add(a, b)
    turned = dark.reshape(dark.transpose(dark.reshape(both, (1, len(numbers)))), (len(numbers),))
    send, y = Sent(dark), dark.mul(turned, 2.0)
    for _ in range(uses):
        y = dark.add(y, send(a, b, a))
    y = dark.add(y, dark.add(both, both))
    dark.sum_of(dark.mul(y, array(numbers))).backward()
    named = {"a": a, "b": b, "a + b": both, "turned": turned, "y": y}
    return {name: plain(each.grad) for name, each in named.items()} | {"pieces": [plain(p) for p in send.pieces]}


@exam.question("accumulate_in_place", points=2)
def of_an_earlier_pass(dark, numbers: ListOf(Float(1, 3), 2, 4), uses: Integer(1, 3)):
    """A gradient from before is added to, but never written into: somebody may have kept it."""
    a, b, kept, held = dark.Parameter(array(numbers)), dark.Parameter(array(numbers)), [], []
    for _ in range(3):
        y = dark.add(a, b)
        for _ in range(uses):
            y = dark.add(y, dark.mul(a, array(numbers)))
        dark.sum_of(y).backward()
        kept += [a.grad, b.grad, y.grad]
        held.append([plain(np.copy(each)) for each in kept[-3:]])
    given = array(numbers)
    a.grad = given
    dark.sum_of(dark.add(dark.mul(a, a), a)).backward()
    return {"kept": [plain(each) for each in kept], "then": held, "given": plain(given), "last": plain(a.grad)}


@exam.question("accumulate_in_place")
def passes_over_one_graph(dark, numbers: ListOf(Float(1, 3), 2, 4), passes: Integer(2, 4)):
    """Each pass over the same graph: parameters add up; results begin anew, and are still used several times."""
    a = dark.Parameter(array(numbers))
    square = dark.mul(a, a)
    y, seen = dark.sum_of(dark.add(dark.mul(square, square), dark.add(square, square))), []
    for _ in range(passes):
        y.backward()
        seen.append([plain(np.copy(a.grad)), plain(np.copy(square.grad)), plain(y.grad)])
    return seen


@exam.question("accumulate_in_place")
def of_other_shapes(dark, rows: Integer(2, 4), first: Float(-3, 3), uses: Integer(1, 3)):
    """Pieces of values that were broadcast are summed to their shapes, the first one and all others."""
    x, b = dark.Parameter(waves((rows, 3), first)), dark.Parameter(waves(3, first))
    column, number = dark.Parameter(waves((rows, 1), first)), dark.Parameter(first)
    y = dark.mul(x, waves((rows, 3), 1.0))
    for _ in range(uses):
        y = dark.add(dark.mul(dark.add(dark.mul(y, b), column), number), b)
    dark.sum_of(y).backward()
    return [[list(np.shape(each.grad)), plain(each.grad)] for each in (x, b, column, number)]


@exam.question("accumulate_in_place")
def constants_and_numbers(dark, x: Float(-3, 3), c: Float(1, 3)):
    """Constants receive nothing, also where a rule sends None; single numbers accumulate as before."""
    leaf, fixed = dark.Parameter(x), dark.Constant(array([c, 2.0]))
    choose = operation(dark, "Choose", lambda a, k: a * k, lambda dldy, y, a, k: (dldy * k, None))
    square = dark.mul(leaf, leaf)
    y = dark.add(choose.apply(dark.add(square, square), fixed), dark.mul(leaf, fixed))
    dark.sum_of(y).backward()
    return [plain(leaf.grad), plain(square.grad), fixed.grad is None]


@exam.question("accumulate_in_place")
def where_it_begins(dark, x: Float(-3, 3), rows: Integer(2, 4)):
    """A root of shape (1, 1) begins with a 1 in that shape; several numbers are a ValueError."""
    leaf = dark.Parameter(waves((rows, 2), x))
    root = dark.sum_of(dark.mul(leaf, leaf), keepdims=True)
    root.backward()
    seen = {"root": plain(root.grad), "gradient": plain(leaf.grad)}
    refused = [outcome(dark.mul(leaf, 2.0).backward), outcome(dark.sum_of(dark.mul(leaf, 2.0), axis=0).backward)]
    return seen | {"several numbers": refused, "then": plain(leaf.grad)}


# buffers

SHAPES = ((2, 3), (3,), (), (1, 2))


def parameters_of(dark, first=0.0, shapes=SHAPES):
    """Make parameters of several shapes."""
    return [dark.Parameter(waves(shape, first + k)) for k, shape in enumerate(shapes)]


def give_gradients(parameters, first):
    """Give each parameter a gradient; return these."""
    for k, p in enumerate(parameters):
        p.grad = waves(np.shape(p.value), 2.0 * first + k, 1.5)
    return [p.grad for p in parameters]


def values(parameters):
    """Return the values with their shapes."""
    return [[list(np.shape(p.value)), plain(p.value)] for p in parameters]


@exam.question("buffers", points=3)
def views_of_a_buffer(dark, first: Float(-3, 3), columns: Integer(1, 4)):
    """A view for each parameter, in its shape, one behind the other, row by row."""
    parameters = parameters_of(dark, first, (*SHAPES, (2, columns)))
    buffer = first + np.arange(float(sum(np.size(p.value) for p in parameters)))
    views = dark.views_of(buffer, parameters)
    seen = {"views": [[list(np.shape(each)), plain(np.copy(each))] for each in views]}
    views[0][1, 0], views[-1][...] = 70, 80
    [alone] = dark.views_of(buffer[:6], parameters[:1])
    return seen | {"buffer": plain(buffer), "alone": plain(alone), "shared": bool(np.may_share_memory(alone, buffer))}


@exam.question("buffers", points=4)
def steps_of_adam(dark, first: Float(-3, 3), steps: Integer(2, 4), lr: Float(0.01, 0.5)):
    """The values after each of several steps are those of Adam."""
    parameters, seen = parameters_of(dark, first), []
    optimizer = dark.FlatAdam(iter(parameters), lr)
    for k in range(steps):
        give_gradients(parameters, first + k)
        optimizer.step()
        seen.append([[list(shape), plain(np.copy(each))] for shape, each in values(parameters)])
    return seen


@exam.question("buffers", points=2)
def other_numbers(dark, first: Float(-3, 3), beta: Float(0.1, 0.9), eps: Float(0.1, 2)):
    """Learning rate, betas and eps have their places."""
    parameters = parameters_of(dark, first)
    give_gradients(parameters, first)
    dark.FlatAdam(parameters).step()
    seen = {"defaults": values(parameters)}
    for name, betas in (("equal", (beta, beta)), ("first", (beta, 0.5)), ("second", (0.0, beta))):
        parameters = parameters_of(dark, first)
        optimizer = dark.FlatAdam(parameters, 0.1, betas, eps)
        for k in range(3):
            give_gradients(parameters, first + k)
            optimizer.step()
        seen[name] = values(parameters)
    return seen


@exam.question("buffers", points=2)
def values_are_views(dark, first: Float(-3, 3), steps: Integer(1, 3)):
    """Before and after steps, each value is the same array, a view of the buffer."""
    parameters = parameters_of(dark, first)
    optimizer, seen = dark.FlatAdam(parameters, 0.1), {}
    before, buffer = [p.value for p in parameters], optimizer.values
    for k in range(steps):
        give_gradients(parameters, first + k)
        optimizer.step()
    seen["the same"] = [p.value is each for p, each in zip(parameters, before)]
    seen["views"] = [bool(np.may_share_memory(p.value, buffer)) for p in parameters] + [optimizer.values is buffer]
    parameters[1].value[0] = 50.0
    return seen | {"buffer": plain(buffer), "values": values(parameters)}


@exam.question("buffers", points=3, examples=4)
def no_new_arrays(dark, first: Float(-3, 3), columns: Integer(100, 200)):
    """A step makes no array of the size of the buffer, nor of a large parameter."""
    parameters = parameters_of(dark, first, ((100, columns), (100, 2 * columns), (columns,)))
    optimizer = dark.FlatAdam(parameters, 0.1)
    give_gradients(parameters, first)
    optimizer.step()
    was_tracing = tracemalloc.is_tracing()
    if not was_tracing:
        tracemalloc.start()
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    optimizer.step()
    peak = tracemalloc.get_traced_memory()[1] - before
    if not was_tracing:
        tracemalloc.stop()
    return {"new arrays": peak > 400 * columns, "some": plain(parameters[1].value[:3, 0])}


@exam.question("buffers", points=2)
def a_value_from_elsewhere(dark, first: Float(-3, 3), which: Choice(0, 1, 3)):
    """An array that somebody has put into p.value counts, is not written into, and is a view again after the step."""
    parameters = parameters_of(dark, first)
    optimizer = dark.FlatAdam(parameters, 0.1)
    views = [p.value for p in parameters]
    give_gradients(parameters, first)
    optimizer.step()
    loaded = waves(np.shape(parameters[which].value), first + 9, 4.0)
    parameters[which].value = loaded
    give_gradients(parameters, first + 1)
    optimizer.step()
    seen = {"values": values(parameters), "loaded": plain(loaded), "buffer": plain(optimizer.values)}
    return seen | {"views again": [p.value is each for p, each in zip(parameters, views)]}


@exam.question("buffers", points=2)
def a_gradient_is_missing(dark, first: Float(-3, 3), which: Choice(3, 0, 2)):
    """That is a ValueError, and nothing has changed: the next step is the one that it would have been."""
    parameters = parameters_of(dark, first)
    optimizer = dark.FlatAdam(parameters, 0.1)
    give_gradients(parameters, first + 2)
    optimizer.step()
    give_gradients(parameters, first)
    parameters[which].grad = None
    parameters[1].value = loaded = waves(3, first + 5)
    seen = {"error": outcome(optimizer.step), "values": [[shape, np.copy(x)] for shape, x in values(parameters)]}
    seen["still there"] = parameters[1].value is loaded
    for k in range(2):
        give_gradients(parameters, first + k)
        optimizer.step()
    return seen | {"then": values(parameters)}


@exam.question("buffers", points=2)
def gradients_stay(dark, first: Float(-3, 3), steps: Integer(1, 3)):
    """Gradients are read, not kept and not written into; two parameters may have the same array."""
    parameters, seen = parameters_of(dark, first, ((2, 2), (2, 2), (2,))), []
    optimizer = dark.FlatAdam(parameters, 0.1)
    for k in range(steps):
        given = give_gradients(parameters, first + k)
        parameters[1].grad = given[0]
        optimizer.step()
        seen.append([plain(each) for each in given])
        given[0] += 100
        given[2][...] = 7
    optimizer.zero_grad()
    return {"gradients": seen, "values": values(parameters), "none": [p.grad is None for p in parameters]}


# views


def read(dark, view):
    """Return what a view is: shape, strides of axes longer than 1, and the items, read here by strides and offset."""
    shape, strides = [int(n) for n in view.shape], [int(s) for s in view.strides]
    places = np.full(shape, int(view.offset))
    for axis, stride in enumerate(strides):
        places = places + stride * np.arange(shape[axis]).reshape([-1] + [1] * (len(shape) - axis - 1))
    items = [float(view.storage[k]) for k in places.ravel()]
    return [shape, [s for s, n in zip(strides, shape) if n > 1] if items else "none", items]


def cube(dark, first=0.0, shape=(2, 3, 4)):
    """Make a contiguous view of counted numbers, from the third place of its storage on."""
    storage = first + np.arange(3.0 + np.prod(shape))
    return storage, dark.View(storage, shape, offset=3)


SLICES = (
    slice(1, None),
    slice(None, None, -1),
    slice(-2, None),
    slice(0, 9, 2),
    slice(2, 0, -1),
    slice(1, 1),
    slice(3, 1),
)


@exam.question("views", points=2)
def strides_of_rows(dark, a: Integer(1, 9), b: Integer(1, 9), c: Integer(1, 9)):
    """The last axis has the stride 1, each other one the product of the lengths behind it."""
    shapes = ((3, 4), (2, 3, 4), (5,), (), (1, 7, 1), (2, 0, 3), (a, b, c), (c, b), (2, a, 3, b))
    return {str(shape): [int(s) for s in dark.row_major(shape)] for shape in shapes}


@exam.question("views", points=3)
def axes_in_another_order(dark, first: Float(-3, 3), axes: Choice((2, 0, 1), (1, 0, 2), (2, 1, 0), (0, 2, 1))):
    """Shape and strides follow the axes; the storage is the same, and so is the given view."""
    storage, view = cube(dark, first)
    turned = [view.transpose(each) for each in ((1, 2, 0), axes)]
    again = turned[0].transpose(axes)
    shared = [each.storage is storage for each in (*turned, again)]
    return [read(dark, each) for each in (*turned, again, view)] + [shared, plain(storage[:1])]


@exam.question("views", points=4)
def parts_of_an_axis(dark, first: Float(-3, 3), start: Integer(-4, 3), step: Choice(1, 2, -1, -2), axis: Integer(0, 2)):
    """Any slice: from the end, backward, beyond the end; of an axis of a transposed view and of a part, too."""
    storage, view = cube(dark, first)
    seen = {str(where): read(dark, view.part(2, where)) for where in SLICES}
    other = view.transpose((2, 0, 1)).part(0, slice(3, None, -2))
    further = other.part(2, slice(1, None))
    drawn = view.part(axis, slice(start, None, step))
    seen |= {"of columns": read(dark, other), "of a part": read(dark, further), "drawn": read(dark, drawn)}
    return seen | {"the view": read(dark, view), "shared": [v.storage is storage for v in (other, further, drawn)]}


@exam.question("views", points=3)
def contiguous_or_not(dark, first: Float(-3, 3), n: Integer(2, 6)):
    """Transposed or with gaps it is not; a part of the first axis is, wherever it begins. Length 1 needs no stride."""
    storage, view = cube(dark, first, (n, 3, 4))
    seen = {
        "whole": view,
        "transposed": view.transpose((1, 0, 2)),
        "columns": view.part(2, slice(0, 2)),
        "rows": view.part(0, slice(1, None)),
        "backward": view.part(0, slice(None, None, -1)),
        "every second": view.part(0, slice(None, None, 2)) if n > 2 else view.part(2, slice(None, None, 2)),
        "one row": view.part(0, slice(1, 2)),
        "one column": view.part(2, slice(1, 2)),
        "one of each": view.part(0, slice(0, 1)).part(1, slice(0, 1)),
        "length 1 in front": dark.View(storage, (1, 12), (77, 1)),
        "length 1, turned": dark.View(storage, (4, 1), (1, 5)).transpose((1, 0)),
        "gaps in one row": dark.View(storage, (1, 3), (3, 2)),
        "gaps in one of one": dark.View(storage, (1, 1, 3), (3, 3, 2)),
        "long rows": dark.View(np.arange(903.0), (3, 300), offset=3),
        "repeated": dark.View(storage, (3, 4), (0, 1)),
        "a single item": dark.View(storage, (1, 1), (5, 9), 2),
        "twice turned": view.transpose((1, 0, 2)).transpose((1, 0, 2)),
    }
    found = {name: each.is_contiguous() for name, each in seen.items()}
    found = {name: bool(each) if isinstance(each, np.bool_) else each for name, each in found.items()}
    return found | {"first": read(dark, view)[2][0], "from the start": read(dark, dark.View(storage, (2, 2)))}


@exam.question("views", points=4)
def another_shape(dark, first: Float(-3, 3), written: Float(10, 20)):
    """Contiguous items stay where they are, at their offset; others are copied, row by row."""
    storage, view = cube(dark, first)
    sources = {
        "whole": view,
        "rows": view.part(0, slice(1, None)),
        "transposed": view.transpose((1, 2, 0)),
        "columns": view.part(2, slice(1, 3)),
        "backward": view.part(1, slice(None, None, -1)),
        "repeated": dark.View(storage, (2, 2, 2), (0, 2, 1), 1),
    }
    seen = {}
    for name, source in sources.items():
        size = int(np.prod(source.shape))
        made = source.reshape((size // 2, 2))
        seen[name] = [*read(dark, made), made.storage is storage, int(made.storage.ndim)]
        seen[f"{name}, in a row"] = read(dark, source.reshape((1, size)))
        storage[int(source.offset)] += written
        seen[f"{name}, written into"] = [read(dark, made)[2], read(dark, source)[2]]
    return seen


# record_replay


def noted(dark, into=True):
    """Make an operation, 3 x, that counts its calls of `_f`; it can write into an array, or not."""
    calls = []

    def triple(x):
        calls.append(1)
        return 3.0 * x

    rules = {"_f": staticmethod(triple), "_df": staticmethod(lambda dldy, y, x: (3.0 * dldy,)), "_into": None}
    if into:
        rules["_into"] = staticmethod(lambda x, out: np.multiply(3.0, x, out=out))
    return type("Triple", (dark.Operation,), rules), calls


def trained(dark, seed=0):
    """Make a weight and a step: the mean of (x · w) · y."""
    w = dark.Parameter(np.random.default_rng(seed).normal(size=(3, 2)))
    calls, results = [], []

    def step(x, y):
        calls.append(1)
        product = dark.matmul(x, w)
        results.append(product)
        return dark.mean(dark.mul(product, y))

    return w, step, calls, results


def batch(seed, rows=4):
    """Draw a batch of rows of x and y."""
    rng = np.random.default_rng([seed, rows])
    return rng.normal(size=(rows, 3)), rng.normal(size=(rows, 2))


def refused(function, *args):
    """Return what a function returns, or "ValueError"."""
    try:
        return plain(function(*args))
    except ValueError:
        return "ValueError"


@exam.question("record_replay", points=2)
def other_batches(dark, seed: Integer(0, 99)):
    """Each call has the loss and the gradient of its own batch, and of the parameters as they are now."""
    w, step, _, _ = trained(dark, seed)
    replay, seen = dark.Replay(step), []
    for k in range(4):
        loss = replay(*batch(seed + k))
        seen.append([plain(loss), type(loss).__name__, plain(w.grad)])
        if k == 1:
            w.value = w.value + 1.0  # another array
        if k == 2:
            w.value *= 2.0  # the same
    squares = dark.Replay(lambda x, y: dark.mean(dark.mul(dark.matmul(dark.mul(x, x), w), dark.add(y, y))))
    return seen + [[plain(squares(*batch(seed + k))), plain(w.grad)] for k in range(2)]  # of the batch alone


def weighted(dark):
    """Make an operation of three inputs, the sum of a · b · c, whose value is a number of Python."""
    rules = {
        "_f": staticmethod(lambda a, b, c: float(np.sum(a * b * c))),
        "_df": staticmethod(lambda dldy, y, a, b, c: (dldy * b * c, dldy * a * c, dldy * a * b)),
        "_into": None,
    }
    return type("Weighted", (dark.Operation,), rules)


@exam.question("record_replay", points=2)
def three_inputs(dark, seed: Integer(0, 99), rows: Integer(2, 5)):
    """Each input counts: its numbers, and its shape; a loss may be a number of Python."""
    w, operation, calls = dark.Parameter(np.ones((1, 2))), weighted(dark), []

    def step(x, y, z):
        calls.append(1)
        return operation.apply(dark.mul(x, w), y, z)

    replay, seen = dark.Replay(step), []
    for k, n in enumerate((rows, rows, 1, rows)):
        rng = np.random.default_rng([seed, k])
        arrays = rng.normal(size=(rows, 2)), rng.normal(size=(rows, 2)), rng.normal(size=(n, 2))
        loss = replay(*arrays)
        seen.append([plain(loss), type(loss).__name__, plain(w.grad), len(calls)])
    return seen


@exam.question("record_replay", points=3)
def calls_that_are_saved(dark, seed: Integer(0, 99), rows: Integer(5, 9)):
    """The function is called twice for a recording, and not for a replay; a shape from before is known."""
    _, step, calls, _ = trained(dark)
    replay, seen = dark.Replay(step), []
    for n in (4, 4, rows, 4, rows, 4):
        seen.append([plain(replay(*batch(seed, n))), len(calls)])
    return seen


@exam.question("record_replay", points=3)
def results_in_their_buffers(dark, seed: Integer(0, 99), into: Choice(True, False)):
    """An operation that can write its result writes into the array of the last step; else `_f` makes one a step."""
    seen = {}
    for name, can in (("can", True), ("cannot", False), ("drawn", into)):
        triple, calls = noted(dark, can)
        w, results = dark.Parameter(np.ones((3, 2))), []

        def step(x, triple=triple, w=w, results=results):
            results.append(triple.apply(dark.matmul(x, w)))
            return dark.mean(results[-1])

        replay = dark.Replay(step)
        replay(batch(seed)[0])
        before, counted, found = [each.value for each in results], len(calls), []
        for k in (1, 2):
            loss = replay(batch(seed + k)[0])
            same = all(array is each.value for array, each in zip(before, results))
            found += [plain(loss), same, len(calls) - counted, plain(w.grad)]
        leaves, order = dark.recorded(step, batch(seed)[:1])
        first = [n.value for n in order if n.op is not None and np.ndim(n.value)]
        loss = dark.replayed(leaves, order, batch(seed + 3)[:1])
        second = [n.value for n in order if n.op is not None and np.ndim(n.value)]
        seen[name] = [*found, plain(loss), [a is b for a, b in zip(first, second)]]
    return seen


@exam.question("record_replay", points=2)
def whatever_the_guard_names(dark, seed: Integer(0, 99), weight: Float(2, 5)):
    """A number, a mode, an object: if it is another one, the step is recorded again; if it was there before, not."""
    state, calls = {"weight": 1.0, "mode": True, "w": dark.Parameter(np.ones((3, 2)))}, []
    others = {"weight": weight, "mode": False, "w": dark.Parameter(np.full((3, 2), 0.5))}

    def step(x, y):
        calls.append(1)
        z = dark.mul(dark.matmul(x, state["w"]), y)
        return dark.mul(dark.mean(z if state["mode"] else dark.mul(z, z)), state["weight"])

    replay, seen = dark.Replay(step, guard=lambda: tuple(state.values())), []
    first = dict(state)
    for change in ({}, {"weight": weight}, {"mode": False}, first, {"w": others["w"]}, others, first):
        state |= change
        seen.append([plain(replay(*batch(seed))), len(calls)])
    unguarded = dark.Replay(lambda x: dark.mul(dark.mean(dark.mul(x, state["w"])), state["weight"]))
    x = np.ones((3, 2))
    seen.append(plain(unguarded(x)))
    state["weight"] = 100.0
    return [*seen, plain(unguarded(2 * x))]


@exam.question("record_replay", points=2)
def kinds_of_numbers(dark, a: Float(1, 3), b: Float(1, 3)):
    """The same shape with another dtype is another recording; numbers without axes are inputs, too."""
    w, calls = dark.Parameter(np.array([1.0, 2.0])), []

    def step(x, factor):
        calls.append(1)
        return dark.mul(dark.sum_of(dark.mul(x, w)), factor)

    replay, seen = dark.Replay(step), []
    for x, factor in (([1.0, 2.0], a), ([1, 2], a), ([3, 5], b), ([3.0, 5.0], 2), ([1.5, 2.5], a), ([2.5, 2.5], b)):
        seen.append([plain(replay(np.array(x), factor)), plain(w.grad), len(calls)])
    return seen


@exam.question("record_replay", points=3)
def what_would_be_frozen(dark, seed: Integer(0, 99), rows: Integer(2, 6)):
    """A mask drawn inside, a count, a way that changes: each a ValueError, each time. As an input, it is used."""
    rng, counted, w = np.random.default_rng(seed), [0], dark.Parameter(np.ones((3, 8)))
    x, seen = batch(seed, rows)[0], {}

    def count():
        counted[0] += 1
        return counted[0]

    steps = {
        "a mask": lambda x: dark.mean(dark.mul(dark.matmul(x, w), 1.0 * (rng.random((rows, 8)) > 0.5))),
        "a count": lambda x: dark.mul(dark.mean(dark.matmul(x, w)), float(count())),
        "a setting": lambda x: dark.sum_of(dark.sum_of(dark.matmul(x, w), axis=count() % 2)),
        "a way": lambda x: dark.mean((dark.relu if count() % 2 else dark.tanh)(dark.matmul(x, w))),
        "a new parameter": lambda x: dark.mean(dark.matmul(x, dark.Parameter(np.ones((3, 8))))),
    }
    for name, step in steps.items():
        replay = dark.Replay(step)
        seen[name] = [refused(replay, x), refused(replay, x)]
    fine = dark.Replay(lambda x, mask: dark.mean(dark.mul(dark.matmul(x, w), mask)))
    masks = [1.0 * (rng.random((rows, 8)) > 0.5) for _ in range(2)]
    return seen | {"an input": [refused(fine, x, mask) for mask in masks]}


@exam.question("record_replay", points=2)
def arrays_of_others(dark, seed: Integer(0, 99)):
    """The arguments do not change, nor does a loss that was returned; a loss may have the shape (1, 1)."""
    w = dark.Parameter(np.ones((3, 1)))

    def step(x, y):
        return dark.add(dark.matmul(y, w), x)

    replay = dark.Replay(step)
    given = [(np.full((1, 1), seed + k + 0.5), batch(seed + k, 1)[0]) for k in range(3)]
    losses = [replay(*each) for each in given]
    kinds = [type(each).__name__ for each in losses]
    return [[plain(each) for each in losses], kinds, [[plain(x), plain(y)] for x, y in given], plain(w.grad)]


# checkpointing


def watched(dark, made):
    """Make an operation, x + x · x / 4, that notes each array it makes, and how many are alive then."""

    def rule(x):
        y = x + x * x / 4
        made.append(weakref.ref(y))
        made.counts.append(sum(each() is not None for each in made))
        return y

    rules = {"_f": staticmethod(rule), "_df": staticmethod(lambda dldy, y, x: (dldy * (1 + x / 2),))}
    return type("Watched", (dark.Operation,), rules)


class Made(list):
    """References to arrays, and how many were alive when each was made."""

    def __init__(self):
        super().__init__()
        self.counts = []


def alive(made):
    """Count the arrays that are still there, also if garbage holds them that is young."""
    gc.collect(1)
    return sum(each() is not None for each in made)


def chain(dark, count, seed=0, made=None, rng=None, shared=False):
    """Make layers x -> watched(x · w), each a function and its parameters; some draw a mask."""
    made = Made() if made is None else made
    watch, numbers = watched(dark, made), np.random.default_rng(seed)
    weights = [dark.Parameter(0.5 + numbers.random((2, 2)) / 4) for _ in range(1 if shared else count)]
    weights = weights * count if shared else weights

    def layer(w):
        def function(x):
            y = watch.apply(dark.matmul(x, w))
            return y if rng is None else dark.mul(y, 1.0 * (rng.random(np.shape(y.value)) > 0.3))

        return function

    return [(layer(w), [w]) for w in weights], weights, made


def through(layers):
    """Return the layers as one function."""

    def function(x):
        for each, _ in layers:
            x = each(x)
        return x

    return function


def rows_of_two(first=1.0):
    """Make three rows of two numbers."""
    return first / 4 + np.arange(6.0).reshape(3, 2) / 8


@exam.question("checkpointing", points=2)
def as_without_it(dark, seed: Integer(0, 99), first: Float(-2, 2), factor: Float(2, 4)):
    """Value and all gradients are the same as of the function; operations after it count."""
    layers, weights, _ = chain(dark, 2, seed)
    x = dark.Parameter(rows_of_two(first))
    function = through(layers)
    y = dark.checkpoint(lambda x: dark.mul(function(x), float(np.size(x.value))), x, weights)
    dark.mean(dark.mul(dark.mul(y, y), factor)).backward()
    return [plain(y.value), plain(x.grad), *(plain(w.grad) for w in weights)]


@exam.question("checkpointing", points=2)
def gradients_from_before(dark, seed: Integer(0, 99), before: Float(1, 9)):
    """A gradient that was there stays, and the new one is added once; a parameter may be used outside, too."""
    layers, (w, v), _ = chain(dark, 2, seed)
    w.grad, kept = np.full((2, 2), before), np.full((2, 2), before)
    x = dark.Parameter(rows_of_two())
    y = dark.matmul(dark.checkpoint(through(layers), dark.matmul(x, v), [w, v]), v)
    dark.mean(dark.add(y, dark.checkpoint(layers[0][0], x, [w]))).backward()
    return [plain(w.grad), plain(v.grad), plain(x.grad), plain(kept)]


@exam.question("checkpointing", points=2)
def parameters_that_are_not_used(dark, seed: Integer(0, 99), n: Integer(1, 4)):
    """Their piece is zeros in their shape; an x that the function does not use has zeros, too."""
    layers, (w,), _ = chain(dark, 1, seed)
    idle, x = dark.Parameter(np.ones((n, 3))), dark.Parameter(rows_of_two())
    dark.mean(dark.checkpoint(layers[0][0], x, [idle, w])).backward()
    other, z = dark.Parameter(np.full((2, n), 1.0 + seed)), dark.Parameter(rows_of_two())
    dark.mean(dark.checkpoint(lambda _: dark.mul(other, other), z, [other])).backward()
    return [plain(each.grad) for each in (w, idle, x, other, z)]


@exam.question("checkpointing", points=3)
def results_that_are_kept(dark, seed: Integer(0, 99), count: Integer(3, 6)):
    """After the forward pass only the last one; in the backward pass, each is computed once more."""
    layers, weights, made = chain(dark, count, seed)
    y = dark.checkpoint(through(layers), dark.Parameter(rows_of_two()), weights)
    forward, kept = len(made), alive(made)
    dark.mean(y).backward()
    return [forward, kept, len(made), plain(weights[0].grad)]


@exam.question("checkpointing", points=2)
def the_same_masks(dark, seed: Integer(0, 99), count: Integer(2, 4)):
    """The same numbers are drawn again; then the generator continues as if nothing had happened."""
    rng, seen = np.random.default_rng(seed), []
    layers, weights, _ = chain(dark, count, seed, rng=rng)
    x = dark.Parameter(rows_of_two())
    y = dark.checkpoint(through(layers), x, weights, rng)
    between = float(rng.random())
    for _ in range(2):
        dark.mean(y).backward()
        seen += [plain(y.value), plain(x.grad), *(plain(w.grad) for w in weights)]
    return [between, *seen, float(rng.random())]


@exam.question("checkpointing", points=2)
def a_chain_in_segments(dark, seed: Integer(0, 99), depth: Integer(5, 9), count: Integer(2, 4)):
    """Value and gradients are the same as of all layers in their order, for any number of segments."""
    seen = {}
    for n, k in ((4, 2), (5, 2), (3, 3), (7, 3), (6, 1), (depth, count)):
        rng = np.random.default_rng(seed)
        layers, weights, _ = chain(dark, n, seed, rng=rng)
        x = dark.Parameter(rows_of_two())
        y = dark.in_segments(layers, x, k, rng)
        dark.mean(y).backward()
        seen[f"{n} layers, {k} segments"] = [plain(y.value), plain(x.grad), *(plain(w.grad) for w in weights)]
    layers, weights, _ = chain(dark, 3, seed)
    layers = [(dark.relu, []), layers[0], (dark.relu, []), *layers[1:]]
    dark.mean(dark.in_segments(layers, dark.Constant(rows_of_two()), 2)).backward()
    return seen | {"of an array": [plain(w.grad) for w in weights]}


def checkpoints(y, parameters):
    """Return for each node from y back to the first input, the numbers of the parameters that are its other inputs."""
    found = []
    while y.op is not None:
        found.insert(0, sorted(k for n in y.inputs[1:] for k, p in enumerate(parameters) if n is p))
        y = y.inputs[0]
    return found


@exam.question("checkpointing", points=3)
def memory_of_segments(dark, seed: Integer(0, 99), depth: Integer(7, 12)):
    """One result for each segment is kept, the larger segments first; one segment at a time is computed again."""
    seen = {}
    for n, k in ((9, 3), (16, 4), (8, 3), (6, 1), (5, 5), (depth, 3)):
        layers, weights, made = chain(dark, n, seed)
        y = dark.in_segments(layers, dark.Parameter(rows_of_two()), k)
        kept = alive(made)
        places = [i for i, each in enumerate(made) if each() is not None]
        dark.mean(y).backward()
        most = k + -(-n // k) + 2
        seen[f"{n} layers, {k} segments"] = [kept, places, len(made), max(made.counts) <= most, plain(weights[0].grad)]
        seen[f"inputs of {n} layers, {k} segments"] = checkpoints(y, weights)
    a, b, c, d = (dark.Parameter(1.0 + k) for k in range(4))
    y = dark.in_segments(
        [(dark.relu, [a, b, c]), (dark.relu, []), (dark.relu, [d, a])], dark.Parameter(rows_of_two()), 2
    )
    return seen | {"several parameters": checkpoints(y, (a, b, c, d))}


@exam.question("checkpointing", points=2)
def shared_parameters(dark, seed: Integer(0, 99), depth: Integer(3, 6)):
    """A parameter of several layers, in one segment or in many, has the sum of its gradients."""
    seen = []
    for n, k in ((4, 2), (3, 1), (depth, 2)):
        layers, weights, _ = chain(dark, n, seed, shared=True)
        y = dark.in_segments(layers, dark.Parameter(rows_of_two()), k)
        dark.mean(y).backward()
        seen.append([plain(y.value), plain(weights[0].grad)])
    return seen


# int8


@exam.question("int8", points=3)
def rows_and_their_scales(dark, factor: Float(0.5, 4), last: Integer(-126, 126)):
    """The largest absolute value of each row becomes 127 or -127, whatever the other rows have."""
    rows = array([[127, -64, 3, last], [-127, 127, 0, 1], [0.254, 0.127, -0.5, 0.004], [-1000, 10, 500, 250]])
    integers, scale = dark.quantized(rows * factor)
    return [plain(integers), plain(scale), integers.dtype.name, list(scale.shape), plain(rows[:, 3])]


@exam.question("int8", points=2)
def rounded_to_the_nearest(dark, rest: Float(0.51, 0.99), less: Float(0.01, 0.49), whole: Integer(0, 125)):
    """Up and down, on both sides of 0: not cut off."""
    numbers = array([whole + rest, whole + less, 3.7, 3.2, 0.6, 0.4, 126.6])
    integers, scale = dark.quantized(np.array([[127, *numbers], [-127, *-numbers]]))
    return [plain(integers), plain(scale)]


@exam.question("int8", points=2)
def rows_of_zeros(dark, number: Float(0.001, 9), columns: Integer(1, 4)):
    """Their integers are 0 and their scale is 1; other rows do not mind."""
    rows = np.zeros((3, columns))
    rows[1] = number
    with np.errstate(all="raise"):
        found = [dark.quantized(each) for each in (rows, rows[:1], -rows)]
        y = dark.int8_affine(rows, *found[0], np.arange(3.0))
    return [[plain(each) for each in pair] for pair in found] + [plain(y)]


@exam.question("int8", points=1)
def bytes_that_are_kept(dark, rows: Integer(2, 5), columns: Integer(10, 99)):
    """One byte for each number, and a scale for each row in the dtype of the numbers, which do not change."""
    seen = {}
    for dtype in ("float32", "float64"):
        numbers = (np.arange(rows * columns).reshape(rows, columns) % 17 - 8.5).astype(dtype)
        before = numbers.copy()
        integers, scale = dark.quantized(numbers)
        seen[dtype] = [integers.nbytes, scale.nbytes, scale.dtype.name, bool(np.array_equal(before, numbers))]
    return seen


@exam.question("int8", points=3)
def exact_sums(dark, columns: Integer(300, 700), sign: Choice(1, -1)):
    """Sums of products are far above 127 and above 32,767; they are exact."""
    x, w = np.full((2, columns), 127.0), np.full((3, columns), 127.0 * sign)
    x[1, ::2] = -127
    w[2, ::3] = 1
    integers, scale = dark.quantized(w)
    given = integers.copy(), scale.copy()
    y = dark.int8_affine(x, integers, scale, np.zeros(3))
    return [plain(y), bool(all(np.array_equal(a, b) for a, b in zip(given, (integers, scale))))]


@exam.question("int8", points=3)
def an_affine_layer(dark, seed: Integer(0, 99), large: Float(50, 100), bias: Float(-5, 5)):
    """Rows of x and rows of the weights have scales of their own, and the bias is added unrounded."""
    rng = np.random.default_rng(seed)
    x, w = rng.normal(size=(4, 6)) * np.array([[1.0], [large], [0.01], [1.0]]), rng.normal(size=(3, 6))
    w *= np.array([[0.02], [1.0], [large]])
    integers, scale = dark.quantized(w)
    return [plain(dark.int8_affine(x, integers, scale, bias + np.arange(3.0))), plain(integers), plain(scale)]


# repairs


@exam.repair("published_penalty")
def strengths_of_each_step(dark, strengths: ListOf(Float(0.1, 3), 2, 4), first: Float(1, 2)):
    """The loss and the gradient of each step have the strength of that step."""
    seen = {}
    for name, values in (("drawn", strengths), ("falling", [1.0, 0.1, 0.0]), ("once", [2.0])):
        w, grads = dark.Parameter(np.full((2, 1), first)), []
        loss_of = lambda x, w=w: dark.mean(dark.matmul(x, w))
        penalty_of = lambda w=w: dark.sum_of(dark.mul(w, w))
        batches = [np.full((3, 2), 1.0 + k) for k in range(len(values))]
        losses = dark.published_penalty(loss_of, penalty_of, values, batches, lambda w=w: grads.append(plain(w.grad)))
        seen[name] = [[plain(each) for each in losses], grads]
    return seen
