"""Build the edition of the course that runs in a browser: JupyterLite, with Python and NumPy in WebAssembly (Pyodide).

`python book/browser_edition.py OUT [WHEELS]` writes it into a folder, from which any web server can serve it. It holds
Pyodide, the wheel of `dark`, the notebooks, and all packages in Python. NumPy, SciPy, scikit-learn and Matplotlib are
compiled for Pyodide: a reader's browser takes them from where Pyodide keeps them, and those whose wheels are in the
folder WHEELS are copied instead.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORK = ROOT / "build" / "browser"
LITE = WORK / "lite"  # the sources of the edition, where jupyterlite-pyodide-kernel looks for static/pyodide
OF_PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
# What the kernel and the notebooks import, besides what is compiled.
PURE = ("micropip", "packaging", "comm", "ipython", "jedi", "pygments", "traitlets", "graphviz", "tqdm", "joblib")
PURE += ("threadpoolctl", "cycler", "fonttools", "pyparsing", "python-dateutil", "pytz", "six")
PURE += ("anywidget", "ipywidgets", "jupyterlab-widgets", "psygnal", "typing-extensions")
INSTALL = "%pip install -q dark-course matplotlib scikit-learn anywidget tqdm"
FIRST = f"""\
# Python runs in this page; the first time, it fetches NumPy and its other packages, which takes a minute.
{INSTALL}"""
PACK = """\
import pathlib, zipfile

with zipfile.ZipFile("work.zip", "w", zipfile.ZIP_DEFLATED) as packed:
    for path in sorted([*pathlib.Path().glob("*.ipynb"), *pathlib.Path().glob(".dark/*")]):
        if path.is_file():
            packed.write(path)
print("work.zip:", len(packed.namelist()), "files")"""
UNPACK = """\
import zipfile

with zipfile.ZipFile("work.zip") as packed:
    packed.extractall()
print("back:", *packed.namelist())"""
YOUR_WORK = (
    ("markdown", """\
# Your work

Notebooks and progress are kept in the storage of this browser: nobody else sees them, and they are gone when its data
is deleted. So take them with you from time to time.

**Download.** Run this cell, then choose *Download* in the menu of `work.zip` in the list of files:"""),
    ("code", PACK),
    ("markdown", """\
**Upload.** With the arrow above the list of files, upload a `work.zip`; this cell then replaces the notebooks here. It
may come from a computer: a zip of the notebooks of `work/` or `dark-modules/`."""),
    ("code", UNPACK),
    ("markdown", "After it, reload the page, so that open notebooks are read again."),
)  # fmt: skip


def run(*command, folder=ROOT):
    """Run a program; end with its output if it fails."""
    done = subprocess.run([*map(str, command)], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: it failed.\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def pip(*words):
    """Run pip of this Python."""
    return run(sys.executable, "-m", "pip", "--disable-pip-version-check", *words)


def normalized(name):
    """Return the name of a package in the form in which names are compared."""
    return re.sub("[-_.]+", "-", name).lower()


def fetch_pyodide(version):
    """Unpack the files of Pyodide from its package on npm; return their folder."""
    folder = WORK / f"pyodide-{version}"
    if not (folder / "package").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        name = run("npm", "pack", "--silent", f"pyodide@{version}", folder=folder).split()[-1]
        with tarfile.open(folder / name) as packed:
            packed.extractall(folder, filter="data")
    return folder / "package"


def fetch_pure(lock, folder):
    """Download the packages in Python, of the version that Pyodide knows; return their files."""
    folder.mkdir(parents=True, exist_ok=True)
    versions = {normalized(name): each["version"] for name, each in lock["packages"].items()}
    needed, waiting = [], list(PURE)
    while waiting:
        name = normalized(waiting.pop())
        if name in needed or name in ("pillow", "numpy", "scipy", "contourpy", "kiwisolver", "matplotlib"):
            continue
        needed.append(name)
        waiting += next((p["depends"] for key, p in lock["packages"].items() if normalized(key) == name), ())
    for name in sorted(needed):
        if not [*folder.glob(f"{name.replace('-', '_')}-*.whl")]:
            wanted = f"{name}=={versions[name]}" if name in versions else name
            tags = ("--python-version", "3.14", "--implementation", "py", "--abi", "none", "--platform", "any")
            pip("download", "--quiet", "--no-deps", "--only-binary=:all:", *tags, "--dest", folder, wanted)
    return sorted(folder.glob("*.whl"))


def make_pyodide(source, version, pure, compiled):
    """Make the folder of Pyodide with the packages that are here; the others stay where Pyodide keeps them."""
    folder = LITE / "static" / "pyodide"
    folder.mkdir(parents=True)
    for name in OF_PYODIDE:
        shutil.copy(source / name, folder)
    lock = json.loads((source / "pyodide-lock.json").read_text(encoding="utf-8"))
    usual = re.search(r"https://[^`]*?/full/", (source / "pyodide.mjs").read_text(encoding="utf-8"))[0]
    usual = re.sub(r"\$\{\w+\}", version, usual)
    here = {path.name: path for path in compiled}
    here |= {normalized(path.name.split("-")[0]): path for path in pure}
    for name, package in lock["packages"].items():
        path = here.get(package["file_name"]) or here.get(normalized(name))
        if path is None:
            package["file_name"] = usual + package["file_name"]
            continue
        shutil.copy(path, folder)
        package |= {"file_name": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    (folder / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")


def notebook(sources):
    """Return a notebook of cells, each a kind and a source."""
    cells = [
        {"id": f"browser-{number}", "metadata": {}, "source": source}
        | (code() if kind == "code" else {"cell_type": kind})
        for number, (kind, source) in enumerate(sources)
    ]
    return {"cells": cells, "metadata": kernel(), "nbformat": 4, "nbformat_minor": 5}


def code():
    """Return the fields of a code cell that has not run."""
    return {"cell_type": "code", "execution_count": None, "outputs": []}


def kernel():
    """Return the metadata that name Pyodide's kernel."""
    return {"kernelspec": {"display_name": "Python (in this page)", "language": "python", "name": "python"}}


def make_contents():
    """Write the notebooks, whose first cell of code installs the packages."""
    folder = WORK / "contents"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path in sorted((ROOT / "modules").glob("*.ipynb")):
        made = json.loads(path.read_text(encoding="utf-8"))
        made["metadata"] |= kernel()
        first = {"id": "browser-first", "metadata": {}, "source": FIRST} | code()
        made["cells"] = [made["cells"][0], first, *made["cells"][1 + (made["cells"][1]["id"] == "hosted") :]]
        (folder / path.name).write_text(json.dumps(made, ensure_ascii=False), encoding="utf-8")
    (folder / "your-work.ipynb").write_text(json.dumps(notebook(YOUR_WORK), ensure_ascii=False), encoding="utf-8")
    shutil.copy(ROOT / "modules" / "glossary.md", folder)
    return folder


def build(out, compiled):
    """Build the whole edition into a folder."""
    from jupyterlite_pyodide_kernel.constants import PYODIDE_PYTHON_VERSION, PYODIDE_VERSION

    assert PYODIDE_PYTHON_VERSION == "3.14", "the tags of `fetch_pure` name it"
    source = fetch_pyodide(PYODIDE_VERSION)
    wheels = WORK / "wheels"
    shutil.rmtree(wheels, ignore_errors=True)
    pip("wheel", "--quiet", "--no-deps", "--wheel-dir", wheels, ROOT)
    lock = json.loads((source / "pyodide-lock.json").read_text(encoding="utf-8"))
    pure = fetch_pure(lock, WORK / "pure")
    shutil.rmtree(LITE, ignore_errors=True)
    make_pyodide(source, PYODIDE_VERSION, pure, compiled)
    plugin = {"@jupyterlite/pyodide-kernel-extension:kernel": {"disablePyPIFallback": True}}
    config = {"appName": "dark", "exposeAppInBrowser": True, "litePluginSettings": plugin}
    settings = {"jupyter-lite-schema-version": 0, "jupyter-config-data": config}
    (LITE / "jupyter-lite.json").write_text(json.dumps(settings))
    known = {normalized(name) for name in lock["packages"]}
    others = [path for path in pure if normalized(path.name.split("-")[0]) not in known]
    options = [f"--piplite-wheels={path}" for path in [*wheels.glob("*.whl"), *others]]
    options += ["--contents", make_contents(), "--output-dir", out.resolve(), "--apps", "lab"]
    run(sys.executable, "-m", "jupyterlite_core", "build", *options, folder=LITE)


if __name__ == "__main__":
    here = [*Path(sys.argv[2]).glob("*.whl")] if sys.argv[2:] and sys.argv[2] else []
    build(Path(sys.argv[1]), here)
    print(f"The edition for a browser: {sys.argv[1]}")
