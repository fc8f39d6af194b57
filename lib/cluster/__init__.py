"""Groups and prototypes: k-means, competitive learning, maps, mixtures, fuzzy clusters."""

from lib.cluster.competitive import competitive_learning
from lib.cluster.fuzzy import FuzzyClusters, fuzzy_c_means
from lib.cluster.kmeans import KMeans, kmeans, nearest
from lib.cluster.mixture import GaussianMixture, fit_mixture
from lib.cluster.som import SelfOrganisingMap, fit_map

__all__ = [
    "FuzzyClusters",
    "GaussianMixture",
    "KMeans",
    "SelfOrganisingMap",
    "competitive_learning",
    "fit_map",
    "fit_mixture",
    "fuzzy_c_means",
    "kmeans",
    "nearest",
]
