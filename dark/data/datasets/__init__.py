"""Small datasets that need no download, each with its source and its license.

Reading order: `labeled_data` (the class), `generated`, `tables`. The tables are bundled with scikit-learn (the extra
`lab`), which is imported when a table is loaded.
"""

from dark.data.datasets.labeled_data import LabeledData
from dark.data.datasets.tables import breast_cancer, diabetes, digits, iris, wine
from dark.data.datasets.generated import spirals, two_moons

__all__ = ["LabeledData", "breast_cancer", "diabetes", "digits", "iris", "spirals", "two_moons", "wine"]
