"""Tables: counts, classes and known facts of each."""

import csv

import numpy as np
import pytest
from sklearn import datasets

from lib.data import (
    breast_cancer,
    cholesterol,
    diabetes,
    iris,
    olympic_100m,
    penguins,
    storage,
    wine,
)
from lib.data.kinds import Tabular


@pytest.mark.parametrize(
    ("missing", "n"), [("drop", 342), ("drop_any", 333), ("keep", 344)]
)
def test_penguins_with_each_choice_about_missing_values(missing, n):
    birds = penguins(missing)
    assert birds.X.shape == (n, 4)
    assert birds.y.dtype == np.int64
    assert {len(column) for column in birds.columns.values()} == {n}
    assert np.isnan(birds.X).any(axis=1).sum() == (2 if missing == "keep" else 0)
    unknown = {"drop": 9, "drop_any": 0, "keep": 11}[missing]
    assert (birds.columns["sex"] == "unknown").sum() == unknown
    assert set(birds.columns["sex"]) <= {"male", "female", "unknown"}


def test_penguins_rows_are_those_of_the_file():
    birds = penguins("keep")
    with open(storage.FOLDER / "penguins.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    for i in (0, 3, 100, 200, 343):
        assert birds.target_names[birds.y[i]] == rows[i]["species"]
        assert birds.columns["island"][i] == rows[i]["island"]
        assert birds.columns["year"][i] == int(rows[i]["year"])
        for value, name in zip(birds.X[i], birds.feature_names, strict=True):
            assert (
                np.isnan(value)
                if rows[i][name] == "NA"
                else value == float(rows[i][name])
            )


def test_penguins_facts():
    birds = penguins("keep")
    assert birds.target_names == ("Adelie", "Chinstrap", "Gentoo")
    assert np.bincount(birds.y).tolist() == [152, 68, 124]
    measured = penguins()
    mass = measured.feature("body_mass_g")
    heaviest = [mass[measured.y == k].mean() for k in range(3)]
    assert int(np.argmax(heaviest)) == 2
    assert set(measured.columns["island"][measured.y == 2]) == {"Biscoe"}


def test_olympic_champions():
    both, men, women = olympic_100m(), olympic_100m("men"), olympic_100m("women")
    assert (len(both.y), len(men.y), len(women.y)) == (52, 30, 22)
    np.testing.assert_array_equal(both.y, np.concatenate([men.y, women.y]))
    assert set(women.columns["sex"]) == {"women"}
    when = dict(zip(men.X[:, 0], men.y, strict=True))
    assert when[1968] == 9.95
    assert when[2012] == 9.63
    assert (min(when), max(when)) == (1896, 2024)
    assert 2000 not in women.X
    assert not set(both.X[:, 0]) & {1916, 1940, 1944}


def test_olympic_lines_cross_near_2156_as_published():
    """Tatem and others fitted the races up to 2004, the men's from 1900, and found 2156."""
    lines = []
    for sex in ("men", "women"):
        races = olympic_100m(sex)
        year = races.X[:, 0]
        keep = (year >= 1900) & (year <= 2004)
        lines.append(np.polyfit(year[keep], races.y[keep], 1))
    (a, b), (c, d) = lines
    assert 2140 < (d - b) / (a - c) < 2170


def test_cholesterol_tables_and_their_fit():
    patients, train, test = (cholesterol(part) for part in ("all", "train", "test"))
    table = np.column_stack([patients.X, patients.y])
    assert table.shape == (10, 3)
    np.testing.assert_array_equal(patients.X[:, 0], np.arange(25, 75, 5))
    rejoined = np.concatenate(
        [np.column_stack([part.X, part.y]) for part in (train, test)]
    )
    np.testing.assert_array_equal(rejoined[np.argsort(rejoined[:, 0])], table)
    np.testing.assert_array_equal(train.X[:, 0], [25, 35, 45, 55, 65])
    design = np.column_stack([np.ones(5), train.X])
    theta = np.linalg.lstsq(design, train.y, rcond=None)[0]
    np.testing.assert_allclose(
        theta, [25.68, 0.94, 5.79], atol=0.005
    )  # as the notes print it


@pytest.mark.parametrize(
    ("ours", "theirs", "counts"),
    [
        (iris, datasets.load_iris, [50, 50, 50]),
        (wine, datasets.load_wine, [59, 71, 48]),
        (breast_cancer, datasets.load_breast_cancer, [212, 357]),
    ],
)
def test_classification_sets_of_scikit_learn(ours, theirs, counts):
    data, bunch = ours(), theirs()
    np.testing.assert_array_equal(data.X, bunch.data)
    np.testing.assert_array_equal(data.y, bunch.target)
    assert np.bincount(data.y).tolist() == counts
    assert len(data.target_names) == len(counts)


def test_breast_cancer_class_0_is_malignant():
    assert breast_cancer().target_names == ("malignant", "benign")


def test_diabetes_scaled_and_raw():
    scaled, raw = diabetes(), diabetes(scaled=False)
    assert scaled.X.shape == raw.X.shape == (442, 10)
    np.testing.assert_allclose(scaled.X.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose((scaled.X**2).sum(axis=0), 1, atol=1e-9)
    assert raw.feature("age").min() == 19
    assert (raw.y.min(), raw.y.max()) == (25, 346)


def test_features_by_name():
    flowers = iris()
    np.testing.assert_array_equal(flowers.feature("petal width (cm)"), flowers.X[:, 3])
    chosen = flowers.select("petal length (cm)", "sepal length (cm)")
    np.testing.assert_array_equal(chosen, flowers.X[:, [2, 0]])
    with pytest.raises(ValueError, match=r"no feature 'petals'; it has sepal length"):
        flowers.feature("petals")
    with pytest.raises(ValueError, match="at least one"):
        flowers.select()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: penguins("ignore"), "missing: expected one of drop, drop_any, keep"),
        (lambda: olympic_100m("male"), "sex: expected one of men, women"),
        (lambda: cholesterol("validation"), "part: expected one of all, train, test"),
    ],
)
def test_unknown_choices_are_told(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_table_whose_shapes_do_not_fit_is_refused():
    with pytest.raises(ValueError, match=r"expected X of shape \(3, 2\)"):
        Tabular("iris", np.zeros((3, 4)), np.zeros(3), ("a", "b"), "y")
