"""The cell magic `%%pytorch`: run a cell that needs PyTorch, or show its recorded output where PyTorch is missing."""

import ast
from importlib.util import find_spec

from dark.course.lessons.library import modules, modules_folder
from dark.course.lessons.notebook_files import read_notebook
from dark.errors import MissingExtraError

MAGIC = "%%pytorch"
MISSING = "PyTorch is not installed here; this output was recorded with it.\n"


def run_with_pytorch(shell, line, cell):
    """Run a cell in the notebook's namespace; without PyTorch, display the output of the same printed cell."""
    if find_spec("torch") is not None:
        return _run(shell, cell)
    outputs = recorded_outputs(cell)
    if not outputs:
        says = "PyTorch is not installed, and this cell differs from the printed one, whose output is recorded."
        raise MissingExtraError(says, "PyTorch, or the cell as it was printed.", "pip install torch")
    print(MISSING)
    for output in outputs:
        if output["output_type"] == "stream":
            print("".join(output["text"]), end="")
        else:
            data = output["data"].items()
            shell.display_pub.publish({k: "".join(text) if isinstance(text, list) else text for k, text in data})
    return None


def recorded_outputs(cell):
    """Return the outputs of a cell in the printed notebooks; an empty list if no cell has this source."""
    for stem in modules():
        for printed in read_notebook(modules_folder() / f"{stem}.ipynb")["cells"]:
            magic, _, body = printed["source"].partition("\n")
            if magic.strip() == MAGIC and body.strip() == cell.strip():
                return printed["outputs"]
    return []


def _run(shell, cell):
    """Execute a cell and return the value of its last expression, like a cell without a magic."""
    tree = ast.parse(shell.transform_cell(cell))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), shell.user_ns)
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), shell.user_ns) if last else None
