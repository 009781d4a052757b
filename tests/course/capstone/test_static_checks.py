"""What `dark capstone check` sees without a run: the page, its claims, its table and picture, and imports."""

import shutil

from dark.cli import main
from dark.course.capstone.project import open_project
from dark.course.capstone.questions import find_question
from dark.course.capstone.static_checks import PARTS, check_imports, check_page, check_recorded
from tests.course.capstone.projects import change_results, edit


def findings(project):
    """Return what the files of a project lack, by part."""
    project = open_project(project.folder)
    results = project.results()
    found = [*check_imports(project), *check_recorded(results), *check_page(project, results)]
    return {part: "\n".join(str(each) for each in found if each.part == part) for part in PARTS}


def only(project, part, sentence):
    """Check that the check says this about one part, and nothing about the others."""
    found = findings(project)
    assert sentence in found[part] and "\n  Expected: " in found[part] and "\n  Try: " in found[part]
    assert not any(text for name, text in found.items() if name != part), found


def test_a_blank_skeleton_with_recorded_runs_does_not_pass(project):
    page = find_question("optimizer").page()
    (project.folder / "page.md").write_text(page, encoding="utf-8")
    found = findings(project)
    assert all("is not written yet" in found[part] for part in ("claim", "curve", "ablation", "failure"))


def test_a_table_that_is_not_that_of_the_results(project):
    edit(project.folder / "page.md", "| `whole` | 5 | 1.0000", "| `whole` | 5 | 1.5000")
    only(project, "curve", "the table of page.md differs from the table of results.json.")


def test_a_picture_that_is_not_that_of_the_results(project):
    edit(project.folder / "curves.svg", "<polyline", "<polygon")
    only(project, "curve", "curves.svg is not the picture of results.json.")


def test_a_page_without_the_picture(project):
    edit(project.folder / "page.md", "![Accuracy by step](curves.svg)", "")
    only(project, "curve", "does not show the curves")


def test_a_number_in_the_prose_that_no_run_gives(project):
    edit(project.folder / "page.md", "After some forty steps", "With an accuracy of 0.973 after some forty steps")
    only(project, "claim", "page.md, line 14: no run and no setting gives the number 0.973.")


def test_numbers_of_runs_may_stand_in_percent(project):
    edit(project.folder / "page.md", "After some forty steps", "With 100.0 % after some forty steps")
    assert not any(findings(project).values())


def test_a_number_from_elsewhere_is_a_link_to_its_source(project):
    page = project.folder / "page.md"
    edit(page, "After some forty steps", "As [Rumelhart had with 0.973](https://example.org/rings), after forty steps")
    assert not any(findings(project).values())
    edit(page, "(https://example.org/rings)", "")
    only(project, "claim", "no run and no setting gives the number 0.973.")


def test_a_false_claim(project):
    edit(project.folder / "page.md", "mean(whole) > mean(without_hidden) + 0.2", "mean(whole) < 0.3")
    edit(project.folder / "page.md", "that is worth 0.2 at least", "that is worth something")
    only(project, "claim", "mean(whole) < 0.3 is false: 1 < 0.3 does not hold.")


def test_a_claim_about_something_else(project):
    edit(project.folder / "page.md", "mean(whole) > mean(without_hidden) + 0.2", "mean(too_fast) < 1 - 0.2")
    only(project, "claim", "does not mention whole")


def test_a_claim_that_is_not_a_comparison(project):
    edit(project.folder / "page.md", "mean(whole) > mean(without_hidden) + 0.2", "print(0.2)")
    only(project, "claim", "'print(0.2)' is not a comparison.")


def test_four_seeds_are_not_five(project):
    change_results(project, lambda results: results["runs"].pop(0))
    only(project, "curve", "the variant 'whole' is recorded with 4 seeds.")


def test_no_variant_is_the_whole(project):
    edit(project.folder / "run.py", '"whole"', '"everything"')
    change_results(project, lambda results: [run.update(variant="everything") for run in results["runs"][:5]])
    found = findings(project)
    assert "no variant is called 'whole'" in found["curve"]


def test_an_ablation_that_names_no_variant(project):
    edit(project.folder / "page.md", "In `without_hidden` the", "The")
    only(project, "ablation", "the section 'Ablation' names no other recorded variant.")


def test_a_failure_that_does_not_fail(project):
    edit(project.folder / "page.md", "mean(too_fast) < mean(whole) - 0.1", "mean(whole) < 2")
    only(project, "failure", "mean(whole) < 2 shows no run that fails.")


def test_the_ablation_is_not_the_failure(project):
    edit(project.folder / "page.md", "mean(too_fast) < mean(whole) - 0.1", "mean(without_hidden) < mean(whole) - 0.1")
    only(project, "failure", "the failure is the ablation once more: without_hidden.")


def test_a_section_that_is_missing(project):
    edit(project.folder / "page.md", "## Ablation", "## Something")
    only(project, "ablation", "page.md has no section 'Ablation'.")


def test_a_package_that_imports_dark(project):
    edit(project.package.folder / "mine" / "__init__.py", "from mine", "import dark\nfrom mine")
    assert "__init__.py imports dark." in findings(project)["package"]


def test_a_project_that_does_not_use_the_package(project):
    edit(project.folder / "run.py", "from mine import SGD", "from answers import SGD")
    shutil.copy(project.package.folder / "mine" / "_05_answers.py", project.folder / "answers.py")
    only(project, "package", "no file of the project imports mine.")


def test_damaged_results_are_refused(project, capsys):
    (project.folder / "results.json").write_text('{"metric": "accuracy", "runs": [{"variant": 3}]}')
    assert main(["capstone", "check", str(project.folder)]) == 2
    assert "these are not recorded results." in capsys.readouterr().err


def test_a_folder_without_a_project(tmp_path, capsys):
    assert main(["capstone", "check", str(tmp_path)]) == 2
    assert "this folder is not a project; run.py is missing." in capsys.readouterr().err


def test_settings_that_name_no_package(project, capsys):
    (project.folder / "capstone.toml").write_text('question = "gpt"\n')
    assert main(["capstone", "check", str(project.folder)]) == 2
    assert "cannot be used (it names no package)." in capsys.readouterr().err
    (project.folder / "capstone.toml").write_text('package = "../nothing"\n')
    assert main(["capstone", "check", str(project.folder)]) == 2
    assert "does not hold an exported package" in capsys.readouterr().err


def test_a_limit_is_positive(project, capsys):
    assert main(["capstone", "check", str(project.folder), "--limit", "0"]) == 2
    assert "--limit 0 is not a positive number of seconds." in capsys.readouterr().err
