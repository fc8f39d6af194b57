"""What the loaders return: small frozen records that know their name, shapes, licence and credit.

Every call of a loader builds new arrays, so a reader may change them without changing what the
next call returns.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType

import numpy as np

from lib.data.listing import Entry, entry


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """What all kinds share; ``name`` is the key of the set in the catalogue."""

    name: str

    @property
    def about(self) -> Entry:
        """The catalogue's entry: title, what it is, licence, credit, chapters."""
        return entry(self.name)

    @property
    def licence(self) -> str:
        """Under which terms the data may be used."""
        return self.about.licence

    @property
    def credit(self) -> str:
        """Whom to thank for the data."""
        return self.about.credit

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of every array, by the name of its field."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        return {
            key: value.shape
            for key, value in values.items()
            if isinstance(value, np.ndarray)
        }

    def __repr__(self) -> str:
        parts = [
            repr(self.name),
            *(f"{key}: {shape}" for key, shape in self.shapes.items()),
        ]
        return f"{type(self).__name__}({', '.join(parts)})"


@dataclass(frozen=True, eq=False, repr=False)
class Tabular(Dataset):
    """Samples as rows.

    ``X`` (n, d) holds the features as floats; ``y`` (n,) the target: class numbers (int64) when
    ``target_names`` names the classes, else a quantity (float64). ``columns`` holds what the
    source has besides, by name, each with n entries.
    """

    X: np.ndarray
    y: np.ndarray
    feature_names: tuple[str, ...]
    target: str
    target_names: tuple[str, ...] = ()
    columns: Mapping[str, np.ndarray] = field(
        default_factory=lambda: MappingProxyType({})
    )

    def __post_init__(self) -> None:
        if self.X.ndim != 2 or self.X.shape != (len(self.y), len(self.feature_names)):
            raise ValueError(
                f"{self.name}: expected X of shape ({len(self.y)}, {len(self.feature_names)}), "
                f"one row per target and one column per feature name; got {self.X.shape}."
            )
        object.__setattr__(self, "columns", MappingProxyType(dict(self.columns)))

    def feature(self, name: str) -> np.ndarray:
        """Return the column of X called ``name``, shape (n,)."""
        if name not in self.feature_names:
            raise ValueError(
                f"{self.name} has no feature {name!r}; it has {', '.join(self.feature_names)}."
            )
        return self.X[:, self.feature_names.index(name)].copy()

    def select(self, *names: str) -> np.ndarray:
        """Return the features ``names`` as a matrix of shape (n, len(names)), in that order."""
        if not names:
            raise ValueError(f"{self.name}: name at least one feature to select.")
        return np.stack([self.feature(name) for name in names], axis=1)


@dataclass(frozen=True, eq=False, repr=False)
class Images(Dataset):
    """Labelled images in the two parts that their makers fixed.

    Images are float32 in [0, 1], (n, height, width) or flat (n, height·width); labels int64 (n,).
    """

    train_images: np.ndarray
    train_labels: np.ndarray
    test_images: np.ndarray
    test_labels: np.ndarray
    class_names: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class ImageCollection(Dataset):
    """Labelled images that nobody has split: ``images`` float32 in [0, 1], ``labels`` int64."""

    images: np.ndarray
    labels: np.ndarray
    class_names: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Photograph(Dataset):
    """One picture: ``pixels`` float32 in [0, 1], (height, width) or (height, width, 3)."""

    pixels: np.ndarray

    def grey(self) -> np.ndarray:
        """Return the luma (height, width): Rec. 601 weights 0.299, 0.587, 0.114 of R, G, B."""
        if self.pixels.ndim == 2:
            return self.pixels.copy()
        return self.pixels @ np.array([0.299, 0.587, 0.114], dtype=np.float32)


@dataclass(frozen=True, eq=False, repr=False)
class Series(Dataset):
    """Values over time: ``times`` (n,) and ``values`` (n,) or (n, d), one row per time."""

    times: np.ndarray
    values: np.ndarray
    value_names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.times)


@dataclass(frozen=True, eq=False, repr=False)
class Text(Dataset):
    """Running text; where every line is a unit of its own (a name), take ``lines``."""

    text: str

    @property
    def lines(self) -> tuple[str, ...]:
        """The text's lines without their ends."""
        return tuple(self.text.splitlines())

    @property
    def alphabet(self) -> tuple[str, ...]:
        """The characters that occur, sorted."""
        return tuple(sorted(set(self.text)))

    def __repr__(self) -> str:
        return (
            f"Text({self.name!r}, {len(self.text)} characters, {len(self.lines)} lines)"
        )


@dataclass(frozen=True, eq=False, repr=False)
class Pairs(Dataset):
    """Texts and their translations: ``targets[i]`` belongs to ``sources[i]``.

    :func:`lib.data.split_pairs` divides them without leaks.
    """

    sources: tuple[str, ...]
    targets: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.sources) != len(self.targets):
            raise ValueError(
                f"{self.name}: expected as many targets as sources; "
                f"got {len(self.sources)} sources and {len(self.targets)} targets."
            )

    def __len__(self) -> int:
        return len(self.sources)

    def __repr__(self) -> str:
        return f"Pairs({self.name!r}, {len(self)} pairs)"


@dataclass(frozen=True, eq=False, repr=False)
class Graph(Dataset):
    """An undirected graph: ``edges`` (m, 2) holds each edge once, the smaller node first.

    ``weights`` (m,) float64 is all 1 in a graph without weights; ``labels`` (n,) int64 gives each
    node a class named in ``class_names``, or is None in a graph without classes.
    """

    edges: np.ndarray
    weights: np.ndarray
    labels: np.ndarray | None
    node_names: tuple[str, ...]
    class_names: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """The number of nodes."""
        return len(self.node_names)

    def adjacency(self, weighted: bool = False) -> np.ndarray:
        """Return the symmetric adjacency matrix, (n, n) float64, with a zero diagonal."""
        A = np.zeros((self.n, self.n))
        i, j = self.edges.T
        A[i, j] = A[j, i] = self.weights if weighted else 1.0
        return A


@dataclass(frozen=True, eq=False, repr=False)
class Embeddings(Dataset):
    """One vector per word: ``vectors`` (n, d) float32; ``words`` from the most frequent on."""

    words: tuple[str, ...]
    vectors: np.ndarray
    _index: Mapping[str, int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "_index", {word: i for i, word in enumerate(self.words)}
        )

    def __contains__(self, word: str) -> bool:
        return word in self._index

    def index(self, word: str) -> int:
        """Return the row of ``word``."""
        if word not in self._index:
            raise ValueError(
                f"{self.name} has no word {word!r} among its {len(self.words)}."
            )
        return self._index[word]

    def __getitem__(self, word: str) -> np.ndarray:
        """Return the vector of ``word``, shape (d,)."""
        return self.vectors[self.index(word)].copy()


@dataclass(frozen=True, eq=False, repr=False)
class Scenes(Dataset):
    """Images with objects: ``images`` (n, height, width) float32 in [0, 1].

    ``boxes[i]`` (k, 4) float32 holds x₁, y₁, x₂, y₂ of the k objects of image i, in pixels: the
    box covers columns x₁ … x₂ − 1 and rows y₁ … y₂ − 1. ``labels[i]`` (k,) int64 are the classes.
    """

    images: np.ndarray
    boxes: tuple[np.ndarray, ...]
    labels: tuple[np.ndarray, ...]
    class_names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.images)
