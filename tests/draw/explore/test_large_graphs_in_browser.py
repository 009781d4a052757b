"""Large graphs in chromium: the page asks, lays out in a worker, stops, and does without workers; what it draws."""

import json

import numpy as np
import pytest

from dark.draw.explore.explorer_page import page_data, page_of_graph
from dark.draw.graph.graph_record import GraphNode, GraphRecord, Result
from tests.draw.explore.test_explorer_in_browser import SIZE, open_modules, opened, press, state

pytestmark = pytest.mark.browser
ALL_OPEN = "() => darkExplorer.scene.boxes.size === darkExplorer.graph.count"
# The longest time in milliseconds for which the page did not answer, since the last call.
WATCH = """window.longest = 0; { let last = performance.now(); setInterval(() => {
    const now = performance.now(); window.longest = Math.max(window.longest, now - last - 4); last = now; }, 1); }"""
NO_WORKER = "() => { window.Worker = class { constructor() { throw new Error('refused'); } }; }"


def recurrent_record(steps):
    """Return a record of a recurrent cell of 20 nodes a step, in one module."""
    nodes = [GraphNode("x", role="input", name="x", shape=(steps, 4), dtype="float32")]
    nodes += [GraphNode(f"w{k}", role="parameter", name=f"cell.w{k}", path=("cell",), shape=(4, 4)) for k in range(3)]
    before = "w0"
    for k in range(steps):
        nodes.append(GraphNode(f"x{k}", "select", inputs=("x",), shape=(1, 4)))
        place = [f"x{k}", before]
        for n in range(20):
            name = f"h{k}.{n}"
            inputs = (place[n % 2], f"w{n % 3}") if n < 4 else (f"h{k}.{n - 1}", f"h{k}.{n - 2}")
            nodes.append(GraphNode(name, ("mul", "tanh", "+")[n % 3], inputs=inputs, path=("cell",), shape=(1, 4)))
        before = f"h{k}.19"
    outputs = tuple(f"h{k}.19" for k in range(steps))
    return GraphRecord((*nodes, GraphNode("loss", "mean", inputs=outputs)), {("cell",): "Cell"})


def save(record, path, **settings):
    page = page_of_graph(page_data(record, "large", open=set(), **settings))
    page.save(path)
    return page


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    save(recurrent_record(400), folder / "large.html")
    save(recurrent_record(60), folder / "middle.html")
    return folder


@pytest.mark.long
def test_thousands_of_boxes_open_after_a_question_while_the_page_answers(chromium, folder):
    with opened(chromium, folder / "large.html") as page:
        page.evaluate(WATCH)
        press(page, "O")
        assert page.inner_text("dialog h2") == "Open 8,002 more boxes?"
        assert "8,405 boxes" in page.inner_text("dialog")
        press(page, "Escape")
        page.wait_for_selector("dialog", state="detached")
        assert open_modules(page) == [""] and page.evaluate("() => darkExplorer.scene.boxes.size") < 500
        press(page, "O")
        page.evaluate("() => { window.longest = 0; }")
        press(page, "Enter")
        page.wait_for_function(ALL_OPEN)
        assert open_modules(page) == ["", "cell"]
        assert page.is_hidden(".busy") and page.evaluate("() => darkExplorer.opening.planner.worker !== null")
        assert page.evaluate("() => window.longest") < 3000  # a busy machine; without a worker it was a minute


def test_a_hit_in_a_large_module_is_opened_after_a_question_or_its_module_is_chosen(chromium, folder):
    with opened(chromium, folder / "large.html") as page:
        page.fill(".search input", "tanh")
        press(page, "Enter")
        assert page.inner_text("dialog h2").startswith("Open 8,0")
        page.click("dialog button:has-text('Cancel')")
        page.wait_for_selector("dialog", state="detached")
        assert open_modules(page) == [""]
        assert page.evaluate("() => darkExplorer.graph.titleOf(darkExplorer.chosen)") == "cell: Cell"


def test_esc_and_the_button_stop_a_layout(chromium, folder):
    with opened(chromium, folder / "middle.html") as page:
        for stop in ("() => darkExplorer.act('close')", "() => document.querySelector('.busy button').click()"):
            shown = page.evaluate(
                "stop => { darkExplorer.openAll(true); const busy = document.querySelector('.busy').innerText;"
                " eval(stop)(); return busy; }",
                stop,
            )
            assert shown.startswith("Laying out 1,26")
            page.wait_for_selector(".busy", state="hidden")
            assert open_modules(page) == [""] and page.text_content(".live") == "The layout was stopped."
        press(page, "O")
        page.wait_for_function(ALL_OPEN)
        press(page, "C")
        assert open_modules(page) == [""]


def test_without_workers_the_layout_is_the_same(chromium, folder):
    scenes = []
    for script in ("", NO_WORKER):
        with opened(chromium, folder / "middle.html") as page:
            page.evaluate(script or "0")
            press(page, "O")
            page.wait_for_function(ALL_OPEN)
            assert page.evaluate("() => Boolean(darkExplorer.opening.planner.worker)") == (not script)
            scenes.append(page.evaluate("() => JSON.stringify([...darkExplorer.scene.boxes])"))
    assert scenes[0] == scenes[1]


def test_a_frame_of_a_notebook_has_a_worker_too(chromium, tmp_path):
    page, failures = chromium.new_page(viewport=SIZE), []
    page.on("console", lambda message: failures.append(message.text) if message.type == "error" else None)
    page.set_content(save(recurrent_record(60), tmp_path / "middle.html")._repr_html_())
    page.frame_locator("iframe").locator(".graph").wait_for()
    inner = page.frames[-1]
    inner.wait_for_function("() => window.darkExplorer && darkExplorer.scene")
    inner.evaluate("() => darkExplorer.openAll(true)")
    inner.wait_for_function(ALL_OPEN)
    assert inner.evaluate("() => darkExplorer.opening.planner.worker !== null") and failures == []
    page.close()


def test_a_page_whose_modules_are_all_open_at_first_is_laid_out_in_the_background(chromium, tmp_path):
    page_of_graph(page_data(recurrent_record(60), "open", open={("cell",)})).save(tmp_path / "open.html")
    with opened(chromium, tmp_path / "open.html") as page:
        page.wait_for_function(ALL_OPEN)
        assert open_modules(page) == ["", "cell"]


def kinds_record():
    """Return a record with all that a record may hold."""
    weight = np.linspace(-1, 1, 48).reshape(6, 8)
    return GraphRecord(
        [
            GraphNode("x", role="input", name="tokens", shape=("batch", 128), dtype="int64"),
            GraphNode("w", role="parameter", name="encoder.embedding.weight", shape=(6, 8), value=weight, grad=weight),
            GraphNode("e", "embedding", shape=("batch", 128, 8), dtype="float32", inputs=("x", "w")),
            GraphNode("m", role="constant", name="mask", value=np.array([0.0, 1.0])),
            GraphNode(
                "g", "gru", inputs=("e", "m"), labels=("input", "mask"),
                results=(Result("output", ("batch", 128, 8), "float32"), Result("h_n", (1, "batch", 8), "float32")),
            ),
            GraphNode("a", "argmax", role="detached", inputs=("g",), labels=("h_n",)),
            GraphNode("o", "matmul", inputs=("g", "a", "m"), labels=("output", "", ""), mark="failed"),
        ]
    )  # fmt: skip


def test_results_labels_and_failures_are_drawn_and_told(chromium, tmp_path):
    save(kinds_record(), tmp_path / "kinds.html")
    with opened(chromium, tmp_path / "kinds.html") as page:
        words = page.locator(".legend span").all_inner_texts()
        assert words == ["parameter", "constant", "input", "result", "without gradient", "failed here"]
        gru = next(k for k, node in enumerate(state(page, "graph.nodes")) if node["operation"] == "gru")
        texts = [text for _, text in state(page, f"graph.nodes[{gru}].lines")]
        assert texts == ["gru", "output float32 batch × 128 × 8", "h_n float32 1 × batch × 8"]
        assert sorted(state(page, f"graph.nodes[{gru}].edgeLabels").values()) == ["input", "mask"]
        page.evaluate("id => darkExplorer.goTo(id)", gru)
        assert "h_n float32 1 × batch × 8" in page.inner_text(".details .facts")
        page.fill(".search input", "failed")
        press(page, "Enter")
        assert page.text_content(".live").startswith("failed: result of matmul")
        page.fill(".search input", "(batch, 128)")
        assert page.inner_text(".results li .label") == "tokens"


def test_rows_of_the_search_show_the_name_first_and_nothing_runs_over_the_edge(chromium, tmp_path):
    path = ("encoder", "layers", "0", "attention_with_a_long_name")
    nodes = [GraphNode(k, "conv", inputs=(k - 1,) if k else (), shape=(64, 256, 56, 56), path=path) for k in range(9)]
    names = ["w", "layer4.2.bn3.running_mean.weight", "an.unusually.long.name.of.a.parameter.that.does.not.fit.weight"]
    nodes += [GraphNode(name, role="parameter", name=name, shape=(64, 3), path=path) for name in names]
    record = GraphRecord([*nodes, GraphNode("last", "+", inputs=(8, *names))])
    save(record, tmp_path / "rows.html")
    with opened(chromium, tmp_path / "rows.html") as page:
        for query in ("conv", "w"):
            page.fill(".search input", query)
            found = page.evaluate(
                """() => [...document.querySelectorAll('.results li')].map((row) => {
                    const box = row.getBoundingClientRect(), [, label, note] = [...row.children];
                    const ends = [label, note].map((part) => part.getBoundingClientRect().right);
                    const cut = label.scrollWidth > label.clientWidth + 1;
                    return {text: label.textContent, over: Math.max(...ends) - box.right, cut};
                })"""
            )
            assert found and all(row["over"] <= 0 for row in found)
            assert all(row["cut"] == (len(row["text"]) > 40) for row in found)


def test_the_limits_of_findings_are_set(chromium, tmp_path):
    nodes = [GraphNode(0, role="parameter", name="w", grad=0.9**60, value=1.0)]
    nodes += [GraphNode(k, "tanh", inputs=(k - 1,), grad=0.9 ** (60 - k), value=0.5) for k in range(1, 61)]
    save(GraphRecord(nodes), tmp_path / "limits.html")
    with opened(chromium, tmp_path / "limits.html") as page:
        assert page.locator(".chip").all_inner_texts() == ["limits"]
        page.click(".chip")
        page.locator("dialog input").nth(1).fill("50")
        page.locator("dialog input").nth(1).press("Tab")
        press(page, "Escape")
        page.wait_for_selector("dialog", state="detached")
        (vanishing,) = [
            chip for chip in page.locator(".chip").all_inner_texts() if chip.startswith("gradient vanishes")
        ]
        assert 10 < int(vanishing.split()[-1]) < 30
        page.click(".chip >> nth=0")
        assert json.loads(page.evaluate("() => JSON.stringify(darkExplorer.search.hits)"))
