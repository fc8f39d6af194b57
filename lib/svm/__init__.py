"""Support vector machines: the dual by SMO, the primal by Pegasos, and the kernel machines."""

from lib.svm.classifier import SupportVectorClassifier
from lib.svm.duality import Optimality, dual_objective, primal_objective
from lib.svm.pegasos import pegasos
from lib.svm.smo import DualSolution, solve_dual

__all__ = [
    "DualSolution",
    "Optimality",
    "SupportVectorClassifier",
    "dual_objective",
    "pegasos",
    "primal_objective",
    "solve_dual",
]
