"""Check a project by its files alone: imports, recorded runs, and the sections of the page."""

import ast
from dataclasses import dataclass

from dark.course.capstone.claims import EXAMPLE
from dark.course.capstone.curves import picture, table, variants_of
from dark.course.capstone.page import PAGE_NAME, Section, sections_of, table_in, unknown_numbers
from dark.errors import DarkError

WHOLE = "whole"  # the variant that nothing is taken away from
FEWEST_SEEDS = 5
RECORD = "python run.py"
FAILS = "mean(too_fast) < mean(whole)"
PARTS = ("package", "claim", "curve", "ablation", "failure", "repeats", "resumes")


@dataclass(frozen=True)
class Finding:
    """A requirement of the capstone that a project does not meet."""

    part: str  # one of `PARTS`
    what: str
    expected: str
    try_: str

    def __str__(self):
        return f"✗ {self.part}: {self.what}\n  Expected: {self.expected}\n  Try: {self.try_}"


def check_imports(project):
    """Check that no file imports `dark`, and that the project imports its package; yield findings."""
    (own, exported), package, used = project.sources(), project.package.name, False
    for path in [*own, *exported]:
        try:
            names = imported(path.read_text(encoding="utf-8"))
        except (SyntaxError, ValueError) as error:
            what = f"{path.name} cannot be read ({error})."
            yield Finding("package", what, "a file of Python.", f"python {path.name}")
            continue
        used = used or (path in own and package in names)
        if "dark" in names:
            advice = f"import the same name from {package}"
            yield Finding("package", f"{path.name} imports dark.", "the exported package alone.", advice)
    if not used:
        what = f"no file of the project imports {package}."
        yield Finding("package", what, "a run from your own package.", f"import {package}")


def imported(source):
    """Return the first parts of the names of all modules that a source imports."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add((node.module or "").partition(".")[0])
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("__import__", "import_module", "find_spec"):
            found |= {str(each.value).partition(".")[0] for each in node.args if isinstance(each, ast.Constant)}
    return found


def check_recorded(results):
    """Check that the whole and each variant are recorded with five seeds; yield findings."""
    if results is None:
        what = "no runs are recorded: results.json is missing."
        yield Finding("curve", what, f"each variant with {FEWEST_SEEDS} seeds.", RECORD)
        return
    names = variants_of(results)
    if WHOLE not in names:
        what = f"no variant is called {WHOLE!r}; recorded are {', '.join(names)}."
        yield Finding("curve", what, f"the variant {WHOLE!r}, in which nothing is taken away.", "rename it")
    for name in names:
        seeds = {run["seed"] for run in results["runs"] if run["variant"] == name}
        if len(seeds) < FEWEST_SEEDS:
            what = f"the variant {name!r} is recorded with {len(seeds)} seeds."
            yield Finding("curve", what, f"{FEWEST_SEEDS} different seeds.", RECORD)


def check_page(project, results):
    """Check the page with the recorded results: its sections, claims, table, picture and numbers; yield findings."""
    sections = sections_of(project.page)
    yield from _claim(sections, results)
    yield from _curve(project, sections, results)
    yield from _ablation(sections, results)
    yield from _failure(sections, results)
    if results is not None:
        code = (project.folder / "run.py").read_text(encoding="utf-8")
        for number, line in unknown_numbers(project.page, results, code):
            what = f"{PAGE_NAME}, line {line}: no run and no setting gives the number {number}."
            expected = "a value of the runs, a mean, lowest or highest one, or a difference of two, in percent or not."
            advice = "take it from the table; or link it to its source, [1.5 billion](https://…)"
            yield Finding("claim", what, expected, advice)


def check_claims(project, now):
    """Check that the claim and the failure hold for the new runs, whose times differ from the recorded ones."""
    sections = sections_of(project.page)
    for part in ("claim", "failure"):
        yield from _comparison(sections.get(part.title()), part, now, "")[1]


def _written(sections, name, part, asks):
    """Return the section, and a finding if it is not written."""
    section = sections.get(name)
    if section is None:
        what = f"{PAGE_NAME} has no section {name!r}."
        return None, [Finding(part, what, asks, f"## {name}")]
    if not section.is_written:
        what = f"the section {name!r} of {PAGE_NAME} is not written yet."
        return section, [Finding(part, what, asks, "write it in the place of the lines that begin with '> To write:'")]
    return section, []


def _comparison(section, part, results, asks):
    """Return the claim of a section, if it is stated, and a finding about it."""
    try:
        claim = section.claim() if section else None
        if claim is None:
            what = f"{PAGE_NAME} states no comparison."
            return None, [Finding(part, what, asks, EXAMPLE if part == "claim" else FAILS)]
        holds, shown = claim.evaluate(results or {"runs": []})
    except DarkError as error:
        what, *rest = str(error).splitlines()
        expected, try_ = (line.partition(": ")[2] for line in rest[:2])
        return None, [Finding(part, what, expected, try_)]
    if not holds:
        what = f"{claim.text} is false: {shown} does not hold."
        return claim, [Finding(part, what, "a comparison that holds for them.", "change the claim, not the runs")]
    return claim, []


def _claim(sections, results):
    asks = "one sentence, and below it a block ```python that begins with `# claim`: a comparison of variants."
    section, found = _written(sections, "Claim", "claim", asks)
    claim, wrong = _comparison(section, "claim", results, asks)
    yield from found + wrong
    if claim and WHOLE not in claim.variants:
        what = f"the claim {claim.text} does not mention {WHOLE}."
        yield Finding("claim", what, f"a comparison of {WHOLE}.", EXAMPLE)


def _curve(project, sections, results):
    asks = "what the curves show, the picture curves.svg, and the table of the results."
    section, found = _written(sections, "Curve", "curve", asks)
    yield from found
    if results is None:
        return
    if table_in(project.page) != table(results):
        what = f"the table of {PAGE_NAME} differs from the table of results.json."
        yield Finding("curve", what, "the table that run.py writes between its two marks.", RECORD)
    svg = project.folder / "curves.svg"
    if "](curves.svg)" not in (section or Section("Curve", "")).text:
        what = f"the section 'Curve' of {PAGE_NAME} does not show the curves."
        yield Finding("curve", what, "the picture that run.py draws.", "![What it shows](curves.svg)")
    elif not svg.is_file() or svg.read_text(encoding="utf-8") != picture(results):
        what = "curves.svg is not the picture of results.json."
        yield Finding("curve", what, "the picture that run.py draws.", RECORD)


def _ablation(sections, results):
    asks = "the effect of removing one part: a variant in backticks, recorded with the same seeds."
    section, found = _written(sections, "Ablation", "ablation", asks)
    yield from found
    if section is None or results is None:
        return
    names = _variants_named(section, results)
    if not names:
        known = [name for name in variants_of(results) if name != WHOLE]
        advice = f"write about `{known[0]}`" if known else "add a variant to VARIANTS in run.py"
        yield Finding("ablation", "the section 'Ablation' names no other recorded variant.", asks, advice)
    curves: dict[str, dict] = {}
    for run in results["runs"]:
        curves.setdefault(run["variant"], {})[run["seed"]] = run["curve"]
    for name in names:
        if curves[name] == curves.get(WHOLE):
            what = f"the variant {name!r} has the same curves as {WHOLE!r}: what it takes away has no effect at all."
            expected = "a setting that the run reads."
            yield Finding("ablation", what, expected, f"look where run.py uses the settings of {name!r}")


def _failure(sections, results):
    asks = "a failure: a sentence, a variant in backticks, and a comparison in a block that begins with # failure."
    section, found = _written(sections, "Failure", "failure", asks)
    claim, wrong = _comparison(section, "failure", results, asks)
    yield from found + wrong
    if claim and set(claim.variants) <= {WHOLE}:
        what = f"{claim.text} shows no run that fails."
        yield Finding("failure", what, "a comparison with a variant that fails.", FAILS)
    if claim and results and "Ablation" in sections:
        others = set(claim.variants) - {WHOLE}
        if others and others <= set(_variants_named(sections["Ablation"], results)):
            what = f"the failure is the ablation once more: {', '.join(sorted(others))}."
            advice = "add a variant that breaks it to VARIANTS in run.py"
            yield Finding("failure", what, "a variant of its own that fails.", advice)


def _variants_named(section, results):
    return [name for name in variants_of(results) if name != WHOLE and name in section.named]
