"""A user's program, which type checkers accept: it is checked, not run."""

from __future__ import annotations

from typing import Any

import numpy as np

import dark
from dark import losses, nn, optim
from dark.contexts import GANContext
from dark.data import DataLoader, Standardize, TensorDataset, datasets, split
from dark.engine import Engine, Events
from dark.executors import Executor, GANExecutor, GeneratorL1, Pix2PixLoss, linear
from dark.handlers import Checkpoint, EarlyStopping
from dark.metrics import Accuracy, Loss
from dark.trainers import create_supervised_evaluator, create_supervised_trainer


class Cube(dark.Operation):
    """The third power."""

    @staticmethod
    def _f(x):
        return x**3

    @staticmethod
    def _df(dldy, y, x):
        return (dldy * 3 * x**2,)


class LeastSquares(GANExecutor):
    """The squared distance of scores to 1."""

    def __init__(self) -> None:
        super().__init__(nn.MSELoss())

    @Executor.reduce_loss
    def call(self, context: GANContext, *, fake: dark.Node, **kwargs: Any) -> dark.Node:
        """Return the loss of each example."""
        scores = context.discriminator_model(fake, training=True)
        return self.fn(scores, np.ones(scores.shape)).mean(axis=1)


x = dark.Parameter(10, name="x")
fx: dark.Node = dark.add(dark.mul(2, dark.pow(x, 2)), 5)
fx.backward()
total: dark.Node = 2 * x**2 + 5 - x / 3
total = dark.exp(x) @ np.ones(3)
total.sum(axis=0).mean().backward()
print(fx.value, x.grad, dark.sqrt(x).shape, dark.softmax(x, axis=-1))
y: dark.Node = Cube.apply(x)
print(dark.gradcheck(Cube.apply, 2.0).ok, dark.grad(lambda z: z * z)(3.0))

net = nn.Sequential(nn.Linear(4, 16, seed=1), nn.Tanh(), nn.Linear(16, 3, seed=2))
optimizer = optim.Adam(net.parameters(), lr=0.05)
loss = losses.cross_entropy(net(np.ones((2, 4))), np.array([0, 1]))
optimizer.zero_grad()
with (
    net.register_full_backward_hook(lambda module, grad_input, grad_output: None, prepend=True) as handle,
    net[0].weight.register_hook(lambda grad: 2 * grad),
    nn.GroupNorm(2, 4).register_forward_hook(lambda module, args, output: print(output.shape), always_call=True),
):
    loss.backward()
handle.remove()
optimizer.step()
dark.save(net.state_dict(), "digits.safetensors")
net.load_state_dict(dark.load("digits.safetensors"))

train, test = split(datasets.digits(), (0.8, 0.2), seed=0)
standardize = Standardize().fit(train)
loader = DataLoader(TensorDataset(*standardize(train[:])), batch_size=32, shuffle=True, seed=0)
trainer = create_supervised_trainer(net, optimizer, nn.CrossEntropyLoss())
evaluator = create_supervised_evaluator(net, metrics={"accuracy": Accuracy(), "loss": Loss(losses.cross_entropy)})


@trainer.on(Events.EPOCH_COMPLETED(every=2))
def report(engine: Engine) -> None:
    """Evaluate, and print the accuracy."""
    evaluator.run(loader)
    print(engine.state.epoch, evaluator.state.metrics["accuracy"])


stop = EarlyStopping(patience=3, score_function=lambda engine: engine.state.metrics["accuracy"], trainer=trainer)
evaluator.add_event_handler(Events.COMPLETED, stop)
trainer.add_event_handler(Events.EPOCH_COMPLETED, Checkpoint({"net": net}, "checkpoints", n_saved=2))
print(trainer.run(loader, max_epochs=5).iteration)
dark.draw(fx).save("graph.svg")
dark.draw.confusion(np.array([0, 1]), np.array([0, 1])).save("confusion.svg")
with dark.no_grad():
    print((net(np.ones((2, 4))).value.argmax(axis=1) == np.array([0, 1])).mean(), (2 * x).value + 1)

context = GANContext(generator_model=nn.Linear(2, 3), discriminator_model=nn.Linear(3, 1))
fake = context.generator_model(np.ones((4, 2)), training=True)
adversarial = 2 * LeastSquares() + GeneratorL1() * linear(0, 1, 10) - LeastSquares() / np.float32(3)
adversarial(context, fake=fake, real=np.ones((4, 3))).backward()
context.global_step += 1
print(adversarial, adversarial.values(), (Pix2PixLoss() - adversarial.named("adversarial")).terms())
dark.draw.formula(adversarial).save("formula.svg")
