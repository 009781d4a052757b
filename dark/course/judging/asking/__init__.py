"""How an answer is asked: the question sheet of an exercise, and the search for the smallest failing inputs."""

from dark.course.judging.asking.observations import Asked, Trial, not_opened, observations_of
from dark.course.judging.asking.sheet import Drawn, Row, Sheet, expected_observation

__all__ = ["Asked", "Drawn", "Row", "Sheet", "Trial", "expected_observation", "not_opened", "observations_of"]
