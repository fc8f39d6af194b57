"""Logistic and softmax regression beside scikit-learn, at the same penalty and accuracy.

Each runner returns the loss of its model on the first 500 samples: cheap, and not flat at the
minimum over all samples, so that a model that is off shows.
"""

from collections.abc import Callable, Iterator

import numpy as np
from sklearn.linear_model import LogisticRegression

from benchmarks.timing import Race
from lib.logistic import fit_logistic, fit_softmax, logistic_loss, sigmoid, softmax_loss

LAM = 1e-3  # on the mean loss; scikit-learn's C is 1 / (n LAM)
SHOWN = 500


def _library(n: int, solver: str = "lbfgs") -> LogisticRegression:
    return LogisticRegression(C=1 / (n * LAM), tol=1e-8, max_iter=1000, solver=solver)


def _binary(X: np.ndarray, y: np.ndarray) -> dict[str, Callable]:
    def loss(w: np.ndarray, b: float) -> float:
        return logistic_loss(np.append(b, w), X[:SHOWN], y[:SHOWN])[0]

    def ours() -> float:
        model = fit_logistic(X, y, LAM)
        return loss(model.weights, model.intercept)

    def theirs(solver: str) -> float:
        model = _library(len(X), solver).fit(X, y)
        return loss(model.coef_[0], model.intercept_[0])

    return {
        "lib": ours,
        "scikit-learn, lbfgs": lambda: theirs("lbfgs"),
        "scikit-learn, newton-cholesky": lambda: theirs("newton-cholesky"),
    }


def _multinomial(X: np.ndarray, y: np.ndarray) -> dict[str, Callable]:
    def loss(W: np.ndarray, b: np.ndarray) -> float:
        return softmax_loss(W, b, X[:SHOWN], y[:SHOWN])[0]

    def ours() -> float:
        model = fit_softmax(X, y, LAM, tol=1e-8)
        return loss(model.weights, model.intercepts)

    def theirs() -> float:
        model = _library(len(X)).fit(X, y)
        return loss(model.coef_, model.intercept_)

    return {"lib": ours, "scikit-learn, lbfgs": theirs}


def races() -> Iterator[Race]:
    """Yield two classes at three sizes, to see how time grows, and five classes."""
    rng = np.random.default_rng(0)
    for n, d in ((2_000, 30), (20_000, 30), (80_000, 30)):
        X = rng.normal(size=(n, d))
        y = (rng.random(n) < sigmoid(X @ rng.normal(size=d))).astype(float)
        yield Race(f"logistic regression, {n} × {d}", _binary(X, y))
    n, d, K = 20_000, 30, 5
    X, W = rng.normal(size=(n, d)), rng.normal(size=(K, d))
    y = (X @ W.T + rng.gumbel(size=(n, K))).argmax(axis=1)
    yield Race(f"softmax regression, {n} × {d}, {K} classes", _multinomial(X, y))
