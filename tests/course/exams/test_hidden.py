"""Hidden questions and a teacher's private folder: what is asked when, and what a student sees of it."""

import json
import re
import shutil
from contextlib import closing
from dataclasses import replace
from functools import partial

import pytest

from dark.cli import main
from dark.course.cards.verdict_card import Report, hidden_data, verdict_data
from dark.course.exams.exam import Exam
from dark.course.exams.questions import check_private, load_exam, private_fingerprint
from dark.course.exams.reading import read_exam
from dark.course.judging.bank import load_bank
from dark.course.judging.judge import judge_exercise
from dark.course.judging.verdict import for_student
from dark.course.lessons.library import load_module, repository_root
from dark.errors import CourseError, UsageError, ValueTypeError
from dark.grading.batch.batch import grade_all
from dark.grading.batch.locked_folders import copied_exam
from dark.grading.batch.module_check import PreflightError, check_assignment
from dark.grading.exports.gradescope import gradescope_result
from dark.grading.grader.grade import Graded, Settings, digest_of, grade_submission, load_assignment
from dark.grading.report.gradebook import Gradebook
from dark.grading.report.html_pages import submission_page
from dark.grading.report.record import record_of, reports_of
from dark.grading.report.results_file import as_json
from dark.grading.sandbox.limits import Limits
from dark.grading.sandbox.worker_observer import Worker
from dark.grading.uploads import Submission
from tests.course import little

HEAD = '"""Private questions."""\n\nfrom dark.course.exams import Choice, Exam, Float\n\n'
QUESTIONS = '''exam = Exam("71")


@exam.question("slope", points=4, tolerance=1e-4, hidden=True, category="steep places", hint="Think of large factors.")
def slope_of_a_steep_line(dark, tilt: Choice(314159.0, 271828.0)):
    """PROPERTY: a steep line has its tilt."""
    return dark.slope(lambda x: tilt * x, 1.0)
'''
SECRETS = ("314159", "271828", "PROPERTY", "slope_of_a_steep_line", "tilt")
RIGHT = "def slope(f, x, nudge=1e-6):\n    return (f(x + nudge) - f(x - nudge)) / (2 * nudge)"
CAPPED = "def slope(f, x, nudge=1e-6):\n    return min((f(x + nudge) - f(x - nudge)) / (2 * nudge), 100.0)"
LOUD = """\
def slope(f, x, nudge=1e-6, seen=[]):
    seen.append(f(1.0))
    print(seen)
    found = (f(x + nudge) - f(x - nudge)) / (2 * nudge)
    if found > 100:
        raise ValueError(f"{seen} {f.__name__} {f.__closure__[0].cell_contents}")
    return found"""


def private(folder, questions=QUESTIONS, **others):
    """Write a private folder: questions, and other files by name."""
    for name, text in {"questions/exam_71_mine.py": HEAD + questions, **others}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Make the little course the only one."""
    root = tmp_path / "course"
    root.mkdir()
    return little.install(root, monkeypatch)


def graded(folder, private_folder, slope):
    """Grade an answer to `slope` in a worker; return the result."""
    content = little.student(folder / "ann.ipynb", slope=slope).read_bytes()
    settings = Settings(Limits(wall_seconds=60, cpu_seconds=30, memory_mib=512), exam=private_folder)
    with Worker() as worker:
        return grade_submission(content, load_assignment("71", private_folder), worker=worker, settings=settings)


def test_a_hidden_question_is_not_among_those_of_a_student(course, tmp_path):
    folder = private(tmp_path / "private")
    assert list(load_exam("71", folder).questions) == list(load_exam("71").questions)
    whole = load_exam("71", folder, hidden=True)
    assert set(whole.questions) - set(load_exam("71").questions) == {"slope_of_a_steep_line"}
    assert whole is load_exam("71", folder, hidden=True)  # what is remembered by question stays remembered
    assert whole.questions["slope_of_a_steep_line"].hidden.category == "steep places"


def test_every_private_question_is_hidden(course, tmp_path):
    text = re.sub(r", hidden=.*?\)", ")", QUESTIONS, count=1)
    folder = private(tmp_path / "private", text)
    assert load_exam("71", folder, hidden=True).questions["slope_of_a_steep_line"].hidden.category == ""


def test_a_hidden_question_of_the_course_is_not_asked_by_check(course, capsys):
    path = course / "tests" / "exams" / "questions" / "exam_71_little.py"
    hidden = QUESTIONS.partition("\n\n\n")[2]
    path.write_text(path.read_text().replace("Exam, Float", "Choice, Exam, Float") + "\n\n" + hidden)
    little.student(course / "work" / "71-little.ipynb", slope=CAPPED)
    assert main(["check", "71", "slope", "--file", str(course / "work" / "71-little.ipynb")]) == 0
    assert "2 of 2 points" in capsys.readouterr().out
    check_assignment(load_assignment("71"))  # and the preflight asks it
    assert len(load_assignment("71").exam.questions) == 3 and len(load_exam("71").questions) == 2


def test_an_exercise_with_hidden_questions_only_is_refused_and_a_student_is_told_why(course, tmp_path, capsys):
    path = course / "tests" / "exams" / "questions" / "exam_71_little.py"
    path.write_text(path.read_text().replace('"slope", points=2', '"slope", hidden=True, points=2'))
    with pytest.raises(PreflightError, match="71, exercise slope: all its questions are hidden(.|\n)*Try: one without"):
        check_assignment(load_assignment("71"))
    notebook = little.student(course / "work" / "71-little.ipynb", slope=RIGHT)
    assert main(["check", "71", "slope", "--file", str(notebook)]) == 2
    assert "the run of your teacher, which asks them" in capsys.readouterr().err
    assert main(["check", "71", "minimize", "--file", str(notebook)]) == 1
    assert "minimize: not attempted" in capsys.readouterr().out


def test_a_private_folder_may_replace_the_questions_of_an_exercise_by_hidden_ones(course, tmp_path):
    folder = private(tmp_path / "private", QUESTIONS.replace('Exam("71")', 'Exam("71", replace=True)'))
    check_assignment(load_assignment("71", folder))
    assert graded(tmp_path, folder, RIGHT).verdicts[0].is_right
    assert load_exam("71").questions_of("slope")  # what `check` asks stays


@pytest.mark.parametrize("slope", [CAPPED, LOUD])
def test_a_student_sees_category_count_and_hint_only(course, tmp_path, slope):
    folder = private(tmp_path / "private")
    result = graded(tmp_path, folder, slope)
    assert (result.earned, result.points) == (2, 9)
    record = record_of(Submission("ann", tmp_path / "ann.ipynb"), Graded(result))
    page = submission_page(record, reports_of(result))
    told = {key: value for key, value in record.items() if key != "hidden"}
    for seen in (page, as_json(told), json.dumps(gradescope_result(told)), Report.of(result.verdicts[0]).text):
        assert not [secret for secret in SECRETS if secret in seen]
        assert str(folder) not in seen
    assert "Hidden tests, steep places: 0 of 1 pass. Think of large factors." in page
    assert "✗ slope: fails hidden tests, 2 of 6 points" in Report.of(result.verdicts[0]).text
    assert told["exercises"][0]["hidden"][0] == {
        "category": "steep places", "right": 0, "count": 1, "earned": 0, "points": 4,
        "hints": ["Think of large factors."],
    }  # fmt: skip
    assert told["failed"].startswith("slope wrong")
    assert "0 of 1 pass" in gradescope_result(told)["tests"][0]["output"]
    assert [each["inputs"] for each in record["hidden"]] == [{"tilt": 314159.0}]


def test_a_right_answer_says_how_many_hidden_tests_pass(course, tmp_path):
    result = graded(tmp_path, private(tmp_path / "private"), RIGHT)
    text = Report.of(result.verdicts[0]).text
    assert text.startswith("✓ slope: right, 6 of 6 points.") and "steep places: 1 of 1 pass." in text


def test_an_answer_cannot_repeat_hidden_inputs_in_a_public_question(course, tmp_path):
    """It fails a public question as soon as it has seen a steep line, and prints what it has seen."""
    slope = LOUD.replace("return found", "return found if max(seen) < 100 else 0.0")
    result = graded(tmp_path, private(tmp_path / "private"), slope)
    assert result.verdicts[0].findings[0].status == "right"
    assert [finding.status for finding in for_student(result.verdicts[0]).findings] == ["right"]


def test_the_teacher_sees_all_and_other_files_of_the_report_nothing(course, tmp_path, monkeypatch):
    folder = private(tmp_path / "private")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    report = lambda: closing(Gradebook(tmp_path / "report", Settings(exam=folder), "1.0", "71"))
    result = graded(tmp_path, folder, CAPPED)
    submission = Submission("ann", tmp_path / "ann.ipynb")
    with report() as book:
        records = [book.keep(submission, Graded(result, digest_of(submission.read())))]
        book.write(records)
        teacher = (tmp_path / "report" / "teacher" / "hidden.html").read_text()
        assert "slope_of_a_steep_line" in teacher and "314159" in teacher and "steep places" in teacher
        assert json.loads((tmp_path / "report" / "teacher" / "hidden.json").read_text())[0]["name"] == "ann"
        for name in ("results.json", "grades.csv", "index.html", records[0]["page"]):
            text = (tmp_path / "report" / name).read_text()
            assert not [secret for secret in (*SECRETS, str(folder)) if secret in text], name
        assert book.kept(submission)["hidden"] == records[0]["hidden"]
        private(folder, QUESTIONS + "\n# changed\n")
        with report() as changed:
            assert changed.kept(submission) is None
        with pytest.raises(CourseError, match="The files of the course changed while the batch was running"):
            book.check_course()


def test_nothing_is_left_that_a_student_view_hides_twice(course, tmp_path):
    verdict = graded(tmp_path, private(tmp_path / "private"), CAPPED).verdicts[0]
    once = for_student(verdict)
    assert for_student(once) is once and verdict_data(verdict) == verdict_data(once)
    assert hidden_data(once) == [] and len(hidden_data(verdict)) == 1


@pytest.mark.parametrize("status", ["error", "timed out", "wrong", "exited"])
def test_how_a_hidden_question_failed_is_not_told(course, tmp_path, status):
    verdict = graded(tmp_path, private(tmp_path / "private"), CAPPED).verdicts[0]
    failed = replace(verdict.findings[1], status=status)
    changed = replace(verdict, status=status, findings=(verdict.findings[0], failed))
    assert for_student(changed).status == "wrong"


def test_a_name_of_the_course_is_replaced_and_a_whole_exercise_on_request(course, tmp_path):
    same = QUESTIONS.replace("slope_of_a_steep_line", "slope_of_a_square")
    replaced = load_exam("71", private(tmp_path / "a", same), hidden=True)
    assert set(replaced.questions) == {"slope_of_a_square", "path_of_a_square"}
    assert replaced.questions["slope_of_a_square"].points == 4
    alone = load_exam("71", private(tmp_path / "b", QUESTIONS.replace('"71"', '"71", replace=True')), hidden=True)
    assert set(alone.questions) == {"slope_of_a_steep_line", "path_of_a_square"}


def test_an_exercise_with_hidden_questions_only_is_graded(course, tmp_path):
    questions = QUESTIONS.replace('"71"', '"71", replace=True')
    folder = private(tmp_path / "private", questions)
    result = graded(tmp_path, folder, CAPPED)
    text = Report.of(result.verdicts[0]).text
    assert text.startswith("✗ slope: fails hidden tests, 0 of 4 points.") and "0 of 1 pass" in text
    assert list(result.together) == ["minimize"]
    assert "nothing attempted" not in submission_page(
        record_of(Submission("a", tmp_path), Graded(result)), reports_of(result)
    )
    assert Report.of(graded(tmp_path, folder, None).verdicts[0]).verdict.status == "not attempted"


def test_private_judges_references_and_banks_are_used(course, tmp_path):
    answers = '''from dark.course.exams.answers import Answers

answers = Answers("71")


@answers.judge("slope_of_a_steep_line")
def about(answer, inputs):
    return None if abs(answer / inputs["tilt"] - 1) < 1e-3 else "It is far off."


@answers.prediction("71.9z")
def three(dark):
    """Three."""
    return 3
'''
    bank = "[bug.private]\nsays = 'A.'\nnext = 'B.'\nchange = { '2 * nudge' = 'nudge' }\n"
    folder = private(tmp_path / "private", **{"answers/answers_71_mine.py": answers, "bank/71/slope.toml": bank})
    exam, module = load_exam("71", folder, hidden=True), load_module("71")
    assert set(exam.predictions) == {"71.1a", "71.9z"}
    assert [bug.name for bug in load_bank(module, "slope", exam.bank).bug] == ["private"]
    wrong = RIGHT.replace("2 * nudge", "nudge")
    verdict = judge_exercise(module, "slope", {"slope": wrong}, exam=exam)
    assert verdict.findings[1].remark == "It is far off." and verdict.diagnosis == ("A.", "B.")
    verdict = judge_exercise(module, "slope", {"slope": CAPPED}, exam=exam)
    assert verdict.findings[1].remark == "It is far off." and verdict.diagnosis is None


def test_the_preflight_names_a_faulty_hidden_question(course, tmp_path):
    folder = private(tmp_path / "private", QUESTIONS.replace("tilt * x, 1.0", "tilt * y, 1.0"))
    with pytest.raises(PreflightError, match="exercise slope, question slope_of_a_steep_line: the reference fails"):
        check_assignment(load_assignment("71", folder))


@pytest.mark.parametrize(
    ("files", "what"),
    [
        ({}, "it has no questions of module 71"),
        ({"questions/exam_72_x.py": ""}, "the file questions/exam_72_x.py would not be read"),
        ({"questions/exam_71.py": ""}, "the file questions/exam_71.py would not be read"),
        ({"questions/exam_71_a.py": "", "questions/exam_71_b.py": ""}, "exam_71_b.py would not be read"),
        ({"answers/answers_71_a.py": ""}, "answers/answers_71_a.py has no questions beside it"),
    ],
)
def test_a_private_folder_that_would_not_be_read_is_refused(course, tmp_path, files, what):
    folder = tmp_path / "private"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    with pytest.raises(UsageError, match=f"--exam .*: .*{what}"):
        check_private(folder, "71")
    with pytest.raises(UsageError, match="there is no such folder"):
        check_private(tmp_path / "privat", "71")


def test_the_fingerprint_tells_one_private_folder_from_another(tmp_path):
    assert private_fingerprint(private(tmp_path / "a")) == private_fingerprint(private(tmp_path / "b"))
    private(tmp_path / "b", **{"bank/71/slope.toml": "x = 1"})
    assert private_fingerprint(tmp_path / "a") != private_fingerprint(tmp_path / "b")


@pytest.mark.parametrize("place", ["in/private", "report/private"])
def test_a_private_folder_where_students_look_is_refused(course, tmp_path, place, capsys):
    folder = private(tmp_path / place)
    (tmp_path / "in").mkdir(exist_ok=True)
    little.student(tmp_path / "in" / "ann.ipynb", slope=RIGHT)
    words = [str(tmp_path / "in"), "--out", str(tmp_path / "report"), "--module", "71", "--exam", str(folder)]
    assert main(["grade", *words]) == 2
    assert "it must not share a folder with the " in capsys.readouterr().err


def test_a_category_without_hidden_and_other_types_are_refused(tmp_path):
    with pytest.raises(CourseError, match="a category or a hint requires a hidden question"):
        Exam("71").question("slope", hint="Look.")
    with pytest.raises(ValueTypeError, match="`hint` must be a string, got 3"):
        Exam("71").question("slope", hidden=True, hint=3)
    with pytest.raises(ValueTypeError, match="hidden must be a bool, got 1"):
        Exam("71").question("slope", hidden=1)
    assert read_exam(private(tmp_path) / "questions" / "exam_71_mine.py").replace is False


def test_a_private_exam_is_copied_for_a_batch_and_nothing_remains(tmp_path, monkeypatch):
    folder = private(tmp_path / "private", **{"bank/71/slope.toml": "", "notes/secret.txt": "", "questions/b.py": ""})
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    with copied_exam(folder) as copy:
        assert private_fingerprint(copy) == private_fingerprint(folder)
        assert copy.stat().st_mode & 0o077 == 0 and not (copy / "notes").exists()
        shutil.rmtree(folder / "questions")
        assert (copy / "questions" / "b.py").is_file()
    assert list((tmp_path / "tmp").iterdir()) == []
    (folder / "answers").mkdir()
    (folder / "answers" / "gone.py").symlink_to(tmp_path / "nowhere")
    with pytest.raises(CourseError, match="the private exam cannot be copied(.|\n)*Expected: (.|\n)*Try: "):
        copied_exam(folder).__enter__()
    with copied_exam(None) as copy:
        assert copy is None


@pytest.mark.long
@pytest.mark.parametrize("module", ["01", None])
def test_a_batch_asks_the_questions_of_the_copy(tmp_path, module):
    folder = private(tmp_path / "private", **{"questions/exam_01_mine.py": HEAD + QUESTIONS.replace("71", "01")})
    solved = Submission("ann", repository_root() / "solutions" / "01-scalar-autodiff.ipynb")
    settings = Settings(Limits(wall_seconds=60, cpu_seconds=30, memory_mib=512), exam=folder, only=("slope",))
    assign = module and partial(load_assignment, module, private=folder)
    with copied_exam(folder) as copy:
        shutil.rmtree(folder)
        [(_, found)] = grade_all([solved], settings=settings, assign=assign, exam=copy)
    assert found.result.verdicts[0].is_right
    assert any(finding.hidden for finding in found.result.verdicts[0].findings)
