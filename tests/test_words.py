"""Spelling and terms: American English, and the terms of PyTorch's and NumPy's documentation."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "book").glob("*.md"), ROOT / "benchmarks" / "README.md"]
SOURCES = [path for folder in ("dark", "book", "benchmarks", "examples") for path in (ROOT / folder).rglob("*.py")]
BRITISH = re.compile(
    r"\w*(?:(?:minim|maxim|optim|initial|normal|serial|general|standard|regular|vector)is(?:e|ed|er|ers|es|ing|ation)\b"
    r"|colour|behaviour|neighbour|licence|labelled|centre[ds]?\b|learnt\b|grey(?!s\b))\w*",
    re.IGNORECASE,
)
TERMS = {
    r"whole numbers?": "integer",
    r"truth values?": "bool",
    r"place by place": "elementwise",
    r"takes? no gradient": "does not require grad",
    r"(?:that|which) were had": "already consumed",
    r'^\s*"""Be (?:a|an|the|one) ': "a verb: compute, return, run",
}
ALLOWED = {"minimise"}  # the old name of `dark.minimize`, in the changelog


@pytest.mark.parametrize("path", sorted(PAGES + SOURCES), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_uses_american_spelling_and_the_terms_of_the_field(path):
    text = path.read_text(encoding="utf-8")
    british = {word.group() for word in BRITISH.finditer(text)}
    assert not british - (ALLOWED if path.name == "CHANGELOG.md" else set())
    found = {phrase: better for phrase, better in TERMS.items() if re.search(phrase, text, re.MULTILINE)}
    assert not found, "write instead: " + ", ".join(found.values())
