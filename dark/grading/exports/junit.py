"""JUnit XML, which CI services show: a suite for each submission, a test for each exercise."""

import re
from xml.etree import ElementTree

from dark.grading.exports.gradescope import describe, has_passed
from dark.grading.exports.rows import counting, mark
from dark.grading.report.grade_table import notes_of

NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
SKIPPED = ("not attempted", "partly written", "not yet marked")
FAILED = ("wrong", "uses the reference", "by hand")


def junit_files(results: dict) -> dict[str, str]:
    """Return one file with all submissions: a wrong answer is a failure, and one that does not run an error."""
    suites = ElementTree.Element("testsuites", name="dark grade")
    for row in counting(results):
        seconds = f"{row['elapsed_seconds']:.3f}"
        suite = ElementTree.SubElement(suites, "testsuite", name=_text(row["name"]), time=seconds)
        if row.get("student"):
            values = ElementTree.SubElement(suite, "properties")
            for name, value in (("student", row["student"]["id"]), ("final", str(mark(row)))):
                ElementTree.SubElement(values, "property", name=name, value=_text(value))
        for each in row["exercises"]:
            _add(suite, row, each["exercise"], None if has_passed(each) else _kind(each["status"]), describe(each))
        if not row["exercises"]:
            kind = "skipped" if row["status"] == "missing" else "error"
            _add(suite, row, "submission", kind, f"{row['status']}. {row['message']}")
        if notes := notes_of(row):
            ElementTree.SubElement(suite, "system-out").text = _text(notes)
        suite.set("tests", str(len(suite.findall("testcase"))))
        for kind, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            suite.set(name, str(len(suite.findall(f"testcase/{kind}"))))
    ElementTree.indent(suites, " ")
    return {"junit.xml": ElementTree.tostring(suites, encoding="unicode", xml_declaration=False) + "\n"}


def _kind(status):
    if status == "right":
        return None
    return "skipped" if status in SKIPPED else "failure" if status in FAILED else "error"


def _add(suite, row, exercise, kind, message):
    case = ElementTree.SubElement(suite, "testcase", classname=_text(row["name"]), name=exercise)
    if kind:
        ElementTree.SubElement(case, kind, message=_text(message))


def _text(text):
    """Replace the characters that XML cannot express."""
    return NOT_XML.sub("?", text)
