"""The web book builds without a warning, and its pages load nothing from a server."""

import doctest
import importlib.util
import re
import sys
from copy import deepcopy
from importlib import import_module
from pathlib import Path

import nbformat
import pytest

import dark
from dark.course.lessons.blank import BEGIN

pytest.importorskip("sphinx_book_theme", reason="the extra 'book' is not installed")
BeautifulSoup = pytest.importorskip("bs4").BeautifulSoup

ROOT = Path(__file__).parents[1]
CODE = re.compile(r"^```\{code-cell\}.*?^```$", re.MULTILINE | re.DOTALL)
CELL = re.compile(r"^```\{code-cell\} ipython3\n(?P<options>(?::[^\n]*\n)*)\n?(?P<source>.*?)^```$", re.M | re.S)
PYTORCH = re.compile(r"^::::\{container\} pytorch\n.*?^```python\n(.*?)^```\n\n```text\n(.*?)^```\n::::$", re.M | re.S)
MANUSCRIPTS = sorted((ROOT / "book").glob("[0-9][0-9]-*.md"))
NUMBER = re.compile(r"\d+\.\d+")
spec = importlib.util.spec_from_file_location("folding", ROOT / "book" / "folding.py")
folding = importlib.util.module_from_spec(spec)
spec.loader.exec_module(folding)
FROM_OUTSIDE = re.compile(
    r"<(?:script|img|iframe|source)\b[^>]*\bsrc=[\"'](?:https?:)?//[^\"']*"
    r"|<link\b[^>]*\brel=[\"'](?:stylesheet|preload|icon)[\"'][^>]*\bhref=[\"'](?:https?:)?//[^\"']*"
    r"|@import\s+[\"']?(?:https?:)?//[^\"'\s]*"
    r"|url\([\"']?(?:https?:)?//[^)]*"
)


@pytest.mark.long
def test_there_is_a_page_for_every_manuscript(pages):
    names = [path.stem for path in (ROOT / "book").glob("*.md")]
    assert {"index", "glossary"} <= set(names)
    assert not [name for name in names if not (pages / f"{name}.html").exists()]


@pytest.mark.long
def test_no_page_and_no_style_asks_a_server(pages):
    files = [*pages.rglob("*.html"), *pages.rglob("*.css")]
    found = {path.name: FROM_OUTSIDE.findall(path.read_text(encoding="utf-8")) for path in files}
    assert not {name: hits for name, hits in found.items() if hits}


@pytest.mark.long
def test_every_picture_of_a_cell_says_what_it_shows(pages):
    for path in pages.glob("*.html"):
        page = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        texts = [image.get("alt", "") for image in page.select(".cell_output img")]
        assert all(" " in text and "_images/" not in text for text in texts), path.name


@pytest.mark.parametrize("path", MANUSCRIPTS, ids=lambda path: path.stem)
def test_no_module_runs_again_for_the_book(path, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "book")
    monkeypatch.setitem(sys.modules, "folding", folding)
    recorded, shown = import_module("recorded"), folding.fold_answers(path.read_text(encoding="utf-8"))
    printed = nbformat.read(ROOT / "solutions" / f"{path.stem}.ipynb", as_version=4)
    found = recorded.take_outputs(shown, printed)
    assert any(cell.get("outputs") for cell in found.cells) or path.stem[:2] == "17"


@pytest.fixture(scope="module")
def modules(pages):
    """Return the article of each module's page."""
    texts = [page.read_text(encoding="utf-8") for page in pages.glob("[0-9][0-9]-*.html")]
    return [BeautifulSoup(text, "html.parser").article for text in texts]


def visible(module):
    """Return the visible text of a page before anything is unfolded."""
    copy = deepcopy(module)
    for details in copy.select("details.hide"):
        details.decompose()
    return copy.get_text()


@pytest.mark.long
def test_an_exercise_shows_its_stub_and_folds_its_solution(modules):
    with_exercises = [module for module in modules if "raise NotImplementedError" in visible(module)]
    assert len(with_exercises) == sum(BEGIN in path.read_text(encoding="utf-8") for path in MANUSCRIPTS)
    for module in with_exercises:
        assert "Show a solution" in module.get_text()
        assert "Show a solution" not in visible(module)
        assert "SOLUTION" not in module.get_text()


@pytest.mark.long
def test_no_prediction_is_given_away(modules):
    for module in modules:
        predictions = re.findall(r"predict\([^)]*\)", visible(module))
        assert predictions and all(text.endswith("...)") for text in predictions)
        assert "you predicted" in module.get_text()
        assert "you predicted" not in visible(module)


@pytest.mark.long
def test_a_module_links_to_its_notebook_and_does_not_ask_to_run_its_cells(modules, pages):
    for module in modules:
        [link] = module.select("a.download")
        assert (pages / link["href"]).is_file() and link["href"].endswith(".ipynb")
        assert "Run the cells" not in module.get_text()


def test_the_example_of_folding_is_true():
    assert doctest.testmod(folding) == (0, 2)


@pytest.mark.parametrize("path", MANUSCRIPTS, ids=lambda path: path.stem)
def test_each_fold_fills_in_what_stands_above_it(path):
    manuscript = path.read_text(encoding="utf-8")
    folded = folding.fold_answers(manuscript)
    assert (
        len(re.findall(r"raise NotImplementedError\(\"[\w.]+ is not written yet\"\)\n", folded))
        == manuscript.count(BEGIN)
        >= (path != MANUSCRIPTS[-1])  # the last has no exercises
    )
    asked = len(re.findall(r"^exercise: |^:tags: \[predict\]$", manuscript, re.M))
    answers = folded.count("```python\n") - manuscript.count("```python\n")
    assert folded.count("hide-cell") == answers == asked > (8 if BEGIN in manuscript else 2)
    plain = [source for source in CODE.findall(folded) if "hide-cell" not in source and "hide-input" not in source]
    assert all(source in manuscript for source in plain)
    assert BEGIN not in folded


def test_the_code_of_a_figure_is_folded():
    for path in sorted((ROOT / "book").glob("[0-9][0-9]-*.md")):
        cells = CODE.findall(folding.fold_answers(path.read_text(encoding="utf-8")))
        figures = [cell for cell in cells if "Figure(" in cell and "hide-cell" not in cell]
        assert figures and all("hide-input" in cell for cell in figures)
    for path in sorted((ROOT / "book").glob("*.md")):
        cells = CODE.findall(folding.fold_answers(path.read_text(encoding="utf-8")))
        assert all(cell.count("hide-input") <= 1 for cell in cells), path.name


@pytest.mark.long
def test_where_no_kernel_answers_the_pictures_of_the_stepper_stand(modules):
    cells = [cell for module in modules for cell in module.select("div.cell") if ".widget()" in cell.get_text()]
    assert cells
    for cell in cells:
        pictures = [figure.img["alt"] for figure in cell.select("figure")]
        places = [alt.partition(" ")[0].rstrip(":") for alt in pictures]
        assert pictures and places == [f"{k}/{len(pictures)}" for k in range(1, len(pictures) + 1)]


@pytest.fixture(scope="module")
def networks():
    """Read the manuscript that trains the same network twice."""
    return (ROOT / "book" / "networks.md").read_text(encoding="utf-8")


def run_until_the_first_recording(manuscript, namespace):
    """Run the cells that write the files with which both trainings begin."""
    for cell in CELL.finditer(manuscript[: manuscript.index("{container} pytorch")]):
        exec(cell["source"], namespace)


def same_numbers(text, other):
    """Compare two printed texts: equal but for their numbers, and these to 1e-6."""
    assert NUMBER.sub("#", text) == NUMBER.sub("#", other)
    numbers = [[float(number) for number in NUMBER.findall(t)] for t in (text, other)]
    assert numbers[0] == pytest.approx(numbers[1], abs=1e-6)


@pytest.mark.oracle
def test_the_recorded_output_is_what_pytorch_prints(networks, capsys, monkeypatch, tmp_path):
    pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    monkeypatch.chdir(tmp_path)
    run_until_the_first_recording(networks, {})
    recorded, namespace = PYTORCH.findall(networks), {}
    assert len(recorded) == networks.count("{container} pytorch") > 1
    for code, printed in recorded:
        capsys.readouterr()
        exec(code, namespace)
        same_numbers(printed, capsys.readouterr().out)


def test_dark_prints_beside_pytorch_the_same_losses(networks, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    namespace = {}
    run_until_the_first_recording(networks, namespace)
    beside = [cell["source"] for cell in CELL.finditer(networks) if "beside" in cell["options"]]
    for (_, printed), source in zip(PYTORCH.findall(networks), beside):
        capsys.readouterr()
        exec(source, namespace)
        same_numbers(printed, capsys.readouterr().out)
    assert beside


@pytest.mark.long
def test_the_two_trainings_stand_next_to_each_other(pages):
    page = BeautifulSoup((pages / "networks.html").read_text(encoding="utf-8"), "html.parser")
    (cell,) = page.select("div.cell.tag_beside")
    assert "pytorch" in cell.find_previous_sibling("div")["class"]
    assert ".tag_beside" in (pages / "_static" / "book.css").read_text(encoding="utf-8")


def test_a_part_of_ones_own_is_short(networks):
    classes = [cell["source"] for cell in CELL.finditer(networks) if cell["source"].startswith("class ")]
    bodies = [re.match(r"class .*\n(?:(?:    .*)?\n)*", source)[0].rstrip() for source in classes]
    assert [body.split(":")[0] for body in bodies] == ["class MyLinear", "class MyAdam"]
    lengths = [sum(bool(line.strip()) for line in body.splitlines()) for body in bodies]
    assert max(lengths) <= 15


@pytest.mark.long
def test_every_picture_of_a_network_is_on_the_page(pages):
    page = BeautifulSoup((pages / "networks.html").read_text(encoding="utf-8"), "html.parser")
    texts = [image.get("alt", "") for image in page.select(".cell_output img")]
    for beginning in ("Tree of Sequential", "Curves of 10 epochs", "Confusion matrix of 359", "Loss over the plane"):
        assert any(text.startswith(beginning) for text in texts), beginning


@pytest.mark.long
def test_the_page_of_the_engine_resumes_to_the_byte_and_draws_the_run(pages):
    page = BeautifulSoup((pages / "engine.html").read_text(encoding="utf-8"), "html.parser")
    assert "exit code -9" in page.get_text() and "identical files: True" in page.get_text()
    (image,) = page.select(".cell_output img")
    assert image["alt"].startswith("Timeline of trainer, evaluator: ")


@pytest.mark.long
def test_every_public_name_has_a_page_with_its_docstring_and_its_source(pages):
    packages = {f"dark.{name}": import_module(f"dark.{name}") for name in dark.PACKAGES if name != "errors"}
    for package, module in packages.items():
        for name in module.__all__:
            assert (pages / "reference" / "names" / f"{package}.{name}.html").exists()
    page = BeautifulSoup((pages / "reference/names/dark.nn.Linear.html").read_text(encoding="utf-8"), "html.parser")
    links = [link["href"] for link in page.article.select("a[href]")]
    assert "https://docs.pytorch.org/docs/stable/generated/torch.nn.Linear.html" in links
    assert any("_modules/dark/nn/layers/linear.html" in link for link in links)
    assert "in_features" in page.article.get_text() and "Examples" in page.article.get_text()


@pytest.mark.long
def test_a_name_in_backticks_is_a_link_to_its_page(pages):
    page = BeautifulSoup((pages / "derivatives.html").read_text(encoding="utf-8"), "html.parser")
    links = {code.get_text(): code.parent["href"] for code in page.article.select("a > code")}
    assert links["dark.grad"] == "reference/names/dark.derivatives.grad.html"


@pytest.mark.oracle
def test_the_counterparts_exist_in_pytorch():
    pytest.importorskip("torch", reason="the oracle extra (PyTorch) is not installed")
    lines = (ROOT / "book" / "pytorch_names.txt").read_text(encoding="utf-8").splitlines()[1:]
    for line in lines:
        own, theirs = line.split()
        package, name = own.rsplit(".", 1)
        assert name in import_module(package).__all__
        module, counterpart = theirs.rsplit(".", 1)
        assert hasattr(import_module(module), counterpart), line


@pytest.mark.long
def test_the_book_shows_nobodys_progress(modules):
    for module in modules:
        assert "not attempted" not in module.get_text() and "exercises are yours" not in module.get_text()


@pytest.mark.long
def test_other_books_can_link_to_the_reference(pages):
    intersphinx = import_module("sphinx.util.inventory")
    with (pages / "objects.inv").open("rb") as file:
        found = intersphinx.InventoryFile.load(file, "", lambda base, path: path)
    assert "dark.nn.Linear" in found["py:class"] and "dark.derivatives.grad" in found["py:function"]
