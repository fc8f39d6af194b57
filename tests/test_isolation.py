"""Isolation: limits hold, nothing leaks, and there is a way without fork."""

import threading
import time
from dataclasses import replace

import pytest
from hostile_answers import right
from test_checking import FORKS, HOSTILE, children, world

from lib.course.exercise import find
from lib.course.marking import isolation
from lib.course.marking.isolation import Limits, run_isolated
from lib.course.marking.isolation_thread import run_threaded
from lib.course.marking.verdict import mark
from lib.course.marking.verdict_view import verdict_panel


def quick():
    """An exercise with the shortest time limit, for answers that never end."""
    return replace(find("running-mean"), seconds=1)


@FORKS
def test_messages_arrive_until_the_end():
    run = run_isolated(lambda send: [send(("n", i)) for i in range(1000)])
    assert run.ending == "finished"
    assert [m[1] for m in run.messages] == list(range(1000))


@pytest.mark.parametrize(
    "runner", [pytest.param(isolation.run_forked, marks=FORKS), run_threaded]
)
def test_prints_are_captured_and_messages_before_a_loop_are_kept(runner, capsys):
    def task(send):
        print("hello")
        send(("before", 1))
        while True:
            pass

    run = runner(task, Limits(cpu_seconds=1))
    assert run.ending == "time"
    assert run.messages == [("before", 1)]
    assert capsys.readouterr().out == ""


@FORKS
def test_an_endless_loop_is_stopped_by_its_cpu_time_and_a_sleeper_by_the_clock():
    def loop(send):
        while True:
            pass

    looped = isolation.run_forked(loop, Limits(cpu_seconds=1, patience=60))
    assert (looped.ending, looped.detail) == ("time", "SIGXCPU")
    slept = isolation.run_forked(lambda send: time.sleep(1e6), Limits(cpu_seconds=1))
    assert (slept.ending, slept.detail) == ("time", "by the clock")


@FORKS
def test_stopping_the_check_ends_the_answer(monkeypatch):
    def pressed(*args):
        raise KeyboardInterrupt

    born = children()
    monkeypatch.setattr("select.select", pressed)
    run = isolation.run_forked(lambda send: time.sleep(1e6), Limits())
    assert run.ending == "interrupt"
    assert children() <= born


def test_without_fork_answers_are_still_marked(monkeypatch):
    monkeypatch.setattr(isolation, "CAN_FORK", False)
    before, threads = world(), set(threading.enumerate())
    assert mark(quick(), right).status == "passed"
    for name in (
        "twice",
        "mutates",
        "exits",
        "loops",
        "prints",
        "nan",
        "calls_the_solution",
    ):
        answer, status, told = next(row[1:] for row in HOSTILE if row[0] == name)
        verdict = mark(quick(), answer)
        assert verdict.status == status
        assert told in verdict_panel(verdict).text
    assert world() == before
    for left in set(threading.enumerate()) - threads:
        left.join(5)  # an endless loop that goes on would slow down all that follows
        assert not left.is_alive()


@FORKS
def test_torch_works_in_the_child_after_work_in_the_parent():
    torch = pytest.importorskip("torch")
    weights = torch.ones(300, 300, requires_grad=True)
    (weights @ weights).sum().backward()

    def task(send):
        w = torch.ones(300, 300, requires_grad=True)
        (w @ w).sum().backward()
        send(("sum", float(w.grad.sum()), torch.get_num_threads()))

    run = run_isolated(task)
    assert run.messages == [("sum", 300.0 * 600 * 300, 1)], run
