"""The adversarial examples: their command lines, what they measure, their pictures, and what they promise."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

for package in ("sklearn", "tqdm", "matplotlib", "threadpoolctl"):
    pytest.importorskip(package, reason="the extra 'lab' is not installed")

ROOT = Path(__file__).parents[1]
PICTURES = {"bigan_toy": ["bigan"], "conditional_gan": ["confusion", "samples"], "pix2pix_maps": ["maps"]}
REST = [name for name in PICTURES if name != "bigan_toy"]


@pytest.fixture
def module(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "examples")
    return importlib.import_module


def run(module, name, *arguments):
    """Run an example in this process, and return its exit code."""
    example, program = module(name), module("adversarial").program
    return program("What it does.", "unused", example.run, example.STEPS, list(map(str, arguments)))


@pytest.mark.parametrize("name", ["bigan_toy", *(pytest.param(name, marks=pytest.mark.long) for name in REST)])
def test_a_short_run_measures_and_draws(module, name, tmp_path, capsys):
    code = run(module, name, "--steps", 2, "--out", tmp_path)
    said = capsys.readouterr()
    assert code == 1 and "is expected" in said.out  # two steps keep no promise
    assert "seed 0" in said.err
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [f"{picture}.{kind}" for picture in PICTURES[name] for kind in ("png", "svg")]
    for picture in PICTURES[name]:
        alt = re.search(r"<desc[^>]*>(.*?)</desc>", (tmp_path / f"{picture}.svg").read_text(encoding="utf-8"))[1]
        assert len(alt) > 80 and alt.split(".")[0] in said.out


@pytest.mark.parametrize("name", ["bigan_toy", *(pytest.param(name, marks=pytest.mark.long) for name in REST)])
def test_the_same_seed_gives_the_same_numbers(module, name):
    example = module(name)
    first, again, other = (example.run(seed, 2)[0] for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("name", ["anomaly", *(pytest.param(name, marks=pytest.mark.long) for name in PICTURES)])
def test_the_command_says_what_it_does(name):
    command = [sys.executable, str(ROOT / "examples" / f"{name}.py"), "--help"]
    said = subprocess.run(command, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True).stdout
    assert f"build/{name.replace('_', '-')}" in said
    assert all(option in said for option in ("--seed SEED", "--steps N", "--out OUT"))


@pytest.mark.parametrize("option", ["--seed=-1", "--steps=0", "--steps=x", "--out=FILE"])
def test_an_argument_that_makes_no_sense_is_refused(module, option, tmp_path, capsys):
    (tmp_path / "file").touch()
    with pytest.raises(SystemExit, match="2"):
        run(module, "bigan_toy", option.replace("FILE", str(tmp_path / "file")))
    name, _, value = option.partition("=")
    assert name in capsys.readouterr().err


def test_ctrl_c_ends_a_run_without_a_file(module, tmp_path, capsys):
    def interrupted(seed, steps):
        raise KeyboardInterrupt

    program = module("adversarial")
    assert program.program("", "unused", interrupted, 1, ["--out", str(tmp_path)]) == program.INTERRUPTED
    assert "Stopped" in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_a_pair_is_an_example_and_its_code_or_a_sample_and_its_noise(module):
    example = module("bigan_toy")
    context = example.make_trainer(0, 1).context
    real, noise = example.points(np.random.default_rng(0), 4), example.noise_of(np.random.default_rng(1), 4)
    fake = context.generator_model(noise, training=True)
    context.generator_inputs = noise
    code = context.encoder_model(real, training=True)
    for of, pair, target in (("real", (real, code), 0), ("fake", (fake, noise), 1)):
        scores = context.discriminator_model(*pair, training=True).value
        expected = np.logaddexp(0, -scores if target else scores).mean()
        loss = example.PairBCE(of, target)(context, fake=fake, real=real, condition=None, training=True)
        assert loss.item() == pytest.approx(expected, rel=1e-5)


def test_the_sheet_shows_each_image_in_its_place(module):
    images = np.linspace(-1, 1, 2 * 3 * 4 * 4).reshape(2, 3, 4, 4)
    picture = module("pictures").sheet(images, ["a", "b"], list("xyz"), title="Title", alt="Alt text.", groups=(2,))
    (axes,) = picture.figure.axes
    page = axes.images[0].get_array().filled(np.nan)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b"]
    for (r, c), _ in np.ndenumerate(images[:, :, 0, 0]):
        y, x = round(axes.get_yticks()[r] - 1.5), round(axes.get_xticks()[c] - 1.5)
        np.testing.assert_array_equal(page[y : y + 4, x : x + 4], images[r, c])
    assert repr(picture) == "Alt text."


def test_the_diversity_is_the_mean_distance_within_a_class(module):
    images = np.repeat(np.arange(10.0)[:, None], 64, axis=1)
    images = np.concatenate([images, images + 1])
    found = module("conditional_gan").diversity(images, np.tile(np.arange(10), 2))
    np.testing.assert_allclose(found, 8.0)


def test_a_digit_that_is_left_out_is_not_in_the_training_images(module):
    example = module("anomaly")
    train, normal, anomalies = example.parts(3, np.random.default_rng(0))
    images, labels = module("gan_digits").real_digits()
    np.testing.assert_array_equal(anomalies, images[labels == 3])
    assert len(train) + len(normal) + len(anomalies) == len(images) and len(normal) == (labels != 3).sum() // 5
    known = {image.tobytes() for image in images[labels != 3]}
    assert {image.tobytes() for image in np.concatenate([train, normal])} == known


def test_anomaly_scores_of_a_short_training_are_drawn_with_the_line_of_guessing(module):
    example = module("anomaly")
    found = [example.leave_out(digit, seed=0, steps=2) for digit in (0, 1)]
    assert [one["is_anomaly"].sum() for one in found] == [178, 182]
    again = example.leave_out(0, seed=0, steps=2)
    np.testing.assert_array_equal(found[0]["scores"], again["scores"])
    picture = example.curves_of(found, {0: 0.9, 1: 0.85})
    assert len(picture.figure.axes) == 2
    for axes in picture.figure.axes:
        curve, chance = axes.lines
        assert chance.get_linestyle() == "--" and chance.get_xydata().tolist() == [[0, 0], [1, 1]]
    assert "0 0.900, 1 0.850" in picture.alt and "dashed diagonal of guessing" in picture.alt
    assert "four digits that it knows" in example.restored_of(found).alt


def test_the_draftsman_gives_streets_an_edge_and_buildings_an_outline_and_a_shadow(module):
    example = module("pix2pix_maps")
    cells = np.full((32, 32), example.GROUND)
    cells[:, 3:5], cells[10:14, 10:14], cells[20:, 20:] = example.STREET, example.BUILDING, example.WATER
    page = example.drawn(cells).astype(float).round(2)
    assert page[5, 1:8].tolist() == [-0.7, 0.5, -1, -1, 0.5, -0.7, -0.7]
    assert page[11, 8:18].tolist() == [-0.7, -0.7, 0.8, 0, 0, 0.8, 0.1, 0.1, -0.7, -0.7]
    assert page[25, 18:25].tolist() == [-0.7, -0.7, 0.25, -0.2, 0.25, 0.25, 0.25]


def test_the_best_shades_are_the_medians_of_the_kinds_of_cells(module):
    example = module("pix2pix_maps")
    layouts, maps = example.make_maps(np.random.default_rng(0), 5)
    np.testing.assert_array_equal(layouts.sum(axis=1), 1)
    shades = example.best_shades(layouts, maps)
    least = example.measured(example.shaded(layouts, shades), maps)[0]
    for k in range(4):
        for change in (-0.1, 0.1):
            other = [shade + change * (k == i) for i, shade in enumerate(shades)]
            assert example.measured(example.shaded(layouts, other), maps)[0] >= least
    distance, ratio, similarity = example.measured(maps, maps)
    assert distance == 0 and ratio > 99 and similarity == pytest.approx(1)


@pytest.mark.long
@pytest.mark.parametrize("name", PICTURES)
def test_an_example_keeps_its_promise(module, name, tmp_path):
    assert run(module, name, "--seed", 1, "--out", tmp_path) == 0


@pytest.mark.long
def test_each_digit_that_is_left_out_is_found(module, tmp_path, capsys):
    assert run(module, "anomaly", "--steps", 300, "--out", tmp_path) == 0  # half of the default
    areas = re.findall(r"^(\d) +(\d\.\d{3}) ", capsys.readouterr().out, re.M)
    assert [digit for digit, _ in areas] == list("0123456789") and all(float(area) >= 0.8 for _, area in areas)
