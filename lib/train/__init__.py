"""One training loop for the networks of the course: ``from lib.train import fit``.

``fit`` trains and returns a ``History``, ``evaluate`` and ``predict`` use a trained model. All of
them run on PyTorch; nothing outside this package imports it for you.
"""

from lib.train.checkpoint import CheckpointError
from lib.train.evaluation import evaluate, predict
from lib.train.history import History
from lib.train.loop import fit
from lib.train.run import Diverged

__all__ = ["CheckpointError", "Diverged", "History", "evaluate", "fit", "predict"]
