"""How fast lib is, beside the libraries that a reader knows and beside plain loops.

Each module here has a function ``races`` that yields `benchmarks.timing.Race`. ``make benchmark``
runs them all; ``python -m benchmarks least_squares`` runs one.
"""
