"""Which series is the loss: by words of its name, whatever the order and the spelling; terms of a sum never."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dark.monitor.doctor.doctor import findings
from dark.monitor.doctor.evidence import NotedRun
from dark.monitor.doctor.names import TOTALS, is_accuracy, is_loss, is_validation, rank, said, words
from dark.monitor.doctor.remarks import information, missing_evidence
from tests.monitor.doctor.in_memory import note

N = 40
FALLING = 2.3 * np.exp(-np.arange(N) / 8) + 0.2
RISING = 4 * (1 - np.exp(-np.arange(N) / 8)) + 0.05


def diagnosed(scalars):
    """The kinds found in scalar series, the loss that was taken, and what is good to know."""
    run = NotedRun(note(scalars))
    taken = run.training_loss
    return [finding.kind for finding in findings(run)], taken and taken.name, information(run)


@pytest.mark.parametrize(
    ("scalars", "expected"),
    [
        ({"loss_total": 4 * FALLING, "loss_kl": RISING}, "loss_total"),
        ({"total_loss": 4 * FALLING, "recon_loss": FALLING, "kl_loss": RISING}, "total_loss"),
        ({"loss_main": FALLING, "reg_loss": RISING}, "loss_main"),
        ({"loss": FALLING, "loss_sum": RISING, "kl": RISING}, "loss"),
        ({"overall_loss": FALLING, "loss_b": RISING, "aux_loss": RISING}, "overall_loss"),
        ({"loss/actor": RISING - 2, "loss/critic": FALLING}, None),
        ({"recon_loss": FALLING, "kl_loss": RISING}, None),
        ({"cross_entropy": FALLING, "entropy": 0.1 * RISING}, "cross_entropy"),
        ({"perplexity": np.exp(FALLING), "lr": RISING}, "perplexity"),
        ({"loss": FALLING, "loss_scale": 1024 * RISING}, "loss"),
        ({"loss_epoch": FALLING[::8], "loss": FALLING}, "loss"),
        ({"box_loss": FALLING}, "box_loss"),
    ],
)
def test_the_loss_is_taken_before_its_terms_and_a_healthy_run_stays_healthy(scalars, expected):
    kinds, taken, _ = diagnosed(scalars)
    assert (kinds, taken) == ([], expected)


def test_a_choice_is_said_and_the_larger_of_equal_names_taken():
    _, taken, remarks = diagnosed({"loss_a": FALLING, "loss_b": 3 * FALLING})
    assert taken == "loss_b"
    assert remarks == ["several series may be the loss (loss_b, loss_a): 'loss_b' was taken; note it as 'loss'."]
    assert diagnosed({"loss": FALLING, "kl_loss": RISING})[2] == []
    assert diagnosed({"nll": FALLING})[2] == ["'nll' was taken as the training loss."]


def test_terms_without_their_sum_are_named():
    run = NotedRun(note({"recon_loss": FALLING, "kl_loss": RISING}))
    assert missing_evidence(run)[0] == (
        "the loss was not noted, only terms of one (recon_loss, kl_loss): note their sum as 'loss'."
    )


def test_a_loss_with_one_value_is_too_short_not_a_term():
    assert missing_evidence(NotedRun(note({"loss": FALLING[:1], "kl_loss": FALLING})))[0] == (
        "'loss' has too few values (1): note it more often."
    )


def test_the_loss_of_a_policy_is_not_judged():
    kinds, taken, remarks = diagnosed({"loss": RISING, "reward": RISING})
    assert (kinds, taken) == ([], None) and remarks == [
        "a reward is noted: the loss of a policy need not fall, and is not judged."
    ]


def test_an_objective_may_be_maximized():
    assert diagnosed({"objective": RISING - 10})[0] == []


def accuracies(unit):
    """The accuracies of a healthy training, as shares or in percent."""
    rise = 1 - np.exp(-np.arange(N) / 6)
    return {"loss": FALLING, "accuracy/train": unit * 0.98 * rise, "accuracy/validation": unit * 0.96 * rise}


def test_accuracies_in_percent_are_read_as_shares_and_shown_as_noted():
    assert diagnosed(accuracies(1))[0] == diagnosed(accuracies(100))[0] == []
    assert diagnosed(accuracies(100))[2] == ["accuracy/train was read in percent."]
    scalars = {**accuracies(100), "accuracy/validation": np.full(N, 55.0)}
    (found,) = findings(NotedRun(note(scalars)))
    assert "is 97.7% on the training set, but 55.0% on the validation set" in found.summary
    assert found.evidence[1].value == 55.0  # as in the note


def test_what_exceeds_a_hundred_is_no_accuracy():
    assert NotedRun(note({"accuracy/train": np.linspace(0, 1000, N)})).training_accuracy is None


def test_an_accuracy_below_one_percent_is_in_percent_beside_its_partner():
    run = NotedRun(note({"train_acc": np.linspace(1, 90, N), "val_acc": np.full(N, 0.9)}))
    np.testing.assert_allclose(run.validation_accuracy.values, 0.009)


SEPARATORS = st.sampled_from(["_", "/", "-", " ", "."])
DATA = st.sampled_from(["", "train", "training", "val", "validation", "test", "dev", "valid"])


@given(DATA, st.sampled_from(sorted(TOTALS)), SEPARATORS, st.randoms())
def test_order_case_and_separators_of_words_do_not_matter(data, total, separator, random):
    parts = [part for part in (data, total, "loss") if part]
    random.shuffle(parts)
    for name in (separator.join(parts), separator.join(parts).title(), separator.join(parts).upper()):
        assert is_loss(name) and rank(name) == 1 and said(name) == {total, "loss"}
        assert is_validation(name) is (data not in ("", "train", "training"))


@given(st.sampled_from(["kl", "recon", "reg", "actor", "critic"]), DATA, SEPARATORS, st.booleans())
def test_terms_of_a_sum_are_losses_but_never_the_loss(term, data, separator, is_first):
    parts = [data, *((term, "loss") if is_first else ("loss", term))]
    name = separator.join(part for part in parts if part)
    assert is_loss(name) and rank(name) is None


@pytest.mark.parametrize("name", ["top1", "top-1", "Top 1", "acc", "valAcc", "accuracy/train"])
def test_accuracies_have_many_names(name):
    assert is_accuracy(name) and not is_loss(name) and rank(name) == 0


def test_the_best_of_five_is_no_accuracy_of_the_first():
    assert rank("top-5 acc") != 0 and words("top10_acc") == ["top", "10", "acc"]
