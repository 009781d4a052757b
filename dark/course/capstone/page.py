"""The page of a project: its sections, its claims, its table, and the numbers in its prose."""

import re
from dataclasses import dataclass

from dark.course.capstone.claims import Claim
from dark.course.capstone.curves import BEGIN, END, last_values, variants_of

PAGE_NAME = "page.md"
SECTIONS = ("Claim", "Curve", "Ablation", "Failure")
TO_WRITE = "> To write:"  # begins each instruction of the skeleton
FENCE = re.compile(r"^```.*?^```[^\n]*$", re.MULTILINE | re.DOTALL)
TABLE = re.compile(f"{re.escape(BEGIN)}(.*?){re.escape(END)}", re.DOTALL)
DECIMAL = re.compile(r"(?<![\w.])-?\d+\.\d+(?![\w.]*\d)")
LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(https?://[^)\s]*\)")
FEWEST_WORDS = 8


@dataclass(frozen=True)
class Section:
    """One section of a page."""

    name: str
    text: str

    @property
    def prose(self):
        """The text without code blocks, table, pictures and instructions of the skeleton."""
        text = TABLE.sub("", FENCE.sub("", self.text))
        text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
        return "\n".join(line for line in text.splitlines() if not line.startswith(TO_WRITE))

    @property
    def is_written(self):
        """Whether it has a sentence of the author, and no instruction of the skeleton is left."""
        return TO_WRITE not in self.text and len(re.findall(r"[^\W\d_]+", self.prose)) >= FEWEST_WORDS

    @property
    def named(self):
        """The words in backticks of the prose."""
        return re.findall(r"`([^`\n]+)`", self.prose)

    def claim(self):
        """Return the `Claim` of its block of code that begins with the comment `# claim` or `# failure`, or None."""
        for block in FENCE.findall(self.text):
            lines = block.splitlines()[1:-1]
            if lines and lines[0].strip() in ("# claim", "# failure"):
                body = "\n".join(line for line in lines[1:] if line.strip() and not line.strip().startswith("#"))
                return Claim(body) if body.strip(". \n") else None
        return None


def sections_of(text):
    """Return the sections of a page by their names: the headings of level 2."""
    parts = re.split(r"^## +(.+?) *$", text, flags=re.MULTILINE)
    return {name: Section(name, body) for name, body in zip(parts[1::2], parts[2::2])}


def table_in(text):
    """Return the table between the two marks of a page, or None."""
    found = TABLE.search(text)
    return found[1].strip() if found else None


def unknown_numbers(text, results, code=""):
    """List the decimal numbers in the prose of a page that neither results nor settings give, each with its line.

    Known are what a run has measured, mean, lowest and highest last value of a variant, the difference of two of these,
    all of these in percent, and numbers in `code` and claims. One from elsewhere is the text of a link to its source.
    """
    known = _known(results)
    settings = {float(number) for number in DECIMAL.findall(code + "".join(FENCE.findall(text)))}
    plain = TABLE.sub(_lines_alone, FENCE.sub(_lines_alone, text))
    found = []
    for number, line in enumerate(plain.splitlines(), 1):
        if line.startswith(TO_WRITE):
            continue
        for written in DECIMAL.findall(LINK.sub("", line)):
            digits = len(written.partition(".")[2])
            values = [*known, *(100 * value for value in known)]
            is_known = any(abs(value - float(written)) <= 0.51 * 10**-digits for value in values)
            if float(written) not in settings and not is_known:
                found.append((written, number))
    return found


def _lines_alone(match):
    """Keep the line ends of removed text, so that the other lines keep their numbers."""
    return "\n" * match[0].count("\n")


def _known(results):
    names = variants_of(results)
    last = {name: last_values(results, name) for name in names}
    told = [each for name in names for each in (sum(last[name]) / len(last[name]), min(last[name]), max(last[name]))]
    measured = [value for run in results["runs"] for _, value in run["curve"]]
    return [*measured, *told, *(a - b for a in told for b in told)]
