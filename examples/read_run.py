"""Read the folder of a run with NumPy and `json` alone: ``python examples/read_run.py runs/first``."""

import json
import sys
from pathlib import Path

import numpy as np

TYPES = {"BOOL": "?"} | {f"{kind}{8 * size}": f"<{kind.lower()}{size}" for kind in "FIU" for size in (1, 2, 4, 8)}
scalars, tensors = {}, {}  # {name: {step: value}}
for path in sorted(Path(sys.argv[1]).glob("scalars-*.jsonl")):
    for line in path.read_bytes().split(b"\n")[:-1]:  # what follows the last newline is incomplete
        note = json.loads(line)
        for name, value in note["scalars"].items():
            scalars.setdefault(name, {})[note["step"]] = float(value)  # also "nan", "inf", "-inf"

for path in sorted(Path(sys.argv[1]).glob("tensors-*.jsonl")):
    segments = path.with_suffix(".segments").read_bytes()
    for line in path.read_bytes().split(b"\n")[:-1]:
        note = json.loads(line)
        start = note["begin"] + 8
        data = start + int.from_bytes(segments[note["begin"] : start], "little")
        for name, array in json.loads(segments[start:data]).items():
            if name != "__metadata__":
                begin, end = (data + offset for offset in array["data_offsets"])
                value = np.frombuffer(segments[begin:end], TYPES[array["dtype"]]).reshape(array["shape"])
                tensors.setdefault(name, {})[note["step"]] = value

print({name: sorted(values.items()) for name, values in scalars.items()})
print({name: {step: value.tolist() for step, value in values.items()} for name, values in tensors.items()})
