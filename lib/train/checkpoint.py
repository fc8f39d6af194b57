"""Checkpoints: the whole state of a training run in one file, written so that it is never half."""

import os
import pickle
from pathlib import Path

import torch

FORMAT = 1


class CheckpointError(ValueError):
    """A checkpoint cannot be read, or belongs to another run."""


def save(path: Path, state: dict) -> None:
    """Write ``state`` to ``path``: first beside it, then in its place in one move."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        torch.save({"format": FORMAT, **state}, beside)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def load(path: Path) -> dict:
    """Return the state that :func:`save` wrote to ``path``; nothing in the file is executed."""
    try:
        state = torch.load(path, weights_only=True)
    except (OSError, RuntimeError, EOFError, pickle.UnpicklingError) as problem:
        reason = (
            str(problem).splitlines()[0] if str(problem) else type(problem).__name__
        )
        raise CheckpointError(
            f"The checkpoint {path.name} cannot be read ({reason}). Delete it to start afresh."
        ) from None
    if not isinstance(state, dict) or state.get("format") != FORMAT:
        raise CheckpointError(f"{path.name} is not a checkpoint of lib.train.")
    return state


def require_same(path: Path, kept: dict, now: dict) -> None:
    """Raise when a checkpoint was written by a run with other settings, and say which differ."""
    names = list(dict.fromkeys([*kept, *now]))
    differing = [name for name in names if kept.get(name) != now.get(name)]
    if differing:
        name = differing[0]
        raise CheckpointError(
            f"The checkpoint {path.name} belongs to another run: {name} was "
            f"{kept.get(name)}, now it is {now.get(name)}. Use the same settings to go on, "
            "or another file to start afresh."
        )
