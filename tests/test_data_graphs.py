"""Graphs against networkx and known facts."""

import networkx as nx
import numpy as np
import pytest

from lib.data import football, karate_club, les_miserables
from lib.data.graphs import _ordered


@pytest.mark.parametrize(
    ("load", "n", "m"),
    [(football, 115, 613), (karate_club, 34, 78), (les_miserables, 77, 254)],
)
def test_edges_are_unique_ordered_and_without_loops(load, n, m):
    graph = load()
    assert graph.n == len(graph.node_names) == n
    assert graph.edges.shape == (m, 2)
    assert graph.edges.dtype == np.int64
    assert (graph.edges[:, 0] < graph.edges[:, 1]).all()
    assert len(np.unique(graph.edges, axis=0)) == m
    assert graph.edges.min() == 0
    assert graph.edges.max() == n - 1
    A = graph.adjacency()
    np.testing.assert_array_equal(A, A.T)
    assert A.sum() == 2 * m
    assert not A.diagonal().any()


@pytest.mark.parametrize(
    ("load", "theirs"),
    [(karate_club, nx.karate_club_graph), (les_miserables, nx.les_miserables_graph)],
)
def test_adjacency_is_that_of_networkx(load, theirs):
    graph = load()
    np.testing.assert_array_equal(
        graph.adjacency(), nx.to_numpy_array(theirs(), weight=None)
    )
    np.testing.assert_array_equal(
        graph.adjacency(weighted=True), nx.to_numpy_array(theirs())
    )


def test_weights_follow_their_edges_when_these_are_put_in_order():
    edges = np.array([[3, 1], [0, 2], [1, 0], [2, 3]])
    ordered, weights = _ordered(edges, np.array([31, 2, 10, 23]))
    assert ordered.tolist() == [[0, 1], [0, 2], [1, 3], [2, 3]]
    assert weights.tolist() == [10, 2, 31, 23]


def test_karate_club_split():
    club = karate_club()
    assert club.class_names == ("Mr. Hi", "Officer")
    assert np.bincount(club.labels).tolist() == [17, 17]
    assert (club.labels[0], club.labels[33]) == (0, 1)  # the instructor and the officer
    same = club.labels[club.edges[:, 0]] == club.labels[club.edges[:, 1]]
    assert same.mean() > 0.8


def test_football_conferences():
    games = football()
    assert np.bincount(games.labels).tolist() == [
        9,
        8,
        11,
        12,
        10,
        5,
        13,
        8,
        10,
        12,
        7,
        10,
    ]
    assert len(games.class_names) == 12
    team = dict(zip(games.node_names, games.labels, strict=True))
    for name, conference in [("Michigan", "Big Ten"), ("NotreDame", "Independents"),
                             ("UCLA", "Pacific Ten"), ("Alabama", "Southeastern")]:  # fmt: skip
        assert games.class_names[team[name]] == conference
    same = games.labels[games.edges[:, 0]] == games.labels[games.edges[:, 1]]
    assert same.mean() > 0.6
    assert (games.weights == 1).all()


def test_les_miserables_has_a_hero_and_no_classes():
    novel = les_miserables()
    degree = novel.adjacency().sum(axis=1)
    assert novel.node_names[int(np.argmax(degree))] == "Valjean"
    assert novel.labels is None
    assert novel.class_names == ()
