"""Time series: the measured ones against known facts, the generated ones against SciPy."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from lib.data import laser, lorenz, mackey_glass, sunspots


def test_laser_parts_and_range():
    record, train, test = laser(), laser("train"), laser("test")
    assert (len(record), len(train), len(test)) == (10_093, 1_000, 100)
    np.testing.assert_array_equal(
        record.values[:1_100], np.r_[train.values, test.values]
    )
    np.testing.assert_array_equal(test.times, np.arange(1_000, 1_100))
    assert (record.values.min(), record.values.max()) == (0, 255)
    np.testing.assert_array_equal(record.values, np.rint(record.values))
    # The intensity collapses inside the test part: large before, small after.
    assert test.values[:60].max() > 200
    assert test.values[70:].max() < 100
    with pytest.raises(ValueError, match="part: expected one of all, train, test"):
        laser("validation")


def test_autoregression_of_order_16_on_the_laser():
    """One step ahead on the 1,000 values after the first 1,000: a normalised error of 0.19."""
    values = laser().values[:2_000]
    windows = np.lib.stride_tricks.sliding_window_view(values, 17)
    design = np.column_stack([np.ones(len(windows)), windows[:, :-1]])
    fit, rest = slice(0, 984), slice(984, None)
    weights = np.linalg.lstsq(design[fit], windows[fit, -1], rcond=None)[0]
    residual = windows[rest, -1] - design[rest] @ weights
    assert residual.var() / windows[rest, -1].var() == pytest.approx(0.19, abs=0.01)


def test_sunspots():
    spots = sunspots()
    np.testing.assert_array_equal(spots.times, np.arange(1700, 2009))
    assert spots.times[np.argmax(spots.values)] == 1957
    spectrum = np.abs(np.fft.rfft(spots.values - spots.values.mean()))
    assert 10 < 309 / np.argmax(spectrum) < 12  # the eleven-year cycle


def delayed_by_steps(until, delay, history, beta=0.2, gamma=0.1, exponent=10.0):
    """Mackey–Glass by SciPy, one interval of the delay after the other."""
    past = lambda t: history  # noqa: E731
    pieces, start, value = [], 0.0, history
    while start < until:

        def slope(t, x, past=past):
            before = past(t - delay)
            return beta * before / (1 + before**exponent) - gamma * x

        solution = solve_ivp(
            slope, (start, start + delay), [value], method="DOP853", rtol=1e-12, atol=1e-12,
            dense_output=True, max_step=0.5,
        )  # fmt: skip
        pieces.append((start, solution.sol))
        past = lambda t, dense=solution.sol: dense(t)[0]  # noqa: E731
        start, value = start + delay, solution.y[0, -1]
    return lambda t: next(
        dense(t)[0] for begin, dense in reversed(pieces) if t >= begin
    )


@pytest.mark.parametrize(
    ("delay", "tolerance"), [(17.0, 2e-7), (30.0, 2e-6), (6.5, 2e-7)]
)
def test_mackey_glass_against_scipy(delay, tolerance):
    reference = delayed_by_steps(200, delay, 1.2)
    ours = mackey_glass(201, delay=delay)
    expected = [reference(t) for t in ours.times]
    np.testing.assert_allclose(ours.values, expected, atol=tolerance)


def test_mackey_glass_is_of_order_four():
    reference = delayed_by_steps(120, 17.0, 0.9)
    expected = np.array([reference(t) for t in range(121)])
    errors = [
        np.abs(mackey_glass(121, history=0.9, substeps=m).values - expected).max()
        for m in (2, 4)
    ]
    assert 12 < errors[0] / errors[1] < 22  # 2⁴ = 16 when h is halved


def test_mackey_glass_with_a_delay_off_the_grid_still_converges():
    reference = delayed_by_steps(100, 17.3, 1.2)
    expected = np.array([reference(t) for t in range(101)])
    ours = mackey_glass(
        101, delay=17.3, substeps=4
    ).values  # h = 0.25 does not divide 17.3
    np.testing.assert_allclose(ours, expected, atol=1e-4)


def test_mackey_glass_with_a_delay_of_one_grid_step():
    reference = delayed_by_steps(10, 0.5, 0.5)
    ours = mackey_glass(11, delay=0.5, substeps=2, history=0.5)
    np.testing.assert_allclose(
        ours.values, [reference(t) for t in range(11)], atol=1e-4
    )


def test_a_delay_that_rounding_makes_a_little_shorter_than_a_step_is_one_step():
    assert 0.3 / (3 * 0.1) < 1
    rounded = mackey_glass(50, delay=0.3, step=3 * 0.1, substeps=1).values
    np.testing.assert_allclose(
        rounded, mackey_glass(50, delay=0.3, step=0.3, substeps=1).values
    )


def test_mackey_glass_settles_when_the_delay_is_short():
    """Without chaos it goes to the fixed point β/(1 + x^p) = γ, that is x = 1."""
    assert mackey_glass(2_000, delay=2.0).values[-1] == pytest.approx(1.0, abs=1e-9)


def test_lorenz_against_scipy():
    def slope(t, p):
        x, y, z = p
        return 10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z

    ours = lorenz(501, substeps=10)  # up to t = 5
    exact = solve_ivp(
        slope,
        (0, 5),
        [1, 1, 1],
        method="DOP853",
        rtol=1e-13,
        atol=1e-13,
        t_eval=ours.times,
    )
    np.testing.assert_allclose(ours.values, exact.y.T, atol=1e-6)
    coarse = lorenz(501).values
    fine = np.abs(lorenz(501, substeps=2).values - exact.y.T).max()
    assert 10 < np.abs(coarse - exact.y.T).max() / fine < 25  # order four


def test_lorenz_forgets_where_it_started():
    near = lorenz(3_000, start=(1, 1, 1 + 1e-9)).values
    distance = np.linalg.norm(lorenz(3_000).values - near, axis=1)
    assert distance[:100].max() < 1e-6
    assert distance[-500:].max() > 1


@pytest.mark.parametrize("make", [mackey_glass, lorenz])
def test_generated_series_noise_discard_and_repeatability(make):
    clean, noisy = make(500), make(500, 0.5, 7)
    np.testing.assert_array_equal(noisy.values, make(500, 0.5, 7).values)
    assert not np.array_equal(noisy.values, make(500, 0.5, 8).values)
    assert 0.45 < (noisy.values - clean.values).std() < 0.55
    late = make(400, discard=100)
    np.testing.assert_array_equal(late.values, clean.values[100:])
    np.testing.assert_array_equal(late.times, clean.times[100:])
    assert len(make(1)) == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mackey_glass(0), "n: expected a whole number >= 1"),
        (lambda: mackey_glass(10, -0.1), "noise: expected a number >= 0"),
        (lambda: mackey_glass(10, delay=0.05), "delay: expected at least"),
        (
            lambda: mackey_glass(10, step=200, delay=50),
            "substeps: expected at least 20",
        ),
        (lambda: mackey_glass(10, substeps=0), "substeps"),
        (lambda: lorenz(10, start=(1, 2)), "start: expected 3 entries"),
        (lambda: lorenz(100, step=1.0), "step: expected one small enough"),
        (lambda: lorenz(10, sigma=float("nan")), "sigma: expected a finite number"),
    ],
)
def test_wrong_arguments_are_told(call, message):
    with pytest.raises(ValueError, match=message):
        call()
