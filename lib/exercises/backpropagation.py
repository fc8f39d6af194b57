"""Exercises of the chapter on backpropagation."""

import numpy as np

from lib.course.exercise import case, exercise, wrong


@exercise("top-error", chapter="backpropagation")
class TopError:
    """Write `top_error(Z, labels)`: the errors ∂𝓛/∂Z of the mean cross-entropy.

    Z (n, K) holds the scores of n samples, labels (n,) their classes.
    """

    def solution(Z, labels):
        p = np.exp(Z - Z.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        p[np.arange(len(Z)), labels] -= 1.0
        return p / len(Z)

    why = (
        "For one sample the error is $p - e_y$. The mean over $n$ samples puts $\\frac1n$ in "
        "front, and from here on nobody has to think of it again."
    )

    def cases(rng):
        yield case(np.zeros((1, 2)), np.array([0]), label="one sample, two even scores")
        yield case(np.zeros((4, 3)), np.array([0, 1, 2, 2]))
        for n, k in ((3, 3), (6, 4), (2, 5)):
            yield case(rng.normal(size=(n, k)), rng.integers(0, k, size=n))
        yield case(np.array([[1000.0, 0.0], [0.0, 1000.0]]), np.array([0, 0]))

    hints = (
        "What is the derivative of −log softmax(z) at the label, by every score?",
        "Compute softmax along each row, subtract 1 at the label, divide by n.",
    )

    @wrong("That is the error of the *summed* loss: the mean over n samples has a 1/n.")
    def summed(Z, labels):
        p = np.exp(Z - Z.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        p[np.arange(len(Z)), labels] -= 1.0
        return p

    @wrong("These are the probabilities; the label's one is still to be subtracted.")
    def no_target(Z, labels):
        p = np.exp(Z - Z.max(axis=1, keepdims=True))
        return p / p.sum(axis=1, keepdims=True) / len(Z)

    @wrong("The sign is turned round: it is p − e_y, prediction minus truth.")
    def turned(Z, labels):
        p = np.exp(Z - Z.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        p[np.arange(len(Z)), labels] -= 1.0
        return -p / len(Z)

    @wrong(
        "You treated softmax as if it acted entry by entry, with slope p(1 − p). "
        "Every probability depends on every score."
    )
    def entry_by_entry(Z, labels):
        p = np.exp(Z - Z.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        out = np.zeros_like(p)
        rows = np.arange(len(Z))
        out[rows, labels] = -(1.0 - p[rows, labels])
        return out / len(Z)


def _layer(rng, n, below, above):
    return (
        rng.normal(size=(n, above)),
        rng.normal(size=(above, below)),
        rng.normal(size=(n, below)),
    )


@exercise("error-below", chapter="backpropagation")
class ErrorBelow:
    """Write `error_below(delta, W, Z)`: Δ of a tanh layer from Δ of the layer above.

    delta (n, above) are the errors of the layer above, W (above, below) its weights, Z (n, below)
    the pre-activations of the tanh layer.
    """

    def solution(delta, W, Z):
        return (delta @ W) * (1.0 - np.tanh(Z) ** 2)

    why = (
        "Row by row this is $(W^\\top\\delta) \\odot \\varphi'(z)$, transposed: "
        "$\\delta^\\top W$. For tanh, $\\varphi' = 1 - \\tanh^2$."
    )

    def cases(rng):
        yield case(np.array([[2.0]]), np.array([[3.0]]), np.array([[0.0]]))
        yield case(*_layer(rng, 4, 3, 3), label="a square weight matrix")
        for n, below, above in ((1, 4, 2), (5, 2, 3), (6, 3, 1)):
            yield case(*_layer(rng, n, below, above))

    hints = (
        "Which unit above does each unit below feed, and with which weight?",
        "The result has shape (n, below): only delta @ W has it.",
        "Then multiply, entry by entry, with the slope of tanh at Z.",
    )

    @wrong("You forgot the slope of the activation, 1 − tanh².")
    def no_slope(delta, W, Z):
        return delta @ W

    @wrong("The slope of tanh is 1 − tanh(Z)²; you squared the pre-activation itself.")
    def slope_of_z(delta, W, Z):
        return (delta @ W) * (1.0 - Z**2)

    @wrong(
        "The weights are the wrong way round. With samples in rows, errors go down with "
        "`delta @ W` (signals go up with `A @ W.T`)."
    )
    def transposed(delta, W, Z):
        if W.shape[0] != W.shape[1]:
            return (delta @ W) * (1.0 - np.tanh(Z) ** 2)
        return (delta @ W.T) * (1.0 - np.tanh(Z) ** 2)


@exercise("layer-gradients", chapter="backpropagation")
class LayerGradients:
    """Write `layer_gradients(delta, A)`: the gradients of a layer's weights and biases.

    delta (n, out) are the errors of the mean loss, A (n, in) the activations below. Return a pair:
    the gradient of W, of shape (out, in), and that of b, of shape (out,).
    """

    def solution(delta, A):
        return delta.T @ A, delta.sum(axis=0)

    why = (
        "All samples share the weights, so their contributions $\\delta_i a_i^\\top$ add up, and "
        "the sum over samples is the matrix product. The $\\frac1n$ is already in delta."
    )

    def cases(rng):
        yield case(np.array([[1.0], [2.0]]), np.array([[3.0, 4.0], [5.0, 6.0]]))
        for n, out, inputs in ((1, 2, 3), (5, 3, 3), (7, 4, 2)):
            yield case(rng.normal(size=(n, out)), rng.normal(size=(n, inputs)))

    hints = (
        "For one sample the gradient of W is the outer product of δ and a.",
        "A sum of outer products is one matrix product; which order has shape (out, in)?",
    )

    @wrong(
        "The mean over samples is counted twice: delta belongs to the *mean* loss already, "
        "so the samples are summed."
    )
    def averaged_again(delta, A):
        return delta.T @ A / len(A), delta.mean(axis=0)

    @wrong("The gradient of W has the shape of W, (out, in); yours is its transpose.")
    def turned(delta, A):
        return A.T @ delta, delta.sum(axis=0)

    @wrong("The biases add up over the samples too: a sum, not a mean.")
    def mean_bias(delta, A):
        return delta.T @ A, delta.mean(axis=0)


def _graph(rng, m, density):
    """A random acyclic graph of m units: weights, activations at a random input, loss slopes."""
    W = np.tril(rng.normal(size=(m, m)), -1) * (rng.random((m, m)) < density)
    a = np.zeros(m)
    offset = rng.normal(size=m)
    for k in range(m):
        a[k] = np.tanh(W[k] @ a + offset[k])
    return W, a, rng.normal(size=m) * (rng.random(m) < 0.6)


@exercise("graph-errors", chapter="backpropagation")
class GraphErrors:
    """Write `graph_errors(W, a, s)`: the errors ∂ℓ/∂z of all units of an acyclic graph.

    W (m, m) holds the weight from unit j to unit k at [k, j], zero unless j < k; a (m,) are the
    activations tanh(z); s (m,) is how the loss depends on each activation directly.
    """

    def solution(W, a, s):
        delta = np.zeros(len(a))
        for j in reversed(range(len(a))):
            delta[j] = (1.0 - a[j] ** 2) * (s[j] + delta @ W[:, j])
        return delta

    why = (
        "Unit $j$ reaches the loss directly, with slope $s_j$, and through every unit $k$ that it "
        "feeds, with $\\delta_k w_{kj}$. Going from the last unit to the first, those errors are "
        "known when they are needed; the others are still zero and meet a zero weight."
    )

    def cases(rng):
        chain = np.array([[0.0, 0.0], [2.0, 0.0]])
        yield case(chain, np.array([0.5, 0.8]), np.array([0.0, 1.0]), label="a chain")
        both = np.array([1.0, 1.0])
        yield case(chain, np.array([0.5, 0.8]), both, label="the loss sees both units")
        yield case(np.zeros((3, 3)), np.array([0.1, 0.2, 0.3]), np.ones(3))
        for m, density in ((4, 1.0), (6, 0.6), (9, 0.4)):
            yield case(*_graph(rng, m, density))

    hints = (
        "Start with the last unit: it feeds nobody.",
        "A unit collects s_j and, from every unit k it feeds, δ_k times the weight W[k, j].",
        "The slope of tanh is 1 − a².",
    )

    @wrong(
        "Units that the loss looks at directly may also feed others: add the two, s_j and the sum."
    )
    def either_or(W, a, s):
        delta = np.zeros(len(a))
        for j in reversed(range(len(a))):
            back = delta @ W[:, j]
            delta[j] = (1.0 - a[j] ** 2) * (s[j] if s[j] != 0 else back)
        return delta

    @wrong("You forgot the slope of the activation, 1 − a².")
    def no_slope(W, a, s):
        delta = np.zeros(len(a))
        for j in reversed(range(len(a))):
            delta[j] = s[j] + delta @ W[:, j]
        return delta

    @wrong(
        "The sum runs over the units that j *feeds*, down a column of W; you took those that "
        "feed j."
    )
    def along_the_row(W, a, s):
        delta = np.zeros(len(a))
        for j in range(len(a)):
            delta[j] = (1.0 - a[j] ** 2) * (s[j] + delta @ W[j])
        return delta

    @wrong(
        "You went from the first unit to the last, so the errors were not there yet when they "
        "were needed. Start at the end."
    )
    def forwards(W, a, s):
        delta = np.zeros(len(a))
        for j in range(len(a)):
            delta[j] = (1.0 - a[j] ** 2) * (s[j] + delta @ W[:, j])
        return delta
