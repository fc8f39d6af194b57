"""Exercises of the chapter on variational autoencoders."""

import numpy as np

from lib.course.exercise import case, exercise, wrong


@exercise("gaussian-kl", chapter="variational_autoencoders")
class GaussianKL:
    """Write `gaussian_kl(mean, log_variance)`: KL(N(mean, diag σ²) ‖ N(0, I)) for each row.

    Both arrays have shape (n, m) and log_variance = log σ². Return shape (n,).
    """

    def solution(mean, log_variance):
        variance = np.exp(log_variance)
        return 0.5 * np.sum(mean**2 + variance - 1 - log_variance, axis=1)

    why = (
        "Each coordinate contributes $\\frac12(\\mu_j^2 + \\sigma_j^2 - 1 - \\log\\sigma_j^2)$, "
        "and log densities of independent coordinates add."
    )

    def cases(rng):
        yield case(np.zeros((1, 2)), np.zeros((1, 2)), label="the prior itself")
        yield case(
            np.array([[1.0]]), np.array([[0.0]]), label="one unit from the prior"
        )
        yield case(np.array([[0.0]]), np.array([[np.log(4.0)]]), label="σ = 2")
        for n, m in ((3, 2), (5, 8), (1, 4)):
            yield case(rng.normal(size=(n, m)), rng.normal(size=(n, m)))

    hints = (
        "Start with one coordinate and q = N(μ, σ²): what is E[z²] under q?",
        "½(μ² + σ² − 1 − log σ²), summed over the coordinates of a row.",
    )

    @wrong(
        "You took log_variance for log σ: the variance is exp(log_variance), not its square."
    )
    def standard_deviation(mean, log_variance):
        return 0.5 * np.sum(
            mean**2 + np.exp(2 * log_variance) - 1 - 2 * log_variance, axis=1
        )

    @wrong("A divergence is never negative: your sign is that of the term in the ELBO.")
    def minus(mean, log_variance):
        variance = np.exp(log_variance)
        return -0.5 * np.sum(mean**2 + variance - 1 - log_variance, axis=1)

    @wrong(
        "Sum over the coordinates of the code: a mean divides the price by m and changes β."
    )
    def averaged(mean, log_variance):
        variance = np.exp(log_variance)
        return 0.5 * np.mean(mean**2 + variance - 1 - log_variance, axis=1)

    @wrong("Sum within a row (one number for each sample), not over the samples.")
    def over_samples(mean, log_variance):
        variance = np.exp(log_variance)
        return 0.5 * np.sum(mean**2 + variance - 1 - log_variance, axis=0)


def _images(rng, n, d, m, size=1.0):
    x = (rng.random((n, d)) < 0.5).astype(float)
    logits = size * rng.normal(size=(n, d))
    return x, logits, rng.normal(size=(n, m)), rng.normal(size=(n, m))


@exercise("bernoulli-elbo", chapter="variational_autoencoders")
class BernoulliElbo:
    """Write `bernoulli_elbo(x, logits, mean, log_variance)`: the mean one-draw ELBO.

    x and logits have shape (n, d), x holds zeros and ones; mean and log_variance of the encoder
    have shape (n, m). The prior is N(0, I). Return one number.
    """

    def solution(x, logits, mean, log_variance):
        reconstruction = np.sum(x * logits - np.logaddexp(0.0, logits), axis=1)
        kl = 0.5 * np.sum(mean**2 + np.exp(log_variance) - 1 - log_variance, axis=1)
        return np.mean(reconstruction - kl)

    why = (
        "$\\log\\sigma(l) = l - \\log(1 + e^l)$ and $\\log(1 - \\sigma(l)) = -\\log(1 + e^l)$, "
        "so a pixel contributes $x l - \\log(1 + e^l)$; `logaddexp(0, l)` does not overflow. "
        "Pixels and coordinates are summed, images averaged."
    )

    def cases(rng):
        yield case(
            np.array([[1.0, 0.0]]), np.zeros((1, 2)), np.zeros((1, 1)), np.zeros((1, 1))
        )
        yield case(*_images(rng, 1, 4, 2), label="one image")
        yield case(*_images(rng, 6, 9, 3))
        yield case(*_images(rng, 3, 20, 5))
        yield case(*_images(rng, 2, 5, 2, size=1000.0), label="huge logits")

    hints = (
        "Reconstruction minus divergence, for each image; then the mean over images.",
        "The log-likelihood of a pixel is x·l − log(1 + exp(l)); np.logaddexp(0, l) is stable.",
    )

    @wrong("The divergence is a price: subtract it, do not add it.")
    def added(x, logits, mean, log_variance):
        reconstruction = np.sum(x * logits - np.logaddexp(0.0, logits), axis=1)
        kl = 0.5 * np.sum(mean**2 + np.exp(log_variance) - 1 - log_variance, axis=1)
        return np.mean(reconstruction + kl)

    @wrong(
        "You averaged over pixels: the likelihood of an image is a product, its logarithm a sum."
    )
    def mean_over_pixels(x, logits, mean, log_variance):
        reconstruction = np.mean(x * logits - np.logaddexp(0.0, logits), axis=1)
        kl = 0.5 * np.sum(mean**2 + np.exp(log_variance) - 1 - log_variance, axis=1)
        return np.mean(reconstruction - kl)

    @wrong("That is the loss, minus the ELBO: turn the sign.")
    def as_loss(x, logits, mean, log_variance):
        reconstruction = np.sum(x * logits - np.logaddexp(0.0, logits), axis=1)
        kl = 0.5 * np.sum(mean**2 + np.exp(log_variance) - 1 - log_variance, axis=1)
        return np.mean(kl - reconstruction)

    @wrong(
        "Large logits overflow: use x·l − logaddexp(0, l) instead of a logarithm of a sigmoid."
    )
    def overflowing(x, logits, mean, log_variance):
        with np.errstate(all="ignore"):
            p = 1 / (1 + np.exp(-logits))
            reconstruction = np.sum(x * np.log(p) + (1 - x) * np.log(1 - p), axis=1)
        kl = 0.5 * np.sum(mean**2 + np.exp(log_variance) - 1 - log_variance, axis=1)
        return np.mean(reconstruction - kl)


@exercise("importance-estimate", chapter="variational_autoencoders")
class ImportanceEstimate:
    """Write `importance_estimate(log_w)`: log of the mean weight of each column, (K, n) → (n,)."""

    def solution(log_w):
        top = log_w.max(axis=0)
        return top + np.log(np.mean(np.exp(log_w - top), axis=0))

    why = (
        "$\\log\\frac1K\\sum_ke^{a_k} = t + \\log\\frac1K\\sum_ke^{a_k - t}$ for any $t$. "
        "With $t$ the largest, no exponential overflows and at least one does not vanish."
    )

    def cases(rng):
        yield case(np.log(np.array([[1.0, 4.0], [3.0, 2.0]])))
        yield case(np.array([[-5.0, 2.0]]), label="one draw")
        yield case(rng.normal(size=(6, 4)) * 3)
        yield case(rng.normal(size=(50, 2)) - 120.0)
        yield case(rng.normal(size=(5, 3)) - 2000.0, label="tiny weights")

    hints = (
        "First the mean of the weights, then the logarithm.",
        "Subtract the largest entry of each column before exp, add it back after log.",
    )

    @wrong(
        "That is the mean of the logarithms, L₁: average the weights first, then take the log."
    )
    def mean_of_logs(log_w):
        return log_w.mean(axis=0)

    @wrong("You summed the weights: divide by the number of draws K.")
    def summed(log_w):
        top = log_w.max(axis=0)
        return top + np.log(np.sum(np.exp(log_w - top), axis=0))

    @wrong("exp(−2000) is zero for a computer: take out the largest entry first.")
    def underflowing(log_w):
        with np.errstate(all="ignore"):
            return np.log(np.mean(np.exp(log_w), axis=0))


@exercise("surviving-lengths", chapter="variational_autoencoders")
class SurvivingLengths:
    """Write `surviving_lengths(X, m, beta, variance)`: squared column lengths of the decoder.

    X has shape (n, d); return the m lengths of the optimal linear β-VAE, longest first.
    """

    def solution(X, m, beta, variance):
        centred = X - X.mean(axis=0)
        eigenvalues = np.linalg.eigvalsh(centred.T @ centred / len(X))[::-1]
        return np.maximum(eigenvalues[:m] - beta * variance, 0.0)

    why = (
        "Dividing the β-bound by $\\beta$ gives the plain bound of a decoder with noise "
        "$\\beta\\sigma^2$, and there $\\ell_j^2 = \\max(\\lambda_j - \\beta\\sigma^2, 0)$."
    )

    def cases(rng):
        arms = np.diag([3.0, 2.0, 1.0, 0.5])
        X = 5.0 + np.vstack([arms, -arms])  # variances 9/4, 1, 1/4, 1/16
        yield case(X, 2, 1.0, 0.1)
        yield case(X, 3, 4.0, 0.2, label="one collapses")
        yield case(X, 3, 500.0, 0.2, label="all collapse")
        for d in (3, 6):
            yield case(
                rng.normal(size=(12, d)) @ rng.normal(size=(d, d)), d - 1, 2.0, 0.3
            )

    hints = (
        "Which matrix's eigenvalues decide? Centre the data first.",
        "max(λ_j − β·variance, 0) for the m largest eigenvalues, divisor n.",
    )

    @wrong("Lengths cannot be negative: a collapsed column has length zero.")
    def unclipped(X, m, beta, variance):
        centred = X - X.mean(axis=0)
        eigenvalues = np.linalg.eigvalsh(centred.T @ centred / len(X))[::-1]
        return eigenvalues[:m] - beta * variance

    @wrong("You left out β: the threshold is β·variance.")
    def no_beta(X, m, beta, variance):
        centred = X - X.mean(axis=0)
        eigenvalues = np.linalg.eigvalsh(centred.T @ centred / len(X))[::-1]
        return np.maximum(eigenvalues[:m] - variance, 0.0)

    @wrong(
        "The covariance has divisor n here, as maximum likelihood has; yours has n − 1."
    )
    def unbiased(X, m, beta, variance):
        eigenvalues = np.linalg.eigvalsh(np.cov(X.T))[::-1]
        return np.maximum(eigenvalues[:m] - beta * variance, 0.0)

    @wrong("Centre the data first: the mean is not a direction of variance.")
    def uncentred(X, m, beta, variance):
        eigenvalues = np.linalg.eigvalsh(X.T @ X / len(X))[::-1]
        return np.maximum(eigenvalues[:m] - beta * variance, 0.0)
