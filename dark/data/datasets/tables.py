"""Five standard datasets bundled with scikit-learn; nothing is downloaded."""

import numpy as np

from dark.data.datasets.labeled_data import LabeledData
from dark.errors import missing_extra

UCI = "CC BY 4.0, according to the UCI Machine Learning Repository"


def digits(images: bool = False) -> LabeledData:
    """Return the handwritten digits dataset (classification): 1,797 images of 8 × 8 pixels, 10 classes.

    Inputs are float64 from 0 (background) to 16 (ink), of shape (1797, 64), or (1797, 1, 8, 8) as images. All tables
    need scikit-learn, in the extra `lab`.

    >>> digits().inputs.shape, digits(images=True).inputs.shape
    ((1797, 64), (1797, 1, 8, 8))
    """
    return _table(
        "digits",
        "Digits written by 13 people (the test set of the original): ink in the 4 × 4 blocks of 32 × 32 bitmaps.",
        "E. Alpaydin, C. Kaynak (1998), Optical Recognition of Handwritten Digits, UCI, doi:10.24432/C50P49",
        UCI,
        shape=(1, 8, 8) if images else (64,),
    )


def iris() -> LabeledData:
    """Return the iris dataset (classification): 150 flowers of three species, 4 lengths in cm.

    >>> iris().target_names
    ('setosa', 'versicolor', 'virginica')
    """
    return _table(
        "iris",
        "Length and width of sepals and petals, in cm; 50 flowers per species. As in Fisher's paper, without the two "
        "errors in UCI's copy.",
        "R. A. Fisher (1936), The use of multiple measurements in taxonomic problems, doi:10.24432/C56C76",
        UCI,
    )


def wine() -> LabeledData:
    """Return the wine dataset (classification): 178 wines from three cultivators, 13 chemical measurements.

    >>> wine().inputs.shape, wine().target_names
    ((178, 13), ('class_0', 'class_1', 'class_2'))
    """
    return _table(
        "wine",
        "Chemical analysis of wines from one region of Italy, by three cultivators.",
        "S. Aeberhard, M. Forina (1992), Wine, UCI, doi:10.24432/C5PC7J",
        UCI,
    )


def breast_cancer() -> LabeledData:
    """Return the breast cancer dataset (classification): 569 tumors, 30 measurements of cell nuclei.

    >>> breast_cancer().target_names
    ('malignant', 'benign')
    """
    return _table(
        "breast_cancer",
        "Mean, standard error and worst value of ten measurements of the cell nuclei in an image.",
        "W. Wolberg, O. Mangasarian, N. Street, W. Street (1993), Breast Cancer Wisconsin (Diagnostic), UCI, "
        "doi:10.24432/C5DW2B",
        UCI,
    )


def diabetes() -> LabeledData:
    """Return the diabetes dataset (regression): 442 patients, 10 measurements, disease progression after one year.

    Targets are float64, from 25 to 346. The ten columns are centered and scaled to norm 1 over *all* 442 rows, a small
    leak in the bundled file.

    >>> diabetes().inputs.shape, diabetes().target_names
    ((442, 10), ('disease progression',))
    """
    return _table(
        "diabetes",
        "Age, sex, body mass index, blood pressure and six blood serum measurements, centered and scaled; a measure of "
        "disease progression one year later.",
        "B. Efron, T. Hastie, I. Johnstone, R. Tibshirani (2004), Least Angle Regression, Annals of Statistics 32; "
        "https://www4.stat.ncsu.edu/~boos/var.select/diabetes.html",
        "not stated by the source; bundled with scikit-learn (BSD 3-Clause)",
        target_names=("disease progression",),
    )


def _table(name, description, source, license, target_names=None, shape=None):
    try:
        import sklearn.datasets
    except ImportError:
        raise missing_extra("scikit-learn", "lab") from None
    table = getattr(sklearn.datasets, f"load_{name}")()
    inputs = table.data if shape is None else np.ascontiguousarray(table.data).reshape(-1, *shape)
    features, names = (tuple(map(str, names)) for names in (table.feature_names, target_names or table.target_names))
    return LabeledData(name, inputs, table.target, features, names, description, source, license)
