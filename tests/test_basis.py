"""Design matrices against NumPy, SciPy and scikit-learn, and the identities they must obey."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial import chebyshev as np_chebyshev
from numpy.polynomial import legendre as np_legendre
from scipy.interpolate import BSpline
from sklearn.preprocessing import PolynomialFeatures, SplineTransformer

from lib.basis import (
    RandomReLUs,
    bsplines,
    chebyshev,
    clamped_knots,
    fourier,
    gaussians,
    legendre,
    monomial_exponents,
    monomials,
    multivariate_monomials,
    relus,
    sigmoids,
    translates,
)
from lib.linear import cubic_spline

inputs = st.lists(st.floats(-1, 1, allow_subnormal=False), min_size=1, max_size=12).map(
    np.array
)


@settings(max_examples=30, deadline=None)
@given(x=inputs, degree=st.integers(0, 12))
def test_polynomials_agree_with_numpy(x, degree):
    weights = np.sqrt(2 * np.arange(degree + 1) + 1)
    np.testing.assert_allclose(monomials(x, degree), np.vander(x, degree + 1, True))
    np.testing.assert_allclose(
        legendre(x, degree), np_legendre.legvander(x, degree) * weights, atol=1e-12
    )
    np.testing.assert_allclose(
        chebyshev(x, degree), np_chebyshev.chebvander(x, degree), atol=1e-12
    )


def test_interval_is_mapped_to_unit():
    x = np.linspace(3.0, 7.0, 9)
    np.testing.assert_allclose(
        legendre(x, 6, 3, 7), legendre(np.linspace(-1, 1, 9), 6), atol=1e-12
    )
    np.testing.assert_allclose(
        chebyshev(x, 6, 3, 7), chebyshev(np.linspace(-1, 1, 9), 6), atol=1e-12
    )


def test_legendre_is_orthonormal_under_the_uniform_law_at_high_degree():
    nodes, weights = np_legendre.leggauss(400)
    P = legendre(nodes, 300)
    np.testing.assert_allclose((P.T * weights / 2) @ P, np.eye(301), atol=1e-10)


def test_chebyshev_is_a_cosine():
    angle = np.linspace(0, np.pi, 33)
    expected = np.cos(angle[:, None] * np.arange(201))
    np.testing.assert_allclose(chebyshev(np.cos(angle), 200), expected, atol=1e-11)


@pytest.mark.parametrize(("d", "degree"), [(1, 4), (2, 3), (3, 0), (4, 3)])
def test_multivariate_monomials_agree_with_sklearn(d, degree):
    X = np.random.default_rng(d).normal(size=(7, d))
    reference = PolynomialFeatures(degree).fit(X)
    np.testing.assert_array_equal(monomial_exponents(d, degree), reference.powers_)
    np.testing.assert_allclose(
        multivariate_monomials(X, degree), reference.transform(X)
    )


@settings(max_examples=30, deadline=None)
@given(x=inputs, harmonics=st.integers(0, 5), period=st.floats(0.1, 10))
def test_fourier_columns_and_period(x, harmonics, period):
    Phi = fourier(x, harmonics, period)
    assert Phi.shape == (len(x), 1 + 2 * harmonics)
    for k in range(1, harmonics + 1):
        angle = 2 * np.pi * k * x / period
        np.testing.assert_allclose(Phi[:, 2 * k - 1], np.cos(angle), atol=1e-9)
        np.testing.assert_allclose(Phi[:, 2 * k], np.sin(angle), atol=1e-9)
    np.testing.assert_allclose(fourier(x + period, harmonics, period), Phi, atol=1e-9)


def test_translates_by_the_formula():
    x, c = np.array([-1.0, 0.0, 2.0, 5.0]), np.array([0.0, 2.0])
    z = x[:, None] - c
    np.testing.assert_allclose(gaussians(x, c, 0.7), np.exp(-(z**2) / (2 * 0.49)))
    np.testing.assert_allclose(sigmoids(x, c, 0.5), 1 / (1 + np.exp(-z / 0.5)))
    np.testing.assert_allclose(relus(x, c), np.clip(z, 0, None))
    np.testing.assert_allclose(translates(np.cos, x, c, 2.0), np.cos(z / 2))


def test_gaussians_in_several_dimensions_and_tiny_widths():
    rng = np.random.default_rng(0)
    X, C = rng.normal(size=(5, 3)), rng.normal(size=(4, 3))
    expected = np.exp(-((X[:, None] - C) ** 2).sum(2) / (2 * 1.3**2))
    np.testing.assert_allclose(gaussians(X, C, 1.3), expected)
    tiny = gaussians(1e-200 * X, 1e-200 * C, 1.3e-200)
    np.testing.assert_allclose(tiny, expected)


@pytest.mark.parametrize("degree", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("inner", [[], [0.4], [0.1, 0.2, 0.55, 0.9]])
def test_bsplines_agree_with_scipy(degree, inner):
    x = np.concatenate([np.linspace(0, 1, 41), inner])
    ours = bsplines(x, inner, degree)
    knots = clamped_knots(inner, degree)
    reference = BSpline.design_matrix(x, knots, degree).toarray()
    np.testing.assert_allclose(ours, reference, atol=1e-12)
    np.testing.assert_allclose(ours.sum(axis=1), 1.0)
    assert ours.min() >= 0
    assert (ours > 0).sum(axis=1).max() <= degree + 1


def test_bsplines_span_the_space_of_sklearn_and_of_truncated_powers():
    x, inner = np.linspace(2.0, 5.0, 60), np.array([3.0, 4.0])
    ours = bsplines(x, inner, 3, 2.0, 5.0)
    knots = np.array([2.0, 3.0, 4.0, 5.0])[:, None]
    other = SplineTransformer(degree=3, knots=knots).fit_transform(x[:, None])
    for columns in (other, cubic_spline(x, inner)):
        assert columns.shape == ours.shape
        coefficients = np.linalg.lstsq(ours, columns, rcond=None)[0]
        np.testing.assert_allclose(ours @ coefficients, columns, atol=1e-10)


def test_random_relus_are_nested_and_as_defined():
    features = RandomReLUs.draw(3, 10, np.random.default_rng(1))
    X = np.random.default_rng(2).normal(size=(6, 3))
    np.testing.assert_allclose(np.linalg.norm(features.directions, axis=1), 1.0)
    by_hand = [
        [
            max(0.0, w @ x + b)
            for w, b in zip(features.directions, features.offsets, strict=True)
        ]
        for x in X
    ]
    np.testing.assert_allclose(features(X), by_hand)
    np.testing.assert_allclose(features.first(4)(X), features(X)[:, :4])


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: monomials([1.0, np.nan], 2), "x"),
        (lambda: monomials([1e10], 300), "x"),
        (lambda: monomials([1.0], -1), "degree"),
        (lambda: multivariate_monomials([[1e200, 1.0]], 2), "X"),
        (lambda: legendre([0.0], 2, 1.0, 1.0), "low"),
        (lambda: chebyshev([0.0], 1.5), "degree"),
        (lambda: fourier([0.0], 2, 0.0), "period"),
        (lambda: gaussians([0.0], [0.0], 0.0), "width"),
        (lambda: gaussians([[0.0, 1.0]], [[0.0]], 1.0), "centres"),
        (lambda: sigmoids([0.0], [], 1.0), "centres"),
        (lambda: bsplines([1.1], [0.5]), "x"),
        (lambda: bsplines([0.5], [0.5, 0.5]), "inner"),
        (lambda: bsplines([0.5], [1.0]), "inner"),
        (lambda: RandomReLUs.draw(2, 0, np.random.default_rng(0)), "count"),
    ],
)
def test_bad_input_is_named(call, named):
    with pytest.raises(ValueError, match=f"^{named}"):
        call()
