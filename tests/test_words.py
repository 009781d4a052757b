"""Spelling and terms: American English, and the terms of PyTorch's and NumPy's documentation."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "book").glob("*.md"), ROOT / "benchmarks" / "README.md"]
SOURCES = [path for folder in ("dark", "book", "benchmarks", "examples") for path in (ROOT / folder).rglob("*.py")]
BRITISH = re.compile(
    r"(?:minim|maxim|optim|initial|normal|serial|general|standard|regular|vector)is(?:e|ed|er|ers|es|ing|ation)\b"
    r"|colour|behaviour|neighbour|licence|labelled|centre[ds]?\b|learnt\b|grey(?!s\b)",
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


def words_of(path):
    """Return the British spellings in a file, and what to write instead of the phrases found in it."""
    text = path.read_text(encoding="utf-8")
    british = {word.group() for word in BRITISH.finditer(text)} - (ALLOWED if path.name == "CHANGELOG.md" else set())
    return british | {better for phrase, better in TERMS.items() if re.search(phrase, text, re.MULTILINE)}


def test_each_file_uses_american_spelling_and_the_terms_of_the_field():
    found = {str(path.relative_to(ROOT)): words_of(path) for path in PAGES + SOURCES}
    assert found
    assert {name: words for name, words in found.items() if words} == {}
