"""Graphs: who plays, meets or talks with whom."""

import numpy as np

from lib.data import storage
from lib.data.kinds import Graph

_CONFERENCES = (
    "Atlantic Coast", "Big East", "Big Ten", "Big Twelve", "Conference USA", "Independents",
    "Mid-American", "Mountain West", "Pacific Ten", "Southeastern", "Sun Belt",
    "Western Athletic",
)  # fmt: skip


def _ordered(edges: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each edge with its smaller node first, the edges in lexicographic order."""
    edges = np.sort(edges.astype(np.int64), axis=1)
    order = np.lexsort((edges[:, 1], edges[:, 0]))
    return edges[order], weights[order].astype(np.float64)


def football() -> Graph:
    """Return American college football in 2000: 115 teams, 613 games, 12 conferences."""
    raw = storage.arrays("graph_football.npz")
    edges, weights = _ordered(raw["edges"], np.ones(len(raw["edges"])))
    return Graph(
        "football",
        edges=edges,
        weights=weights,
        labels=raw["labels"].astype(np.int64),
        node_names=tuple(str(raw["names"]).split("\n")),
        class_names=_CONFERENCES,
    )


def _from_networkx(graph) -> tuple[np.ndarray, np.ndarray]:
    number = {node: i for i, node in enumerate(graph.nodes)}
    edges = np.array([(number[a], number[b]) for a, b in graph.edges])
    return _ordered(
        edges, np.array([weight for _, _, weight in graph.edges(data="weight")])
    )


def karate_club() -> Graph:
    """Return Zachary's karate club: 34 members, 78 friendships, and the two clubs it split into.

    A weight counts the settings in which two members met outside the club.
    """
    import networkx as nx

    graph = nx.karate_club_graph()
    clubs = ("Mr. Hi", "Officer")
    edges, weights = _from_networkx(graph)
    return Graph(
        "karate_club",
        edges=edges,
        weights=weights,
        labels=np.array([clubs.index(club) for _, club in graph.nodes(data="club")]),
        node_names=tuple(str(node) for node in graph.nodes),
        class_names=clubs,
    )


def les_miserables() -> Graph:
    """Return who meets whom in Les Misérables: 77 characters, 254 pairs, no classes.

    A weight counts the chapters in which both appear.
    """
    import networkx as nx

    graph = nx.les_miserables_graph()
    edges, weights = _from_networkx(graph)
    return Graph(
        "les_miserables",
        edges=edges,
        weights=weights,
        labels=None,
        node_names=tuple(str(node) for node in graph.nodes),
    )
