"""The checks of `dark grade` before it begins, and the settings that it takes from a release."""

from dark.course.exams.questions import check_private, load_exam
from dark.course.lessons.library import load_module
from dark.errors import UsageError
from dark.grading.release import choose, read_terms


def check_exports(names, submissions, roster):
    """Refuse an export for a system whose ids are neither in the names of the submissions nor in the roster."""
    systems = {each.owner.system for each in submissions if each.owner}
    systems |= {name for name in names if roster and roster.has(name)}
    for name in names:
        if name in ("canvas", "moodle") and name not in systems:
            raise UsageError(
                f"--export {name}: no submission has an id of {name.title()}.",
                f"files named as {name.title()} names them in a download of all submissions.",
                f"use that download itself, a zip, or --export junit; or --course with a column {name} of its roster",
            )


def released(arguments):
    """Return the points of the exercises that count and the deadline, and grade the module of the release."""
    if arguments.release is None:
        return None, {}
    terms = read_terms(arguments.release)
    module = load_module(terms.module)
    if arguments.module and load_module(arguments.module).id != module.id:
        raise UsageError(
            f"--release {arguments.release}: it must be of module {arguments.module}, but is of {terms.module}.",
            "the release of the module that is graded.",
            f"omit --module, or use --module {terms.module}",
        )
    arguments.module = module.id
    chosen = choose(module, load_exam(module.id, hidden=True), terms.points, terms.points)
    return tuple(chosen.points.items()), {module.id: terms.deadline} if terms.deadline else {}


def check_exam(arguments, folder):
    """Refuse a private folder that does not exist, or that shares a folder with students' files or feedback."""
    if arguments.exam is None:
        return
    check_private(arguments.exam, arguments.module)
    exam = arguments.exam = arguments.exam.resolve()
    for name, place in (("the submissions", folder.resolve()), ("the report", arguments.out.resolve())):
        if exam == place or place in exam.parents or exam in place.parents:
            raise UsageError(
                f"--exam {arguments.exam}: it must not share a folder with {name}, {place}.",
                "a folder of its own, which only you can read.",
                "move it",
            )


def check_out(out, folder):
    """Refuse a report inside the folder of the submissions."""
    inside, around = out.resolve(), folder.resolve()
    if inside == around or around in inside.parents:
        raise UsageError(
            f"--out {out}: it must not be inside the folder of the submissions, {folder}.",
            "a folder outside of it, so that the report and the submissions stay separate.",
            f"--out {folder.resolve().name}-report",
        )


def only_here(arguments):
    """Return the error for a self-test on other machines."""
    return UsageError(
        f"--self-test with --scheduler {arguments.scheduler}: the catalog is graded on this machine only.",
        "one of the two.",
        "run `dark grade --self-test` on each machine of the cluster",
    )


def too_little(found, wanted, where):
    """Return the error for a machine that cannot confine submissions as required."""
    return UsageError(
        f"--require-confinement {wanted}: {where} has less. {found}",
        f"the level '{wanted}'; submissions are foreign code.",
        "Linux 5.13 or newer with Landlock and libseccomp, see `dark doctor --grading`; or a lower level.",
    )
