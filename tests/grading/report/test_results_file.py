"""Tests of results.json: it has every detail, while the process holds neither all details nor the whole text."""

import json
import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from dark.grading.report.results_file import compact_json, light, results_lines, save_lines, with_questions

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
headings = st.dictionaries(st.text().filter(lambda key: key != "submissions"), plain, max_size=4)


@given(headings, st.lists(st.dictionaries(st.text(), plain, max_size=3), max_size=4))
def test_the_lines_are_the_json_of_heading_and_rows(heading, rows):
    expected = json.loads(compact_json(heading | {"submissions": rows}))
    assert json.loads("".join(results_lines(heading, rows))) == expected


def record(number):
    exercises = [
        {"exercise": name, "earned": number, "questions": [{"question": name, "inputs": "x" * 2000}]} for name in "abcd"
    ]
    return {"name": f"s{number}", "exercises": exercises}


def test_a_light_record_gets_its_details_again():
    whole = record(3)
    row = light(whole) | {"final": 2, "hidden": ["for teachers"]}
    assert "questions" not in json.dumps(row) and whole == record(3)
    assert with_questions(row, whole) == whole | {"final": 2}
    waiting = {"name": "s4", "status": "not yet graded"}
    assert with_questions(waiting, None) == waiting
    by_hand = {"name": "s3", "exercises": [*row["exercises"], {"exercise": "essay", "questions": []}]}
    assert [each["questions"] == [] for each in with_questions(by_hand, whole)["exercises"]] == [False] * 4 + [True]


def test_many_submissions_are_written_one_at_a_time(tmp_path):
    path = tmp_path / "results.json"
    tracemalloc.start()
    try:
        save_lines(path, results_lines({"schema": 1}, map(record, range(500))))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert path.stat().st_size > 4_000_000 and peak < 1_000_000
    assert json.loads(path.read_text())["submissions"] == [record(number) for number in range(500)]
