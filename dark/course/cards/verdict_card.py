"""The card of a verdict in blocks: the headline; diagnosis and next step; the evidence; then the other questions."""

from dataclasses import asdict, dataclass
from functools import partial

from dark.course.cards.blocks import code, command, folded, graph, prose, table, timelines
from dark.course.cards.card import Card, card, framed
from dark.course.exams.draws import ARITY, write_expression
from dark.course.exams.plain import show
from dark.course.exams.rows import WIDTH, told_apart
from dark.course.exams.shortening import limited
from dark.course.judging.verdict import NOT_ATTEMPTED, PARTLY, RIGHT, STOPS, Verdict, for_student, hidden_findings

ROWS = 6
MOST_LINES = 100  # of printed output
GAP = '<div style="height: 10px"></div>'


@dataclass(frozen=True)
class Report:
    """A verdict in words: its groups of blocks, which stand below its headline."""

    verdict: Verdict
    groups: list

    @classmethod
    def of(cls, verdict, *, shown=(), terminal=False):
        """Report a verdict to a student who was shown some hints; a `terminal` gives them by `dark hint`."""
        verdict = limited(for_student(verdict))
        names = " and ".join(f"`{name}`" for name in verdict.dependencies)
        together = prose(f"It was tested together with your own {names}, which it depends on." if names else "")
        hidden = [prose(each.text) for each in verdict.hidden]
        if verdict.is_right:
            groups = [[together, *(prose(line) for line in verdict.why.splitlines() if line.strip())], hidden]
        else:
            advice = _advice(verdict, shown, terminal)
            groups = [advice, _evidence(verdict.failing), [*_others(verdict), together], hidden]
        filled = ([block for block in group if block.content] for group in groups)
        return cls(verdict, [group for group in filled if group])

    @property
    def text(self):
        """Plain text, readable without color."""
        groups = ["".join(f"\n  {line}".rstrip() for block in group for line in block.lines()) for group in self.groups]
        return self.verdict.headline + "\n".join(groups)

    @property
    def html(self):
        """One HTML element, which a notebook that is not trusted shows completely; all text is escaped."""
        inner = GAP.join("".join(block.html() for block in group) for group in self.groups)
        return framed(self.verdict.title, inner, self.verdict.score)

    def card(self, *, brief=False):
        """Return the card for a notebook; a `brief` one is one line if nothing is wrong."""
        if brief and (self.verdict.is_right or self.verdict.status == NOT_ATTEMPTED):
            return card(self.verdict.headline, ok=self.verdict.is_right)
        return Card(self.text, self.html, self.verdict.is_right)


def _advice(verdict, shown, terminal):
    """Return the diagnosis, if there is one, and the next step."""
    finding = verdict.failing
    is_open = finding is not None and finding.status in (NOT_ATTEMPTED, PARTLY)
    blocks = [prose(finding.error.message if is_open and finding.error else "")]
    if verdict.diagnosis:
        blocks += map(prose, verdict.diagnosis, ("Diagnosis", "Next"))
    ask = partial(asking, verdict.module, verdict.exercise, terminal=terminal)
    if following := next_hint(verdict.hints, shown):
        blocks.append(command(ask(), f"Hint {following}"))
    elif verdict.hints:
        again = f"{ask(number=verdict.hints)} shows the worked example again; follow its steps."
        blocks.append(prose(f"You have seen all {verdict.hints} hints. {again}"))
    return blocks


def next_hint(count, shown):
    """Return the number of the hint after the highest shown, else of the first that was skipped; None after all."""
    left = [number for number in range(1, count + 1) if number not in shown]
    return next((number for number in left if number > max(shown, default=0)), left[0] if left else None)


def _evidence(finding):
    if finding is None or finding.status in (NOT_ATTEMPTED, PARTLY):
        return []
    error, says = finding.error, ""
    if error is not None:
        says = error.message if error.type in STOPS else f"{error.type}: {error.message}".rstrip(": ")
    return [
        prose(finding.title, "Test"),
        prose(", ".join(_input(k, v) for k, v in finding.inputs.items()), "Smallest input"),
        prose(says),
        code([_source_line(line) for line in error.lines] if error else []),
        prose(finding.printed and "Printed output:"),
        code(finding.printed and finding.printed.splitlines()[:MOST_LINES]),
        prose(finding.remark),
        timelines(finding.rows),
        table(_rows(finding)),
        graph(finding.yours_graph and finding),
    ]


def _input(name, value):
    if isinstance(value, list) and value and isinstance(value[0], str) and value[0] in ARITY:
        return write_expression(value, name)
    return f"{name} = {value if isinstance(value, str) else show(value)}"


def _source_line(line):
    is_test, place = line["where"] == "check", f"{line['where']}, line {line['line']}"
    return f"{'the test, where dark is your code' if is_test else place}:  {line['source']}"


def _rows(finding):
    """Return the values that differ as the rows of a table; none if truncated ones would add nothing to the remark."""
    differences = [each for each in finding.differences if not (finding.rows and finding.rows.holds(each.path))]
    pairs = [told_apart(difference.yours, difference.expected) for difference in differences[:ROWS]]
    if not pairs or finding.remark and any(len(text) >= WIDTH for text in pairs[0]):
        return []
    rows = [("where", "yours", "a right answer" if finding.remark else "expected")]
    rows += [(each.where, *pair) for each, pair in zip(differences, pairs)]
    more = len(differences) - ROWS + finding.more_differences
    return rows + ([(f"and {more} more", "", "")] if more > 0 else [])


def _others(verdict):
    """Return the results of the other questions; nothing if all failed for the same reason."""
    shown = verdict.failing
    rest = [finding for finding in verdict.findings if finding is not shown]
    wrong = [finding for finding in rest if finding.status != RIGHT]
    if shown is None or not rest or all(finding.error == shown.error is not None for finding in rest):
        return []
    if shown.status == PARTLY:
        return [prose(each.title, "Already right") for each in rest if each.status == RIGHT]
    if not wrong:
        return [prose(f"The other {'test passes' if len(rest) == 1 else f'{len(rest)} tests pass'}.")]
    stubs = dict.fromkeys(finding.error.message for finding in wrong if finding.status == PARTLY)
    return [folded([each.title for each in wrong if each.status != PARTLY], "Also fails"), *map(prose, stubs)]


def asking(module, exercise, *, terminal, number=None):
    """Return the code, or in a terminal the command, that shows a hint: the next one, or the one with this number."""
    if terminal:
        return f"dark hint {module} {exercise}" + (f" {number}" if number else "")
    return f'hint("{exercise}"' + (f", {number})" if number else ")")


def verdict_data(verdict, shown=()):
    """Return a verdict as JSON-serializable data; of hidden questions only the student's view."""
    verdict = limited(for_student(verdict))
    says, step = verdict.diagnosis or (None, None)
    names = ("module", "exercise", "status", "earned", "points")
    return {
        **{name: getattr(verdict, name) for name in names},
        "diagnosis": says,
        "next_step": step,
        "next_hint": None if verdict.is_right else next_hint(verdict.hints, shown),
        "dependencies": list(verdict.dependencies),
        "questions": [_finding_data(finding) for finding in verdict.findings],
        "hidden": [asdict(each) | {"hints": list(each.hints)} for each in verdict.hidden],
    }


def hidden_data(verdict):
    """Return the hidden findings of a verdict as JSON-serializable data, for teachers only."""
    return [
        {"exercise": verdict.exercise, **asdict(finding.hidden), **_finding_data(finding)}
        for finding in hidden_findings(limited(verdict))
    ]


def _finding_data(finding):
    error, more = finding.error, finding.more_differences
    left_out = {"left_out": f"{more:,} more differences"} if more else {}
    sides = [(each.path, show(each.yours, 17)[:400], show(each.expected, 17)[:400]) for each in finding.differences]
    return left_out | {
        **{name: getattr(finding, name) for name in ("question", "title", "status", "earned", "points", "inputs")},
        "differences": [dict(zip(("path", "yours", "expected"), each)) for each in sides],
        "remark": finding.remark,
        "error": error and asdict(error) | {"lines": [dict(line) for line in error.lines]},
        "wrong_node": finding.wrong_node,
        "printed": finding.printed,
    }
