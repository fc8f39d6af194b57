"""Risk, cross-validation, beliefs on a grid and no free lunch, each against brute force."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, cross_val_score

from lib.bayes.grid import GridBelief
from lib.linear import least_squares, left_out_residuals, with_intercept
from lib.losses import squared
from lib.no_free_lunch import all_labellings, binary_inputs, unseen_errors
from lib.risk import (
    best_predictions,
    cross_validate,
    empirical_risk,
    expected_risk,
    gap_bound,
    samples_needed,
)
from lib.splitting import k_folds, leave_one_out

QUICK = settings(deadline=None, max_examples=30)
seeds = st.integers(0, 2**32 - 1)


def fit_line(X, y):
    theta = least_squares(with_intercept(X), y)
    return lambda Z: with_intercept(Z) @ theta


@QUICK
@given(seed=seeds, k=st.integers(2, 8))
def test_cross_validation_is_that_of_scikit_learn(seed, k):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(25, 3)), rng.normal(size=25)
    ours = cross_validate(fit_line, squared, X, y, k_folds(25, k))
    reference = -cross_val_score(
        LinearRegression(), X, y, cv=KFold(k), scoring="neg_mean_squared_error"
    )
    np.testing.assert_allclose(ours.fold_risks, reference)
    assert ours.naive_standard_error == pytest.approx(reference.std(ddof=1) / k**0.5)


def test_leave_one_out_of_least_squares_needs_one_fit():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(20, 3)), rng.normal(size=20)
    ours = cross_validate(fit_line, squared, X, y, leave_one_out(20))
    np.testing.assert_allclose(
        ours.losses, left_out_residuals(with_intercept(X), y) ** 2
    )
    assert ours.risk == pytest.approx(ours.losses.mean())


def test_folds_that_share_samples_are_refused():
    folds = [(np.arange(4), np.array([3, 4]))]
    with pytest.raises(ValueError, match="fold 0 shares"):
        cross_validate(fit_line, squared, np.zeros((5, 1)), np.zeros(5), folds)
    with pytest.raises(ValueError, match="4 targets"):
        cross_validate(fit_line, squared, np.zeros((5, 1)), np.zeros(4), folds)


@QUICK
@given(seed=seeds)
def test_best_predictions_are_best_of_all(seed):
    rng = np.random.default_rng(seed)
    costs = rng.uniform(size=(3, 4))
    joint = rng.dirichlet(np.ones(12)).reshape(4, 3)
    best = expected_risk(costs, joint, best_predictions(costs, joint))
    every = [
        sum(joint[x, y] * costs[y, f[x]] for x in range(4) for y in range(3))
        for f in itertools.product(range(4), repeat=4)
    ]
    assert best == pytest.approx(min(every))


def test_empirical_risk_is_a_mean():
    assert empirical_risk(squared, [1.0, 3.0], [0.0, 0.0]) == 5.0


def test_expected_risk_asks_for_a_distribution():
    with pytest.raises(ValueError, match="sum to 1"):
        expected_risk(np.eye(2), np.full((2, 2), 0.5), np.array([0, 1]))
    with pytest.raises(ValueError, match="shapes"):
        expected_risk(np.eye(3), np.full((2, 2), 0.25), np.array([0, 1]))


@pytest.mark.parametrize(("n", "hypotheses"), [(10, 1), (50, 3), (200, 20)])
def test_the_bound_holds_exactly(n, hypotheses):
    """Binomial tails, exactly: the chance that any of H fair coins strays further than ε."""
    epsilon = gap_bound(n, hypotheses, 0.1)
    k = np.arange(n + 1)
    strays = np.abs(k / n - 0.5) > epsilon
    one = stats.binom.pmf(k, n, 0.5)[strays].sum()
    assert 1 - (1 - one) ** hypotheses <= 0.1


def test_samples_needed_inverts_the_bound():
    n = samples_needed(0.03, hypotheses=1000, delta=0.01)
    assert gap_bound(n, 1000, 0.01) <= 0.03 < gap_bound(n - 1, 1000, 0.01)


@QUICK
@given(seed=seeds, heads=st.integers(0, 20), tails=st.integers(0, 20))
def test_grid_belief_of_a_coin_is_the_beta_law(seed, heads, tails):
    p = (np.arange(2000) + 0.5) / 2000
    prior = GridBelief.from_prior(p, stats.beta.logpdf(p, 2, 3))
    after = prior.update(heads * np.log(p) + tails * np.log1p(-p))
    assert after.mean[0] == pytest.approx((2 + heads) / (5 + heads + tails), abs=1e-5)
    flips = np.random.default_rng(seed).permutation([1] * heads + [0] * tails)
    step = prior
    for flip in flips:
        step = step.update(np.log(p) if flip else np.log1p(-p))
    np.testing.assert_allclose(step.weights, after.weights, atol=1e-12)
    assert step.log_evidence == pytest.approx(after.log_evidence, abs=1e-9)
    exact = stats.betabinom.logpmf(heads, heads + tails, 2, 3) - np.log(
        stats.binom.pmf(heads, heads + tails, 0.5) * 2.0 ** (heads + tails)
    )
    assert after.log_evidence == pytest.approx(exact, abs=1e-4)


def test_grid_belief_survives_a_thousand_samples_and_refuses_impossible_ones():
    p = np.linspace(0.01, 0.99, 99)
    belief = GridBelief.from_prior(p, np.zeros(99))
    after = belief.update(5000 * np.log(p) + 5000 * np.log1p(-p))
    assert after.mode[0] == pytest.approx(0.5)
    assert after.weights.sum() == pytest.approx(1.0)
    with pytest.raises(ValueError, match="ruled out"):
        belief.update(np.full(99, -np.inf))
    with pytest.raises(ValueError, match="NaN"):
        belief.update(np.full(99, np.nan))
    with pytest.raises(ValueError, match="one entry per point"):
        belief.update(np.zeros(3))


def test_grid_samples_follow_the_weights():
    belief = GridBelief.from_prior(np.arange(3.0), np.log([0.2, 0.5, 0.3]))
    drawn = belief.sample(20_000, np.random.default_rng(0))[:, 0]
    np.testing.assert_allclose(
        np.bincount(drawn.astype(int)) / 20_000, [0.2, 0.5, 0.3], atol=0.02
    )
    np.testing.assert_allclose(belief.average(np.eye(3)), [0.2, 0.5, 0.3])


def test_inputs_and_labellings_are_all_there():
    assert binary_inputs(2).tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert len(np.unique(all_labellings(5), axis=0)) == 32


@QUICK
@given(seed=seeds)
def test_no_learner_beats_a_coin_on_average(seed):
    """Any table from seen labels to guesses is a learner: a random one has error 1/2."""
    rng = np.random.default_rng(seed)
    X = binary_inputs(3)
    seen = rng.choice(8, size=int(rng.integers(0, 8)), replace=False)
    table = {}

    def learn(X, y, query):
        return table.setdefault(y.tobytes(), rng.integers(0, 2, size=len(query)))

    errors = unseen_errors(learn, X, seen)
    assert errors.shape == (256,)
    assert errors.mean() == pytest.approx(0.5)


def test_unseen_errors_are_counted_right():
    X = binary_inputs(1)
    errors = unseen_errors(lambda X, y, query: y, X, np.array([0]))  # copies the label
    assert errors.tolist() == [0.0, 1.0, 1.0, 0.0]
    with pytest.raises(ValueError, match="left unseen"):
        unseen_errors(lambda X, y, q: y, X, np.array([0, 1]))
    with pytest.raises(ValueError, match="from 0 to 1"):
        unseen_errors(lambda X, y, q: y, X, np.array([2]))
