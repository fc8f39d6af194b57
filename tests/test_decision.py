"""Decisions, discriminants, ROC, calibration and conformal sets against references."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.spatial.distance import mahalanobis as library_mahalanobis
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.metrics import roc_curve as library_roc

from lib.decision import (
    auc_by_ranks,
    bayes_decisions,
    calibration_bins,
    conformal_quantile,
    expected_calibration_error,
    expected_costs,
    fit_lda,
    fit_qda,
    fit_temperature,
    mahalanobis,
    prediction_sets,
    roc_curve,
    standardise,
    whiten,
)
from lib.logistic import softmax

examples = settings(max_examples=25, deadline=None)


@examples
@given(
    n=st.integers(1, 20),
    K=st.integers(1, 5),
    A=st.integers(1, 5),
    seed=st.integers(0, 999),
)
def test_decisions_minimise_the_expected_cost(n, K, A, seed):
    rng = np.random.default_rng(seed)
    P, costs = rng.dirichlet(np.ones(K), size=n), rng.normal(size=(K, A))
    by_loops = [
        [sum(p[k] * costs[k, a] for k in range(K)) for a in range(A)] for p in P
    ]
    np.testing.assert_allclose(expected_costs(P, costs), by_loops, atol=1e-12)
    np.testing.assert_array_equal(
        bayes_decisions(P, costs), np.argmin(by_loops, axis=1)
    )


@examples
@given(d=st.integers(1, 4), K=st.integers(2, 4), seed=st.integers(0, 999))
def test_discriminants_agree_with_scikit_learn(d, K, seed):
    rng = np.random.default_rng(seed)
    y = np.arange(30 * K) % K
    X = rng.normal(size=(30 * K, d)) * (1 + y[:, None]) + y[:, None]
    new = rng.normal(size=(20, d))
    lda, qda = fit_lda(X, y), fit_qda(X, y)
    reference = LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    np.testing.assert_allclose(
        lda.probabilities(new), reference.predict_proba(new), atol=1e-7
    )
    reference = QuadraticDiscriminantAnalysis().fit(X, y)
    np.testing.assert_allclose(
        qda.probabilities(new), reference.predict_proba(new), atol=1e-7
    )
    W, b = lda.linear_form()
    linear = softmax(new @ W.T + b)
    np.testing.assert_allclose(linear, lda.probabilities(new), atol=1e-8)


@examples
@given(n=st.integers(2, 60), levels=st.integers(1, 20), seed=st.integers(0, 999))
def test_roc_agrees_with_scikit_learn_also_with_ties(n, levels, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, size=n)
    y[:2] = [0, 1]
    scores = rng.integers(0, levels, size=n).astype(float)
    curve = roc_curve(y, scores)
    fpr, tpr, thresholds = library_roc(y, scores, drop_intermediate=False)
    np.testing.assert_allclose(curve.fpr, fpr)
    np.testing.assert_allclose(curve.tpr, tpr)
    np.testing.assert_allclose(curve.thresholds[1:], thresholds[1:])
    assert curve.auc == pytest.approx(roc_auc_score(y, scores))
    assert auc_by_ranks(y, scores) == pytest.approx(curve.auc)
    gaps = scores[y == 1][:, None] - scores[y == 0]
    assert curve.auc == pytest.approx(np.mean((gaps > 0) + 0.5 * (gaps == 0)))


def test_calibration_error_by_hand():
    confidence = np.array([0.05, 0.95, 0.91, 1.0, 0.0, 0.5])
    correct = np.array([0.0, 1.0, 0.0, 1.0, 0.0, 1.0])
    bins = calibration_bins(confidence, correct, 10)
    assert bins.count.sum() == 6
    by_hand = (abs(0 - 0.05) + abs(2 - 2.86) + abs(1 - 0.5)) / 6
    assert expected_calibration_error(confidence, correct, 10) == pytest.approx(by_hand)
    even = calibration_bins(np.linspace(0, 1, 100), np.ones(100), 5, strategy="count")
    assert set(even.count.tolist()) <= {19, 20, 21}


def test_temperature_minimises_the_log_loss():
    rng = np.random.default_rng(0)
    z = rng.normal(size=(3000, 4)) * 2
    y = np.array([rng.choice(4, p=p) for p in softmax(z)])
    tau = fit_temperature(5 * z, y)
    reference = minimize_scalar(
        lambda t: log_loss(y, softmax(5 * z / t)), bounds=(0.1, 50), method="bounded"
    )
    assert tau == pytest.approx(reference.x, rel=1e-3)
    assert tau == pytest.approx(5, rel=0.1)


@pytest.mark.parametrize("n", [1, 8, 9, 10, 99])
@pytest.mark.parametrize("miss", [0.05, 0.1, 0.3])
def test_conformal_rank(n, miss):
    scores = np.random.default_rng(n).permutation(np.arange(1.0, n + 1))
    rank = math.ceil(round((n + 1) * (1 - miss), 9))
    assert conformal_quantile(scores, miss) == (rank if rank <= n else math.inf)


def test_conformal_coverage_is_what_the_theorem_says():
    rng = np.random.default_rng(0)
    hits = [
        (s := rng.normal(size=20))[-1] <= conformal_quantile(s[:-1], 0.2)
        for _ in range(20_000)
    ]
    assert np.mean(hits) == pytest.approx(16 / 20, abs=0.01)
    everything = prediction_sets(np.array([[0.2, 0.8]]), math.inf)
    assert everything.all()


@pytest.mark.parametrize("scale", [1e-100, 1.0, 1e100])
def test_scaling_and_whitening(scale):
    rng = np.random.default_rng(1)
    X = scale * (rng.normal(size=(50, 3)) @ rng.normal(size=(3, 3)))
    np.testing.assert_allclose(np.cov(whiten(X)(X).T), np.eye(3), atol=1e-8)
    np.testing.assert_allclose(np.diag(np.cov(standardise(X)(X).T)), 1.0)
    C, m = np.cov(X.T), X.mean(axis=0)
    if scale == 1.0:
        expected = [library_mahalanobis(x, m, np.linalg.inv(C)) for x in X]
        np.testing.assert_allclose(mahalanobis(X, m, C), expected)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bayes_decisions([[0.5, 0.6]], np.eye(2)), "sum to 1"),
        (lambda: bayes_decisions([[0.5, 0.5]], np.eye(3)), "3 columns"),
        (lambda: fit_lda(np.eye(3), [0, 0, 0]), "two classes"),
        (lambda: fit_lda(np.ones((4, 1)), [0, 1, 0, 1]), "full rank"),
        (lambda: fit_lda(np.eye(3), [0, 2, 0]), "none of 1"),
        (lambda: fit_qda([[0.0], [5.0], [1.0]], [0, 1, 0]), "two samples of class 1"),
        (lambda: fit_qda(np.eye(4), [0, 1, 0, 1]).linear_form(), "full rank"),
        (lambda: roc_curve([1, 1], [0.1, 0.2]), "both labels"),
        (lambda: roc_curve([0, 1], [np.nan, 0.2]), "finite"),
        (lambda: calibration_bins([1.2], [1.0]), "\\[0, 1\\]"),
        (lambda: calibration_bins([0.2], [1.0], strategy="k"), "one of width"),
        (lambda: conformal_quantile([1.0], 0.0), "miss"),
        (lambda: standardise(np.ones((3, 2))), "vary"),
        (lambda: whiten(np.outer(np.arange(4.0), [1, 2])), "full rank"),
        (
            lambda: mahalanobis([[1.0, 2.0]], [0.0, 0.0], [[1.0, 2.0], [2.0, 1.0]]),
            "definite",
        ),
        (lambda: fit_temperature([[0.0, 1.0]], [2]), "labels"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
