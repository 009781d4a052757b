"""Five well-known tables of real measurements, out of the files that come with scikit-learn: no download."""

import numpy as np

from dark.data.datasets.labeled_data import LabeledData
from dark.errors import missing_extra

UCI = "CC BY 4.0, as the UCI Machine Learning Repository states"


def digits(images=False):
    """Handwritten digits: 1,797 pictures of 8 × 8 pixels, 10 classes.

    Parameters
    ----------
    images : bool, default False
        Inputs of shape (1797, 1, 8, 8) instead of (1797, 64).

    Returns
    -------
    LabeledData
        Inputs float64 from 0 (paper) to 16 (ink).

    Raises
    ------
    MissingExtraError
        Without scikit-learn.

    Examples
    --------
    >>> digits().inputs.shape, digits(images=True).inputs.shape
    ((1797, 64), (1797, 1, 8, 8))
    """
    table = _loaders().load_digits()
    pixels = np.ascontiguousarray(table.data)  # comes with gaps between its rows
    return LabeledData(
        "digits",
        pixels.reshape(-1, 1, 8, 8) if images else pixels,
        table.target,
        tuple(table.feature_names),
        tuple(map(str, table.target_names)),
        "Digits written by 13 people (the test part of the original), 32 × 32 bitmaps counted in blocks of 4 × 4.",
        "E. Alpaydin, C. Kaynak (1998), Optical Recognition of Handwritten Digits, UCI, doi:10.24432/C50P49",
        UCI,
    )


def iris():
    """Iris flowers: 150 of three species, 4 lengths in cm.

    Returns
    -------
    LabeledData

    Raises
    ------
    MissingExtraError
        Without scikit-learn.

    Examples
    --------
    >>> iris().target_names
    ('setosa', 'versicolor', 'virginica')
    """
    return _table(
        "iris",
        _loaders().load_iris(),
        "Length and width of sepals and petals, in cm; 50 flowers a species. As Fisher printed them: two numbers of "
        "UCI's copy are wrong and are right here.",
        "R. A. Fisher (1936), The use of multiple measurements in taxonomic problems, doi:10.24432/C56C76",
        UCI,
    )


def wine():
    """Wines of three growers: 178, 13 chemical measurements.

    Returns
    -------
    LabeledData

    Raises
    ------
    MissingExtraError
        Without scikit-learn.

    Examples
    --------
    >>> wine().inputs.shape, wine().target_names
    ((178, 13), ('class_0', 'class_1', 'class_2'))
    """
    return _table(
        "wine",
        _loaders().load_wine(),
        "Chemical analysis of wines of one region of Italy, from three cultivators.",
        "S. Aeberhard, M. Forina (1992), Wine, UCI, doi:10.24432/C5PC7J",
        UCI,
    )


def breast_cancer():
    """Tumours, malignant or benign: 569, 30 measurements of the nuclei of cells.

    Returns
    -------
    LabeledData
        Class 0 is malignant, 1 is benign.

    Raises
    ------
    MissingExtraError
        Without scikit-learn.

    Examples
    --------
    >>> breast_cancer().target_names
    ('malignant', 'benign')
    """
    return _table(
        "breast_cancer",
        _loaders().load_breast_cancer(),
        "Mean, standard error and worst value of ten measurements of the nuclei in a picture of cells.",
        "W. Wolberg, O. Mangasarian, N. Street, W. Street (1993), Breast Cancer Wisconsin (Diagnostic), UCI, "
        "doi:10.24432/C5DW2B",
        UCI,
    )


def diabetes():
    """Diabetes after a year: 442 patients, 10 measurements, one number to foretell.

    Returns
    -------
    LabeledData
        Targets float64, from 25 to 346.

    Raises
    ------
    MissingExtraError
        Without scikit-learn.

    Notes
    -----
    The ten columns come centred and scaled to length 1 over *all* 442 rows: a small leak that is in the file.

    Examples
    --------
    >>> diabetes().inputs.shape, diabetes().target_names
    ((442, 10), ('disease progression',))
    """
    return _table(
        "diabetes",
        _loaders().load_diabetes(),
        "Age, sex, body mass index, blood pressure and six blood serum measurements, centred and scaled; how far the "
        "disease is a year later.",
        "B. Efron, T. Hastie, I. Johnstone, R. Tibshirani (2004), Least Angle Regression, Annals of Statistics 32; "
        "https://www4.stat.ncsu.edu/~boos/var.select/diabetes.html",
        "none stated by the source; comes with scikit-learn (BSD 3-Clause)",
        ("disease progression",),
    )


def _table(name, table, description, source, license, target_names=None):
    names = tuple(map(str, table.target_names)) if target_names is None else target_names
    return LabeledData(
        name, table.data, table.target, tuple(map(str, table.feature_names)), names, description, source, license
    )


def _loaders():
    try:
        import sklearn.datasets
    except ImportError:
        raise missing_extra("scikit-learn", "lab") from None
    return sklearn.datasets
