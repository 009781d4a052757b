"""`dark draw FILE:NAME`: a picture of a node in a file, and clear errors."""

import sys
from pathlib import Path

import pytest

from dark.cli import main

QUADRATIC = Path(__file__).parents[3] / "examples" / "quadratic.py"


@pytest.fixture
def file(tmp_path):
    """Return a function that writes a Python file and returns its path."""

    def write(source, name="graph.py"):
        path = tmp_path / name
        path.write_text(source)
        return path

    return write


def draw(capsys, *words):
    """Run the command and return its exit code, stdout and stderr."""
    code = main(["draw", *map(str, words)])
    return code, *capsys.readouterr()


def refused(capsys, *words):
    """Run the command, which must fail, and return its error message."""
    code, out, err = draw(capsys, *words)
    assert (code, out) == (2, "")
    assert "Traceback" not in err
    return err


def test_without_an_output_the_table_is_printed(capsys):
    code, out, err = draw(capsys, f"{QUADRATIC}:fx")
    assert (code, err) == (0, "")
    assert "1  x     parameter  .          10     40" in out
    assert "6  fx    result     +          205    1         4 5" in out


def test_a_picture_is_written_with_its_title(capsys, tmp_path):
    path = tmp_path / "graph.svg"
    assert draw(capsys, f"{QUADRATIC}:fx", "-o", path, "--title", "2x² + 5") == (0, f"{path}\n", "")
    assert ">2x² + 5</text>" in path.read_text("utf-8")


def test_dot_is_written(capsys, tmp_path):
    draw(capsys, f"{QUADRATIC}:fx", "-o", tmp_path / "graph.dot")
    assert (tmp_path / "graph.dot").read_text("utf-8").startswith('digraph "graph" {')


def test_depth_narrows_the_picture(capsys):
    assert "… 4 more" in draw(capsys, f"{QUADRATIC}:fx", "--depth", 1)[1]


@pytest.mark.parametrize("depth", [0, -1])
def test_a_depth_below_one_is_refused(capsys, depth):
    assert f"depth must be 1 or more, got {depth}." in refused(capsys, f"{QUADRATIC}:fx", "--depth", depth)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--depth", 0], "depth must be 1 or more, got 0."),
        (["-o", "y.jpg"], "'y.jpg' has the unknown"),
        (["-o", "no/y.svg"], "the folder 'no'"),
    ],
)
def test_what_is_asked_for_is_checked_before_the_file_runs(capsys, file, words, message):
    path = file("raise SystemError('it runs')\n")
    assert message in refused(capsys, f"{path}:y", *words)


def test_the_picture_is_where_the_command_was_called_though_the_file_goes_elsewhere(
    capsys, file, tmp_path, monkeypatch
):
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    file("import os\nimport dark\nos.chdir('other')\ny = dark.Parameter(3) * 2\n")
    assert draw(capsys, "graph.py:y", "-o", "y.svg") == (0, "y.svg\n", "")
    assert (tmp_path / "y.svg").is_file()


@pytest.mark.parametrize("end", ["sys.exit()", "sys.exit(0)", "raise SystemExit"])
def test_a_file_that_ends_well_by_exit_is_drawn(capsys, file, end):
    path = file(f"import sys\nimport dark\ny = dark.Parameter(3) * 2\nif __name__ == '__main__':\n    {end}\n")
    code, out, err = draw(capsys, f"{path}:y")
    assert (code, err) == (0, "")
    assert "result" in out


def test_a_file_is_the_main_module_while_it_runs(capsys, file):
    before = sys.modules["__main__"]
    path = file("import sys\nimport dark\ny = dark.Parameter(3) * 2\nassert sys.modules['__main__'].y is y\n")
    assert draw(capsys, f"{path}:y")[0] == 0
    assert sys.modules["__main__"] is before


@pytest.mark.parametrize(
    ("target", "right"),
    [
        (":fx", "graph.py:fx"), (":", "graph.py:fx"), ("a.py", "a.py:fx"), ("a.py:", "a.py:fx"),
        ("a.py:f x", "a.py:fx"), (":loss", "graph.py:loss"),
    ],
)  # fmt: skip
def test_a_target_that_names_half_is_completed(capsys, target, right):
    assert refused(capsys, target).endswith(f"Try: dark draw {right}\n")


def test_a_png_that_cannot_be_made_says_what_to_install(capsys, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    said = refused(capsys, f"{QUADRATIC}:fx", "-o", tmp_path / "graph.png")
    assert "resvg-py is not installed" in said and 'pip install "dark-course[lab]"' in said


def test_an_unknown_format_is_refused(capsys):
    assert "'graph.jpg' has the unknown suffix '.jpg'" in refused(capsys, f"{QUADRATIC}:fx", "-o", "graph.jpg")


@pytest.mark.parametrize("target", ["quadratic.py", ":fx", "quadratic.py:", "quadratic.py:f x"])
def test_a_target_without_file_and_name_is_refused(capsys, target):
    said = refused(capsys, target)
    assert "does not name a node in a file.\n  Expected: FILE:NAME." in said
    assert "Try: dark draw " in said


def test_a_missing_file_names_the_near_ones(capsys):
    said = refused(capsys, f"{QUADRATIC.with_name('quadratics.py')}:fx")
    assert "does not exist" in said
    assert f"Try: {QUADRATIC}" in said
    assert "Try: a path relative to the current folder" in refused(capsys, "nowhere/at/all.py:fx")


def test_a_missing_name_names_the_near_ones(capsys):
    said = refused(capsys, f"{QUADRATIC}:fxx")
    assert "has no 'fxx'.\n  Expected: the name of a node in it.\n  Try: fx" in said


def test_a_file_without_nodes_suggests_what_to_create(capsys, file):
    said = refused(capsys, f"{file('a = 1')}:fx")
    assert "Try: a file that creates a node, such as fx = dark.add(x, 5)" in said


def test_a_name_that_is_not_a_node_is_refused(capsys):
    said = refused(capsys, f"{QUADRATIC}:dark")
    assert "'dark' in" in said and "is not a node; it is of type" in said
    assert "Try: one of x, fx" in said


def test_a_file_that_fails_shows_its_own_line_and_no_line_of_dark(capsys, file):
    path = file("import dark\n\ndef f(x):\n    return dark.log('text')\n\nfx = f(1)\n")
    said = refused(capsys, f"{path}:fx")
    assert f"draw: {path} fails at line 4: return dark.log('text')\n    ValueTypeError: " in said
    assert f"Try: python {path}" in said


def test_a_file_that_is_not_python_shows_the_line(capsys, file):
    said = refused(capsys, f"{file('x = (1')}:x")
    assert "fails at line 1: x = (1\n    SyntaxError: '(' was never closed" in said


def test_a_file_that_exits_is_a_file_that_fails(capsys, file):
    path = file("import sys\nsys.exit(3)\n")
    assert "fails at line 2: sys.exit(3)\n    SystemExit: 3" in refused(capsys, f"{path}:x")


def test_a_file_with_a_fault_outside_it_is_named_without_a_line(capsys, file):
    path = file("")
    path.write_bytes(b"x = '\xff'")
    assert "fails" in refused(capsys, f"{path}:x")


def test_a_file_finds_its_neighbors_and_leaves_no_trace(capsys, file):
    file("import dark\nx = dark.Parameter(3, name='x')\n", "neighbor_of_graph.py")
    path = file("import sys\nfrom neighbor_of_graph import x\nassert len(sys.argv) == 1\ny = x * x\n")
    before = sys.path[:], sys.argv[:]
    assert draw(capsys, f"{path}:y")[0] == 0
    assert (sys.path, sys.argv) == before
    del sys.modules["neighbor_of_graph"]


def test_graphs_of_other_frameworks_are_drawn(capsys, file):
    pytest.importorskip("micrograd", reason="micrograd is not installed")
    path = file("from micrograd.engine import Value\na = Value(2.0)\nloss = a * a + 3\nloss.backward()\n")
    code, out, err = draw(capsys, f"{path}:loss")
    assert (code, err) == (0, "") and "*          4" in " ".join(out.split("\n"))


@pytest.mark.oracle
def test_a_loss_of_pytorch_is_drawn(capsys, file, tmp_path):
    pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    path = file("import torch\nx = torch.ones(2, requires_grad=True)\nloss = (x * x).sum()\nloss.backward()\n")
    assert draw(capsys, f"{path}:loss", "-o", tmp_path / "loss.svg")[0] == 0
    assert "sum" in (tmp_path / "loss.svg").read_text("utf-8")


def test_a_network_is_drawn_as_a_tree(capsys, file):
    path = file("from dark import nn\nnetwork = nn.Sequential(nn.Linear(2, 3), nn.ReLU())\n")
    assert "Sequential" in draw(capsys, f"{path}:network")[1]


def test_a_model_of_onnx_is_drawn(capsys, tmp_path):
    onnx = pytest.importorskip("onnx", reason="the oracle extra (ONNX) is not installed")
    make, kind = onnx.helper, onnx.TensorProto.FLOAT
    ends = [make.make_tensor_value_info(name, kind, [2, 3]) for name in "xy"]
    graph = make.make_graph([make.make_node("Relu", ["x"], ["y"])], "network", ends[:1], ends[1:])
    onnx.save(make.make_model(graph), tmp_path / "model.onnx")
    code, out, err = draw(capsys, tmp_path / "model.onnx")
    assert (code, err) == (0, "") and "Relu" in out
    assert "does not exist" in refused(capsys, tmp_path / "none.onnx")


def test_the_help_has_examples(capsys):
    with pytest.raises(SystemExit):
        main(["draw", "--help"])
    assert "dark draw model.onnx -o model.svg" in capsys.readouterr().out


def test_modules_open_and_close(capsys, file):
    path = file(
        "import numpy as np\nfrom dark import nn\n"
        "network = nn.Sequential(nn.Sequential(nn.Linear(2, 3), nn.Tanh()), nn.Linear(3, 1))\n"
        "loss = network(np.ones((4, 2))).sum()\n"
    )
    assert "0: Sequential" in draw(capsys, f"{path}:loss", "--open", "none")[1]
    for which in ("all", "2", "0", "0,1"):
        code, out, _ = draw(capsys, f"{path}:loss", "--open", which)
        assert code == 0 and ("0.0.weight" in out) == (which != "0")
    assert "no module 'x' to open" in refused(capsys, f"{path}:loss", "--open", "x")


CUBIC = "import dark\nx = dark.Parameter(10, name='x')\nfx = dark.add(dark.mul(2, dark.pow(x, 3)), 5)\nfx.backward()\n"


def test_two_graphs_are_compared(capsys, file, tmp_path):
    code, out, err = draw(capsys, f"{QUADRATIC}:fx", "--compare", f"{file(CUBIC)}:fx")
    assert (code, err) == (0, "")
    assert "7 are matched. Differences: " in out and "value 2 and 3; begins here" in out
    assert out.startswith("quadratic.py:fx has 7 nodes, graph.py:fx 7 nodes")
    path = tmp_path / "both.svg"
    words = f"{QUADRATIC}:fx", "--compare", f"{QUADRATIC}:x", "-o", path, "--title", "Both"
    assert draw(capsys, *words) == (0, f"{path}\n", "")
    assert ">Both</text>" in path.read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--depth", 2], "--compare cannot be combined with --depth"),
        (["--open", "all"], "--compare cannot be combined with --depth"),
        (["-o", "both.html"], "'both.html' has the unknown suffix"),
        ([], "the file 'missing.py' does not exist"),
    ],
)
def test_a_comparison_that_cannot_be_made_is_refused(capsys, words, message):
    assert message in refused(capsys, f"{QUADRATIC}:fx", "--compare", "missing.py:y", *words)


NETWORK = """
import numpy as np
from dark import nn
network, x, wide = nn.Sequential(nn.Linear(2, 3), nn.ReLU()), np.ones((4, 2)), np.ones((4, 5))
"""


def test_a_network_is_drawn_as_it_runs_with_variables_of_the_file(capsys, file, tmp_path):
    path = file(NETWORK)
    code, out, _ = draw(capsys, f"{path}:network", "--input", "x")
    assert code == 0 and "linear" in out and "relu" in out
    assert "has no 'y'" in refused(capsys, f"{path}:network", "--input", "y")


@pytest.mark.parametrize("line", ["", "import dark.draw as drawing\nfx = drawing.draw(network, wide)\n"])
def test_a_network_that_fails_is_saved_up_to_the_call_that_failed(capsys, file, tmp_path, line):
    path, picture = file(NETWORK + line), tmp_path / "failed.svg"
    words = [f"{path}:network", "--input", "wide"] if not line else [f"{path}:fx"]
    code, out, err = draw(capsys, *words, "-o", picture)
    assert code == 2 and out.strip() == str(picture) and "fails in Linear" in err
    assert "failed here" in picture.read_text("utf-8")
