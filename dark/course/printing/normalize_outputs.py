"""Normalize outputs so that they are the same on every machine: no paths, addresses or counts."""

import os
import re
import sys
from pathlib import Path

_WIDGET = "application/vnd.jupyter.widget-view+json"
_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")  # at least six digits, so that a size such as 640x480 is kept
_CELL_FILE = re.compile(r"(?<!\S)\S*/ipykernel_\d+/\d+\.py")  # from the start of a word: a picture is one long word


def normalize_outputs(outputs, folder, root=None):
    """Return the outputs of a cell without stderr, widgets, counts, memory addresses and absolute paths."""
    prefixes = _prefixes(folder, root)
    normalized = [_normalize_output(output, prefixes) for output in outputs]
    return [output for output in normalized if output]


def _prefixes(folder, root):
    """Return the machine-dependent path prefixes and their replacements, longest first."""
    named = {Path(folder): "", Path(sys.prefix): "<python>/", Path(sys.base_prefix): "<python>/"}
    if root:
        named[Path(root)] = ""
    named |= {path.resolve(): text for path, text in named.items()}
    named |= {Path.home(): "~/"} if Path.home() != Path("/") else {}
    ordered = sorted(named.items(), key=lambda item: -len(str(item[0])))
    return [(re.escape(f"{path}{os.sep}"), text) for path, text in ordered if path.is_absolute()]


def _normalize_output(output, prefixes):
    kind = output["output_type"]
    if kind == "stream":
        found = {"output_type": kind, "name": output["name"], "text": _normalize(output["text"], prefixes)}
        return found if output["name"] != "stderr" else None
    if kind == "error":
        lines = [_normalize(line, prefixes) for line in output["traceback"]]
        return {**output, "evalue": _normalize(output["evalue"], prefixes), "traceback": lines}
    return _normalize_data(output, prefixes)


def _normalize_data(output, prefixes):
    """Normalize a display or result; a widget without another representation is dropped."""
    data = {key: value for key, value in output["data"].items() if key != _WIDGET}
    if len(data) < len(output["data"]) and set(data) <= {"text/plain"}:
        return None
    texts = [mime for mime in data if mime.startswith("text/") or mime == "image/svg+xml"]
    data = {key: _normalize(value, prefixes) if key in texts else value for key, value in sorted(data.items())}
    normalized = {"output_type": output["output_type"], "data": data, "metadata": dict(output["metadata"])}
    return normalized | ({"execution_count": None} if output["output_type"] == "execute_result" else {})


def _normalize(text, prefixes):
    text = _CELL_FILE.sub("<cell>", text)
    for prefix, replacement in prefixes:
        text = re.sub(rf"(?<![\w.~-]){prefix}", replacement, text)
    return _ADDRESS.sub("0x…", text)


def set_execution_counts(notebook):
    """Return a notebook with the counts of a single run; some tools consider outputs without a count stale."""
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
