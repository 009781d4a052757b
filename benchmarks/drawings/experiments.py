"""The content of a picture, found by drawing it again after a change, and by looking for words in it."""

import importlib.metadata
import os
import re
import subprocess
import sys
import time

from benchmarks.drawings.pictures import PACKAGES, PICTURES

TEXT = re.compile(r"<(?:text|tspan)[^>]*>([^<]+)</")
ROUNDS = 5  # the shortest counts
SIZE = re.compile(r'<svg[^>]*?width="([\d.]+)(pt|px)?"[^>]*?height="([\d.]+)(?:pt|px)?"', re.S)
NAMES = ("stem.weight", "layers.0.conv1.weight")
OF_WEIGHT, OF_RESULT = r"8\W+3\W+3\W+3", r"2\W+8\W+16\W+16"
WITHOUT_DOT = """
import os
from shutil import which
os.environ["PATH"] = ""
from benchmarks.drawings.pictures import PICTURES
PICTURES[{!r}]()
"""


def words_of(svg):
    """Return the words of a picture, without addresses."""
    return [re.sub(r"\b\d{9,}\b", "", word) for word in TEXT.findall(svg)]


def findings(name):
    """Return what the picture of a rival shows, and how long it takes."""
    draw = PICTURES[name]
    draw()  # imports, and the fonts of the system
    seconds = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        svg = draw()
        seconds.append(time.perf_counter() - begin)
    plain, of_network = words_of(svg), "micrograd" not in name
    joined = " ".join(plain)
    width, unit, height = SIZE.search(svg).groups()
    points = 4 / 3 if unit == "pt" else 1.0
    return {
        "version": importlib.metadata.version(PACKAGES.get(name, "dark-course")),
        "seconds": float(f"{min(seconds):.2g}"),
        "width": round(float(width) * points),
        "height": round(float(height) * points),
        "values": words_of(draw(scale=1.5)) != plain,
        "gradients": words_of(draw(weight=1.0)) != words_of(draw(weight=3.0)),
        "names of parameters": all(each in joined for each in NAMES) if of_network else None,
        "shapes of parameters": bool(re.search(OF_WEIGHT, joined)) if of_network else None,
        "shapes of results": bool(re.search(OF_RESULT, joined)) if of_network else None,
        "modules": "Block" in joined if of_network else None,
        "equal blocks folded": "×6" in joined if of_network else None,
        "alternative text": bool(re.search(r"<desc>[^<]{20,}", svg)),
        "without the program dot": draws_without_dot(name),
    }


def draws_without_dot(name):
    """Return whether the picture can be drawn by a process that finds no program of the system."""
    if name == "Netron":
        return True  # a page; the browser draws it
    done = subprocess.run([sys.executable, "-c", WITHOUT_DOT.format(name)], env=os.environ, capture_output=True)
    return done.returncode == 0
