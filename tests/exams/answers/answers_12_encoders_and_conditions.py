"""Answers of module 12, encoders and conditions: what only the judge reads.

Part of the product: the package ships this file in `dark/_answers`.
"""

import numpy as np

import dark
from dark.course.exams.answers import Answers

answers = Answers("12")

# the reference: parts of `dark` that its facade does not hold, and what has other names or signatures there

answers.reference(dark.nn.Module)
answers.reference(dark.contexts.GANContext)
answers.reference(dark.contexts.GANEncoderContext)
answers.reference(dark.executors.Executor)
answers.reference(dark.executors.GeneratorBCE)
answers.reference(dark.executors.EncoderBCE)


@answers.reference
def sum_of(x, axis=None, keepdims=False):
    """Compute the sum along an axis, or of all."""
    return dark.sum(x, axis, keepdims)


@answers.reference
def one_hot(labels, classes):
    """Compare labels with the classes."""
    if set(np.unique(labels)) - set(range(classes)):
        raise ValueError(labels)
    return np.equal.outer(labels, np.arange(classes)).astype(float)


class Conditional(dark.nn.Module):
    """A network of an input and one-hot labels."""

    def __init__(self, network, classes):
        super().__init__()
        self.network, self.classes = network, classes

    def forward(self, x, condition):
        """Join both."""
        return self.network(dark.concatenate([x, one_hot(condition, self.classes)], axis=1))


@answers.reference
class ConditionalGenerator(Conditional):
    """One of noise and labels."""


@answers.reference
class ConditionalDiscriminator(Conditional):
    """One of examples and labels."""


@answers.reference
def joint_inputs(context, x, condition=None, z=None, training=True):
    """Return the inputs as a list; where z is at hand, a context of it in the place of the encoder."""
    if z is not None and isinstance(context, dark.contexts.GANEncoderContext):
        models = {"discriminator_model": context.discriminator_model.module, "encoder_model": lambda x: z}
        context = dark.contexts.GANEncoderContext(**models)
    found = dark.executors.GANExecutor.get_discriminator_inputs(context, x, condition, training)
    return found if isinstance(found, list) else [found]


@answers.reference
class PairDiscriminatorBCE(dark.executors.GANExecutor):
    """The binary cross-entropy of both kinds of pairs."""

    def call(self, context, *, fake, real, noise, condition=None, training=True, **others):
        """Return the mean of both halves."""
        of_loss = dark.losses.binary_cross_entropy_with_logits
        halves = []
        for x, z, target in ((real, None, 1.0), (fake, noise, 0.0)):
            s = context.discriminator_model(joint_inputs(context, x, condition, z, training), training=training)
            halves.append(of_loss(s, np.full(s.shape, target)))
        return (halves[0] + halves[1]) / 2


@answers.reference
def encoder_step(context, optimizers, real, noise, condition=None):
    """Move one model, then two at once."""
    fake, losses, gradients = context.generator_model(noise, training=True), {}, {}

    def back(name, samples):
        for each in optimizers.values():
            each.zero_grad()
        loss = getattr(context, f"{name}_loss")(
            context, fake=samples, real=real, noise=noise, condition=condition, training=True
        )
        loss.backward()
        losses[name] = loss.item()
        gradients[name] = [p.grad for p in optimizers[name].parameters]

    def put_back(*names):
        for name in names:
            for p, gradient in zip(optimizers[name].parameters, gradients[name]):
                p.grad = gradient

    back("discriminator", fake.detach())
    optimizers["discriminator"].step()
    back("encoder", fake)
    back("generator", fake)
    put_back("encoder", "generator")
    optimizers["encoder"].step()
    optimizers["generator"].step()
    put_back("discriminator")
    context.global_step += 1
    return losses


@answers.reference
def reparameterize(mu, log_variance, rng):
    """Return mean and spread with noise."""
    return mu + dark.sqrt(dark.exp(log_variance)) * rng.standard_normal(mu.shape)


@answers.reference
def kl_to_normal(mu, log_variance):
    """Return the mean of the sums of the divergence of each number."""
    each = (mu**2 + dark.exp(log_variance) - log_variance - 1) / 2
    return each.sum(axis=1).mean()


@answers.reference
def anomaly_score(context, x, features=None):
    """Return squared distances."""
    code = context.encoder_model(x, training=False)
    back = context.generator_model(code, training=False)
    if features is not None:
        x, back = (of_features(features, each, code) for each in (x, back))
    difference = getattr(back, "value", back) - getattr(x, "value", x)
    return np.square(difference).sum(axis=tuple(range(1, difference.ndim)))


def of_features(features, x, code):
    """Return features in evaluation mode, with the mode of before afterwards."""
    mode = getattr(features, "training", None)
    try:
        return (features if mode is None else features.eval())(x, code)
    finally:
        if mode is not None:
            features.train(mode)


@answers.reference
def auc(scores, labels):
    """Compute the area by the ranks of the anomalies, where equal scores share their ranks."""
    positive = np.asarray(labels, dtype=bool)
    count = positive.sum()
    if count in (0, len(scores)):
        raise ValueError("one kind")
    left, right = (np.searchsorted(np.sort(scores), scores, side) for side in ("left", "right"))
    ranks = (left + right + 1) / 2
    return float((ranks[positive].sum() - count * (count + 1) / 2) / (count * (len(scores) - count)))


@answers.reference
class CycleLoss(dark.executors.Executor):
    """The mean squared error of the way back."""

    def call(self, context, *, real, training=True, **others):
        """Return the mean."""
        back = context.generator_model(context.encoder_model(real, training=training), training=training)
        return dark.mean((back - real) ** 2)


@answers.reference
def with_cycle(losses, weight):
    """Add the term for two of the models."""
    return {name: loss if name == "discriminator" else loss + weight * CycleLoss() for name, loss in losses.items()}


# predictions


@answers.prediction("12.0a")
def the_condition_counts(dark):
    """All three: x and encoding have no default, and a parameter called condition counts with one, too."""
    return 3


@answers.prediction("12.1a")
def halfway_between_labels(dark):
    """From 0 to 8 the output rises by 8, so halfway it is 5, whether a 4 looks like that or not."""
    return 1 + (9 - 1) * 4 / 8


@answers.prediction("12.2a")
def the_encoder_is_reached(dark):
    """4: the two of D and, through the codes of real images, the two of E. Detached fakes keep G out."""
    return 4


@answers.prediction("12.3a")
def the_noise_itself(dark):
    """The sample is μ + σε, so its slope by σ is ε, -0.5: a larger spread would move this sample down."""
    return -0.5


@answers.prediction("12.3b")
def nothing_to_pay(dark):
    """0: its distribution is the standard normal. A code that is free says nothing about its image."""
    return 0


@answers.prediction("12.4a")
def the_share_of_pairs(dark):
    """Of 20 · 30 pairs, the anomaly is higher in 20 · 24: 24 / 30 is 0.8."""
    return 24 / 30


@answers.prediction("12.6a")
def one_exponential_too_many(dark):
    """Line 1 has the spread exp(2), so the variance exp(4); line 2 takes exp(2) as the variance: exp(2) is 7.389."""
    return float(np.exp(2))


@answers.prediction("12.7a")
def no_network_at_all(dark):
    """The nearest training image, about 0.99. Measure what is simple first; what an encoder is for stands below."""
    return "nearest"


# repairs of "Find the bug"; they earn no points


@answers.reference
def published_sample(z_mean, z_log_std, epsilon):
    """Half of a log-variance is the logarithm of the spread: line 1 takes the number as line 2 does."""
    sample = z_mean + dark.exp(z_log_std / 2) * epsilon
    return sample, kl_to_normal(z_mean, z_log_std)
