"""The NumPy layer against six loops, torch, SciPy and finite differences."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import signal
from scipy.linalg import circulant as scipy_circulant

from lib.convolution import (
    Geometry,
    circulant,
    circular_convolve,
    col2im,
    conv2d,
    conv2d_backward,
    conv2d_loops,
    conv_transpose2d,
    convolution_matrix,
    convolve,
    cross_correlate,
    flip,
    im2col,
    output_size,
    pad,
    same_padding,
    shift,
    span,
    toeplitz,
    transposed_size,
    window_starts,
    windows,
)
from lib.differences import gradient


@st.composite
def layers(draw):
    """Random images, weights, biases and a geometry that fits, small enough for loops."""
    pair = st.tuples(st.integers(1, 3), st.integers(1, 3))
    kernel, stride, dilation = draw(pair), draw(pair), draw(pair)
    padding = draw(st.tuples(st.integers(0, 2), st.integers(0, 2)))
    n, c, o = draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(st.integers(1, 3))
    least = [
        max(1, span(k, d) - 2 * p)
        for k, d, p in zip(kernel, dilation, padding, strict=True)
    ]
    height, width = (draw(st.integers(m, m + 4)) for m in least)
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = rng.normal(size=(n, c, height, width))
    W, b = rng.normal(size=(o, c, *kernel)), rng.normal(size=o)
    return X, W, b, {"stride": stride, "padding": padding, "dilation": dilation}


@settings(deadline=None, max_examples=60)
@given(layers())
def test_forward_and_backward_are_torchs(case):
    X, W, b, how = case
    Z = conv2d(X, W, b, **how)
    x, w, c = (torch.tensor(a, requires_grad=True) for a in (X, W, b))
    z = torch.nn.functional.conv2d(x, w, c, **how)
    np.testing.assert_allclose(Z, z.detach(), rtol=1e-12, atol=1e-12)
    dZ = np.cos(np.arange(Z.size)).reshape(Z.shape)
    z.backward(torch.tensor(dZ))
    ours = conv2d_backward(dZ, X, W, **how)
    for mine, theirs in zip(ours, (x, w, c), strict=True):
        np.testing.assert_allclose(mine, theirs.grad, rtol=1e-11, atol=1e-11)


@settings(deadline=None, max_examples=25)
@given(layers())
def test_loops_matrix_and_columns_agree(case):
    X, W, b, how = case
    Z = conv2d(X, W, b, **how)
    np.testing.assert_allclose(conv2d_loops(X, W, b, **how), Z, atol=1e-12)
    M = convolution_matrix(W, X.shape[2:], **how)
    by_matrix = (M @ X.reshape(len(X), -1).T).T.reshape(Z.shape) + b[:, None, None]
    np.testing.assert_allclose(by_matrix, Z, atol=1e-12)
    back = conv2d_backward(np.ones_like(Z), X, W, **how)
    through = (np.ones_like(Z).reshape(len(X), -1) @ M).reshape(X.shape)
    np.testing.assert_allclose(back.X, through, atol=1e-12)


@settings(deadline=None, max_examples=40)
@given(layers())
def test_col2im_is_the_adjoint_of_im2col(case):
    X, W, _, how = case
    geometry = Geometry.of(W.shape[2:], **how)
    A = im2col(X, geometry)
    B = np.sin(np.arange(A.size)).reshape(A.shape)
    left, right = (A * B).sum(), (X * col2im(B, X.shape, geometry)).sum()
    assert left == pytest.approx(right, rel=1e-10, abs=1e-10)


@settings(deadline=None, max_examples=40)
@given(layers(), st.integers(0, 2))
def test_transposed_convolution_is_torchs_and_the_adjoint(case, extra):
    X, W, _, how = case
    out = conv2d(X, W, **how)
    Z = np.cos(np.arange(out.size)).reshape(out.shape)
    extra = min(extra, *(s - 1 for s in how["stride"]))
    try:
        ours = conv_transpose2d(Z, W, np.ones(W.shape[1]), **how, output_padding=extra)
    except ValueError:
        assert any(
            transposed_or_none(z, k, s, p, d, extra) is None
            for z, k, s, p, d in zip(
                Z.shape[2:], W.shape[2:], *how.values(), strict=True
            )
        )
        return
    theirs = torch.nn.functional.conv_transpose2d(
        torch.tensor(Z), torch.tensor(W), torch.ones(W.shape[1]).double(),
        output_padding=extra, **how,
    )  # fmt: skip
    np.testing.assert_allclose(ours, theirs, atol=1e-12)
    image = np.sin(np.arange(ours.size)).reshape(ours.shape)
    forward = conv2d(image, W, **how)
    assert (forward * Z).sum() == pytest.approx((image * (ours - 1)).sum(), abs=1e-9)


def transposed_or_none(*axis):
    """Return the size, or None when padding leaves no pixel."""
    try:
        return transposed_size(*axis)
    except ValueError:
        return None


def test_gradient_by_finite_differences():
    rng = np.random.default_rng(3)
    X, W, b = rng.normal(size=(2, 2, 5, 4)), rng.normal(size=(3, 2, 3, 2)), np.ones(3)
    how = {"stride": (2, 1), "padding": (1, 0), "dilation": (1, 2)}
    weigh = rng.normal(size=conv2d(X, W, b, **how).shape)
    ours = conv2d_backward(weigh, X, W, **how)

    def loss(X=X, W=W, b=b):
        return float((weigh * conv2d(X, W, b, **how)).sum())

    for mine, by in zip(
        ours, (gradient(lambda a: loss(X=a), X), gradient(lambda a: loss(W=a), W),
               gradient(lambda a: loss(b=a), b)), strict=True,
    ):  # fmt: skip
        np.testing.assert_allclose(mine, by, rtol=1e-6, atol=1e-6)


def test_single_precision_stays_single_and_blocks_do_not_matter(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 3, 9, 8)).astype(np.float32)
    W = rng.normal(size=(4, 3, 3, 3)).astype(np.float32)
    whole = conv2d(X, W, padding=1)
    grads = conv2d_backward(whole, X, W, padding=1)
    assert whole.dtype == np.float32
    assert {g.dtype for g in grads} == {np.dtype(np.float32)}
    monkeypatch.setattr("lib.convolution.layer.CACHED_ENTRIES", 1)
    np.testing.assert_allclose(conv2d(X, W, padding=1), whole, rtol=1e-5, atol=1e-5)
    for a, b in zip(conv2d_backward(whole, X, W, padding=1), grads, strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-3)


def test_inputs_are_left_alone():
    X, W = np.ones((1, 1, 4, 4)), np.ones((1, 1, 2, 2))
    Z = conv2d(X, W)
    conv2d_backward(Z, X, W)
    assert X.sum() == 16
    assert Z.sum() == 36
    view = windows(X, Geometry.of(2))
    with pytest.raises(ValueError, match="read-only"):
        view[...] = 0


@pytest.mark.parametrize("mode", ["valid", "same", "full"])
def test_signals_are_scipys(mode):
    rng = np.random.default_rng(1)
    for kernel_shape in ((3, 3), (1, 5), (3, 1)):
        image, kernel = rng.normal(size=(7, 8)), rng.normal(size=kernel_shape)
        np.testing.assert_allclose(
            cross_correlate(image, kernel, mode),
            signal.correlate2d(image, kernel, mode), atol=1e-12,
        )  # fmt: skip
        np.testing.assert_allclose(
            convolve(image, kernel, mode),
            signal.convolve2d(image, kernel, mode), atol=1e-12,
        )  # fmt: skip
    assert flip([[1, 2], [3, 4]]).tolist() == [[4, 3], [2, 1]]


def test_circular_convolution_is_a_product_of_spectra():
    rng = np.random.default_rng(2)
    k, x = rng.normal(size=(2, 9))
    spectrum = np.fft.ifft(np.fft.fft(k) * np.fft.fft(x)).real
    np.testing.assert_allclose(circular_convolve(k, x), spectrum, atol=1e-12)
    np.testing.assert_array_equal(circulant(k), scipy_circulant(k))
    np.testing.assert_array_equal(shift(x, 2)[2:], x[:-2])
    np.testing.assert_allclose(
        circular_convolve(k, shift(x, 4)), shift(circular_convolve(k, x), 4), atol=1e-12
    )


def test_toeplitz_matches_correlate():
    rng = np.random.default_rng(4)
    k, x = rng.normal(size=3), rng.normal(size=8)
    np.testing.assert_allclose(toeplitz(k, 8) @ x, np.correlate(x, k), atol=1e-12)
    np.testing.assert_allclose(
        toeplitz(k, 8, stride=2, padding=1) @ x,
        np.correlate(np.pad(x, 1), k)[::2], atol=1e-12,
    )  # fmt: skip


@settings(deadline=None, max_examples=200)
@given(
    st.integers(1, 30), st.integers(1, 7), st.integers(1, 5), st.integers(0, 4),
    st.integers(1, 4),
)  # fmt: skip
def test_sizes_by_counting(n, kernel, stride, padding, dilation):
    starts = window_starts(n, kernel, stride, padding, dilation)
    if not starts:
        with pytest.raises(ValueError, match="expected one that fits"):
            output_size(n, kernel, stride, padding, dilation)
        return
    size = output_size(n, kernel, stride, padding, dilation)
    assert size == len(starts)
    back = transposed_or_none(size, kernel, stride, padding, dilation)
    if back is not None:
        assert back <= n < back + stride


def test_padding():
    assert same_padding(3) == 1
    assert same_padding(3, dilation=2) == 2
    with pytest.raises(ValueError, match="odd span"):
        same_padding(4)
    padded = pad(np.ones((2, 3)), (1, 2))
    assert padded.shape == (4, 7)
    assert padded.sum() == 6


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: conv2d(np.ones((4, 4)), np.ones((1, 1, 2, 2))), "X: expected 4 dim"),
        (lambda: conv2d(np.ones((1, 2, 4, 4)), np.ones((1, 1, 2, 2))), "1 channels"),
        (lambda: conv2d(np.ones((1, 1, 4, 4)), np.ones((1, 1, 5, 5))), "kernel: exp"),
        (lambda: conv2d(np.ones((1, 1, 4, 4)), np.ones((1, 1, 2, 2)), stride=0), "str"),
        (lambda: conv2d(np.ones((1, 1, 4, 4)), np.ones((2, 1, 2, 2)), [1.0]), "b: exp"),
        (lambda: conv2d([[[[np.nan]]]], np.ones((1, 1, 1, 1))), "X: expected finite"),
        (
            lambda: conv2d(
                np.full((1, 1, 1, 1), np.inf, dtype=np.float32), np.ones((1, 1, 1, 1))
            ),
            "X: expected finite",
        ),
        (
            lambda: conv2d_backward(
                np.ones((1, 1, 2, 2)), np.ones((1, 1, 4, 4)), np.ones((1, 1, 2, 2))
            ),
            "dZ: expected shape",
        ),
        (lambda: cross_correlate(np.ones((3, 3)), np.ones((2, 2)), "same"), "odd sides"),
        (lambda: Geometry.of((1, 2, 3)), "one number or two"),
        (lambda: transposed_size(2, 3, stride=2, output_padding=2), "output_padding"),
        (lambda: transposed_size(1, 2, padding=1), "leaves a pixel"),
        (lambda: circular_convolve([1, 2], [1, 2, 3]), "kernel: expected 3 entries"),
    ],
)  # fmt: skip
def test_bad_input_is_told(call, message):
    with pytest.raises(ValueError, match=message):
        call()
