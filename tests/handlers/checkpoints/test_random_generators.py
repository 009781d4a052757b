"""The random generators of a training, in its checkpoints: a resumed training draws what it would have drawn."""

import copy
import json
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dark
from dark import nn, optim
from dark.data import DataLoader, TensorDataset
from dark.engine import Engine, Events, manual_seed, random_states
from dark.errors import UsageError, ValueTypeError
from dark.handlers import Checkpoint, DiskSaver, ModelCheckpoint
from dark.trainers import create_supervised_trainer
from tests.handlers.checkpoints.test_checkpoint import Memory, Thing, idle

BITS = [np.random.PCG64, np.random.PCG64DXSM, np.random.MT19937, np.random.Philox, np.random.SFC64]


class Noise(nn.Module):
    """Adds noise from generators of every kind, some in containers, and from a child of one."""

    def __init__(self, seed=0):
        super().__init__()
        self.one = np.random.default_rng(seed)
        self.several = [np.random.Generator(bits(seed)) for bits in BITS]
        self.named = {"old": np.random.RandomState(seed), "python": random.Random(seed)}
        self.bits = np.random.PCG64(seed)

    def forward(self, x):
        children = [rng.spawn(1)[0] for rng in (self.one, *self.several)]
        noise = sum(rng.normal() + rng.random(dtype=np.float32) for rng in (*children, *self.several))
        noise += self.named["old"].normal() + self.named["python"].gauss(0, 1)
        return x + 0.01 * (noise + np.random.Generator(self.bits).normal()) if self.training else x


def network(seed=0):
    """Return a network whose two dropout layers share a generator."""
    shared = np.random.default_rng(seed)
    return nn.Sequential(
        nn.Linear(3, 6, seed=1), nn.Dropout(0.3, seed=shared), nn.Tanh(), Noise(seed),
        nn.Sequential(nn.Dropout(0.2, seed=shared), nn.Linear(6, 1, seed=2)), nn.Dropout(0.1),
    )  # fmt: skip


def blurred(model, x):
    """Apply a model to an input with noise from the global generators."""
    return model(x + 0.01 * np.random.normal(size=x.shape) + 0.01 * random.gauss(0, 1))


def training(make=network):
    x = np.random.default_rng(0).normal(size=(20, 3))
    loader = DataLoader(TensorDataset(x, x[:, :1] ** 2), batch_size=4, shuffle=True, seed=1)
    model = make()
    optimizer = optim.Adam(model.parameters(), lr=0.05)
    trainer = create_supervised_trainer(model, optimizer, nn.MSELoss(), model_fn=blurred)
    return loader, {"trainer": trainer, "model": model, "optimizer": optimizer}


def weights(objects):
    return {name: array.tobytes() for name, array in objects["model"].state_dict().items()}


@pytest.fixture(scope="module")
def whole():
    """The weights after an uninterrupted training, and its checkpoints after each iteration, as files have them."""
    manual_seed(3)
    loader, objects = training()
    memory = Memory()
    checkpoint = Checkpoint(objects, memory, n_saved=None)
    objects["trainer"].add_event_handler(Events.ITERATION_COMPLETED, checkpoint)
    objects["trainer"].run(loader, max_epochs=3)
    return weights(objects), list(memory.files.values())


@pytest.mark.long
@given(kill=st.integers(1, 14), seed=st.integers(0, 99))
def test_a_resumed_training_has_the_same_weights_whatever_draws(whole, kill, seed):
    expected, states = whole
    manual_seed(seed)
    loader, objects = training(lambda: network(seed))
    Checkpoint.load_objects(objects, states[kill - 1])
    objects["trainer"].run(loader)
    assert weights(objects) == expected


@pytest.mark.parametrize("kind", [Checkpoint, ModelCheckpoint])
def test_the_files_of_a_training_resume_it(whole, tmp_path, kind):
    loader, objects = training()
    manual_seed(3)
    trainer = objects["trainer"]
    handler, given_objects = (Checkpoint(objects, tmp_path), ()) if kind is Checkpoint else (kind(tmp_path), (objects,))
    trainer.add_event_handler(Events.ITERATION_COMPLETED(every=7), handler, *given_objects)
    trainer.add_event_handler(Events.ITERATION_COMPLETED(once=9), trainer.terminate)
    trainer.run(loader, max_epochs=3)
    path = DiskSaver(tmp_path, require_empty=False).last_good()
    assert path == handler.last_checkpoint and path.name == "checkpoint_7.pt"

    manual_seed(99)
    loader, objects = training(lambda: network(5))
    Checkpoint.load_objects(objects, dark.load(path))
    objects["trainer"].run(loader)
    reloaded = training(lambda: network(6))[1]
    manual_seed(98)
    Checkpoint(reloaded, DiskSaver(tmp_path, require_empty=False)).reload_objects(reloaded, global_step=7)
    reloaded["trainer"].run(loader)
    assert weights(reloaded) == weights(objects)


def test_the_keys_of_a_state_dict_are_those_of_pytorch():
    assert list(network().state_dict()) == ["0.weight", "0.bias", "4.1.weight", "4.1.bias"]
    memory = Memory()
    Checkpoint(training()[1], memory)(idle())
    (content,) = memory.files.values()
    assert list(content) == ["trainer", "model", "optimizer", "random_states"]
    assert list(content["model"]) == list(network().state_dict())


def drawn(model):
    return model.train()(np.ones((4, 3))).value.tobytes()


def test_a_module_saved_alone_keeps_its_generators_and_loads_as_a_state_dict(tmp_path):
    model, other, third = network(), network(5), network(6)
    checkpoint = Checkpoint({"model": model}, tmp_path)
    checkpoint(idle())
    content = dark.load(checkpoint.last_checkpoint)
    assert list(content) == [*model.state_dict(), "random_states"] and list(content["random_states"]) == ["generators"]
    assert repr(third.load_state_dict(content)) == "<all keys match>"
    Checkpoint.load_objects({"under another name": other}, content)
    assert drawn(other) == drawn(model)
    assert set(dark.load(checkpoint.last_checkpoint, foreign=True)) >= set(model.state_dict())


def test_several_modules_are_kept_wherever_they_are_nested():
    rng = np.random.default_rng(0)

    def make(rng):
        return {"models": [nn.Dropout(seed=rng), {"b": nn.Dropout(seed=rng)}], "c": nn.Dropout(seed=1), "d": idle()}

    old, new, memory = make(rng), make(np.random.default_rng(5)), Memory()
    Checkpoint(old, memory)(idle())
    (content,) = memory.files.values()
    names = [entry["names"] for entry in content["random_states"]["generators"]]
    assert names == [[["models", 0, "generator"], ["models", 1, "b", "generator"]], [["c", "generator"]]]
    Checkpoint.load_objects(new, json.loads(json.dumps(content)))
    x = np.ones(50)
    for layer in (lambda o: o["models"][0], lambda o: o["models"][1]["b"], lambda o: o["c"]):
        np.testing.assert_array_equal(layer(new)(x).value, layer(old)(x).value)


def test_copies_have_generators_of_their_own_and_keep_their_ties():
    model = network()
    average = copy.deepcopy(model)
    drawn(model)
    memory, engine = Memory(), idle()
    Checkpoint({"model": model, "average": average, "trainer": engine}, memory)(engine)
    (content,) = memory.files.values()
    shared = [[name[-1] for name in e["names"]] for e in content["random_states"]["generators"] if len(e["names"]) > 1]
    assert shared == [["1.generator", "4.0.generator"]] * 2
    new = {"model": network(4), "average": network(5), "trainer": idle()}
    Checkpoint.load_objects(new, content)
    assert drawn(new["model"]) == drawn(model) != drawn(new["average"]) == drawn(average)


def test_objects_other_than_modules_keep_their_generators():
    class Noisy(Thing):
        def __init__(self, seed):
            super().__init__()
            self.rng = np.random.default_rng(seed)

    old, new, memory = Noisy(1), Noisy(2), Memory()
    Checkpoint({"noisy": old, "trainer": idle()}, memory)(idle())
    Checkpoint.load_objects({"noisy": new, "trainer": idle()}, *memory.files.values())
    assert old.rng.random() == new.rng.random()


def test_a_checkpoint_without_generators_still_loads():
    _, objects = training()
    memory = Memory()
    Checkpoint(objects, memory)(idle())
    (content,) = memory.files.values()
    del content["random_states"]
    loader, new = training(lambda: network(5))
    before = random.getstate(), nn.random_state(new["model"])
    Checkpoint.load_objects(new, content)
    assert (random.getstate(), nn.random_state(new["model"])) == before and weights(new) == weights(objects)


def test_an_entry_of_that_name_in_an_earlier_checkpoint_is_an_object_of_its_own():
    things = {"thing": Thing(), "random_states": Thing()}
    Checkpoint.load_objects(things, {"thing": {"number": 1}, "random_states": {"number": 2}})
    assert things["random_states"].number == 2


def saved_training(make=network):
    memory = Memory()
    Checkpoint(training(make)[1], memory)(idle())
    return next(iter(memory.files.values()))


def with_dropout(*seeds):
    """Return a function that makes a network with a dropout layer for each seed."""
    return lambda: nn.Sequential(nn.Linear(3, 1, seed=0), *(nn.Dropout(seed=seed) for seed in seeds))


def separate():
    return with_dropout(0, 0)()


def shared():
    return with_dropout(*[np.random.default_rng(0)] * 2)()


def other_bits():
    return with_dropout(np.random.Generator(np.random.MT19937(0)))()


DIFFERENT = [
    (with_dropout(0), with_dropout(0, 1), r"missing in the checkpoint: \['model'\] 2.generator"),
    (with_dropout(0, 1), with_dropout(0), r"missing in what to load: \['model'\] 2.generator"),
    (shared, separate, r"shared in the checkpoint only: \['model'\] 1.generator, \['model'\] 2.generator"),
    (separate, shared, r"shared in what to load only: \['model'\] 1.generator, \['model'\] 2.generator"),
    (with_dropout(0), other_bits, r"\['model'\] 1.generator: PCG64 in the checkpoint, MT19937 in what to load"),
]


@pytest.mark.parametrize(("saved", "made", "text"), DIFFERENT)
def test_other_generators_are_refused_and_nothing_changes(saved, made, text):
    content = saved_training(saved)
    _, objects = training(made)
    objects["model"][0].weight.value += 1
    before = weights(objects), nn.random_state(objects["model"]), random.getstate()
    with pytest.raises(UsageError, match=text) as caught:
        Checkpoint.load_objects(objects, content)
    assert "Expected: " in str(caught.value) and "load the modules alone" in str(caught.value)
    assert (weights(objects), nn.random_state(objects["model"]), random.getstate()) == before


@pytest.mark.parametrize(("saved", "made", "text"), DIFFERENT)
def test_modules_alone_get_the_generators_that_fit_and_leave_the_process(saved, made, text):
    content, model = saved_training(saved), made()
    states = random.getstate()
    Checkpoint.load_objects({"model": model}, content)
    assert random.getstate() == states
    first = content["random_states"]["generators"][0]["state"]
    assert (nn.random_state(model)["1.generator"] == first) == (made is not other_bits)


@pytest.mark.parametrize("damage", ["process", "generators"])
def test_damaged_states_are_refused_and_nothing_changes(damage):
    content = saved_training()
    states = content["random_states"]
    if damage == "process":
        states["process"]["python"][1] = [1, 2]
    else:
        states["generators"][-1]["state"] = {"bit_generator": "PCG64", "state": 5}
    _, objects = training()
    objects["model"][0].weight.value += 1
    before = weights(objects), nn.random_state(objects["model"]), random_states()
    with pytest.raises(ValueTypeError, match=r"load_objects: (the generators of the process|\['model'\] .*): \w+Error"):
        Checkpoint.load_objects(objects, content)
    assert (weights(objects), nn.random_state(objects["model"]), random_states()) == before


def test_the_key_of_the_generators_is_not_free():
    with pytest.raises(UsageError, match="Cannot have key 'random_states' because random generators are kept under it"):
        Checkpoint({"random_states": Thing()}, Memory())


def test_a_model_checkpoint_refuses_the_key_too(tmp_path):
    with pytest.raises(UsageError, match="Cannot have key 'random_states'"):
        ModelCheckpoint(tmp_path)(idle(), {"random_states": Thing()})


def test_another_global_bit_generator_of_numpy_is_kept():
    before = np.random.get_bit_generator()
    try:
        np.random.set_bit_generator(np.random.PCG64(3))
        content = saved_training()
        first = np.random.rand()
        content["random_states"] = json.loads(json.dumps(content["random_states"]))
        Checkpoint.load_objects(training()[1], content)
        assert np.random.rand() == first
    finally:
        np.random.set_bit_generator(before)
    with pytest.raises(ValueTypeError, match="the generators of the process"):
        Checkpoint.load_objects(training()[1], content)


def test_a_trainer_of_ones_own_resumes_exactly(whole):
    def make(seed):
        model = network(seed)

        def step(engine, batch):
            loss = (model(np.ones((2, 3)) * np.random.rand()) ** 2).mean()
            model.zero_grad()
            loss.backward()
            for parameter in model.parameters():
                parameter.value = parameter.value - 0.1 * parameter.grad

        return {"trainer": Engine(step), "model": model}

    def run(seed, state=None):
        objects, memory = make(seed), Memory()
        trainer = objects["trainer"]
        trainer.add_event_handler(Events.ITERATION_COMPLETED, Checkpoint(objects, memory, n_saved=None))
        manual_seed(seed)
        if state is not None:
            Checkpoint.load_objects(objects, state)
        trainer.run(max_epochs=2, epoch_length=4)
        return weights(objects), memory.files

    expected, files = run(0)
    for state in [*files.values()][:-1]:
        assert run(7, state)[0] == expected
