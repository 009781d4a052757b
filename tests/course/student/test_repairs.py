"""Tests of the repairs of "Find the bug": of each module, as it is printed and repaired."""

import pytest
from IPython.utils.capture import capture_output

from dark.course.lessons.library import find_exercise, load_module, modules
from dark.course.student.repairs import judge_repair
from dark.course.student.student_kernel import ExecutedCell, StudentKernel
from dark.errors import CourseError

RULES = {
    "published_penalty": [
        (
            "    replay = Replay(lambda x: loss_of(x) + penalty_of() * strength)  # 1",
            "    replay = Replay(lambda x: loss_of(x) + penalty_of() * strength, guard=lambda: (strength,))",
        ),
        (
            "    replay = Replay(lambda x: loss_of(x) + penalty_of() * strength)  # 1\n"
            "    for strength, x in zip(strengths, batches):                      # 2\n"
            "        losses.append(replay(x)) ",
            "    replay = Replay(lambda x, factor: loss_of(x) + penalty_of() * factor)\n"
            "    for strength, x in zip(strengths, batches):\n"
            "        losses.append(replay(x, strength)) ",
        ),
    ],
    "first_backward": [
        ("    if root.grad is None:             # 1\n        root.grad = 1.0 ", "    root.grad = 1.0 "),
        ("        box.grad = 0.0  ", "        box.grad = None  "),
    ],
    "ShortMaximum": [("~first", "(1 - first)"), ("~first", "(not first)"), ("~first", "(a <= b)")],
    "ShortLayer": [
        (
            "[Neuron(inputs, activation, rng)] * outputs",
            "[Neuron(inputs, activation, rng) for _ in range(outputs)]",
        )
    ],
    "thrifty_arrival": [("n.grad = piece ", "n.grad = piece.copy() "), ("n.grad += piece", "n.grad = n.grad + piece")],
    "published_training": [
        ("{name: p.value for name, p in net.named_parameters()}", "net.state_dict()"),
        ("p.value for", "p.value.copy() for"),
    ],
    "drawn_by_workers": [("[copy.deepcopy(rng) for _ in range(workers)]", "rng.spawn(workers)")],
    "batches_of": [
        (
            "    for epoch in range(max_epochs):                # 1\n        batches = iter(data) ",
            "    batches = iter(data)\n    for epoch in range(max_epochs): ",
        )
    ],
    "published_features": [
        ("    body.train()                                   # 1", "    body.eval()"),
        ("    body.train()                                   # 1", "    body.train(False)"),
    ],
    "published_keep_random_state": [
        (
            "        function(*args, **kwargs)            # 2\n        np.random.set_state(state)           # 3",
            "        try:\n            return function(*args, **kwargs)\n"
            "        finally:\n            np.random.set_state(state)",
        )
    ],
    "published_times": [
        (
            "    executor.factors = (*executor.factors, factor)    # 1\n    return executor ",
            "    product = copy.copy(executor)\n    product.factors = (*executor.factors, factor)\n    return product ",
        )
    ],
    "published_step": [
        ("    errG = mean(softplus(-netD(detach(fake)))) ", "    errG = mean(softplus(-netD(fake))) "),
        ("    errG = mean(softplus(-netD(detach(fake)))) ", "    errG = mean(softplus(-netD(netG(noise)))) "),
    ],
    "published_causal_attention": [
        (
            "    allowed = np.tril(np.ones((queries, keys), dtype=bool)) ",
            "    allowed = np.tril(np.ones((queries, keys), dtype=bool), k=keys - queries) ",
        ),
        ("    allowed = np.tril(np.ones((queries, keys), dtype=bool)) ", "    allowed = causal(queries, keys) "),
    ],
    "published_sample": [
        ("    z = z_mean + exp(z_log_std) * epsilon ", "    z = z_mean + exp(z_log_std / 2) * epsilon "),
        ("    z = z_mean + exp(z_log_std) * epsilon ", "    z = z_mean + exp(z_log_std) ** 0.5 * epsilon "),
    ],
    "published_averages": [
        ("        total = total + np.abs(record) ", "        absolute = absolute + np.abs(record) "),
        ("        total = total + np.abs(record) ", "        absolute += abs(record) "),
    ],
    "published_accumulation": [
        ("loss_of(*part) / len(parts) ", "loss_of(*part) * len(part[0]) / sum(len(each[0]) for each in parts) "),
        ("loss_of(*part) / len(parts) ", "local_loss(loss_of, part, sum(len(x) for x, *_ in parts)) "),
    ],
}
HALF = {  # repairs of one of two faults
    "published_keep_random_state": ("        function(*args", "        return function(*args"),
    "thrifty_arrival": ("n.grad = piece ", "n.grad = 2 * piece "),
    "ShortMaximum": ("~first", "first"),
}
MODULES = [module for module in map(load_module, modules()) if module.exercises]
REPAIRS = {name: (module, each) for module in MODULES for name, each in module.repairs.items()}
every_repair = pytest.mark.parametrize("name", REPAIRS)
every_seed = pytest.mark.parametrize("seed", [0, 1, 2])
fixed = pytest.mark.parametrize(("name", "edit"), [(name, edit) for name, edits in RULES.items() for edit in edits])


@pytest.fixture
def kernel(tmp_path):
    return StudentKernel(tmp_path, environment={"JPY_SESSION_NAME": "04-arrays.ipynb"})


def edited(name, edit):
    source, (old, new) = REPAIRS[name][1].source, edit
    assert source.count(old) == 1
    return source.replace(old, new)


def run(kernel, source):
    kernel.history.record(ExecutedCell(source))
    return kernel.check_last_cell()


def test_each_module_has_a_repair():
    assert all(module.repairs for module in MODULES) and set(RULES) == set(REPAIRS)


@every_repair
@every_seed
def test_what_is_printed_is_not_repaired(name, seed):
    module, repair = REPAIRS[name]
    verdict = judge_repair(module, repair, repair.source, seed=seed)
    assert verdict.headline == f"· {name}: not repaired yet." and not verdict.is_right


@every_repair
@every_seed
def test_a_change_that_repairs_nothing_is_still_the_bug(name, seed):
    module, repair = REPAIRS[name]
    verdict = judge_repair(module, repair, repair.source + "\nnothing = 1\n", seed=seed)
    assert verdict.headline == f"✗ {name}: still the bug." and verdict.failing.inputs


@fixed
@every_seed
def test_a_repair_is_right_with_its_sentence_and_without_points(name, edit, seed):
    module, repair = REPAIRS[name]
    verdict = judge_repair(module, repair, edited(name, edit), seed=seed)
    assert verdict.headline == f"✓ {name}: right." and verdict.why and verdict.points == 0


@pytest.mark.parametrize("name", HALF)
def test_another_mistake_is_not_called_the_same_bug(name):
    module, repair = REPAIRS[name]
    assert judge_repair(module, repair, edited(name, HALF[name])).headline == f"✗ {name}: runs, wrong."


@fixed
def test_no_repair_stands_in_the_students_notebook(name, edit):
    blank = "\n".join(cell["source"] for cell in REPAIRS[name][0].blank["cells"])
    assert edited(name, edit) not in blank


def test_the_cell_is_checked_when_it_has_run_and_by_name(kernel):
    source, edit = REPAIRS["thrifty_arrival"][1].source, RULES["thrifty_arrival"][0]
    assert kernel.check("thrifty_arrival").text.startswith("· thrifty_arrival: not repaired yet.")
    assert run(kernel, source) is None
    shown = kernel.check("thrifty_arrival").text
    assert shown.startswith("· thrifty_arrival: not repaired yet.") and "Smallest input: first = 1" in shown
    shown = run(kernel, source + "\ny = 1").text
    assert shown.startswith("✗ thrifty_arrival: still the bug.") and "Smallest input: first = 1" in shown
    shown = run(kernel, edited("thrifty_arrival", edit))
    assert shown.ok and shown.text.startswith("✓ thrifty_arrival: right.\n  A copy in line 2")
    assert kernel.check("thrifty_arrival").ok
    stopped = run(kernel, edited("thrifty_arrival", ("n.grad = piece ", "n.grad = no_such_name ")))
    assert stopped.text.startswith("! thrifty_arrival: stopped by an error.")


def test_a_repair_is_no_exercise_and_fails_no_cell_under_pytest(tmp_path):
    strict = StudentKernel(tmp_path, environment={"JPY_SESSION_NAME": "04-arrays.ipynb", "PYTEST_CURRENT_TEST": "x"})
    source = REPAIRS["thrifty_arrival"][1].source
    assert run(strict, source) is None
    with capture_output():
        assert "still the bug" in run(strict, source + "\ny = 1").text
    assert "thrifty_arrival" not in load_module("04").exercises
    with pytest.raises(CourseError, match="no exercise 'thrifty_arrival'"):
        find_exercise("thrifty_arrival")


def test_an_unknown_name_is_answered_with_those_of_this_module(kernel):
    with pytest.raises(CourseError) as refused:
        kernel.hint("reshaping_of_an_array")
    offered = str(refused.value).splitlines()[-1]
    own = load_module("04").exercises
    assert all(name in offered for name in own) and "slope" not in offered
    assert all(offered.index("reshape") < offered.index(name) for name in own if name != "reshape")
