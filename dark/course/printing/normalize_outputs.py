"""Outputs made the same on every machine: what depends on time, place or memory goes."""

import os
import re
import sys
from pathlib import Path

_WIDGET = "application/vnd.jupyter.widget-view+json"
_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")  # six digits at least: 640x480 is a size
_CELL_FILE = re.compile(r"\S*/ipykernel_\d+/\d+\.py")


def tidy_outputs(outputs, folder, root=None):
    """Tidy the outputs of one cell.

    Parameters
    ----------
    outputs : list of dict
        As the kernel sent them.
    folder : Path
        Where the notebook ran; its name goes.
    root : Path, optional
        The repository, whose name goes.

    Returns
    -------
    list of dict
        New outputs: no stderr, no widgets, no counts, no addresses, no absolute paths.

    Examples
    --------
    >>> tidy_outputs([{"output_type": "stream", "name": "stdout", "text": "<A at 0x7f00aa>"}], ".")
    [{'output_type': 'stream', 'name': 'stdout', 'text': '<A at 0x…>'}]
    """
    prefixes = _prefixes(folder, root)
    tidied = [_tidy_output(output, prefixes) for output in outputs]
    return [output for output in tidied if output]


def _prefixes(folder, root):
    """List the folders whose names say where this machine keeps things, longest first."""
    named = {Path(folder): "", Path(sys.prefix): "<python>/", Path(sys.base_prefix): "<python>/"}
    if root:
        named[Path(root)] = ""
    named |= {path.resolve(): text for path, text in named.items()}
    named |= {Path.home(): "~/"} if Path.home() != Path("/") else {}
    ordered = sorted(named.items(), key=lambda item: -len(str(item[0])))
    return [(re.escape(f"{path}{os.sep}"), text) for path, text in ordered if path.is_absolute()]


def _tidy_output(output, prefixes):
    kind = output["output_type"]
    if kind == "stream":
        if output["name"] == "stderr":
            return None
        return {"output_type": kind, "name": output["name"], "text": _tidy(output["text"], prefixes)}
    if kind == "error":
        lines = [_tidy(line, prefixes) for line in output["traceback"]]
        return {**output, "evalue": _tidy(output["evalue"], prefixes), "traceback": lines}
    return _tidy_data(output, prefixes)


def _tidy_data(output, prefixes):
    """Tidy a picture or a value; a widget without a picture of its own is dropped."""
    data = {key: value for key, value in output["data"].items() if key != _WIDGET}
    if len(data) < len(output["data"]) and set(data) <= {"text/plain"}:
        return None
    data = {key: _tidy(value, prefixes) if _is_text(key) else value for key, value in sorted(data.items())}
    tidied = {"output_type": output["output_type"], "data": data, "metadata": dict(output["metadata"])}
    return tidied | ({"execution_count": None} if output["output_type"] == "execute_result" else {})


def _is_text(mime):
    return mime.startswith("text/") or mime == "image/svg+xml"


def _tidy(text, prefixes):
    text = _CELL_FILE.sub("<cell>", text)
    for prefix, replacement in prefixes:
        text = re.sub(rf"(?<![\w.~-]){prefix}", replacement, text)
    return _ADDRESS.sub("0x…", text)


def counted(notebook):
    """Number the code cells from 1, as one run from top to bottom would, and their results with them.

    Parameters
    ----------
    notebook : dict
        It is not changed.

    Returns
    -------
    dict
        A new notebook. Tools that run it again take outputs without a number for stale.
    """
    cells, count = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            outputs = [
                {**each, "execution_count": count} if each["output_type"] == "execute_result" else each
                for each in cell["outputs"]
            ]
            cell = {**cell, "execution_count": count, "outputs": outputs}
        cells.append(cell)
    return {**notebook, "cells": cells}
