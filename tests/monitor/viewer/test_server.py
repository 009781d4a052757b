"""The server: the page and the data for those who know the token, and nothing for others."""

import json
import struct
import threading
import urllib.error
import urllib.request
from contextlib import contextmanager

import numpy as np
import pytest

from dark.errors import UsageError
from dark.monitor.viewer.answers import Answers
from dark.monitor.viewer.server import PageServer
from dark.monitor.viewer.views import openers_of


@contextmanager
def serving(runs):
    """Serve a run in a thread."""
    with PageServer(Answers(*openers_of([runs / "first"], "view"))) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def server(runs):
    with serving(runs) as started:
        yield started


def fetch(server, path, body=None, **headers):
    """Return status, headers and content of an answer."""
    url = f"http://127.0.0.1:{server.server_port}{path}"
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as reply:
            return reply.status, reply.headers, reply.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


def ask(server, request, **headers):
    return fetch(server, "/ask", json.dumps(request).encode(), **{"X-Token": server.token, **headers})


def test_the_page_needs_the_token(server):
    status, headers, content = fetch(server, f"/?token={server.token}")
    assert status == 200 and b"startServed();" in content and headers["Referrer-Policy"] == "no-referrer"
    assert server.url.endswith(f"/?token={server.token}") and server.url.startswith("http://127.0.0.1:")
    for path in ("/", "/?token=", "/?token=wrong", f"/?token={server.token}x", "/ask"):
        status, headers, content = fetch(server, path)
        assert status == 403 and b"dark notes view" in content and server.token.encode() not in content


def test_data_need_the_token_too(server):
    request = {"ask": "runs"}
    assert ask(server, request)[0] == 200
    assert ask(server, request, **{"X-Token": "wrong"})[0] == 403
    assert fetch(server, f"/ask?token={server.token}", json.dumps(request).encode())[0] == 403


def test_another_host_name_is_refused(server):
    assert ask(server, {"ask": "runs"}, Host="evil.example:80")[0] == 403
    assert ask(server, {"ask": "runs"}, Host=f"localhost:{server.server_port}")[0] == 200


def test_only_this_machine_can_connect(server):
    assert server.server_address[0] == "127.0.0.1"


def test_a_tensor_arrives_as_header_and_bytes(server, runs):
    _, _, content = ask(server, {"ask": "tensor", "run": "first", "name": "weights/fc1.weight", "index": 3})
    (length,) = struct.unpack("<I", content[:4])
    header = json.loads(content[4 : 4 + length])
    assert header["arrays"] == [{"dtype": "float32", "bytes": 2560}]
    array = np.frombuffer(content[4 + length :], np.float32).reshape(header["shape"])
    assert array.shape == (10, 64) and header["step"] == 60


def test_a_wrong_question_is_answered_with_what_is_wrong(server):
    status, _, content = ask(server, {"ask": "scalar", "run": "first", "name": "los"})
    assert status == 400 and b"the scalar 'los' does not exist" in content and b"loss" in content
    assert ask(server, [1])[0] == 400
    assert fetch(server, "/ask", b"{", **{"X-Token": server.token})[0] == 400
    assert fetch(server, "/elsewhere", b"{}", **{"X-Token": server.token})[0] == 400
    assert fetch(server, f"/elsewhere?token={server.token}")[0] == 404
    assert ask(server, {"ask": "x" * 20_000})[0] == 400


def test_a_run_that_cannot_be_read_any_more_is_said(server, monkeypatch):
    def gone(request):
        raise FileNotFoundError(2, "No such file or directory", "runs/first")

    monkeypatch.setattr(server.answers, "answer", gone)
    status, _, content = ask(server, {"ask": "describe", "run": "first"})
    assert status == 400 and b"No such file or directory: 'runs/first'" in content


def test_a_browser_that_goes_away_is_not_reported(server, capsys):
    for error, words in [(BrokenPipeError(), ""), (ZeroDivisionError(), "ZeroDivisionError")]:
        try:
            raise error
        except type(error):
            server.handle_error(None, ("127.0.0.1", 1))
        assert words in capsys.readouterr().err if words else capsys.readouterr().err == ""


def test_two_servers_have_two_tokens_and_a_busy_port_is_a_clear_error(server, runs):
    answers = server.answers
    with PageServer(answers) as other:
        assert other.token != server.token and other.server_port != server.server_port
    with pytest.raises(UsageError, match=f"port {server.server_port} is in use or not allowed"):
        PageServer(answers, server.server_port)
    with pytest.raises(UsageError, match="between 1024 and 65535"):
        PageServer(answers, 70000)
