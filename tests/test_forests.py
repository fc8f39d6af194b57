"""Forests, boosting, committees and importances against scikit-learn and their definitions."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.datasets import make_classification, make_friedman1
from sklearn.ensemble import (
    AdaBoostClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
)

from lib.committee import ambiguity, best_weights, error_correlations
from lib.trees import (
    AdaBoost,
    ClassificationForest,
    GradientBoosting,
    RegressionForest,
    permutation_importance,
)


@pytest.fixture(scope="module")
def two_classes():
    return make_classification(600, 10, n_informative=5, flip_y=0.1, random_state=0)


def test_a_forest_is_the_mean_of_its_trees_and_repeats(two_classes):
    X, y = two_classes
    one = ClassificationForest(7, rng=np.random.default_rng(1)).fit(X, y)
    two = ClassificationForest(7, rng=np.random.default_rng(1)).fit(X, y)
    np.testing.assert_array_equal(one.probabilities(X), two.probabilities(X))
    mean = np.mean([tree.probabilities(X) for tree in one.members], axis=0)
    np.testing.assert_allclose(one.probabilities(X), mean, atol=1e-12)


def test_the_out_of_bag_error_by_hand(two_classes):
    X, y = two_classes
    forest = ClassificationForest(15, rng=np.random.default_rng(2)).fit(X, y)
    votes = np.zeros((len(y), 2))
    for tree, unseen in zip(forest.members, forest.out_of_bag, strict=True):
        votes[unseen] += tree.probabilities(X[unseen])
    judged = forest.out_of_bag.any(axis=0)
    assert forest.oob_error == np.mean(votes[judged].argmax(axis=1) != y[judged])


def test_about_as_good_as_scikit_learn(two_classes):
    X, y = two_classes
    train, test = slice(0, 400), slice(400, None)
    ours = ClassificationForest(60, rng=np.random.default_rng(0)).fit(
        X[train], y[train]
    )
    reference = RandomForestClassifier(60, random_state=0).fit(X[train], y[train])
    gap = np.mean(ours.predict(X[test]) == y[test]) - reference.score(X[test], y[test])
    assert abs(gap) < 0.06


def test_regression_forest_beats_its_own_trees():
    X, y = make_friedman1(400, noise=1.0, random_state=0)
    forest = RegressionForest(30, rng=np.random.default_rng(0)).fit(X[:250], y[:250])
    error = np.mean((forest.predict(X[250:]) - y[250:]) ** 2)
    single = [
        np.mean((tree.predict(X[250:]) - y[250:]) ** 2) for tree in forest.members
    ]
    assert error < min(single)
    assert forest.oob_error == pytest.approx(error, rel=0.5)


def test_gradient_boosting_agrees_with_scikit_learn(two_classes):
    X, y = two_classes
    kinds = {
        "n_estimators": 25,
        "learning_rate": 0.2,
        "max_depth": 2,
        "random_state": 0,
    }
    reference = GradientBoostingClassifier(**kinds).fit(X, y)
    ours = GradientBoosting("logistic", rounds=25, rate=0.2, max_depth=2).fit(X, y)
    staged = np.array([s.ravel() for s in reference.staged_decision_function(X)])
    np.testing.assert_allclose(ours.staged_scores(X), staged, atol=1e-8)
    X, y = make_friedman1(200, random_state=1)
    reference = GradientBoostingRegressor(**kinds).fit(X, y)
    ours = GradientBoosting(rounds=25, rate=0.2, max_depth=2).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), reference.predict(X), atol=1e-8)


def test_adaboost_agrees_with_scikit_learn_and_with_its_bound(two_classes):
    X, y = two_classes
    signs = 2.0 * y - 1.0
    ours = AdaBoost(20).fit(X, signs)
    reference = AdaBoostClassifier(n_estimators=20).fit(X, y)
    np.testing.assert_array_equal(ours.predict(X) > 0, reference.predict(X) == 1)
    scores = ours.staged_scores(X)
    bound = np.cumprod(1 / np.cosh(ours.votes))
    np.testing.assert_allclose(np.exp(-signs * scores).mean(axis=1), bound, rtol=1e-10)


def test_adaboost_stops_at_a_perfect_member():
    model = AdaBoost(10).fit([[0.0], [1.0], [2.0], [3.0]], [-1.0, -1.0, 1.0, 1.0])
    assert len(model.trees) == 1
    np.testing.assert_array_equal(model.predict([[0.0], [3.0]]), [-1.0, 1.0])


def test_permutation_importance_counts_only_what_is_used():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 3))
    loss = lambda Z: np.mean((Z[:, 0] - X[:, 0]) ** 2)  # noqa: E731
    rise = permutation_importance(loss, X, repeats=20, rng=rng)
    assert rise[0] == pytest.approx(2.0, rel=0.15)  # E(x − x′)² = 2 Var x
    np.testing.assert_array_equal(rise[1:], 0.0)


def test_committee_identities():
    rng = np.random.default_rng(3)
    P, y = rng.normal(size=(5, 40)), rng.normal(size=40)
    average = ((P - y) ** 2).mean()
    committee = ((P.mean(axis=0) - y) ** 2).mean()
    assert committee == pytest.approx(average - ambiguity(P))
    C = error_correlations(P, y)
    w = best_weights(C)
    found = minimize(
        lambda v: v @ C @ v,
        np.full(5, 0.2),
        constraints={"type": "eq", "fun": lambda v: v.sum() - 1},
        tol=1e-14,
    )
    np.testing.assert_allclose(w, found.x, atol=1e-5)
    assert w @ C @ w <= np.diag(C).min()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ClassificationForest(0).fit([[1.0]], [0]), "trees"),
        (lambda: ClassificationForest().predict([[1.0]]), "fit"),
        (lambda: RegressionForest().importances(), "fit"),
        (lambda: AdaBoost().fit([[1.0], [2.0]], [0.0, 1.0]), "-1 or \\+1"),
        (lambda: AdaBoost().fit([[1.0], [1.0]], [-1.0, 1.0]), "better than chance"),
        (lambda: GradientBoosting("hinge").fit([[1.0]], [1.0]), "one of squared"),
        (lambda: GradientBoosting("logistic").fit([[1.0]], [1]), "both labels"),
        (lambda: GradientBoosting(rate=1.5).fit([[1.0]], [1.0]), "rate"),
        (lambda: GradientBoosting().predict([[1.0]]), "fit"),
        (lambda: best_weights(np.ones((2, 2))), "definite"),
        (lambda: error_correlations(np.ones((2, 3)), np.ones(2)), "3 entries"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
