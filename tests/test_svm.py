"""Support vector machines against libsvm, a general optimiser and their own optimality."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.svm import SVC, LinearSVC

from lib.kernels import RBF, Linear, Polynomial, Sigmoid
from lib.svm import (
    Optimality,
    SupportVectorClassifier,
    dual_objective,
    pegasos,
    primal_objective,
    solve_dual,
)
from lib.svm.smo import GramRows


def data(n, d, seed, shift=0.7):
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    return rng.normal(size=(n, d)) + shift * y[:, None], y


@settings(max_examples=25, deadline=None)
@given(
    n=st.integers(2, 40),
    d=st.integers(1, 6),
    C=st.sampled_from([0.01, 1.0, 50.0]),
    gamma=st.sampled_from([0.05, 1.0]),
    seed=st.integers(0, 999),
)
def test_the_solution_is_optimal(n, d, C, gamma, seed):
    X, y = data(n, d, seed)
    K = RBF(gamma)(X, X)
    found = solve_dual(RBF(gamma), X, y, C, tol=1e-8)
    kkt = Optimality.of(K, y, found.alpha, found.intercept, C)
    assert max(kkt.box, kkt.balance, kkt.margin) < 1e-6 * max(1.0, C)
    gap = primal_objective(K, y, found.alpha, found.intercept, C) - dual_objective(
        K, y, found.alpha
    )
    assert -1e-9 <= gap < 1e-5 * max(1.0, C) * n


@pytest.mark.parametrize(
    ("kernel", "settings_of_reference"),
    [
        (Linear(), {"kernel": "linear"}),
        (RBF(0.3), {"kernel": "rbf", "gamma": 0.3}),
        (
            Polynomial(3, 0.5, 1.0),
            {"kernel": "poly", "degree": 3, "gamma": 0.5, "coef0": 1.0},
        ),
    ],
)
@pytest.mark.parametrize("C", [0.1, 5.0])
def test_agrees_with_libsvm(kernel, settings_of_reference, C):
    X, y = data(120, 4, seed=5)
    ours = SupportVectorClassifier(kernel, C=C, tol=1e-8).fit(X, y)
    reference = SVC(C=C, tol=1e-8, **settings_of_reference).fit(X, y)
    np.testing.assert_array_equal(ours.support, np.sort(reference.support_))
    np.testing.assert_allclose(ours.intercept, reference.intercept_[0], atol=1e-5)
    new = np.random.default_rng(6).normal(size=(50, 4))
    np.testing.assert_allclose(
        ours.decision(new), reference.decision_function(new), rtol=1e-5, atol=1e-5
    )


def test_agrees_with_a_general_optimiser():
    X, y = data(14, 2, seed=1, shift=0.4)
    C, Q = 0.8, np.outer(y, y) * (X @ X.T)
    generic = minimize(
        lambda a: 0.5 * a @ Q @ a - a.sum(),
        np.zeros(14),
        jac=lambda a: Q @ a - 1,
        bounds=[(0, C)] * 14,
        constraints={"type": "eq", "fun": lambda a: a @ y, "jac": lambda a: y},
        options={"ftol": 1e-14, "maxiter": 500},
    )
    alpha = solve_dual(Linear(), X, y, C, tol=1e-10).alpha
    assert dual_objective(X @ X.T, y, alpha) == pytest.approx(-generic.fun, abs=1e-7)


def test_rows_computed_one_by_one_give_the_same(monkeypatch):
    X, y = data(60, 3, seed=2)
    whole = solve_dual(RBF(0.5), X, y, 1.0, tol=1e-8)
    monkeypatch.setattr(GramRows, "ALL_AT_ONCE", 0)
    single = solve_dual(RBF(0.5), X, y, 1.0, tol=1e-8)
    np.testing.assert_allclose(single.alpha, whole.alpha, atol=1e-6)


def test_a_bound_for_each_sample_agrees_with_sample_weights():
    X, y = data(80, 3, seed=3)
    bounds = np.random.default_rng(0).uniform(0.1, 2.0, size=80)
    ours = SupportVectorClassifier(RBF(0.5), C=bounds, tol=1e-8).fit(X, y)
    reference = SVC(C=1.0, gamma=0.5, tol=1e-8).fit(X, y, sample_weight=bounds)
    np.testing.assert_allclose(
        ours.decision(X), reference.decision_function(X), atol=1e-4
    )


def test_duplicates_and_opposite_labels_are_survived():
    X = np.array([[0.0], [0.0], [1.0], [1.0], [1.0]])
    y = np.array([1.0, -1.0, 1.0, -1.0, -1.0])
    found = solve_dual(Linear(), X, y, 2.0, tol=1e-9)
    kkt = Optimality.of(X @ X.T, y, found.alpha, found.intercept, 2.0)
    assert max(kkt.box, kkt.balance, kkt.margin) < 1e-6


def test_constant_features_make_a_constant_rule():
    X, y = np.ones((5, 2)), np.array([1.0, 1.0, 1.0, -1.0, -1.0])
    model = SupportVectorClassifier(Linear(), C=1.0).fit(X, y)
    assert np.ptp(model.decision(X)) < 1e-9


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_scale_of_the_features_can_be_undone_by_the_kernel(scale):
    X, y = data(40, 2, seed=8)
    plain = SupportVectorClassifier(RBF(0.5), C=1.0, tol=1e-8).fit(X, y)
    scaled = SupportVectorClassifier(RBF(0.5 / scale**2), C=1.0, tol=1e-8).fit(
        scale * X, y
    )
    np.testing.assert_allclose(scaled.decision(scale * X), plain.decision(X), atol=1e-6)


def test_an_indefinite_kernel_still_ends():
    X, y = data(60, 2, seed=4)
    found = solve_dual(Sigmoid(1.0, -1.0), X, y, 1.0)
    assert found.violation <= 1e-3


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda X, y: solve_dual(Linear(), X, np.ones(6)), "both labels"),
        (lambda X, y: solve_dual(Linear(), X, (y + 1) / 2), "-1 or \\+1"),
        (lambda X, y: solve_dual(Linear(), X, y[:3]), "6 entries"),
        (lambda X, y: solve_dual(Linear(), X * np.nan, y), "finite"),
        (lambda X, y: solve_dual(Linear(), X, y, C=0.0), "C"),
        (lambda X, y: solve_dual(Linear(), X, y, C=-np.ones(6)), "bounds > 0"),
        (lambda X, y: solve_dual(Linear(), X, y, tol=0.0), "tol"),
        (
            lambda X, y: solve_dual(Linear(), X, y, C=1e6, max_iterations=1),
            "no convergence",
        ),
        (lambda X, y: SupportVectorClassifier().decision(X), "fit"),
        (lambda X, y: SupportVectorClassifier(RBF()).fit(X, y).normal, "linear"),
        (
            lambda X, y: SupportVectorClassifier(RBF()).fit(X, y).decision(X[:, :1]),
            "2 columns",
        ),
        (lambda X, y: pegasos(X, y, 0.0, steps=3, rng=np.random.default_rng()), "lam"),
    ],
)
def test_bad_input_is_named(call, message):
    X, y = data(6, 2, seed=0)
    with pytest.raises(ValueError, match=message):
        call(X, y)


def test_pegasos_reaches_the_optimum_of_the_hinge():
    X, y = data(200, 3, seed=9)
    lam = 0.02
    exact = LinearSVC(
        loss="hinge", C=1 / (lam * 200), fit_intercept=False, tol=1e-10, max_iter=10**6
    ).fit(X, y)

    def objective(w):
        return lam / 2 * w @ w + np.maximum(0, 1 - y * (X @ w)).mean()

    found = pegasos(X, y, lam, steps=20_000, rng=np.random.default_rng(1), batch=4)
    least = objective(exact.coef_[0])
    assert least <= objective(found) <= 1.005 * least
