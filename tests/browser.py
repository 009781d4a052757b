"""Helpers of the browser tests: a running `dark lab`, a headless chromium, and a notebook opened in it."""

import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FOR_SPEED = ("chromium-headless-shell", *BROWSERS)  # without windows, which takes less time
PATIENCE_MS = 120_000  # a machine that is busy with other tests is slow to start a kernel
FOR_TESTS = {
    "jupyter_lab_config.json": {"LabApp": {"expose_app_in_browser": True}},
    "labconfig/default_setting_overrides.json": {
        "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
        "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
    },
}

# The signs on the screen say "idle" before the kernel is there; these promises do not.
OPEN = """async path => {
    const app = window.jupyterapp;
    await app.restored;
    const panel = await app.commands.execute('docmanager:open', {path, factory: 'Notebook'});
    await panel.context.ready;
    await panel.sessionContext.ready;
    await panel.sessionContext.session.kernel.info;
    app.shell.activateById(panel.id);
}"""
RUN_ALL = """async () => {
    const app = window.jupyterapp;
    await app.commands.execute('notebook:run-all-cells');
    return app.shell.currentWidget.context.model.toJSON().cells;
}"""


@dataclass(frozen=True)
class Server:
    """A running JupyterLab: its folder, and its address with the token."""

    folder: Path
    address: str

    @property
    def host(self):
        """The host and port, such as `127.0.0.1:8888`."""
        return urlsplit(self.address).netloc


@contextmanager
def running_lab(folder):
    """Start `dark lab` on a folder, and stop it by Ctrl-C afterwards."""
    settings = folder / ".settings"
    for name, content in FOR_TESTS.items():
        path = settings / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content))
    process = subprocess.Popen(
        [sys.executable, "-m", "dark", "lab", "--no-browser", str(folder)],
        env={**os.environ, "JUPYTER_CONFIG_PATH": str(settings), "IPYTHONDIR": str(settings)},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        lines = [process.stdout.readline() for _ in range(4)]
        assert "http://" in lines[2], "".join(lines)
        yield Server(folder, lines[2].strip())
    finally:
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        process.stdout.close()
        process.wait()


@contextmanager
def running_chromium(programs=FOR_SPEED):
    """Start the first of these programs, headless; skip if none is there, unless the environment requires it."""
    path = next(filter(None, map(shutil.which, programs)), None)
    if path is None:
        why = "no chromium on the path (Debian: apt-get install chromium libatomic1)"
        if os.environ.get("DARK_REQUIRE_BROWSER") == "1":
            pytest.fail(why)
        pytest.skip(why)
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def watched_page(browser, server):
    """Open a page; afterwards no script may have failed and no other host been asked."""
    page = browser.new_page(viewport={"width": 1200, "height": 1400})
    page.set_default_timeout(PATIENCE_MS)
    failures, asked = [], []
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    yield page
    page.close()
    assert not failures, failures
    strangers = [url for url in asked if is_strange(url, server)]
    assert not strangers, strangers


def is_strange(url, server):
    """Say whether an address leaves this machine's server."""
    parts = urlsplit(url)
    return parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != server.host


def run_notebook(page, server, path):
    """Open a notebook in JupyterLab, run all its cells, and return them as JSON."""
    page.goto(server.address)
    page.wait_for_function("() => window.jupyterapp")
    page.evaluate(OPEN, path)
    return page.evaluate(RUN_ALL)


def complaints(cells):
    """List what did not go well: code cells that were not run, errors, and words on stderr.

    A cell that is tagged `raises-exception` fails on purpose.
    """
    found = []
    for cell in cells:
        if cell["cell_type"] != "code" or "raises-exception" in cell["metadata"].get("tags", []):
            continue
        if cell["source"].strip() and cell["execution_count"] is None:
            found.append(f"not run: {cell['source']}")
        for output in cell["outputs"]:
            if output["output_type"] == "error":
                found.append(f"{output['ename']}: {output['evalue']} in {cell['source']}")
            elif output.get("name") == "stderr":
                found.append(f"{output['text']} from {cell['source']}")
    return found
