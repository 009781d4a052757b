"""The rules of the doctor: each is a function of a `NotedRun` that returns a `Finding`, or None.

Reading order: `not_finite`, `learning_rate`, `gradients` (exploding, vanishing), `units` (dead, saturated), `weights`
(symmetry, frozen, shrinking), `leak` with `token_leak`, `collapse` with `code_collapse`, `losses` (rising, oscillating,
noise, no learning), `generalization` (overfitting, validation above training, two networks that compete).

`RULES` has them in the order of the report, causes before effects.
"""

from dark.monitor.doctor.rules.generalization import adversarial_imbalance
from dark.monitor.doctor.rules.collapse import collapse
from dark.monitor.doctor.rules.units import dead_units
from dark.monitor.doctor.rules.gradients import exploding_gradients
from dark.monitor.doctor.rules.weights import frozen_parameters
from dark.monitor.doctor.rules.leak import leak
from dark.monitor.doctor.rules.learning_rate import large_learning_rate, small_learning_rate
from dark.monitor.doctor.rules.losses import no_learning
from dark.monitor.doctor.rules.losses import gradient_noise
from dark.monitor.doctor.rules.not_finite import not_finite
from dark.monitor.doctor.rules.losses import oscillating_loss
from dark.monitor.doctor.rules.generalization import overfitting
from dark.monitor.doctor.rules.losses import rising_loss
from dark.monitor.doctor.rules.units import saturation
from dark.monitor.doctor.rules.weights import shrinking_weights
from dark.monitor.doctor.rules.weights import symmetry
from dark.monitor.doctor.rules.generalization import validation_above_training
from dark.monitor.doctor.rules.gradients import vanishing_gradients

RULES = {
    "not finite": not_finite,
    "learning rate too large": large_learning_rate,
    "exploding gradients": exploding_gradients,
    "dead units": dead_units,
    "saturation": saturation,
    "symmetry": symmetry,
    "frozen parameters": frozen_parameters,
    "vanishing gradients": vanishing_gradients,
    "shrinking weights": shrinking_weights,
    "rising loss": rising_loss,
    "oscillating loss": oscillating_loss,
    "gradient noise": gradient_noise,
    "learning rate too small": small_learning_rate,
    "leak": leak,
    "collapse": collapse,
    "adversarial imbalance": adversarial_imbalance,
    "no learning": no_learning,
    "overfitting": overfitting,
    "validation above training": validation_above_training,
}

__all__ = ["RULES"]
