"""PCA and Hebbian learning against scikit-learn and the eigenvectors they should find."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.decomposition import PCA as Library

from lib.oja import oja, sanger
from lib.pca import pca


@pytest.mark.parametrize("method", ["svd", "eigh", "auto"])
@settings(max_examples=20, deadline=None)
@given(n=st.integers(2, 30), d=st.integers(1, 6), seed=st.integers(0, 999))
def test_agrees_with_scikit_learn(method, n, d, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * np.arange(1, d + 1) + 5.0
    k = min(n - 1, d)
    ours, reference = pca(X, k, method=method), Library(k).fit(X)
    scale = reference.explained_variance_.max()
    np.testing.assert_allclose(
        ours.variances, reference.explained_variance_, rtol=1e-7, atol=1e-9 * scale
    )
    np.testing.assert_allclose(
        ours.explained, reference.explained_variance_ratio_, atol=1e-9
    )
    gram = ours.components @ ours.components.T
    np.testing.assert_allclose(gram, np.eye(k), atol=1e-9)
    rebuilt = ours.inverse(ours.transform(X))
    expected = reference.inverse_transform(reference.transform(X))
    np.testing.assert_allclose(rebuilt, expected, atol=1e-6 * max(1.0, np.abs(X).max()))


def test_whitened_data_have_unit_covariance_and_signs_are_settled():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4)) @ rng.normal(size=(4, 4))
    model = pca(X)
    np.testing.assert_allclose(np.cov(model.whiten(X).T), np.eye(4), atol=1e-10)
    largest = np.abs(model.components).argmax(axis=1)
    assert (model.components[np.arange(4), largest] > 0).all()
    np.testing.assert_allclose(pca(-X).components, model.components, atol=1e-10)


def test_constant_and_collinear_data():
    flat = pca(np.ones((5, 3)))
    np.testing.assert_array_equal(flat.explained, 0.0)
    line = pca(np.outer(np.arange(6.0), [1.0, 2.0]))
    assert line.explained[0] == pytest.approx(1.0)
    with pytest.raises(ValueError, match="variance"):
        line.whiten(np.ones((1, 2)))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pca(np.ones((1, 3))), "at least 2 rows"),
        (lambda: pca(np.ones((4, 3)), 4), "from 1 to 3"),
        (lambda: pca(np.ones((4, 3)), method="qr"), "one of auto"),
        (lambda: pca([[1.0, np.nan], [0.0, 1.0]]), "finite"),
        (lambda: pca(np.eye(3)).transform(np.ones((2, 2))), "3 columns"),
        (
            lambda: oja(
                np.ones((3, 2)), rate=0.0, epochs=1, rng=np.random.default_rng()
            ),
            "rate",
        ),
        (
            lambda: sanger(
                np.eye(3), 4, rate=0.1, epochs=1, rng=np.random.default_rng()
            ),
            "from 1 to 3",
        ),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_too_large_a_rate_is_reported():
    X = np.random.default_rng(0).normal(size=(200, 2)) * 10
    with pytest.raises(ValueError, match="small enough"):
        oja(X, rate=1.0, epochs=5, rng=np.random.default_rng(0))


@pytest.mark.parametrize("seed", range(4))
def test_hebbian_rules_find_the_components(seed):
    rng = np.random.default_rng(seed)
    X = (
        rng.normal(size=(500, 3))
        * [3.0, 1.5, 0.5]
        @ np.linalg.qr(rng.normal(size=(3, 3)))[0]
    )
    X -= X.mean(axis=0)
    u = pca(X).components
    path = oja(X, rate=0.002, epochs=30, rng=rng)
    assert abs(path[-1] @ u[0]) > 0.99
    W = sanger(X, 2, rate=0.002, epochs=60, rng=rng)
    assert abs(W[0] @ u[0]) > 0.98
    assert abs(W[1] @ u[1]) > 0.98
