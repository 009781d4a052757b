"""What JupyterLab keeps about a notebook: its language, and whether it is trusted."""

import pytest

from dark.cli.jupyter_notebooks import LANGUAGE, prepare, trusted
from dark.course.lessons.notebook_files import read_notebook, save_file
from tests.course import little

pytest.importorskip("nbformat")


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    little.install(tmp_path, monkeypatch)
    return tmp_path / "work" / f"{little.STEM}.ipynb"


def test_a_prepared_notebook_is_trusted_until_it_changes_and_its_cells_stay(path):
    cells = read_notebook(path)["cells"]
    assert trusted([path, path.with_name("missing.ipynb")]) == set()
    prepare(path)
    assert trusted([path]) == {path} and read_notebook(path)["cells"] == cells
    save_file(path, path.read_text().replace('"outputs": []', '"outputs": [{"output_type": "stream"}]', 1))
    assert trusted([path]) == set()


def test_it_has_the_language_that_the_kernel_will_tell(path):
    ipkernel = pytest.importorskip("ipykernel.ipkernel")
    prepare(path)
    assert read_notebook(path)["metadata"]["language_info"] == LANGUAGE
    info = ipkernel.IPythonKernel.language_info
    assert {**info, "version": LANGUAGE["version"]} == LANGUAGE


@pytest.mark.parametrize("content", ["no notebook", ""])
def test_a_damaged_notebook_is_left_alone(path, content):
    path.write_text(content)
    prepare(path)
    assert path.read_text() == content
    assert trusted([path]) == set()
