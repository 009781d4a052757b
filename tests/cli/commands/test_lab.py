"""`dark lab`: what it sets up, what it refuses, and that it starts and stops a real server."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from argparse import Namespace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from dark.cli.commands import lab
from dark.course.lessons.library import modules
from dark.course.student.progress import Log
from dark.errors import CourseError, MissingExtraError, UsageError
from tests.course import little


@pytest.fixture
def busy_port():
    with socket.socket() as taken:
        taken.bind((lab.HOST, 0))
        taken.listen()
        yield taken.getsockname()[1]


def arguments(folder, port=None):
    return Namespace(host="127.0.0.1", folder=folder, port=port, no_browser=True)


def test_another_program_on_the_port_is_not_taken_for_the_lab():
    class Refuses(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_error(403)

        def log_message(self, *words):
            """Print nothing."""

    with HTTPServer((lab.HOST, 0), Refuses) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        assert not lab.answers(server.server_port, "token")
        server.shutdown()
        thread.join()


def test_a_port_that_another_program_has_taken_meanwhile_is_left_to_it(tmp_path, busy_port, monkeypatch):
    ports, asked = iter([busy_port, 8999]), []

    def serve(folder, port, *others, **options):
        asked.append(port)
        if port == busy_port:
            raise CourseError("JupyterLab did not start.", "a running server.", "dark doctor")
        return 0

    monkeypatch.setattr(lab, "free_port", lambda requested: next(ports))
    monkeypatch.setattr(lab, "serve", serve)
    assert lab.run(arguments(tmp_path)) == 0 and asked == [busy_port, 8999]
    with pytest.raises(CourseError):
        ports = iter([busy_port, busy_port])
        lab.run(arguments(tmp_path, busy_port))


def test_a_busy_port_is_a_clear_error_before_anything_is_written(busy_port, monkeypatch):
    monkeypatch.setattr(lab, "_updated_folder", lambda: pytest.fail("the notebooks were written"))
    with pytest.raises(UsageError, match=f"port {busy_port} is in use or not allowed"):
        lab.run(arguments(None, busy_port))


def test_a_port_that_cannot_exist_is_a_clear_error():
    with pytest.raises(UsageError, match="between 1024 and 65535"):
        lab.free_port(70000)


def test_without_a_port_a_busy_one_is_passed_over(busy_port, monkeypatch):
    monkeypatch.setattr(lab, "FIRST_PORT", busy_port)
    assert busy_port < lab.free_port() < busy_port + 100


def test_a_missing_folder_is_a_clear_error(tmp_path):
    with pytest.raises(UsageError, match=r"the folder .*nowhere does not exist"):
        lab.run(arguments(tmp_path / "nowhere"))


def test_without_jupyterlab_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(lab, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match="jupyterlab is not installed"):
        lab.run(arguments(tmp_path))


def test_a_folder_that_cannot_hold_the_log_is_a_clear_error(tmp_path):
    (tmp_path / ".dark").write_text("a file where the folder should be")
    with pytest.raises(CourseError, match="cannot be written"):
        lab.new_log(tmp_path / ".dark" / "lab.log")


def test_a_server_that_does_not_start_says_its_last_words(tmp_path):
    log = tmp_path / "lab.log"
    log.write_text("first\nno space left\n")
    server = subprocess.Popen([sys.executable, "-c", "raise SystemExit(1)"])
    with pytest.raises(CourseError, match="did not start. Last lines of its log:\n    first\n    no space"):
        lab.wait_until_up(server, port=1, token="", log_path=log)


def test_the_kernel_loads_the_course_and_keeps_its_usual_name(tmp_path):
    lab.write_settings(tmp_path)
    kernel = json.loads((tmp_path / "kernels/python3/kernel.json").read_text())
    assert kernel["argv"][0] == sys.executable
    assert f"--IPKernelApp.exec_lines={lab.LOAD}" in kernel["argv"]
    assert kernel["display_name"] == "Python 3 (ipykernel)"


def test_one_thread_is_the_default_and_a_choice_is_kept(tmp_path, monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setenv("MKL_NUM_THREADS", "4")
    environment = lab.lab_environment(str(tmp_path), tmp_path)
    assert (environment["OMP_NUM_THREADS"], environment["MKL_NUM_THREADS"]) == ("1", "4")


def test_the_users_own_jupyter_folders_come_last(tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_PATH", "/user")
    assert lab.lab_environment("/dark", tmp_path)["JUPYTER_PATH"] == os.pathsep.join(["/dark", "/user"])


def test_the_terminal_knows_dark_and_is_no_login_shell(tmp_path, monkeypatch):
    monkeypatch.setenv("SHELL", "/bin/bash")
    path = lab.lab_environment(str(tmp_path), tmp_path)["PATH"]
    assert path.split(os.pathsep)[0] == str(Path(sys.executable).parent)
    words = lab.command_line(tmp_path, 8888, "/lab", browser=False)
    assert "--ServerApp.terminado_settings={'shell_command': ['/bin/bash']}" in words
    assert "--LabApp.default_url=/lab" in words


def test_it_opens_module_01_and_later_the_module_that_was_worked_on_last(tmp_path):
    assert lab.first_page(tmp_path) == "/lab"
    for stem in modules():
        (tmp_path / f"{stem}.ipynb").touch()
    assert lab.first_page(tmp_path) == "/lab/tree/01-scalar-autodiff.ipynb"
    for name, stem in (("exp_log", "02-trustworthy-gradients"), ("gone", modules()[0]), ("slope", modules()[0])):
        Log(tmp_path).append("hint", exercise=name, number=1)
        assert lab.first_page(tmp_path) == f"/lab/tree/{stem}.ipynb"


def test_without_a_folder_it_updates_the_students_own(tmp_path, monkeypatch, capsys):
    root = little.install(tmp_path, monkeypatch)
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(lab, "serve", lambda folder, port, environment, page, browser, host: print(folder, page))
    (root / "work" / "71-little.ipynb").unlink()
    lab.run(arguments(None))
    said = capsys.readouterr().out
    assert "71-little.ipynb: created." in said
    assert f"{(root / 'work').resolve()} /lab/tree/71-little.ipynb" in said


@pytest.mark.long
def test_it_starts_prints_the_address_and_stops_by_ctrl_c(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "dark", "lab", "--no-browser", str(tmp_path)],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        lines = [process.stdout.readline() for _ in range(4)]
        assert lines[0] == "Starting JupyterLab …\n"
        address = lines[2].strip()
        assert address.startswith(f"http://{lab.HOST}:"), lines
        kernels = json.loads(read(address.replace("/lab?", "/api/kernelspecs?")))
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        assert process.wait() == 0, rest
    finally:
        process.kill()
        process.stdout.close()
        process.wait()
    assert any("dark.course" in word for word in kernels["kernelspecs"]["python3"]["spec"]["argv"])
    assert "Traceback" not in rest
    with pytest.raises(urllib.error.URLError):
        read(address)


def read(address):
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(address) as answer:
        return answer.read()


SPOKEN = ("stream", "error", "display_data", "execute_result")
FIRST_CELLS = {
    "it is there without being asked for": "assert callable(check) and callable(hint)",
    "loading it as the modules do says nothing": "%load_ext dark.course",
    "no names of the course are defined": "assert not [name for name in ('dark', 'course') if name in globals()]",
}


@pytest.fixture
def kernel(tmp_path):
    client = pytest.importorskip("jupyter_client")
    lab.write_settings(tmp_path)
    specs = client.kernelspec.KernelSpecManager(kernel_dirs=[str(tmp_path / "kernels")])
    manager = client.KernelManager(kernel_spec_manager=specs, kernel_name="python3")
    manager.start_kernel(cwd=str(tmp_path), env={**os.environ, "IPYTHONDIR": str(Path(tmp_path, "ipython"))})
    kernel = manager.blocking_client()
    try:
        kernel.start_channels()
        kernel.wait_for_ready(timeout=60)
        yield kernel
    finally:
        kernel.stop_channels()
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()


@pytest.mark.long
def test_a_kernel_has_loaded_the_course_and_loading_it_again_prints_nothing(kernel):
    for claim, cell in FIRST_CELLS.items():
        said = []
        answer = kernel.execute_interactive(cell, timeout=60, output_hook=lambda message: said.append(message))
        assert answer["content"]["status"] == "ok", (claim, answer["content"])
        assert not [each["content"] for each in said if each["msg_type"] in SPOKEN], claim
