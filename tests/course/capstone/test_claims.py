"""Claims are computed from recorded runs, and what is not a comparison is refused."""

import pytest

from dark.course.capstone.claims import Claim
from dark.course.capstone.curves import picture, table
from dark.errors import UsageError

CURVES = {"whole": ([[10, 0.5], [20, 0.9]], [[10, 0.7], [20, 0.8]]), "plain": ([[10, 0.4], [20, 0.5]],)}
RESULTS = {
    "metric": "accuracy",
    "runs": [
        {"variant": name, "seed": seed, "seconds": 2.0 * seed, "curve": curve}
        for name, curves in CURVES.items() for seed, curve in enumerate(curves, 1)
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "holds", "shown"),
    [
        ("mean(whole) > mean(plain) + 0.3", True, "0.85 > 0.8"),
        ("mean(whole) - mean(plain) >= 0.4", False, "0.35 >= 0.4"),
        ("lowest(whole) > highest(plain)", True, "0.8 > 0.5"),
        ("steps_to(whole, 0.75) < 20", False, "20 < 20"),
        ("steps_to(whole, 0.65) <= 15", True, "15 <= 15"),
        ("steps_to(plain, 0.95) > 1000", True, "inf > 1000"),
        ("seconds(whole) < 2 * seconds(plain)", True, "3 < 4"),
        ("0 < -mean(whole) + 1 < 0.5", True, "0 < 0.15 < 0.5"),
        ("mean(whole) / mean(plain) > 1.5", True, "1.7 > 1.5"),
    ],
)
def test_a_comparison_is_computed(text, holds, shown):
    assert Claim(text).evaluate(RESULTS) == (holds, shown)


def test_a_run_that_has_diverged_counts_as_infinite():
    nan = float("nan")
    runs = [*RESULTS["runs"], {"variant": "too_fast", "seed": 1, "seconds": 1.0, "curve": [[10, 3.0], [20, nan]]}]
    assert Claim("mean(too_fast) > mean(whole)").evaluate({"metric": "loss", "runs": runs}) == (True, "inf > 0.85")
    drawn = picture({"metric": "loss", "runs": runs})
    assert "nan" not in drawn and drawn.count("<polyline") == 4
    assert "| `too_fast` | 1 | nan | nan | nan |" in table({"metric": "loss", "runs": runs})


def test_a_picture_of_runs_without_any_number_is_a_picture():
    run = {"variant": "whole", "seed": 1, "seconds": 1.0, "curve": [[10, float("inf")]]}
    assert picture({"metric": "loss", "runs": [run]}).endswith("</svg>\n")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("mean(whole)", "'mean(whole)' is not a comparison."),
        ("mean(whole) = 3", "'mean(whole) = 3' is not a comparison ("),
        ("mean(whole) == 3", "is not a comparison."),
        ("1 < 2", "'1 < 2' contains no measure of a variant."),
        ("median(whole) < 2", "'median' is not a measure."),
        ("mean(hole) < 2", "no run of the variant 'hole' is recorded."),
        ("mean(whole, 3) < 2", "mean has 2 arguments."),
        ("steps_to(whole) < 2", "steps_to has 1 arguments."),
        ("mean(whole) < 2 / 0", "divides by 0."),
        ("mean(whole) < 'a'", "is not a number and not a measure of a variant."),
        ("mean(whole) < True", "'True' is not a number"),
        ("mean(whole) < __import__('os').getpid()", "is not a number and not a measure of a variant."),
        ("(" * 500 + "mean(whole)", "is not a comparison"),
    ],
)
def test_what_is_not_a_claim_is_refused(text, told):
    with pytest.raises(UsageError) as caught:
        Claim(text).evaluate(RESULTS)
    said = str(caught.value)
    assert told in said and "\n  Expected: " in said and "\n  Try: " in said
