"""Kernels and kernel ridge against scikit-learn, explicit features and loops."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics import pairwise

from lib.kernel_ridge import kernel_ridge
from lib.kernels import (
    RBF,
    Linear,
    Polynomial,
    Sigmoid,
    smallest_eigenvalue,
    squared_distances,
)
from lib.linear.ridge import ridge

KERNELS = {
    "linear": (Linear(), lambda A, B: pairwise.linear_kernel(A, B)),
    "polynomial": (
        Polynomial(3, 0.5, 2.0),
        lambda A, B: pairwise.polynomial_kernel(A, B, degree=3, gamma=0.5, coef0=2.0),
    ),
    "rbf": (RBF(0.3), lambda A, B: pairwise.rbf_kernel(A, B, gamma=0.3)),
    "sigmoid": (
        Sigmoid(0.4, -0.2),
        lambda A, B: pairwise.sigmoid_kernel(A, B, gamma=0.4, coef0=-0.2),
    ),
}


@pytest.mark.parametrize("name", KERNELS)
@settings(max_examples=20, deadline=None)
@given(
    n=st.integers(1, 7),
    m=st.integers(1, 7),
    d=st.integers(1, 5),
    seed=st.integers(0, 999),
)
def test_gram_matrices_agree_with_scikit_learn(name, n, m, d, seed):
    rng = np.random.default_rng(seed)
    A, B = rng.normal(size=(n, d)), rng.normal(size=(m, d))
    kernel, reference = KERNELS[name]
    np.testing.assert_allclose(kernel(A, B), reference(A, B), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(kernel.diagonal(A), np.diag(kernel(A, A)), atol=1e-12)


def test_squared_distances_far_from_zero_keep_their_digits():
    A = 1e8 + np.array([[0.0], [1.0], [3.0]])
    np.testing.assert_allclose(squared_distances(A, A), (A - A.T) ** 2, atol=1e-6)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(4), RBF(2.0)])
def test_kernels_give_semidefinite_matrices(kernel):
    X = np.random.default_rng(3).normal(size=(30, 2))
    gram = kernel(X, X)
    assert smallest_eigenvalue(gram) >= -1e-10 * np.abs(gram).max() * len(X)


def test_the_sigmoid_is_no_kernel():
    X = np.random.default_rng(3).normal(size=(30, 2))
    assert smallest_eigenvalue(Sigmoid(1.0, -1.0)(X, X)) < -0.1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RBF(0.0), "gamma"),
        (lambda: RBF(float("nan")), "gamma"),
        (lambda: Polynomial(0), "degree"),
        (lambda: Polynomial(2, offset=-1.0), "offset"),
        (lambda: Linear()(np.ones((2, 2)), np.ones((2, 3))), "columns"),
        (lambda: Linear()(np.array([[np.nan]]), np.ones((1, 1))), "finite"),
        (lambda: smallest_eigenvalue(np.array([[0.0, 1.0], [2.0, 0.0]])), "symmetric"),
        (lambda: kernel_ridge(RBF(), np.ones((2, 1)), np.ones(3), 1.0), "3"),
        (lambda: kernel_ridge(RBF(), np.ones((2, 1)), np.ones(2), 0.0), "lam"),
        (
            lambda: kernel_ridge(
                Sigmoid(1.0, -1.0),
                np.random.default_rng(3).normal(size=(30, 2)),
                np.ones(30),
                1e-3,
            ),
            "semi-definite",
        ),
    ],
)
def test_bad_input_is_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_kernel_ridge_agrees_with_scikit_learn_and_with_ridge():
    rng = np.random.default_rng(0)
    X, y, new = rng.normal(size=(40, 3)), rng.normal(size=40), rng.normal(size=(9, 3))
    reference = KernelRidge(kernel="rbf", gamma=0.6, alpha=0.2).fit(X, y)
    ours = kernel_ridge(RBF(0.6), X, y, 0.2)
    np.testing.assert_allclose(ours(new), reference.predict(new), atol=1e-10)
    linear = kernel_ridge(Linear(), X, y, 0.2)
    np.testing.assert_allclose(linear(new), new @ ridge(X, y, 0.2), atol=1e-10)
