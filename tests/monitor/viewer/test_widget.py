"""The widget: what it answers, and what it sends by itself while a cell keeps the kernel busy."""

import sys
import weakref

import numpy as np
import pytest

import dark
from dark.errors import MissingExtraError, StorageError
from dark.monitor import Note
from dark.monitor.viewer import widget
from tests.monitor.viewer.runs import take_down


@pytest.fixture
def sent(monkeypatch):
    """Collect what widgets send, and let no thread push."""
    messages = []
    pytest.importorskip("anywidget")
    monkeypatch.setattr(widget, "push_news", lambda reference: None)
    monkeypatch.setattr(widget.widget_class(), "send", lambda self, header, buffers: messages.append((header, buffers)))
    return messages


def test_a_question_is_answered_with_its_id(runs, sent):
    view = dark.monitor.view(runs / "first")
    view.conversation.receive(view, {"ask": "tensor", "run": "first", "name": "counts", "index": 2, "id": 7}, [])
    ((header, (data,)),) = sent
    assert header["id"] == 7 and header["shape"] == [2, 3]
    assert np.frombuffer(data).tolist() == [2, 3, 4, 5, 6, 7]


def test_a_wrong_question_is_answered_with_the_error(runs, sent):
    view = dark.monitor.view(runs / "first")
    view.conversation.receive(view, {"ask": "describe", "run": "none", "id": 1}, [])
    assert sent[0][0]["id"] == 1 and "the run 'none' does not exist" in sent[0][0]["error"]


def test_what_is_new_is_sent_without_being_asked(tmp_path, sent):
    note = Note(tmp_path / "live")
    view = dark.monitor.view(note)
    assert [one["answers"]["ask"] for one in view.start] == ["runs", "describe"]
    versions = {}
    widget.push_once(view, versions)
    del sent[:]
    widget.push_once(view, versions)
    assert sent == []
    for k in (0, 1):
        take_down(note, k, np.random.default_rng(k))
    widget.push_once(view, versions)
    pushed = {(header["answers"]["ask"], header["answers"].get("name")): (header, data) for header, data in sent}
    names = {name for ask, name in pushed if ask == "scalar"}
    assert names == {"loss", "accuracy/train", "gradient_norm/fc1.weight"}
    assert np.frombuffer(pushed["scalar", "loss"][1][0]).tolist() == [0, 20]
    assert pushed["scalar", "loss"][0]["from"] == 0
    assert pushed["tensor", "weights/fc1.weight"][0]["step"] == 20
    view.conversation.receive(view, {"ask": "tensor", "run": "live", "name": "counts", "index": 0, "id": 1}, [])
    take_down(note, 2, np.random.default_rng(2))
    del sent[:]
    widget.push_once(view, versions)
    assert sent[-1][0]["answers"] == {"ask": "tensor", "run": "live", "name": "counts", "index": 2}
    note.close()


def test_the_thread_ends_with_the_widget(runs, monkeypatch):
    monkeypatch.setattr(widget, "INTERVAL", 0.0)

    class Gone:
        comm = None

    gone = Gone()
    widget.push_news(weakref.ref(gone))  # returns: it is closed
    reference = weakref.ref(gone)
    del gone
    widget.push_news(reference)  # returns: it is gone


def test_a_widget_has_the_page_and_a_name(runs, sent):
    view = dark.monitor.view(runs / "first", runs / "second")
    assert view._esm.endswith("export default { render };\n") and ".uplot" in view._css
    data, _ = view._repr_mimebundle_()
    assert data["text/plain"] == "Viewer(first, second)" and "application/vnd.jupyter.widget-view+json" in data


def test_without_anywidget_the_error_names_the_extra(monkeypatch, runs):
    widget.widget_class.cache_clear()
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(MissingExtraError, match=r"anywidget is not installed(.|\n)*dark-course\[lab\]"):
        dark.monitor.view(runs / "first")


def test_what_is_not_a_run_is_refused(tmp_path):
    with pytest.raises(StorageError, match="the folder does not hold a run"):
        dark.monitor.view(tmp_path)
