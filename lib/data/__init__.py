"""The data of the course: ``from lib.data import mnist``. Nothing is ever downloaded.

Names load on first use. No submodule carries the name of something exported here.
"""

from lib.first_use import loads_on_first_use

_HOME = {
    "catalogue": "listing",
    "entry": "listing",
    "DataFileError": "storage",
    "mnist": "images",
    "fashion_mnist": "images",
    "quickdraw": "images",
    "digits_8x8": "images",
    "photograph": "images",
    "penguins": "tables",
    "olympic_100m": "tables",
    "cholesterol": "tables",
    "iris": "sklearn_tables",
    "wine": "sklearn_tables",
    "breast_cancer": "sklearn_tables",
    "diabetes": "sklearn_tables",
    "laser": "series",
    "sunspots": "series",
    "sherlock_holmes": "texts",
    "first_names": "texts",
    "bible_verses": "texts",
    "glove": "texts",
    "split_pairs": "texts",
    "football": "graphs",
    "karate_club": "graphs",
    "les_miserables": "graphs",
    "two_moons": "points",
    "spirals": "points",
    "circles": "points",
    "blobs": "points",
    "xor": "points",
    "noisy_sine": "curves",
    "noisy_cubic": "curves",
    "galton_heights": "curves",
    "mackey_glass": "dynamics",
    "lorenz": "dynamics",
    "digit_scenes": "scenes",
    "dates_in_words": "wording",
    "numbers_in_words": "wording",
    "number_in_words": "wording",
}

__all__ = list(_HOME)
__getattr__ = loads_on_first_use(globals(), _HOME)
