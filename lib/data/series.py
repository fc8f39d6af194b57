"""Measured time series."""

from typing import Literal

import numpy as np

from lib.data import storage
from lib.data.kinds import Series
from lib.validation import one_of


def laser(part: Literal["all", "train", "test"] = "all") -> Series:
    """Return the Santa Fe laser: the intensity of a far-infrared laser, whole numbers 0 to 255.

    "train" is the competition's set A, the first 1,000 values; "test" the 100 values that it
    asked for; "all" the whole record of 10,093. The intensity collapses near time 1,060.
    """
    parts = {"all": slice(None), "train": slice(1_000), "test": slice(1_000, 1_100)}
    rows = storage.rows("santafe_laser.csv")[parts[one_of(part, "part", parts)]]
    return Series(
        "laser",
        times=np.array([row["t"] for row in rows], dtype=np.int64),
        values=np.array([row["intensity"] for row in rows], dtype=np.float64),
        value_names=("intensity",),
    )


def sunspots() -> Series:
    """Return the yearly mean sunspot numbers from 1700 to 2008."""
    rows = storage.rows("sunspots_yearly.csv")
    return Series(
        "sunspots",
        times=np.array([row["YEAR"] for row in rows], dtype=np.float64).astype(
            np.int64
        ),
        values=np.array([row["SUNACTIVITY"] for row in rows], dtype=np.float64),
        value_names=("sunspot number",),
    )
