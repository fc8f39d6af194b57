"""Numerical derivatives against derivatives that are known."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.differences import STEPS, gradient, hessian, jacobian, relative_error

ACCURACY = {"forward": 1e-5, "central": 1e-8, "complex": 1e-13}


@pytest.mark.parametrize("method", STEPS)
@settings(max_examples=20, deadline=None)
@given(c=st.integers(1, 4), d=st.integers(1, 4), seed=st.integers(0, 999))
def test_jacobian_of_a_known_map(method, c, d, seed):
    rng = np.random.default_rng(seed)
    A, x = rng.normal(size=(c, d)), rng.normal(size=d)
    J = jacobian(lambda v: np.sin(A @ v), x, method=method)
    np.testing.assert_allclose(
        J, np.cos(A @ x)[:, None] * A, atol=ACCURACY[method] * 10
    )


def test_shapes_of_tensors_and_of_scalars():
    X = np.random.default_rng(0).normal(size=(2, 3))
    W = np.random.default_rng(1).normal(size=(3, 4))
    J = jacobian(lambda M: M @ W, X)
    np.testing.assert_allclose(J, np.einsum("nm,ij->njmi", np.eye(2), W), atol=1e-8)
    g = gradient(lambda M: np.sum(M**3), X)
    np.testing.assert_allclose(g, 3 * X**2, atol=1e-7)
    assert jacobian(np.exp, np.array(0.5)).shape == ()


@pytest.mark.parametrize("size", [1e-8, 1.0, 1e8])
def test_the_step_follows_the_size_of_the_argument(size):
    x = np.array([size, -2 * size])
    g = gradient(lambda v: np.sum(v**2), x)
    np.testing.assert_allclose(g, 2 * x, rtol=1e-6, atol=1e-6)


def test_arguments_stay_untouched():
    x = np.array([1.0, 2.0])
    jacobian(lambda v: v * 2, x, method="forward")
    np.testing.assert_array_equal(x, [1.0, 2.0])


def test_hessian_of_a_quadratic_and_of_a_product():
    rng = np.random.default_rng(0)
    A, x = rng.normal(size=(3, 3)), rng.normal(size=3)
    np.testing.assert_allclose(hessian(lambda v: v @ A @ v, x), A + A.T, atol=1e-6)
    found = hessian(lambda v: v[0] * np.exp(v[1]), np.array([2.0, 0.5]))
    expected = np.exp(0.5) * np.array([[0.0, 1.0], [1.0, 2.0]])
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_relative_error():
    assert relative_error([1.0, 2.0], [1.0, 2.0]) == 0.0
    assert relative_error([0.0], [0.0]) == 0.0
    assert relative_error([3.0, 0.0], [0.0, 4.0]) == pytest.approx(5 / 4)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: jacobian(np.sin, [1.0], method="backward"), "one of forward"),
        (lambda: jacobian(np.sin, [1.0], step=0.0), "step"),
        (lambda: jacobian(np.sin, [np.nan]), "finite"),
        (lambda: jacobian(lambda v: v * np.inf, [1.0]), "finite values near x"),
        (lambda: gradient(lambda v: v, [1.0, 2.0]), "one number"),
        (lambda: relative_error([1.0], [1.0, 2.0]), "shape"),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
