"""The rules of the doctor: each is a function of a `NotedRun` that returns a `Finding`, or None.

Reading order: `not_finite`, `learning_rate`, `gradients` (exploding, vanishing; dead and saturated units), `weights`
(symmetry, frozen, shrinking), `leak`, `collapse`, `losses` (noise, no learning, overfitting, two networks that
compete).

`RULES` has them in the order of the report, causes before effects.
"""

from dark.monitor.doctor.rules.losses import adversarial_imbalance
from dark.monitor.doctor.rules.collapse import collapse
from dark.monitor.doctor.rules.gradients import dead_units
from dark.monitor.doctor.rules.gradients import exploding_gradients
from dark.monitor.doctor.rules.weights import frozen_parameters
from dark.monitor.doctor.rules.leak import leak
from dark.monitor.doctor.rules.learning_rate import large_learning_rate, small_learning_rate
from dark.monitor.doctor.rules.losses import no_learning
from dark.monitor.doctor.rules.losses import gradient_noise
from dark.monitor.doctor.rules.not_finite import not_finite
from dark.monitor.doctor.rules.losses import overfitting
from dark.monitor.doctor.rules.gradients import saturation
from dark.monitor.doctor.rules.weights import shrinking_weights
from dark.monitor.doctor.rules.weights import symmetry
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
    "gradient noise": gradient_noise,
    "learning rate too small": small_learning_rate,
    "leak": leak,
    "collapse": collapse,
    "adversarial imbalance": adversarial_imbalance,
    "no learning": no_learning,
    "overfitting": overfitting,
}

__all__ = ["RULES"]
