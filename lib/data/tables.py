"""Tables of measurements that come with the course."""

from typing import Literal

import numpy as np

from lib.data import storage
from lib.data.kinds import Tabular
from lib.validation import one_of

_MEASUREMENTS = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")
_SPECIES = ("Adelie", "Chinstrap", "Gentoo")

# Age in years, BMI in kg/m², cholesterol in mg/dL: Table 1 of the explainers, section 2.1.3.
_PATIENTS = (
    (25, 22.5, 180), (30, 24.0, 190), (35, 26.5, 210), (40, 28.0, 220), (45, 29.5, 240),
    (50, 30.0, 250), (55, 31.5, 260), (60, 32.0, 270), (65, 33.5, 280), (70, 34.0, 290),
)  # fmt: skip


def penguins(missing: Literal["drop", "drop_any", "keep"] = "drop") -> Tabular:
    """Return the Palmer penguins: four body measurements X (n, 4), the species y (n,).

    Two of the 344 birds were never measured and nine more have no recorded sex. ``missing`` says
    what to do with them:

    - "drop" leaves out the two without measurements (342 birds); the sex may be "unknown";
    - "drop_any" leaves out all eleven (333 birds);
    - "keep" keeps all 344: the missing measurements are NaN, the missing sex is "unknown".

    ``columns`` holds "island", "sex" (texts) and "year" (int64).
    """
    one_of(missing, "missing", ("drop", "drop_any", "keep"))
    rows = storage.rows("penguins.csv")
    if missing == "drop":
        rows = [row for row in rows if all(row[key] != "NA" for key in _MEASUREMENTS)]
    elif missing == "drop_any":
        rows = [row for row in rows if "NA" not in row.values()]
    values = [[row[key].replace("NA", "nan") for key in _MEASUREMENTS] for row in rows]
    return Tabular(
        "penguins",
        X=np.array(values, dtype=np.float64),
        y=np.array([_SPECIES.index(row["species"]) for row in rows], dtype=np.int64),
        feature_names=_MEASUREMENTS,
        target="species",
        target_names=_SPECIES,
        columns={
            "island": np.array([row["island"] for row in rows]),
            "sex": np.array([row["sex"].replace("NA", "unknown") for row in rows]),
            "year": np.array([row["year"] for row in rows], dtype=np.int64),
        },
    )


def olympic_100m(sex: Literal["men", "women"] | None = None) -> Tabular:
    """Return the winning times of the Olympic 100 m: X (n, 1) is the year, y (n,) seconds.

    ``sex`` keeps only the men's races (1896 to 2024) or the women's (1928 to 2024); by default
    both, the men's first. ``columns["sex"]`` says "men" or "women". There were no games in 1916,
    1940 and 1944, and no women's champion in 2000, whose title was taken back.
    """
    if sex is not None:
        one_of(sex, "sex", ("men", "women"))
    words = {"M": "men", "W": "women"}
    rows = [
        row
        for row in storage.rows("olympic_100m.csv")
        if sex in (None, words[row["sex"]])
    ]
    return Tabular(
        "olympic_100m",
        X=np.array([[row["year"]] for row in rows], dtype=np.float64),
        y=np.array([row["time_s"] for row in rows], dtype=np.float64),
        feature_names=("year",),
        target="time in seconds",
        columns={"sex": np.array([words[row["sex"]] for row in rows])},
    )


def cholesterol(part: Literal["all", "train", "test"] = "all") -> Tabular:
    """Return the ten patients of the explainers' worked example of linear regression.

    X (n, 2) holds age and BMI, y (n,) the cholesterol level in mg/dL. ``part`` chooses all ten
    (their Table 1), the five they train on (Table 2: every other one from the first) or the five
    they test on (Table 3).
    """
    parts = {"all": slice(None), "train": slice(0, None, 2), "test": slice(1, None, 2)}
    table = np.array(_PATIENTS, dtype=np.float64)[parts[one_of(part, "part", parts)]]
    return Tabular(
        "cholesterol",
        X=table[:, :2].copy(),
        y=table[:, 2].copy(),
        feature_names=("age", "BMI"),
        target="cholesterol in mg/dL",
    )
