"""Check a project: first its files, then its runs."""

from itertools import count

from dark.course.capstone.run_checks import Runs, check_records, check_repeat, check_resume, check_seeds, pairs_to_run
from dark.course.capstone.static_checks import PARTS, Finding, check_claims, check_imports, check_page, check_recorded

LIMIT_SECONDS = 300
DONE = {
    "package": "it runs from the package alone, without dark",
    "claim": "it is stated, and true of the current runs",
    "curve": "five seeds of each variant, as recorded",
    "ablation": "one part is taken away, and the effect is shown",
    "failure": "a failure is shown",
    "repeats": "a second run of a seed gives the same numbers",
    "resumes": "killed and continued, it gives the same numbers",
}


def check_project(
    project, limit=LIMIT_SECONDS, tell=lambda phrase, done, total: None
) -> tuple[list[Finding], tuple[str, ...]]:
    """Return all findings about a project, in the order of `PARTS`, and the parts that a failed run leaves unchecked.

    The `limit` is in seconds, for each run. `tell(phrase, done, total)` is called before each run.
    """
    results = project.results()
    found = [*check_imports(project), *check_recorded(results)]
    numbers, total = count(), len(pairs_to_run(results)) + 2
    runs = Runs(project, limit, lambda phrase: tell(phrase, next(numbers), total))
    wrong, now = check_records(runs, results)
    found += wrong
    found += check_page(project, results)
    if now is not None:
        found += check_repeat(runs, now) + check_resume(runs, now) + check_seeds(now)
        if results and not any(each.part in ("claim", "failure", "curve") for each in found):
            found += check_claims(project, now)
    runs.forget()
    unknown = ("repeats", "resumes") if now is None else ()
    return sorted(found, key=lambda each: PARTS.index(each.part)), unknown


def told_lines(findings, unknown) -> list[str]:
    """Return the lines for the terminal: one for each part that is complete, and the findings about the others."""
    lines = []
    for part in PARTS:
        own = [str(each) for each in findings if each.part == part]
        if own:
            lines += own
        elif part in unknown:
            lines.append(f"· {part}: not checked, because a run has not ended.")
        else:
            lines.append(f"✓ {part}: {DONE[part]}.")
    missing = len({each.part for each in findings}) + len(unknown)
    end = "This is an answer." if not missing else f"{len(PARTS) - missing} of {len(PARTS)} parts are complete."
    return [*lines, end]
