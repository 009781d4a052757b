"""Compare the answers of a class, as they are read now or were before, and make the page of similar answers.

The page is a list of pairs, and the answers of each pair side by side.
"""

import hashlib
import json
from collections import defaultdict
from dataclasses import replace
from html import escape

from dark.course.exams.shortening import cut
from dark.course.lessons.library import load_module
from dark.grading.report.html_parts import page, table
from dark.grading.report.page_limits import MOST_PAGE, megabytes, size_of
from dark.grading.similarity.pairs import similar_pairs
from dark.grading.similarity.reading import ALL, Reader, Work

MOST = 100  # pairs that are shown
MOST_SOURCE = 10_000  # characters of an answer that are shown
MOST_NAMED = 50  # answers that were too much
STYLE = """<style>
:root { color-scheme: light dark; }
.both { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 0.5rem; }
.both pre { margin: 0; font-size: 0.85rem; }
mark { background: none; color: inherit; font-weight: bold; }
</style>"""
NOTE = (
    "<p>! For teachers. A pair is here because its answers share code that few others of this class wrote. That is a "
    "reason to look, not a finding: two who learned together, or from one book, write alike. Nothing here changes a "
    "mark.</p>"
)
HOW = (
    "<p>Syntax trees are compared, so names, comments and layout do not matter. Code of the blank notebook and the "
    "solution is left out. A run of an answer that d of n students share counts log2(n/d) bits; "
    "<em>share</em> is the part that a pair shares of all that is rare in the answers of one of them, and their "
    "evidence the product, where one "
    "exercise counts at most half of the evidence that lists a pair. Similar lines are bold and begin with =.</p>"
)


def compare_class(submissions, results: dict, store=None, progress=lambda done, kept: None) -> str:
    """Return the page of similar answers, for teachers only; the store keeps what was read, unless it has changed."""
    found = {}
    for module, works in _works(submissions, results, store, progress).items():
        exercises = load_module(module).exercises.items()
        known = {exercise: [each.stub, each.solution or ""] for exercise, each in exercises}
        found[module] = works, similar_pairs(works, known)
    return similarity_page(found)


def _works(submissions, results, store, progress):
    """Return the answers by module, with the names of the students: several, of a group."""
    rows, shown = {}, defaultdict(list)
    for row in results["submissions"]:
        if row.get("counts", True) and row.get("module"):
            submission = row.get("submission", row["name"])
            rows[submission] = row
            shown[submission].append(row["name"])
    waiting = [each for each in submissions if each.name in rows]
    found: dict[str, list[Work]] = {}
    kept = 0
    with Reader() as reader:
        progress(0, 0)
        for done, each in enumerate(waiting, 1):
            row = rows[each.name]
            key, name = _key(row, results), f"answers of {each.name}"
            stored = store and store.known(name)
            if stored and stored["key"] == key:
                work, kept = Work.from_data(each.name, stored), kept + 1
            else:
                work = reader.read(each, row["module"])
                if store:
                    store.set_document(name, {"key": key} | work.data)
            found.setdefault(row["module"], []).append(replace(work, name=", ".join(shown[each.name])))
            progress(done, kept)
    return found


def _key(row, results):
    """Return the key of the answers of a submission: everything that they depend on."""
    course = results.get("course", {}).get("fingerprint")
    return hashlib.sha256(json.dumps([row.get("digest"), row["module"], course]).encode()).hexdigest()


def similarity_page(modules) -> str:
    """Return the page of similar answers, HTML of at most 2 MB, for teachers only; the last answers may be left out."""
    back = '<p><a href="../index.html">All submissions</a></p>'
    left = [MOST_PAGE * 9 // 10]
    parts = [_module(name, works, pairs, left) for name, (works, pairs) in sorted(modules.items())]
    return page("Similar answers", "\n".join([STYLE, back, NOTE, HOW, *parts]))


def _module(name, works, pairs, left):
    count = works if isinstance(works, int) else len(works)
    title = f"<h2>Module {escape(name)}</h2>{'' if isinstance(works, int) else _not_compared(works)}"
    if not pairs:
        return f"{title}\n<p>No two of {count} students have similar answers.</p>"
    rows = [
        [
            f'<a href="#{escape(name)}-{k}">{escape(pair.one.name)} and {escape(pair.other.name)}</a>',
            f"{pair.evidence:.0f}",
            f"{pair.bits:.0f}",
            f"{100 * pair.share:.0f} %",
            escape(", ".join(pair.exercises)),
        ]
        for k, pair in enumerate(pairs[:MOST], 1)
    ]
    more = f"<p>and {len(pairs) - MOST} more pairs</p>" if len(pairs) > MOST else ""
    said = f"<p>{len(pairs)} of {count * (count - 1) // 2} pairs of students have similar answers.</p>"
    details = [_within(_pair(f"{name}-{k}", pair), left) for k, pair in enumerate(pairs[:MOST], 1)]
    if without := details.count(""):
        size = megabytes(MOST_PAGE)
        details.append(f"<p>! The answers of {without} pairs are left out: the page would be larger than {size}.</p>")
    listed = table(["pair", "evidence", "bits", "share", "exercises"], rows)
    return "\n".join([title, said, f'<div style="overflow-x: auto">{listed}</div>', more, *details])


def _not_compared(works):
    """Name the answers that were too much to be read."""
    named = [f"{work.name}: {each if each != ALL else 'all answers'}" for work in works for each in work.too_much]
    if not named:
        return ""
    more = f", and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
    which = escape("; ".join(named[:MOST_NAMED])) + more
    return f"\n<p>! Not compared, because they are unusually long or take too much time: {which}.</p>"


def _within(html, left):
    """Return the HTML of a pair while the page has room; "" afterwards."""
    if (size := size_of(html)) > left[0]:
        return ""
    left[0] -= size
    return html


def _pair(anchor, pair):
    title = f"{escape(pair.one.name)} and {escape(pair.other.name)}: {pair.bits:.0f} bits"
    parts = [f'<section id="{escape(anchor)}">\n<h3>{title}</h3>']
    for exercise, bits in pair.exercises.items():
        sides = zip((pair.one, pair.other), pair.lines[exercise])
        both = "".join(
            f"<div><p>{escape(work.name)}</p><pre>{_marked(work.sources[exercise], lines)}</pre></div>"
            for work, lines in sides
        )
        parts.append(f'<h4>{escape(exercise)}: {bits:.0f} bits</h4>\n<div class="both">{both}</div>')
    return "\n".join([*parts, "</section>"])


def _marked(source, lines):
    """Return the lines of a source, similar ones in bold, with a sign before them."""
    numbered = enumerate(cut(source.rstrip("\n"), MOST_SOURCE).split("\n"), 1)
    shown = [(f"= {line}", True) if k in lines else (f"  {line}", False) for k, line in numbered]
    return "\n".join(f"<mark>{escape(text)}</mark>" if is_alike else escape(text) for text, is_alike in shown)
