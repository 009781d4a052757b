"""The adversarial training that `benchmarks.kill` kills: three kinds of noise, dropout, and an alternating update."""

import numpy as np

from dark import nn, optim
from dark.contexts import GANContext
from dark.data import DataLoader, TensorDataset
from dark.engine import Events
from dark.executors import DiscriminatorMinMax, GeneratorBCE, GeneratorL1, linear
from dark.metrics import RunningAverage
from dark.trainers import AdversarialTrainer, CounterCallback, Event


def with_noise(item, generator):
    """Return an item ((x, y), noise); the inputs of the generator are drawn anew in each epoch."""
    x, y = item
    return (x, y), generator.normal(size=3)


class Noisy(nn.Module):
    """A network with noise from NumPy's global generator in front of it, while it is trained."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, x):
        """Return the output for noisy inputs."""
        return self.network(x + 0.05 * np.random.normal(size=x.shape) if self.training else x)


def make():
    """Return the engine of a trainer, its loader, and all objects that are saved."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(50, 4))
    data = TensorDataset(x, (x[:, 0] > 0).astype(int))
    loader = DataLoader(data, batch_size=8, shuffle=True, seed=1, transform=with_noise)
    generator = nn.Sequential(
        nn.Linear(3, 8, seed=2), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.2, seed=3), nn.Linear(8, 4, seed=4)
    )
    discriminator = Noisy(
        nn.Sequential(nn.Linear(4, 8, seed=5), nn.LeakyReLU(0.2), nn.Dropout(0.3, seed=6), nn.Linear(8, 1, seed=7))
    )
    context = GANContext(
        generator_model=generator, discriminator_model=discriminator, discriminator_loss=DiscriminatorMinMax(),
        generator_loss=GeneratorBCE() + linear(0.0, 1.0, 20) * GeneratorL1(),
    )  # fmt: skip
    optimizers = [optim.Adam(model.parameters(), lr=0.01) for model in (generator, discriminator)]
    schedule, losses = optim.lr_scheduler.ExponentialLR(optimizers[0], 0.8), []
    count = CounterCallback(Event.ON_BATCH_END, lambda context: losses.append(context.global_step), "count", 3)
    trainer = AdversarialTrainer(context, *optimizers, [count], discriminator_steps=2)
    average = RunningAverage(output_transform=lambda output: output["discriminator_loss"])
    average.attach(trainer.engine, "average")
    trainer.engine.add_event_handler(Events.EPOCH_COMPLETED, schedule.step)
    trainer.engine.add_event_handler(Events.EPOCH_COMPLETED, lambda: trainer.evaluate(loader))
    return trainer.engine, loader, {**trainer.objects(), "schedule": schedule, "average": average}
