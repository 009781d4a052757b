"""Spelling and terms: American English, and the terms of PyTorch's and NumPy's documentation."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "book").glob("*.md"), ROOT / "benchmarks" / "README.md"]
FOLDERS = ("dark", "book", "benchmarks", "examples", "tests")
SOURCES = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py") if path != Path(__file__)]
BANK = [*(ROOT / "tests" / "exams").rglob("*.toml")]  # students read it
SCRIPTS = [path for path in (ROOT / "dark").rglob("*.js") if path.name != "uplot.js"]
ROOTS = (
    "minim maxim optim initial normal serial general standard regular vector recogn summar organ synchron memor visual"
)
ROOTS += " factor categor parametr random util final emphas"
BRITISH = re.compile(
    rf"\w*(?:{'|'.join(ROOTS.split())})is(?:e|ed|er|ers|es|ing|ation)$|\w*(?:behaviour|labelled|modelled|signalled|catalogue)\w*|analyse[ds]?$"
    r"|\w*(?:colour|neighbour|favour|licence|judgement)\w*|centre[ds]?$|learnt$|grey(?!s$)"
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
    words = set(re.findall("[a-z]+", text.lower())) - (ALLOWED if path.name == "CHANGELOG.md" else set())
    british = {word for word in words if BRITISH.match(word)}
    return british | {better for phrase, better in TERMS.items() if re.search(phrase, text, re.MULTILINE)}


def test_each_file_uses_american_spelling_and_the_terms_of_the_field():
    found = {str(path.relative_to(ROOT)): words_of(path) for path in PAGES + SOURCES + BANK + SCRIPTS}
    assert found
    assert {name: words for name, words in found.items() if words} == {}
