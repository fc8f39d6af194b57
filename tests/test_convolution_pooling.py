"""Pooling, upsampling, receptive fields and filters against torch, SciPy and counting."""

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import ndimage

from lib.convolution import (
    Slide,
    avg_pool2d,
    avg_pool2d_backward,
    box,
    cross_correlate,
    edge_strength,
    gaussian,
    max_pool2d,
    max_pool2d_backward,
    receptive_fields,
    upsample_nearest,
    upsample_nearest_backward,
)
from lib.convolution.filters import LAPLACE, PREWITT, SCHARR, SOBEL


@settings(deadline=None, max_examples=50)
@given(
    st.tuples(st.integers(1, 3), st.integers(1, 3)),
    st.tuples(st.integers(1, 3), st.integers(1, 3)),
    st.integers(0, 4), st.booleans(), st.integers(0, 2**32 - 1),
)  # fmt: skip
def test_pooling_is_torchs(kernel, stride, spare, ties, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(2, 3, kernel[0] + spare, kernel[1] + spare))
    if ties:  # equal pixels: the first of them must win, as in torch
        X = np.round(X)
    x = torch.tensor(X, requires_grad=True)
    theirs = torch.nn.functional.max_pool2d(x, kernel, stride)
    values, winners = max_pool2d(X, kernel, stride)
    np.testing.assert_array_equal(values, theirs.detach())
    dY = rng.normal(size=values.shape)
    theirs.backward(torch.tensor(dY))
    back = max_pool2d_backward(dY, winners, X.shape, kernel, stride)
    np.testing.assert_allclose(back, x.grad, atol=1e-12)

    x.grad = None
    means = torch.nn.functional.avg_pool2d(x, kernel, stride)
    np.testing.assert_allclose(
        avg_pool2d(X, kernel, stride), means.detach(), atol=1e-12
    )
    means.backward(torch.tensor(dY))
    back = avg_pool2d_backward(dY, X.shape, kernel, stride)
    np.testing.assert_allclose(back, x.grad, atol=1e-12)


def test_upsampling_and_its_backward():
    X = np.arange(12.0).reshape(1, 2, 2, 3)
    up = upsample_nearest(X, 3)
    reference = torch.nn.functional.interpolate(torch.tensor(X), scale_factor=3)
    np.testing.assert_array_equal(up, reference)
    np.testing.assert_allclose(upsample_nearest_backward(up, 3), 9 * X)
    with pytest.raises(ValueError, match="sides that 2 divides"):
        upsample_nearest_backward(np.ones((1, 1, 3, 4)), 2)


@settings(deadline=None, max_examples=60)
@example(
    [(2, 2, 0, 1), (2, 1, 1, 1)], 21
)  # padding beside a pixel that no window reached
@given(
    st.lists(
        st.tuples(
            st.integers(1, 3), st.integers(1, 3), st.integers(0, 2), st.integers(1, 2)
        ),
        min_size=1, max_size=4,
    ),
    st.integers(20, 40),
)  # fmt: skip
def test_fields_by_gradients(axes, n):
    """Away from padding, a unit sees exactly the pixels on which its derivative is not zero."""
    layers = [Slide(*axis) for axis in axes]
    x = torch.ones(1, 1, n, dtype=torch.float64, requires_grad=True)

    def stack():
        z = x
        for layer in layers:
            weight = torch.ones(1, 1, layer.kernel, dtype=torch.float64)
            z = torch.conv1d(z, weight, None, *layer[1:])
        return z

    try:
        fields = receptive_fields(n, layers)
    except ValueError:  # a kernel no longer fits: torch says so too
        with pytest.raises(RuntimeError):
            stack()
        return
    z = stack()
    field = fields[-1]
    assert z.shape[-1] == field.units
    for unit in {0, field.units // 2, field.units - 1}:
        (slope,) = torch.autograd.grad(z[0, 0, unit], x, retain_graph=True)
        seen = np.flatnonzero(slope[0, 0].numpy())
        first, last = field.pixels(unit, n)
        if len(seen):
            assert first <= seen[0]
            assert seen[-1] <= last
            begin = field.start + unit * field.jump
            inside = begin >= 0 and begin + field.size <= n
            if inside and all(
                layer.dilation == 1 and layer.stride <= layer.kernel for layer in layers
            ):
                assert (seen[0], seen[-1]) == (first, last)


def test_field_of_a_known_stack():
    stack = [Slide(3), Slide(2, 2), Slide(3), Slide(2, 2)]
    sizes = [(f.size, f.jump, f.units) for f in receptive_fields(28, stack)]
    assert sizes == [(3, 1, 26), (4, 2, 13), (8, 2, 11), (10, 4, 5)]


def test_filters():
    image = np.random.default_rng(0).normal(size=(9, 11))
    inner = (slice(1, -1), slice(1, -1))
    # SciPy's derivative points to the right, ours to the left
    for kernel, reference in ((SOBEL, ndimage.sobel), (PREWITT, ndimage.prewitt)):
        ours = cross_correlate(image, kernel)
        np.testing.assert_allclose(ours, -reference(image, axis=1)[inner], atol=1e-12)
        np.testing.assert_allclose(
            cross_correlate(image, kernel.T), -reference(image, axis=0)[inner],
            atol=1e-12,
        )  # fmt: skip
    np.testing.assert_allclose(
        cross_correlate(image, LAPLACE), ndimage.laplace(image)[inner], atol=1e-12
    )
    smooth = ndimage.gaussian_filter(image, 1.0, mode="constant", radius=3)
    np.testing.assert_allclose(
        cross_correlate(image, gaussian(1.0), "same"), smooth, atol=1e-12
    )
    assert box(3).sum() == pytest.approx(1)
    across, down = ndimage.sobel(image, 1)[inner], ndimage.sobel(image, 0)[inner]
    np.testing.assert_allclose(edge_strength(image), np.hypot(across, down))
    for kernel in (SOBEL, SCHARR, PREWITT, LAPLACE):  # flat images have no edges
        assert kernel.sum() == 0
        assert not kernel.flags.writeable


def test_bad_input_is_told():
    with pytest.raises(ValueError, match="dY: expected shape"):
        avg_pool2d_backward(np.ones((1, 1, 1, 1)), (1, 1, 4, 4), 2)
    with pytest.raises(ValueError, match="winners: expected shape"):
        max_pool2d_backward(
            np.ones((1, 1, 2, 2)), np.zeros((1, 1, 1, 1), int), (1, 1, 4, 4), 2
        )
    with pytest.raises(ValueError, match="kernel: expected one that fits"):
        max_pool2d(np.ones((1, 1, 2, 2)), 3)
    with pytest.raises(ValueError, match="unit: expected"):
        receptive_fields(8, [Slide(3)])[0].pixels(6, 8)
