"""Write the tables of the page *From PyTorch to dark* from those of `dark.spellings`: ``python book/spellings.py``.

A test fails while the page differs from them.
"""

import re
from pathlib import Path

from dark.spellings import ignite_names, keyword_names, package_names, tensor_names, torch_names

PAGE = Path(__file__).parent / "from_pytorch.md"
TABLES = {  # the name of a table on the page: its rows, and what stands before each name
    "tensors": (tensor_names.TENSOR, ""), "modules": (tensor_names.MODULE, ""), "torch": (torch_names.TORCH, ""),
    "nn": (package_names.NN, "nn."), "functional": (package_names.FUNCTIONAL, "F."),
    "utils": (package_names.NN_UTILS, "nn.utils."), "init": (package_names.INIT, "nn.init."),
    "optim": (package_names.OPTIM, "optim."), "lr_scheduler": (package_names.LR_SCHEDULER, "optim.lr_scheduler."),
    "data": (package_names.DATA, "data."), "losses": (package_names.LOSSES, "losses."),
    "engine": (ignite_names.ENGINE, "engine."), "metrics": (ignite_names.METRICS, "metrics."),
    "handlers": (ignite_names.HANDLERS, "handlers."), "distributed": (ignite_names.DISTRIBUTED, "distributed."),
    "modules to import": (ignite_names.MODULES, "import dark."), "arguments": (keyword_names.KEYWORDS, ""),
}  # fmt: skip
BEGIN, END = "<!-- table: {} -->\n", "<!-- end of the table -->"


def table(rows, prefix=""):
    """Return rows as a table in Markdown."""
    lines = ["| PyTorch | Why | In `dark` |", "|---|---|---|"]
    for row in rows:
        own = list(row.by_name().values())
        names = ", ".join(f"`{prefix}{r.names}`" for r in own)
        instead = own[0].instead.replace("|", r"\\|")
        lines.append(f"| {names} | {row.why[0].upper()}{row.why[1:]} | {instead} |")
    return "\n".join(lines) + "\n"


def with_tables(text):
    """Return the text of the page with the tables as they should be."""
    for name, (rows, prefix) in TABLES.items():
        begin = BEGIN.format(name)
        pattern = re.escape(begin) + ".*?" + re.escape(END)
        found = begin + table(rows, prefix) + END
        text, count = re.subn(pattern, lambda _, found=found: found, text, flags=re.S)
        if count != 1:
            raise SystemExit(f"{PAGE.name}: {count} places for the table {name!r}; expected 1.")
    return text


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
