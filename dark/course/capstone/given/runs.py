"""The runs of a project: each variant with five seeds, recorded, and continued after a kill.

    python run.py                                        run what is missing; write results.json, curves.svg, page.md
    python run.py --again                                run everything anew
    python run.py --variant whole --seed 1 --out FOLDER  one run; FOLDER/result.json has its curve

A run is one object with `step()` and `measure()`. Whenever it is measured, a line is added to FOLDER/progress.jsonl
and the object is saved, so that the same command continues a run that was killed.
"""

import argparse
import hashlib
import json
import os
import pickle
import re
import shutil
import sys
import time
import tomllib
from pathlib import Path

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"  # sums in a fixed order: a seed then gives the same bits each time

HERE = Path(__file__).resolve().parent
SEEDS = (1, 2, 3, 4, 5)
BEGIN, END = "<!-- results -->", "<!-- end of results -->"
FOREIGN = {"numpy", "scipy", "sklearn", "joblib", "threadpoolctl"}

if (HERE / "capstone.toml").is_file():  # the package of `dark export` is found, installed or not
    _settings = tomllib.loads((HERE / "capstone.toml").read_text(encoding="utf-8"))
    sys.path.insert(1, str((HERE / _settings["package"]).resolve()))


def main(training, variants, *, steps, every, metric, argv=None):
    """Run what the command line asks for.

    Parameters
    ----------
    training : callable
        `training(seed, **settings)` returns the object of a run, with `step()` and `measure()`.
    variants : dict of str to dict
        The settings of each variant by its name.
    steps, every : int
        How many steps a run has, and after how many it is measured and saved.
    metric : str
        What `measure` returns, in words.
    argv : list of str, optional
        The arguments; by default those of the process.
    """
    parser = argparse.ArgumentParser(description=f"Run a project and record: {metric}.")
    parser.add_argument("--variant", choices=list(variants), help="one variant (default: all)")
    parser.add_argument("--seed", type=int, help="one seed (default: 1 to 5)")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="folder of one run")
    parser.add_argument("--again", action="store_true", help="run everything anew")
    asked = parser.parse_args(argv)
    one = (asked.variant, asked.seed, asked.out)
    if None not in one:
        begin = lambda: training(asked.seed, **variants[asked.variant])  # noqa: E731
        run(begin, asked.out, steps, every, metric)
    elif one != (None, None, None):
        parser.error("one run needs all of --variant, --seed and --out")
    else:
        record(training, variants, steps, every, metric, asked.again)


def run(begin, folder, steps, every, metric):
    """Run to the end, from the saved object if there is one; write and return the result."""
    folder.mkdir(parents=True, exist_ok=True)
    saved, begun = folder / "training.pickle", time.perf_counter()
    state = pickle.loads(saved.read_bytes()) if saved.is_file() else None
    training, step, curve, before = state or (begin(), 0, [], 0.0)
    while step < steps:
        training.step()
        step += 1
        if step % every == 0 or step == steps:
            curve.append([step, float(training.measure())])
            with open(folder / "progress.jsonl", "a", encoding="utf-8") as file:
                file.write(json.dumps({"step": step, "value": curve[-1][1]}) + "\n")
            seconds = before + time.perf_counter() - begun
            _replace(saved, _pickled((training, step, curve, seconds)))
    seconds = before + time.perf_counter() - begun
    result = {"metric": metric, "seconds": round(seconds, 3), "curve": curve}
    _replace(folder / "result.json", json.dumps(result).encode())
    return result


def record(training, variants, steps, every, metric, again=False):
    """Run each variant with each seed, and write results.json, curves.svg and the table of the page."""
    import curves

    runs, folder, stamp = [], HERE / "runs", code_stamp()
    if again:
        shutil.rmtree(folder, ignore_errors=True)
    pairs = [(variant, seed) for variant in variants for seed in SEEDS]
    for k, (variant, seed) in enumerate(pairs, 1):
        own = folder / f"{variant}-{seed}"
        mark = own / "code"
        if own.is_dir() and (not mark.is_file() or mark.read_text() != stamp):
            shutil.rmtree(own)  # of code that has changed since
        own.mkdir(parents=True, exist_ok=True)
        mark.write_text(stamp)
        if (own / "result.json").is_file():
            result = json.loads((own / "result.json").read_text(encoding="utf-8"))
        else:
            result = run(lambda: training(seed, **variants[variant]), own, steps, every, metric)
        runs.append({"variant": variant, "seed": seed, "seconds": result["seconds"], "curve": result["curve"]})
        print(f"{k} of {len(pairs)}: {variant}, seed {seed}: {result['curve'][-1][1]:.4f}", flush=True)
    results = {"metric": metric, "runs": runs}
    _replace(HERE / "results.json", (json.dumps(results, indent=1) + "\n").encode())
    _replace(HERE / "curves.svg", curves.picture(results).encode())
    _write_table(HERE / "page.md", curves.table(results))
    print(curves.table(results))


def code_stamp():
    """Return a hash of the code that is loaded, without Python's own and that of NumPy and SciPy."""
    digest = hashlib.sha256()
    for name, module in sorted(sys.modules.items()):
        top, file = name.partition(".")[0], getattr(module, "__file__", None)
        if file and str(file).endswith(".py") and top not in FOREIGN and top not in sys.stdlib_module_names:
            digest.update(Path(file).read_bytes())
    digest.update(Path(sys.argv[0]).read_bytes() if Path(sys.argv[0]).is_file() else b"")
    return digest.hexdigest()


def _pickled(state):
    try:
        return pickle.dumps(state)
    except Exception as error:
        raise SystemExit(
            f"runs: the run cannot be saved: {error}\n"
            "  Expected: an object whose attributes pickle can save.\n"
            "  Try: in the place of a lambda, a function that `def` defines at the top of run.py"
        ) from None


def _write_table(page, text):
    """Replace what stands between the two marks of the page."""
    if page.is_file():
        old = page.read_text(encoding="utf-8")
        between = re.compile(f"{BEGIN}.*?{END}", re.DOTALL)
        _replace(page, between.sub(lambda _: f"{BEGIN}\n{text}\n{END}", old).encode())


def _replace(path, content):
    """Write a file, which holds its old content or its new content after a crash."""
    part = path.with_name(path.name + ".part")
    with open(part, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)
