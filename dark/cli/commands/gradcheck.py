"""Compare the gradient of a function in a Python file with central finite differences.

`dark gradcheck mine.py:f --at 3` runs the file and checks its function `f` at 3. Without
`--at` the inputs are random, one for each parameter of the function that has no default.
"""

import inspect
import math

import numpy as np

from dark.checks import integer, number
from dark.cli.user_files import find_in_file, located_errors
from dark.derivatives import gradcheck
from dark.errors import UsageError

NUMBER = "number"


def add_arguments(parser):
    """Add the arguments of `dark gradcheck`."""
    add = parser.add_argument
    add("target", metavar="FILE:NAME", help="a Python file and the name of a function of nodes in it")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--at", type=float, nargs="+", metavar="X", help="inputs: one number for each parameter")
    where.add_argument(
        "--shape",
        type=shape,
        nargs="+",
        metavar="N,M",
        help=f"random arrays: one shape for each parameter, or '{NUMBER}'",
    )
    add(
        "--between",
        type=float,
        nargs=2,
        default=(-2.0, 2.0),
        metavar=("LOW", "HIGH"),
        help="range of random inputs (default: -2 2)",
    )
    add("--seed", type=int, default=0, metavar="N", help="random seed (default: 0)")
    add("--tolerance", type=float, default=1e-6, metavar="T", help="maximum accepted error (default: 1e-6)")
    add("--directions", type=int, metavar="K", help="check along K random directions instead of every element")
    add("--second", action="store_true", help="check second derivatives too")


def run(args):
    """Check the function, print the report, and return 0 if the gradients agree, else 1."""
    f = find_in_file(
        args.target, "gradcheck", "a function", _is_function, example="f = lambda x: x * x", run_name="checked"
    )
    _check_options(args)
    names = _parameters(f, args.target)
    inputs = _inputs(args, names)
    file = args.target.rpartition(":")[0]
    for name, x in zip(names, inputs):
        print(f"{name} = {x!r}" if np.size(x) <= 12 else f"{name}: {np.size(x)} numbers, shape {np.shape(x)}")
    with located_errors(file, "gradcheck", "other inputs, with --at, --shape or --between."):
        report = gradcheck(
            f, *inputs, tolerance=args.tolerance, directions=args.directions, second=args.second, rng=args.seed
        )
    print(report)
    if math.isinf(report.error):
        print("The slope is not finite here; choose inputs inside the domain, with --at or --between.")
    return 0 if report else 1


def _is_function(thing):
    return callable(thing) and not isinstance(thing, type)


def _parameters(f, target):
    """Return the names of the positional parameters that have no default."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    try:
        parameters = inspect.signature(f).parameters.values()
    except ValueError:  # a function written in C has no signature
        parameters = ()
    names = [p.name for p in parameters if p.kind in kinds and p.default is p.empty]
    if not names:
        raise UsageError(
            f"gradcheck: {target} has no positional parameters.",
            "a function with at least one node as its argument.",
            "write its inputs as parameters without default.",
        )
    return names


def _inputs(args, names):
    """Return the inputs of the command line, or random ones."""
    given = args.at or args.shape
    if given and len(given) != len(names):
        raise UsageError(
            f"gradcheck: expected an input for each of {len(names)} parameters ({', '.join(names)}), got {len(given)}.",
            "one number or shape for each.",
            f"--{'at' if args.at else 'shape'} followed by {len(names)} values.",
        )
    if args.at:
        return args.at
    rng, (low, high) = np.random.default_rng(args.seed), args.between
    drawn = [rng.uniform(low, high, shape) for shape in args.shape or [()] * len(names)]
    return [x if np.ndim(x) else float(x) for x in drawn]


def _check_options(args):
    integer(args.seed, "gradcheck", "--seed", 0, wide=True)
    number(args.tolerance, "gradcheck", "--tolerance", least=0, finite=False)
    if args.directions is not None:
        integer(args.directions, "gradcheck", "--directions", 1)
    low, high = args.between
    if not low < high:
        raise UsageError(
            f"gradcheck: --between {low:g} {high:g} is an empty range.",
            "a lower and a higher number.",
            "--between 0.1 2",
        )


def shape(word):
    """Parse a shape: `3,2` is a matrix with 3 rows and 2 columns, `number` a scalar."""
    lengths = () if word == NUMBER else tuple(int(length) for length in word.split(","))
    if any(length < 0 for length in lengths):
        raise ValueError
    return lengths
