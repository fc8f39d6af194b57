"""What a least-squares fit knows about its own uncertainty."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.linear.least_squares import equilibrate
from lib.linear.singular_values import rank_threshold
from lib.validation import as_design, as_matrix, between


@dataclass(frozen=True)
class LinearFit:
    """A fitted linear model y = Xθ + noise with its estimated noise and covariance.

    Shapes: n samples, p parameters (a column of ones counts). ``root`` (p, p) satisfies
    root rootᵀ = (Xᵀ X)⁻¹.
    """

    theta: np.ndarray  # (p,)
    residuals: np.ndarray  # (n,)
    leverage: np.ndarray  # (n,)
    root: np.ndarray  # (p, p)

    @property
    def degrees_of_freedom(self) -> int:
        """n - p, the dimension of the space that residuals can move in."""
        return len(self.residuals) - len(self.theta)

    @property
    def rss(self) -> float:
        """The residual sum of squares."""
        with np.errstate(over="ignore"):
            total = float(self.residuals @ self.residuals)
        if not np.isfinite(total):
            raise ValueError(
                "y: expected residuals below 1e150, got larger: squares overflow"
            )
        return total

    @property
    def sigma2_ml(self) -> float:
        """The maximum-likelihood estimate of the noise variance, RSS / n; too small on average."""
        return self.rss / len(self.residuals)

    @property
    def sigma2(self) -> float:
        """The unbiased estimate of the noise variance, RSS / (n - p)."""
        if self.degrees_of_freedom == 0:
            raise ValueError(
                f"expected more samples than the {len(self.theta)} parameters, got as many: "
                "the fit is exact and says nothing about the noise"
            )
        return self.rss / self.degrees_of_freedom

    @property
    def covariance(self) -> np.ndarray:
        """The estimated covariance of θ, σ² (Xᵀ X)⁻¹, shape (p, p)."""
        return self.sigma2 * self.root @ self.root.T

    @property
    def standard_errors(self) -> np.ndarray:
        """The estimated standard deviation of every parameter, (p,)."""
        return np.sqrt(self.sigma2) * np.linalg.norm(self.root, axis=1)

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return X θ for new rows (m, p), shape (m,)."""
        return as_matrix(X, "X", columns=len(self.theta)) @ self.theta

    def confidence_interval(self, level: float = 0.95) -> np.ndarray:
        """Return low and high for every parameter, (p, 2)."""
        return _interval(self.theta, self._quantile(level) * self.standard_errors)

    def mean_interval(self, X: np.ndarray, level: float = 0.95) -> np.ndarray:
        """Return low and high for the mean of y at new rows (m, p), shape (m, 2)."""
        return _interval(
            self.predict(X), self._quantile(level) * self._spread(X, noise=0.0)
        )

    def prediction_interval(self, X: np.ndarray, level: float = 0.95) -> np.ndarray:
        """Return low and high for one new observation at each new row (m, p), shape (m, 2)."""
        return _interval(
            self.predict(X), self._quantile(level) * self._spread(X, noise=1.0)
        )

    def _spread(self, X: np.ndarray, noise: float) -> np.ndarray:
        """sqrt(σ² (noise + xᵀ (Xᵀ X)⁻¹ x)) for each row x."""
        reach = np.linalg.norm(as_matrix(X, "X") @ self.root, axis=1)
        return np.sqrt(self.sigma2) * np.sqrt(noise + reach**2)

    def _quantile(self, level: float) -> float:
        from scipy.special import (
            stdtrit,
        )  # Student's t; SciPy loads only when it is asked for

        level = between(level, "level", 0.0, 1.0, inclusive=False)
        return float(stdtrit(self.degrees_of_freedom, 0.5 + level / 2))


def linear_fit(X: np.ndarray, y: np.ndarray) -> LinearFit:
    """Fit y (n,) on the columns of X (n, p), which must be independent; n ≥ p."""
    X, y = as_design(X, y)
    as_matrix(X, "X", min_rows=X.shape[1])
    scaled, exponents = equilibrate(X)
    Q, R = np.linalg.qr(scaled)
    s = np.linalg.svd(R, compute_uv=False)
    if s[-1] <= rank_threshold(X.shape) * s[0]:
        raise ValueError(
            "X: expected linearly independent columns, got collinear ones: "
            "the parameters are not determined, and have no standard errors"
        )
    root = np.ldexp(
        np.linalg.inv(R), -exponents[:, None]
    )  # (Xᵀ X)⁻¹ = R⁻¹ R⁻ᵀ in X's units
    fitted = Q.T @ y
    return LinearFit(
        theta=np.ldexp(np.linalg.solve(R, fitted), -exponents),
        residuals=y - Q @ fitted,
        leverage=np.einsum("ij,ij->i", Q, Q),
        root=root,
    )


def _interval(centre: np.ndarray, half_width: np.ndarray) -> np.ndarray:
    return np.column_stack([centre - half_width, centre + half_width])
