"""The chapter on drawing graphs: its pictures of other frameworks are made by its code, its table by experiments."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.drawings.table import table_of

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "book" / "drawing.md", ROOT / "README.md"]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
BLOCKS = [
    (page, block)
    for page in PAGES
    for block in BLOCK.findall(page.read_text(encoding="utf-8"))
    if re.search(r"^import (torch|jax)$", block, re.M) and "dark.draw(" in block
]


def words_of(picture):
    """Return the words of a picture; numbers of random weights differ between versions and processors."""
    return [NUMBER.sub("0", word) for word in re.findall(r"<text[^>]*>([^<]*)<", picture)]


@pytest.mark.long
@pytest.mark.oracle
@pytest.mark.parametrize(("page", "block"), BLOCKS, ids=[f"{page.stem}-{k}" for k, (page, _) in enumerate(BLOCKS)])
def test_the_code_for_other_frameworks_makes_the_picture_below_it(page, block, tmp_path):
    pytest.importorskip(re.search(r"^import (torch|jax)$", block, re.M)[1])
    name = re.search(r'save\("([^"]+)"\)', block)[1]
    code = block
    if "from transformers" in block:
        pytest.importorskip("transformers", reason="the oracle extra (transformers) is not installed")
        code = f"from tests.draw.adapters.public_models.models import torchvision; torchvision()\n{block}"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, check=True)
    after = page.read_text(encoding="utf-8").partition(block)[2]
    shown = re.search(r"!\[([^\]]+)\]\(((?:book/)?_static/[^)]+)\)", after)
    assert shown[2].endswith(f"/{name}") and len(shown[1]) > 80
    kept = (page.parent / shown[2]).read_text(encoding="utf-8")
    assert words_of((tmp_path / name).read_text(encoding="utf-8")) == words_of(kept)


def test_the_table_beside_others_is_what_the_experiments_found():
    text = PAGES[0].read_text(encoding="utf-8")
    about = json.loads((ROOT / "benchmarks" / "drawings" / "results.json").read_text(encoding="utf-8"))
    assert table_of(about["found"]) in text and about["date"] in text and about["processor"] in text
    assert {"dark", "torchview", "torchviz", "Netron", "micrograd's draw_dot"} <= about["found"].keys()


def test_each_line_of_the_overview_is_in_the_chapter():
    text = PAGES[0].read_text(encoding="utf-8")
    overview = re.findall(r"^\| [^|]+ \| `([^`]+)`", text.partition("```{code-cell}")[0], re.M)
    assert len(overview) >= 11
    for line in overview:
        assert text.count(line.partition("(")[0].partition(" train")[0]) >= 2, line
