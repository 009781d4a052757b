"""Small datasets that need no download; each says its source and its license.

The tables come out of scikit-learn (the extra `lab`), which is imported when one is asked for.
"""

from dark.data.datasets.labeled_data import LabeledData
from dark.data.datasets.tables import breast_cancer, diabetes, digits, iris, wine
from dark.data.datasets.generated import spirals, two_moons

__all__ = ["LabeledData", "breast_cancer", "diabetes", "digits", "iris", "spirals", "two_moons", "wine"]
