"""A supervised training whose graph is recorded: the same bits, with accumulation, too."""

import numpy as np
import pytest

from dark import nn, optim
from dark.data import DataLoader, TensorDataset
from dark.engine import Events
from dark.errors import UsageError
from dark.trainers import create_supervised_trainer

X, Y = np.random.default_rng(0).normal(size=(40, 5)), np.arange(40) % 3


def trained(group, **settings):
    model = nn.Sequential(nn.Linear(5, 8, seed=1), nn.Dropout(0.3, seed=2), nn.ReLU(), nn.Linear(8, 3, seed=3))
    trainer = create_supervised_trainer(
        model,
        optim.Adam(model.parameters(), lr=0.01),
        nn.CrossEntropyLoss(),
        gradient_accumulation_steps=group,
        **settings,
    )
    outputs = []
    trainer.on(Events.ITERATION_COMPLETED)(lambda engine: outputs.append(engine.state.output))
    trainer.run(DataLoader(TensorDataset(X, Y), batch_size=8, shuffle=True, seed=0), max_epochs=4)
    return outputs, {name: value.tobytes() for name, value in model.state_dict().items()}


@pytest.mark.parametrize("group", [1, 2])
def test_a_recorded_training_has_the_same_bits(group):
    assert trained(group, recorded=True) == trained(group)


def test_another_output_is_refused():
    with pytest.raises(UsageError, match=r"(?s)recorded=True with an output_transform.*Expected: .*Try: "):
        trained(1, recorded=True, output_transform=lambda x, y, y_pred, loss: y_pred)
