"""Exercises of the chapter on finding structure."""

import numpy as np

from lib.course.exercise import case, exercise, wrong


@exercise("components-needed", chapter="finding_structure")
class ComponentsNeeded:
    """Write `components_needed(X, share)`: the fewest components with at least that share.

    X has shape (n, d) and is not centred; share lies between 0 and 1.
    """

    def solution(X, share):
        singular = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)
        held = np.cumsum(singular**2) / np.sum(singular**2)
        return int(np.argmax(held >= share - 1e-12)) + 1

    why = (
        "The variances are the squared singular values of the centred data, up to a factor that "
        "cancels. `np.argmax` of a boolean array finds the first entry that is true."
    )

    def cases(rng):
        X = np.array([[3.0, 0.0], [-3.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
        yield case(X, 0.8, label="variances 9 to 1")
        yield case(X, 0.95, label="both are needed")
        for scales, share in (
            ([9, 3, 1, 0.3], 0.9),
            ([4, 4, 4], 0.5),
            ([7, 5, 1, 1, 1], 0.95),
        ):
            yield case(rng.normal(size=(40, len(scales))) * scales + 50.0, share)

    hints = (
        "Centre the data first.",
        "Variances are squares of the singular values; add them up from the largest.",
        "The first position where the running share reaches the target, plus one.",
    )

    @wrong("You did not centre X: the mean then counts as the first component.")
    def not_centred(X, share):
        singular = np.linalg.svd(X, compute_uv=False)
        held = np.cumsum(singular**2) / np.sum(singular**2)
        return int(np.argmax(held >= share - 1e-12)) + 1

    @wrong("You added singular values; variances are their squares.")
    def not_squared(X, share):
        singular = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)
        held = np.cumsum(singular) / np.sum(singular)
        return int(np.argmax(held >= share - 1e-12)) + 1

    @wrong("Off by one: position 0 means that one component is enough.")
    def off_by_one(X, share):
        singular = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)
        held = np.cumsum(singular**2) / np.sum(singular**2)
        return int(np.argmax(held >= share - 1e-12))


@exercise("lloyd-sweep", chapter="finding_structure")
class LloydSweep:
    """Write `lloyd_sweep(X, centres)`: the means of the points nearest to each centre.

    X has shape (n, d), centres (k, d). A centre without points stays where it is.
    """

    def solution(X, centres):
        distances = ((X[:, None, :] - centres[None, :, :]) ** 2).sum(axis=-1)
        labels = distances.argmin(axis=1)
        new = centres.copy()
        for j in range(len(centres)):
            if np.any(labels == j):
                new[j] = X[labels == j].mean(axis=0)
        return new

    why = "First the Voronoi cells, then the mean of each cell that holds a point."

    def cases(rng):
        X = np.array([[0.0], [1.0], [10.0], [12.0]])
        yield case(X, np.array([[0.0], [9.0]]))
        yield case(X, np.array([[0.0], [9.0], [100.0]]), label="an empty cell")
        for n, k, d in ((12, 3, 2), (40, 4, 3)):
            yield case(rng.normal(size=(n, d)), rng.normal(size=(k, d)))

    hints = (
        "Broadcast X[:, None, :] - centres[None, :, :] for all differences.",
        "argmin over the centres gives a label for every point.",
    )

    @wrong(
        "All centres move in your sweep, by all points: only a cell's own points count."
    )
    def all_points(X, centres):
        return np.repeat(X.mean(axis=0, keepdims=True), len(centres), axis=0)

    @wrong("An empty cell turns into NaN or zero: leave its centre in place.")
    def empty_to_zero(X, centres):
        distances = ((X[:, None, :] - centres[None, :, :]) ** 2).sum(axis=-1)
        labels = distances.argmin(axis=1)
        new = np.zeros_like(centres)
        for j in range(len(centres)):
            if np.any(labels == j):
                new[j] = X[labels == j].mean(axis=0)
        return new

    @wrong("You moved each centre half way; a sweep goes all the way to the mean.")
    def half_way(X, centres):
        distances = ((X[:, None, :] - centres[None, :, :]) ** 2).sum(axis=-1)
        labels = distances.argmin(axis=1)
        new = centres.copy()
        for j in range(len(centres)):
            if np.any(labels == j):
                new[j] = (centres[j] + X[labels == j].mean(axis=0)) / 2
        return new


def _densities(x, means, deviations):
    z = (x[:, None] - means) / deviations
    return np.exp(-0.5 * z**2) / deviations


@exercise("responsibilities", chapter="finding_structure")
class Responsibilities:
    """Write `responsibilities(x, shares, means, deviations)`: an (n, M) matrix, rows sum to 1.

    x has n entries; shares, means and deviations have M.
    """

    def solution(x, shares, means, deviations):
        z = (x[:, None] - means) / deviations
        joint = shares * np.exp(-0.5 * z**2) / deviations
        return joint / joint.sum(axis=1, keepdims=True)

    why = (
        "$r_{ij} \\propto \\pi_j\\,\\frac{1}{\\sigma_j}e^{-(x_i - \\mu_j)^2/2\\sigma_j^2}$; the "
        "factor $1/\\sqrt{2\\pi}$ is common to all components and cancels."
    )

    def cases(rng):
        ones = np.ones(2)
        yield case(np.array([0.0, 1.0]), 0.5 * ones, np.array([0.0, 2.0]), ones)
        yield case(
            np.array([1.0]),
            np.array([0.9, 0.1]),
            np.array([0.0, 2.0]),
            ones,
            label="unequal shares",
        )
        for n, M in ((5, 2), (8, 3)):
            shares = rng.dirichlet(np.ones(M))
            yield case(
                rng.normal(size=n),
                shares,
                rng.normal(size=M),
                rng.uniform(0.5, 2, size=M),
            )

    hints = (
        "Bayes' rule: share times density, then divide by the row's sum.",
        "x[:, None] - means has shape (n, M).",
    )

    @wrong(
        "You left out the shares: a rare component is less likely to be responsible."
    )
    def no_shares(x, shares, means, deviations):
        d = _densities(x, means, deviations)
        return d / d.sum(axis=1, keepdims=True)

    @wrong("The densities lack 1/σ: a wide component is lower at its peak.")
    def no_normaliser(x, shares, means, deviations):
        joint = shares * _densities(x, means, deviations) * deviations
        return joint / joint.sum(axis=1, keepdims=True)

    @wrong(
        "You normalised over the samples; each sample's responsibilities sum to one."
    )
    def wrong_axis(x, shares, means, deviations):
        joint = shares * _densities(x, means, deviations)
        return joint / joint.sum(axis=0, keepdims=True)


@exercise("oja-step", chapter="finding_structure")
class OjaStep:
    """Write `oja_step(w, x, rate)`: w + η y (x − y w) with y = wᵀx."""

    def solution(w, x, rate):
        y = w @ x
        return w + rate * y * (x - y * w)

    why = "Hebb's term $\\eta yx$ minus the part $\\eta y^2w$ that keeps the length near one."

    def cases(rng):
        yield case(np.array([1.0, 0.0]), np.array([1.0, 1.0]), 0.1)
        for d in (2, 3, 6):
            yield case(rng.normal(size=d), rng.normal(size=d), 0.05)

    hints = ("Compute y first.", "Both terms carry a factor y.")

    @wrong("That is Hebb's rule alone; without the decay term the weights explode.")
    def hebb(w, x, rate):
        return w + rate * (w @ x) * x

    @wrong(
        "The decay has one y too few: it is y² w, since the bracket is multiplied by y."
    )
    def one_y(w, x, rate):
        y = w @ x
        return w + rate * (y * x - y * w)

    @wrong("The decay should shrink w, so it is subtracted.")
    def plus(w, x, rate):
        y = w @ x
        return w + rate * y * (x + y * w)
