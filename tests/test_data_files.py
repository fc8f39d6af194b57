"""The vendored files: every one listed, every one checked, every damage told."""

import hashlib
import shutil
import subprocess
import sys

import numpy as np
import pytest

from lib.data import DataFileError, mnist, penguins, storage

LARGEST_FILE = 4_000_000


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A copy of the data files that a test may damage; the caches are empty before and after."""
    copy = tmp_path / "files"
    shutil.copytree(storage.FOLDER, copy)
    monkeypatch.setattr(storage, "FOLDER", copy)
    storage.forget()
    yield copy
    storage.forget()


def files_on_disk():
    paths = (path for path in storage.FOLDER.rglob("*") if path.is_file())
    return {path.relative_to(storage.FOLDER).as_posix() for path in paths}


def test_the_manifest_lists_exactly_the_files_there_are():
    assert set(storage.checksums()) | {storage.MANIFEST} == files_on_disk()


@pytest.mark.parametrize("name", sorted(storage.checksums()))
def test_every_file_has_its_recorded_checksum_and_is_small(name):
    content = (storage.FOLDER / name).read_bytes()
    assert hashlib.sha256(content).hexdigest() == storage.checksums()[name]
    assert storage.read(name) == content
    assert storage.size_in_bytes(name) == len(content) < LARGEST_FILE


def test_the_archives_hold_no_pickled_objects():
    for name in storage.checksums():
        if name.endswith(".npz"):
            assert all(array.dtype != object for array in storage.arrays(name).values())


def test_one_changed_byte_is_noticed_and_the_message_helps(folder):
    path = folder / "mnist_12k_10k.npz"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(DataFileError) as caught:
        mnist()
    message = str(caught.value)
    assert "mnist_12k_10k.npz" in message
    assert storage.checksums()["mnist_12k_10k.npz"] in message
    assert hashlib.sha256(content).hexdigest() in message
    assert "git checkout -- lib/data/files/mnist_12k_10k.npz" in message
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, OSError)


def test_a_cut_file_is_noticed(folder):
    path = folder / "penguins.csv"
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(DataFileError, match=r"penguins\.csv is damaged"):
        penguins()


def test_a_missing_file_is_told_and_the_error_is_not_cached(folder):
    path = folder / "penguins.csv"
    content = path.read_bytes()
    path.unlink()
    with pytest.raises(
        DataFileError, match=r"penguins\.csv cannot be read.*git checkout"
    ):
        penguins()
    with pytest.raises(DataFileError, match="cannot be read"):
        storage.size_in_bytes("penguins.csv")
    path.write_bytes(content)
    assert len(penguins().y) == 342


def test_a_missing_or_garbled_manifest_is_told(folder):
    (folder / storage.MANIFEST).write_text("not a checksum\n")
    with pytest.raises(DataFileError, match="is damaged"):
        penguins()
    (folder / storage.MANIFEST).unlink()
    with pytest.raises(DataFileError, match="is missing"):
        penguins()


def test_an_unknown_name_gets_the_list_of_files():
    with pytest.raises(
        DataFileError, match=r"'imagenet\.npz' is not a data file.*penguins\.csv"
    ):
        storage.read("imagenet.npz")


def test_what_a_reader_changes_stays_with_that_reader():
    first = mnist(train=50, test=50)
    kept = first.train_images.copy()
    first.train_images[:] = -1
    first.train_labels[:] = -1
    np.testing.assert_array_equal(mnist(train=50, test=50).train_images, kept)
    birds = penguins()
    birds.X[:] = 0
    birds.columns["island"][:] = "sunk"
    assert penguins().X.min() > 0
    assert "sunk" not in penguins().columns["island"]
    with pytest.raises(ValueError, match="read-only"):
        storage.arrays("mnist_12k_10k.npz")["x_train"][0] = 0


def test_importing_the_data_imports_no_heavy_library():
    code = (
        "import sys, lib, lib.data\n"
        "lib.data.penguins(), lib.data.mnist(train=10, test=10), lib.data.catalogue()\n"
        "lib.data.two_moons(), lib.data.digit_scenes(2), lib.data.lorenz(10)\n"
        "print(sorted({'torch', 'pandas', 'sklearn', 'scipy', 'matplotlib', 'networkx'}"
        " & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
