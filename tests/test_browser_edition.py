"""The edition for a browser: its notebooks and the list of its packages; and, if it was built, the site in chromium.

`make site` builds it. NumPy comes from a network that tests do not have: all until its import runs.
"""

import importlib
import json
import runpy
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import nbformat
import pytest

ROOT = Path(__file__).parents[1]
SITE = ROOT / "build" / "book"
BUILDER = ROOT / "book" / "browser_edition.py"
USUAL = "https://example.org/v1.2/full/"
PACKAGES = {
    "numpy": "numpy-2.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
    "scikit-learn": "scikit_learn-1.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
    "tqdm": "tqdm-4.0-py3-none-any.whl",
}
RUN = """async (code) => {
    const app = window.jupyterapp;
    await app.restored;
    window.kernel ??= await app.serviceManager.kernels.startNew({ name: "python" });
    const future = window.kernel.requestExecute({ code }), printed = [];
    future.onIOPub = ({ content }) => printed.push(content.text ?? content.evalue ?? "");
    const { content } = await future.done;
    return [content.status, printed.join("")];
}"""
CLOCK = """
import importlib.util, pathlib, dark
path = pathlib.Path(dark.__file__).parent / "course/judging/timing.py"
spec = importlib.util.spec_from_file_location("timing", path)
timing = importlib.util.module_from_spec(spec)
spec.loader.exec_module(timing)

def endless():
    while True:
        pass

with timing.alarm() as clock:
    try:
        try:
            clock.start(0.5)
            endless()
        finally:
            clock.stop()
    except timing.TimeIsUp:
        print(timing.threads_start(), type(clock).__name__)
"""


@pytest.fixture
def builder(tmp_path):
    """Return the names of the builder, which works in a temporary folder."""
    names = runpy.run_path(str(BUILDER))
    names["make_pyodide"].__globals__.update(WORK=tmp_path, LITE=tmp_path / "lite")
    return names


def test_each_notebook_begins_with_the_installation_and_is_valid(builder):
    folder = builder["make_contents"]()
    made = sorted(folder.glob("[0-9]*.ipynb"))
    assert [path.name for path in made] == [path.name for path in sorted((ROOT / "modules").glob("*.ipynb"))]
    for path in made:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        first = next(cell for cell in notebook.cells if cell.cell_type == "code")
        assert "%pip install -q dark-course" in first.source
        printed = nbformat.read(ROOT / "modules" / path.name, as_version=4).cells
        assert notebook.cells[2:] == (printed[2:] if printed[1].id == "hosted" else printed[1:])


def test_work_is_packed_and_unpacked(builder, tmp_path, monkeypatch, capsys):
    cells = nbformat.read(builder["make_contents"]() / "your-work.ipynb", as_version=4).cells
    pack, unpack = (cell.source for cell in cells if cell.cell_type == "code")
    (tmp_path / "drive" / ".dark").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "drive")
    Path("01-first.ipynb").write_text("mine")
    Path(".dark", "progress.jsonl").write_text("{}\n")
    exec(pack, {})
    assert zipfile.ZipFile("work.zip").namelist() == [".dark/progress.jsonl", "01-first.ipynb"]
    Path("01-first.ipynb").write_text("lost")
    exec(unpack, {})
    assert Path("01-first.ipynb").read_text() == "mine"
    assert capsys.readouterr().out == "work.zip: 2 files\nback: .dark/progress.jsonl 01-first.ipynb\n"


def test_what_is_not_in_the_site_stays_where_pyodide_keeps_it(builder, tmp_path):
    source, wheels = tmp_path / "source", tmp_path / "wheels"
    source.mkdir(), wheels.mkdir()
    for name in builder["OF_PYODIDE"]:
        (source / name).write_text("cdnUrl=`https://example.org/v${U}/full/`")
    lock = {"packages": {name: {"file_name": file, "sha256": "?"} for name, file in PACKAGES.items()}}
    (source / "pyodide-lock.json").write_text(json.dumps(lock))
    for name in ("numpy", "tqdm"):
        (wheels / PACKAGES[name]).write_bytes(name.encode())
    pure, compiled = [wheels / PACKAGES["tqdm"]], [wheels / PACKAGES["numpy"]]
    builder["make_pyodide"](source, "1.2", pure, compiled)
    folder = tmp_path / "lite" / "static" / "pyodide"
    found = json.loads((folder / "pyodide-lock.json").read_text())["packages"]
    assert [found[name]["file_name"] for name in PACKAGES] == [
        PACKAGES["numpy"], USUAL + PACKAGES["scikit-learn"], PACKAGES["tqdm"],
    ]  # fmt: skip
    assert found["scikit-learn"]["sha256"] == "?" and len(found["numpy"]["sha256"]) == 64
    assert (folder / PACKAGES["numpy"]).read_bytes() == b"numpy"


def test_only_lessons_have_the_link_and_only_where_the_edition_is(tmp_path, monkeypatch):
    pytest.importorskip("sphinx", reason="the extra 'book' is not installed")
    monkeypatch.syspath_prepend(ROOT / "book")
    link = importlib.import_module("pages").link_to_browser_edition

    def linked(name):
        context = {"body": "<h1>Title</h1><h1>Other</h1>"}
        link(SimpleNamespace(outdir=tmp_path), name, "page.html", context, object())
        return context["body"].count("Run this in your browser")

    assert linked("01-scalar-autodiff") == 0
    (tmp_path / "lite" / "lab").mkdir(parents=True)
    (tmp_path / "lite" / "lab" / "index.html").touch()
    assert linked("01-scalar-autodiff") == 1 and linked("teaching") == 0


@pytest.fixture
def address():
    """Serve the site from this machine; return its address."""
    if not (SITE / "lite" / "lab" / "index.html").is_file():
        pytest.skip("build/book/lite is missing: `make site` builds it")

    class Silent(SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=SITE)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.long
@pytest.mark.browser
def test_the_site_starts_python_and_imports_dark_from_its_own_files(chromium, address):
    page = chromium.new_page()
    outside = []
    page.on("request", lambda each: outside.append(each.url) if each.url.startswith("http") else None)
    page.goto(f"{address}/lite/lab/index.html?path=01-scalar-autodiff.ipynb")
    page.set_default_timeout(240_000)
    page.wait_for_function("window.jupyterapp")
    page.get_by_role("heading", name="Scalar autodiff").first.wait_for()
    assert page.evaluate(RUN, "import sys; print(sys.platform)") == ["ok", "emscripten\n"]
    installed = "import piplite; await piplite.install(['dark-course', 'graphviz'], deps=False)"
    assert page.evaluate(RUN, installed)[0] == "ok"
    status, printed = page.evaluate(
        RUN, "import dark, os; print(dark.__version__, '01-scalar-autodiff.ipynb' in os.listdir())"
    )
    assert (status, printed.split()[1:]) == ("ok", ["True"]), printed
    assert page.evaluate(RUN, CLOCK) == ["ok", "False _Events\n"]
    strangers = [url for url in outside if not url.startswith(address)]
    assert not strangers
    status, printed = page.evaluate(RUN, "dark.Parameter(2)")
    assert status == "ok" or "numpy" in printed
    page.close()


@pytest.mark.long
def test_each_lesson_of_a_site_has_the_link(address):
    for path in sorted((ROOT / "modules").glob("*.ipynb")):
        page = (SITE / f"{path.stem}.html").read_text(encoding="utf-8")
        assert f'<a href="lite/lab/index.html?path={path.name}">Run this in your browser</a>' in page
    assert "Run this in your browser</a>" not in (SITE / "index.html").read_text(encoding="utf-8")
