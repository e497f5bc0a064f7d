"""What a move asks of the engine: the test of a steep climb, and of too much speed. Chapter 5."""

from __future__ import annotations

from guncamera.rulesets.redstars.book import figure, names_what_decided
from guncamera.rulesets.redstars.cards import level_maximum
from guncamera.rulesets.redstars.condition import condition_of, is_gliding
from guncamera.rulesets.redstars.facts import Test
from guncamera.rulesets.redstars.passage import Passage
from guncamera.rulesets.redstars.specials import boxes_marked, record_engines
from guncamera.rulesets.redstars.tests import engine_test, skill_test


def climb_test(passage: Passage) -> None:
    """The test that a CLIMB +3 asks of some types; failed, the engine is damaged (RED-4.6)."""
    aircraft, data_book, book = passage.aircraft, passage.data_book, passage.book
    trace, dice = passage.trace, passage.dice
    passed = skill_test(aircraft, data_book, trace, dice, book, "climb")
    if passage.tested(Test.SKILL, passed=passed):
        return
    trace.setting("RED-7.2", "engine_hit", book.settings.engine_hit)
    boxes = figure(book, "engine_boxes")
    if book.settings.engine_hit == "engine-test":
        boxes = _test(passage)
    _mark(passage, "RED-4.6", boxes)


def speed_test(passage: Passage, speed: int) -> None:
    """By setting the engine is tested in a move that is faster than level flight (RED-5.5)."""
    aircraft, data_book, book = passage.aircraft, passage.data_book, passage.book
    if is_gliding(aircraft, data_book) or speed <= level_maximum(aircraft, data_book, book):
        return
    passage.trace.setting("RED-5.5", "engine_tests", book.settings.engine_tests)
    if book.settings.engine_tests == "too-fast":
        _mark(passage, "RED-5.5", _test(passage))


def _test(passage: Passage) -> int:
    """The boxes that an engine test marks."""
    boxes = engine_test(
        passage.aircraft, passage.data_book, passage.trace, passage.dice, passage.book
    )
    passage.tested(Test.ENGINE, passed=not boxes)
    return boxes


def _mark(passage: Passage, rule_id: str, boxes: int) -> None:
    data_book, book = passage.data_book, passage.book
    effects = boxes_marked(boxes, condition_of(passage.aircraft), data_book, book)
    if names_what_decided(book):
        record_engines(effects, data_book, book, passage.trace)
    for effect in effects:
        passage.suffers(rule_id, effect)
