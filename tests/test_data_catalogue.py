"""The catalogue agrees with the loaders, the files and the syllabus."""

import dataclasses
import inspect
from pathlib import Path

import numpy as np
import pytest
import yaml

import lib.data
from lib.data import catalogue, entry, kinds, storage
from lib.data.listing import ORIGINS

NOT_LOADERS = {"catalogue", "entry", "DataFileError", "split_pairs", "number_in_words"}
NAMES = [item.name for item in catalogue()]


def load(name):
    return (
        lib.data.photograph("coins")
        if name == "photograph"
        else getattr(lib.data, name)()
    )


def test_every_loader_has_one_entry_and_every_entry_a_loader():
    assert len(NAMES) == len(set(NAMES))
    assert set(NAMES) == set(lib.data.__all__) - NOT_LOADERS


def test_every_file_belongs_to_a_data_set():
    used = [file for item in catalogue() for file in item.files]
    assert sorted(used) == sorted(storage.checksums())


@pytest.mark.parametrize("name", NAMES)
def test_the_entry_is_complete_and_the_set_carries_it(name):
    item, data = entry(name), load(name)
    for field in ("title", "what", "shape", "licence", "credit"):
        assert len(getattr(item, field)) > 2, field
    assert item.origin in ORIGINS
    assert bool(item.files) == (item.origin == "vendored")
    assert (item.size > 0) == (item.origin == "vendored")
    assert item.loader == f"lib.data.{name}"
    assert type(data) is getattr(kinds, item.kind)
    assert (data.name, data.licence, data.credit) == (name, item.licence, item.credit)
    assert inspect.getdoc(getattr(lib.data, name))


@pytest.mark.parametrize("name", NAMES)
def test_sets_are_frozen_and_say_what_they_are_in_one_stable_line(name):
    data = load(name)
    with pytest.raises(dataclasses.FrozenInstanceError):
        data.name = "mine"
    text = repr(data)
    assert text == repr(load(name))
    assert text.startswith(f"{type(data).__name__}('{name}'")
    assert "\n" not in text
    assert " at 0x" not in text
    assert len(text) < 150


@pytest.mark.parametrize("name", NAMES)
def test_arrays_are_finite_fresh_and_writable(name):
    first, second = load(name), load(name)
    for field in dataclasses.fields(first):
        value = getattr(first, field.name)
        if isinstance(value, np.ndarray):
            assert value.flags.writeable
            assert not np.shares_memory(value, getattr(second, field.name))
            assert np.isfinite(value).all()
            np.testing.assert_array_equal(value, getattr(second, field.name))


def test_the_chapters_named_are_chapters_of_the_syllabus():
    syllabus = yaml.safe_load(
        (Path(__file__).parents[1] / "book/syllabus.yml").read_text()
    )
    slugs = {chapter["slug"] for part in syllabus for chapter in part["chapters"]}
    for item in catalogue():
        assert item.used_by, item.name
        assert set(item.used_by) <= slugs, item.name


def test_an_unknown_set_gets_the_list_of_sets():
    with pytest.raises(ValueError, match=r"no data set 'imagenet'.*mnist"):
        entry("imagenet")
    with pytest.raises(AttributeError, match="imagenet"):
        lib.data.imagenet  # noqa: B018
