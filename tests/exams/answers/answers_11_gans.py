"""Answers of module 11, adversarial networks: what only the judge reads.

Part of the product: the package ships this file in `dark/_answers`.
"""

import numpy as np

import dark
from dark.course.exams.answers import Answers

answers = Answers("11")

# the reference: parts of `dark` that its facade does not hold, and what has other names or signatures there

answers.reference(dark.nn.Module)
answers.reference(dark.contexts.GANContext)
answers.reference(dark.executors.GeneratorBCE)


@answers.reference
def sum_of(x, axis=None, keepdims=False):
    """Compute the sum along an axis, or of all."""
    return dark.sum(x, axis, keepdims)


@answers.reference
def get_discriminator_inputs(context, x, condition=None):
    """Return the inputs as a list; every refusal is a value error."""
    found = dark.executors.GANExecutor.get_discriminator_inputs(context, x, condition, True)
    return found if isinstance(found, list) else [found]


@answers.reference
class DiscriminatorMinMax(dark.executors.GANExecutor):
    """The loss of `dark` with one-sided smoothing, for batches of two sizes."""

    def __init__(self, label_smoothing=0.0):
        super().__init__()
        self.target = 1 - label_smoothing

    def call(self, context, *, fake, real, condition=None, training=True, **others):
        """Return the mean of both halves."""
        scores = (self.scores(context, x, condition, training) for x in (real, fake))
        pairs = zip(scores, (self.target, 0.0))
        halves = [dark.losses.binary_cross_entropy_with_logits(s, np.full(s.shape, target)) for s, target in pairs]
        return (halves[0] + halves[1]) / 2


@answers.reference
class DiscriminatorHinge(dark.executors.GANExecutor):
    """The hinge loss of `dark`, for batches of two sizes."""

    def call(self, context, *, fake, real, condition=None, training=True, **others):
        """Return the sum of both means."""
        scores = (self.scores(context, x, condition, training) for x in (real, fake))
        of_real, of_fake = (dark.losses.hinge(s, np.full(s.shape, side)) for s, side in zip(scores, (1, -1)))
        return of_real + of_fake


@answers.reference
class GeneratorHinge(dark.executors.GeneratorHingeLoss):
    """The loss of `dark`, with a shorter name."""


@answers.reference
def detach(x):
    """Return a constant with a copy."""
    return dark.Constant(np.array(getattr(x, "value", x), dtype=float))


@answers.reference
def adversarial_step(context, optimizers, real, noise, condition=None):
    """Move one model after the other."""
    fake, losses, used = context.generator_model(noise, training=True), {}, []
    for name, samples in (("discriminator", detach(fake)), ("generator", fake)):
        for each in optimizers.values():
            each.zero_grad()
        loss = getattr(context, f"{name}_loss")(context, fake=samples, real=real, condition=condition, training=True)
        loss.backward()
        optimizers[name].step()
        used += [(p, p.grad) for p in optimizers[name].parameters]
        losses[name] = loss.item()
    for p, gradient in used:
        p.grad = gradient
    context.global_step += 1
    return losses


@answers.reference
def batch_spread(features, eps=1e-6):
    """Return the mean root of the variances."""
    return dark.sqrt(dark.var(features, axis=0) + eps).mean()


@answers.reference
def coverage(classifier, samples):
    """Count the predicted classes."""
    modes = [(part, part.training) for part in classifier.modules()]
    try:
        found = classifier.eval()(samples).value
    finally:
        for part, mode in modes:
            part.training = mode
    return np.sum(found.argmax(axis=1)[:, None] == np.arange(found.shape[1]), axis=0)


# predictions


@answers.prediction("11.0a")
def two_equal_logits(dark):
    """Both classes have the probability 0.5, and -log 0.5 = log 2 = 0.693: the loss of who knows nothing."""
    return float(np.log(2))


@answers.prediction("11.1a")
def the_parameters_of_a_call(dark):
    """`inputs` is one parameter, which takes any number of inputs. The signature of `forward` tells the two."""
    return 1


@answers.prediction("11.2a")
def steeper_by_an_exponential(dark):
    """(1 - σ(s)) / σ(s) = exp(-s), and exp(7) is 1096.6: with minimax, bad samples learn a thousand times slower."""
    return float(np.exp(7))


@answers.prediction("11.2b")
def the_probability_of_the_target(dark):
    """The slope is σ(s) - t, which is 0 where the probability is the target: 1 - 0.2 = 0.8."""
    return 0.8


@answers.prediction("11.3a")
def all_four_parameters(dark):
    """All 4: the loss leads through D into the fakes, and through them into the weight and the bias of G."""
    return 4


@answers.prediction("11.4a")
def the_slope_of_a_root(dark):
    """1 / (2 · √v) = 1 / (2 · 0.001) = 500. The smaller v, the steeper; at 0 there is no finite slope."""
    return 500


@answers.prediction("11.5a")
def no_gradient_at_all(dark):
    """None. `detach` in line 7 cuts the only way from the loss to the generator, and `zero_grad` left None there."""
    return None


# repairs of "Find the bug"; they earn no points


@answers.reference
def published_step(netG, netD, optimizerG, optimizerD, real, noise):
    """Detached for the step of D, with its graph for that of G: through D, the loss reaches the generator."""
    fake = netG(noise)
    optimizerD.zero_grad()
    errD = dark.mean(dark.softplus(-netD(real))) + dark.mean(dark.softplus(netD(detach(fake))))
    errD.backward()
    optimizerD.step()
    optimizerG.zero_grad()
    errG = dark.mean(dark.softplus(-netD(fake)))
    errG.backward()
    optimizerG.step()
    return errD.item(), errG.item()
