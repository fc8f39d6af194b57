"""Decision trees by CART, pruning, forests and boosting."""

from lib.trees.boosting import AdaBoost, GradientBoosting
from lib.trees.cart import ClassificationTree, RegressionTree
from lib.trees.forest import ClassificationForest, RegressionForest
from lib.trees.importance import permutation_importance
from lib.trees.impurity import entropy, gini
from lib.trees.pruning import PruningPath, pruned, pruning_path

__all__ = [
    "AdaBoost",
    "ClassificationForest",
    "ClassificationTree",
    "GradientBoosting",
    "PruningPath",
    "RegressionForest",
    "RegressionTree",
    "entropy",
    "gini",
    "permutation_importance",
    "pruned",
    "pruning_path",
]
