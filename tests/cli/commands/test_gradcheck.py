"""`dark gradcheck FILE:NAME`: agrees, differs, or reports an invalid command line or file."""

import pytest

from dark.cli import main

SOURCE = '''
"""Functions, right and wrong."""
import dark

class Wrong(dark.Operation):
    def _f(x):
        return x * x

    def _df(dldy, y, x):
        return (dldy * x,)

def right(a, b, c=1.0):
    return a * dark.exp(b) + c

def wrong(x):
    return Wrong.apply(x)

def layer(x, w, b):
    return dark.tanh(x @ w + b)

def logarithm(x):
    return dark.log(x)

def no_node(x):
    return 3

def nothing():
    return dark.Constant(3)

slope = dark.grad(lambda x: x**3)
largest = max
answer = 42
if __name__ == "__main__":
    raise SystemExit("training starts")
'''


@pytest.fixture
def check(tmp_path, capsys, monkeypatch):
    """Return a way to run the command on a function of a file: the exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(SOURCE)

    def run(*words):
        try:
            code = main(["gradcheck", *map(str, words)])
        except SystemExit as stop:
            code = stop.code
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, out, err

    return run


def test_gradients_that_agree_are_exit_code_0(check):
    code, out, err = check("mine.py:right", "--at", 2, -0.5)
    assert (code, err) == (0, "")
    assert out.startswith("a = 2.0\nb = -0.5\ngradients agree; worst at input ")


def test_gradients_that_differ_are_exit_code_1_and_the_worst_entry_is_named(check):
    code, out, err = check("mine.py:wrong", "--at", 3)
    assert (code, err) == (1, "")
    assert "gradients differ; worst at input 0 (value 3): backward gave 3, finite differences 6" in out
    assert "index [" in check("mine.py:wrong", "--shape", "2,2")[1]


def test_numbers_are_drawn_from_the_seed_for_each_parameter_without_default(check):
    code, out, _ = check("mine.py:right")
    assert code == 0 and out.count(" = ") == 2
    assert check("mine.py:right")[1] == out != check("mine.py:right", "--seed", 1)[1]


def test_arrays_are_drawn_in_the_shapes_that_are_asked_for(check):
    code, out, _ = check("mine.py:layer", "--shape", "4,3", "3,2", "number", "--second")
    assert code == 0
    assert "x = array([[" in out and "b = " in out and " agree; worst at input " in out
    code, out, _ = check("mine.py:layer", "--shape", "20,20", "20", "20")
    assert code == 0 and "x: 400 numbers, shape (20, 20)" in out and "along random direction" in out
    assert "along random direction" in check("mine.py:layer", "--shape", "2,3", "3,2", "2", "--directions", 2)[1]


def test_a_loose_tolerance_lets_small_errors_pass(check):
    assert check("mine.py:wrong", "--at", 3, "--tolerance", 0.6)[0] == 0


def test_a_slope_that_is_not_finite_suggests_other_inputs(check):
    code, out, _ = check("mine.py:logarithm", "--at", -1)
    assert code == 1 and out.endswith("choose inputs inside the domain, with --at or --between.\n")
    assert check("mine.py:logarithm", "--between", 0.5, 2)[0] == 0


def test_derivatives_are_functions_too(check):
    assert check("mine.py:slope", "--at", 2)[0] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["mine.py"], "'mine.py' does not name a function in a file.\n  Expected: FILE:NAME."),
        (["other.py:f"], "the file 'other.py' does not exist"),
        (["mine.py:rigth"], "mine.py has no 'rigth'.\n  Expected: the name of a function in it.\n  Try: right"),
        (["mine.py:answer"], "'answer' in mine.py is not a function; it is of type int"),
        (["mine.py:Wrong"], "'Wrong' in mine.py is not a function; it is of type type"),
        (["mine.py:no_node"], "gradcheck: the function must return a node, got 3 (int)"),
        (["mine.py:nothing"], "has no positional parameters"),
        (["mine.py:largest"], "has no positional parameters"),
        (["mine.py:right", "--at", 1], "2 parameters (a, b), got 1.\n  Expected: one number"),
        (["mine.py:right", "--shape", 1, 2, 3], "Try: --shape followed by 2 values."),
        (["mine.py:right", "--between", 2, 1], "a lower and a higher number"),
        (["mine.py:right", "--seed", -1], "--seed must be 0 or more, got -1"),
        (["mine.py:right", "--directions", 0], "--directions must be 1 or more, got 0"),
        (["mine.py:right", "--tolerance", -1], "--tolerance must be 0 or more, got -1.0"),
        (["mine.py:right", "--tolerance", "nan"], "--tolerance must be a number, got nan"),
        (["mine.py:right", "--shape", "a"], "argument --shape: invalid shape value: 'a'"),
        (["mine.py:right", "--shape", "2,-1", "2"], "invalid shape value: '2,-1'"),
        (["mine.py:right", "--at", 1, 2, "--shape", "2"], "not allowed with argument --at"),
    ],
)
def test_a_line_that_makes_no_sense_is_exit_code_2(check, words, said):
    code, out, err = check(*words)
    assert code == 2 and said in err
    assert "agree" not in out and "differ" not in out


def test_a_function_that_fails_shows_its_own_line(check):
    code, _, err = check("mine.py:layer")
    assert code == 2
    assert "gradcheck: mine.py fails at line 19: return dark.tanh(x @ w + b)\n    ShapeError: matmul" in err
    assert "Try: other inputs, with --at, --shape or --between." in err
