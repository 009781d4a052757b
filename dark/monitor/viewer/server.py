"""The server of `dark notes view`: a page on the loopback address, for those who know its token."""

import json
import secrets
import struct
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from dark.errors import DarkError, UsageError
from dark.monitor.viewer import page
from dark.monitor.viewer.answers import Answer, Answers

HOST = "127.0.0.1"
LONGEST_REQUEST = 10_000  # bytes


class PageServer(ThreadingHTTPServer):
    """Serves the viewer; `serve_forever` runs it until `shutdown`."""

    daemon_threads = True

    def __init__(self, answers: Answers, port: int | None = None) -> None:
        self.answers = answers
        self.token = secrets.token_urlsafe(24)
        try:
            super().__init__((HOST, port or 0), PageHandler)
        except (OSError, OverflowError) as error:
            raise UsageError(
                f"view: port {port} is in use or not allowed.",
                "a free port between 1024 and 65535.",
                "dark notes view without --port, which uses a free one",
            ) from error

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print nothing if a browser has closed its connection; print any other error."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    @property
    def url(self) -> str:
        """The URL of the page, with its token."""
        return f"http://{HOST}:{self.server_port}/?token={self.token}"

    def is_own(self, host: str | None) -> bool:
        """Return whether a request was sent to this address: another name may belong to a stranger's page."""
        return host in (f"{HOST}:{self.server_port}", f"localhost:{self.server_port}")

    def is_token(self, token: str | None) -> bool:
        """Return whether a token is right; how long it takes does not depend on where it differs."""
        return token is not None and secrets.compare_digest(token.encode(), self.token.encode())


class PageHandler(BaseHTTPRequestHandler):
    """Answers one connection: the page to GET /, data to POST /ask; anyone without the token is refused."""

    server: PageServer
    server_version, sys_version = "dark", ""

    def do_GET(self) -> None:
        """Send the page."""
        parts = urlsplit(self.path)
        if not self._is_allowed(parse_qs(parts.query).get("token", [None])[0]):
            return
        if parts.path != "/":
            return self._send(404, b"There is no such page.", "text/plain; charset=utf-8")
        title = " and ".join(self.server.answers.shown)
        self._send(200, page.html(title, "startServed", connect="'self'").encode(), "text/html; charset=utf-8")

    def do_POST(self) -> None:
        """Answer a question."""
        length = self.headers.get("Content-Length", "")
        is_possible = length.isdecimal() and int(length) <= LONGEST_REQUEST
        body = self.rfile.read(int(length)) if is_possible else b""
        if not self._is_allowed(self.headers.get("X-Token")):
            return
        try:
            request = json.loads(body)
            if urlsplit(self.path).path != "/ask" or not isinstance(request, dict):
                raise ValueError("not a question")
            content = packed(self.server.answers.answer(request))
        except (DarkError, ValueError, OSError) as error:  # OSError: the run was moved or deleted
            return self._send(400, str(error).encode(), "text/plain; charset=utf-8")
        self._send(200, content, "application/octet-stream")

    def _is_allowed(self, token: str | None) -> bool:
        if self.server.is_own(self.headers.get("Host")) and self.server.is_token(token):
            return True
        self._send(403, b"Open the address that `dark notes view` has printed.", "text/plain; charset=utf-8")
        return False

    def _send(self, status: int, content: bytes, kind: str) -> None:
        self.send_response(status)
        for name, value in {
            "Content-Type": kind,
            "Content-Length": str(len(content)),
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing: the address with its token would be in it."""


def packed(answer: Answer) -> bytes:
    """Return an answer as bytes: the length of the header in 4 bytes, the header as JSON, the arrays."""
    header = json.dumps(answer.header, allow_nan=False).encode()
    return b"".join([struct.pack("<I", len(header)), header, *(array.tobytes() for array in answer.arrays)])
