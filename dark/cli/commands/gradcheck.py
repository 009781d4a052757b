"""Compare the gradient of a function in a Python file with measured slopes.

`dark gradcheck mine.py:f --at 3` runs the file and checks its function `f` at 3. Without
`--at` the inputs are drawn at random, one for each parameter of the function that has no default.
"""

import inspect
import math

import numpy as np

from dark.cli.user_files import find_in_file, told_where
from dark.derivatives import gradcheck
from dark.errors import UsageError

NUMBER = "number"


def add_arguments(parser):
    """Declare the arguments of the command."""
    parser.add_argument("target", metavar="FILE:NAME", help="a Python file, and a function of nodes in it")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--at", type=float, nargs="+", metavar="X", help="one number for each parameter")
    where.add_argument(
        "--shape", type=shape, nargs="+", metavar="N,M", help=f"draw arrays: one shape a parameter, or '{NUMBER}'"
    )
    parser.add_argument(
        "--between", type=float, nargs=2, default=(-2.0, 2.0), metavar=("LOW", "HIGH"), help="draw from here (-2 2)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="for what is drawn (0)")
    parser.add_argument("--tolerance", type=float, default=1e-6, metavar="T", help="largest error that agrees (1e-6)")
    parser.add_argument("--directions", type=int, metavar="K", help="nudge along K random directions, not every number")
    parser.add_argument("--second", action="store_true", help="check second derivatives too")


def run(args):
    """Check the function, print the report, and return 0 if the gradients agree, else 1."""
    f = find_in_file(
        args.target, "gradcheck", "a function", _is_function, example="f = lambda x: x * x", run_name="checked"
    )
    _refuse_ranges(args)
    names = _parameters(f, args.target)
    inputs = _inputs(args, names)
    file = args.target.rpartition(":")[0]
    for name, x in zip(names, inputs):
        print(f"{name} = {x!r}" if np.size(x) <= 12 else f"{name}: {np.size(x)} numbers, shape {np.shape(x)}")
    with told_where(file, "gradcheck", "other inputs, with --at, --shape or --between."):
        report = gradcheck(
            f, *inputs, tolerance=args.tolerance, directions=args.directions, second=args.second, rng=args.seed
        )
    print(report)
    if math.isinf(report.error):
        print("A slope is no number here; choose inputs inside the domain, with --at or --between.")
    return 0 if report else 1


def _is_function(thing):
    return callable(thing) and not isinstance(thing, type)


def _parameters(f, target):
    """List the parameters of a function that must be given."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    try:
        parameters = inspect.signature(f).parameters.values()
    except ValueError:  # a function that is not written in Python
        parameters = ()
    names = [p.name for p in parameters if p.kind in kinds and p.default is p.empty]
    if not names:
        raise UsageError(
            f"gradcheck: {target} has no parameter to draw a number for.",
            "a function of nodes, each with a name.",
            "write its inputs as parameters without default.",
        )
    return names


def _inputs(args, names):
    """Take the inputs from the command line, or draw them from the seed."""
    given = args.at or args.shape
    if given and len(given) != len(names):
        raise UsageError(
            f"gradcheck: {len(given)} given, and the function has {len(names)} parameters: {', '.join(names)}.",
            "one number or shape for each.",
            f"--{'at' if args.at else 'shape'} followed by {len(names)} of them.",
        )
    if args.at:
        return args.at
    rng = np.random.default_rng(args.seed)
    drawn = [rng.uniform(*args.between, shape) for shape in args.shape or [()] * len(names)]
    return [x if np.ndim(x) else float(x) for x in drawn]


def _refuse_ranges(args):
    low, high = args.between
    few = args.directions is not None and args.directions < 1
    if not low < high or args.seed < 0 or few or not args.tolerance >= 0:
        raise UsageError(
            f"gradcheck: --between {low:g} {high:g}, --seed {args.seed}, --directions {args.directions}, "
            f"--tolerance {args.tolerance:g}.",
            "a lower and a higher number, a seed of 0 or more, 1 direction or more, a tolerance of 0 or more.",
            "--between 0.1 2 --seed 0 --directions 10",
        )


def shape(word):
    """Read a shape: `3,2` are three rows of two, `number` is a number without axes."""
    lengths = () if word == NUMBER else tuple(int(length) for length in word.split(","))
    if any(length < 0 for length in lengths):
        raise ValueError
    return lengths
