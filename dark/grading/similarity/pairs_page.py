"""The page of similar answers: a list of pairs, and the answers of each pair side by side."""

from html import escape

from dark.grading.report.html_parts import page, table

MOST = 100  # pairs that are shown
STYLE = """<style>
:root { color-scheme: light dark; }
.both { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 0.5rem; }
.both pre { margin: 0; font-size: 0.85rem; }
mark { background: none; color: inherit; font-weight: bold; }
</style>"""
NOTE = (
    "<p>! For teachers. A pair is here because its answers share what few others of this class have written. That is a "
    "reason to look, not a finding: two who learned together, or from one book, write alike. Nothing here changes a "
    "mark.</p>"
)
HOW = (
    "<p>Syntax trees are compared, so names, comments and layout do not matter. What the blank notebook and the "
    "solution contain is left out. A run of an answer that d of n students share counts log2(n/d) bits; "
    "<em>share</em> is the part that a pair shares of all that is rare in the answers of one of them, and their "
    "evidence the product, where one "
    "exercise counts at most half of what lists a pair. Lines that are alike are bold and begin with =.</p>"
)


def similarity_page(modules):
    """Return the page of similar answers.

    Parameters
    ----------
    modules : dict of str to (int, list of Pair)
        For each module the number of students, and the pairs.

    Returns
    -------
    str
        HTML, for teachers only.
    """
    back = '<p><a href="../index.html">All submissions</a></p>'
    parts = [_module(name, *found) for name, found in sorted(modules.items())]
    return page("Similar answers", "\n".join([STYLE, back, NOTE, HOW, *parts]))


def _module(name, count, pairs):
    title = f"<h2>Module {escape(name)}</h2>"
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
    details = [_pair(f"{name}-{k}", pair) for k, pair in enumerate(pairs[:MOST], 1)]
    listed = table(["pair", "evidence", "bits", "share", "exercises"], rows)
    return "\n".join([title, said, f'<div style="overflow-x: auto">{listed}</div>', more, *details])


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
    """Return the lines of a source, those that are alike in bold, with a sign before them."""
    numbered = enumerate(source.rstrip("\n").split("\n"), 1)
    shown = [(f"= {line}", True) if k in lines else (f"  {line}", False) for k, line in numbered]
    return "\n".join(f"<mark>{escape(text)}</mark>" if is_alike else escape(text) for text, is_alike in shown)
