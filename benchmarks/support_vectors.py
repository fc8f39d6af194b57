"""Support vector machines beside libsvm: 500 to 2,000 points, Gaussian and linear kernels."""

from collections.abc import Iterator

from sklearn.datasets import make_classification
from sklearn.svm import SVC

from benchmarks.timing import Race
from lib.kernels import RBF, Linear
from lib.svm import SupportVectorClassifier


def races() -> Iterator[Race]:
    """Yield growing samples with a Gaussian kernel, then one with a linear kernel."""
    for n in (500, 1000, 2000):
        X, y = make_classification(n, 20, n_informative=8, flip_y=0.1, random_state=0)
        y = 2.0 * y - 1.0
        yield Race(
            f"Gaussian kernel, {n} × 20",
            {
                "lib": lambda X=X, y=y: SupportVectorClassifier(RBF(0.05)).fit(X, y),
                "libsvm": lambda X=X, y=y: SVC(gamma=0.05).fit(X, y),
            },
        )
    yield Race(
        "linear kernel, 2000 × 20",
        {
            "lib": lambda: SupportVectorClassifier(Linear(), C=0.1).fit(X, y),
            "libsvm": lambda: SVC(kernel="linear", C=0.1).fit(X, y),
        },
    )
