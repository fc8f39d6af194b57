"""Linear models: least squares in its several forms, how good a fit is, and robust kin.

One idea a file; this page names what others import. A function wins over the module of the same
name: ``lib.linear.least_squares`` is the solver.
"""

from lib.linear.anova import NestedTest, nested_f_test
from lib.linear.criteria import (
    aic,
    bic,
    gaussian_log_likelihood,
    prediction_error,
    ridge_left_out_error,
)
from lib.linear.descent import descend, step_limit
from lib.linear.design import Standardiser, with_intercept
from lib.linear.elastic_net import (
    ElasticNet,
    duality_gap,
    elastic_net,
    kkt_violation,
    largest_lambda,
    lasso_path,
    soft_threshold,
)
from lib.linear.goodness import (
    adjusted_r_squared,
    explained_ratio,
    r_squared,
    squared_correlation,
)
from lib.linear.inference import LinearFit, linear_fit
from lib.linear.influence import hat_matrix, left_out_residuals, leverage
from lib.linear.least_squares import (
    least_squares,
    squared_error,
    squared_error_gradient,
)
from lib.linear.normal_equations import cholesky, solve_by_cholesky
from lib.linear.orthogonal import solve_by_qr
from lib.linear.rational import correct_digits, exact_least_squares
from lib.linear.reweighting import (
    AbsoluteFit,
    absolute_regression,
    huber_regression,
    weighted_least_squares,
)
from lib.linear.ridge import (
    effective_parameters,
    ridge,
    ridge_objective,
    ridge_path,
    shrinkage,
)
from lib.linear.robust_losses import (
    absolute_loss,
    absolute_slope,
    huber_loss,
    huber_slope,
)
from lib.linear.singular_values import condition_number, pseudoinverse, solve_by_svd
from lib.linear.splines import cubic_spline

__all__ = [
    "AbsoluteFit",
    "ElasticNet",
    "LinearFit",
    "NestedTest",
    "Standardiser",
    "absolute_loss",
    "absolute_regression",
    "absolute_slope",
    "adjusted_r_squared",
    "aic",
    "bic",
    "cholesky",
    "condition_number",
    "correct_digits",
    "cubic_spline",
    "descend",
    "duality_gap",
    "effective_parameters",
    "elastic_net",
    "exact_least_squares",
    "explained_ratio",
    "gaussian_log_likelihood",
    "hat_matrix",
    "huber_loss",
    "huber_regression",
    "huber_slope",
    "kkt_violation",
    "largest_lambda",
    "lasso_path",
    "least_squares",
    "left_out_residuals",
    "leverage",
    "linear_fit",
    "nested_f_test",
    "prediction_error",
    "pseudoinverse",
    "r_squared",
    "ridge",
    "ridge_left_out_error",
    "ridge_objective",
    "ridge_path",
    "shrinkage",
    "soft_threshold",
    "solve_by_cholesky",
    "solve_by_qr",
    "solve_by_svd",
    "squared_correlation",
    "squared_error",
    "squared_error_gradient",
    "step_limit",
    "weighted_least_squares",
    "with_intercept",
]
