"""The viewer in a notebook: an anywidget that asks the kernel, and is sent news while a cell runs."""

import threading
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

from dark.errors import DarkError, missing_extra
from dark.monitor.viewer import page
from dark.monitor.viewer.answers import Answers

INTERVAL = 1.0  # seconds between two looks at a run
SHARE = 20  # the training has the other nineteen parts of the time
SILENCE = 3.0  # seconds without a question after which the page is told what is new
MOST_SCALARS = 40  # that are sent without being asked for


class Conversation:
    """The messages between a widget and its page: questions, answers, and updates."""

    def __init__(self, answers: Answers, send: Callable[[dict[str, Any], list[bytes]], None]) -> None:
        self.answers, self.send = answers, send
        self.asked: dict[str, str] = {}  # the tensor that was asked for last, by run
        self.heard = time.monotonic()

    def receive(self, widget: Any, message: dict[str, Any], buffers: list[bytes]) -> None:
        """Answer a question of the page."""
        request = {key: value for key, value in message.items() if key != "id"}
        self.heard = time.monotonic()
        if request.get("ask") == "tensor":
            self.asked[request["run"]] = request["name"]
        self.reply(request, id=message.get("id"))

    def reply(self, request: dict[str, Any], **more: Any) -> None:
        """Send the answer to a request."""
        try:
            header, arrays = self.answers.answer(request)
        except (DarkError, OSError) as error:  # OSError: the run was moved or deleted
            header, arrays = {"error": str(error)}, []
        self.send(header | more, [array.tobytes() for array in arrays])


@cache
def widget_class() -> Any:
    """Define the widget class on first use: anywidget is an optional dependency."""
    try:
        import traitlets
        from anywidget import AnyWidget
    except ImportError:
        raise missing_extra("anywidget", "lab") from None

    class Viewer(AnyWidget):
        """The viewer of a run, or of two; its trait `start` has the data that the page needs before it can ask."""

        _esm = page.script() + "\nexport default { render };\n"
        _css = page.style()
        start: Any = traitlets.List().tag(sync=True)
        answers = traitlets.Any()

        def __init__(self, answers: Answers) -> None:
            super().__init__(answers=answers, start=first_answers(answers))
            self.conversation = Conversation(answers, self.send)
            self.on_msg(self.conversation.receive)
            with suppress(RuntimeError):  # no threads in a browser: the page has no news while a cell runs
                threading.Thread(target=push_news, args=(weakref.ref(self),), daemon=True).start()

        def __repr__(self) -> str:
            return f"Viewer({', '.join(self.answers.shown)})"

        def _repr_mimebundle_(self, **kwargs: Any) -> Any:
            bundle, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
            return bundle | {"text/plain": repr(self)}, metadata

    return Viewer


def first_answers(answers: Answers) -> list[dict[str, Any]]:
    """Return the headers of the first answers, each with its request."""
    requests = [{"ask": "runs"}, *({"ask": "describe", "run": name} for name in answers.shown)]
    return [answers.answer(request).header | {"answers": request} for request in requests]


def push_news(reference: weakref.ref[Any]) -> None:
    """Send news to the page until the widget is gone: old kernels do not answer questions while they run a cell."""
    versions: dict[str, str] = {}
    pause = INTERVAL
    while True:
        time.sleep(pause)
        widget = reference()
        if widget is None or widget.comm is None:
            return
        begun = time.monotonic()
        if begun - widget.conversation.heard > SILENCE:
            push_once(widget, versions)
        pause = max(INTERVAL, SHARE * (time.monotonic() - begun))
        del widget  # the thread must not keep it


def push_once(widget: Any, versions: dict[str, str]) -> None:
    """Send the data of changed runs before the page requests it."""
    for name in widget.answers.shown:
        header = widget.answers.answer({"ask": "describe", "run": name}).header
        if versions.get(name) == header["version"]:
            continue
        versions[name] = header["version"]
        for request in requests_for(name, header, widget.conversation.asked.get(name)):
            widget.conversation.reply(request, answers=request)


def requests_for(name: str, header: dict[str, Any], tensor: str | None) -> list[dict[str, Any]]:
    """Return the next requests of the page about a run: its scalars, and the last record of the tensor it shows."""
    requests: list[dict[str, Any]] = [{"ask": "describe", "run": name}, {"ask": "timeline", "run": name}]
    scalars = [one["name"] for one in header["scalars"][:MOST_SCALARS]]
    requests += [{"ask": "scalar", "run": name, "name": scalar, "from": 0} for scalar in scalars]
    counts = {one["name"]: one["count"] for one in header["tensors"]}
    shown = tensor if tensor in counts else next(iter(counts), None)
    if shown is not None:
        requests.append({"ask": "steps", "run": name, "name": shown, "from": 0})
        requests.append({"ask": "tensor", "run": name, "name": shown, "index": counts[shown] - 1})
    return requests
