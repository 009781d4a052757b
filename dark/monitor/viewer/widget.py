"""The viewer in a notebook: an anywidget that asks the kernel, and is told what is new while a cell runs."""

from __future__ import annotations

import threading
import time
import weakref
from functools import cache
from typing import TYPE_CHECKING

from dark.errors import DarkError, missing_extra
from dark.monitor.viewer import page

if TYPE_CHECKING:
    from typing import Any

    from dark.monitor.viewer.answers import Answers

INTERVAL = 1.0  # seconds between two looks at a run
SHARE = 20  # the training has the other nineteen parts of the time
# What the page needs to follow a run; the rest it asks for when it is chosen.
FOLLOWED = ("describe", "timeline", "scalar", "steps", "tensor")


@cache
def widget_class() -> Any:
    """Define the widget class on first use: anywidget is an optional dependency."""
    try:
        import traitlets
        from anywidget import AnyWidget
    except ImportError:
        raise missing_extra("anywidget", "lab") from None

    class Viewer(AnyWidget):
        """The viewer of one or two runs."""

        _esm = page.script() + "\nexport default { render };\n"
        _css = page.style()
        answers = traitlets.Any()

        def __init__(self, answers: Answers) -> None:
            super().__init__(answers=answers)
            self.asked: dict[tuple[str, ...], dict[str, Any]] = {}
            self.on_msg(type(self)._receive)
            threading.Thread(target=push_news, args=(weakref.ref(self),), daemon=True).start()

        def _receive(self, message: dict[str, Any], buffers: list[bytes]) -> None:
            request = {key: value for key, value in message.items() if key != "id"}
            kind = request.get("ask")
            if kind in FOLLOWED:  # of tensors only the last one: it is what is seen
                key = (kind, request["run"], "" if kind == "tensor" else request.get("name", ""))
                self.asked[key] = request
            self.reply(request, id=message.get("id"))

        def reply(self, request: dict[str, Any], **more: Any) -> None:
            """Send the answer to a request."""
            try:
                header, arrays = self.answers.answer(request)
            except DarkError as error:
                header, arrays = {"error": str(error)}, []
            self.send(header | more, [array.tobytes() for array in arrays])

        def __repr__(self) -> str:
            return f"Viewer({', '.join(self.answers.shown)})"

        def _repr_mimebundle_(self, **kwargs: Any) -> Any:
            bundle, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
            return bundle | {"text/plain": repr(self)}, metadata

    return Viewer


def push_news(reference: weakref.ref[Any]) -> None:
    """Send what is new until the widget is closed or gone: a kernel that runs a cell may not answer questions."""
    versions: dict[str, str] = {}
    pause = INTERVAL
    while True:
        time.sleep(pause)
        widget = reference()
        if widget is None or widget.comm is None:
            return
        begun = time.perf_counter()
        push_once(widget, versions)
        pause = max(INTERVAL, SHARE * (time.perf_counter() - begun))
        del widget  # the thread must not keep it


def push_once(widget: Any, versions: dict[str, str]) -> None:
    """Send the answers again that have changed since the page asked."""
    asked = list(widget.asked.values())
    for name in {request["run"] for request in asked}:
        version = widget.answers.answer({"ask": "describe", "run": name}).header["version"]
        if versions.setdefault(name, version) == version:
            continue
        versions[name] = version
        for request in asked:
            if request["run"] == name:
                newest = renewed(request, widget.answers)
                widget.reply(newest, answers=newest)


def renewed(request: dict[str, Any], answers: Answers) -> dict[str, Any]:
    """Return the request whose answer the page will need next: everything of a series, the last tensor."""
    if request["ask"] != "tensor":
        return request | {"from": 0}
    count = len(answers.opened(request["run"]).tensor_dict[request["name"]])
    return request | {"index": count - 1}
