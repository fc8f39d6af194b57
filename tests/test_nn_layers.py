"""The layers of lib.nn against torch.nn: the same start, values, gradients, complaints."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

import lib.nn as ours
from lib.nn.initialisation import fans, start_bias, start_weight


def same(a, b):
    torch.testing.assert_close(a, b, rtol=1e-11, atol=1e-11)


def agree(mine, theirs, x, second=False):
    """Check value, gradients by input and parameters, and (if asked) second derivatives."""
    theirs.load_state_dict(mine.state_dict())
    x1, x2 = (x.clone().requires_grad_() for _ in range(2))
    z1, z2 = mine(x1), theirs(x2)
    assert z1.shape == z2.shape
    same(z1, z2)
    weigh = torch.cos(torch.arange(z1.numel(), dtype=z1.dtype)).reshape(z1.shape)
    wrt1, wrt2 = [x1, *mine.parameters()], [x2, *theirs.parameters()]
    g1 = torch.autograd.grad((z1**2 * weigh).sum(), wrt1, create_graph=second)
    g2 = torch.autograd.grad((z2**2 * weigh).sum(), wrt2, create_graph=second)
    for a, b in zip(g1, g2, strict=True):
        same(a, b)
    if second:
        h1 = torch.autograd.grad((g1[0] ** 2).sum(), wrt1, allow_unused=True)
        h2 = torch.autograd.grad((g2[0] ** 2).sum(), wrt2, allow_unused=True)
        for a, b in zip(h1, h2, strict=True):
            if b is not None:
                same(a, b)


pairs = st.tuples(st.integers(1, 3), st.integers(1, 3))


@settings(deadline=None, max_examples=60)
@given(
    pairs, pairs, st.tuples(st.integers(0, 2), st.integers(0, 2)), pairs,
    st.integers(1, 2), st.booleans(), st.integers(0, 2**31),
)  # fmt: skip
def test_conv2d(kernel, stride, padding, dilation, groups, bias, seed):
    torch.manual_seed(seed)
    settings_ = (
        2 * groups,
        3 * groups,
        kernel,
        stride,
        padding,
        dilation,
        groups,
        bias,
    )
    mine = ours.Conv2d(*settings_, dtype=torch.float64)
    theirs = nn.Conv2d(*settings_, dtype=torch.float64)
    x = torch.randn(2, 2 * groups, 8, 9, dtype=torch.float64)
    agree(mine, theirs, x, second=True)


@settings(deadline=None, max_examples=60)
@given(
    pairs, pairs, st.tuples(st.integers(0, 1), st.integers(0, 1)), pairs,
    st.integers(0, 1), st.booleans(), st.integers(0, 2**31),
)  # fmt: skip
def test_conv_transpose2d(kernel, stride, padding, dilation, extra, bias, seed):
    torch.manual_seed(seed)
    extra = min(extra, min(stride) - 1)
    args = (2, 3, kernel, stride, padding, extra)
    mine = ours.ConvTranspose2d(
        *args, bias=bias, dilation=dilation, dtype=torch.float64
    )
    theirs = nn.ConvTranspose2d(
        *args, bias=bias, dilation=dilation, dtype=torch.float64
    )
    agree(mine, theirs, torch.randn(2, 2, 4, 5, dtype=torch.float64), second=True)


@settings(deadline=None, max_examples=60)
@given(pairs, pairs, st.integers(0, 1), st.booleans(), st.integers(0, 2**31))
def test_pooling(kernel, stride, half, ties, seed):
    torch.manual_seed(seed)
    padding = min(half, min(kernel) // 2)
    x = torch.randn(2, 3, 7, 6, dtype=torch.float64)
    if ties:
        x = x.round()
    settings_ = (kernel, stride, padding)
    agree(ours.MaxPool2d(*settings_), nn.MaxPool2d(*settings_), x, second=True)
    agree(ours.AvgPool2d(*settings_), nn.AvgPool2d(*settings_), x, second=True)
    agree(ours.MaxPool2d(kernel), nn.MaxPool2d(kernel), x)


@pytest.mark.parametrize("lead", [(), (4,), (2, 3)])
@pytest.mark.parametrize("bias", [True, False])
def test_linear(lead, bias):
    mine = ours.Linear(5, 3, bias, dtype=torch.float64)
    theirs = nn.Linear(5, 3, bias, dtype=torch.float64)
    agree(mine, theirs, torch.randn(*lead, 5, dtype=torch.float64), second=True)


def test_the_rest():
    x = torch.randn(2, 3, 4, 6, dtype=torch.float64)
    agree(ours.Flatten(), nn.Flatten(), x)
    agree(ours.ReLU(), nn.ReLU(), torch.where(x > 1, x, 0.0))
    agree(ours.UpsampleNearest2d(3), nn.Upsample(scale_factor=3), x)
    means = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten())
    agree(ours.GlobalAvgPool2d(), means, x)


def test_the_same_seed_starts_alike():
    for make in (
        lambda kit: kit.Linear(7, 4),
        lambda kit: kit.Conv2d(4, 6, (3, 5), groups=2),
        lambda kit: kit.ConvTranspose2d(4, 6, 3),
    ):
        made = []
        for kit in (ours, nn):
            torch.manual_seed(5)
            made.append(make(kit).state_dict())
        assert made[0].keys() == made[1].keys()
        for name in made[0]:
            assert torch.equal(made[0][name], made[1][name]), name


def test_starts():
    torch.manual_seed(0)
    weight = torch.empty(200, 100, 3, 3)
    assert fans(weight) == (900, 1800)
    assert start_weight(weight, "kaiming").var() == pytest.approx(2 / 900, rel=0.02)
    assert start_weight(weight, "glorot").var() == pytest.approx(2 / 2700, rel=0.02)
    assert start_weight(weight, "torch").var() == pytest.approx(1 / 2700, rel=0.02)
    assert not start_weight(weight, "zeros").any()
    assert not start_bias(torch.ones(3), 9, "kaiming").any()
    with pytest.raises(ValueError, match="start: expected one of"):
        ours.Linear(2, 2, start="warm")
    with pytest.raises(ValueError, match="at least 2 dimensions"):
        fans(torch.ones(3))


def test_dropout():
    torch.manual_seed(0)
    layer, a = ours.Dropout(0.25), torch.ones(100_000)
    thinned = layer(a)
    assert (thinned == 0).double().mean() == pytest.approx(0.25, abs=0.01)
    assert thinned.mean() == pytest.approx(1.0, abs=0.01)
    assert thinned.unique().tolist() == pytest.approx([0.0, 4 / 3])
    assert layer.eval()(a) is a
    assert not ours.Dropout(1.0)(a).any()
    with pytest.raises(ValueError, match=r"p: expected a number in \[0, 1\]"):
        ours.Dropout(1.5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ours.Linear(0, 2), "in_features: expected a whole"),
        (lambda: ours.Linear(3, 2)(torch.ones(4, 2)), r"expected shape \(…, 3\)"),
        (lambda: ours.Linear(3, 2)(torch.ones(3).double()), "expected torch.float32"),
        (lambda: ours.Conv2d(3, 2, 3)(torch.ones(1, 2, 5, 5)), "expected 3 channels"),
        (lambda: ours.Conv2d(3, 2, 3)(torch.ones(3, 5, 5)), r"expected shape \(n"),
        (lambda: ours.Conv2d(1, 2, 3)(torch.ones(1, 1, 2, 5)), "kernel: expected one"),
        (lambda: ours.Conv2d(3, 2, 3, groups=2), "groups: expected a divisor"),
        (lambda: ours.Conv2d(1, 2, 3, stride=0), "stride: expected"),
        (lambda: ours.MaxPool2d(2, padding=2), "padding: expected at most half"),
        (lambda: ours.MaxPool2d(3)(torch.ones(1, 1, 2, 2)), "kernel: expected one"),
        (lambda: ours.Flatten()(torch.tensor(1.0)), r"expected shape \(n"),
        (lambda: ours.UpsampleNearest2d(0), "factor: expected"),
        (
            lambda: ours.ConvTranspose2d(1, 1, 2, output_padding=1)(
                torch.ones(1, 1, 2, 2)
            ),
            "output_padding: expected",
        ),
    ],
)
def test_bad_input_is_told(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_layers_print_what_they_are():
    text = str(nn.Sequential(ours.Conv2d(1, 2, 3), ours.MaxPool2d(2), ours.Dropout()))
    assert "weight (2, 1, 3, 3)" in text
    assert "stride=(2, 2)" in text
    assert "p=0.5" in text
