"""Trees against scikit-learn, exhaustive search and their own definitions."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from lib.trees import (
    ClassificationTree,
    RegressionTree,
    entropy,
    gini,
    pruned,
    pruning_path,
)
from lib.trees.impurity import purity_of_entropy, purity_of_squares
from lib.trees.splitting import best_split


def classes(n, d, K, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (np.abs(X).sum(axis=1) * 2 + rng.normal(size=n)).astype(int) % K


def exhaustive_gain(X, targets, weight, min_leaf):
    """The largest drop in weighted squared error over every threshold of every feature."""

    def error(rows):
        mean = np.average(targets[rows], axis=0, weights=weight[rows])
        return (weight[rows, None] * (targets[rows] - mean) ** 2).sum()

    best, whole = None, np.arange(len(X))
    for j in range(X.shape[1]):
        for t in np.unique(X[:, j])[:-1]:
            left, right = whole[X[:, j] <= t], whole[X[:, j] > t]
            if min(len(left), len(right)) >= min_leaf:
                gain = error(whole) - error(left) - error(right)
                best = gain if best is None else max(best, gain)
    return best


@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(2, 15),
    d=st.integers(1, 3),
    K=st.integers(1, 3),
    min_leaf=st.integers(1, 3),
    seed=st.integers(0, 999),
)
def test_best_split_is_the_best_of_all(n, d, K, min_leaf, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, size=(n, d)).astype(float)  # many equal values
    targets, weight = rng.normal(size=(n, K)), rng.uniform(0.5, 2.0, size=n)
    expected = exhaustive_gain(X, targets, weight, min_leaf)
    found = best_split(
        X, targets * weight[:, None], weight, np.arange(d), purity_of_squares, min_leaf
    )
    if expected is None:
        assert found is None
        return
    assert found.gain == pytest.approx(expected, abs=1e-9)
    left = X[:, found.feature] <= found.threshold
    assert min(left.sum(), (~left).sum()) >= min_leaf


def test_purities_are_impurities_turned_round():
    counts = np.random.default_rng(0).integers(0, 9, size=(20, 4)).astype(float)
    counts[0] = [5, 0, 0, 0]
    n = counts.sum(axis=1)
    shares = counts / n[:, None]
    np.testing.assert_allclose(
        purity_of_squares(counts, n), n - n * gini(shares), atol=1e-12
    )
    np.testing.assert_allclose(
        purity_of_entropy(counts, n), -n * entropy(shares), atol=1e-12
    )


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("limits", [(3, 1), (6, 10)])
def test_classification_agrees_with_scikit_learn(criterion, limits):
    depth, leaf = limits
    X, y = classes(400, 5, 3, seed=1)
    ours = ClassificationTree(max_depth=depth, min_leaf=leaf, criterion=criterion).fit(
        X, y
    )
    reference = DecisionTreeClassifier(
        max_depth=depth, min_samples_leaf=leaf, criterion=criterion, random_state=0
    ).fit(X, y)
    new = np.random.default_rng(2).normal(size=(300, 5))
    np.testing.assert_allclose(
        ours.probabilities(new), reference.predict_proba(new), atol=1e-12
    )
    np.testing.assert_allclose(
        ours.importances(), reference.feature_importances_, atol=1e-10
    )
    assert ours.tree.leaves == reference.get_n_leaves()
    assert ours.tree.depth == reference.get_depth()


def test_weights_agree_with_scikit_learn():
    X, y = classes(150, 3, 2, seed=4)
    weight = np.random.default_rng(5).uniform(0.1, 3.0, size=150)
    ours = ClassificationTree(max_depth=4).fit(X, y, weight)
    reference = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, y, weight)
    np.testing.assert_allclose(
        ours.probabilities(X), reference.predict_proba(X), atol=1e-12
    )


def test_a_weight_of_two_is_a_sample_twice():
    X, y = classes(150, 3, 2, seed=4)
    times = np.random.default_rng(5).integers(0, 4, size=150)
    ours = ClassificationTree(max_depth=6).fit(X, y, weight=times)
    copies = ClassificationTree(max_depth=6).fit(
        np.repeat(X, times, axis=0), np.repeat(y, times)
    )
    np.testing.assert_allclose(
        ours.probabilities(X), copies.probabilities(X), atol=1e-12
    )


@pytest.mark.parametrize(
    ("scale", "shift"), [(1.0, 0.0), (1e-120, 0.0), (1e120, 0.0), (1.0, 1e6)]
)
def test_regression_agrees_with_scikit_learn_at_any_scale(scale, shift):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 4)), rng.normal(size=200)
    reference = DecisionTreeRegressor(max_depth=5).fit(X, y)
    ours = RegressionTree(max_depth=5).fit(X, scale * (y + shift))
    np.testing.assert_allclose(
        ours.predict(X) / scale - shift, reference.predict(X), rtol=1e-6, atol=1e-9
    )


def test_a_full_tree_learns_distinct_samples_by_heart():
    X, y = classes(300, 4, 4, seed=6)
    np.testing.assert_array_equal(ClassificationTree().fit(X, y).predict(X), y)


@pytest.mark.parametrize(
    ("X", "y", "leaves"),
    [
        (np.ones((6, 2)), [0, 1, 0, 1, 1, 1], 1),  # nothing to ask about
        (np.arange(6.0)[:, None], [2, 2, 2, 2, 2, 2], 1),  # nothing to learn
        (np.array([[3.0]]), [0], 1),  # one sample
        (np.array([[1.0], [np.nextafter(1.0, 2.0)]]), [0, 1], 2),  # neighbouring floats
        (np.array([[-1e308], [1e308]]), [0, 1], 2),  # a gap wider than a float
    ],
)
def test_edge_cases(X, y, leaves):
    tree = ClassificationTree(classes=3).fit(X, y)
    assert tree.tree.leaves == leaves
    if leaves == 2:
        np.testing.assert_array_equal(tree.predict(X), y)


def all_subtrees(tree, node=0):
    yield tree.risk[node], 1
    if not tree.is_leaf[node]:
        right = list(all_subtrees(tree, tree.right[node]))
        for risk, leaves in all_subtrees(tree, tree.left[node]):
            for other_risk, other_leaves in right:
                yield risk + other_risk, leaves + other_leaves


@settings(max_examples=15, deadline=None)
@example(seed=244, alpha=0.01)  # a link of exactly that price, but for rounding
@given(
    seed=st.integers(0, 999), alpha=st.sampled_from([0.0, 0.003, 0.01, 0.03, 0.1, 1.0])
)
def test_pruning_finds_the_smallest_best_subtree(seed, alpha):
    X, y = classes(60, 2, 2, seed)
    tree = ClassificationTree(max_depth=4).fit(X, y).tree
    every = np.array(list(all_subtrees(tree)))
    cost = every[:, 0] + alpha * every[:, 1]
    best = pruned(tree, alpha)
    assert best.risk[best.is_leaf].sum() + alpha * best.leaves == pytest.approx(
        cost.min()
    )
    tied = np.isclose(cost, cost.min(), rtol=0, atol=1e-12)
    assert best.leaves == every[tied, 1].min()


def test_the_path_agrees_with_scikit_learn_and_with_pruned():
    X, y = classes(300, 4, 3, seed=7)
    tree = ClassificationTree(min_leaf=8).fit(X, y).tree
    path = pruning_path(tree)
    library = DecisionTreeClassifier(min_samples_leaf=8, random_state=0)
    reference = library.cost_complexity_pruning_path(X, y)
    distinct = np.flatnonzero(np.append(np.diff(reference.ccp_alphas) > 1e-12, True))
    np.testing.assert_allclose(path.alphas, reference.ccp_alphas[distinct], atol=1e-12)
    np.testing.assert_allclose(path.risks, reference.impurities[distinct], atol=1e-12)
    for alpha, leaves in zip(path.alphas, path.leaves, strict=True):
        assert pruned(tree, alpha + 1e-12).leaves == leaves


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ClassificationTree().fit([[1.0]], [0.5]), "whole-number"),
        (lambda: ClassificationTree(classes=2).fit([[1.0]], [2]), "labels from 0 to 1"),
        (
            lambda: ClassificationTree(criterion="error").fit([[1.0]], [0]),
            "one of gini",
        ),
        (lambda: ClassificationTree(max_depth=-1).fit([[1.0]], [0]), "max_depth"),
        (lambda: ClassificationTree(min_leaf=0).fit([[1.0]], [0]), "min_leaf"),
        (lambda: ClassificationTree(max_features=1).fit([[1.0, 2.0]], [0]), "rng"),
        (lambda: ClassificationTree().predict([[1.0]]), "fit"),
        (
            lambda: ClassificationTree().fit([[1.0]], [0]).predict([[1.0, 2.0]]),
            "1 column",
        ),
        (lambda: ClassificationTree().fit([[np.nan]], [0]), "finite"),
        (lambda: ClassificationTree().fit([[1.0]], [0], weight=[-1.0]), "weights"),
        (lambda: RegressionTree().fit([[1.0], [2.0]], [1.0]), "2 entries"),
        (lambda: pruned(RegressionTree().fit([[1.0]], [1.0]).tree, -1.0), "alpha"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
