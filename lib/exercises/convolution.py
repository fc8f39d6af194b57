"""Exercises of the chapter on convolutional networks."""

import numpy as np
from scipy.signal import convolve2d, correlate2d

from lib.course.exercise import case, exercise, wrong


@exercise("conv-output-size", chapter="convolution")
class OutputSize:
    """Write `places(n, k, s, p, d)`: the number of outputs along an axis of `n` pixels.

    Kernel `k`, stride `s`, padding `p` on each side, dilation `d`; the kernel always fits.
    """

    def solution(n, k, s, p, d):
        span = d * (k - 1) + 1
        return (n + 2 * p - span) // s + 1

    why = (
        "The kernel spans $d(k-1)+1$ pixels of a padded axis of $n + 2p$. It can start at every "
        "multiple of $s$ from 0 to $n + 2p - \\text{span}$, both included."
    )

    def cases(rng):
        yield case(28, 3, 1, 0, 1, label="a plain 3-tap kernel on 28 pixels")
        yield case(28, 2, 2, 0, 1, label="pooling by 2")
        yield case(28, 3, 1, 1, 1, label="same padding")
        yield case(7, 3, 2, 0, 2, label="dilation 2, stride 2")
        yield case(11, 2, 2, 0, 1, label="an odd length, stride 2")
        for _ in range(12):
            k, s, p, d = (int(v) for v in rng.integers([1, 1, 0, 1], [6, 4, 3, 4]))
            least = max(1, d * (k - 1) + 1 - 2 * p)
            yield case(least + int(rng.integers(0, 12)), k, s, p, d)

    hints = (
        "How many pixels lie from the first tap to the last?",
        "Where is the last start that fits, and how many multiples of s are there up to it?",
    )

    @wrong("You count padding on one side only: the axis has n + 2p pixels.")
    def one_side(n, k, s, p, d):
        return (n + p - (d * (k - 1) + 1)) // s + 1

    @wrong("Position 0 is a place too: add one after dividing.")
    def no_plus_one(n, k, s, p, d):
        return (n + 2 * p - (d * (k - 1) + 1)) // s

    @wrong("Dilation is missing: the kernel spans d(k − 1) + 1 pixels, not k.")
    def no_dilation(n, k, s, p, d):
        return (n + 2 * p - k) // s + 1

    @wrong("The span is d(k − 1) + 1: between k taps there are k − 1 gaps.")
    def dilated_taps(n, k, s, p, d):
        return (n + 2 * p - d * k) // s + 1

    @wrong("Round down: a window that does not fit entirely does not count.")
    def rounded_up(n, k, s, p, d):
        return -(-(n + 2 * p - (d * (k - 1) + 1)) // s) + 1


@exercise("conv-slide", chapter="convolution")
class SlideKernel:
    """Write `slide(image, kernel, stride)`: the cross-correlation of two matrices.

    Windows lie inside the image; the kernel moves `stride` pixels at a time, in both directions.
    """

    def solution(image, kernel, stride):
        kh, kw = kernel.shape
        rows = (image.shape[0] - kh) // stride + 1
        columns = (image.shape[1] - kw) // stride + 1
        result = np.zeros((rows, columns))
        for i in range(rows):
            for j in range(columns):
                y, x = i * stride, j * stride
                result[i, j] = np.sum(kernel * image[y : y + kh, x : x + kw])
        return result

    why = (
        "Each entry is the sum of products of the kernel with the window that starts at "
        "$(si, sj)$. The kernel is used as it is: turning it by 180° would be a convolution."
    )

    def cases(rng):
        edge = np.tile([10.0, 10.0, 10.0, 0.0, 0.0, 0.0], (6, 1))
        prewitt = np.array([[1.0, 0.0, -1.0]] * 3)
        yield case(edge, prewitt, 1, label="the vertical edge")
        yield case(rng.normal(size=(4, 4)), np.eye(2), 2, label="stride 2")
        for stride in (1, 2, 3):
            yield case(rng.normal(size=(7, 9)), rng.normal(size=(3, 2)), stride)
        yield case(
            rng.normal(size=(5, 5)), rng.normal(size=(5, 5)), 1, label="one place"
        )

    hints = (
        "How many windows fit below each other, and beside each other?",
        "Entry (i, j) belongs to the window that begins at row i·stride, column j·stride.",
    )

    @wrong(
        "You turned the kernel: that is a convolution, with the sign of the edge reversed."
    )
    def turned(image, kernel, stride):
        return convolve2d(image, kernel, "valid")[::stride, ::stride]

    @wrong("You move by one pixel at a time; the stride does nothing.")
    def no_stride(image, kernel, stride):
        return correlate2d(image, kernel, "valid")

    @wrong("The stride moves you down but not to the right.")
    def one_direction(image, kernel, stride):
        return correlate2d(image, kernel, "valid")[::stride]


@exercise("conv-image-gradient", chapter="convolution")
class ImageGradient:
    """Write `image_gradient(delta, kernel)`: ∂loss/∂image for a cross-correlation.

    Stride 1, no padding. `delta` is the derivative by the output; the result has the shape of
    the image, delta's plus the kernel's minus one.
    """

    def solution(delta, kernel):
        kh, kw = kernel.shape
        result = np.zeros((delta.shape[0] + kh - 1, delta.shape[1] + kw - 1))
        for i in range(delta.shape[0]):
            for j in range(delta.shape[1]):
                result[i : i + kh, j : j + kw] += delta[i, j] * kernel
        return result

    why = (
        "Output $(i, j)$ read the window at $(i, j)$ with the kernel as weights, so it sends "
        "$\\delta_{ij}$ times the kernel back to exactly that window. The windows overlap, and "
        "the contributions add up: a full convolution of $\\delta$ with the kernel."
    )

    def cases(rng):
        yield case(
            np.array([[1.0]]), np.array([[1.0, 2.0], [3.0, 4.0]]), label="one output"
        )
        yield case(
            np.array([[1.0, 0.0], [0.0, 0.0]]),
            np.array([[1.0, 2.0], [3.0, 4.0]]),
            label="one δ that is not zero",
        )
        for shape, kernel in (((3, 4), (3, 3)), ((4, 4), (2, 3)), ((2, 5), (1, 2))):
            yield case(rng.normal(size=shape), rng.normal(size=kernel))

    hints = (
        "Which pixels did output (i, j) read, and with which weights?",
        "Every δ adds its multiple of the kernel to the window it came from.",
    )

    @wrong(
        "The kernel is turned by 180° too often: a full cross-correlation of δ with the "
        "kernel needs the turned one, painting needs the kernel as it is."
    )
    def not_flipped(delta, kernel):
        return correlate2d(delta, kernel, "full")

    @wrong("You let windows overwrite each other; where they overlap, gradients add.")
    def overwritten(delta, kernel):
        kh, kw = kernel.shape
        result = np.zeros((delta.shape[0] + kh - 1, delta.shape[1] + kw - 1))
        for i in range(delta.shape[0]):
            for j in range(delta.shape[1]):
                result[i : i + kh, j : j + kw] = delta[i, j] * kernel
        return result

    @wrong(
        "You spread δ evenly over the window: that is average pooling. Use the kernel."
    )
    def averaged(delta, kernel):
        return convolve2d(delta, np.full(kernel.shape, 1 / kernel.size))


@exercise("conv-field", chapter="convolution")
class ReceptiveField:
    """Write `field(layers)`: pixels that a unit of the last layer sees along one axis.

    `layers` is a list of (kernel, stride), from the first layer to the last.
    """

    def solution(layers):
        size, jump = 1, 1
        for kernel, stride in layers:
            size += (kernel - 1) * jump
            jump *= stride
        return size

    why = (
        "Neighbouring units of the layer below are `jump` pixels apart, so a kernel of $k$ taps "
        "reaches $(k-1)$ jumps further than one unit does. Its own stride matters for the "
        "layers *after* it."
    )

    def cases(rng):
        yield case([(3, 1)], label="one layer of three taps")
        yield case([(3, 1), (3, 1)], label="two layers of three taps")
        yield case([(3, 1), (2, 2), (3, 1), (2, 2)], label="the report's network")
        yield case([(3, 2), (3, 1)], label="stride first")
        for _ in range(5):
            layers = rng.integers(1, 5, size=(int(rng.integers(2, 6)), 2))
            yield case([(int(k), int(s)) for k, s in layers])

    hints = (
        "Work forwards and keep two numbers: the field and the distance between neighbours.",
        "A kernel adds (k − 1) steps; how many pixels is a step worth at that depth?",
    )

    @wrong("Strides are missing: after a stride, a step is worth several pixels.")
    def no_strides(layers):
        return 1 + sum(kernel - 1 for kernel, _ in layers)

    @wrong(
        "A layer's own stride does not widen its own kernel: multiply the jump afterwards."
    )
    def too_early(layers):
        size, jump = 1, 1
        for kernel, stride in layers:
            jump *= stride
            size += (kernel - 1) * jump
        return size

    @wrong("Kernels do not multiply: the second layer adds (k − 1) steps to the field.")
    def product(layers):
        return int(np.prod([kernel for kernel, _ in layers]))
