"""Callbacks that save weights and log images."""

import numpy as np
import pytest

import dark
from dark import nn, optim
from dark.contexts import ClassifierContext, GANContext, GANEncoderContext, LogEvalMode
from dark.engine import Events
from dark.errors import ShapeError, UsageError, ValueTypeError
from dark.executors import DiscriminatorMinMax, GeneratorBCE, GeneratorL1
from dark.handlers import TensorBoardLogger, WeightsHistHandler
from dark.storage import SummaryWriter
from dark.trainers import (
    AdversarialTrainer,
    Event,
    LogClassifierCallback,
    LogImageGANCallback,
    LogImageGANEncoderCallback,
    SaveCallback,
)  # fmt: skip
from tests.storage.event_files.reading import read
from tests.trainers.adversaries import Writer, encoding_gan, gan, samples


def test_the_latest_weights_of_each_model_are_kept(tmp_path):
    context = gan().context
    models = [context.generator_model, context.discriminator_model]
    callback = SaveCallback(tmp_path / "models", models, Event.ON_BATCH_END, event_freq=2, max_to_keep=2)
    gan(callbacks=[callback]).run(samples(7))
    names = sorted(path.name for path in (tmp_path / "models").iterdir())
    assert names == ["model-0-step-4.pt", "model-0-step-6.pt", "model-1-step-4.pt", "model-1-step-6.pt"]
    assert callback.state_dict() == {"count": 7, "steps": [4, 6]}
    for index, model in enumerate(models):
        saved, weights = dark.load(tmp_path / "models" / f"model-{index}-step-6.pt"), model.module.state_dict()
        assert saved.keys() == weights.keys() and all((saved[name] == weights[name]).all() for name in saved)


def test_a_callback_that_continues_removes_what_the_earlier_one_saved(tmp_path):
    layer, context = nn.Linear(1, 1, seed=0), GANContext(global_step=1)
    first, second = (SaveCallback(tmp_path, layer) for _ in "ab")
    first.on_epoch_end(context)
    second.load_state_dict(first.state_dict())
    second.on_epoch_end(context)  # the same step again
    assert [path.name for path in tmp_path.iterdir()] == ["model-0-step-1.pt"]
    context.global_step = 2
    second.on_epoch_end(context)
    assert [path.name for path in tmp_path.iterdir()] == ["model-0-step-2.pt"]


@pytest.mark.parametrize(
    ("settings", "error", "text"),
    [
        ({"max_to_keep": 0}, UsageError, "max_to_keep must be 1 or more, got 0"),
        ({"event_freq": 0}, UsageError, "event_freq must be 1 or more, got 0"),
        ({"event": [Event.ON_EPOCH_END]}, ValueTypeError, "event must be a single member"),
        ({"models": [3]}, ValueTypeError, "3 \\(int\\) in models has no state_dict"),
    ],
)
def test_invalid_settings_of_a_saving_callback_are_refused_and_leave_no_folder(settings, error, text, tmp_path):
    with pytest.raises(error, match=text):
        SaveCallback(**{"save_dir": tmp_path / "new", "models": nn.ReLU(), **settings})
    assert not (tmp_path / "new").exists()


def test_in_training_mode_the_samples_of_the_last_step_are_logged():
    writer, context = Writer(), GANContext(global_step=5)
    context.fake_samples = np.linspace(-1, 1, 18).reshape(18, 1, 1, 1)
    LogImageGANCallback(writer).on_epoch_end(context)
    ((tag, images, step),) = writer.images
    assert (tag, images.shape, step) == ("generator", (16, 1, 1, 1), 5)
    np.testing.assert_allclose(images.ravel(), np.linspace(0, 1, 18)[:16])


def test_in_evaluation_mode_the_generator_is_called_again():
    writer = Writer()
    context = GANContext(generator_model=nn.Dropout(0.5, seed=0), log_eval_mode=LogEvalMode.TEST)
    context.generator_inputs = np.ones((2, 3, 3))
    LogImageGANCallback(writer).on_epoch_end(context)
    assert writer.images[0][1].shape == (2, 1, 3, 3) and (writer.images[0][1] == 1).all()


def test_what_is_not_an_image_is_a_histogram_or_an_error():
    writer, context = Writer(), GANContext()
    context.fake_samples = np.zeros((4, 3))
    LogImageGANCallback(writer).on_epoch_end(context)
    assert writer.histograms == [("generator", (4, 3), 0)]
    context.fake_samples = np.zeros(4)
    with pytest.raises(ShapeError, match="generator: cannot log an array of shape \\(4,\\)"):
        LogImageGANCallback(writer).on_epoch_end(context)


def test_a_classifiers_inputs_and_scores_are_logged():
    writer = Writer()
    context = ClassifierContext(classifier_model=nn.Flatten())
    context.current_batch = -np.ones((2, 1, 2, 2)), np.zeros(2)
    LogClassifierCallback(writer).on_epoch_end(context)
    assert [tag for tag, *_ in writer.images] == ["features"] and (writer.images[0][1] == 0).all()
    assert writer.histograms == [("scores", (2, 4), 0)]


@pytest.mark.parametrize("mode", LogEvalMode)
def test_a_gan_with_an_encoder_logs_both_samples(mode):
    writer = Writer()
    trainer = encoding_gan(callbacks=[LogImageGANEncoderCallback(writer)], log_eval_mode=mode)
    trainer.run(samples(2))
    assert writer.histograms == [("generator", (2, 3), 2), ("generator of encoder", (2, 3), 2)]


def test_before_an_epoch_has_ended_there_may_be_nothing_to_log():
    writer, context = Writer(), GANEncoderContext()
    LogImageGANEncoderCallback(writer).on_epoch_end(context)
    assert writer.images == writer.histograms == []


def test_a_writer_needs_both_methods():
    with pytest.raises(ValueTypeError, match="writer must have add_images and add_histogram"):
        LogImageGANCallback(print)
    with pytest.raises(UsageError, match="max_images must be 1 or more, got 0"):
        LogImageGANCallback(Writer(), max_images=0)


def test_images_are_written_to_files_of_tensorboard(tmp_path):
    pytest.importorskip("tensorboard")
    context = GANContext(global_step=5)
    context.fake_samples = np.zeros((2, 1, 4, 4))
    with SummaryWriter(tmp_path) as writer:
        LogImageGANCallback(writer).on_epoch_end(context)
    (event,) = read(tmp_path).Images("generator")
    assert (event.step, event.height, event.encoded_image_string[:4]) == (5, 4, b"\x89PNG")


def as_images(x):
    return x.reshape(-1, 1, 4, 4)


def test_the_reader_of_tensorboard_finds_all_that_a_training_logs(tmp_path):
    pytest.importorskip("tensorboard")
    with TensorBoardLogger(tmp_path) as log:
        generator = nn.Sequential(nn.Linear(2, 16, seed=0), nn.Tanh(), nn.Function(as_images))
        discriminator = nn.Sequential(nn.Flatten(), nn.Linear(16, 1, seed=1))
        loss = GeneratorBCE() + 100 * GeneratorL1()
        context = GANContext(
            generator_model=generator, discriminator_model=discriminator, generator_loss=loss,
            discriminator_loss=DiscriminatorMinMax(),
        )  # fmt: skip
        optimizers = [optim.SGD(model.parameters(), lr=0.1) for model in (generator, discriminator)]
        trainer = AdversarialTrainer(context, *optimizers, [LogImageGANCallback(log.writer)])
        log.attach_output_handler(
            trainer.engine, Events.ITERATION_COMPLETED, "training", output_transform=lambda output: output
        )
        log.attach(trainer.engine, WeightsHistHandler(generator, tag="generator"), Events.EPOCH_COMPLETED)
        trainer.run([((np.zeros((3, 1, 4, 4)), None), np.ones((3, 2)))] * 2)
        log.writer.add_text("formula", dark.draw.formula(loss).alt, context.global_step)
    found = read(tmp_path)
    steps = [(event.step, pytest.approx(event.value)) for event in found.Scalars("training/GeneratorL1")]
    assert steps[-1] == (2, trainer.engine.state.output["GeneratorL1"]) and len(steps) == 2
    (image,), (histogram,) = found.Images("generator"), found.Histograms("generator/weights/0/weight")
    assert (image.step, image.height, histogram.step, histogram.histogram_value.num) == (2, 4, 1, 32)
    (text,) = found.Tensors("formula/text_summary")
    assert text.tensor_proto.string_val[0].decode() == dark.draw.formula(loss).alt
    assert "100 * GeneratorL1" in text.tensor_proto.string_val[0].decode()


@pytest.mark.parametrize("mode", LogEvalMode)
def test_without_a_step_there_is_nothing_to_log(mode):
    writer = Writer()
    models = {"generator_model": nn.ReLU(), "encoder_model": nn.ReLU(), "log_eval_mode": mode}
    LogImageGANCallback(writer).on_epoch_end(GANContext(generator_model=nn.ReLU(), log_eval_mode=mode))
    LogImageGANEncoderCallback(writer).on_epoch_end(GANEncoderContext(**models))
    LogClassifierCallback(writer).on_epoch_end(ClassifierContext(classifier_model=nn.ReLU()))
    assert writer.images == writer.histograms == []
