"""The scripts of pages: the tests of node, and that they can be joined to one module."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from dark.draw.explore import explorer_page
from dark.monitor.viewer import page as viewer
from dark.pages import bundle

TESTS = Path(__file__).parents[1]
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="no node on the path (Debian: apt-get install nodejs)")
FOLDERS = {"explorer": 7, "pages": 5, "viewer": 5}  # of tests of node, and how many files they have at least
ENTRIES = {"explorer": explorer_page.ENTRY, "viewer": viewer.ENTRY}
WORKERS = {explorer_page.ENTRY: [explorer_page.WORKER]}  # whose script is a string in that of the page
ALONE = {**ENTRIES, "worker of layouts": explorer_page.WORKER}


@needs_node
@pytest.mark.parametrize("folder", FOLDERS)
def test_the_scripts_pass_their_own_tests(folder):
    done = subprocess.run([NODE, "--test", str(TESTS / folder / "all.js")], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr


@pytest.mark.parametrize("folder", FOLDERS)
def test_all_tests_of_node_are_listed(folder):
    listed = re.findall(r'"\./(.*)"', (TESTS / folder / "all.js").read_text())
    found = sorted(path.name for path in (TESTS / folder).glob("*.test.js"))
    assert listed == found and len(listed) >= FOLDERS[folder]


@needs_node
@pytest.mark.parametrize("entry", ALONE.values(), ids=ALONE)
def test_the_joined_scripts_are_one_module(tmp_path, entry):
    path = tmp_path / "all.mjs"
    path.write_text(bundle.joined(entry), encoding="utf-8")
    done = subprocess.run([NODE, "--check", str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_every_script_is_in_its_page_once_and_after_what_it_imports(entry):
    order = bundle.in_order(entry)
    assert len(set(order)) == len(order)
    parts = {*order, *(path for worker in WORKERS.get(entry, ()) for path in bundle.in_order(worker))}
    assert {path for path in parts if path.parent != bundle.PARTS} == set(entry.parent.rglob("*.js"))
    for place, path in enumerate(order):
        assert set(bundle.imported(path)) <= set(order[:place])
    assert not re.search(r"^(import|export)\b", bundle.joined(entry), re.M)
    assert "</script" not in bundle.joined(entry).lower()


def test_every_shared_part_is_used():
    used = {path for entry in ENTRIES.values() for path in bundle.in_order(entry)}
    assert set(bundle.PARTS.glob("*.js")) <= used


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_a_folder_has_at_most_twenty_scripts(entry):
    folders = [bundle.PARTS, entry.parent, *(path for path in entry.parent.rglob("*") if path.is_dir())]
    assert len(folders) > 3
    assert all(len([*folder.glob("*.js")]) <= 20 for folder in folders)
