"""Questions of module 16, speed.

Part of the product: the package ships this file in `dark/_questions`; `dark check` and `dark grade` read it.
Its answers stand in a file of their own.

No clock decides. Clocks are played, arrays are compared by identity and by the memory that they share, bytes are
counted by tracemalloc, and the steps of Python by a trace.
"""

import sys
import tracemalloc
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
    return {name: int(dark.new_bytes(*lists)) for name, lists in asked.items()}


@exam.question("profile", points=3)
def bytes_by_operation(dark, n: Integer(2, 9), m: Integer(2, 9), calls: Integer(1, 3)):
    """Views cost nothing, forward and backward; nor does a piece that is the received gradient, or comes twice."""
    turn = operation(dark, "Turn", lambda x: x.T, lambda dldy, y, x: (dldy.T,))
    both = operation(dark, "Both", lambda a, b: a + b, lambda dldy, y, a, b: (dldy, dldy))
    half = operation(dark, "Half", lambda a, b: (a + b) / 2, lambda dldy, y, a, b: (dldy / 2,) * 2)
    keep = operation(dark, "Keep", lambda x, c: x * c, lambda dldy, y, x, c: (dldy * c, None))
    total = operation(dark, "Total", lambda x: np.sum(x), lambda dldy, y, x: (dldy * np.ones(x.shape),))
    known = operation(dark, "Known", lambda x, w: x + w, lambda dldy, y, x, w: (y, w))
    x, w = dark.Parameter(waves((n, m))), dark.Parameter(waves((n, m), 2.0))
    with dark.Profile(Watch()) as profile:
        y = turn.apply(both.apply(x, w))
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
    """An operation that applies another one takes its own time and that of the other; both have their rows."""
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
        seen[name] = [len(node.inputs), node.inputs[0] is logits, len(node.settings), value(node.inputs[1])]
    integers = made["loss"].inputs[1].value
    seen["classes"] = [isinstance(made["loss"].inputs[1], dark.Constant), np.asarray(integers).dtype.kind]
    return seen | {"the very ones": [made["again"].inputs[1] is given, made["affine"].inputs[2] is b]}


@exam.question("fused", points=2)
def other_classes(dark, rows: Integer(2, 5), first: Float(-3, 3), seed: Integer(0, 99)):
    """The rules look at the classes that they are given, each time: those of a recorded step may be others."""
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
    y = line._f(x, w, b)
    received = [x, classes, w, b, dldy, y]
    before = [each.copy() for each in received]
    loss._f(x, classes)
    pieces = [*loss._df(array(gradient), 1.0, x, classes), *line._df(dldy, y, x, w, b)]
    shared = [np.may_share_memory(each, other) for each in [y, *pieces] for other in received if each is not None]
    return {"changes": [plain(each - old) for each, old in zip(received, before)], "shared": sum(shared) - 1, "y": y}


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
    """Count the steps of Python that a call takes."""
    steps, before = 0, sys.gettrace()

    def trace(frame, event, _):
        nonlocal steps
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        steps += event == "opcode"
        return trace

    sys.settrace(trace)
    try:
        function(*args)
    finally:
        sys.settrace(before)
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
    moves = np.array([(3, 0), (-3, 0), (0, 4), (0, -4), (far, 0), (0, -far - 1), (-far, far), (20, -1), (2, 3)])
    return plain(dark.moved(pictures(9, 3, 4, first), moves))


@exam.question("vectorized", points=3, examples=4)
def no_loop_over_images(dark, first: Float(-3, 3), height: Integer(3, 6)):
    """For 96 images, Python takes no more steps than for 24."""
    batches = [(pictures(n, height, 4, first), np.tile(np.array(MOVES), (n // 6, 1))) for n in (24, 96)]
    dark.moved(*batches[0])
    few, many = (steps_of(dark.moved, *each) for each in batches)
    return {"more steps": many > few + 24, "sum": plain(np.sum(dark.moved(*batches[1]) * waves((96, height, 4))))}


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
    leaf = dark.Parameter(array(numbers))
    x = dark.mul(leaf, 3.0) if is_result else leaf
    send = Sent(dark, [x])
    y = send(x)
    for _ in range(uses - 1):
        y = dark.add(y, send(x))
    dark.sum_of(dark.mul(y, array(numbers))).backward()
    held = held_arrays([*send.held, x.grad], send.pieces)
    return {"held": held, "gradient": plain(x.grad), "leaf": plain(leaf.grad)}


@exam.question("accumulate_in_place", points=3)
def pieces_stay(dark, numbers: ListOf(Float(1, 3), 2, 4), uses: Integer(2, 5)):
    """No piece is written into: neither one that two nodes have, nor a view of it, nor the gradient of a sum."""
    a, b = dark.Parameter(array(numbers)), dark.Parameter(array(numbers))
    both = dark.add(a, b)
    turned = dark.reshape(dark.transpose(dark.reshape(both, (1, len(numbers)))), (len(numbers),))
    send, y = Sent(dark), dark.mul(turned, 2.0)
    for _ in range(uses):
        y = dark.add(y, send(a, a))
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


@exam.question("accumulate_in_place", points=2)
def passes_over_one_graph(dark, numbers: ListOf(Float(1, 3), 2, 4), passes: Integer(2, 4)):
    """Each pass over the same graph: parameters add up; results begin anew, and are still used several times."""
    a = dark.Parameter(array(numbers))
    square = dark.mul(a, a)
    y, seen = dark.sum_of(dark.add(dark.mul(square, square), dark.add(square, square))), []
    for _ in range(passes):
        y.backward()
        seen.append([plain(np.copy(a.grad)), plain(np.copy(square.grad)), plain(y.grad)])
    return seen


@exam.question("accumulate_in_place", points=2)
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
    optimizer = dark.FlatAdam(parameters, lr)
    for k in range(steps):
        give_gradients(parameters, first + k)
        optimizer.step()
        seen.append([[list(shape), plain(np.copy(each))] for shape, each in values(parameters)])
    return seen


@exam.question("buffers", points=2)
def other_numbers(dark, first: Float(-3, 3), beta: Float(0.1, 0.9), eps: Float(0.1, 2)):
    """Learning rate, betas and eps have their places."""
    seen = {}
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
    """A step makes no array of the size of the buffer, nor of that of a large parameter."""
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
    seen = {"values": values(parameters), "loaded": plain(loaded)}
    return seen | {"views again": [p.value is each for p, each in zip(parameters, views)]}


@exam.question("buffers", points=2)
def a_gradient_is_missing(dark, first: Float(-3, 3), which: Choice(3, 0, 2)):
    """That is a ValueError, and nothing has changed: the next step is the one that it would have been."""
    parameters = parameters_of(dark, first)
    optimizer = dark.FlatAdam(parameters, 0.1)
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
