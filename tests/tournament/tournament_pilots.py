"""Pilots for the tests: good ones and bad ones, each a function of a situation."""

import os
import subprocess
import sys
import time


def first(situation):
    return situation.legal_orders(1)[0]


def chancy(situation):
    print("what a pilot prints does not get between the lines")
    return situation.random.choice(situation.legal_orders(20))


def drawn(situation):
    (order,) = situation.draw_orders()
    return getattr(order, order.WhichOneof("order"))


def by_the_module(situation):
    import random

    return random.choice(situation.legal_orders(30))


def asks_too_much(situation):
    for _ in range(200):
        (order,) = situation.legal_orders(1)
    return order


def asks_nonsense(situation):
    return situation.legal_orders(0)[0]


def crash(situation):
    raise ValueError(f"no idea what to do about {object()}")


def exits(situation):
    os._exit(3)


def killed(situation):
    os.kill(os.getpid(), 9)


def hang(situation):
    while True:
        time.sleep(60)


def greedy_of_memory(situation):
    hoard = []
    while True:
        hoard.append(bytearray(10**7))


def illegal(situation):
    from guncamera.v1.ruleset_circus_pb2 import CircusFireOrder

    return CircusFireOrder()


def nothing(situation):
    return None


def slow_twice(situation):
    """Longer than soft_seconds, twice in a game."""
    if situation.clock.strikes < 2:
        time.sleep(situation.clock.soft_seconds * 1.5)
    return first(situation)


def looks_around(situation):
    """What it must not find: keys, and what other games have left."""
    assert not [name for name in os.environ if name.startswith("GUNCAMERA_")]
    assert not hasattr(sys, "games")
    if situation.nth == 0:
        assert not hasattr(sys, "this_game")
        sys.this_game = True
    return first(situation)


def leaves_a_child(situation):
    """Starts a process that would outlive it, and says which."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    with open(os.environ["CHILDREN"], "a") as out:
        out.write(f"{child.pid}\n")
    return first(situation)
